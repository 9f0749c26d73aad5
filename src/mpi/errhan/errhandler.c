/* errhandler.c — error handlers that the program has created, and the objects that have them.
 *
 * A handler exists while the user has handles of it or an object has it attached. Handles of the
 * user are counted apart, so that a freed handle is not valid although the handler is still
 * attached. All is guarded by the ADI3 lock. */
#include "mpi/errhan/errhan.h"

struct errhandler {
    MPI_Errhandler handle;
    int handles;  /* that the user must free */
    int attached; /* communicators with this handler, and running calls of it */
    struct mpir_errhandler_function function;
};

static int errhandler_handles(const void *object)
{
    return ((const struct errhandler *) object)->handles;
}

static struct adi3_pool pool = ADI3_POOL_OF(ADI3_ERRHANDLER, struct errhandler, errhandler_handles);
static struct {
    int err, of_request;
} in_status;

static MPI_File null_file = MPI_FILE_NULL;
struct adi3_comm mpir_no_file = { .errhandler = MPI_ERRORS_RETURN, .owner = &null_file };

static bool errhandler_is_predefined(MPI_Errhandler h)
{
    return h == MPI_ERRORS_ARE_FATAL || h == MPI_ERRORS_RETURN;
}

/* NULL for predefined handlers, which are not in the pool. */
static struct errhandler *errhandler_find(MPI_Errhandler h) { return adi3_get(&pool, h); }

static void drop_unused(struct errhandler *e)
{
    if (!e->handles && !e->attached)
        adi3_free(&pool, e);
}

int mpir_errhandler_make(struct mpir_errhandler_function f, MPI_Errhandler *made)
{
    MPI_Errhandler handle;
    struct errhandler *e = adi3_new(&pool, &handle);

    if (!e)
        return adi3_no_memory("for an error handler");
    *e = (struct errhandler) { .handle = handle, .handles = 1, .function = f };
    *made = handle;
    return MPI_SUCCESS;
}

int mpir_errhandler_language(MPI_Errhandler h, const struct adi3_language *language)
{
    struct errhandler *e = errhandler_find(h);

    if (!e || !e->handles)
        return mpir_error(MPI_ERR_ARG, "0x%x is not an error handler of the program", (unsigned) h);
    e->function.language = language;
    return MPI_SUCCESS;
}

int mpir_any_errhandler_arg(MPI_Errhandler h)
{
    const struct errhandler *e = errhandler_find(h);

    if (errhandler_is_predefined(h) || (e && e->handles))
        return MPI_SUCCESS;
    if (h == MPI_ERRHANDLER_NULL)
        return mpir_error(MPI_ERR_ARG, "the error handler is MPI_ERRHANDLER_NULL");
    return mpir_error(MPI_ERR_ARG, "0x%x is not an error handler, or one that was freed",
                      (unsigned) h);
}

int mpir_errhandler_arg(MPI_Errhandler h, enum mpir_errhandler_kind kind)
{
    static const char *const objects[] = { [MPIR_HANDLES_COMM] = "communicators",
                                           [MPIR_HANDLES_WIN] = "windows",
                                           [MPIR_HANDLES_FILE] = "files" };
    const struct errhandler *e = errhandler_find(h);
    int err = mpir_any_errhandler_arg(h);

    if (err || !e || e->function.kind == kind)
        return err;
    return mpir_error(MPI_ERR_ARG, "error handler 0x%x is one for %s, not for %s", (unsigned) h,
                      objects[e->function.kind], objects[kind]);
}

static void attachment_add(MPI_Errhandler h)
{
    struct errhandler *e = errhandler_find(h);

    if (e)
        e->attached++;
}

static void attachment_drop(MPI_Errhandler h)
{
    struct errhandler *e = errhandler_find(h);

    if (!e)
        return;
    e->attached--;
    drop_unused(e);
}

void mpir_errhandler_attach(MPI_Errhandler *at, MPI_Errhandler h)
{
    MPI_Errhandler old = *at;

    attachment_add(h);
    *at = h;
    attachment_drop(old);
}

void mpir_errhandler_comm_ends(struct adi3_comm *c)
{
    static MPI_Errhandler last = MPI_ERRORS_ARE_FATAL; /* of the communicator that ended last */

    attachment_drop(last);
    last = c->errhandler;
}

MPI_Errhandler mpir_errhandler_user_acquire(MPI_Errhandler h)
{
    struct errhandler *e = errhandler_find(h);

    if (e)
        e->handles++;
    return h;
}

void mpir_errhandler_user_release(MPI_Errhandler h)
{
    struct errhandler *e = errhandler_find(h);

    if (!e)
        return;
    e->handles--;
    drop_unused(e);
}

void mpir_in_status(int err, int of_request)
{
    in_status.err = err;
    in_status.of_request = of_request;
}

/* The function gets copies of the handles: it may free what they name. */
static void errhandler_run(const struct mpir_errhandler_function *f, const struct adi3_comm *c,
                           int *code, const char *shown)
{
    MPI_Comm comm = c->handle;
    MPI_Win win = c->owner && f->kind == MPIR_HANDLES_WIN ? *(MPI_Win *) c->owner : MPI_WIN_NULL;
    MPI_File file =
        c->owner && f->kind == MPIR_HANDLES_FILE ? *(MPI_File *) c->owner : MPI_FILE_NULL;
    bool unlocked = adi3_unlock_for(SIZE_MAX);

    switch (f->kind) {
    case MPIR_HANDLES_COMM:
        f->language->comm_error(f->of.comm, &comm, code, shown);
        break;
    case MPIR_HANDLES_WIN:
        f->language->win_error(f->of.win, &win, code, shown);
        break;
    case MPIR_HANDLES_FILE:
        f->language->file_error(f->of.file, &file, code, shown);
        break;
    }
    if (unlocked)
        adi3_lock();
}

bool mpir_errhandler_call(const struct adi3_comm *c, int *err, const char *shown)
{
    struct errhandler *e = errhandler_find(c->errhandler);
    int code = *err && in_status.err == *err ? in_status.of_request : *err, before = code;

    if (!e)
        return false;
    in_status.err = MPI_SUCCESS;
    e->attached++; /* a reference: the function may attach another handler, and free e */
    errhandler_run(&e->function, c, &code, shown);
    attachment_drop(e->handle);
    if (code != before)
        *err = code;
    return true;
}

int mpir_file_arg(struct mpir_call *call, MPI_File fh, struct adi3_comm **c)
{
    struct adi3_file *f = adi3_file_get(fh);

    *c = call->comm = f ? f->comm : &mpir_no_file;
    if (f || fh == MPI_FILE_NULL)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_FILE, "%p is not a file, or one that was closed", (void *) fh);
}
