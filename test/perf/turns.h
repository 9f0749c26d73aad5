/* turns.h — two ways to do the same, measured in turns. */
#ifndef TURNS_H
#define TURNS_H

#include <stddef.h>

/* iters operations of each way; all ranks meet around each turn, so that what one leaves to the
 * others counts for the way that does so. */
void turns_take(void (*const way[2])(int n), int iters);

/* For perf_case: the time of the first way divided by the second's, since the last run began. */
double turns_ratio(size_t size, int iters, double seconds);

#endif /* TURNS_H */
