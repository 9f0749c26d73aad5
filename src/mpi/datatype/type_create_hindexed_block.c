#include "mpi/datatype/make.h"

/* Creates a datatype of count blocks of the same length with displacements in bytes (§4.1.2). Each
 * block has blocklength elements.
 * Errors: MPI_ERR_COUNT, MPI_ERR_ARG, MPI_ERR_TYPE, MPI_ERR_NO_MEM. */
int PMPI_Type_create_hindexed_block(int count, int blocklength,
                                    const MPI_Aint array_of_displacements[], MPI_Datatype oldtype,
                                    MPI_Datatype *newtype)
{
    ENTER("MPI_Type_create_hindexed_block", count, blocklength, array_of_displacements, oldtype,
          newtype);
    const struct type_list list[] = { { mpir_ints(&count), 1 }, { mpir_ints(&blocklength), 1 } };
    struct adi3_type *old;

    TRY(mpir_count_arg(count, "count"));
    TRY(mpir_count_arg(blocklength, "blocklength"));
    TRY(mpir_array_arg(array_of_displacements, count, "array_of_displacements"));
    TRY(mpir_type_arg(oldtype, &old));
    TRY(mpir_out_arg(newtype, "newtype"));
    TRY(type_make((struct adi3_contents) { .combiner = MPI_COMBINER_HINDEXED_BLOCK,
                                           .naddrs = count,
                                           .ntypes = 1,
                                           .addrs = array_of_displacements,
                                           .types = &old },
                  list, 2, false, newtype));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_create_hindexed_block);
