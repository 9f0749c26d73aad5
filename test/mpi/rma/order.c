/* order.c — R10: accumulates of one rank to one place of one target are done in their order: reads
 * after reads and writes, writes after reads and writes; also large ones, and with other types. */
#include "rma.h"

enum { TIMES = 40, BIG = 60000 };

static struct window w;
static int next, previous;

/* Starts an operation on a word of the next rank; nothing is waited for. */
static void fetch(const long *value, long *old, int index, MPI_Op op)
{
    CHECK(MPI_Get_accumulate(value, 1, MPI_LONG, old, 1, MPI_LONG, next,
                             window_disp(&w, next, 8 * index), 1, MPI_LONG, op, w.win)
          == MPI_SUCCESS);
}

static void replace(const long *value, int index)
{
    CHECK(MPI_Accumulate(value, 1, MPI_LONG, next, window_disp(&w, next, 8 * index), 1, MPI_LONG,
                         MPI_REPLACE, w.win)
          == MPI_SUCCESS);
}

/* Write, read, write, read ...: each read gives the last value written before it. */
static void read_and_write(enum epoch kind)
{
    long value[TIMES], got[TIMES], again[TIMES];

    window_fill(&w, 0);
    epoch_begin(&w, kind);
    for (int i = 0; i < TIMES; i++) {
        value[i] = 1000 * rank + i;
        replace(&value[i], 3);
        fetch(NULL, &got[i], 3, MPI_NO_OP);
        fetch(NULL, &again[i], 3, MPI_NO_OP);
    }
    epoch_end(&w, kind);
    for (int i = 0; i < TIMES; i++) {
        CHECK_INT(got[i], value[i]);
        CHECK_INT(again[i], value[i]);
    }
    CHECK_INT(((long *) w.base)[3], 1000 * previous + TIMES - 1);
}

/* Operations that do not commute: x = x * 3 + 1, by MPI_PROD and MPI_SUM in turn. */
static void do_not_commute(enum epoch kind)
{
    long three = 3, one = 1, old[TIMES], want = 0;

    window_fill(&w, 0);
    epoch_begin(&w, kind);
    for (int i = 0; i < 20; i++) {
        fetch(&three, &old[2 * i], 1, MPI_PROD);
        fetch(&one, &old[2 * i + 1], 1, MPI_SUM);
    }
    epoch_end(&w, kind);
    for (int i = 0; i < 20; i++) {
        CHECK_INT(old[2 * i], want);
        CHECK_INT(old[2 * i + 1], want * 3);
        want = want * 3 + 1;
    }
    CHECK_INT(((long *) w.base)[1], want);
}

/* The three calls that fetch, in turn, on one word. */
static void all_calls(void)
{
    long one = 1, got[4 * 10], compare[10], swap[10];

    window_fill(&w, 0);
    epoch_begin(&w, LOCK_ALL);
    for (int i = 0; i < 10; i++) {
        MPI_Aint at = window_disp(&w, next, 0);

        compare[i] = 4 * i + 2;
        swap[i] = 4 * i + 3;
        MPI_Fetch_and_op(&one, &got[4 * i], MPI_LONG, next, at, MPI_SUM, w.win);
        fetch(&one, &got[4 * i + 1], 0, MPI_SUM);
        MPI_Compare_and_swap(&swap[i], &compare[i], &got[4 * i + 2], MPI_LONG, next, at, w.win);
        MPI_Accumulate(&one, 1, MPI_LONG, next, at, 1, MPI_LONG, MPI_SUM, w.win);
        fetch(NULL, &got[4 * i + 3], 0, MPI_NO_OP);
    }
    epoch_end(&w, LOCK_ALL);
    for (int i = 0; i < 40; i++)
        CHECK_INT(got[i], i % 4 == 3 ? i + 1 : i);
}

/* Large ones after one another, then a small one, then a large read. */
static void large(enum epoch kind)
{
    long *in[3], *got = mpitest_memory(BIG * sizeof(long)), small = -5;

    for (int k = 0; k < 3; k++) {
        in[k] = mpitest_memory(BIG * sizeof(long));
        for (int i = 0; i < BIG; i++)
            in[k][i] = 100L * i + 10 * k + rank;
    }
    window_fill(&w, 0);
    epoch_begin(&w, kind);
    for (int k = 0; k < 3; k++)
        MPI_Accumulate(in[k], BIG, MPI_LONG, next, window_disp(&w, next, 0), BIG, MPI_LONG,
                       MPI_REPLACE, w.win);
    replace(&small, BIG - 1);
    MPI_Get_accumulate(NULL, 0, MPI_LONG, got, BIG, MPI_LONG, next, window_disp(&w, next, 0), BIG,
                       MPI_LONG, MPI_NO_OP, w.win);
    replace(&small, 7);
    epoch_end(&w, kind);
    for (int i = 0; i < BIG; i++) {
        long want = i == BIG - 1 ? small : 100L * i + 20;

        CHECK_INT(got[i], i == BIG - 1 ? want : want + rank);
        CHECK_INT(((long *) w.base)[i], i == BIG - 1 || i == 7 ? small : want + previous);
    }
    for (int k = 0; k < 3; k++)
        free(in[k]);
    free(got);
}

/* Different layouts that have a word in common: of the long ones the last is the first to end. */
static void layouts(enum epoch kind)
{
    enum { N = 3000 };
    static long in[4][N];
    MPI_Datatype even, back;

    MPI_Type_vector(N, 1, 2, MPI_LONG, &even);
    MPI_Type_vector(N, 1, -1, MPI_LONG, &back);
    MPI_Type_commit(&even);
    MPI_Type_commit(&back);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 4; k++)
            in[k][i] = 10000L * (k + 1) + i;
    window_fill(&w, 0);
    epoch_begin(&w, kind);
    MPI_Accumulate(in[0], N, MPI_LONG, next, window_disp(&w, next, 0), 1, even, MPI_REPLACE, w.win);
    MPI_Accumulate(in[1], N, MPI_LONG, next, window_disp(&w, next, 8 * (N - 1)), 1, back,
                   MPI_REPLACE, w.win);
    MPI_Accumulate(in[2], 5, MPI_LONG, next, window_disp(&w, next, 0), 5, MPI_LONG, MPI_SUM, w.win);
    MPI_Accumulate(in[3], 1, MPI_LONG, next, window_disp(&w, next, 8), 1, MPI_LONG, MPI_REPLACE,
                   w.win);
    epoch_end(&w, kind);
    for (int i = 0; i < 2 * N; i++) {
        long want = i % 2 ? 0 : in[0][i / 2];

        if (i < N)
            want = in[1][N - 1 - i] + (i < 5 ? in[2][i] : 0);
        CHECK_INT(((long *) w.base)[i], i == 1 ? in[3][0] : want);
    }
    MPI_Type_free(&even);
    MPI_Type_free(&back);
}

/* Reads after reads: a counter that others increase never goes back. */
static void never_back(void)
{
    long one = 1, got[TIMES];

    window_fill(&w, 0);
    epoch_begin(&w, LOCK_ALL);
    for (int i = 0; i < TIMES; i++) {
        MPI_Accumulate(&one, 1, MPI_LONG, 0, window_disp(&w, 0, 0), 1, MPI_LONG, MPI_SUM, w.win);
        MPI_Fetch_and_op(NULL, &got[i], MPI_LONG, 0, window_disp(&w, 0, 0), MPI_NO_OP, w.win);
    }
    epoch_end(&w, LOCK_ALL);
    for (int i = 0; i < TIMES; i++) {
        CHECK(got[i] >= i + 1 && got[i] <= (long) size * TIMES);
        CHECK(i == 0 || got[i] > got[i - 1]);
    }
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        w = window_make(f, BIG * 8, 8);
        for (enum epoch k = 0; k < EPOCHS; k++) {
            read_and_write(k);
            do_not_commute(k);
            layouts(k);
        }
        all_calls();
        large((enum epoch)(f % EPOCHS));
        never_back();
        window_free(&w);
    }
    MPI_Finalize();
    return 0;
}
