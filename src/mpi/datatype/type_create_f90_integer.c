#include "mpi/mpir.h"

/* Returns the predefined datatype of Fortran's integer(selected_int_kind(r)) (§17.1.9).
 * Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Type_create_f90_integer(int r, MPI_Datatype *newtype)
{
    ENTER("MPI_Type_create_f90_integer", r, newtype);
    struct adi3_type *t;

    TRY(mpir_out_arg(newtype, "newtype"));
    TRY(adi3_type_f90(MPI_COMBINER_F90_INTEGER, 0, r, &t));
    *newtype = t->handle;
    return mpir_leave(&call);
}
MPIR_WEAK(Type_create_f90_integer);
