/* profiling.c — E10: a tool's functions with the name MPI_x replace those of the library, which
 * itself calls no function with such a name; MPI_Pcontrol takes any arguments and does nothing. */
#include "mpitest.h"

static int calls;

/* Functions that collectives and constructors of communicators are likely to need. */
int MPI_Send(const void *buf, int n, MPI_Datatype t, int to, int tag, MPI_Comm comm)
{
    calls++;
    return PMPI_Send(buf, n, t, to, tag, comm);
}

int MPI_Recv(void *buf, int n, MPI_Datatype t, int from, int tag, MPI_Comm comm, MPI_Status *s)
{
    calls++;
    return PMPI_Recv(buf, n, t, from, tag, comm, s);
}

int MPI_Isend(const void *buf, int n, MPI_Datatype t, int to, int tag, MPI_Comm comm,
              MPI_Request *r)
{
    calls++;
    return PMPI_Isend(buf, n, t, to, tag, comm, r);
}

int MPI_Irecv(void *buf, int n, MPI_Datatype t, int from, int tag, MPI_Comm comm, MPI_Request *r)
{
    calls++;
    return PMPI_Irecv(buf, n, t, from, tag, comm, r);
}

int MPI_Sendrecv(const void *out, int n, MPI_Datatype t, int to, int tag, void *in, int m,
                 MPI_Datatype u, int from, int tag2, MPI_Comm comm, MPI_Status *s)
{
    calls++;
    return PMPI_Sendrecv(out, n, t, to, tag, in, m, u, from, tag2, comm, s);
}

int MPI_Waitall(int n, MPI_Request r[], MPI_Status *s)
{
    calls++;
    return PMPI_Waitall(n, r, s);
}

int MPI_Wait(MPI_Request *r, MPI_Status *s)
{
    calls++;
    return PMPI_Wait(r, s);
}

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    calls++;
    return PMPI_Comm_rank(comm, rank);
}

int MPI_Comm_size(MPI_Comm comm, int *size)
{
    calls++;
    return PMPI_Comm_size(comm, size);
}

int MPI_Type_size(MPI_Datatype t, int *size)
{
    calls++;
    return PMPI_Type_size(t, size);
}

int MPI_Bcast(void *buf, int n, MPI_Datatype t, int root, MPI_Comm comm)
{
    calls++;
    return PMPI_Bcast(buf, n, t, root, comm);
}

int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype t, MPI_Op op, MPI_Comm comm)
{
    calls++;
    return PMPI_Allreduce(in, out, n, t, op, comm);
}

int MPI_Barrier(MPI_Comm comm)
{
    calls++;
    return PMPI_Barrier(comm);
}

int main(int argc, char **argv)
{
    int rank, size, x = 1, all[64];
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK_INT(calls, 2);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &comm);
    MPI_Comm_free(&comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Allgather(&x, 1, MPI_INT, all, 1, MPI_INT, comm);
    MPI_Reduce(&x, all, 1, MPI_INT, MPI_SUM, 0, comm);
    MPI_Gather(&x, 1, MPI_INT, all, 1, MPI_INT, 0, comm);
    MPI_Sendrecv_replace(&x, 1, MPI_INT, rank, 0, rank, 0, comm, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    CHECK_INT(calls, 2);
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
    CHECK_INT(calls, 3);

    CHECK_INT(MPI_Pcontrol(1), MPI_SUCCESS);
    CHECK_INT(MPI_Pcontrol(-7, "any", 1.5, &x, MPI_COMM_WORLD), MPI_SUCCESS);
    CHECK_INT(PMPI_Pcontrol(0), MPI_SUCCESS);
    MPI_Finalize();
    CHECK_INT(calls, 3);
    return 0;
}
