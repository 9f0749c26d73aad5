#include "mpi/group/group.h"

/* Creates a group from the members of another one without those listed (§6.3.2). ranks has the n
 * ranks to leave out, each once; the order is that of group.
 * Errors: MPI_ERR_GROUP, MPI_ERR_ARG, MPI_ERR_RANK, MPI_ERR_NO_MEM. */
int PMPI_Group_excl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup)
{
    ENTER("MPI_Group_excl", group, n, ranks, newgroup);
    struct adi3_group *g;

    TRY(mpir_group_arg(group, &g));
    TRY(mpir_group_n_arg(n));
    TRY(mpir_ranks_arg(g, n, ranks));
    TRY(mpir_out_arg(newgroup, "newgroup"));
    TRY(mpir_group_out(adi3_group_excl(g, n, ranks), newgroup));
    return mpir_leave(&call);
}
MPIR_WEAK(Group_excl);
