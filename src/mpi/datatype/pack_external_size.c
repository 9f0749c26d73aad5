#include "mpi/datatype/packing.h"

/* Returns the number of bytes that MPI_Pack_external needs for incount elements (§4.3). It is
 * exact, and MPI_UNDEFINED when it does not fit an MPI_Aint.
 * Errors: MPI_ERR_UNSUPPORTED_DATAREP when datarep is not "external32"; MPI_ERR_COUNT,
 * MPI_ERR_TYPE, MPI_ERR_ARG. */
int PMPI_Pack_external_size(const char datarep[], int incount, MPI_Datatype datatype,
                            MPI_Aint *size)
{
    ENTER("MPI_Pack_external_size", datarep, incount, datatype, size);
    struct adi3_type *t;
    size_t len;

    TRY(packed_datarep_arg(datarep));
    TRY(mpir_count_arg(incount, "incount"));
    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_out_arg(size, "size"));
    bool large =
        __builtin_mul_overflow((size_t) incount, adi3_external_size(t), &len) || len > PTRDIFF_MAX;
    *size = large ? MPI_UNDEFINED : (MPI_Aint) len;
    return mpir_leave(&call);
}
MPIR_WEAK(Pack_external_size);
