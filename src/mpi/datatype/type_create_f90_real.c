#include "mpi/mpir.h"

/* Returns the predefined datatype of Fortran's real(selected_real_kind(p, r)) (§17.1.9). p or r may
 * be MPI_UNDEFINED.
 * Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Type_create_f90_real(int p, int r, MPI_Datatype *newtype)
{
    ENTER("MPI_Type_create_f90_real", p, r, newtype);
    struct adi3_type *t;

    TRY(mpir_out_arg(newtype, "newtype"));
    TRY(adi3_type_f90(MPI_COMBINER_F90_REAL, p, r, &t));
    *newtype = t->handle;
    return mpir_leave(&call);
}
MPIR_WEAK(Type_create_f90_real);
