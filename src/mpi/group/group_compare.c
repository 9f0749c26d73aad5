#include "mpi/mpir.h"

/* Compares two groups (§6.3.1). The result is MPI_IDENT for the same members in the same order,
 * MPI_SIMILAR for the same members in another order, and MPI_UNEQUAL otherwise.
 * Errors: MPI_ERR_GROUP, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Group_compare(MPI_Group group1, MPI_Group group2, int *result)
{
    ENTER("MPI_Group_compare", group1, group2, result);
    struct adi3_group *a, *b;

    TRY(mpir_group_arg(group1, &a));
    TRY(mpir_group_arg(group2, &b));
    TRY(mpir_out_arg(result, "result"));
    TRY(adi3_group_compare(a, b, result));
    return mpir_leave(&call);
}
MPIR_WEAK(Group_compare);
