/* no_check.c — R07: MPI_MODE_NOCHECK: the program excludes by barriers, so locks need no check;
 * locks that need one work afterwards.
 *
 * MPICH 4.0 hangs in a lock that follows one with MPI_MODE_NOCHECK. */
#include "rma.h"

static struct window w;

static void get(long *to, int target, int index)
{
    MPI_Get(to, 1, MPI_LONG, target, window_disp(&w, target, 8 * index), 1, MPI_LONG, w.win);
}

static void put(const long *from, int target, int index)
{
    MPI_Put(from, 1, MPI_LONG, target, window_disp(&w, target, 8 * index), 1, MPI_LONG, w.win);
}

/* The program excludes by a barrier, so the lock needs no check. */
static void no_check(void)
{
    long v = 0;

    window_fill(&w, 0);
    for (int r = 0; r < size; r++) {
        if (rank == r) {
            v = 50 + r;
            CHECK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, MPI_MODE_NOCHECK, w.win) == MPI_SUCCESS);
            put(&v, 0, 0);
            MPI_Win_unlock(0, w.win);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK(MPI_Win_lock_all(MPI_MODE_NOCHECK, w.win) == MPI_SUCCESS);
        get(&v, 0, 0);
        CHECK(MPI_Win_unlock_all(w.win) == MPI_SUCCESS);
        CHECK_INT(v, 50 + r);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* Locks that are checked, in turn with those above. */
static void checked(void)
{
    long one = 1;

    window_fill(&w, 0);
    for (int i = 0; i < 10; i++) {
        int target = (rank + i) % size;

        MPI_Win_lock(i % 2 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, target, 0, w.win);
        MPI_Accumulate(&one, 1, MPI_LONG, target, window_disp(&w, target, 0), 1, MPI_LONG, MPI_SUM,
                       w.win);
        MPI_Win_unlock(target, w.win);
        MPI_Win_lock_all(0, w.win);
        MPI_Win_unlock_all(w.win);
    }
    window_settle(&w);
    CHECK_INT(*(long *) w.base, 10);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        w = window_make(f, 64, 8);
        for (int i = 0; i < 3; i++) {
            no_check();
            checked();
        }
        window_free(&w);
    }
    MPI_Finalize();
    return 0;
}
