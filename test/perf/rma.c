/* rma.c — the time of one-sided operations with their synchronization. Rank 0 is the origin of
 * those that have one; all ranks call those that are collective. The window is of MPI_Win_allocate,
 * with -c of MPI_Win_create. Ratios are measured in alternation, in windows of their own. */
#include <stdlib.h>
#include <string.h>
#include "perf.h"
#include "turns.h"

enum { PUTS = 64, PARTNERS = 8, WINDOWS = 16, PART = 4096 };

static MPI_Win win;
static char *mine, *memory;
static bool create;
static MPI_Group others;         /* the neighbor on each side */
static MPI_Group before, behind; /* the partners of a halo */

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

static void halo_puts(size_t size)
{
    for (int k = 1; k <= PARTNERS; k++)
        MPI_Put(mine, (int) size, MPI_BYTE, (perf.rank + k) % perf.size,
                (MPI_Aint) ((size_t) k * size), (int) size, MPI_BYTE, win);
}

/* Eight puts to neighbors and a fence. */
static void halo_fence(size_t size, int iters)
{
    MPI_Win_fence(0, win);
    for (int i = 0; i < iters; i++) {
        halo_puts(size);
        MPI_Win_fence(0, win);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void halo_pscw(size_t size, int iters)
{
    for (int i = 0; i < iters; i++) {
        MPI_Win_post(before, 0, win);
        MPI_Win_start(behind, 0, win);
        halo_puts(size);
        MPI_Win_complete(win);
        MPI_Win_wait(win);
    }
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

/* ---- ratios ---------------------------------------------------------------------------------- */

static MPI_Win common, windows[WINDOWS]; /* common: of MPI_Win_allocate_shared, ... */
static char *theirs, *window_memory;     /* ... the target's memory in it, and that of this rank */
static double *heap_memory;
static size_t bytes; /* at the moment */

static void put_large(int n)
{
    for (int i = 0; perf.rank == 0 && i < n; i++) {
        MPI_Put(mine, (int) bytes, MPI_BYTE, target(), 0, (int) bytes, MPI_BYTE, common);
        MPI_Win_flush(target(), common);
    }
}

static void copy_large(int n)
{
    for (int i = 0; perf.rank == 0 && i < n; i++) {
        memcpy(theirs, mine, bytes);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    }
}

static void put_over_memcpy(size_t size, int iters)
{
    bytes = size;
    turns_take((void (*const[])(int)) { put_large, copy_large }, iters);
}

static void loop_over(double *a, int n)
{
    for (int i = 0; i < n; i++)
        for (size_t k = 0; k < bytes / sizeof *a; k++)
            a[k] = 0.5 * a[k] + 1;
}

static void loop_window(int n) { loop_over((double *) window_memory, n); }
static void loop_heap(int n) { loop_over(heap_memory, n); }

static void window_over_malloc(size_t size, int iters)
{
    bytes = size;
    turns_take((void (*const[])(int)) { loop_window, loop_heap }, iters);
}

static void fetch_common(int n)
{
    long one = 1, old;

    for (int i = 0; i < n; i++) {
        MPI_Fetch_and_op(&one, &old, MPI_LONG, target(), 0, MPI_SUM, common);
        MPI_Win_flush(target(), common);
    }
}

static void fetch_bare(int n)
{
    for (int i = 0; i < n; i++)
        (void) __atomic_fetch_add((long *) theirs, 1, __ATOMIC_SEQ_CST);
}

static void fetch_over_atomic(size_t size, int iters)
{
    (void) size;
    turns_take((void (*const[])(int)) { fetch_common, fetch_bare }, iters);
}

static void swap_common(int n)
{
    long new = 1, old = 0, was;

    for (int i = 0; i < n; i++, old = was) {
        MPI_Compare_and_swap(&new, &old, &was, MPI_LONG, target(), 0, common);
        MPI_Win_flush(target(), common);
    }
}

static void swap_bare(int n)
{
    long old = 0;

    for (int i = 0; i < n; i++)
        (void) __atomic_compare_exchange_n((long *) theirs, &old, 1, false, __ATOMIC_SEQ_CST,
                                           __ATOMIC_SEQ_CST);
}

static void swap_over_atomic(size_t size, int iters)
{
    (void) size;
    turns_take((void (*const[])(int)) { swap_common, swap_bare }, iters);
}

/* Each rank changes a part of rank 0's memory: in one window, or in a window for each rank. */
static void add_part(MPI_Win w, MPI_Aint disp, int n)
{
    enum { DOUBLES = PART / sizeof(double) };

    for (int i = 0; i < n; i++) {
        MPI_Accumulate(mine, DOUBLES, MPI_DOUBLE, 0, disp, DOUBLES, MPI_DOUBLE, MPI_SUM, w);
        MPI_Win_flush(0, w);
    }
}

static void add_common(int n) { add_part(windows[0], (MPI_Aint) PART * perf.rank, n); }
static void add_own(int n)
{
    add_part(windows[perf.rank % WINDOWS], (MPI_Aint) PART * perf.rank, n);
}

static void window_over_windows(size_t size, int iters)
{
    (void) size;
    turns_take((void (*const[])(int)) { add_common, add_own }, iters);
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
    { "halo_pscw", "us", halo_pscw, perf_us_each },
    { "allocate_free", "us", allocate_free, perf_us_each },
}, ratio[] = {
    { "put_over_memcpy", "ratio", put_over_memcpy, turns_ratio },
    { "window_over_malloc", "ratio", window_over_malloc, turns_ratio },
}, ratio_word[] = {
    { "fetch_over_atomic", "ratio", fetch_over_atomic, turns_ratio },
    { "swap_over_atomic", "ratio", swap_over_atomic, turns_ratio },
}, ratio_windows[] = {
    { "window_over_windows", "ratio", window_over_windows, turns_ratio },
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
    int n = perf.size < PARTNERS ? perf.size : PARTNERS, from[PARTNERS], to[PARTNERS];
    for (int k = 1; k <= n; k++) {
        from[k - 1] = (perf.rank + perf.size - k) % perf.size;
        to[k - 1] = (perf.rank + k) % perf.size;
    }
    MPI_Group_incl(all, n, from, &before);
    MPI_Group_incl(all, n, to, &behind);
    MPI_Group_free(&all);
}

static void run(const struct perf_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++)
        perf_run(&cases[i]);
}

static bool any_wanted(const struct perf_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (perf_wanted(cases[i].name))
            return true;
    return false;
}

/* For all sizes, or for one only. */
static void run_ratios(const struct perf_case *cases, size_t n, bool sizes)
{
    MPI_Aint size = (MPI_Aint) perf.max_size;
    int unit, nsizes = perf.nsizes;

    if (!any_wanted(cases, n))
        return;
    MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window_memory, &common);
    MPI_Win_shared_query(common, target(), &size, &unit, &theirs);
    memset(window_memory, 0, perf.max_size);
    heap_memory = perf_buffer(perf.max_size);
    MPI_Win_lock_all(0, common);
    perf.nsizes = sizes ? nsizes : 1;
    run(cases, n);
    perf.nsizes = nsizes;
    MPI_Win_unlock_all(common);
    MPI_Win_free(&common);
    free(heap_memory);
}

static void run_windows(void)
{
    MPI_Aint size = perf.rank ? 0 : (MPI_Aint) PART * perf.size;
    int nsizes = perf.nsizes;
    void *at;

    if (!any_wanted(ratio_windows, 1))
        return;
    for (int i = 0; i < WINDOWS; i++) {
        MPI_Win_allocate(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &at, &windows[i]);
        MPI_Win_lock_all(0, windows[i]);
    }
    free(mine);
    mine = perf_buffer(PART);
    perf.nsizes = 1;
    run(ratio_windows, 1);
    perf.nsizes = nsizes;
    for (int i = 0; i < WINDOWS; i++) {
        MPI_Win_unlock_all(windows[i]);
        MPI_Win_free(&windows[i]);
    }
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
    MPI_Group_free(&before);
    MPI_Group_free(&behind);
    MPI_Win_free(&win);
    run_ratios(ratio, sizeof ratio / sizeof *ratio, true);
    run_ratios(ratio_word, sizeof ratio_word / sizeof *ratio_word, false);
    run_windows();
    free(mine);
    if (create)
        free(memory);
    return perf_end();
}
