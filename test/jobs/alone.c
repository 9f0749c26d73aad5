/* alone.c — one process of a job connects with another job: only this one knows that the node has
 * more processes than cores now, and the collective operations of its job go on as before.
 *
 * It is for a job of two and a job of one. */
#include <sched.h>
#include <stdlib.h>
#include "mpitest.h"
#include "world.h"

/* To two cores, if there are so many. */
static void bind_to_two(void)
{
    cpu_set_t all, two;

    CPU_ZERO(&two);
    CHECK(!sched_getaffinity(0, sizeof all, &all));
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&two) < 2; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &two);
    CHECK(!sched_setaffinity(0, sizeof two, &two));
}

static void use(MPI_Comm c)
{
    int rank, size, sum;
    MPI_Request r;

    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    for (int i = 0; i < 100; i++) {
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, c);
        CHECK_INT(sum, size * (size - 1) / 2);
    }
    MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, c, MPI_INFO_NULL, &r);
    for (int i = 0; i < 100; i++) {
        sum = -1;
        MPI_Start(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        CHECK_INT(sum, size * (size - 1) / 2);
    }
    MPI_Request_free(&r);
}

int main(int argc, char **argv)
{
    int side = atoi(getenv("JOBS_SIDE")), rank;
    MPI_Comm inter, both, again;

    bind_to_two();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        inter = world_meet(MPI_COMM_SELF, 1, side == 0);
        MPI_Intercomm_merge(inter, side, &both);
        use(both);
    }
    use(MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &again);
    use(again);
    MPI_Comm_free(&again);
    if (rank == 0) {
        use(both);
        CHECK_INT(world_disconnect(&both), MPI_SUCCESS);
        CHECK_INT(world_disconnect(&inter), MPI_SUCCESS);
    }
    MPI_Finalize();
    return 0;
}
