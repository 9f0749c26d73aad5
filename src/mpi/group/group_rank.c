#include "mpi/mpir.h"

/* Returns the rank of the calling process in a group, MPI_UNDEFINED when it is no member (§6.3.1).
 * Errors: MPI_ERR_GROUP, MPI_ERR_ARG. */
int PMPI_Group_rank(MPI_Group group, int *rank)
{
    ENTER("MPI_Group_rank", group, rank);
    struct adi3_group *g;

    TRY(mpir_group_arg(group, &g));
    TRY(mpir_out_arg(rank, "rank"));
    *rank = g->rank;
    return mpir_leave(&call);
}
MPIR_WEAK(Group_rank);
