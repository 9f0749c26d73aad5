/* busy.c — processes wait for a process that computes, or whose host falls silent meanwhile.
 *
 * Each process makes a file ready.RANK in DIRECTORY. When the file "wait" exists there, all other
 * processes wait for a message of process 0. Process 0 calls MPI again when the file "talk" exists,
 * or ends without a message when the file "end" exists. A process that gets its message prints
 * "ok". A process whose wait fails prints the time, of CLOCK_MONOTONIC, and the error. Usage: busy
 * DIRECTORY */
#include <signal.h>
#include <time.h>
#include <unistd.h>
#include "mpitest.h"

static int rank, size;
static const char *directory;

static void path_of(const char *name, char path[512])
{
    CHECK(snprintf(path, 512, "%s/%s", directory, name) < 512);
}

static void say_ready(void)
{
    char name[40], path[512];

    snprintf(name, sizeof name, "ready.%d", rank);
    path_of(name, path);
    FILE *f = fopen(path, "w");
    CHECK(f && !fclose(f));
}

static void await_file(const char *name)
{
    char path[512], end[512];

    path_of(name, path);
    path_of("end", end);
    while (access(path, F_OK)) {
        if (rank == 0 && !access(end, F_OK))
            _exit(3);
        usleep(1000);
    }
}

static void report(int err)
{
    char text[MPI_MAX_ERROR_STRING];
    struct timespec t;
    int len;

    clock_gettime(CLOCK_MONOTONIC, &t);
    MPI_Error_string(err, text, &len);
    printf("%.3f %s\n", (double) t.tv_sec + (double) t.tv_nsec * 1e-9, text);
}

int main(int argc, char **argv)
{
    int err = MPI_SUCCESS, n = 0;

    (void) signal(SIGUSR1, SIG_IGN); /* Hydra's signal for the death of a process */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(argc == 2);
    directory = argv[1];
    say_ready();
    await_file(rank ? "wait" : "talk");
    for (int i = 1; i < size && rank == 0; i++) {
        int sent = MPI_Send(&i, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
        err = err ? err : sent;
    }
    if (rank) {
        err = MPI_Recv(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(err || n == rank);
    }
    if (err)
        report(err);
    else
        printf("ok\n");
    MPI_Finalize();
    return 0;
}
