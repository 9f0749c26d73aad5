/* errors.c — R04, R13, E01: wrong arguments and epochs give the class that the standard names, and
 * the window stays usable. What Starling finds besides is in errors_strict.c. */
#include "errors.h"

/* Arguments that every call checks, in an epoch that allows them. */
static void arguments(struct window *w)
{
    int x = 1;
    MPI_Aint at = window_disp(w, 0, 0);
    MPI_Datatype loose;
    MPI_Win win = w->win;

    MPI_Type_contiguous(2, MPI_INT, &loose); /* not committed */
    MPI_Win_fence(0, win);
    EXPECT(MPI_ERR_COUNT, MPI_Put(&x, -3, MPI_INT, 0, at, 1, MPI_INT, win));
    EXPECT(MPI_ERR_COUNT, MPI_Get(&x, 1, MPI_INT, 0, at, -3, MPI_INT, win));
    EXPECT(MPI_ERR_COUNT, MPI_Accumulate(&x, -3, MPI_INT, 0, at, 1, MPI_INT, MPI_SUM, win));
    EXPECT(MPI_ERR_COUNT,
           MPI_Get_accumulate(&x, 1, MPI_INT, &x, -1, MPI_INT, 0, at, 1, MPI_INT, MPI_SUM, win));
    EXPECT(MPI_ERR_TYPE, MPI_Put(&x, 1, MPI_DATATYPE_NULL, 0, at, 1, MPI_INT, win));
    EXPECT(MPI_ERR_TYPE, MPI_Put(&x, 1, MPI_INT, 0, at, 1, MPI_DATATYPE_NULL, win));
    EXPECT(MPI_ERR_TYPE, MPI_Get(&x, 1, loose, 0, at, 1, MPI_INT, win));
    EXPECT(MPI_ERR_TYPE, MPI_Get(&x, 1, MPI_INT, 0, at, 1, loose, win));
    EXPECT(MPI_ERR_RANK, MPI_Put(&x, 1, MPI_INT, size, at, 1, MPI_INT, win));
    EXPECT(MPI_ERR_RANK, MPI_Get(&x, 1, MPI_INT, -5, at, 1, MPI_INT, win));
    EXPECT(MPI_ERR_RANK, MPI_Accumulate(&x, 1, MPI_INT, size, at, 1, MPI_INT, MPI_SUM, win));
    EXPECT(MPI_ERR_RANK, MPI_Fetch_and_op(&x, &x, MPI_INT, size, at, MPI_SUM, win));
    EXPECT(MPI_ERR_RANK, MPI_Compare_and_swap(&x, &x, &x, MPI_INT, size, at, win));
    EXPECT(MPI_ERR_WIN, MPI_Put(&x, 1, MPI_INT, 0, at, 1, MPI_INT, MPI_WIN_NULL));
    EXPECT(MPI_ERR_WIN, MPI_Win_fence(0, MPI_WIN_NULL));
    EXPECT(MPI_ERR_WIN, MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, MPI_WIN_NULL));
    EXPECT(MPI_ERR_WIN, MPI_Win_free(&(MPI_Win) { MPI_WIN_NULL }));
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Type_free(&loose);
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void) in, (void) inout, (void) n, (void) type;
    CHECK(!"an operation of the user is called");
}

/* R09: no operations of the user, and types of one predefined type only. */
static void operations(struct window *w)
{
    float f = 1;
    int x = 1;
    MPI_Aint at = window_disp(w, 0, 0);
    MPI_Op op;

    MPI_Op_create(add, 1, &op);
    MPI_Win_fence(0, w->win);
    EXPECT(MPI_ERR_OP, MPI_Accumulate(&x, 1, MPI_INT, 0, at, 1, MPI_INT, op, w->win));
    EXPECT(MPI_ERR_OP, MPI_Accumulate(&x, 1, MPI_INT, 0, at, 1, MPI_INT, MPI_OP_NULL, w->win));
    EXPECT(MPI_ERR_OP,
           MPI_Get_accumulate(&x, 1, MPI_INT, &x, 1, MPI_INT, 0, at, 1, MPI_INT, op, w->win));
    EXPECT(MPI_ERR_OP, MPI_Fetch_and_op(&x, &x, MPI_INT, 0, at, op, w->win));
    EXPECT(MPI_ERR_TYPE, MPI_Compare_and_swap(&f, &f, &f, MPI_FLOAT, 0, at, w->win));
    EXPECT(MPI_ERR_TYPE, MPI_Compare_and_swap(&f, &f, &f, MPI_2INT, 0, at, w->win));
    MPI_Win_fence(MPI_MODE_NOSUCCEED, w->win);
    MPI_Op_free(&op);
}

static void synchronization(struct window *w)
{
    EXPECT(MPI_ERR_GROUP, MPI_Win_start(MPI_GROUP_NULL, 0, w->win));
    EXPECT(MPI_ERR_GROUP, MPI_Win_post(MPI_GROUP_NULL, 0, w->win));
    EXPECT(MPI_ERR_RANK, MPI_Win_lock(MPI_LOCK_SHARED, size, 0, w->win));
}

/* R13: calls that need an epoch which is not there. */
static void no_epoch(struct window *w)
{
    int x = 1, flag;
    MPI_Aint at = window_disp(w, 0, 0);
    MPI_Request r;
    MPI_Win win = w->win;

    EXPECT(MPI_ERR_RMA_SYNC, MPI_Put(&x, 1, MPI_INT, 0, at, 1, MPI_INT, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Get(&x, 1, MPI_INT, 0, at, 1, MPI_INT, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Accumulate(&x, 1, MPI_INT, 0, at, 1, MPI_INT, MPI_SUM, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Fetch_and_op(&x, &x, MPI_INT, 0, at, MPI_SUM, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Compare_and_swap(&x, &x, &x, MPI_INT, 0, at, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Rput(&x, 1, MPI_INT, 0, at, 1, MPI_INT, win, &r));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_unlock(0, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_unlock_all(win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_complete(win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_wait(win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_test(win, &flag));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_flush(0, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_flush_all(win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_flush_local(0, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_flush_local_all(win));
}

/* Calls that another epoch forbids. */
static void other_epoch(struct window *w)
{
    MPI_Win win = w->win;

    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_lock_all(0, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_fence(0, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_unlock_all(win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_complete(win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_start(MPI_GROUP_EMPTY, 0, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_free(&win));
    CHECK(win == w->win);
    CHECK_INT(MPI_Win_unlock(0, win), MPI_SUCCESS);
    MPI_Win_lock_all(0, win);
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_unlock(0, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_lock_all(0, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_fence(0, win));
    CHECK_INT(MPI_Win_unlock_all(win), MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        struct window w = window_make(f, 64, 4);
        MPI_Win_set_errhandler(w.win, MPI_ERRORS_RETURN);
        no_epoch(&w);
        MPI_Barrier(MPI_COMM_WORLD);
        other_epoch(&w);
        MPI_Barrier(MPI_COMM_WORLD);
        synchronization(&w);
        arguments(&w);
        operations(&w);
        still_usable(&w);
        window_free(&w);
    }
    MPI_Finalize();
    return 0;
}
