/* sentinels_c.c — MPI_F_STATUS_IGNORE is MPI_STATUS_IGNORE of the program. */
#include "mpi.h"

void c_sentinels_(MPI_Fint *status_ignore, MPI_Fint *statuses_ignore, MPI_Fint *good);

void c_sentinels_(MPI_Fint *status_ignore, MPI_Fint *statuses_ignore, MPI_Fint *good)
{
    *good = MPI_F_STATUS_IGNORE == status_ignore && MPI_F_STATUSES_IGNORE == statuses_ignore;
}
