/* tool_c.c — counts calls, a decimal digit for each function. */
#include "mpi.h"

int c_seen_(void);
int c_names_(void);

static int seen, names;

int c_seen_(void) { return seen; }
int c_names_(void) { return names; }

int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *del,
                           int *keyval, void *extra)
{
    seen += 1;
    names = copy == MPI_COMM_DUP_FN && del == MPI_COMM_NULL_DELETE_FN;
    return PMPI_Comm_create_keyval(copy, del, keyval, extra);
}

int MPI_Comm_set_attr(MPI_Comm comm, int keyval, void *value)
{
    seen += 10;
    return PMPI_Comm_set_attr(comm, keyval, value);
}

int MPI_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *flag)
{
    seen += 100;
    return PMPI_Comm_get_attr(comm, keyval, value, flag);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy)
{
    seen += 1000;
    return PMPI_Comm_dup(comm, copy);
}

int MPI_Op_create(MPI_User_function *f, int commute, MPI_Op *op)
{
    seen += 10000;
    return PMPI_Op_create(f, commute, op);
}

int MPI_Irecv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    seen += 100000;
    return PMPI_Irecv(buf, count, type, source, tag, comm, request);
}

int MPI_Send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    seen += 1000000;
    return PMPI_Send(buf, count, type, dest, tag, comm);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    seen += 10000000;
    return PMPI_Wait(request, status);
}

int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    seen += 100000000;
    return PMPI_Allreduce(in, out, count, type, op, comm);
}
