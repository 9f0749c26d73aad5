/* concurrent.c — R09, R16: accumulates of all ranks to the same words, also with different types
 * whose places overlap: each element is combined atomically, and none is lost. */
#include "rma.h"

enum { N = 240, TIMES = 20 };

static struct window w;

/* All ranks add to one word of each rank; the words are of different sizes. */
static void one_word(void)
{
    int one = 1;
    double half = 0.5;
    short two = 2;

    window_fill(&w, 0);
    epoch_begin(&w, LOCK_ALL);
    for (int i = 0; i < TIMES; i++)
        for (int r = 0; r < size; r++) {
            MPI_Accumulate(&one, 1, MPI_INT, r, window_disp(&w, r, 0), 1, MPI_INT, MPI_SUM, w.win);
            MPI_Accumulate(&half, 1, MPI_DOUBLE, r, window_disp(&w, r, 8), 1, MPI_DOUBLE, MPI_SUM,
                           w.win);
            MPI_Accumulate(&two, 1, MPI_SHORT, r, window_disp(&w, r, 16), 1, MPI_SHORT, MPI_SUM,
                           w.win);
        }
    epoch_end(&w, LOCK_ALL);
    CHECK_INT(*(int *) w.base, TIMES * size);
    CHECK(*(double *) (w.base + 8) == 0.5 * TIMES * size);
    CHECK_INT(*(short *) (w.base + 16), (short) (2 * TIMES * size));
    CHECK_INT(*(short *) (w.base + 18), 0);
}

/* The elements of the target type of a rank: a comb whose teeth depend on the rank, every element,
 * two blocks, or all from the last to the first. */
static MPI_Datatype layout(int r, int *count, int *where)
{
    MPI_Datatype type;

    *count = 0;
    if (r % 4 == 0) {
        MPI_Type_vector(N / 2, 1, 2, MPI_LONG, &type);
        for (int i = 0; i < N; i += 2)
            where[(*count)++] = i;
    } else if (r % 4 == 1) {
        MPI_Type_contiguous(N, MPI_LONG, &type);
        for (int i = 0; i < N; i++)
            where[(*count)++] = i;
    } else if (r % 4 == 2) {
        MPI_Type_indexed(2, (int[]) { 50, 30 }, (int[]) { 150, 7 }, MPI_LONG, &type);
        for (int i = 0; i < 80; i++)
            where[(*count)++] = i < 50 ? 150 + i : 7 + i - 50;
    } else {
        MPI_Type_create_hvector(N / 3, 1, -24, MPI_LONG, &type);
        MPI_Aint back = (N - 1) * 8;
        MPI_Datatype shifted;
        MPI_Type_create_hindexed(1, (int[]) { 1 }, &back, type, &shifted);
        MPI_Type_free(&type);
        type = shifted;
        for (int i = 0; i < N / 3; i++)
            where[(*count)++] = N - 1 - 3 * i;
    }
    MPI_Type_commit(&type);
    return type;
}

/* R16: the value of an element tells the ranks whose types have it. */
static void overlapping(enum epoch kind, bool fetches)
{
    long in[N], got[N], *mine = (long *) w.base, want[N] = { 0 };
    int count, where[N];

    window_fill(&w, 0);
    for (int r = 0; r < size; r++) {
        MPI_Datatype type = layout(r, &count, where);
        MPI_Type_free(&type);
        for (int i = 0; i < count; i++)
            want[where[i]] += TIMES * (i + 100 * (r + 1));
    }
    MPI_Datatype type = layout(rank, &count, where);
    for (int i = 0; i < count; i++)
        in[i] = i + 100 * (rank + 1);
    epoch_begin(&w, kind);
    for (int k = 0; k < TIMES * size; k++) {
        int r = (rank + k) % size;
        if (fetches)
            MPI_Get_accumulate(in, count, MPI_LONG, got, count, MPI_LONG, r, window_disp(&w, r, 0),
                               1, type, MPI_SUM, w.win);
        else
            MPI_Accumulate(in, count, MPI_LONG, r, window_disp(&w, r, 0), 1, type, MPI_SUM, w.win);
        if (fetches && kind == LOCK_ALL)
            MPI_Win_flush(r, w.win);
    }
    epoch_end(&w, kind);
    for (int i = 0; i < N; i++)
        CHECK_INT(mine[i], want[i]);
    MPI_Type_free(&type);
}

/* MPI_REPLACE is an atomic put, MPI_NO_OP an atomic get: no value is torn. */
static void replace(void)
{
    uint64_t in, got = 0;

    window_fill(&w, 0);
    epoch_begin(&w, LOCK_ALL);
    for (int i = 0; i < TIMES * 2; i++) {
        in = (uint64_t) (rank * 1000 + i) * 0x0001000100010001u;
        MPI_Get_accumulate(&in, 1, MPI_UINT64_T, &got, 1, MPI_UINT64_T, 0, window_disp(&w, 0, 0), 1,
                           MPI_UINT64_T, i % 2 ? MPI_REPLACE : MPI_NO_OP, w.win);
        MPI_Win_flush(0, w.win);
        CHECK(got == (got & 0xffff) * 0x0001000100010001u);
    }
    epoch_end(&w, LOCK_ALL);
}

/* R16: of all values the largest, and where it is; a pair is one element. */
static void largest(void)
{
    struct {
        double value;
        int index;
    } in, *mine = (void *) w.base;

    window_fill(&w, 0);
    epoch_begin(&w, LOCK_ALL);
    for (int i = 0; i < TIMES; i++) {
        in.value = (rank * 7 + i * 13) % 31 + 1;
        in.index = (int) in.value * 3;
        for (int r = 0; r < size; r++)
            MPI_Accumulate(&in, 1, MPI_DOUBLE_INT, r, window_disp(&w, r, 0), 1, MPI_DOUBLE_INT,
                           MPI_MAXLOC, w.win);
        MPI_Win_flush_all(w.win);
    }
    epoch_end(&w, LOCK_ALL);
    double most = 0;
    for (int r = 0; r < size; r++)
        for (int i = 0; i < TIMES; i++)
            most = (r * 7 + i * 13) % 31 + 1 > most ? (r * 7 + i * 13) % 31 + 1 : most;
    CHECK(mine->value == most);
    CHECK_INT(mine->index, (int) most * 3);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        w = window_make(f, N * 8, 1);
        one_word();
        for (enum epoch k = 0; k < EPOCHS; k++) {
            overlapping(k, false);
            overlapping(k, true);
        }
        replace();
        largest();
        window_free(&w);
    }
    MPI_Finalize();
    return 0;
}
