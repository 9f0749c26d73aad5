/* spawn_collectives.c — Y03: collective operations between a job and the one it has spawned, and on
 * the communicator that is merged of both, and on what is made of it. */
#include "spawn.h"

enum { CHILDREN = 3, BLOCK = 1000 };

/* What each process of a group of n contributes is its rank + 1. */
static int sum_of(int n) { return n * (n + 1) / 2; }

static void between(MPI_Comm inter, int is_child)
{
    int rank, remote, mine, sum = -1, *all;

    MPI_Comm_rank(inter, &rank);
    MPI_Comm_remote_size(inter, &remote);
    mine = rank + 1;
    CHECK_INT(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, inter), MPI_SUCCESS);
    CHECK_INT(sum, sum_of(remote));
    all = mpitest_memory((size_t) remote * sizeof *all);
    CHECK_INT(MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, inter), MPI_SUCCESS);
    for (int i = 0; i < remote; i++)
        CHECK_INT(all[i], i + 1);
    free(all);
    int value = is_child ? -1 : rank == 0 ? 77 : -1;
    int root = is_child ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    CHECK_INT(MPI_Bcast(&value, 1, MPI_INT, root, inter), MPI_SUCCESS);
    CHECK(!is_child || value == 77);
}

static void merged(MPI_Comm comm)
{
    int rank, size, sum = -1, mine, data[BLOCK];
    double *blocks;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    mine = rank + 1;
    CHECK_INT(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm), MPI_SUCCESS);
    CHECK_INT(sum, sum_of(size));
    for (int root = 0; root < size; root++) {
        for (int i = 0; i < BLOCK; i++)
            data[i] = rank == root ? root + i : -1;
        CHECK_INT(MPI_Bcast(data, BLOCK, MPI_INT, root, comm), MPI_SUCCESS);
        CHECK(data[0] == root && data[BLOCK - 1] == root + BLOCK - 1);
    }
    blocks = mpitest_memory((size_t) size * BLOCK * sizeof *blocks);
    for (int i = 0; i < size * BLOCK; i++)
        blocks[i] = rank * size + i / BLOCK;
    CHECK_INT(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DOUBLE, blocks, BLOCK, MPI_DOUBLE, comm),
              MPI_SUCCESS);
    for (int i = 0; i < size * BLOCK; i++)
        CHECK(blocks[i] == (i / BLOCK) * size + rank);
    free(blocks);
    CHECK_INT(MPI_Barrier(comm), MPI_SUCCESS);
}

/* Communicators that are made of it. */
static void made_of(MPI_Comm comm)
{
    MPI_Comm made;
    int rank;

    MPI_Comm_rank(comm, &rank);
    CHECK_INT(MPI_Comm_dup(comm, &made), MPI_SUCCESS);
    merged(made);
    spawn_leave(&made);
    CHECK_INT(MPI_Comm_split(comm, rank % 2, -rank, &made), MPI_SUCCESS);
    merged(made);
    CHECK_INT(MPI_Comm_free(&made), MPI_SUCCESS);
    CHECK_INT(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &made),
              MPI_SUCCESS);
    merged(made);
    CHECK_INT(MPI_Comm_free(&made), MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm inter = spawn_parent(), comm;
    int is_child = inter != MPI_COMM_NULL, rank, size, mine;

    if (!is_child)
        inter = spawn_role(argv[0], "child", CHILDREN, MPI_COMM_WORLD);
    between(inter, is_child);
    comm = spawn_merge(inter, is_child);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_rank(comm, &mine);
    MPI_Comm_size(comm, &size);
    CHECK_INT(mine, is_child ? size - CHILDREN + rank : rank);
    merged(comm);
    made_of(comm);
    spawn_leave(&inter);
    merged(comm);
    spawn_leave(&comm);
    MPI_Finalize();
    return 0;
}
