/* sections_error.c — errors of calls with sections, raised by the object that the call is about. */
#include "mpi/core/hooks.h"
#include "mpi/fortran/sections.h"

int f_fail(const struct f_call *c, int errclass, const char *text)
{
    const struct f_object *o = &c->object;

    if (o->file != MPI_FILE_NULL)
        return MPIR_File_error(c->name, o->file, errclass, text);
    if (o->win != MPI_WIN_NULL)
        return MPIR_Error(c->name, MPIR_ON_WIN, o->win, errclass, text);
    return MPIR_Error(c->name, MPIR_ON_COMM, o->comm, errclass, text);
}
