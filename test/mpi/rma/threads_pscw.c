/* threads_pscw.c — X04, R06: threads with a window each in epochs of MPI_Win_post and MPI_Win_start
 * at the same time, each of which waits for its own ranks; and a thread that waits in MPI_Win_wait
 * or MPI_Win_fence alone, while another one of its process goes on. */
#include "../threads/threads.h"
#include "rma.h"

enum { THREADS = 4, TIMES = 100 };

static MPI_Comm comm[THREADS];
static MPI_Win own[THREADS];
static int *base[THREADS];

static MPI_Group one_of(MPI_Win win, int r)
{
    MPI_Group all, one;

    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, 1, &r, &one);
    MPI_Group_free(&all);
    return one;
}

/* Thread t writes to the rank t + 1 further on, in the exposure epoch of its window there. */
static void *ring(void *arg)
{
    int t = (int) (intptr_t) arg, to = (rank + t + 1) % size;
    int from = (rank + (size - 1) * (t + 1)) % size;
    MPI_Group target = one_of(own[t], to), origin = one_of(own[t], from);

    for (int i = 0; i < TIMES; i++) {
        int value = 1000 * i + 10 * rank + t, done = 0;

        MPI_Win_post(origin, 0, own[t]);
        MPI_Win_start(target, 0, own[t]);
        if (i % 3)
            MPI_Put(&value, 1, MPI_INT, to, 1, 1, MPI_INT, own[t]);
        else
            MPI_Accumulate(&value, 1, MPI_INT, to, 1, 1, MPI_INT, MPI_REPLACE, own[t]);
        MPI_Win_complete(own[t]);
        if (i % 5)
            MPI_Win_wait(own[t]);
        while (i % 5 == 0 && !done)
            MPI_Win_test(own[t], &done);
        CHECK_INT(base[t][1], 1000 * i + 10 * from + t);
    }
    MPI_Group_free(&target);
    MPI_Group_free(&origin);
    return NULL;
}

/* Rank 0 ends the epoch of rank 1 when a message of the second thread there has come. */
static bool fences;

static void *waits_alone(void *arg)
{
    MPI_Group zero = one_of(own[0], 0);

    if ((intptr_t) arg == 0 && fences) {
        MPI_Win_fence(MPI_MODE_NOSUCCEED, own[0]);
    } else if ((intptr_t) arg == 0) {
        MPI_Win_post(zero, 0, own[0]);
        MPI_Win_wait(own[0]);
        CHECK_INT(base[0][2], 77);
    } else {
        rma_pause(2000);
        MPI_Send(&rank, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    }
    MPI_Group_free(&zero);
    return NULL;
}

static void alone(void)
{
    int x = 77, told;
    MPI_Group first = one_of(own[0], 1);

    if (rank == 1)
        threads_run(2, waits_alone);
    if (rank == 0 && !fences) {
        MPI_Win_start(first, 0, own[0]);
        MPI_Put(&x, 1, MPI_INT, 1, 2, 1, MPI_INT, own[0]);
    }
    if (rank == 0)
        MPI_Recv(&told, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0 && !fences)
        MPI_Win_complete(own[0]);
    if (rank != 1 && fences)
        MPI_Win_fence(MPI_MODE_NOSUCCEED, own[0]);
    MPI_Group_free(&first);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int t = 0; t < THREADS; t++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[t]);
        MPI_Win_allocate(64, 4, MPI_INFO_NULL, comm[t], &base[t], &own[t]);
    }
    threads_run(THREADS, ring);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 10 && size > 1; i++) {
        fences = i % 2;
        alone();
    }
    for (int t = 0; t < THREADS; t++) {
        MPI_Win_free(&own[t]);
        MPI_Comm_free(&comm[t]);
    }
    MPI_Finalize();
    return 0;
}
