/* spawn_tree.c — Y09: children spawn, three deep; those of one job in two spawns, and all of them
 * finalize at once without disconnecting. */
#include "spawn.h"

enum { DEPTH = 3 };

int main(int argc, char **argv)
{
    int depth = argc > 1 ? atoi(argv[1]) : 0, rank, sum = -1, mine = 1, remote;
    MPI_Comm inter[2], all;
    char next[16];

    MPI_Init(&argc, &argv);
    MPI_Comm parent = spawn_parent();
    CHECK((parent == MPI_COMM_NULL) == (depth == 0));
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(next, sizeof next, "%d", depth + 1);
    if (depth < DEPTH) {
        for (int i = 0; i < 2; i++)
            inter[i] = spawn_role(argv[0], i ? "9" : next, 1 + (depth == 0), MPI_COMM_WORLD);
        for (int i = 0; i < 2; i++)
            spawn_exchange(inter[i]);
        all = spawn_merge(inter[0], 0);
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, all);
        MPI_Comm_size(all, &remote);
        CHECK_INT(sum, remote);
        MPI_Comm_free(&all);
        for (int i = 0; i < 2; i++)
            MPI_Comm_free(&inter[i]);
    }
    if (depth > 0) {
        spawn_exchange(parent);
        if (depth <= DEPTH) {
            all = spawn_merge(parent, 1);
            MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, all);
            MPI_Comm_size(all, &remote);
            CHECK_INT(sum, remote);
            MPI_Comm_free(&all);
        }
    }
    MPI_Finalize();
    return 0;
}
