/* put_get.c — R04, P11: puts and gets of all types, with other types on both sides, in all kinds of
 * epochs and windows; zero counts, MPI_PROC_NULL, units of displacements, large transfers. */
#include "rma.h"
#include "types.h"

enum { COUNT = 3, LEN = 1 << 16 };

static struct window w;
static enum epoch kind;

/* A type that has no data below its displacement 0, and few bytes. */
static bool fits(const struct typed *t)
{
    ptrdiff_t low, high;

    tm_span(&t->map, COUNT, &low, &high);
    return low >= -4096 && high < LEN - 4096;
}

/* Whether the target memory, whose element 0 is at 4096, has the elements of seed and else 0xa5. */
static bool target_has(const struct typed *t, unsigned seed)
{
    char *want = mpitest_memory(LEN);
    struct typed_buffer e = { want, want + 4096, LEN };
    bool same;

    typed_fill(t, e, COUNT, seed);
    same = memcmp(want, w.base, LEN) == 0;
    free(want);
    return same;
}

/* The type on both sides: put to the next rank, get from the one behind. */
static void same_type(const struct typed *t)
{
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    struct typed_buffer in = typed_buffer(t, COUNT), out = typed_buffer(t, COUNT);

    if (!fits(t))
        goto free_buffers;
    typed_fill(t, in, COUNT, (unsigned) rank);
    window_fill(&w, 0xa5);
    epoch_begin(&w, kind);
    CHECK(MPI_Put(in.base, COUNT, t->type, next, window_disp(&w, next, 4096), COUNT, t->type, w.win)
          == MPI_SUCCESS);
    epoch_end(&w, kind);
    if (!tm_overlaps(&t->map, COUNT))
        CHECK(target_has(t, (unsigned) previous));
    MPI_Barrier(MPI_COMM_WORLD);
    epoch_begin(&w, kind);
    CHECK(
        MPI_Get(out.base, COUNT, t->type, next, window_disp(&w, next, 4096), COUNT, t->type, w.win)
        == MPI_SUCCESS);
    epoch_end(&w, kind);
    CHECK(typed_has(t, out, COUNT, (unsigned) rank));
free_buffers:
    free(in.mem);
    free(out.mem);
}

/* Contiguous bytes of basic types on one side, a vector on the other, both ways. */
static void different_types(void)
{
    enum { N = 600 };
    long in[N], out[2 * N];
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Datatype thirds, pairs;

    MPI_Type_vector(N / 2, 2, 3, MPI_LONG, &thirds);
    MPI_Type_contiguous(2, MPI_LONG, &pairs);
    MPI_Type_commit(&thirds);
    MPI_Type_commit(&pairs);
    for (int i = 0; i < N; i++)
        in[i] = 1000 * rank + i;
    window_fill(&w, 0);
    epoch_begin(&w, kind);
    MPI_Put(in, N / 2, pairs, next, window_disp(&w, next, 0), 1, thirds, w.win);
    epoch_end(&w, kind);
    for (int i = 0; i < N; i++)
        CHECK_INT(((long *) w.base)[i / 2 * 3 + i % 2], 1000 * previous + i);
    CHECK_INT(((long *) w.base)[2], 0);
    memset(out, 0, sizeof out);
    MPI_Barrier(MPI_COMM_WORLD);
    epoch_begin(&w, kind);
    MPI_Get(out, 1, thirds, next, window_disp(&w, next, 0), N / 2, pairs, w.win);
    epoch_end(&w, kind);
    for (int i = 0; i < N; i++)
        CHECK_INT(out[i / 2 * 3 + i % 2], i % 3 == 2 ? 0 : 1000 * rank + i / 3 * 2 + i % 3);
    MPI_Type_free(&thirds);
    MPI_Type_free(&pairs);
}

/* The type of the target may be freed at once. */
static void freed_types(void)
{
    int in[40], next = (rank + 1) % size;
    MPI_Datatype type;

    for (int i = 0; i < 40; i++)
        in[i] = i;
    window_fill(&w, 0);
    epoch_begin(&w, kind);
    for (int i = 0; i < 40; i++) {
        MPI_Type_vector(1 + i % 3, 1, 2, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Put(in + i % 38, 1 + i % 3, MPI_INT, next, window_disp(&w, next, 64 * i), 1, type,
                w.win);
        MPI_Type_free(&type);
    }
    epoch_end(&w, kind);
    for (int i = 0; i < 40; i++)
        for (int k = 0; k <= i % 3; k++)
            CHECK_INT(((int *) w.base)[16 * i + 2 * k], i % 38 + k);
}

/* Nothing is transferred, and nothing has to be valid. */
static void nothing(void)
{
    int x = -1, next = (rank + 1) % size;
    MPI_Aint at = window_disp(&w, next, 0);
    MPI_Datatype empty;

    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    window_fill(&w, 7);
    epoch_begin(&w, kind);
    CHECK(MPI_Put(NULL, 0, MPI_INT, next, at, 0, MPI_INT, w.win) == MPI_SUCCESS);
    CHECK(MPI_Get(NULL, 0, MPI_INT, next, at, 0, MPI_INT, w.win) == MPI_SUCCESS);
    CHECK(MPI_Put(&x, 3, empty, next, at, 5, empty, w.win) == MPI_SUCCESS);
    CHECK(MPI_Accumulate(NULL, 0, MPI_INT, next, at, 0, MPI_INT, MPI_SUM, w.win) == MPI_SUCCESS);
    CHECK(
        MPI_Get_accumulate(NULL, 0, MPI_INT, NULL, 0, MPI_INT, next, at, 0, MPI_INT, MPI_SUM, w.win)
        == MPI_SUCCESS);
    CHECK(MPI_Put(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, w.win) == MPI_SUCCESS);
    CHECK(MPI_Get(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, w.win) == MPI_SUCCESS);
    CHECK(MPI_Accumulate(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, w.win)
          == MPI_SUCCESS);
    CHECK(MPI_Get_accumulate(&x, 1, MPI_INT, &x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM,
                             w.win)
          == MPI_SUCCESS);
    CHECK(MPI_Fetch_and_op(&x, &x, MPI_INT, MPI_PROC_NULL, 0, MPI_SUM, w.win) == MPI_SUCCESS);
    CHECK(MPI_Compare_and_swap(&x, &x, &x, MPI_INT, MPI_PROC_NULL, 0, w.win) == MPI_SUCCESS);
    epoch_end(&w, kind);
    CHECK_INT(x, -1);
    for (int i = 0; i < w.len; i++)
        CHECK_INT(w.base[i], 7);
    MPI_Type_free(&empty);
}

/* All ranks to all ranks, itself included; many small ones in an epoch. */
static void everyone(void)
{
    int in[64], out[64], n = LEN / 4 / 64;

    window_fill(&w, 0);
    epoch_begin(&w, kind);
    for (int r = 0; r < size; r++) {
        in[r] = 100 * rank + r;
        for (int i = 0; i < n; i += 50)
            MPI_Put(&in[r], 1, MPI_INT, r, window_disp(&w, r, 4 * (64 * i + rank)), 1, MPI_INT,
                    w.win);
    }
    epoch_end(&w, kind);
    for (int r = 0; r < size; r++)
        for (int i = 0; i < n; i++)
            CHECK_INT(((int *) w.base)[64 * i + r], i % 50 ? 0 : 100 * r + rank);
    MPI_Barrier(MPI_COMM_WORLD);
    epoch_begin(&w, kind);
    for (int r = 0; r < size; r++)
        MPI_Get(&out[r], 1, MPI_INT, r, window_disp(&w, r, 4 * rank), 1, MPI_INT, w.win);
    epoch_end(&w, kind);
    for (int r = 0; r < size; r++)
        CHECK_INT(out[r], in[r]);
}

/* Transfers of some MiB, contiguous and not, to and from the same rank. */
static void large(enum flavor flavor)
{
    enum { N = 1 << 20 };
    struct window big = window_make(flavor, 4L * N, 4);
    int *in = mpitest_memory(4L * N), *out = mpitest_memory(4L * N);
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Datatype even;

    MPI_Type_vector(N / 2, 1, 2, MPI_INT, &even);
    MPI_Type_commit(&even);
    for (int i = 0; i < N; i++)
        in[i] = i ^ rank << 24;
    epoch_begin(&big, kind);
    MPI_Put(in, N, MPI_INT, next, window_disp(&big, next, 0), N, MPI_INT, big.win);
    epoch_end(&big, kind);
    for (int i = 0; i < N; i++)
        CHECK_INT(((int *) big.base)[i], i ^ previous << 24);
    MPI_Barrier(MPI_COMM_WORLD);
    epoch_begin(&big, kind);
    MPI_Get(out, 1, even, next, window_disp(&big, next, 4L * N / 2), N / 2, MPI_INT, big.win);
    epoch_end(&big, kind);
    for (int i = 0; i < N / 2; i++)
        CHECK_INT(out[2 * i], in[N / 2 + i]);
    MPI_Type_free(&even);
    free(in);
    free(out);
    window_free(&big);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        w = window_make(f, LEN, 8);
        kind = f % EPOCHS;
        types_each(same_type);
        for (kind = 0; kind < EPOCHS; kind++) {
            different_types();
            freed_types();
            nothing();
        }
        window_free(&w);
        w = window_make(f, LEN, 4);
        for (kind = 0; kind < EPOCHS; kind++)
            everyone();
        window_free(&w);
        kind = f % EPOCHS;
        large(f);
    }
    MPI_Finalize();
    return 0;
}
