/* spawn_threads.c — Y07: several threads of each process spawn at the same time, while messages of
 * another thread go on. */
#include <stdatomic.h>
#include "../threads/threads.h"
#include "spawn.h"

enum { SPAWNERS = 3, THREADS = SPAWNERS + 1, CHILDREN = 2 };

static char *program;
static MPI_Comm ring;
static atomic_int spawned; /* threads of this process that are done */

/* It goes on until all processes have spawned. With each turn the peers are others, so that some
 * first meet while a launcher has a spawn to answer. */
static void pass_messages(void)
{
    int rank, size, over = 0;

    MPI_Comm_rank(ring, &rank);
    MPI_Comm_size(ring, &size);
    for (int i = 0; !over; i++) {
        int got = -1, done = spawned == SPAWNERS;
        int far = 1 + i % size;
        MPI_Sendrecv(&i, 1, MPI_INT, (rank + far) % size, 0, &got, 1, MPI_INT,
                     (rank + size - far % size) % size, 0, ring, MPI_STATUS_IGNORE);
        CHECK_INT(got, i);
        MPI_Allreduce(&done, &over, 1, MPI_INT, MPI_MIN, ring);
    }
}

static void *run(void *arg)
{
    if ((int) (intptr_t) arg == SPAWNERS) {
        pass_messages();
        return NULL;
    }
    MPI_Comm inter = spawn_role(program, "child", CHILDREN, MPI_COMM_SELF);
    spawn_exchange(inter);
    spawn_leave(&inter);
    spawned++;
    return NULL;
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    MPI_Comm inter = spawn_parent();
    if (inter == MPI_COMM_NULL) {
        program = argv[0];
        MPI_Comm_dup(MPI_COMM_WORLD, &ring);
        threads_run(THREADS, run);
        MPI_Comm_free(&ring);
    } else {
        spawn_exchange(inter);
        spawn_leave(&inter);
    }
    MPI_Finalize();
    return 0;
}
