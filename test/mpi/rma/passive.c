/* passive.c — R07, 11.7.3: operations of passive epochs complete while the target computes for a
 * while, or waits in another call of MPI. passive_silent.c: while it calls MPI no more. */
#include "rma.h"

static struct window w;

static void compute(double seconds)
{
    volatile double x = 1;

    for (double end = MPI_Wtime() + seconds; MPI_Wtime() < end;)
        x = x * 1.0000001;
}

/* Rank 0 computes while the others add to its counter under exclusive locks. */
static void counter(void)
{
    long v;
    MPI_Aint at = window_disp(&w, 0, 0);

    window_fill(&w, 0);
    if (rank == 0)
        compute(0.02);
    for (int i = 0; rank > 0 && i < 10; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w.win);
        MPI_Get(&v, 1, MPI_LONG, 0, at, 1, MPI_LONG, w.win);
        MPI_Win_flush(0, w.win);
        v++;
        MPI_Put(&v, 1, MPI_LONG, 0, at, 1, MPI_LONG, w.win);
        MPI_Win_unlock(0, w.win);
    }
    window_settle(&w);
    if (rank == 0)
        CHECK_INT(*(long *) w.base, 10 * (size - 1));
}

/* The target waits in a receive, whose message comes when the operations are done. */
static void in_receive(void)
{
    int one = 1, old = -1, next = (rank + 1) % size, previous = (rank + size - 1) % size;

    window_fill(&w, 0);
    if (rank % 2 == 0 && next % 2 == 1) { /* the origin; its target waits */
        MPI_Win_lock(MPI_LOCK_SHARED, next, 0, w.win);
        for (int i = 0; i < 30; i++) {
            MPI_Fetch_and_op(&one, &old, MPI_INT, next, window_disp(&w, next, 8), MPI_SUM, w.win);
            MPI_Win_flush(next, w.win);
            CHECK_INT(old, i);
        }
        MPI_Win_unlock(next, w.win);
        MPI_Send(&one, 1, MPI_INT, next, 5, MPI_COMM_WORLD);
    } else if (rank % 2 == 1) {
        MPI_Recv(&old, 1, MPI_INT, previous, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    window_settle(&w);
    CHECK_INT(*(int *) (w.base + 8), rank % 2 ? 30 : 0);
}

/* The target is in another collective call, or in the epoch of another window. */
static void elsewhere(void)
{
    struct window other = window_make(ALLOCATED, 64, 8);
    long value = rank, sum = 0, got = -1;
    int last = size - 1;

    window_fill(&w, 0);
    if (rank == last) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w.win);
        MPI_Put(&value, 1, MPI_LONG, 0, window_disp(&w, 0, 16), 1, MPI_LONG, w.win);
        MPI_Win_flush(0, w.win);
        MPI_Get(&got, 1, MPI_LONG, 0, window_disp(&w, 0, 16), 1, MPI_LONG, w.win);
        MPI_Win_unlock(0, w.win);
        CHECK_INT(got, last);
    }
    MPI_Allreduce(&value, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK_INT(sum, (long) size * (size - 1) / 2);
    if (rank == last) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w.win);
        MPI_Accumulate(&value, 1, MPI_LONG, 0, window_disp(&w, 0, 16), 1, MPI_LONG, MPI_SUM, w.win);
        MPI_Win_unlock(0, w.win);
    }
    MPI_Win_fence(0, other.win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, other.win);
    window_settle(&w);
    if (rank == 0)
        CHECK_INT(*(long *) (w.base + 16), 2 * last);
    window_free(&other);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        w = window_make(f, 64, 8);
        counter();
        in_receive();
        elsewhere();
        window_free(&w);
    }
    MPI_Finalize();
    return 0;
}
