/* grequest.c — X01: a generalized request that one thread completes wakes the thread that waits for
 * it, whatever the call; many at a time. */
#include <time.h>
#include "../request/complete.h"
#include "../request/grequest.h"
#include "threads.h"

enum { THREADS = 4, ROUNDS = 40, N = 3 };

static MPI_Request request[THREADS][N];
static struct grequest g[THREADS][N];
static pthread_barrier_t ready;

/* Even threads wait for the requests of row t, odd ones complete those of row t - 1. */
static void *run(void *arg)
{
    int t = (int) (intptr_t) arg;

    for (int round = 0; round < ROUNDS; round++) {
        MPI_Status status[N];
        MPI_Request own[N];

        for (int i = 0; i < N && t % 2 == 0; i++)
            request[t][i] = grequest_start(&g[t][i], round + i);
        pthread_barrier_wait(&ready);
        if (t % 2) {
            struct timespec moment = { 0, round % 4 * 100000L };

            nanosleep(&moment, NULL); /* long enough to be asleep, or not */
            for (int i = 0; i < N; i++)
                CHECK_INT(grequest_complete(&g[t - 1][i], request[t - 1][i]), MPI_SUCCESS);
        } else {
            memcpy(own, request[t], sizeof own);
            CHECK_INT(complete((enum complete_call)(round % COMPLETE_CALLS), N, own, status), N);
            for (int i = 0; i < N; i++) {
                grequest_check(&g[t][i], 1, 1);
                grequest_check_status(&g[t][i], &status[i]);
            }
        }
        pthread_barrier_wait(&ready);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    CHECK(!pthread_barrier_init(&ready, NULL, THREADS));
    threads_run(THREADS, run);
    pthread_barrier_destroy(&ready);
    MPI_Finalize();
    return 0;
}
