/* callbacks_c.c — the other language of callbacks.f. */
#include "mpi.h"

int c_reduce_(MPI_Fint *op);
void c_op_(MPI_Fint *op);
void c_comm_error_(MPI_Fint *comm);
void c_handler_(MPI_Fint *comm);
void c_handled_(MPI_Fint *times);
int c_wait_(MPI_Fint *request);

int c_reduce_(MPI_Fint *op)
{
    int x = 5, y = 7;

    MPI_Reduce_local(&x, &y, 1, MPI_INTEGER, MPI_Op_f2c(*op));
    return y;
}

static void three_times(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void) type;
    for (int i = 0; i < *n; i++)
        ((int *) inout)[i] += 3 * ((int *) in)[i];
}

void c_op_(MPI_Fint *op)
{
    MPI_Op made;

    MPI_Op_create(three_times, 1, &made);
    *op = MPI_Op_c2f(made);
}

void c_comm_error_(MPI_Fint *comm) { MPI_Comm_call_errhandler(MPI_Comm_f2c(*comm), MPI_ERR_OTHER); }

static int handled;
static void handler(MPI_Comm *comm, int *code, ...)
{
    (void) comm;
    (void) code;
    handled++;
}

void c_handler_(MPI_Fint *comm)
{
    MPI_Errhandler h;

    MPI_Comm_create_errhandler(handler, &h);
    MPI_Comm_set_errhandler(MPI_Comm_f2c(*comm), h);
    MPI_Errhandler_free(&h);
}

void c_handled_(MPI_Fint *times) { *times = handled; }

int c_wait_(MPI_Fint *request)
{
    MPI_Request r = MPI_Request_f2c(*request);
    MPI_Status s;
    int count;

    MPI_Wait(&r, &s);
    MPI_Get_count(&s, MPI_INTEGER, &count);
    return s.MPI_SOURCE == 12 ? count : -1;
}
