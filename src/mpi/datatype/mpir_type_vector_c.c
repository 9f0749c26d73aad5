#include "mpi/core/large.h"
#include "mpi/datatype/make.h"

/* MPI_Type_vector with counts and a stride of type MPI_Count. */
int mpir_type_vector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                       MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    ENTER("MPI_Type_vector_c", count, blocklength, stride, oldtype, newtype);
    const struct type_list list[] = { { mpir_wide(&count), 1 },
                                      { mpir_wide(&blocklength), 1 },
                                      { mpir_wide(&stride), 1 } };
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
