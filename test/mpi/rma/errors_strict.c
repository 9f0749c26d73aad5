/* errors_strict.c — R02, R03, R04, R13: errors that the standard names but does not oblige a
 * library to find: places outside of the window, wrong epochs, assertions, attached memory.
 *
 * MPICH 4.0 gives MPI_ERR_ARG for lock types and assertions, and finds few of the others: it writes
 * outside of the window. */
#include "errors.h"

static void synchronization(struct window *w)
{
    MPI_Group group;

    MPI_Win_get_group(w->win, &group);
    EXPECT(MPI_ERR_LOCKTYPE, MPI_Win_lock(77, 0, 0, w->win));
    EXPECT(MPI_ERR_ASSERT, MPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOSTORE, w->win));
    EXPECT(MPI_ERR_ASSERT, MPI_Win_lock_all(MPI_MODE_NOPUT, w->win));
    EXPECT(MPI_ERR_ASSERT, MPI_Win_fence(1 << 25, w->win));
    EXPECT(MPI_ERR_ASSERT, MPI_Win_start(group, MPI_MODE_NOPUT, w->win));
    EXPECT(MPI_ERR_ASSERT, MPI_Win_post(group, MPI_MODE_NOPRECEDE, w->win));
    EXPECT(MPI_ERR_ASSERT, MPI_Win_fence(MPI_MODE_NOCHECK, w->win));
    MPI_Group_free(&group);
}

/* A rank that is not locked, or not in the group of the access epoch. */
static void other_targets(struct window *w)
{
    int x = 1, next = (rank + 1) % size;
    MPI_Group world, self;

    MPI_Win_get_group(w->win, &world);
    MPI_Group_incl(world, 1, &rank, &self);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, w->win);
    if (next != rank) {
        EXPECT(MPI_ERR_RMA_SYNC,
               MPI_Put(&x, 1, MPI_INT, next, window_disp(w, next, 0), 1, MPI_INT, w->win));
        EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_flush(next, w->win));
        EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_unlock(next, w->win));
    }
    MPI_Win_unlock(rank, w->win);
    MPI_Win_post(self, 0, w->win);
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_post(self, 0, w->win));
    MPI_Win_start(self, 0, w->win);
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_start(self, 0, w->win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, w->win));
    if (next != rank)
        EXPECT(MPI_ERR_RMA_SYNC,
               MPI_Put(&x, 1, MPI_INT, next, window_disp(w, next, 0), 1, MPI_INT, w->win));
    MPI_Win_complete(w->win);
    MPI_Win_wait(w->win);
    MPI_Group_free(&self);
    MPI_Group_free(&world);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The window has 16 units of 4 bytes. Of a process of another node they are not known here: then
 * the error comes with the flush, see errors.c. */
static void ranges(struct window *w)
{
    int x[20] = { 0 }, next = (rank + 1) % size;
    MPI_Win win = w->win;
    MPI_Datatype wide;

    if (w->flavor == DYNAMIC || !rma_one_node())
        return;
    MPI_Type_vector(2, 1, 16, MPI_INT, &wide);
    MPI_Type_commit(&wide);
    MPI_Win_lock_all(0, win);
    EXPECT(MPI_ERR_RMA_RANGE, MPI_Put(x, 1, MPI_INT, next, 16, 1, MPI_INT, win));
    EXPECT(MPI_ERR_RMA_RANGE, MPI_Put(x, 17, MPI_INT, next, 0, 17, MPI_INT, win));
    EXPECT(MPI_ERR_RMA_RANGE, MPI_Get(x, 2, MPI_INT, next, 15, 2, MPI_INT, win));
    EXPECT(MPI_ERR_RMA_RANGE, MPI_Get(x, 2, MPI_INT, next, 0, 1, wide, win));
    EXPECT(MPI_ERR_RMA_RANGE, MPI_Accumulate(x, 1, MPI_INT, next, 99, 1, MPI_INT, MPI_SUM, win));
    EXPECT(MPI_ERR_RMA_RANGE, MPI_Fetch_and_op(x, x, MPI_INT, next, 16, MPI_SUM, win));
    EXPECT(MPI_ERR_RMA_RANGE, MPI_Compare_and_swap(x, x, x, MPI_INT, next, 1L << 40, win));
    EXPECT(MPI_ERR_DISP, MPI_Put(x, 1, MPI_INT, next, -1, 1, MPI_INT, win));
    CHECK_INT(MPI_Put(x, 0, MPI_INT, next, 16, 0, MPI_INT, win), MPI_SUCCESS);
    MPI_Win_unlock_all(win);
    MPI_Type_free(&wide);
}

/* Arguments of the calls that create windows; they fail in all ranks. */
static void creation(void)
{
    static char memory[64];
    char *base;
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Win win;

    EXPECT(MPI_ERR_SIZE, MPI_Win_create(memory, -1, 1, MPI_INFO_NULL, comm, &win));
    EXPECT(MPI_ERR_SIZE, MPI_Win_allocate(-8, 1, MPI_INFO_NULL, comm, &base, &win));
    EXPECT(MPI_ERR_SIZE, MPI_Win_allocate_shared(-8, 1, MPI_INFO_NULL, comm, &base, &win));
    EXPECT(MPI_ERR_DISP, MPI_Win_create(memory, 64, 0, MPI_INFO_NULL, comm, &win));
    EXPECT(MPI_ERR_DISP, MPI_Win_allocate(64, -4, MPI_INFO_NULL, comm, &base, &win));
    EXPECT(MPI_ERR_COMM, MPI_Win_create(memory, 64, 1, MPI_INFO_NULL, MPI_COMM_NULL, &win));
    EXPECT(MPI_ERR_COMM, MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_NULL, &win));
    EXPECT(MPI_ERR_ARG, MPI_Win_create(memory, 64, 1, MPI_INFO_NULL, comm, NULL));
    EXPECT(MPI_ERR_ARG, MPI_Win_allocate(64, 1, MPI_INFO_NULL, comm, NULL, &win));
}

static void flavors(struct window *w)
{
    static char memory[64];
    MPI_Aint len;
    int unit;
    char *base;

    if (w->flavor != SHARED)
        EXPECT(MPI_ERR_RMA_FLAVOR, MPI_Win_shared_query(w->win, 0, &len, &unit, &base));
    else
        EXPECT(MPI_ERR_RANK, MPI_Win_shared_query(w->win, size, &len, &unit, &base));
    if (w->flavor != DYNAMIC) {
        EXPECT(MPI_ERR_RMA_FLAVOR, MPI_Win_attach(w->win, memory, 64));
        EXPECT(MPI_ERR_RMA_FLAVOR, MPI_Win_detach(w->win, memory));
        return;
    }
    EXPECT(MPI_ERR_SIZE, MPI_Win_attach(w->win, memory, -1));
    EXPECT(MPI_ERR_RMA_ATTACH, MPI_Win_attach(w->win, w->base, 8));
    EXPECT(MPI_ERR_RMA_ATTACH, MPI_Win_attach(w->win, w->base + 60, 8));
    CHECK(MPI_Win_detach(w->win, memory) != MPI_SUCCESS);
    CHECK(MPI_Win_detach(w->win, w->base + 4) != MPI_SUCCESS);
}

/* Memory of a window belongs to it; types with different parts do not accumulate. */
static void others(struct window *w)
{
    int x[4] = { 0 };
    MPI_Datatype mixed;
    MPI_Aint at = window_disp(w, rank, 0);

    if (w->flavor == ALLOCATED)
        EXPECT(MPI_ERR_BASE, MPI_Free_mem(w->base));
    MPI_Type_create_struct(2, (int[]) { 1, 1 }, (MPI_Aint[]) { 0, 4 },
                           (MPI_Datatype[]) { MPI_INT, MPI_FLOAT }, &mixed);
    MPI_Type_commit(&mixed);
    MPI_Win_lock_all(0, w->win);
    EXPECT(MPI_ERR_TYPE, MPI_Accumulate(x, 1, mixed, rank, at, 1, mixed, MPI_SUM, w->win));
    EXPECT(MPI_ERR_TYPE, MPI_Accumulate(x, 1, MPI_INT, rank, at, 1, MPI_FLOAT, MPI_SUM, w->win));
    EXPECT(MPI_ERR_TYPE, MPI_Fetch_and_op(x, x, mixed, rank, at, MPI_REPLACE, w->win));
    EXPECT(MPI_ERR_OP, MPI_Accumulate(x, 1, MPI_FLOAT, rank, at, 1, MPI_FLOAT, MPI_BAND, w->win));
    EXPECT(MPI_ERR_OP, MPI_Accumulate(x, 1, MPI_INT, rank, at, 1, MPI_INT, MPI_MAXLOC, w->win));
    EXPECT(MPI_ERR_ARG, MPI_Rput(x, 1, MPI_INT, rank, at, 1, MPI_INT, w->win, NULL));
    MPI_Win_unlock_all(w->win);
    MPI_Type_free(&mixed);
    EXPECT(MPI_ERR_ARG, MPI_Win_get_group(w->win, NULL));
    EXPECT(MPI_ERR_ARG, MPI_Win_get_info(w->win, NULL));
}

/* Elements of two types in turn, to one place. */
static void two_types(struct window *w, int target)
{
    const int two[2] = { 7, 8 };
    int back[2];
    MPI_Aint at = window_disp(w, target, 0);

    MPI_Put(two, 2, MPI_INT, target, at, 2, MPI_INT, w->win);
    MPI_Put("abcd", 4, MPI_CHAR, target, at, 4, MPI_CHAR, w->win);
    MPI_Win_flush(target, w->win);
    MPI_Get(back, 2, MPI_INT, target, at, 2, MPI_INT, w->win);
    MPI_Win_flush(target, w->win);
    CHECK(!memcmp(back, "abcd", 4));
    CHECK_INT(back[1], 8);
}

/* The same call with one wrong argument, after some that were right: what a library knows of a
 * target from those must not hide it. */
static void after_right_ones(struct window *w)
{
    int x[2] = { 1 }, next = (rank + 1) % size;
    MPI_Aint at = window_disp(w, next, 0);
    MPI_Win win = w->win;

    if (!rma_one_node())
        return;
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(MPI_Put(x, 1, MPI_INT, next, at, 1, MPI_INT, win), MPI_SUCCESS);
        CHECK_INT(MPI_Get(x, 1, MPI_INT, next, at, 1, MPI_INT, win), MPI_SUCCESS);
        two_types(w, next);
        EXPECT(MPI_ERR_COUNT, MPI_Put(x, -1, MPI_INT, next, at, -1, MPI_INT, win));
        EXPECT(MPI_ERR_COUNT, MPI_Get(x, -1, MPI_INT, next, at, -1, MPI_INT, win));
        EXPECT(MPI_ERR_BUFFER, MPI_Put(MPI_IN_PLACE, 1, MPI_INT, next, at, 1, MPI_INT, win));
        EXPECT(MPI_ERR_BUFFER, MPI_Get(MPI_IN_PLACE, 1, MPI_INT, next, at, 1, MPI_INT, win));
        EXPECT(MPI_ERR_RANK, MPI_Put(x, 1, MPI_INT, next + 8 * size, at, 1, MPI_INT, win));
        EXPECT(MPI_ERR_WIN, MPI_Put(x, 1, MPI_INT, next, at, 1, MPI_INT, win ^ 1));
        if (w->flavor != DYNAMIC) {
            EXPECT(MPI_ERR_RMA_RANGE, MPI_Put(x, 2, MPI_INT, next, 15, 2, MPI_INT, win));
            EXPECT(MPI_ERR_RMA_RANGE, MPI_Get(x, 1, MPI_INT, next, 1L << 61, 1, MPI_INT, win));
        }
    }
    MPI_Win_unlock_all(win);
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Put(x, 1, MPI_INT, next, at, 1, MPI_INT, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Get(x, 1, MPI_INT, next, at, 1, MPI_INT, win));
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A handle that has just been used, for this type, and is freed now. */
static void stale(MPI_Win win)
{
    char x = 1;

    for (int r = 0; r < size; r++) {
        EXPECT(MPI_ERR_WIN, MPI_Put(&x, 1, MPI_CHAR, r, 0, 1, MPI_CHAR, win));
        EXPECT(MPI_ERR_WIN, MPI_Get(&x, 1, MPI_CHAR, r, 0, 1, MPI_CHAR, win));
        EXPECT(MPI_ERR_WIN, MPI_Put(&x, 1, 0, r, 0, 1, 0, 0));
    }
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    creation();
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        struct window w = window_make(f, 64, 4);
        MPI_Win_set_errhandler(w.win, MPI_ERRORS_RETURN);
        synchronization(&w);
        other_targets(&w);
        ranges(&w);
        flavors(&w);
        others(&w);
        after_right_ones(&w);
        still_usable(&w);
        MPI_Win win = w.win;
        window_free(&w);
        stale(win);
    }
    MPI_Finalize();
    return 0;
}
