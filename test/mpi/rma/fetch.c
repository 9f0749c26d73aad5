/* fetch.c — R09: what MPI_Get_accumulate, MPI_Fetch_and_op and MPI_Compare_and_swap give back, with
 * different types for origin, result and target, and every type that a swap takes. */
#include "rma.h"

static struct window w;
static int next, previous;

/* Compares and swaps twice: the first time the values are equal, the second time not. */
#define TRY_SWAP(TYPE, type)                                                                       \
    do {                                                                                           \
        type old = (type) 5, new = (type) (9 + rank), got = (type) 1, *mine = (type *) w.base;     \
        MPI_Barrier(MPI_COMM_WORLD);                                                               \
        window_own(&w);                                                                            \
        mine[0] = mine[1] = mine[2] = old;                                                         \
        window_done(&w);                                                                           \
        MPI_Barrier(MPI_COMM_WORLD);                                                               \
        MPI_Win_lock(MPI_LOCK_SHARED, next, 0, w.win);                                             \
        CHECK(MPI_Compare_and_swap(&new, &old, &got, TYPE, next,                                   \
                                   window_disp(&w, next, sizeof(type)), w.win)                     \
              == MPI_SUCCESS);                                                                     \
        MPI_Win_flush(next, w.win);                                                                \
        CHECK(got == old);                                                                         \
        CHECK(MPI_Compare_and_swap(&old, &old, &got, TYPE, next,                                   \
                                   window_disp(&w, next, sizeof(type)), w.win)                     \
              == MPI_SUCCESS);                                                                     \
        MPI_Win_unlock(next, w.win);                                                               \
        CHECK(got == new);                                                                         \
        window_settle(&w);                                                                         \
        CHECK(mine[0] == old && mine[1] == (type) (9 + previous) && mine[2] == old);               \
    } while (0)

static void swaps_of_c(void)
{
    TRY_SWAP(MPI_INT, int);
    TRY_SWAP(MPI_LONG, long);
    TRY_SWAP(MPI_SHORT, short);
    TRY_SWAP(MPI_UNSIGNED_SHORT, unsigned short);
    TRY_SWAP(MPI_UNSIGNED, unsigned);
    TRY_SWAP(MPI_UNSIGNED_LONG, unsigned long);
    TRY_SWAP(MPI_LONG_LONG_INT, long long);
    TRY_SWAP(MPI_UNSIGNED_LONG_LONG, unsigned long long);
    TRY_SWAP(MPI_SIGNED_CHAR, signed char);
    TRY_SWAP(MPI_UNSIGNED_CHAR, unsigned char);
}

static void swaps_of_others(void)
{
    TRY_SWAP(MPI_INT8_T, int8_t);
    TRY_SWAP(MPI_INT16_T, int16_t);
    TRY_SWAP(MPI_INT32_T, int32_t);
    TRY_SWAP(MPI_INT64_T, int64_t);
    TRY_SWAP(MPI_UINT8_T, uint8_t);
    TRY_SWAP(MPI_UINT16_T, uint16_t);
    TRY_SWAP(MPI_UINT32_T, uint32_t);
    TRY_SWAP(MPI_UINT64_T, uint64_t);
    TRY_SWAP(MPI_AINT, MPI_Aint);
    TRY_SWAP(MPI_OFFSET, MPI_Offset);
    TRY_SWAP(MPI_COUNT, MPI_Count);
    TRY_SWAP(MPI_BYTE, unsigned char);
    if (MPI_INTEGER16 != MPI_DATATYPE_NULL)
        TRY_SWAP(MPI_INTEGER16, __int128);
}

static void swap_bool(void)
{
    bool yes = true, no = false, got = true;

    window_fill(&w, 0);
    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, w.win);
    MPI_Compare_and_swap(&yes, &no, &got, MPI_C_BOOL, next, window_disp(&w, next, 0), w.win);
    MPI_Win_flush(next, w.win);
    CHECK(!got);
    MPI_Compare_and_swap(&no, &no, &got, MPI_C_BOOL, next, window_disp(&w, next, 0), w.win);
    MPI_Win_unlock(next, w.win);
    CHECK(got);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Three different layouts of the same number of ints; only the named ones are touched. */
static void layouts(void)
{
    enum { N = 300 };
    int in[2 * N], got[3 * N], *mine = (int *) w.base;
    MPI_Datatype twos, threes, back;

    MPI_Type_vector(N, 1, 2, MPI_INT, &twos);
    MPI_Type_vector(N, 1, 3, MPI_INT, &threes);
    MPI_Type_vector(N, 1, -1, MPI_INT, &back);
    MPI_Type_commit(&twos);
    MPI_Type_commit(&threes);
    MPI_Type_commit(&back);
    memset(got, 0xff, sizeof got);
    for (int i = 0; i < 2 * N; i++)
        in[i] = 1000 * (rank + 1) + i;
    window_own(&w);
    for (int i = 0; i < N; i++)
        mine[i] = 7 * rank + i;
    window_done(&w);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, w.win);
    MPI_Get_accumulate(in, 1, twos, got, 1, threes, next, window_disp(&w, next, 4 * (N - 1)), 1,
                       back, MPI_SUM, w.win);
    MPI_Win_unlock(next, w.win);
    window_settle(&w);
    for (int i = 0; i < N; i++) {
        CHECK_INT(got[3 * i], 7 * next + N - 1 - i);
        CHECK(i == N - 1 || (got[3 * i + 1] == -1 && got[3 * i + 2] == -1));
        CHECK_INT(mine[N - 1 - i], 7 * rank + N - 1 - i + 1000 * (previous + 1) + 2 * i);
    }
    MPI_Type_free(&twos);
    MPI_Type_free(&threes);
    MPI_Type_free(&back);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* With MPI_NO_OP the origin arguments are ignored: an atomic get. */
static void no_op(void)
{
    long got[4] = { 0 }, one = -1, *mine = (long *) w.base;

    window_own(&w);
    for (int i = 0; i < 4; i++)
        mine[i] = 10 * rank + i;
    window_done(&w);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, w.win);
    CHECK(MPI_Get_accumulate(NULL, 0, MPI_DATATYPE_NULL, got, 4, MPI_LONG, next,
                             window_disp(&w, next, 0), 4, MPI_LONG, MPI_NO_OP, w.win)
          == MPI_SUCCESS);
    CHECK(MPI_Fetch_and_op(NULL, &one, MPI_LONG, next, window_disp(&w, next, 24), MPI_NO_OP, w.win)
          == MPI_SUCCESS);
    MPI_Win_unlock_all(w.win);
    for (int i = 0; i < 4; i++)
        CHECK_INT(got[i], 10 * next + i);
    CHECK_INT(one, 10 * next + 3);
    window_settle(&w);
    for (int i = 0; i < 4; i++)
        CHECK_INT(mine[i], 10 * rank + i);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Large operations in pieces: each element once. */
static void large(void)
{
    enum { N = 50000 };
    double *in = mpitest_memory(N * sizeof *in), *got = mpitest_memory(N * sizeof *got);
    struct window big = window_make(w.flavor, N * (MPI_Aint) sizeof *in, 8);
    double *mine = (double *) big.base;

    window_own(&big);
    for (int i = 0; i < N; i++) {
        in[i] = rank + i;
        mine[i] = 2.0 * rank - i;
    }
    window_done(&big);
    MPI_Barrier(MPI_COMM_WORLD);
    epoch_begin(&big, LOCK_ALL);
    MPI_Get_accumulate(in, N, MPI_DOUBLE, got, N, MPI_DOUBLE, next, window_disp(&big, next, 0), N,
                       MPI_DOUBLE, MPI_SUM, big.win);
    epoch_end(&big, LOCK_ALL);
    for (int i = 0; i < N; i++) {
        CHECK(got[i] == 2.0 * next - i);
        CHECK(mine[i] == 2.0 * rank + previous);
    }
    window_free(&big);
    free(in);
    free(got);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        w = window_make(f, 8192, 1);
        swaps_of_c();
        swaps_of_others();
        swap_bool();
        layouts();
        no_op();
        large();
        window_free(&w);
    }
    MPI_Finalize();
    return 0;
}
