#include "mpi/group/group.h"

/* Creates a group from the difference of two groups (§6.3.2). It has those members of group1 that
 * are not in group2, in the order of group1.
 * Errors: MPI_ERR_GROUP, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    ENTER("MPI_Group_difference", group1, group2, newgroup);
    struct adi3_group *a, *b;

    TRY(mpir_group_arg(group1, &a));
    TRY(mpir_group_arg(group2, &b));
    TRY(mpir_out_arg(newgroup, "newgroup"));
    TRY(mpir_group_out(adi3_group_difference(a, b), newgroup));
    return mpir_leave(&call);
}
MPIR_WEAK(Group_difference);
