/* turns.c — two ways to do the same, measured in alternation. */
#include "perf.h"
#include "probe.h"
#include "turns.h"

enum { TURNS = 4 };

static double spent[2]; /* seconds of this rank */

void turns_take(void (*const way[2])(int n), int iters)
{
    spent[0] = spent[1] = 0;
    for (int done = 0, n = (iters + TURNS - 1) / TURNS; done < iters; done += n)
        for (int w = 0; w < 2; w++) {
            MPI_Barrier(MPI_COMM_WORLD);
            double start = probe_now();
            way[w](n);
            MPI_Barrier(MPI_COMM_WORLD);
            spent[w] += probe_now() - start;
        }
}

double turns_ratio(size_t size, int iters, double seconds)
{
    (void) size;
    (void) iters;
    (void) seconds;
    return spent[0] / spent[1];
}
