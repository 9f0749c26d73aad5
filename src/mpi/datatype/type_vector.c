#include "mpi/datatype/make.h"

/* Creates a datatype of count blocks of blocklength elements with a constant stride in extents of
 * oldtype (§4.1.2). The stride may be negative.
 * Errors: MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype,
                     MPI_Datatype *newtype)
{
    ENTER("MPI_Type_vector", count, blocklength, stride, oldtype, newtype);
    const struct type_list list[] = { { mpir_ints(&count), 1 },
                                      { mpir_ints(&blocklength), 1 },
                                      { mpir_ints(&stride), 1 } };
    struct adi3_type *old;

    TRY(mpir_count_arg(count, "count"));
    TRY(mpir_count_arg(blocklength, "blocklength"));
    TRY(mpir_type_arg(oldtype, &old));
    TRY(mpir_out_arg(newtype, "newtype"));
    TRY(type_make(
        (struct adi3_contents) { .combiner = MPI_COMBINER_VECTOR, .ntypes = 1, .types = &old },
        list, 3, newtype));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_vector);
