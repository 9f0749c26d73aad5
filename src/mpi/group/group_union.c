#include "mpi/group/group.h"

/* Creates a group from the union of two groups (§6.3.2). It has the members of group1, then those
 * members of group2 that are not in group1, in their orders there.
 * Errors: MPI_ERR_GROUP, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    ENTER("MPI_Group_union", group1, group2, newgroup);
    struct adi3_group *a, *b;

    TRY(mpir_group_arg(group1, &a));
    TRY(mpir_group_arg(group2, &b));
    TRY(mpir_out_arg(newgroup, "newgroup"));
    TRY(mpir_group_out(adi3_group_union(a, b), newgroup));
    return mpir_leave(&call);
}
MPIR_WEAK(Group_union);
