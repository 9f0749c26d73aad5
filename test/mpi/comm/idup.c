/* idup.c — G04: communicators of MPI_Comm_idup: several under way, completed in any order and by
 * any call, while messages and collective operations use the same communicator. */
#include "model.h"

enum { SEVERAL = 12 };

static int me, size;
static struct model all;

/* Each process completes them in another order. */
static void several(MPI_Comm comm, const struct model *m)
{
    MPI_Comm made[SEVERAL];
    MPI_Request request[SEVERAL];
    MPI_Status status;

    for (int i = 0; i < SEVERAL; i++) {
        MPI_Comm_idup(comm, &made[i], &request[i]);
        CHECK(request[i] != MPI_REQUEST_NULL);
    }
    for (int n = 0; n < SEVERAL; n++) {
        int i = (n * 5 + me) % SEVERAL, result;

        CHECK_INT(MPI_Wait(&request[i], &status), MPI_SUCCESS);
        CHECK(request[i] == MPI_REQUEST_NULL);
        MPI_Comm_compare(comm, made[i], &result);
        CHECK_INT(result, MPI_CONGRUENT);
    }
    for (int i = 0; i < SEVERAL; i++)
        model_check(made[i], m);
    for (int n = 0; n < SEVERAL; n++)
        model_end(&made[n * 7 % SEVERAL], m);
}

/* Blocking operations, and messages to and from any process, between begin and end. */
static void amid_others(MPI_Comm comm, const struct model *m)
{
    int next = (me + 1) % size, sum = -1, got = -1, done = 0;
    MPI_Comm made[3];
    MPI_Request request[3], message[2];

    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &message[0]);
    MPI_Comm_idup(comm, &made[0], &request[0]);
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK_INT(sum, size * (size - 1) / 2);
    MPI_Comm_idup(comm, &made[1], &request[1]);
    MPI_Isend(&me, 1, MPI_INT, next, 5, comm, &message[1]);
    MPI_Barrier(comm);
    MPI_Comm_dup(comm, &made[2]);
    model_end(&made[2], m);
    MPI_Comm_idup(comm, &made[2], &request[2]);
    MPI_Bcast(&sum, 1, MPI_INT, size - 1, comm);
    MPI_Waitall(2, message, MPI_STATUSES_IGNORE);
    CHECK_INT(got, (me + size - 1) % size);
    while (!done)
        MPI_Testall(3, request, &done, MPI_STATUSES_IGNORE);
    for (int i = 2; i >= 0; i--)
        model_end(&made[i], m);
}

/* Next to a receive whose message comes only when all communicators are there. */
static void one_of_many(void)
{
    MPI_Comm made[3];
    MPI_Request request[4];
    int got = -1, seen = 0;

    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &request[3]);
    for (int i = 0; i < 3; i++)
        MPI_Comm_idup(MPI_COMM_WORLD, &made[i], &request[i]);
    for (int n = 0; n < 3; n++) {
        MPI_Status status;
        int i = -1;

        MPI_Waitany(4, request, &i, &status);
        CHECK(i >= 0 && i < 3 && !(seen >> i & 1));
        seen |= 1 << i;
    }
    for (int i = 0; i < 3; i++)
        model_end(&made[i], &all);
    MPI_Send(&me, 1, MPI_INT, (me + 1) % size, 9, MPI_COMM_WORLD);
    MPI_Wait(&request[3], MPI_STATUS_IGNORE);
    CHECK_INT(got, (me + size - 1) % size);
}

/* The call does not wait: process 0 is late, and the last process returns before it calls. */
static void does_not_wait(void)
{
    MPI_Comm made;
    MPI_Request request;
    int word = 0, done = -1;

    if (me == 0 && size > 1)
        MPI_Recv(&word, 1, MPI_INT, size - 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
    if (me == size - 1 && size > 1)
        MPI_Send(&word, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
    for (done = 0; !done;)
        MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    CHECK(done && request == MPI_REQUEST_NULL);
    model_end(&made, &all);
}

static void of_self(void)
{
    const struct model m = { .size = 1, .local = { me } };
    MPI_Comm made;
    MPI_Request request;

    for (int i = 0; i < 20; i++) {
        MPI_Comm_idup(MPI_COMM_SELF, &made, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        model_end(&made, &m);
    }
}

/* Long chains: each communicator is made of the one before it. */
static void of_each_other(void)
{
    MPI_Comm made[SEVERAL];
    MPI_Request request;

    for (int i = 0; i < SEVERAL; i++) {
        MPI_Comm_idup(i ? made[i - 1] : MPI_COMM_WORLD, &made[i], &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (i > 0)
            MPI_Comm_free(&made[i - 1]);
    }
    model_end(&made[SEVERAL - 1], &all);
}

int main(int argc, char **argv)
{
    MPI_Comm dup;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    me = model_process();
    for (all.size = 0; all.size < size; all.size++)
        all.local[all.size] = all.size;
    several(MPI_COMM_WORLD, &all);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    several(dup, &all);
    for (int i = 0; i < 5; i++)
        amid_others(dup, &all);
    MPI_Comm_free(&dup);
    one_of_many();
    does_not_wait();
    of_self();
    of_each_other();
    MPI_Finalize();
    return 0;
}
