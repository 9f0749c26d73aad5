/* threads.c — threads of two jobs connect and leave the same processes at the same time: neither
 * waits for ever, all messages come, and in the end nothing is known of the other job.
 *
 * threads ROUNDS: in each process two threads connect with the other job, and leave it, as often.
 * In jobs of more than one process a third one makes intercommunicators of the two jobs meanwhile.
 * The environment is as that of world.c. */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "abstract.h"
#include "mpitest.h"
#include "world.h"

enum { THREADS = 3, CREATES = 2, LARGE = 20000 };

static int side, rounds, size, rank;
static MPI_Comm bridge[2]; /* keep one job known to the other one, but link no two last ranks */

struct worker {
    pthread_t thread;
    MPI_Comm comm; /* of this job */
    int number, link;
    unsigned random;
    char data[2 * LARGE];
};
static struct worker worker[THREADS];

/* Up to so many processes of each group, which differ, exchange messages with all of the other. */
static void talk(struct worker *w, MPI_Comm inter, int round)
{
    int len = round % 3 ? 1 : LARGE, remote;

    MPI_Comm_remote_size(inter, &remote);
    for (int i = 0; i < remote && round % 7; i++) {
        if (round % 4 && (i + rank) % 2)
            continue;
        memset(w->data, round, (size_t) len);
        MPI_Sendrecv(w->data, len, MPI_CHAR, i, w->number, w->data + LARGE, len, MPI_CHAR, i,
                     w->number, inter, MPI_STATUS_IGNORE);
        CHECK(w->data[LARGE] == (char) round && w->data[LARGE + len - 1] == (char) round);
    }
}

static void pause_sometimes(struct worker *w)
{
    for (int n = rand_r(&w->random) % 4; n; n--)
        (void) sched_yield();
}

static MPI_Comm meet(struct worker *w)
{
    char why[MPI_MAX_ERROR_STRING];
    MPI_Comm inter;

    if (w->number == CREATES) {
        MPI_Intercomm_create(w->comm, 0, bridge[0], 0, 1, &inter);
    } else if (world_connect(w->comm, w->link, &inter, why)) {
        (void) fprintf(stderr, "could not connect: %s\n", why);
        exit(3);
    }
    return inter;
}

static void *work(void *worker_of_this)
{
    struct worker *w = worker_of_this;

    for (int i = 0; i < rounds; i++) {
        MPI_Comm inter = meet(w);
        talk(w, inter, i);
        pause_sometimes(w);
        CHECK_INT(world_disconnect(&inter), MPI_SUCCESS);
    }
    return NULL;
}

/* The socket by which the first processes connect. */
static int link_of(int number)
{
    char name[100];

    if (rank)
        return -1;
    (void) snprintf(name, sizeof name, "%s-%d", getenv("JOBS_NAME"), number);
    if (side)
        return abstract_connect(name);
    int listener = abstract_listen(name, 1), s = accept(listener, NULL, NULL);
    CHECK(s >= 0);
    (void) close(listener);
    return s;
}

/* The last process of each job is linked with the first one of the other job. */
static void make_bridges(void)
{
    MPI_Comm part;

    for (int i = 0; i < 2; i++) {
        bool in = side == i || rank == 0;
        MPI_Comm_split(MPI_COMM_WORLD, in ? 0 : MPI_UNDEFINED, rank, &part);
        if (!in)
            continue;
        struct worker w = { .comm = part, .link = link_of(THREADS + i) };
        bridge[i] = meet(&w);
        if (!rank)
            (void) close(w.link);
        MPI_Comm_free(&part);
    }
    struct worker all = worker[0];
    MPI_Comm inter = meet(&all); /* for the business cards */
    CHECK_INT(world_disconnect(&inter), MPI_SUCCESS);
}

static void leave_bridges(void)
{
    for (int i = 0; i < 2; i++)
        if (side == i || rank == 0)
            CHECK_INT(world_disconnect(&bridge[i]), MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    int provided, threads;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    side = atoi(getenv("JOBS_SIDE"));
    rounds = argc > 1 ? atoi(argv[1]) : test_size(100, 3000);
    threads = size > 1 ? THREADS : CREATES;
    for (int i = 0; i < threads; i++) {
        worker[i] = (struct worker) { .number = i, .random = (unsigned) (7 * i + 3 * rank + side) };
        MPI_Comm_dup(MPI_COMM_WORLD, &worker[i].comm);
        worker[i].link = i < CREATES ? link_of(i) : -1;
    }
    if (threads > CREATES)
        make_bridges();
    for (int i = 0; i < threads; i++)
        CHECK(!pthread_create(&worker[i].thread, NULL, work, &worker[i]));
    for (int i = 0; i < threads; i++)
        CHECK(!pthread_join(worker[i].thread, NULL));
    if (threads > CREATES)
        leave_bridges();
    const struct world_known known = world_known();
    CHECK_INT(known.jobs, 0);
    CHECK_INT(known.processes, 0);
    for (int i = 0; i < threads; i++) {
        MPI_Comm_free(&worker[i].comm);
        if (worker[i].link >= 0)
            (void) close(worker[i].link);
    }
    MPI_Finalize();
    return 0;
}
