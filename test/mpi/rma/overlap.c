/* overlap.c — STARLING_CHECK=strict warns of operations of one epoch that overlap at the target,
 * and of nothing else. The argument says which; what a test expects is the text, or none. */
#include "rma.h"

static long v[16];

static void puts_that(const char *what, MPI_Win win)
{
    int next = (rank + 1) % size;

    MPI_Put(v, 4, MPI_LONG, next, 0, 4, MPI_LONG, win);
    if (strcmp(what, "overlap") == 0) {
        MPI_Put(v, 2, MPI_LONG, next, 3, 2, MPI_LONG, win);
        return;
    }
    MPI_Put(v, 4, MPI_LONG, next, 4, 4, MPI_LONG, win); /* behind it */
    MPI_Win_flush(next, win);
    MPI_Put(v, 8, MPI_LONG, next, 0, 8, MPI_LONG, win); /* after a flush */
    MPI_Win_flush_all(win);
    MPI_Get(v, 8, MPI_LONG, next, 0, 8, MPI_LONG, win);
    MPI_Get(v + 8, 8, MPI_LONG, next, 4, 8, MPI_LONG, win); /* both read */
    MPI_Win_flush(next, win);
    MPI_Accumulate(v, 2, MPI_LONG, next, 1, 2, MPI_LONG, MPI_SUM, win);
    MPI_Accumulate(v, 2, MPI_LONG, next, 2, 2, MPI_LONG, MPI_SUM, win); /* both are atomic */
}

/* Every second long, twice: in between each other. */
static void columns(MPI_Win win)
{
    MPI_Datatype column;

    MPI_Type_vector(4, 1, 2, MPI_LONG, &column);
    MPI_Type_commit(&column);
    for (int i = 0; i < 2; i++)
        MPI_Put(v, 4, MPI_LONG, (rank + 1) % size, 8 + i, 1, column, win);
    MPI_Type_free(&column);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    long *base;
    MPI_Win win;
    const char *what = argc > 1 ? argv[1] : "overlap";

    MPI_Win_allocate(sizeof v, sizeof *v, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_set_name(win, "halo");
    MPI_Win_lock_all(0, win);
    puts_that(what, win);
    if (strcmp(what, "overlap") != 0)
        columns(win);
    MPI_Win_unlock_all(win);
    for (int i = 0; i < 2; i++) { /* each in an epoch of its own */
        MPI_Win_fence(0, win);
        MPI_Put(v, 4, MPI_LONG, (rank + 1) % size, 0, 4, MPI_LONG, win);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
