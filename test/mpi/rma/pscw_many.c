/* pscw_many.c — R06: MPI_Win_post and its kin among more processes than have a place in the signals
 * of a node: all with all, and with some. */
#include "rma_test.h"

enum { MOST = 256, ROUNDS = 3 };

static int rank, size, cell[MOST];
static MPI_Win win;
static MPI_Group world;

/* Each rank writes to those whose distance is a multiple of `every`, in a ring. */
static void exchange(int every, int round)
{
    int to[MOST], from[MOST], n = 0, value = 1000 * round + rank;

    for (int far = every; far < size; far += every, n++) {
        to[n] = (rank + far) % size;
        from[n] = (rank + size - far) % size;
    }
    MPI_Group targets, origins;
    MPI_Group_incl(world, n, to, &targets);
    MPI_Group_incl(world, n, from, &origins);
    for (int i = 0; i < size; i++)
        cell[i] = -1;
    MPI_Win_post(origins, 0, win);
    MPI_Win_start(targets, 0, win);
    for (int i = 0; i < n; i++)
        if ((rank + round + i) % 2) /* an epoch may have no operation */
            MPI_Put(&value, 1, MPI_INT, to[i], rank, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    for (int i = 0; i < n; i++)
        CHECK_INT(cell[from[i]], (from[i] + round + i) % 2 ? 1000 * round + from[i] : -1);
    MPI_Group_free(&targets);
    MPI_Group_free(&origins);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(size <= MOST);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Win_create(cell, sizeof cell, sizeof *cell, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int round = 0; round < ROUNDS; round++) {
        exchange(1, round);
        exchange(7, round);
    }
    MPI_Win_free(&win);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
