/* stream.h — many messages under way at once, from rank i of one half to rank i of the other. */
#ifndef STREAM_H
#define STREAM_H

#include <stddef.h>

void stream_open(void);         /* after perf_begin: memory for the largest size */
int stream_window(size_t size); /* messages under way together in one iteration */
int stream_pairs(void);
void stream_one_way(size_t size, int iters);
void stream_both_ways(size_t size, int iters);

/* Values of perf_case */
double stream_mb_one_way(size_t size, int iters, double seconds);
double stream_mb_both_ways(size_t size, int iters, double seconds);

#endif /* STREAM_H */
