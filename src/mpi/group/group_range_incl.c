#include "group.h"

/* Gives the members of group whose ranks are in n ranges, in the order of these: first,
 * first + stride, and so on up to last, or down to it when stride is negative. No rank may be there
 * twice (§6.3.2).
 * Errors: MPI_ERR_GROUP, MPI_ERR_ARG, MPI_ERR_RANK, MPI_ERR_NO_MEM. */
int PMPI_Group_range_incl(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup)
{
    ENTER("MPI_Group_range_incl", group, n, ranges, newgroup);
    struct adi3_group *g;

    TRY(mpir_group_arg(group, &g));
    TRY(mpir_group_n_arg(n));
    TRY(mpir_ranges_arg(g, n, ranges));
    TRY(mpir_out_arg(newgroup, "newgroup"));
    TRY(mpir_group_out(adi3_group_range_incl(g, n, ranges), newgroup));
    return mpir_leave(&call);
}
MPIR_WEAK(Group_range_incl);
