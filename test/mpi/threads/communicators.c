/* communicators.c — X04: several threads make communicators at once, by several calls, each on a
 * communicator of its own. */
#include "../comm/model.h"
#include "../env/starling.h"
#include "threads.h"

enum { THREADS = 4, ROUNDS = 20 };

static MPI_Comm own[THREADS];
static int me, size, rounds, threads; /* fewer for a library that is slow */

static struct model all_processes(int reversed)
{
    struct model m = { .size = size };

    for (int i = 0; i < size; i++)
        m.local[i] = reversed ? size - 1 - i : i;
    return m;
}

static void intercommunicator(MPI_Comm comm, int tag)
{
    const struct model m = model_halves(size, 1);
    MPI_Comm half, inter, merged;

    MPI_Comm_split(comm, me > 0, 0, &half);
    MPI_Intercomm_create(half, 0, comm, me == 0, tag, &inter);
    MPI_Comm_free(&half);
    model_check(inter, &m);
    MPI_Intercomm_merge(inter, me > 0, &merged);
    model_end(&inter, &m);
    const struct model all = all_processes(0);
    model_end(&merged, &all);
}

static void *on_its_own(void *arg)
{
    int thread = (int) (intptr_t) arg;
    const struct model all = all_processes(0), reversed = all_processes(1);

    for (int i = 0; i < rounds; i++) {
        MPI_Group group = model_group(size, reversed.local);
        MPI_Comm made;

        MPI_Comm_dup(own[thread], &made);
        model_end(&made, &all);
        MPI_Comm_split(own[thread], thread, -me, &made);
        model_end(&made, &reversed);
        MPI_Comm_create(own[thread], group, &made);
        model_end(&made, &reversed);
        MPI_Group_free(&group);
        if (size > 1)
            intercommunicator(own[thread], thread);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    me = model_process();
    rounds = starling() ? ROUNDS : 1;
    threads = starling() ? THREADS : 2;
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &own[i]);
    threads_run(threads, on_its_own);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&own[i]);
    MPI_Finalize();
    return 0;
}
