/* requests_types.c — R11, R04: requests of operations whose target type is derived: the data of
 * MPI_Rget is there after the wait, and types may be freed at once.
 *
 * MPICH 4.0 fails: it completes such a request, and a flush, before the data has arrived. */
#include "rma.h"

enum { N = 100 };

static struct window w;

static MPI_Datatype comb(int stride)
{
    MPI_Datatype type;

    MPI_Type_vector(N, 1, stride, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
}

/* In each round the values are put with one stride and got with another one. */
static void rounds(void)
{
    int in[N], out[3 * N], old[N], zero[N] = { 0 }, next = (rank + 1) % size;
    MPI_Aint at = window_disp(&w, next, 0);

    MPI_Win_lock_all(0, w.win);
    for (int i = 0; i < 20; i++) {
        MPI_Datatype twos = comb(2), threes = comb(3);
        MPI_Request r;

        for (int k = 0; k < N; k++)
            in[k] = 1000 * i + k + rank;
        memset(out, 0xff, sizeof out);
        MPI_Rput(in, N, MPI_INT, next, at, 1, twos, w.win, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Win_flush(next, w.win);
        MPI_Rget(out, 1, threes, next, at, 1, twos, w.win, &r);
        MPI_Type_free(&threes);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        for (int k = 0; k < N; k++)
            CHECK_INT(out[3 * k], in[k]);
        MPI_Raccumulate(in, N, MPI_INT, next, at, 1, twos, MPI_SUM, w.win, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Rget_accumulate(zero, N, MPI_INT, old, N, MPI_INT, next, at, 1, twos, MPI_PROD, w.win,
                            &r);
        MPI_Type_free(&twos);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        for (int k = 0; k < N; k++)
            CHECK_INT(old[k], 2 * in[k]);
        MPI_Win_flush(next, w.win);
    }
    MPI_Win_unlock_all(w.win);
    window_settle(&w);
    for (int k = 0; k < 2 * N; k++)
        CHECK_INT(((int *) w.base)[k], 0);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        w = window_make(f, N * 8, 4);
        window_fill(&w, 0);
        rounds();
        window_free(&w);
    }
    MPI_Finalize();
    return 0;
}
