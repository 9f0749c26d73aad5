/* flush_local.c — R08: after MPI_Win_flush_local and MPI_Win_flush_local_all buffers may be written
 * again, and what was got is there.
 *
 * MPICH 4.0 fails: with UCX these calls may return before. */
#include "rma.h"

enum { N = 40, BIG = 100000 };

static struct window w;
static int next;

static int put(const int *value, int target, int index)
{
    return MPI_Put(value, 1, MPI_INT, target, window_disp(&w, target, 4 * index), 1, MPI_INT,
                   w.win);
}

static int get(int *value, int target, int index)
{
    return MPI_Get(value, 1, MPI_INT, target, window_disp(&w, target, 4 * index), 1, MPI_INT,
                   w.win);
}

static int flush(int how, int target)
{
    return how ? MPI_Win_flush_all(w.win) : MPI_Win_flush(target, w.win);
}

static int flush_local(int how, int target)
{
    return how ? MPI_Win_flush_local_all(w.win) : MPI_Win_flush_local(target, w.win);
}

/* After flush_local the buffer may be written again, and what was got is there. */
static void buffers(int how)
{
    static int big[BIG];
    int value, got[2];

    for (int i = 0; i < N; i++) {
        value = 2000 * rank + i;
        put(&value, next, size + i);
        CHECK(flush_local(how, next) == MPI_SUCCESS);
        value = -1;
    }
    flush(how, next);
    for (int i = 1; i < N; i++) {
        get(&got[0], next, size + i);
        get(&got[1], next, size + i - 1);
        CHECK(flush_local(how, next) == MPI_SUCCESS);
        CHECK_INT(got[0], 2000 * rank + i);
        CHECK_INT(got[1], 2000 * rank + i - 1);
    }
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < BIG; k++)
            big[k] = i + k + rank;
        MPI_Put(big, BIG, MPI_INT, next, window_disp(&w, next, 1024), BIG, MPI_INT, w.win);
        CHECK(flush_local(how, next) == MPI_SUCCESS);
        memset(big, 0xff, sizeof big);
        CHECK(flush(how, next) == MPI_SUCCESS);
        MPI_Get(big, BIG, MPI_INT, next, window_disp(&w, next, 1024), BIG, MPI_INT, w.win);
        CHECK(flush_local(how, next) == MPI_SUCCESS);
        for (int k = 0; k < BIG; k++)
            CHECK_INT(big[k], i + k + rank);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    next = (rank + 1) % size;
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        w = window_make(f, 1024 + 4L * BIG, 4);
        window_fill(&w, 0);
        MPI_Win_lock_all(0, w.win);
        buffers(0);
        buffers(1);
        MPI_Win_unlock_all(w.win);
        window_free(&w);
    }
    MPI_Finalize();
    return 0;
}
