#include "mpi/group/group.h"

/* Not mpir_ranks_arg: MPI_PROC_NULL is allowed here, and a rank may be there twice. */
static int ranks1_arg(const struct adi3_group *g, int n, const int *ranks1)
{
    int err = mpir_array_arg(ranks1, n, "ranks1");

    for (int i = 0; mpir_checking() && !err && i < n; i++)
        if ((unsigned) ranks1[i] >= (unsigned) g->size && ranks1[i] != MPI_PROC_NULL)
            err = mpir_error(MPI_ERR_RANK, "ranks1[%d] is %d, which is no rank of a group of %d", i,
                             ranks1[i], g->size);
    return err;
}

/* Translates the ranks of processes in one group to those in another one (§6.3.1). A process that
 * is not in group2 gets MPI_UNDEFINED, and MPI_PROC_NULL stays MPI_PROC_NULL.
 * Errors: MPI_ERR_GROUP, MPI_ERR_ARG, MPI_ERR_RANK, MPI_ERR_NO_MEM. */
int PMPI_Group_translate_ranks(MPI_Group group1, int n, const int ranks1[], MPI_Group group2,
                               int ranks2[])
{
    ENTER("MPI_Group_translate_ranks", group1, n, ranks1, group2, ranks2);
    struct adi3_group *a, *b;

    TRY(mpir_group_arg(group1, &a));
    TRY(mpir_group_n_arg(n));
    TRY(ranks1_arg(a, n, ranks1));
    TRY(mpir_group_arg(group2, &b));
    TRY(mpir_array_arg(ranks2, n, "ranks2"));
    TRY(adi3_group_translate(a, n, ranks1, b, ranks2));
    return mpir_leave(&call);
}
MPIR_WEAK(Group_translate_ranks);
