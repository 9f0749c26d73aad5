#include "mpir.h"

/* Gives up a group and sets it to MPI_GROUP_NULL; communicators of it live on (§6.3.3).
 * Errors: MPI_ERR_ARG, MPI_ERR_GROUP. */
int PMPI_Group_free(MPI_Group *group)
{
    ENTER("MPI_Group_free", group);
    struct adi3_group *g;

    TRY(mpir_out_arg(group, "group"));
    TRY(mpir_group_arg(*group, &g));
    adi3_group_user_release(g); /* MPI_GROUP_EMPTY too: group calls give it */
    *group = MPI_GROUP_NULL;
    return mpir_leave(&call);
}
MPIR_WEAK(Group_free);
