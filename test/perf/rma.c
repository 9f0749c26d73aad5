/* rma.c — the time of one-sided operations with their synchronization. Rank 0 is the origin of
 * those that have one; all ranks call those that are collective. The window is of MPI_Win_allocate,
 * with -c of MPI_Win_create. */
#include <string.h>
#include "perf.h"

enum { PUTS = 64, PARTNERS = 8 };

static MPI_Win win;
static char *mine, *memory;
static bool create;
static MPI_Group others; /* the neighbour on each side */

static int target(void) { return perf.size - 1; }

/* Some libraries need the target to be in a call: it waits there for the end of the origin. */
static void targets_wait(void)
{
    for (int i = 1; perf.rank == 0 && i < perf.size; i++)
        MPI_Send(NULL, 0, MPI_BYTE, i, 0, MPI_COMM_WORLD);
    if (perf.rank)
        MPI_Recv(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* ---- passive target -------------------------------------------------------------------------- */

static void put_flush(size_t size, int iters)
{
    for (int i = 0; perf.rank == 0 && i < iters; i++) {
        MPI_Put(mine, (int) size, MPI_BYTE, target(), 0, (int) size, MPI_BYTE, win);
        MPI_Win_flush(target(), win);
    }
    targets_wait();
}

static void get_flush(size_t size, int iters)
{
    for (int i = 0; perf.rank == 0 && i < iters; i++) {
        MPI_Get(mine, (int) size, MPI_BYTE, target(), 0, (int) size, MPI_BYTE, win);
        MPI_Win_flush(target(), win);
    }
    targets_wait();
}

static void puts_flush(size_t size, int iters)
{
    for (int i = 0; perf.rank == 0 && i < iters; i++) {
        for (int k = 0; k < PUTS; k++)
            MPI_Put(mine, (int) size, MPI_BYTE, target(), 0, (int) size, MPI_BYTE, win);
        MPI_Win_flush(target(), win);
    }
    targets_wait();
}

static void accumulate(size_t size, int iters)
{
    int n = (int) (size / sizeof(double));

    for (int i = 0; perf.rank == 0 && i < iters; i++) {
        MPI_Accumulate(mine, n, MPI_DOUBLE, target(), 0, n, MPI_DOUBLE, MPI_SUM, win);
        MPI_Win_flush(target(), win);
    }
    targets_wait();
}

static void fetch_and_op(size_t size, int iters)
{
    long one = 1, before;

    (void) size;
    for (int i = 0; perf.rank == 0 && i < iters; i++) {
        MPI_Fetch_and_op(&one, &before, MPI_LONG, target(), 0, MPI_SUM, win);
        MPI_Win_flush(target(), win);
    }
    targets_wait();
}

static void compare_and_swap(size_t size, int iters)
{
    long new = 1, old = 0, before;

    (void) size;
    for (int i = 0; perf.rank == 0 && i < iters; i++) {
        MPI_Compare_and_swap(&new, &old, &before, MPI_LONG, target(), 0, win);
        MPI_Win_flush(target(), win);
    }
    targets_wait();
}

/* All ranks on one word. */
static void counter(size_t size, int iters)
{
    long one = 1, before;

    (void) size;
    for (int i = 0; i < iters; i++) {
        MPI_Fetch_and_op(&one, &before, MPI_LONG, target(), 0, MPI_SUM, win);
        MPI_Win_flush(target(), win);
    }
}

/* ---- synchronization ------------------------------------------------------------------------- */

static void lock(size_t size, int iters)
{
    for (int i = 0; perf.rank == 0 && i < iters; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target(), 0, win);
        MPI_Put(mine, (int) size, MPI_BYTE, target(), 0, (int) size, MPI_BYTE, win);
        MPI_Win_unlock(target(), win);
    }
    targets_wait();
}

static void lock_all(size_t size, int iters)
{
    for (int i = 0; perf.rank == 0 && i < iters; i++) {
        MPI_Win_lock_all(0, win);
        MPI_Put(mine, (int) size, MPI_BYTE, target(), 0, (int) size, MPI_BYTE, win);
        MPI_Win_unlock_all(win);
    }
    targets_wait();
}

static void fence(size_t size, int iters)
{
    int right = (perf.rank + 1) % perf.size;

    MPI_Win_fence(0, win);
    for (int i = 0; i < iters; i++) {
        MPI_Put(mine, (int) size, MPI_BYTE, right, 0, (int) size, MPI_BYTE, win);
        MPI_Win_fence(0, win);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void pscw(size_t size, int iters)
{
    int right = (perf.rank + 1) % perf.size;

    for (int i = 0; i < iters; i++) {
        MPI_Win_post(others, 0, win);
        MPI_Win_start(others, 0, win);
        MPI_Put(mine, (int) size, MPI_BYTE, right, 0, (int) size, MPI_BYTE, win);
        MPI_Win_complete(win);
        MPI_Win_wait(win);
    }
}

/* Eight puts to neighbours and a fence. */
static void halo_fence(size_t size, int iters)
{
    MPI_Win_fence(0, win);
    for (int i = 0; i < iters; i++) {
        for (int k = 1; k <= PARTNERS; k++)
            MPI_Put(mine, (int) size, MPI_BYTE, (perf.rank + k) % perf.size,
                    (MPI_Aint) ((size_t) k * size), (int) size, MPI_BYTE, win);
        MPI_Win_fence(0, win);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void allocate_free(size_t size, int iters)
{
    MPI_Win w;
    void *at;

    for (int i = 0; i < iters; i++) {
        MPI_Win_allocate((MPI_Aint) size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &at, &w);
        MPI_Win_free(&w);
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static const struct perf_case passive[] = {
    { "put_flush", "us", put_flush, perf_us_each },
    { "get_flush", "us", get_flush, perf_us_each },
    { "puts64_flush", "us", puts_flush, perf_us_each },
    { "accumulate", "us", accumulate, perf_us_each },
}, passive_word[] = {
    { "fetch_and_op", "us", fetch_and_op, perf_us_each },
    { "compare_and_swap", "us", compare_and_swap, perf_us_each },
    { "counter", "us", counter, perf_us_each },
}, active[] = {
    { "lock", "us", lock, perf_us_each },
    { "lock_all", "us", lock_all, perf_us_each },
    { "fence", "us", fence, perf_us_each },
    { "pscw", "us", pscw, perf_us_each },
    { "halo_fence", "us", halo_fence, perf_us_each },
    { "allocate_free", "us", allocate_free, perf_us_each },
};

static void more(int letter, const char *value)
{
    (void) value;
    create = letter == 'c';
}

static void make_window(void)
{
    MPI_Aint size = (MPI_Aint) ((PARTNERS + 1) * perf.max_size);
    int next[2] = { (perf.rank + 1) % perf.size, (perf.rank + perf.size - 1) % perf.size };
    MPI_Group all;

    mine = perf_buffer(perf.max_size);
    if (create) {
        memory = perf_buffer((size_t) size);
        MPI_Win_create(memory, size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    } else {
        MPI_Win_allocate(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
        memset(memory, 0, (size_t) size);
    }
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, perf.size > 2 ? 2 : 1, next, &others);
    MPI_Group_free(&all);
}

static void run(const struct perf_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++)
        perf_run(&cases[i]);
}

int main(int argc, char **argv)
{
    const struct perf_start start = { 2, "8,1024,65536,1048576", "c", more };

    perf_begin(argc, argv, &start);
    make_window();
    MPI_Win_lock_all(0, win);
    run(passive, sizeof passive / sizeof *passive);
    int sizes = perf.nsizes;
    perf.nsizes = 1;
    run(passive_word, sizeof passive_word / sizeof *passive_word);
    perf.nsizes = sizes;
    MPI_Win_unlock_all(win);
    run(active, sizeof active / sizeof *active);
    MPI_Group_free(&others);
    MPI_Win_free(&win);
    return perf_end();
}
