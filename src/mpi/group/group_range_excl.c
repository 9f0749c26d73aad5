#include "mpi/group/group.h"

/* Creates a group from the members of another one without those in ranges of ranks (§6.3.2). Each
 * of the n ranges is a first rank, a last rank and a stride, which may be negative. No rank is
 * named twice; the order is that of group.
 * Errors: MPI_ERR_GROUP, MPI_ERR_ARG, MPI_ERR_RANK, MPI_ERR_NO_MEM. */
int PMPI_Group_range_excl(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup)
{
    ENTER("MPI_Group_range_excl", group, n, ranges, newgroup);
    struct adi3_group *g;

    TRY(mpir_group_arg(group, &g));
    TRY(mpir_group_n_arg(n));
    TRY(mpir_ranges_arg(g, n, ranges));
    TRY(mpir_out_arg(newgroup, "newgroup"));
    TRY(mpir_group_out(adi3_group_range_excl(g, n, ranges), newgroup));
    return mpir_leave(&call);
}
MPIR_WEAK(Group_range_excl);
