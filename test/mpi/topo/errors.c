/* errors.c — T01, T02, T03, T10: wrong arguments of topologies, and communicators that have none or
 * another, are errors of the right class, found before any message is sent: the communicator stays
 * usable. */
#include "../env/starling.h"

static MPI_Comm cart, graph, dist;

static void make(void)
{
    int dims[2] = { 1, 1 }, periods[2] = { 0, 1 }, index[1] = { 1 }, edges[1] = { 0 };

    MPI_Cart_create(MPI_COMM_SELF, 2, dims, periods, 0, &cart);
    MPI_Graph_create(MPI_COMM_SELF, 1, index, edges, 0, &graph);
    MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, edges, MPI_UNWEIGHTED, 1, edges,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &dist);
}

/* Each kind of topology accepts only its own inquiries. */
static void kinds(void)
{
    const MPI_Comm comms[] = { MPI_COMM_SELF, cart, graph, dist };
    int a[2] = { 0 }, b[2], c[2];

    for (int i = 0; i < 4; i++) {
        int of_cart = i == 1 ? MPI_SUCCESS : MPI_ERR_TOPOLOGY;
        int of_graph = i == 2 ? MPI_SUCCESS : MPI_ERR_TOPOLOGY;
        int of_dist = i == 3 ? MPI_SUCCESS : MPI_ERR_TOPOLOGY;
        MPI_Comm sub;

        CHECK_INT(error_class(MPI_Cartdim_get(comms[i], a)), of_cart);
        a[0] = a[1] = 0;
        CHECK_INT(error_class(MPI_Cart_rank(comms[i], a, b)), of_cart);
        CHECK_INT(error_class(MPI_Cart_coords(comms[i], 0, 2, b)), of_cart);
        CHECK_INT(error_class(MPI_Cart_shift(comms[i], 0, 1, b, c)), of_cart);
        CHECK_INT(error_class(MPI_Graphdims_get(comms[i], b, c)), of_graph);
        CHECK_INT(error_class(MPI_Graph_get(comms[i], 1, 1, b, c)), of_graph);
        CHECK_INT(error_class(MPI_Graph_neighbors_count(comms[i], 0, b)), of_graph);
        CHECK_INT(error_class(MPI_Graph_neighbors(comms[i], 0, 1, b)), of_graph);
        CHECK_INT(error_class(MPI_Dist_graph_neighbors_count(comms[i], a, b, c)), of_dist);
        if (i != 1)
            CHECK_INT(error_class(MPI_Cart_sub(comms[i], a, &sub)), MPI_ERR_TOPOLOGY);
    }
}

static void arguments(void)
{
    int two[2] = { 2, 0 }, a[2] = { 0 }, b[2], edges[1] = { 9 }, index[1] = { 1 },
        bad[2] = { 1, 0 };
    MPI_Comm comm = MPI_COMM_NULL;

    CHECK_INT(error_class(MPI_Cart_shift(cart, -1, 1, a, b)), MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Cart_shift(cart, 2, 1, a, b)), MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Cart_rank(cart, bad, a)), MPI_ERR_ARG); /* not periodic */
    CHECK_INT(error_class(MPI_Cart_coords(cart, 1, 2, a)), MPI_ERR_RANK);
    CHECK_INT(error_class(MPI_Cart_coords(cart, 0, 1, a)), MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Graph_neighbors_count(graph, 1, a)), MPI_ERR_RANK);
    CHECK_INT(error_class(MPI_Graph_neighbors(graph, -1, 1, a)), MPI_ERR_RANK);
    CHECK_INT(error_class(MPI_Graph_create(MPI_COMM_SELF, 1, index, edges, 0, &comm)), MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Dims_create(7, 2, two)), MPI_ERR_DIMS);
    two[1] = -1;
    CHECK_INT(error_class(MPI_Dims_create(6, 2, two)), MPI_ERR_DIMS);
    CHECK(two[0] == 2 && two[1] == -1);
    CHECK_INT(error_class(MPI_Cart_create(MPI_COMM_NULL, 0, NULL, NULL, 0, &comm)), MPI_ERR_COMM);
    CHECK(comm == MPI_COMM_NULL);
}

/* Larger than the communicator: an error in all processes, and no process waits. */
static void too_large(void)
{
    int dims[3] = { 0, 1, 1 }, periods[3] = { 0 }, size;
    MPI_Comm comm = MPI_COMM_SELF;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    dims[0] = size + 1;
    CHECK(MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &comm) != MPI_SUCCESS);
    CHECK(comm == MPI_COMM_NULL || !starling());
    dims[0] = size;
    CHECK_INT(MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &comm), MPI_SUCCESS);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    make();
    kinds();
    arguments();
    too_large();
    MPI_Comm_free(&cart);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&dist);
    MPI_Finalize();
    return 0;
}
