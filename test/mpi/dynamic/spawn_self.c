/* spawn_self.c — Y07: all processes spawn at the same time, each alone; then one spawns in a
 * communicator of some, and the jobs have no part in each other. */
#include "spawn.h"

enum { ROUNDS = 2, CHILDREN = 2 };

int main(int argc, char **argv)
{
    int rank, size, sum, one = 1;
    MPI_Comm half;

    MPI_Init(&argc, &argv);
    MPI_Comm inter = spawn_parent();
    if (inter != MPI_COMM_NULL) {
        spawn_exchange(inter);
        spawn_leave(&inter);
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < ROUNDS; i++) {
        inter = spawn_role(argv[0], "of self", 1 + rank % CHILDREN, MPI_COMM_SELF);
        spawn_exchange(inter);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        CHECK_INT(sum, size);
        spawn_leave(&inter);
    }
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    inter = spawn_role(argv[0], "of half", CHILDREN, half);
    spawn_exchange(inter);
    spawn_leave(&inter);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
