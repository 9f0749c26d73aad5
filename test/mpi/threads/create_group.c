/* create_group.c — X04, G06: several threads make communicators of groups of one communicator at
 * once, with a tag for each thread, amid messages of the same tags and collective operations on it,
 * and on communicators of their own. MPICH 4.0 fails: it crashes. */
#include "../comm/model.h"
#include "threads.h"

enum { THREADS = 4, ROUNDS = 20 };

static MPI_Comm own[THREADS];
static int me, size;

static void *groups_of_one(void *arg)
{
    int tag = (int) (intptr_t) arg;
    struct model m = { .size = size - tag % size };

    for (int i = 0; i < m.size; i++)
        m.local[i] = (tag + i) % size;
    if (model_place(m.size, m.local, me) < 0)
        return NULL;
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Group group = model_group(m.size, m.local);
        MPI_Comm made = MPI_COMM_NULL;

        MPI_Comm_create_group(i % 4 ? MPI_COMM_WORLD : own[tag], group, tag, &made);
        MPI_Group_free(&group);
        model_end(&made, &m);
    }
    return NULL;
}

static void *messages(void *arg)
{
    int got = -1;

    (void) arg;
    for (int i = 0; i < ROUNDS; i++) {
        int word = 1000 * i + me, previous = (me + size - 1) % size;
        MPI_Sendrecv(&word, 1, MPI_INT, (me + 1) % size, i % THREADS, &got, 1, MPI_INT,
                     MPI_ANY_SOURCE, i % THREADS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_INT(got, 1000 * i + previous);
    }
    return NULL;
}

static void *collectives(void *arg)
{
    MPI_Comm made;
    int sum;

    (void) arg;
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        CHECK_INT(sum, size * (size - 1) / 2);
        MPI_Comm_dup(MPI_COMM_WORLD, &made);
        MPI_Barrier(made);
        MPI_Comm_free(&made);
    }
    return NULL;
}

static void *all_on_one(void *arg)
{
    int thread = (int) (intptr_t) arg;

    return thread < THREADS    ? groups_of_one(arg)
           : thread == THREADS ? messages(arg)
                               : collectives(arg);
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    me = model_process();
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &own[i]);
    threads_run(THREADS + 2, all_on_one);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&own[i]);
    MPI_Finalize();
    return 0;
}
