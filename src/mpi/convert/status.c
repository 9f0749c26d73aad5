/* status.c — conversion of statuses between C, Fortran and its module mpi_f08 (§17.2.5). Each is
 * five integers in the same order. All five are copied, also those that only the library uses. */
#include <string.h>
#include "mpi/mpir.h"

_Static_assert(sizeof(MPI_Status) == 5 * sizeof(MPI_Fint), "MPI_STATUS_SIZE is 5");
_Static_assert(sizeof(MPI_Status) == sizeof(MPI_F08_status), "the same integers");

/* Set when the Fortran library is loaded: the addresses that a program knows them by. */
MPI_Fint *MPI_F_STATUS_IGNORE, *MPI_F_STATUSES_IGNORE;
MPI_F08_status *MPI_F08_STATUS_IGNORE, *MPI_F08_STATUSES_IGNORE;

static int c_arg(const MPI_Status *status)
{
    if (status == MPI_STATUS_IGNORE)
        return mpir_error(MPI_ERR_ARG, "MPI_STATUS_IGNORE is not a status");
    return mpir_out_arg(status, "c_status");
}

static int f_arg(const MPI_Fint *status)
{
    if (status && (status == MPI_F_STATUS_IGNORE || status == MPI_F_STATUSES_IGNORE))
        return mpir_error(MPI_ERR_ARG, "MPI_STATUS_IGNORE of Fortran is not a status");
    return mpir_out_arg(status, "f_status");
}

static int f08_arg(const MPI_F08_status *status)
{
    if (status && (status == MPI_F08_STATUS_IGNORE || status == MPI_F08_STATUSES_IGNORE))
        return mpir_error(MPI_ERR_ARG, "MPI_STATUS_IGNORE of mpi_f08 is not a status");
    return mpir_out_arg(status, "f08_status");
}

/* memmove(): a status may be converted in place. */

/* Converts a status of C to one of Fortran (§17.2.5).
 * Errors: MPI_ERR_ARG. */
int PMPI_Status_c2f(const MPI_Status *c_status, MPI_Fint *f_status)
{
    ENTER("MPI_Status_c2f", c_status, f_status);

    TRY(c_arg(c_status));
    TRY(f_arg(f_status));
    memmove(f_status, c_status, sizeof(MPI_Status));
    return mpir_leave(&call);
}
MPIR_WEAK(Status_c2f);

/* Converts a status of Fortran to one of C (§17.2.5).
 * Errors: MPI_ERR_ARG. */
int PMPI_Status_f2c(const MPI_Fint *f_status, MPI_Status *c_status)
{
    ENTER("MPI_Status_f2c", f_status, c_status);

    TRY(f_arg(f_status));
    TRY(c_arg(c_status));
    memmove(c_status, f_status, sizeof(MPI_Status));
    return mpir_leave(&call);
}
MPIR_WEAK(Status_f2c);

/* Converts a status of C to one of Fortran's module mpi_f08 (§17.2.5).
 * Errors: MPI_ERR_ARG. */
int PMPI_Status_c2f08(const MPI_Status *c_status, MPI_F08_status *f08_status)
{
    ENTER("MPI_Status_c2f08", c_status, f08_status);

    TRY(c_arg(c_status));
    TRY(f08_arg(f08_status));
    memmove(f08_status, c_status, sizeof(MPI_Status));
    return mpir_leave(&call);
}
MPIR_WEAK(Status_c2f08);

/* Converts a status of Fortran's module mpi_f08 to one of C (§17.2.5).
 * Errors: MPI_ERR_ARG. */
int PMPI_Status_f082c(const MPI_F08_status *f08_status, MPI_Status *c_status)
{
    ENTER("MPI_Status_f082c", f08_status, c_status);

    TRY(f08_arg(f08_status));
    TRY(c_arg(c_status));
    memmove(c_status, f08_status, sizeof(MPI_Status));
    return mpir_leave(&call);
}
MPIR_WEAK(Status_f082c);

/* Converts a status of Fortran to one of its module mpi_f08 (§17.2.5).
 * Errors: MPI_ERR_ARG. */
int PMPI_Status_f2f08(const MPI_Fint *f_status, MPI_F08_status *f08_status)
{
    ENTER("MPI_Status_f2f08", f_status, f08_status);

    TRY(f_arg(f_status));
    TRY(f08_arg(f08_status));
    memmove(f08_status, f_status, sizeof(MPI_Status));
    return mpir_leave(&call);
}
MPIR_WEAK(Status_f2f08);

/* Converts a status of Fortran's module mpi_f08 to one of Fortran's other interfaces (§17.2.5).
 * Errors: MPI_ERR_ARG. */
int PMPI_Status_f082f(const MPI_F08_status *f08_status, MPI_Fint *f_status)
{
    ENTER("MPI_Status_f082f", f08_status, f_status);

    TRY(f08_arg(f08_status));
    TRY(f_arg(f_status));
    memmove(f_status, f08_status, sizeof(MPI_Status));
    return mpir_leave(&call);
}
MPIR_WEAK(Status_f082f);
