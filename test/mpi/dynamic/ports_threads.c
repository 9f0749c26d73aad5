/* ports_threads.c — Y04, X04: threads at ports: an accept ends when another thread closes the port,
 * blocks no other thread, and two threads accept at one port; groups that overlap do not hang. */
#include <pthread.h>
#include <unistd.h>
#include "../env/starling.h"

enum { ROUNDS = 100, THREADS = 3, TAG = 5 };

static int rank, size;
static char port[MPI_MAX_PORT_NAME];

struct meeting { /* of one thread */
    int accepts;
    MPI_Comm comm, made;
    int errclass;
    pthread_t thread;
};

static void *meet(void *arg)
{
    struct meeting *m = arg;
    int err = m->accepts ? MPI_Comm_accept(port, MPI_INFO_NULL, 0, m->comm, &m->made)
                         : MPI_Comm_connect(port, MPI_INFO_NULL, 0, m->comm, &m->made);

    m->errclass = err ? error_class(err) : MPI_SUCCESS;
    return NULL;
}

static void meeting_begin(struct meeting *m, int accepts)
{
    *m = (struct meeting) { .accepts = accepts };
    MPI_Comm_dup(MPI_COMM_SELF, &m->comm);
    CHECK(!pthread_create(&m->thread, NULL, meet, m));
}

static void meeting_end(struct meeting *m)
{
    CHECK(!pthread_join(m->thread, NULL));
    MPI_Comm_free(&m->comm);
}

static void port_share(void)
{
    if (rank == 0)
        MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void exchange(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        int got = -1;
        MPI_Sendrecv(&i, 1, MPI_INT, (rank + 1) % size, TAG, &got, 1, MPI_INT,
                     (rank + size - 1) % size, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_INT(got, i);
    }
}

/* Messages go on while a thread waits in accept, which the end of the port ends. */
static void close_ends_accept(int pause)
{
    struct meeting m;

    port_share();
    if (rank == 0)
        meeting_begin(&m, 1);
    exchange();
    usleep(pause);
    exchange();
    if (rank == 0) {
        CHECK_INT(MPI_Close_port(port), MPI_SUCCESS);
        meeting_end(&m);
        CHECK_INT(m.errclass, MPI_ERR_PORT);
        CHECK(m.made == MPI_COMM_NULL);
    }
}

/* Each thread that accepts gets one of the threads that connect, in no order. */
static void several_accept(void)
{
    struct meeting m[THREADS];
    MPI_Request request[2 * THREADS];
    int theirs[THREADS];

    port_share();
    for (int i = 0; i < THREADS && rank < 2; i++)
        meeting_begin(&m[i], rank == 0);
    for (int i = 0; i < THREADS && rank < 2; i++) {
        meeting_end(&m[i]);
        CHECK_INT(m[i].errclass, MPI_SUCCESS);
        MPI_Isend(&rank, 1, MPI_INT, 0, TAG, m[i].made, &request[2 * i]);
        MPI_Irecv(&theirs[i], 1, MPI_INT, 0, TAG, m[i].made, &request[2 * i + 1]);
    }
    if (rank < 2)
        MPI_Waitall(2 * THREADS, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < THREADS && rank < 2; i++) {
        CHECK_INT(theirs[i], !rank);
        MPI_Comm_free(&m[i].made);
    }
    if (rank == 0)
        MPI_Close_port(port);
}

/* A process that is in both groups: an error in all, also where it is told by another process. */
static void overlap(void)
{
    MPI_Comm world, made = MPI_COMM_WORLD;
    struct meeting m;

    port_share();
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    if (rank == 0) {
        meeting_begin(&m, 1);
        CHECK_INT(error_class(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &made)),
                  MPI_ERR_PORT);
        CHECK(made == MPI_COMM_NULL);
    }
    CHECK(MPI_Comm_connect(port, MPI_INFO_NULL, 1, world, &made) != MPI_SUCCESS);
    CHECK(made == MPI_COMM_NULL);
    if (rank == 0) {
        meeting_end(&m);
        CHECK(m.errclass != MPI_SUCCESS && m.made == MPI_COMM_NULL);
        MPI_Close_port(port);
    }
    MPI_Comm_free(&world);
}

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    CHECK_INT(provided, MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    close_ends_accept(0);
    close_ends_accept(700000);
    for (int i = test_size(5, 200); i > 0; i--)
        several_accept();
    overlap();
    MPI_Finalize();
    return 0;
}
