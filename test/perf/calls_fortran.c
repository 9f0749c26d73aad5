/* calls_fortran.c — Isend as programs in Fortran call it: by module mpi, and by mpi_f08 with an
 * array of rank 0, 1 or 2. Linked to calls.c where the Fortran library is built. */
#include "mpi/fortran/descriptor.h"

void calls_fortran_isend(int rank, char *buf, int size, MPI_Request *r);

#define REST const int *, const int *, const int *, const int *, const int *, int *, int *
void mpi_isend_(const void *, REST);
void mpi_isend_f08ts_(const struct f_array *, REST);

void calls_fortran_isend(int rank, char *buf, int size, MPI_Request *r)
{
    static const int type = MPI_BYTE, dest = 1, tag = 1, comm = MPI_COMM_WORLD;
    struct f_array a = { .base = buf, .elem_len = 1, .rank = (signed char) rank, .span = 1 };
    const int rows = rank == 2 ? 2 : 1;
    int err;

    a.dim[0].stride = a.dim[0].lower = 1;
    a.dim[0].upper = size / rows;
    a.dim[1].stride = a.dim[0].upper;
    a.dim[1].lower = 1;
    a.dim[1].upper = rows;
    if (rank < 0)
        mpi_isend_(buf, &size, &type, &dest, &tag, &comm, r, &err);
    else
        mpi_isend_f08ts_(&a, &size, &type, &dest, &tag, &comm, r, &err);
}
