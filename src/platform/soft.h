/* soft.h — the numbers of processes that are allowed by "soft", of mpiexec and of spawns. */
#ifndef SOFT_H
#define SOFT_H

/* The largest number from 1 to max in a list of triplets "a", "a:b" or "a:b:step", separated by
 * commas (§10.3.4); 0: there is none, or -EINVAL: the list is wrong. */
int soft_largest(const char *triplets, int max);

#endif /* SOFT_H */
