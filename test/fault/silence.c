/* silence.c — a host falls silent, or links lose large packets. Each process that needs a process
 * there gets an error that names it, and all other processes go on. The processes of the silent
 * host get errors as well: all others are silent to them.
 *
 * Process 1 is the one on that host. Each of three processes makes a file ready.RANK in DIRECTORY;
 * the host falls silent before the file "cut" exists. A process that gets an error prints the time,
 * of CLOCK_MONOTONIC, and the error. Usage: silence WAY DIRECTORY */
#include <stdbool.h>
#include <time.h>
#include <unistd.h>
#include "mpitest.h"

enum { LARGE = 8 << 20, ROUNDS = 100 };

static int rank;
static const char *way, *directory;
static char *buf;

static bool is(const char *name) { return strcmp(way, name) == 0; }

static void path_of(const char *name, int number, char path[512])
{
    int n = snprintf(path, 512, number < 0 ? "%s/%s" : "%s/%s.%d", directory, name, number);

    CHECK(n < 512);
}

static void say_ready(void)
{
    char path[512];

    path_of("ready", rank, path);
    FILE *f = fopen(path, "w");
    CHECK(f && !fclose(f));
}

static void await_cut(void)
{
    char path[512];

    path_of("cut", -1, path);
    while (access(path, F_OK))
        usleep(1000);
}

static void report(int err)
{
    char text[MPI_MAX_ERROR_STRING];
    struct timespec t;
    int len;

    clock_gettime(CLOCK_MONOTONIC, &t);
    MPI_Error_string(err, text, &len);
    printf("%d %.3f %s\n", rank, (double) t.tv_sec + (double) t.tv_nsec * 1e-9, text);
}

static int receive(int n, int source)
{
    return MPI_Recv(buf, n, MPI_BYTE, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int send(int n, int dest) { return MPI_Send(buf, n, MPI_BYTE, dest, 0, MPI_COMM_WORLD); }

/* Sends or receives without pause, large messages or small ones. */
static int exchange(int n, int other, int sender)
{
    int err = MPI_SUCCESS;

    while (!err)
        err = rank == sender ? send(n, other) : receive(n, other);
    return err;
}

static int run_until_error(int other)
{
    if (is("large") || is("small"))
        return exchange(is("large") ? LARGE : 1000, other, 0);
    if (is("back"))
        return exchange(LARGE, other, 1);
    if (is("probe"))
        return MPI_Probe(other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (is("new")) {
        await_cut();
        return exchange(1000, other, 0);
    }
    return receive(LARGE, other);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(argc == 3);
    way = argv[1];
    directory = argv[2];
    buf = mpitest_memory(LARGE);
    if (is("back") && rank == 2) /* makes a second connection from the same host */
        CHECK(!send(1, 1));
    if (is("back") && rank == 1)
        CHECK(!receive(1, 2));
    if (is("idle") || is("back")) { /* else the two processes have not exchanged a message before */
        if (rank == 0)
            CHECK(!send(1, 1) && !receive(1, 1));
        if (rank == 1)
            CHECK(!receive(1, 0) && !send(1, 0));
    }
    say_ready();
    if (rank < 2)
        report(run_until_error(1 - rank));
    for (int i = 0; i < ROUNDS && rank == 0; i++)
        CHECK(!send(i, 2) && !receive(i, 2));
    for (int i = 0; i < ROUNDS && rank == 2; i++)
        CHECK(!receive(i, 0) && !send(i, 0));
    MPI_Finalize();
    printf("ok\n");
    return 0;
}
