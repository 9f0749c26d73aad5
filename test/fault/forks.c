/* forks.c — ranks fork while messages are under way: the job goes on, whatever the child does.
 *
 * forks WAY [multiple]: exit, _exit, exec, system, popen; outlive: a child that sleeps longer than
 * the job; calls: a child that calls MPI; init: a child that calls MPI_Init; crash: a child that is
 * killed. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "mpitest.h"

enum { ROUNDS = 6, SMALL = 100, LARGE = 300000 };

static int rank, size;
static unsigned char *mine, *theirs;

static void in_child(const char *way)
{
    char *const command[] = { "/bin/true", NULL };
    int flag = 0;

    if (!strcmp(way, "exit"))
        exit(0);
    if (!strcmp(way, "_exit"))
        _exit(0);
    if (!strcmp(way, "exec"))
        execv(command[0], command);
    if (!strcmp(way, "crash"))
        raise(SIGKILL);
    if (!strcmp(way, "outlive")) {
        sleep(2);
        _exit(MPI_Initialized(&flag) || !flag || MPI_Wtime() <= 0);
    }
    if (!strcmp(way, "calls")) {
        MPI_Send(mine, 1, MPI_BYTE, (rank + 1) % size, 7, MPI_COMM_WORLD);
        _exit(0);
    }
    if (!strcmp(way, "init")) {
        MPI_Init(NULL, NULL);
        _exit(0);
    }
    _exit(99);
}

/* What waitpid must report of a child. */
static int ended_as_it_should(const char *way, int status)
{
    if (!strcmp(way, "crash"))
        return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    if (!strcmp(way, "calls") || !strcmp(way, "init"))
        return WIFEXITED(status) && WEXITSTATUS(status) == MPI_ERR_OTHER;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The output of the child goes to a pipe of this process, or to the standard output. */
static void command(const char *way)
{
    char text[32];

    if (!strcmp(way, "system")) {
        CHECK_INT(system("echo from a shell"), 0);
        return;
    }
    FILE *f = popen("echo to a pipe", "r");
    CHECK(f && fgets(text, sizeof text, f));
    CHECK(!strcmp(text, "to a pipe\n"));
    CHECK_INT(pclose(f), 0);
}

static void act(const char *way)
{
    int status;

    if (!strcmp(way, "system") || !strcmp(way, "popen")) {
        command(way);
        return;
    }
    pid_t child = fork();
    CHECK(child >= 0);
    if (!child)
        in_child(way);
    if (!strcmp(way, "outlive"))
        return;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(ended_as_it_should(way, status));
}

/* Messages that are under way while the child lives: in the memory of the sender, in the ring,
 * queued. */
static void exchange(const char *way, int len, int round)
{
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Request r[2];

    memset(mine, 17 * rank + round, LARGE);
    memset(theirs, 0xff, LARGE);
    MPI_Irecv(theirs, len, MPI_BYTE, previous, round, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(mine, len, MPI_BYTE, next, round, MPI_COMM_WORLD, &r[1]);
    act(way);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < len; i++)
        CHECK_INT(theirs[i], (unsigned char) (17 * previous + round));
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "exit";
    int sum = 0, one = 1, provided;

    MPI_Init_thread(&argc, &argv, argc > 2 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mine = mpitest_memory(LARGE);
    theirs = mpitest_memory(LARGE);
    for (int round = 0; round < ROUNDS; round++)
        exchange(way, round % 2 ? LARGE : SMALL, round);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_INT(sum, size);
    MPI_Finalize();
    if (!strcmp(way, "exit") || !strcmp(way, "outlive"))
        act(way); /* MPI has ended in both */
    free(mine);
    free(theirs);
    return 0;
}
