/* completion.c — X04: a request may be completed by another thread than the one that started it,
 * by one thread only; Waitany, Waitsome, Test and Iprobe of several threads at the same time. */
#include "threads.h"

enum { THREADS = 4, ROUNDS = 100, N = 16 };

static MPI_Request request[THREADS][N];
static int in[THREADS][N], rank, size, to, from;

static void finish(int how, MPI_Request *r)
{
    int done = 0, indx, flag, n, indices[N];

    while (done < N) {
        if (how == 0) {
            MPI_Waitany(N, r, &indx, MPI_STATUS_IGNORE);
            CHECK(indx != MPI_UNDEFINED);
            done++;
        } else if (how == 1) {
            MPI_Waitsome(N, r, &n, indices, MPI_STATUSES_IGNORE);
            CHECK(n != MPI_UNDEFINED);
            done += n;
        } else if (how == 2) {
            MPI_Test(&r[done], &flag, MPI_STATUS_IGNORE);
            done += flag;
        } else {
            MPI_Iprobe(MPI_ANY_SOURCE, 4711, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            CHECK(!flag);
            MPI_Waitall(N, r, MPI_STATUSES_IGNORE);
            done = N;
        }
    }
    for (int i = 0; i < N; i++)
        CHECK_INT(r[i], MPI_REQUEST_NULL);
}

/* Thread t completes the requests that the main thread started in row t. */
static void *run(void *arg)
{
    int t = (int) (intptr_t) arg;

    finish(t, request[t]);
    for (int i = 0; i < N; i++)
        CHECK_INT(in[t][i], from * 1000 + t * N + i);
    return NULL;
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    to = (rank + 1) % size;
    from = (rank + size - 1) % size;
    for (int round = 0; round < ROUNDS; round++) {
        for (int t = 0; t < THREADS; t++)
            for (int i = 0; i < N; i++) {
                in[t][i] = -1;
                MPI_Irecv(&in[t][i], 1, MPI_INT, from, t * N + i, MPI_COMM_WORLD, &request[t][i]);
            }
        pthread_t thread[THREADS];
        for (int t = 0; t < THREADS; t++)
            CHECK(!pthread_create(&thread[t], NULL, run, (void *) (intptr_t) t));
        for (int i = N * THREADS - 1; i >= 0; i--) {
            int out = rank * 1000 + i;
            MPI_Send(&out, 1, MPI_INT, to, i, MPI_COMM_WORLD);
        }
        for (int t = 0; t < THREADS; t++)
            CHECK(!pthread_join(thread[t], NULL));
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
