/* mprobe.c — P22: threads that probe for the same messages each get a different one, and a message
 * that one thread has matched may be received by another. */
#include "threads.h"

enum { THREADS = 4, EACH = 50, N = THREADS * EACH, TAG = 3 };

static int rank, size, next, previous, seen[N];
static MPI_Message found[N];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The length of a message is its number, so that the status must be that of the message. */
static void receive(MPI_Message *message, int len)
{
    char in[N];
    MPI_Status status;
    int count;

    MPI_Mrecv(in, N, MPI_BYTE, message, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    CHECK_INT(count, len);
    for (int i = 0; i < len; i++)
        CHECK_INT((unsigned char) in[i], len);
    pthread_mutex_lock(&lock);
    CHECK_INT(seen[len], 0);
    seen[len] = 1;
    pthread_mutex_unlock(&lock);
}

static void *probe_and_receive(void *arg)
{
    (void) arg;
    for (int i = 0; i < EACH; i++) {
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        int flag = i % 2, len;

        if (flag)
            MPI_Mprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &message, &status);
        while (!flag)
            MPI_Improbe(previous, TAG, MPI_COMM_WORLD, &flag, &message, &status);
        MPI_Get_count(&status, MPI_BYTE, &len);
        receive(&message, len);
    }
    return NULL;
}

static void *receive_found(void *arg)
{
    int t = (int) (intptr_t) arg;

    for (int i = THREADS - 1 - t; i < N; i += THREADS)
        receive(&found[i], i);
    return NULL;
}

static MPI_Request request[N];
static char out[N][N];

static void send_all(void)
{
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < N; i++) {
        memset(out[i], i, sizeof out[i]);
        MPI_Isend(out[i], i, MPI_BYTE, next, TAG, MPI_COMM_WORLD, &request[i]);
    }
}

static void all_seen(void)
{
    MPI_Waitall(N, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < N; i++)
        CHECK_INT(seen[i], 1);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    for (int round = 0; round < 5; round++) {
        send_all();
        threads_run(THREADS, probe_and_receive);
        all_seen();
        send_all();
        for (int i = 0; i < N; i++)
            MPI_Mprobe(previous, TAG, MPI_COMM_WORLD, &found[i], MPI_STATUS_IGNORE);
        threads_run(THREADS, receive_found);
        all_seen();
    }
    MPI_Finalize();
    return 0;
}
