/* atomics.h — scenarios of the conformance program: atomic operations, and keys that are wrong. */
#ifndef ATOMICS_H
#define ATOMICS_H

void atomics_ops(void);
void atomics_one_word(void);
void atomics_death(void);
void wrong_keys(void);

#endif /* ATOMICS_H */
