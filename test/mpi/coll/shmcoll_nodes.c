/* shmcoll_nodes.c — in a job on several nodes the processes of each node have a segment of their
 * own for the phases within it. With "dies", one process dies: the others get errors, and none
 * waits for ever; with "differs", one calls something else.
 *
 * Only for Starling: it links the layers, to ask whether there is a segment, and where the nodes of
 * all ranks are. */
#include <signal.h>
#include <string.h>
#include "adi3/adi3.h"
#include "mpi/coll/nodes.h"
#include "coll_test.h"

enum { ROUNDS = 40, LARGE = 5000 };

static int in[LARGE], out[LARGE], expected[LARGE];

static void fill(struct me m, int count, int round)
{
    memset(expected, 0, sizeof expected);
    for (int i = 0; i < count; i++) {
        in[i] = value(m.rank, i, round);
        for (int rank = 0; rank < m.size; rank++)
            expected[i] += value(rank, i, round);
    }
}

/* All operations with a phase within nodes, each root in turn. */
static void in_phases(MPI_Comm c, int count, int round)
{
    struct me m = whoami(c);
    int root = round % m.size, one, all[64];

    fill(m, count, round);
    CHECK(MPI_Barrier(c) == MPI_SUCCESS);
    CHECK(MPI_Reduce(in, out, count, MPI_INT, MPI_SUM, root, c) == MPI_SUCCESS);
    CHECK(m.rank != root || !memcmp(out, expected, (size_t) count * sizeof *out));
    memset(out, 0, sizeof out);
    CHECK(MPI_Allreduce(in, out, count, MPI_INT, MPI_SUM, c) == MPI_SUCCESS);
    CHECK(!memcmp(out, expected, (size_t) count * sizeof *out));
    CHECK(MPI_Bcast(m.rank == root ? expected : in, count, MPI_INT, root, c) == MPI_SUCCESS);
    CHECK(m.rank == root || !memcmp(in, expected, (size_t) count * sizeof *out));
    one = value(m.rank, 7, round);
    CHECK(MPI_Gather(&one, 1, MPI_INT, all, 1, MPI_INT, root, c) == MPI_SUCCESS);
    for (int i = 0; i < m.size && m.rank == root; i++)
        CHECK_INT(all[i], value(i, 7, round));
    CHECK(MPI_Allgather(&one, 1, MPI_INT, all, 1, MPI_INT, c) == MPI_SUCCESS);
    one = -1;
    CHECK(MPI_Scatter(all, 1, MPI_INT, &one, 1, MPI_INT, root, c) == MPI_SUCCESS);
    CHECK_INT(one, value(m.rank, 7, round));
    CHECK(MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, all, 1, MPI_INT, c) == MPI_SUCCESS);
    for (int i = 0; i < m.size; i++)
        CHECK_INT(all[i], value(m.rank, 7, round));
}

/* How many of the processes of c are on this node. */
static int processes_here(MPI_Comm c)
{
    MPI_Comm node;

    MPI_Comm_split_type(c, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    int n = whoami(node).size;
    MPI_Comm_free(&node);
    return n;
}

/* Nodes and ranks in the other order, and ranks of different nodes by turns. */
static void in_other_orders(void)
{
    struct me m = whoami(MPI_COMM_WORLD);
    MPI_Comm c;

    for (int turns = 0; turns < 2; turns++) {
        MPI_Comm_split(MPI_COMM_WORLD, 0, turns ? m.rank % 2 * m.size + m.rank : -m.rank, &c);
        for (int i = 0; i < m.size; i++)
            in_phases(c, i % 2 ? LARGE : 3, i);
        MPI_Comm_free(&c);
    }
}

/* MPI_COMM_WORLD and its duplicates have the arrays of all ranks in the node's segment. */
static void nodes_in_common(void)
{
    const struct adi3_node_map *map;
    MPI_Comm dup;
    int found = 0;

    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Barrier(dup);
    adi3_lock();
    CHECK(!adi3_node_map_find(&map) && map->node && map->node[adi3_world.rank] == map->mine);
    for (struct adi3_comm *c = NULL; (c = adi3_next(&adi3_comms, c));) {
        const struct coll_nodes *n = c->nodes ? coll_nodes_of(c) : NULL;
        found += n && n->node == map->node && n->leader == map->leader && n->ranks == map->ranks
                 && n->first == map->first;
    }
    CHECK(found == 1);
    CHECK(coll_nodes_of(&adi3_world)->node == map->node);
    adi3_unlock();
    MPI_Comm_free(&dup);
}

static bool has_segment(void) { return adi3_world.shmcoll != NULL; }

/* Until an error comes, which must come. */
static void until_an_error(void)
{
    struct me m = whoami(MPI_COMM_WORLD);
    int err = MPI_SUCCESS;

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; !err; i++) {
        if (i == ROUNDS && m.rank == m.size - 2)
            raise(SIGKILL);
        err = MPI_Allreduce(in, out, 10, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    printf("rank %d has an error\n", m.rank);
}

static void differ(void)
{
    struct me m = whoami(MPI_COMM_WORLD);

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Barrier(MPI_COMM_WORLD);
    int err = m.rank == m.size - 1 ? MPI_Bcast(in, 1, MPI_INT, 0, MPI_COMM_WORLD)
                                   : MPI_Barrier(MPI_COMM_WORLD);
    CHECK(err);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc > 1 && !strcmp(argv[1], "dies")) {
        until_an_error();
    } else if (argc > 1 && !strcmp(argv[1], "differs")) {
        differ();
    } else {
        for (int i = 0; i < ROUNDS; i++)
            in_phases(MPI_COMM_WORLD, i % 5 ? 3 : LARGE, i);
        CHECK(has_segment() == (processes_here(MPI_COMM_WORLD) > 1));
        in_other_orders();
        nodes_in_common();
    }
    MPI_Finalize();
    return 0;
}
