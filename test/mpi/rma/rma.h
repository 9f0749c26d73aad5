/* rma.h — what the tests of one-sided communication share: windows of every flavor, epochs of every
 * kind. All functions but window_own and window_done are collective over MPI_COMM_WORLD. */
#ifndef RMA_H
#define RMA_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include "mpitest.h"

static int rank, size;

enum { RANKS = 128 }; /* at most */
/* REGIONS: created in the middle of memory of MPI_Alloc_mem, which a library may share on a node;
 * but every third process has it from malloc. */
enum flavor { CREATED, ALLOCATED, SHARED, DYNAMIC, REGIONS, FLAVORS };
enum { MIDDLE = 64 };

struct window {
    MPI_Win win;
    enum flavor flavor;
    char *base;
    MPI_Aint len;       /* of the local memory, in bytes; the same on all ranks */
    int unit;           /* disp_unit, the same on all ranks */
    MPI_Aint at[RANKS]; /* the displacement of the first byte of each rank's memory */
};

static inline void rma_init(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(size <= RANKS);
}

/* Whether all processes can share memory. */
static inline bool rma_one_node(void)
{
    static int same = -1;
    MPI_Comm node;
    int n;

    if (same >= 0)
        return same;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &n);
    MPI_Comm_free(&node);
    n = n == size;
    MPI_Allreduce(&n, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return same;
}

static inline void rma_pause(int us)
{
    const struct timespec t = { us / 1000000, us % 1000000 * 1000L };

    nanosleep(&t, NULL);
}

static inline bool rma_has_region(void) { return rank % 3 != 2; }

static inline char *rma_region_alloc(MPI_Aint len)
{
    MPI_Info info;
    char *at;

    if (!rma_has_region())
        return mpitest_memory((size_t) len);
    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shm", "true");
    MPI_Alloc_mem(len + 2 * MIDDLE, info, &at);
    MPI_Info_free(&info);
    return at + MIDDLE;
}

static inline void rma_region_free(char *at)
{
    if (rma_has_region())
        MPI_Free_mem(at - MIDDLE);
    else
        free(at);
}

/* A window with len bytes on each rank, whose values are not known. */
static inline struct window window_make(enum flavor flavor, MPI_Aint len, int unit)
{
    struct window w = { .flavor = flavor, .len = len, .unit = unit };
    MPI_Comm comm = MPI_COMM_WORLD;

    if (flavor == ALLOCATED) {
        MPI_Win_allocate(len, unit, MPI_INFO_NULL, comm, &w.base, &w.win);
    } else if (flavor == SHARED) {
        MPI_Win_allocate_shared(len, unit, MPI_INFO_NULL, comm, &w.base, &w.win);
    } else if (flavor == CREATED || flavor == REGIONS) {
        w.base = flavor == REGIONS ? rma_region_alloc(len) : mpitest_memory((size_t) len);
        MPI_Win_create(w.base, len, unit, MPI_INFO_NULL, comm, &w.win);
    } else {
        MPI_Aint at;

        w.unit = 1;
        w.base = mpitest_memory((size_t) len);
        MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &w.win);
        MPI_Win_attach(w.win, w.base, len);
        MPI_Get_address(w.base, &at);
        MPI_Allgather(&at, 1, MPI_AINT, w.at, 1, MPI_AINT, comm);
    }
    return w;
}

static inline void window_free(struct window *w)
{
    if (w->flavor == DYNAMIC)
        CHECK(MPI_Win_detach(w->win, w->base) == MPI_SUCCESS);
    CHECK(MPI_Win_free(&w->win) == MPI_SUCCESS);
    CHECK(w->win == MPI_WIN_NULL);
    if (w->flavor == CREATED || w->flavor == DYNAMIC)
        free(w->base);
    if (w->flavor == REGIONS)
        rma_region_free(w->base);
}

/* The target_disp of a byte of a rank's memory; offset is a multiple of the disp_unit. Of
 * MPI_PROC_NULL it is any number. */
static inline MPI_Aint window_disp(const struct window *w, int target, MPI_Aint offset)
{
    return (target >= 0 ? w->at[target] : 0) + offset / w->unit;
}

/* Between these two calls the local memory may be read and written. */
static inline void window_own(const struct window *w)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, w->win);
}

static inline void window_done(const struct window *w) { MPI_Win_unlock(rank, w->win); }

/* Sets all bytes of all ranks. */
static inline void window_fill(const struct window *w, int byte)
{
    MPI_Barrier(MPI_COMM_WORLD);
    window_own(w);
    memset(w->base, byte, (size_t) w->len);
    window_done(w);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* After it, loads see what operations of closed epochs have written. */
static inline void window_settle(const struct window *w)
{
    MPI_Barrier(MPI_COMM_WORLD);
    window_own(w);
    window_done(w);
}

/* In an epoch every rank may access every rank; after epoch_end loads see the result. */
enum epoch { FENCE, PSCW, LOCKS, LOCK_ALL, EPOCHS };

static inline void epoch_begin(const struct window *w, enum epoch kind)
{
    MPI_Group all;

    if (kind == FENCE) {
        CHECK(MPI_Win_fence(MPI_MODE_NOPRECEDE, w->win) == MPI_SUCCESS);
    } else if (kind == PSCW) {
        MPI_Win_get_group(w->win, &all);
        CHECK(MPI_Win_post(all, 0, w->win) == MPI_SUCCESS);
        CHECK(MPI_Win_start(all, 0, w->win) == MPI_SUCCESS);
        MPI_Group_free(&all);
    } else if (kind == LOCKS) {
        for (int r = 0; r < size; r++)
            CHECK(MPI_Win_lock(MPI_LOCK_SHARED, r, 0, w->win) == MPI_SUCCESS);
    } else {
        CHECK(MPI_Win_lock_all(0, w->win) == MPI_SUCCESS);
    }
}

static inline void epoch_end(const struct window *w, enum epoch kind)
{
    if (kind == FENCE) {
        CHECK(MPI_Win_fence(MPI_MODE_NOSUCCEED, w->win) == MPI_SUCCESS);
        return;
    }
    if (kind == PSCW) {
        CHECK(MPI_Win_complete(w->win) == MPI_SUCCESS);
        CHECK(MPI_Win_wait(w->win) == MPI_SUCCESS);
        return;
    }
    if (kind == LOCK_ALL)
        CHECK(MPI_Win_unlock_all(w->win) == MPI_SUCCESS);
    for (int r = 0; kind == LOCKS && r < size; r++)
        CHECK(MPI_Win_unlock(r, w->win) == MPI_SUCCESS);
    window_settle(w);
}

typedef void window_test(struct window *w, enum epoch kind);

/* Calls test with each flavor of windows and each kind of epochs. */
static inline void window_each(window_test *test, MPI_Aint len, int unit)
{
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        struct window w = window_make(f, len, unit);
        for (enum epoch kind = 0; kind < EPOCHS; kind++)
            test(&w, kind);
        window_free(&w);
    }
}

#endif /* RMA_H */
