/* hooks.c — hooks of error handlers for the Fortran library. */
#include "mpi/core/hooks.h"
#include "mpi/errhan/errhan.h"

void MPIR_Errors_return(int on) { mpir_errors_return = on; }

int MPIR_Errhandler_set_language(MPI_Errhandler errhandler, const struct adi3_language *row)
{
    struct mpir_call call = mpir_enter(__func__);
    int err = mpir_errhandler_language(errhandler, row);

    (void) mpir_leave(&call);
    return err;
}

/* What has the error handler; NULL: MPI_COMM_WORLD has. */
static struct adi3_comm *handled_by(enum mpir_object object, int handle)
{
    struct mpir_call call = { .name = NULL };
    struct adi3_comm *c = NULL;
    struct adi3_win *w;

    switch (object) {
    case MPIR_ON_COMM:
        (void) mpir_local_comm_arg(&call, handle, &c);
        return c;
    case MPIR_ON_WIN:
        w = adi3_win_get(handle);
        return w ? w->comm : NULL;
    case MPIR_ON_TYPE:
        break;
    }
    return NULL;
}

int MPIR_Error(const char *call, enum mpir_object object, int handle, int errclass,
               const char *text)
{
    struct mpir_call c = mpir_enter(call);

    c.comm = handled_by(object, handle);
    return mpir_fail(c, mpir_error(errclass, "%s", text), "");
}

int MPIR_File_error(const char *call, MPI_File file, int errclass, const char *text)
{
    struct mpir_call c = mpir_enter(call);
    struct adi3_comm *of;

    (void) mpir_file_arg(&c, file, &of);
    return mpir_fail(c, mpir_error(errclass, "%s", text), "");
}
