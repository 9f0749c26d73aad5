/* placed.c — T01, T06, T07: with reorder a ring of processes that alternate between two packages,
 * and between nodes, crosses no more links than rings must, in all calls that make one. Its
 * neighbors have their weights, and MPI_Cart_map and MPI_Graph_map return the same ranks. Only for
 * Starling. */
#include "../comm/bound.h"
#include "../env/starling.h"

static int rank, size; /* in the original ring */
static MPI_Comm ring;

/* Links between processes that differ in v. */
static int crossing(MPI_Comm comm, int v)
{
    int *all = mpitest_memory((size_t) size * sizeof *all), sum = 0;

    MPI_Allgather(&v, 1, MPI_INT, all, 1, MPI_INT, comm);
    for (int i = 0; i < size; i++)
        sum += all[i] != all[(i + 1) % size];
    free(all);
    return sum;
}

static int count(MPI_Comm comm)
{
    int n;

    MPI_Comm_size(comm, &n);
    return n;
}

/* The least number possible, where all nodes have as many processes, and all packages. */
static void check(MPI_Comm *comm)
{
    int package = bound_cpus > 0xff, nodes, first, each, even, all_even;
    MPI_Comm node;

    MPI_Comm_split_type(ring, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &first);
    first = first == 0;
    MPI_Allreduce(&first, &nodes, 1, MPI_INT, MPI_SUM, ring);
    each = count(node);
    MPI_Allreduce(&package, &even, 1, MPI_INT, MPI_SUM, node);
    even = 2 * even == each && each * nodes == size;
    MPI_Allreduce(&even, &all_even, 1, MPI_INT, MPI_MIN, ring);
    int leader = rank;
    MPI_Bcast(&leader, 1, MPI_INT, 0, node);
    int between = crossing(*comm, leader), within = crossing(*comm, 2 * leader + package);
    if (all_even) {
        CHECK_INT(between, nodes > 1 ? nodes : 0);
        if (BOUND_KNOWN)
            CHECK_INT(within, nodes > 1 ? 2 * nodes : 2);
    }
    CHECK(between <= crossing(ring, leader));
    MPI_Comm_free(&node);
    MPI_Comm_free(comm);
}

static void cart(void)
{
    int one = 1, mapped, me;
    MPI_Comm comm;

    MPI_Cart_map(ring, 1, &size, &one, &mapped);
    MPI_Cart_create(ring, 1, &size, &one, 1, &comm);
    MPI_Comm_rank(comm, &me);
    CHECK_INT(me, mapped);
    check(&comm);
}

static void graph(void)
{
    int *index = mpitest_memory((size_t) size * sizeof *index), mapped, me;
    int *edges = mpitest_memory((size_t) size * sizeof *edges);
    MPI_Comm comm;

    for (int i = 0; i < size; i++) {
        index[i] = i + 1;
        edges[i] = (i + 1) % size;
    }
    MPI_Graph_map(ring, size, index, edges, &mapped);
    MPI_Graph_create(ring, size, index, edges, 1, &comm);
    MPI_Comm_rank(comm, &me);
    CHECK_INT(me, mapped);
    check(&comm);
    free(edges);
    free(index);
}

/* Each link weighs 10 more than the rank where it begins. */
static void dist(int adjacent)
{
    int one = 1, before = (rank + size - 1) % size, behind = (rank + 1) % size, me, from, to;
    int in = 10 + before, out = 10 + rank;
    MPI_Comm comm;

    if (adjacent)
        MPI_Dist_graph_create_adjacent(ring, 1, &before, &in, 1, &behind, &out, MPI_INFO_NULL, 1,
                                       &comm);
    else
        MPI_Dist_graph_create(ring, 1, &rank, &one, &behind, &out, MPI_INFO_NULL, 1, &comm);
    MPI_Comm_rank(comm, &me);
    MPI_Dist_graph_neighbors(comm, 1, &from, &in, 1, &to, &out);
    CHECK_INT(from, (me + size - 1) % size);
    CHECK_INT(to, (me + 1) % size);
    CHECK_INT(in, 10 + from);
    CHECK_INT(out, 10 + me);
    check(&comm);
}

/* All give weights but one rank: at least one process gets an error, and no process hangs. */
static void weights_of_some(int without)
{
    int before = (rank + size - 1) % size, behind = (rank + 1) % size, failed, all;
    int *w = rank == without ? MPI_UNWEIGHTED : &rank;
    MPI_Comm comm;
    int err =
        MPI_Dist_graph_create_adjacent(ring, 1, &before, w, 1, &behind, w, MPI_INFO_NULL, 1, &comm);

    failed = err != MPI_SUCCESS;
    if (failed)
        CHECK_INT(error_class(err), MPI_ERR_TOPOLOGY);
    else
        MPI_Comm_free(&comm);
    MPI_Allreduce(&failed, &all, 1, MPI_INT, MPI_SUM, ring);
    CHECK_INT(all > 0, size > 1);
}

int main(int argc, char **argv)
{
    MPI_Comm node;

    bound_begin();
    MPI_Init(&argc, &argv);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank);
    MPI_Comm_free(&node);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &ring); /* the first of each node, the second, ... */
    MPI_Comm_rank(ring, &rank);
    size = count(ring);
    cart();
    graph();
    dist(0);
    dist(1);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    for (int without = 0; without < size; without++)
        weights_of_some(without);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
