/* shared.c — R02: windows of shared memory: contiguous by rank unless alloc_shared_noncontig is
 * given; each rank can load and store the memory of all; operations work, too. MPICH gives NULL as
 * the address of memory without bytes. */
#include "rma.h"

static MPI_Comm node;

static void *query(MPI_Win win, int r, MPI_Aint *len, int *unit)
{
    void *base = NULL;

    *len = -1;
    *unit = -1;
    CHECK(MPI_Win_shared_query(win, r, len, unit, &base) == MPI_SUCCESS);
    return base;
}

/* The number of ints of a rank. */
static int ints(int r, bool uneven) { return uneven ? (r * 7 + 3) % 5 * (r % 3) : 4; }

static MPI_Win make(bool uneven, bool apart, int **base)
{
    MPI_Info info;
    MPI_Win win;

    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shared_noncontig", apart ? "true" : "false");
    CHECK(MPI_Win_allocate_shared(ints(rank, uneven) * (MPI_Aint) sizeof(int), sizeof(int), info,
                                  node, base, &win)
          == MPI_SUCCESS);
    MPI_Info_free(&info);
    return win;
}

/* Places and sizes of all memory; MPI_PROC_NULL is the lowest rank whose size is not 0. */
static void places(MPI_Win win, bool uneven, bool apart, int *base)
{
    int unit, first = -1;
    char *end = NULL;
    MPI_Aint len;

    for (int r = 0; r < size; r++) {
        char *at = query(win, r, &len, &unit);
        CHECK_INT(len, ints(r, uneven) * (MPI_Aint) sizeof(int));
        CHECK_INT(unit, sizeof(int));
        if (r == rank)
            CHECK(at == (char *) base);
        CHECK(at && (apart || !end || at == end)); /* also of no length */
        end = at + len;
        first = first < 0 && len > 0 ? r : first;
    }
    if (first < 0)
        return;
    void *lowest = query(win, first, &len, &unit);
    CHECK(query(win, MPI_PROC_NULL, &len, &unit) == lowest);
    CHECK_INT(len, ints(first, uneven) * (MPI_Aint) sizeof(int));
    CHECK_INT(unit, sizeof(int));
}

static int value(int from, int r, int i) { return from * 10000 + r * 100 + i + 1; }

/* Each rank stores in the memory of the next one, and loads the memory of all. */
static void load_store(MPI_Win win, bool uneven)
{
    int unit, next = (rank + 1) % size;
    MPI_Aint len;

    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    int *to = query(win, next, &len, &unit);
    for (int i = 0; i < ints(next, uneven); i++)
        to[i] = value(rank, next, i);
    MPI_Win_sync(win);
    MPI_Barrier(node);
    MPI_Win_sync(win);
    for (int r = 0; r < size; r++) {
        int *at = query(win, r, &len, &unit);
        for (int i = 0; i < ints(r, uneven); i++)
            CHECK_INT(at[i], value((r + size - 1) % size, r, i));
    }
    MPI_Barrier(node);
    MPI_Win_unlock_all(win);
}

/* What a put writes, loads of all ranks see; what is stored, a get sees. */
static void with_operations(MPI_Win win, bool uneven)
{
    int unit, next = (rank + 1) % size, n = ints(next, uneven), in[64], out[64];
    MPI_Aint len;

    for (int i = 0; i < n; i++)
        in[i] = -value(rank, next, i);
    MPI_Win_fence(0, win);
    MPI_Put(in, n, MPI_INT, next, 0, n, MPI_INT, win);
    MPI_Win_fence(0, win);
    for (int r = 0; r < size; r++) {
        int *at = query(win, r, &len, &unit);
        for (int i = 0; i < ints(r, uneven); i++)
            CHECK_INT(at[i], -value((r + size - 1) % size, r, i));
    }
    MPI_Win_fence(0, win);
    int *own = query(win, rank, &len, &unit);
    for (int i = 0; i < ints(rank, uneven); i++)
        own[i] = value(rank, rank, i);
    MPI_Win_fence(0, win);
    MPI_Get(out, n, MPI_INT, next, 0, n, MPI_INT, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < n; i++)
        CHECK_INT(out[i], value(next, next, i));
}

/* A message from store to load, ordered by MPI_Win_sync and a barrier, again and again. */
static void many_rounds(void)
{
    int *base, unit;
    MPI_Aint len;
    MPI_Win win = make(false, false, &base);

    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 60; i++) {
        base[i % 4] = i * size + rank;
        MPI_Win_sync(win);
        MPI_Barrier(node);
        MPI_Win_sync(win);
        int r = (rank + i) % size, *at = query(win, r, &len, &unit);
        CHECK_INT(at[i % 4], i * size + r);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

/* Atomic operations of MPI on memory that is shared. */
static void counter(void)
{
    int *base, one = 1, got, unit;
    MPI_Aint len;
    MPI_Win win = make(false, true, &base);

    memset(base, 0, 4 * sizeof(int));
    MPI_Win_fence(0, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 100; i++)
        MPI_Fetch_and_op(&one, &got, MPI_INT, i % size, 1, MPI_SUM, win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(node);
    MPI_Win_lock_all(0, win);
    MPI_Win_sync(win);
    got = 0;
    for (int r = 0; r < size; r++)
        got += ((int *) query(win, r, &len, &unit))[1];
    CHECK_INT(got, 100 * size);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

/* The memory of a large segment, and its first and last bytes. */
static void large(void)
{
    char *base;
    int unit, last = size - 1;
    MPI_Aint len, n = 1 << 20;
    MPI_Win win;

    MPI_Win_allocate_shared(n, 1, MPI_INFO_NULL, node, &base, &win);
    base[0] = (char) rank;
    base[n - 1] = (char) (rank + 50);
    MPI_Win_fence(0, win);
    char *at = query(win, last, &len, &unit);
    CHECK_INT(len, n);
    CHECK_INT(at[0], last);
    CHECK_INT(at[n - 1], last + 50);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

/* The units differ from rank to rank: a query gives that of the rank, and a target's counts. */
static void units(void)
{
    int next = (rank + 1) % size, unit, x = 1000 + rank;
    MPI_Aint len;
    char *base;
    MPI_Win win;

    MPI_Win_allocate_shared(64, 1 << rank % 4, MPI_INFO_NULL, node, &base, &win);
    memset(base, 0, 64);
    MPI_Win_fence(0, win);
    for (int r = 0; r < size; r++) {
        query(win, r, &len, &unit);
        CHECK_INT(unit, 1 << r % 4);
        CHECK_INT(len, 64);
    }
    MPI_Put(&x, 1, MPI_INT, next, 32 >> next % 4, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 16; i++)
        CHECK_INT(((int *) base)[i], i == 8 ? 1000 + (rank + size - 1) % size : 0);
    MPI_Win_free(&win);
}

/* No process has memory: then that is the answer for MPI_PROC_NULL. */
static void no_memory(void)
{
    int *base, unit;
    MPI_Aint len;
    MPI_Win win;

    MPI_Win_allocate_shared(0, 1, MPI_INFO_NULL, node, &base, &win);
    for (int r = 0; r < size; r++) {
        query(win, r, &len, &unit);
        CHECK_INT(len, 0);
    }
    CHECK(base == query(win, rank, &len, &unit) && base);
    query(win, MPI_PROC_NULL, &len, &unit);
    CHECK_INT(len, 0);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank);
    MPI_Comm_size(node, &size);
    for (int k = 0; k < 4; k++) {
        int *base;
        MPI_Win win = make(k & 1, k & 2, &base);
        places(win, k & 1, k & 2, base);
        load_store(win, k & 1);
        with_operations(win, k & 1);
        CHECK(MPI_Win_free(&win) == MPI_SUCCESS);
    }
    many_rounds();
    counter();
    large();
    units();
    no_memory();
    MPI_Comm_free(&node);
    MPI_Finalize();
    return 0;
}
