#include "mpi/mpir.h"

/* Returns the number of processes in a group (§6.3.1).
 * Errors: MPI_ERR_GROUP, MPI_ERR_ARG. */
int PMPI_Group_size(MPI_Group group, int *size)
{
    ENTER("MPI_Group_size", group, size);
    struct adi3_group *g;

    TRY(mpir_group_arg(group, &g));
    TRY(mpir_out_arg(size, "size"));
    *size = g->size;
    return mpir_leave(&call);
}
MPIR_WEAK(Group_size);
