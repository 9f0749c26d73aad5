/* truths_c.c — a tool that changes the true values that C functions give, and keeps those that they
 * are given. */
#include "mpi.h"

void c_true_(const MPI_Fint *value);
MPI_Fint c_saw_(void);

static int truth = 1, saw;

void c_true_(const MPI_Fint *value) { truth = *value; }
MPI_Fint c_saw_(void) { return saw; }

int MPI_Initialized(int *flag)
{
    int err = PMPI_Initialized(flag);

    *flag *= truth;
    return err;
}

int MPI_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *flag)
{
    int err = PMPI_Comm_get_attr(comm, keyval, value, flag);

    *flag *= truth;
    return err;
}

int MPI_Attr_get(MPI_Comm comm, int keyval, void *value, int *flag)
{
    int err = PMPI_Attr_get(comm, keyval, value, flag);

    *flag *= truth;
    return err;
}

int MPI_Info_get(MPI_Info info, const char *key, int valuelen, char *value, int *flag)
{
    int err = PMPI_Info_get(info, key, valuelen, value, flag);

    *flag *= truth;
    return err;
}

int MPI_Cart_get(MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[])
{
    int ndims = 0, err = PMPI_Cart_get(comm, maxdims, dims, periods, coords);

    if (!err)
        PMPI_Cartdim_get(comm, &ndims);
    for (int i = 0; i < ndims; i++)
        periods[i] *= truth;
    return err;
}

int MPI_Op_create(MPI_User_function *f, int commute, MPI_Op *op)
{
    saw = commute;
    return PMPI_Op_create(f, commute, op);
}

int MPI_Cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                    MPI_Comm *cart)
{
    saw = reorder;
    return PMPI_Cart_create(comm, ndims, dims, periods, reorder, cart);
}

int MPI_Graph_create(MPI_Comm comm, int nnodes, const int index[], const int edges[], int reorder,
                     MPI_Comm *graph)
{
    saw = reorder;
    return PMPI_Graph_create(comm, nnodes, index, edges, reorder, graph);
}
