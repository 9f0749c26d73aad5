/* hub.c — a singleton that many others connect with, by several threads at once.
 *
 * hub serve CLIENTS THREADS NAME: accepts the clients at the abstract socket NAME, exchanges
 * messages with each, and leaves two of three; prints a line for each that could not connect, how
 * many could, and how many descriptors it has then. It says so when there is none left for a
 * client, and accepts no more.
 *
 * hub call NAME: a client. */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "abstract.h"
#include "held.h"
#include "mpitest.h"
#include "world.h"

enum { THREADS_MOST = 16, MESSAGES = 8, BYTES = 65536 };

static int listener, clients, served, connected;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* The client has messages for the hub, which sends it the client's number, the result. */
static int exchange(MPI_Comm inter, bool hub, int number)
{
    char *data = malloc(BYTES);

    CHECK(data);
    for (int i = 0; i < MESSAGES; i++) {
        memset(data, hub ? -1 : i, BYTES);
        if (hub)
            MPI_Recv(data, BYTES, MPI_BYTE, 0, i, inter, MPI_STATUS_IGNORE);
        else
            MPI_Send(data, BYTES, MPI_BYTE, 0, i, inter);
        CHECK(data[0] == i && data[BYTES - 1] == i);
    }
    if (hub)
        MPI_Send(&number, 1, MPI_INT, 0, MESSAGES, inter);
    else
        MPI_Recv(&number, 1, MPI_INT, 0, MESSAGES, inter, MPI_STATUS_IGNORE);
    CHECK(number >= 0);
    free(data);
    return number;
}

static bool connect_with(int s, bool hub, int number)
{
    char why[MPI_MAX_ERROR_STRING];
    MPI_Comm inter;
    int err = world_connect(MPI_COMM_SELF, s, &inter, why);

    (void) close(s);
    if (err) {
        printf("could not connect: %s\n", why);
        (void) fflush(stdout);
        return false;
    }
    if (exchange(inter, hub, number) % 3)
        CHECK(!world_disconnect(&inter));
    else
        MPI_Comm_free(&inter);
    return true;
}

static void *serve(void *unused)
{
    for (;;) {
        (void) pthread_mutex_lock(&mutex);
        int number = served < clients ? served++ : -1;
        (void) pthread_mutex_unlock(&mutex);
        int s = number < 0 ? -1 : accept(listener, NULL, NULL);
        if (number >= 0 && s < 0)
            printf("could not accept: %s\n", strerror(errno));
        if (s < 0)
            return unused;
        bool done = connect_with(s, true, number);
        (void) pthread_mutex_lock(&mutex);
        connected += done;
        (void) pthread_mutex_unlock(&mutex);
    }
}

static void serve_all(const char *name, int threads)
{
    pthread_t thread[THREADS_MOST];

    listener = abstract_listen(name, 512);
    CHECK(threads <= THREADS_MOST);
    for (int i = 1; i < threads; i++)
        CHECK(!pthread_create(&thread[i], NULL, serve, NULL));
    (void) serve(NULL);
    for (int i = 1; i < threads; i++)
        CHECK(!pthread_join(thread[i], NULL));
    (void) close(listener);
    printf("%d connected, %d descriptors\n", connected, held_fds());
}

int main(int argc, char **argv)
{
    bool hub = argc == 5, connects = true;
    int provided, threads = hub ? atoi(argv[3]) : 1;

    MPI_Init_thread(NULL, NULL, threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    clients = hub ? atoi(argv[2]) : 0;
    if (hub)
        serve_all(argv[4], threads);
    else
        connects = connect_with(abstract_connect(argv[2]), false, -1);
    MPI_Finalize();
    return connects ? 0 : 3;
}
