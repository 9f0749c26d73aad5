/* threads.c — messages per second under MPI_THREAD_MULTIPLE: windows of 64 from rank 0 to rank 1,
 * by one thread or, each on a communicator of its own, by several (-t, 4). */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include "perf.h"

enum { WINDOW = 64, MOST = 16 };

static int nthreads = 4, level;
static MPI_Comm comm[MOST];
static size_t len;
static int turns; /* of each thread */

static void own_option(int letter, const char *value)
{
    (void) letter;
    nthreads = atoi(value);
}

static void *run(void *arg)
{
    MPI_Comm c = comm[(intptr_t) arg];
    char *buf = malloc(len * WINDOW + 1), word = 0;
    MPI_Request r[WINDOW];

    for (int i = 0; i < turns; i++) {
        for (int w = 0; w < WINDOW; w++)
            if (perf.rank == 0)
                MPI_Isend(buf + w * len, (int) len, MPI_BYTE, 1, 0, c, &r[w]);
            else
                MPI_Irecv(buf + w * len, (int) len, MPI_BYTE, 0, 0, c, &r[w]);
        MPI_Waitall(WINDOW, r, MPI_STATUSES_IGNORE);
        if (perf.rank == 0)
            MPI_Recv(&word, 1, MPI_BYTE, 1, 1, c, MPI_STATUS_IGNORE);
        else
            MPI_Send(&word, 1, MPI_BYTE, 0, 1, c);
    }
    free(buf);
    return NULL;
}

static void by_threads(int n, size_t size, int iters)
{
    pthread_t t[MOST];

    len = size;
    turns = (iters + n - 1) / n;
    if (perf.rank > 1)
        return;
    for (intptr_t i = 1; i < n; i++)
        if (pthread_create(&t[i], NULL, run, (void *) i))
            exit(1);
    (void) run(NULL);
    for (int i = 1; i < n; i++)
        pthread_join(t[i], NULL);
}

static void one(size_t size, int iters) { by_threads(1, size, iters); }
static void several(size_t size, int iters) { by_threads(nthreads, size, iters); }

static double rate(size_t size, int iters, double seconds)
{
    (void) size;
    return (double) WINDOW * iters / seconds * 1e-6;
}

int main(int argc, char **argv)
{
    static const struct perf_start start = {
        .min_ranks = 2, .sizes = "8", .own_options = "t:", .more = own_option
    };
    static const struct perf_case cases[] = { { "one_thread", "Mmsg/s", one, rate },
                                              { "threads", "Mmsg/s", several, rate } };

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    perf_begin(argc, argv, &start);
    for (int i = 0; i < nthreads; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
    for (int i = 0; i < 2 && level == MPI_THREAD_MULTIPLE; i++)
        perf_run(&cases[i]);
    for (int i = 0; i < nthreads; i++)
        MPI_Comm_free(&comm[i]);
    return perf_end();
}
