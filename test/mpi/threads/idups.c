/* idups.c — X04, G04: several threads begin communicators at once, each on one of its own, and
 * complete them in any order, while another one sends and receives.
 * MPICH 4.0 fails: it crashes. */
#include "../comm/model.h"
#include "threads.h"

enum { THREADS = 4, ROUNDS = 40, SEVERAL = 3 };

static MPI_Comm own[THREADS];
static struct model all;
static int me;

static void *begin_and_end(void *arg)
{
    int thread = (int) (intptr_t) arg;
    MPI_Comm made[SEVERAL];
    MPI_Request request[SEVERAL];

    for (int i = 0; i < ROUNDS; i++) {
        for (int k = 0; k < SEVERAL; k++)
            MPI_Comm_idup(own[thread], &made[k], &request[k]);
        if (i % 2)
            MPI_Barrier(own[thread]);
        for (int n = 0; n < SEVERAL; n++) {
            int k = -1;

            if (i % 3 == 0)
                MPI_Wait(&request[k = (n + thread + me) % SEVERAL], MPI_STATUS_IGNORE);
            else
                MPI_Waitany(SEVERAL, request, &k, MPI_STATUS_IGNORE);
            CHECK(k >= 0 && k < SEVERAL);
        }
        for (int k = 0; k < SEVERAL; k++)
            model_end(&made[k], &all);
    }
    return NULL;
}

static void *run(void *arg)
{
    if ((int) (intptr_t) arg < THREADS)
        return begin_and_end(arg);
    for (int i = 0; i < ROUNDS; i++)
        model_talk(MPI_COMM_WORLD, &all);
    return NULL;
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &all.size);
    me = model_process();
    for (int i = 0; i < all.size; i++)
        all.local[i] = i;
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &own[i]);
    threads_run(THREADS + 1, run);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&own[i]);
    MPI_Finalize();
    return 0;
}
