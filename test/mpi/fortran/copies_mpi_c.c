/* copies_mpi_c.c — what copies_mpi.f90 calls: a send that keeps the elements that it is given, and
 * a receive that writes some. */
#include "mpi.h"

static float kept[20];

void mpi_send_(const float *buf, const MPI_Fint *count, const MPI_Fint *datatype,
               const MPI_Fint *dest, const MPI_Fint *tag, const MPI_Fint *comm, MPI_Fint *ierror);
void mpi_recv_(float *buf, const MPI_Fint *count, const MPI_Fint *datatype, const MPI_Fint *source,
               const MPI_Fint *tag, const MPI_Fint *comm, MPI_Fint *status, MPI_Fint *ierror);
float seen_(const MPI_Fint *index);

void mpi_send_(const float *buf, const MPI_Fint *count, const MPI_Fint *datatype,
               const MPI_Fint *dest, const MPI_Fint *tag, const MPI_Fint *comm, MPI_Fint *ierror)
{
    (void) datatype, (void) dest, (void) tag, (void) comm;
    for (int i = 0; i < 20; i++)
        kept[i] = i < *count ? buf[i] : -1;
    *ierror = MPI_SUCCESS;
}

void mpi_recv_(float *buf, const MPI_Fint *count, const MPI_Fint *datatype, const MPI_Fint *source,
               const MPI_Fint *tag, const MPI_Fint *comm, MPI_Fint *status, MPI_Fint *ierror)
{
    (void) datatype, (void) source, (void) tag, (void) comm, (void) status;
    for (int i = 0; i < *count; i++)
        buf[i] = (float) (100 + i);
    *ierror = MPI_SUCCESS;
}

float seen_(const MPI_Fint *index) { return kept[*index - 1]; }
