/* neighbor_graph.c — T08: the neighborhood operations on graphs and distributed graphs with many
 * edges, edges to oneself, isolated processes, and more edges than the messages that a process has
 * under way at once: the k-th edge from one process to another is the k-th on both sides.
 *
 * MPICH 4.0 fails: it receives along multiple edges in another order than it sends. */
#include "hood.h"

static int size;

static void test_edges(const struct edges *e, int count)
{
    struct hood h = hood_of_edges(MPI_COMM_WORLD, e);

    hood_test(&h, count);
    MPI_Comm_free(&h.comm);
}

static void uneven(void)
{
    static struct edges e;

    edges_make(&e, size);
    test_edges(&e, 0);
    test_edges(&e, 3);
    test_edges(&e, 30000);
}

static void without_edges(void)
{
    static struct edges e;

    test_edges(&e, 1);
}

/* Synchronous sends: a process must not wait for one before it has begun the others. */
static void many(void)
{
    static struct edges e;

    e.n = 0;
    for (int i = 0; i < size; i++)
        for (int k = 0; k < 50; k++)
            edges_add(&e, i, (i + 1 + k % 2) % size, 0);
    test_edges(&e, 1);
    test_edges(&e, 20000);
}

/* Symmetric: a ring with every second edge twice, and an edge from each process to itself. */
static void graph(void)
{
    int *index = mpitest_memory((size_t) size * sizeof *index), n = 0;
    int *edges = mpitest_memory(((size_t) size * 6 + 2) * sizeof *edges);
    struct hood h;
    MPI_Comm comm;

    for (int i = 0; i < size; i++) {
        int next = (i + 1) % size, before = (i + size - 1) % size;

        if (size > 1) {
            edges[n++] = next;
            if (i % 2)
                edges[n++] = next;
            edges[n++] = before;
            if (before % 2)
                edges[n++] = before;
        }
        edges[n++] = i;
        index[i] = n;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &comm);
    h = hood_of_graph(comm);
    hood_test(&h, 2);
    hood_test(&h, 30000);
    MPI_Comm_free(&comm);
    free(edges);
    free(index);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    uneven();
    without_edges();
    many();
    graph();
    MPI_Finalize();
    return 0;
}
