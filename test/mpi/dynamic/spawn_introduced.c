/* spawn_introduced.c — Y02: MPI_Intercomm_create with leaders that alone know each other: all other
 * processes of their jobs are introduced, also those of a job that is spawned later, and leave. */
#include "spawn.h"

enum { CHILDREN = 2, TAG = 31 };

/* All members of both groups talk; then also in one communicator, with a window. */
static void talk(MPI_Comm inter, int is_child)
{
    MPI_Comm all = spawn_merge(inter, is_child);
    int one = 1, sum = 0, size, rank, word;
    MPI_Win win;

    spawn_exchange(inter);
    MPI_Comm_size(all, &size);
    MPI_Comm_rank(all, &rank);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all);
    CHECK_INT(sum, size);
    word = -1;
    MPI_Win_create(&word, sizeof word, sizeof word, MPI_INFO_NULL, all, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    CHECK_INT(word, (rank + size - 1) % size);
    MPI_Win_free(&win);
    spawn_leave(&all);
}

/* The processes of both jobs, of which `peer` has the two with rank 0. */
static void introduce(MPI_Comm peer, int is_child)
{
    MPI_Comm inter;

    CHECK_INT(MPI_Intercomm_create(MPI_COMM_WORLD, 0, peer, 0, TAG, &inter), MPI_SUCCESS);
    talk(inter, is_child);
    spawn_leave(&inter);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm inter = spawn_parent();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (inter != MPI_COMM_NULL) {
        introduce(inter, 1);
        spawn_leave(&inter);
    } else {
        for (int i = 0; i < 2; i++) {
            if (rank == 0)
                inter = spawn_role(argv[0], "child", CHILDREN, MPI_COMM_SELF);
            introduce(inter, 0);
            if (rank == 0)
                spawn_leave(&inter);
        }
    }
    MPI_Finalize();
    return 0;
}
