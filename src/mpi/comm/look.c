/* look.c — facts about a communicator for the Fortran library. */
#include "core/look.h"
#include "mpir.h"

int MPIR_Comm_is_root(const char *name, MPI_Comm comm, int root)
{
    struct adi3_comm *c;

    if (mpir_is(ADI3_DOWN))
        return 0;
    struct mpir_call call = mpir_enter(name);
    struct mpir_call ignored = call;
    int is = mpir_comm_arg(&ignored, comm, &c) == MPI_SUCCESS && !c->remote && c->rank == root;
    (void) mpir_leave(&call);
    return is;
}
