/* errhandlers.c — E01, E04, R01: error handlers of windows: fatal at first, called with the window
 * and the code, changed, freed while attached; MPI_Win_call_errhandler. */
#include "../env/starling.h"
#include "rma.h"

static int calls, seen_class, changes;
static MPI_Win seen;

static void handler(MPI_Win *win, int *code, ...)
{
    calls++;
    seen = *win;
    seen_class = error_class(*code);
    if (changes)
        *code = changes;
}

static void other(MPI_Comm *comm, int *code, ...)
{
    (void) comm, (void) code;
    CHECK(!"the handler of a communicator is called");
}

static void was_called(MPI_Win win, int class)
{
    CHECK_INT(calls, 1);
    CHECK(seen == win);
    CHECK_INT(seen_class, class);
    calls = 0;
}

/* An error that every library finds. */
static int wrong(MPI_Win win)
{
    int x = 0;

    return MPI_Put(&x, -1, MPI_INT, 0, 0, 1, MPI_INT, win);
}

static void attached(enum flavor f)
{
    struct window w = window_make(f, 64, 4), second = window_make(ALLOCATED, 64, 4);
    MPI_Errhandler h, got;

    CHECK(MPI_Win_get_errhandler(w.win, &got) == MPI_SUCCESS);
    CHECK(got == MPI_ERRORS_ARE_FATAL);
    CHECK(MPI_Win_create_errhandler(handler, &h) == MPI_SUCCESS);
    CHECK(MPI_Win_set_errhandler(w.win, h) == MPI_SUCCESS);
    CHECK(MPI_Win_get_errhandler(w.win, &got) == MPI_SUCCESS);
    CHECK(got == h);
    CHECK(MPI_Errhandler_free(&got) == MPI_SUCCESS);
    CHECK(MPI_Win_set_errhandler(second.win, h) == MPI_SUCCESS);
    CHECK(MPI_Errhandler_free(&h) == MPI_SUCCESS);
    CHECK(h == MPI_ERRHANDLER_NULL);
    MPI_Win_fence(0, w.win);
    MPI_Win_fence(0, second.win);
    CHECK_INT(error_class(wrong(w.win)), MPI_ERR_COUNT);
    was_called(w.win, MPI_ERR_COUNT);
    CHECK_INT(error_class(wrong(second.win)), MPI_ERR_COUNT);
    was_called(second.win, MPI_ERR_COUNT);
    changes = MPI_ERR_OTHER;
    CHECK_INT(wrong(w.win), MPI_ERR_OTHER);
    was_called(w.win, MPI_ERR_COUNT);
    changes = 0;
    MPI_Win_set_errhandler(w.win, MPI_ERRORS_RETURN);
    CHECK_INT(error_class(wrong(w.win)), MPI_ERR_COUNT);
    CHECK_INT(calls, 0);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, w.win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, second.win);
    window_free(&second);
    window_free(&w);
}

/* E04 */
static void call(void)
{
    struct window w = window_make(CREATED, 8, 1);
    MPI_Errhandler h;
    int class, code;

    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    MPI_Win_create_errhandler(handler, &h);
    MPI_Win_set_errhandler(w.win, h);
    CHECK(MPI_Win_call_errhandler(w.win, MPI_ERR_RMA_SYNC) == MPI_SUCCESS);
    was_called(w.win, MPI_ERR_RMA_SYNC);
    CHECK(MPI_Win_call_errhandler(w.win, code) == MPI_SUCCESS);
    was_called(w.win, class);
    MPI_Win_set_errhandler(w.win, MPI_ERRORS_RETURN);
    CHECK(MPI_Win_call_errhandler(w.win, code) == MPI_SUCCESS);
    CHECK_INT(calls, 0);
    MPI_Errhandler_free(&h);
    window_free(&w);
}

/* A window keeps its handler when that of its communicator changes, and takes no other kind. */
static void kinds(void)
{
    struct window w = window_make(ALLOCATED, 8, 1);
    MPI_Errhandler of_comm, of_win;

    MPI_Comm_create_errhandler(other, &of_comm);
    MPI_Win_create_errhandler(handler, &of_win);
    MPI_Win_set_errhandler(w.win, of_win);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (starling())
        CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, of_win) != MPI_SUCCESS);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, of_comm);
    CHECK(MPI_Win_set_errhandler(w.win, of_comm) != MPI_SUCCESS);
    CHECK_INT(calls, 1);
    calls = 0;
    CHECK_INT(error_class(wrong(w.win)), MPI_ERR_COUNT);
    was_called(w.win, MPI_ERR_COUNT);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&of_comm);
    MPI_Errhandler_free(&of_win);
    window_free(&w);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    attached(CREATED);
    attached(ALLOCATED);
    attached(DYNAMIC);
    call();
    kinds();
    MPI_Finalize();
    return 0;
}
