/* blocked.c — X04: a blocked call blocks its thread and no other (§12.4.1).
 *
 * On each process three threads wait for messages that come last, in a receive, a probe and a wait,
 * while the main thread exchanges many with its neighbors.
 *
 * MPICH 4.0 fails: in one of seven runs its waiting threads keep the main one from its lock for
 * seconds, where there are two cores. */
#include <unistd.h>
#include "threads.h"

enum { ROUNDS = 300, LATE_TAG = 100, THREADS = 3 };

static int rank, size, right, left;

static void *late(void *arg)
{
    int i = (int) (intptr_t) arg, got = -1, count;
    MPI_Request r = MPI_REQUEST_NULL;
    MPI_Status s;

    if (i == 0) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, LATE_TAG, MPI_COMM_WORLD, &s);
    } else if (i == 1) {
        MPI_Probe(left, LATE_TAG + 1, MPI_COMM_WORLD, &s);
        MPI_Get_count(&s, MPI_INT, &count);
        CHECK_INT(count, 1);
        MPI_Recv(&got, 1, MPI_INT, left, LATE_TAG + 1, MPI_COMM_WORLD, &s);
    } else {
        MPI_Irecv(&got, 1, MPI_INT, left, LATE_TAG + 2, MPI_COMM_WORLD, &r);
        MPI_Wait(&r, &s);
    }
    CHECK_INT(s.MPI_SOURCE, left);
    CHECK_INT(got, 10 * left + i);
    return NULL;
}

static void exchange(int round)
{
    int out = rank * ROUNDS + round, in = -1;

    MPI_Sendrecv(&out, 1, MPI_INT, right, 0, &in, 1, MPI_INT, left, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK_INT(in, left * ROUNDS + round);
}

/* Also a send to this process, for which no receive is posted yet. */
static void *receive_own(void *arg)
{
    usleep(20000);
    MPI_Recv(arg, 1, MPI_INT, rank, LATE_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

static void send_to_oneself(void)
{
    int out = 5, in = 0;
    pthread_t receiver;

    CHECK(!pthread_create(&receiver, NULL, receive_own, &in));
    CHECK_INT(MPI_Ssend(&out, 1, MPI_INT, rank, LATE_TAG, MPI_COMM_WORLD), MPI_SUCCESS);
    CHECK(!pthread_join(receiver, NULL));
    CHECK_INT(in, 5);
}

int main(int argc, char **argv)
{
    pthread_t t[THREADS];

    threads_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    send_to_oneself();
    for (int i = 0; i < THREADS; i++)
        CHECK(!pthread_create(&t[i], NULL, late, (void *) (intptr_t) i));
    for (int i = 0; i < ROUNDS; i++)
        exchange(i);
    for (int i = 0; i < THREADS; i++) {
        int out = 10 * rank + i;
        MPI_Send(&out, 1, MPI_INT, right, LATE_TAG + i, MPI_COMM_WORLD);
    }
    for (int i = 0; i < THREADS; i++)
        CHECK(!pthread_join(t[i], NULL));
    MPI_Finalize();
    return 0;
}
