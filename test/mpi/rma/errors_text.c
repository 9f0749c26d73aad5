/* errors_text.c — R02, R04, R13: texts of errors name the rank, the window and the values, and what
 * was refused has changed nothing: neither the target's memory nor the buffers of the call.
 *
 * Only for Starling: its texts, and errors that MPICH 4.0 does not find. */
#include <stdarg.h>
#include <stdlib.h>
#include "errors.h"

enum { LEN = 64 };

static struct window w;
static int next; /* the rank whose window is used */

/* An error of this class whose text has all these words, up to NULL. */
static void text(int line, int err, int class, ...)
{
    char s[MPI_MAX_ERROR_STRING] = "";
    const char *word;
    va_list words;
    int len;

    mpitest_equal(__FILE__, line, "class", err ? error_class(err) : MPI_SUCCESS, class);
    MPI_Error_string(err, s, &len);
    va_start(words, class);
    while ((word = va_arg(words, const char *)))
        if (!strstr(s, word)) {
            fprintf(stderr, "'%s' does not say '%s'\n", s, word);
            mpitest_fail(__FILE__, line, "text of an error");
        }
    va_end(words);
}

#define TEXT(call, ...) text(__LINE__, call, __VA_ARGS__, (char *) NULL)

/* Errors at the target may come with the flush. */
static int flushed(int err) { return err ? err : MPI_Win_flush(next, w.win); }

/* The words of the window's rank and name. */
static const char *where(void)
{
    static char s[64];

    snprintf(s, sizeof s, "rank %d of window 'halo'", next);
    return s;
}

/* One of two pieces is not attached; and nothing is at address 0. */
static void not_attached(void)
{
    const MPI_Aint at = window_disp(&w, next, 0);
    const int x[2] = { 1, 2 };
    char second[64], said[MPI_MAX_ERROR_STRING];
    MPI_Datatype two;

    MPI_Type_create_hindexed_block(2, 1, (MPI_Aint[]) { 0, LEN }, MPI_INT, &two);
    MPI_Type_commit(&two);
    (void) snprintf(second, sizeof second, "attached at 0x%llx,", (unsigned long long) at + LEN);
    CHECK_INT(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, w.win), MPI_SUCCESS);
    int err = flushed(MPI_Put(x, 2, MPI_INT, next, at, 1, two, w.win)), len;
    MPI_Error_string(err, said, &len); /* a target of messages tells less */
    TEXT(err, MPI_ERR_RMA_RANGE, where(), strstr(said, "no attached memory") ? "length" : second);
    TEXT(flushed(MPI_Put(x, 1, MPI_INT, next, 0, 1, MPI_INT, w.win)), MPI_ERR_RMA_RANGE, where(),
         "at 0x0", "attached");
    CHECK_INT(MPI_Win_unlock(next, w.win), MPI_SUCCESS);
    MPI_Type_free(&two);
}

/* No call is inside of the window, or of what is attached to it. */
static void ranges(void)
{
    int x[32], got[32], compare = 0;
    const bool dynamic = w.flavor == DYNAMIC;
    const MPI_Aint at = window_disp(&w, next, 0);
    const MPI_Aint end = dynamic ? LEN : LEN / 4;
    const int class = MPI_ERR_RMA_RANGE;
    MPI_Win win = w.win;
    MPI_Request r = MPI_REQUEST_NULL;

    memset(x, 1, sizeof x);
    memset(got, 2, sizeof got);
    CHECK_INT(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win), MPI_SUCCESS);
    TEXT(flushed(MPI_Put(x, 1, MPI_INT, next, at + end, 1, MPI_INT, win)), class, where(),
         dynamic ? "attached" : "displacement 16", dynamic ? "at 0x" : "64 bytes");
    TEXT(flushed(MPI_Put(x, 17, MPI_INT, next, at, 17, MPI_INT, win)), class, where());
    TEXT(flushed(MPI_Get(got, 17, MPI_INT, next, at, 17, MPI_INT, win)), class, where());
    TEXT(flushed(MPI_Accumulate(x, 17, MPI_INT, next, at, 17, MPI_INT, MPI_SUM, win)), class,
         where());
    TEXT(flushed(MPI_Get_accumulate(x, 17, MPI_INT, got, 17, MPI_INT, next, at, 17, MPI_INT,
                                    MPI_SUM, win)),
         class, where());
    TEXT(flushed(MPI_Fetch_and_op(x, got, MPI_INT, next, at + end, MPI_SUM, win)), class, where());
    TEXT(flushed(MPI_Compare_and_swap(x, &compare, got, MPI_INT, next, at + end, win)), class,
         where());
    TEXT(flushed(MPI_Rput(x, 17, MPI_INT, next, at, 17, MPI_INT, win, &r)), class, where());
    if (r != MPI_REQUEST_NULL)
        (void) MPI_Wait(&r, MPI_STATUS_IGNORE);
    if (!dynamic)
        TEXT(MPI_Put(x, 1, MPI_INT, next, -5, 1, MPI_INT, win), MPI_ERR_DISP, "-5");
    CHECK_INT(MPI_Win_unlock(next, win), MPI_SUCCESS);
    for (int i = 0; i < 32; i++)
        CHECK_INT(got[i], 0x02020202);
}

static void epochs(void)
{
    const MPI_Aint at = window_disp(&w, next, 0);
    const int class = MPI_ERR_RMA_SYNC;
    MPI_Win win = w.win;
    int x = 1;

    TEXT(MPI_Put(&x, 1, MPI_INT, next, at, 1, MPI_INT, win), class, where(), "no epoch is open",
         "MPI_Win_lock");
    TEXT(MPI_Win_unlock(next, win), class, where(), "MPI_Win_lock");
    TEXT(MPI_Win_unlock_all(win), class, "window 'halo'", "MPI_Win_lock_all");
    TEXT(MPI_Win_flush(next, win), class, where(), "MPI_Win_lock_all");
    TEXT(MPI_Win_complete(win), class, "MPI_Win_start");
    TEXT(MPI_Win_wait(win), class, "MPI_Win_post");
    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
    TEXT(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win), class, where(), "already");
    TEXT(MPI_Win_lock_all(0, win), class, "window 'halo'", "MPI_Win_unlock");
    TEXT(MPI_Win_fence(0, win), class, "MPI_Win_lock");
    TEXT(MPI_Win_start(MPI_GROUP_EMPTY, 0, win), class, "MPI_Win_start");
    TEXT(MPI_Win_free(&win), class, "MPI_Win_lock");
    MPI_Win_unlock(next, win);
}

/* §11.3.5: MPI_Cancel and MPI_Request_free of a request of MPI_Rget are errors that leave it as it
 * is. What is done at once, as all with the process itself, has a handle that is shared: there they
 * cannot be told. */
static void requests(void)
{
    const char *path = getenv("STARLING_RMA");
    MPI_Request own, r;
    int got = 0, x = 0;

    MPI_Win_lock_all(0, w.win);
    MPI_Rget(&x, 1, MPI_INT, rank, window_disp(&w, rank, 0), 1, MPI_INT, w.win, &own);
    MPI_Rget(&got, 1, MPI_INT, next, window_disp(&w, next, 0), 1, MPI_INT, w.win, &r);
    if (path && !strcmp(path, "messages"))
        CHECK(r != own);
    if (r != own) {
        const MPI_Request before = r;
        TEXT(MPI_Cancel(&r), MPI_ERR_REQUEST, "one-sided operation", "cannot be cancelled");
        TEXT(MPI_Request_free(&r), MPI_ERR_REQUEST, "one-sided operation", "must be completed");
        CHECK(r == before);
    }
    CHECK_INT(MPI_Wait(&own, MPI_STATUS_IGNORE), MPI_SUCCESS);
    CHECK_INT(MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    CHECK_INT(got, 0x5a5a5a5a);
    MPI_Win_unlock_all(w.win);
}

static void arguments(void)
{
    const MPI_Aint at = window_disp(&w, next, 0);
    MPI_Win win = w.win;
    double d[3] = { 1, 2, 3 };
    int x = 1;
    MPI_Datatype mixed;

    MPI_Type_create_struct(2, (int[]) { 1, 1 }, (MPI_Aint[]) { 0, 4 },
                           (MPI_Datatype[]) { MPI_INT, MPI_FLOAT }, &mixed);
    MPI_Type_commit(&mixed);
    TEXT(MPI_Win_lock(77, next, 0, win), MPI_ERR_LOCKTYPE, "77");
    TEXT(MPI_Win_lock(MPI_LOCK_SHARED, 123, 0, win), MPI_ERR_RANK, "123");
    TEXT(MPI_Win_lock(MPI_LOCK_SHARED, next, MPI_MODE_NOPUT, win), MPI_ERR_ASSERT,
         "MPI_MODE_NOPUT");
    TEXT(MPI_Win_lock_all(1 << 25, win), MPI_ERR_ASSERT, "0x2000000");
    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
    TEXT(MPI_Compare_and_swap(&d[0], &d[1], &d[2], MPI_DOUBLE, next, at, win), MPI_ERR_TYPE,
         "MPI_DOUBLE");
    TEXT(MPI_Accumulate(&d, 1, mixed, next, at, 1, mixed, MPI_SUM, win), MPI_ERR_TYPE,
         "several types");
    TEXT(MPI_Accumulate(&x, 1, MPI_INT, next, at, 1, MPI_FLOAT, MPI_SUM, win), MPI_ERR_TYPE,
         "MPI_INT", "MPI_FLOAT");
    TEXT(MPI_Accumulate(&d, 1, MPI_FLOAT, next, at, 1, MPI_FLOAT, MPI_BAND, win), MPI_ERR_OP,
         "MPI_BAND", "MPI_FLOAT");
    TEXT(MPI_Accumulate(&x, 1, MPI_INT, next, at, 1, MPI_INT, MPI_NO_OP, win), MPI_ERR_OP,
         "MPI_NO_OP");
    MPI_Win_unlock(next, win);
    CHECK(d[0] == 1 && d[1] == 2 && d[2] == 3);
    MPI_Type_free(&mixed);
}

/* What is attached, and what is asked of windows of another flavor. */
static void memory(void)
{
    static char more[8];
    MPI_Aint len = -1;
    char *at = more;
    int unit = -1;

    if (w.flavor == DYNAMIC) {
        TEXT(MPI_Win_attach(w.win, w.base + LEN - 4, 8), MPI_ERR_RMA_ATTACH, "8 bytes", "64 bytes",
             "overlap");
        TEXT(MPI_Win_attach(w.win, more, -3), MPI_ERR_SIZE, "-3");
        TEXT(MPI_Win_detach(w.win, more), MPI_ERR_RMA_ATTACH, "attached");
    } else {
        TEXT(MPI_Win_attach(w.win, more, 8), MPI_ERR_RMA_FLAVOR, "MPI_Win_create_dynamic");
        TEXT(MPI_Win_detach(w.win, w.base), MPI_ERR_RMA_FLAVOR, "MPI_Win_create_dynamic");
    }
    if (w.flavor != SHARED)
        TEXT(MPI_Win_shared_query(w.win, 0, &len, &unit, &at), MPI_ERR_RMA_FLAVOR,
             "MPI_Win_allocate_shared");
    if (w.flavor == ALLOCATED || w.flavor == SHARED)
        TEXT(MPI_Free_mem(w.base), MPI_ERR_BASE, "MPI_Alloc_mem");
    CHECK(at == more && (w.flavor == SHARED || (len == -1 && unit == -1)));
}

/* Processes of different nodes share no memory. */
static void two_nodes(void)
{
    char own[32], *base = NULL;
    MPI_Win win = MPI_WIN_NULL;

    snprintf(own, sizeof own, "ranks %d and ", rank);
    TEXT(MPI_Win_allocate_shared(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win),
         MPI_ERR_RMA_SHARED, own, "not on one node");
    CHECK(win == MPI_WIN_NULL && !base);
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    next = (rank + 1) % size;
    if (!rma_one_node())
        two_nodes();
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        w = window_make(f, LEN, 4);
        MPI_Win_set_errhandler(w.win, MPI_ERRORS_RETURN);
        MPI_Win_set_name(w.win, "halo");
        window_fill(&w, 0x5a);
        epochs();
        arguments();
        requests();
        ranges();
        if (w.flavor == DYNAMIC)
            not_attached();
        memory();
        window_settle(&w);
        for (int i = 0; i < LEN; i++)
            CHECK_INT(w.base[i], 0x5a);
        still_usable(&w);
        window_free(&w);
    }
    MPI_Finalize();
    return 0;
}
