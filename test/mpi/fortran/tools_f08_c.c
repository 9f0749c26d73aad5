/* tools_f08_c.c — the tool in C, and what C says of addresses. */
#include <string.h>
#include "mpi.h"

int c_seen(const char *name);
int c_same(void *bottom, void *in_place, void *status, void *statuses);
/* As in libmpi: a program that has them means its own. */
extern int MPIR_F08_MPI_BOTTOM, MPIR_F08_MPI_IN_PLACE;
extern MPI_F08_status MPIR_F08_MPI_STATUS_IGNORE_OBJ, MPIR_F08_MPI_STATUSES_IGNORE_OBJ[1];

static struct {
    const char *name;
    int seen;
} calls[] = { { "MPI_Comm_rank", 0 },
              { "MPI_Comm_size", 0 },
              { "MPI_Send", 0 },
              { "MPI_Irecv", 0 },
              { "MPI_Wait", 0 } };

static int *seen(const char *name)
{
    int i = 0;

    while (strcmp(calls[i].name, name) != 0)
        i++;
    return &calls[i].seen;
}

int c_seen(const char *name) { return *seen(name); }

int c_same(void *bottom, void *in_place, void *status, void *statuses)
{
    return bottom == &MPIR_F08_MPI_BOTTOM && in_place == &MPIR_F08_MPI_IN_PLACE
           && status == &MPIR_F08_MPI_STATUS_IGNORE_OBJ && status == MPI_F08_STATUS_IGNORE
           && statuses == MPIR_F08_MPI_STATUSES_IGNORE_OBJ && statuses == MPI_F08_STATUSES_IGNORE;
}

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    ++*seen(__func__);
    return PMPI_Comm_rank(comm, rank);
}

int MPI_Comm_size(MPI_Comm comm, int *size)
{
    ++*seen(__func__);
    return PMPI_Comm_size(comm, size);
}

int MPI_Send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    ++*seen(__func__);
    return PMPI_Send(buf, count, type, dest, tag, comm);
}

int MPI_Irecv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    ++*seen(__func__);
    return PMPI_Irecv(buf, count, type, source, tag, comm, request);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    ++*seen(__func__);
    return PMPI_Wait(request, status);
}
