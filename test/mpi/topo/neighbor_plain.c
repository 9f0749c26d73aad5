/* neighbor_plain.c — the neighborhood operations where no two edges go between the same processes:
 * grids, graphs, distributed graphs, and one with an edge between all. */
#include "hood.h"

static int rank, size;

/* No dimension of one or two processes is periodic. */
static void grids(int ndims)
{
    int dims[3] = { 0 }, periods[3];
    struct hood h;
    MPI_Comm comm;

    MPI_Dims_create(size, ndims, dims);
    for (int d = 0; d < ndims; d++)
        periods[d] = dims[d] > 2 && d % 2 == 0;
    MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, 1, &comm);
    h = hood_of_cart(comm);
    hood_test(&h, 3);
    hood_test(&h, 20000);
    MPI_Comm_free(&comm);
}

/* To the next processes and oneself, and from the others. MPICH 4.0 errs where these numbers
 * differ. */
static void distributed(void)
{
    static struct edges e;
    struct hood h;

    e.n = 0;
    for (int i = 0; i < size; i++)
        for (int k = 0; k <= size / 2; k++)
            edges_add(&e, i, (i + k) % size, 0);
    h = hood_of_edges(MPI_COMM_WORLD, &e);
    hood_test(&h, 3);
    hood_test(&h, 20000);
    MPI_Comm_free(&h.comm);
}

/* A star. */
static void graph(void)
{
    int *index = mpitest_memory((size_t) size * sizeof *index), n = size - 1;
    int *edges = mpitest_memory((size_t) size * 2 * sizeof *edges);
    struct hood h;
    MPI_Comm comm;

    index[0] = n;
    for (int i = 1; i < size; i++) {
        edges[i - 1] = size - i;
        edges[n++] = 0;
        index[i] = n;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 1, &comm);
    h = hood_of_graph(comm);
    hood_test(&h, 3);
    hood_test(&h, 20000);
    MPI_Comm_free(&comm);
    free(edges);
    free(index);
}

/* With an edge from each process to each it is MPI_Alltoall (§7.6). */
static void dense(void)
{
    static struct edges e;
    struct hood h;
    size_t len = (size_t) size * sizeof(int);
    int *out = mpitest_memory(len), *in = mpitest_memory(len), *in2 = mpitest_memory(len);

    e.n = 0;
    for (int i = 0; i < size; i++)
        for (int k = 0; k < size; k++)
            edges_add(&e, i, k, 0);
    h = hood_of_edges(MPI_COMM_WORLD, &e);
    for (int i = 0; i < size; i++)
        out[i] = 100 * rank + i;
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, h.comm);
    MPI_Alltoall(out, 1, MPI_INT, in2, 1, MPI_INT, h.comm);
    CHECK(!memcmp(in, in2, len));
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, h.comm);
    for (int i = 0; i < size; i++)
        CHECK_INT(in[i], i);
    MPI_Comm_free(&h.comm);
    free(in2);
    free(in);
    free(out);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int ndims = 1; ndims <= 3; ndims++)
        grids(ndims);
    distributed();
    graph();
    dense();
    MPI_Finalize();
    return 0;
}
