#include "mpi/topo_create/topo_create.h"

/* Returns the rank that MPI_Cart_create with reorder gives to the calling process (§7.5.8). It is
 * MPI_UNDEFINED for a process that is not in the grid. Local: processes need not call it together.
 * Errors: MPI_ERR_COMM, MPI_ERR_DIMS, MPI_ERR_ARG, MPI_ERR_NO_MEM, MPI_ERR_OTHER. */
int PMPI_Cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank)
{
    ENTER("MPI_Cart_map", comm, ndims, dims, periods, newrank);
    struct mpir_shape s = { .grid = { ndims, dims, periods } };
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_is_intra_arg(c));
    TRY(mpir_ndims_arg(ndims));
    TRY(mpir_dims_arg(c, ndims, dims, &s.n));
    TRY(mpir_array_arg(periods, ndims, "periods"));
    TRY(mpir_out_arg(newrank, "newrank"));
    if (c->rank < s.n)
        TRY(mpir_shape_rank(c, &s, newrank));
    else
        *newrank = MPI_UNDEFINED;
    return mpir_leave(&call);
}
MPIR_WEAK(Cart_map);
