/* turns.h — two ways to do the same, measured in alternation. */
#ifndef TURNS_H
#define TURNS_H

#include <stddef.h>

/* iters operations of each way. All ranks synchronize around each turn, so that work that one way
 * leaves behind counts for that way. */
void turns_take(void (*const way[2])(int n), int iters);

/* For perf_case: the time of the first way divided by the second's, since the last run began. */
double turns_ratio(size_t size, int iters, double seconds);

#endif /* TURNS_H */
