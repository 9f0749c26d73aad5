/* member.c — an MPI program that ends well or not, for tests of launchers.
 *
 * member                 a ring and a reduction, then "member R of N"
 * member WHAT [N]        rank 1 does WHAT in the middle: abort N, error, exit N, kill, segv
 * member hold FILE       writes "R PID" lines to FILE.R, and then waits for its end
 * member run COMMAND     rank 0 runs a command after MPI_Init
 * member names           rank 0 publishes a name, which rank 1 finds */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

static void ring(void)
{
    int token = -1, sum;

    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 5, &token, 1, MPI_INT,
                 (rank + size - 1) % size, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&token, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (token != (rank + size - 1) % size || sum != size * (size - 1) / 2) {
        fprintf(stderr, "member %d: token %d, sum %d\n", rank, token, sum);
        exit(9);
    }
}

static void end_badly(const char *what, int n)
{
    if (!strcmp(what, "abort"))
        MPI_Abort(MPI_COMM_WORLD, n);
    if (!strcmp(what, "error"))
        MPI_Send(NULL, 0, MPI_INT, size, 0, MPI_COMM_WORLD);
    if (!strcmp(what, "exit"))
        _exit(n);
    (void) signal(SIGSEGV, SIG_DFL); /* sanitizers have handlers */
    (void) raise(!strcmp(what, "kill") ? SIGKILL : SIGSEGV);
}

/* All its files are complete: they are renamed. */
static void hold(const char *file)
{
    char name[4096], final[4096];

    snprintf(name, sizeof name, "%s.%d.new", file, rank);
    snprintf(final, sizeof final, "%s.%d", file, rank);
    FILE *f = fopen(name, "w");
    if (!f || fprintf(f, "%d\n", (int) getpid()) < 0 || fclose(f) || rename(name, final))
        exit(9);
    for (;;)
        pause();
}

/* 0 when a call has an error of this class. */
static int differs(int code, int errclass)
{
    int found;

    MPI_Error_class(code, &found);
    return found != errclass;
}

static void names(void)
{
    char port[MPI_MAX_PORT_NAME] = "";
    int bad = 0;

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    bad += differs(MPI_Lookup_name("a member", MPI_INFO_NULL, port), MPI_ERR_NAME);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!rank)
        bad += differs(MPI_Publish_name("a member", MPI_INFO_NULL, "its$ port;"), MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    bad += differs(MPI_Lookup_name("a member", MPI_INFO_NULL, port), MPI_SUCCESS);
    bad += strcmp(port, "its$ port;") != 0;
    bad += differs(MPI_Publish_name("a member", MPI_INFO_NULL, "again"), MPI_ERR_SERVICE);
    bad += differs(MPI_Unpublish_name("no member", MPI_INFO_NULL, "x"), MPI_ERR_SERVICE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!rank)
        bad += differs(MPI_Unpublish_name("a member", MPI_INFO_NULL, "x"), MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    bad += differs(MPI_Lookup_name("a member", MPI_INFO_NULL, port), MPI_ERR_NAME);
    if (bad) {
        fprintf(stderr, "member %d: %d wrong results of names\n", rank, bad);
        MPI_Abort(MPI_COMM_WORLD, 9);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    ring();
    if (argc > 2 && !strcmp(argv[1], "hold"))
        hold(argv[2]);
    else if (argc > 2 && !strcmp(argv[1], "run"))
        printf("command: %d\n", rank ? 0 : system(argv[2]));
    else if (argc > 1 && !strcmp(argv[1], "names"))
        names();
    else if (argc > 1 && rank == 1)
        end_badly(argv[1], argc > 2 ? (int) strtol(argv[2], NULL, 10) : 0);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("member %d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
