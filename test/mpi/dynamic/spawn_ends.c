/* spawn_ends.c — how a job and the one that it has spawned end: for spawn_ends_test.py.
 *
 * aborts      the child calls MPI_Abort, while its parent waits for it
 * left        the child goes on after its parent, from which it has disconnected, has ended
 * joined      a parent that has not disconnected waits in MPI_Finalize for the child
 * gone        the parent is killed while it waits for its child, which prints its process id
 * lost-child HOW   a child is killed, so that mpiexec ends its job, for which the parents wait by a
 *             call of that name
 * lost-parent HOW  likewise, and the children wait
 * loops WORD  spawns in a row, whose processes all have the word among their arguments */
#include <signal.h>
#include <unistd.h>
#include "spawn.h"

enum { CODE = 5, ROUNDS = 100 };

static void loop(char *program, char *word)
{
    char mode[] = "loops", *args[] = { mode, word, NULL };

    for (int i = 0; i < ROUNDS; i++) {
        MPI_Comm inter;
        MPI_Comm_spawn(program, args, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter,
                       MPI_ERRCODES_IGNORE);
        spawn_exchange(inter);
        MPI_Comm_disconnect(&inter);
    }
}

/* Waits for the other job, or for its process 0. all: the processes of both. */
static int wait_by(const char *how, MPI_Comm inter, MPI_Comm all)
{
    int word = 0, sum;
    MPI_Request r;

    if (!strcmp(how, "any"))
        return MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 9, inter, MPI_STATUS_IGNORE);
    if (!strcmp(how, "probe"))
        return MPI_Probe(0, 9, inter, MPI_STATUS_IGNORE);
    if (!strcmp(how, "ssend"))
        return MPI_Ssend(&word, 1, MPI_INT, 0, 10, inter);
    if (!strcmp(how, "barrier"))
        return MPI_Barrier(inter);
    if (!strcmp(how, "merged"))
        return MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, all);
    if (!strcmp(how, "nonblocking")) {
        MPI_Ibarrier(all, &r);
        return MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    return MPI_Recv(&word, 1, MPI_INT, 0, 9, inter, MPI_STATUS_IGNORE);
}

/* What the call says, and after how many seconds. */
static void wait_for_lost(const char *how, MPI_Comm inter, MPI_Comm all)
{
    char text[MPI_MAX_ERROR_STRING] = "no error";
    double began = MPI_Wtime();
    int len;

    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN);
    int err = wait_by(how, inter, all);
    if (err)
        MPI_Error_string(err, text, &len);
    printf("%.2f %s\n", MPI_Wtime() - began, text);
    fflush(stdout);
}

/* Process 1 is killed. Process 0 waits for a message that does not come. */
static void lose_job(MPI_Comm inter)
{
    int rank, word;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void) usleep(100000);
    if (rank == 1)
        (void) raise(SIGKILL);
    MPI_Recv(&word, 1, MPI_INT, 0, 9, inter, MPI_STATUS_IGNORE);
}

/* Both jobs have two processes. */
static void lose(char **argv, MPI_Comm inter, int is_child)
{
    int child_ends = !strcmp(argv[1], "lost-child");
    MPI_Comm all = spawn_merge(inter, is_child);

    if (child_ends == is_child)
        lose_job(inter);
    else
        wait_for_lost(argv[2], inter, all);
    MPI_Comm_free(&all);
    MPI_Comm_free(&inter);
    MPI_Finalize();
    printf("the other job has ended\n");
}

/* The child gets the same arguments. */
static void parent_loses(char **argv)
{
    MPI_Comm inter;

    MPI_Comm_spawn(argv[0], argv + 1, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter,
                   MPI_ERRCODES_IGNORE);
    lose(argv, inter, 0);
}

static void child(MPI_Comm parent, const char *mode)
{
    int left = !strcmp(mode, "left");

    if (!strcmp(mode, "loops")) {
        spawn_exchange(parent);
        MPI_Comm_disconnect(&parent);
        MPI_Finalize();
        return;
    }
    if (!strcmp(mode, "aborts"))
        MPI_Abort(MPI_COMM_WORLD, CODE);
    if (left) {
        MPI_Comm_disconnect(&parent);
        (void) sleep(1);
    } else {
        MPI_Barrier(parent);
    }
    (void) usleep(200000);
    printf("the child ends\n");
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    if (argc > 2 && !strcmp(argv[1], "gone")) { /* it has no parent yet */
        printf("%d\n", (int) getpid());
        fflush(stdout);
        (void) kill(atoi(argv[2]), SIGKILL);
    }
    MPI_Init(&argc, &argv);
    MPI_Comm inter = spawn_parent();
    if (inter != MPI_COMM_NULL && !strncmp(argv[1], "lost-", 5)) {
        lose(argv, inter, 1);
        return 0;
    }
    if (inter != MPI_COMM_NULL) {
        child(inter, argv[1]);
        return 0;
    }
    if (!strcmp(argv[1], "gone")) {
        char pid[16], *args[] = { argv[1], pid, NULL };
        snprintf(pid, sizeof pid, "%d", (int) getpid());
        MPI_Comm_spawn(argv[0], args, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter,
                       MPI_ERRCODES_IGNORE);
        return 1;
    }
    if (!strcmp(argv[1], "loops")) {
        loop(argv[0], argv[2]);
        MPI_Finalize();
        return 0;
    }
    if (!strncmp(argv[1], "lost-", 5)) {
        parent_loses(argv);
        return 0;
    }
    inter = spawn_role(argv[0], argv[1], 1, MPI_COMM_WORLD);
    if (!strcmp(argv[1], "left")) {
        spawn_leave(&inter);
    } else {
        MPI_Barrier(inter);
        MPI_Comm_free(&inter);
    }
    MPI_Finalize();
    printf("the parent has ended\n");
    return 0;
}
