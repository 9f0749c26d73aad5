#include "mpi/core/large.h"
#include "mpi/datatype/make.h"

#define PARAMETERS(Count)                                                                          \
    Count count, Count blocklength, Count stride, MPI_Datatype oldtype, MPI_Datatype *newtype
#define ARGUMENTS count, blocklength, stride, oldtype, newtype

static int type_vector_body(bool large, PARAMETERS(MPI_Count))
{
    const struct type_list list[] = { { mpir_wide(&count), 1 },
                                      { mpir_wide(&blocklength), 1 },
                                      { mpir_wide(&stride), 1 } };
    struct adi3_type *old;
    int err = mpir_count_arg(count, "count");

    if (!err)
        err = mpir_count_arg(blocklength, "blocklength");
    if (!err)
        err = mpir_type_arg(oldtype, &old);
    if (!err)
        err = mpir_out_arg(newtype, "newtype");
    if (!err)
        err = type_make(
            (struct adi3_contents) { .combiner = MPI_COMBINER_VECTOR, .ntypes = 1, .types = &old },
            list, 3, large, newtype);
    return err;
}

/* Creates a datatype of count blocks of blocklength elements with a constant stride in extents of
 * oldtype (§4.1.2). The stride may be negative.
 * Errors: MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Type_vector(PARAMETERS(int))
{
    ENTER("MPI_Type_vector", ARGUMENTS);
    TRY(type_vector_body(false, ARGUMENTS));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_vector);

int mpir_type_vector_c(PARAMETERS(MPI_Count))
{
    ENTER("MPI_Type_vector_c", ARGUMENTS);
    TRY(type_vector_body(true, ARGUMENTS));
    return mpir_leave(&call);
}
