/* values_c.c — the values of values.f as C has them. */
#include "mpi.h"

int c_periods_(MPI_Fint *cart);
int c_status_(MPI_Fint *f, MPI_Fint *source);
int c_file_(MPI_Fint *fh);
void c_free_(MPI_Aint *address);

int c_periods_(MPI_Fint *cart)
{
    int dims[2], periods[2], coords[2];

    MPI_Cart_get(MPI_Comm_f2c(*cart), 2, dims, periods, coords);
    return periods[0] == 0 && periods[1] == 1;
}

/* Reads a status of Fortran, and gives back another one. */
int c_status_(MPI_Fint *f, MPI_Fint *source)
{
    MPI_Status s;
    int count, good;

    MPI_Status_f2c(f, &s);
    MPI_Get_count(&s, MPI_INT, &count);
    good = s.MPI_SOURCE == *source && s.MPI_TAG == 3 && s.MPI_ERROR == 12345 && count == 2;
    s.MPI_SOURCE = 8;
    s.MPI_TAG = 9;
    s.MPI_ERROR = MPI_ERR_TAG;
    MPI_Status_set_elements(&s, MPI_INT, 6);
    MPI_Status_c2f(&s, f);
    return good;
}

int c_file_(MPI_Fint *fh)
{
    MPI_Offset size;

    MPI_File_get_size(MPI_File_f2c(*fh), &size);
    return (int) size;
}

void c_free_(MPI_Aint *address) { MPI_Free_mem((void *) *address); }
