#include "mpi/datatype/make.h"

/* Creates a datatype like oldtype with a new lower bound and extent, in bytes (§4.1.7). The upper
 * bound is lb + extent; both bounds are marked.
 * Errors: MPI_ERR_TYPE, MPI_ERR_ARG, MPI_ERR_COUNT, MPI_ERR_NO_MEM. */
int PMPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent,
                             MPI_Datatype *newtype)
{
    ENTER("MPI_Type_create_resized", oldtype, lb, extent, newtype);
    struct adi3_type *old;

    TRY(mpir_type_arg(oldtype, &old));
    TRY(mpir_out_arg(newtype, "newtype"));
    TRY(type_make((struct adi3_contents) { .combiner = MPI_COMBINER_RESIZED,
                                           .naddrs = 2,
                                           .ntypes = 1,
                                           .addrs = (MPI_Aint[]) { lb, extent },
                                           .types = &old },
                  NULL, 0, false, newtype));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_create_resized);
