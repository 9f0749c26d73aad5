#include "mpir.h"

static int copy_group(const struct adi3_group *g, MPI_Group *group)
{
    struct adi3_group *copy = adi3_group_copy(g);

    if (!copy)
        return mpir_error(MPI_ERR_NO_MEM, "no memory for a group of %d", g->size);
    *group = adi3_group_hand_out(copy);
    adi3_group_release(copy);
    return MPI_SUCCESS;
}

/* Gives the group of comm, which is the caller's to free (§6.3.2).
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Comm_group(MPI_Comm comm, MPI_Group *group)
{
    ENTER("MPI_Comm_group", comm, group);
    struct adi3_comm *c;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_out_arg(group, "group"));
    TRY(copy_group(c->group, group));
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_group);
