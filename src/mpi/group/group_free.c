#include "mpi/mpir.h"

/* Frees a group and sets the handle to MPI_GROUP_NULL (§6.3.3). Communicators that were made from
 * it stay.
 * Errors: MPI_ERR_ARG, MPI_ERR_GROUP. */
int PMPI_Group_free(MPI_Group *group)
{
    ENTER("MPI_Group_free", group);
    struct adi3_group *g;

    TRY(mpir_out_arg(group, "group"));
    TRY(mpir_group_arg(*group, &g));
    adi3_group_user_release(g); /* also MPI_GROUP_EMPTY, which group functions return */
    *group = MPI_GROUP_NULL;
    return mpir_leave(&call);
}
MPIR_WEAK(Group_free);
