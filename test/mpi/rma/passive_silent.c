/* passive_silent.c — R07, 11.7.3: lock, put, accumulate and unlock complete although the target
 * makes no MPI calls: it waits for what they write, by loads alone.
 *
 * Not for MPICH 4.0, which works for some of the windows in the target's MPI calls only. */
#include "rma.h"

static struct window w;

/* Loads a word of the own memory until it has a value; after 20 s the test has failed. */
static void wait_for(int index, long value)
{
    const volatile long *at = (const volatile long *) w.base + index;
    struct timespec start, now;

    clock_gettime(CLOCK_MONOTONIC, &start);
    while (*at != value) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec - start.tv_sec > 20) {
            fprintf(stderr, "rank %d, flavor %d, word %d\n", rank, (int) w.flavor, index);
            CHECK(!"an operation does not complete without the target");
        }
        rma_pause(50);
    }
}

/* Rank 0 is silent; each other rank in turn writes by another call, and the last one says so. */
static void round_of(long value, int type)
{
    long old, seen = 0;

    if (rank == 0 && size > 1) {
        wait_for(0, value);
        wait_for(1, value);
        wait_for(2, value);
    }
    if (rank == 1) {
        MPI_Win_lock(type, 0, 0, w.win);
        MPI_Put(&value, 1, MPI_LONG, 0, window_disp(&w, 0, 0), 1, MPI_LONG, w.win);
        MPI_Win_flush(0, w.win);
        MPI_Fetch_and_op(&value, &old, MPI_LONG, 0, window_disp(&w, 0, 8), MPI_REPLACE, w.win);
        MPI_Win_unlock(0, w.win);
        MPI_Win_lock(type, 0, 0, w.win);
        MPI_Get(&seen, 1, MPI_LONG, 0, window_disp(&w, 0, 0), 1, MPI_LONG, w.win);
        MPI_Win_flush(0, w.win);
        MPI_Accumulate(&value, 1, MPI_LONG, 0, window_disp(&w, 0, 16), 1, MPI_LONG, MPI_REPLACE,
                       w.win);
        MPI_Win_unlock(0, w.win);
        CHECK_INT(seen, value);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int *model, flag;

    rma_init(&argc, &argv);
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        w = window_make(f, 64, 8);
        MPI_Win_get_attr(w.win, MPI_WIN_MODEL, &model, &flag);
        window_fill(&w, 0);
        for (int i = 1; i <= 10 && *model == MPI_WIN_UNIFIED; i++)
            round_of(i, i % 2 ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED);
        window_free(&w);
    }
    MPI_Finalize();
    return 0;
}
