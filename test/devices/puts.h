/* puts.h — scenarios of the conformance program: memory that is registered and written by peers. */
#ifndef PUTS_H
#define PUTS_H

void puts_sizes(void);
void puts_windows(void);
void puts_many(void);
void puts_then_message(void);
void puts_death(void);

#endif /* PUTS_H */
