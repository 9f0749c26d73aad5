/* faulty.c — what a process sees of the end of another job.
 *
 * faulty kill: the last process, alone in its job, ends itself by SIGKILL. The others get an error
 * that names it, in a receive from it and in a collective call, and go on without it: they make
 * communicators, while a message in an older one is still under way.
 *
 * faulty quiesce: no process can quiesce while the jobs are connected; when the last one has ended,
 * the others can, and open their devices again. It is for two jobs.
 *
 * faulty abort: it calls MPI_Abort with code 7.
 *
 * faulty early: it is in MPI_Finalize at once. The others, three processes in all, receive from any
 * process two seconds later: until then none has ended. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "mpitest.h"

enum { MANY = 40 }; /* communicators */

static void expect_error(const char *what, int err)
{
    char text[MPI_MAX_ERROR_STRING];
    int len;

    if (err == MPI_SUCCESS)
        printf("%s succeeded\n", what);
    CHECK(err != MPI_SUCCESS);
    MPI_Error_string(err, text, &len);
    printf("%s\n", text);
}

/* A message of each process to the next one, in a communicator of its own. */
static void pass_on(MPI_Comm c, int value)
{
    int rank, size, got = -1;

    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    MPI_Sendrecv(&value, 1, MPI_INT, (rank + 1) % size, 1, &got, 1, MPI_INT,
                 (rank + size - 1) % size, 1, c, MPI_STATUS_IGNORE);
    CHECK_INT(got, value);
}

/* Communicators that are made after the loss do not get the context id of one in which a message is
 * under way since before. */
static void make_many(MPI_Comm local)
{
    MPI_Comm made[MANY];

    for (int i = 0; i < MANY; i++) {
        CHECK_INT(MPI_Comm_dup(i ? made[i / 2] : local, &made[i]), MPI_SUCCESS);
        pass_on(made[i], i);
    }
    for (int i = 0; i < MANY; i++)
        MPI_Comm_free(&made[i]);
}

static void survive(int last, MPI_Comm local)
{
    int word = 1, sum = 0, rank, size, late = -1;
    MPI_Comm before;
    MPI_Request sent;

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(local, &rank);
    MPI_Comm_size(local, &size);
    MPI_Comm_dup(local, &before);
    MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 1, before, &sent);
    expect_error("MPI_Recv",
                 MPI_Recv(&word, 1, MPI_INT, last, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    expect_error("MPI_Allreduce", MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_INT(MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, local), MPI_SUCCESS);
    make_many(local);
    MPI_Recv(&late, 1, MPI_INT, (rank + size - 1) % size, 1, before, MPI_STATUS_IGNORE);
    CHECK_INT(late, (rank + size - 1) % size);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    MPI_Comm_free(&before);
}

static void quiesce(bool last, int root, MPI_Comm local)
{
    char text[MPI_MAX_ERROR_STRING], port[MPI_MAX_PORT_NAME];
    int len, rank, word = 1, sum = 0, err = world_quiesce();

    MPI_Error_string(err, text, &len);
    CHECK(err != MPI_SUCCESS && strstr(text, "this job is connected with"));
    MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_INT(sum, root + 1);
    if (last)
        raise(SIGKILL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    expect_error("MPI_Recv",
                 MPI_Recv(&word, 1, MPI_INT, root, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    MPI_Comm_rank(local, &rank);
    if (rank == 0)
        CHECK_INT(MPI_Open_port(MPI_INFO_NULL, port), MPI_SUCCESS);
    MPI_Barrier(local);
    MPI_Error_string(world_quiesce(), text, &len);
    CHECK(strstr(text, "process 0 of MPI_COMM_WORLD has an open port"));
    if (rank == 0)
        CHECK_INT(MPI_Close_port(port), MPI_SUCCESS);
    MPI_Barrier(local);
    CHECK_INT(world_quiesce(), MPI_SUCCESS);
    CHECK_INT(world_reopen(), MPI_SUCCESS);
    make_many(local);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int rank, size, word = 3;
    MPI_Comm local;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool last = rank == size - 1;
    MPI_Comm_split(MPI_COMM_WORLD, last, rank, &local);
    if (!strcmp(how, "early")) {
        if (rank == 1 && !last) /* longer than it takes to notice the end of a process */
            sleep(2);
        if (rank == 1 && !last)
            MPI_Send(&word, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (!strcmp(how, "quiesce")) {
        quiesce(last, size - 1, local);
    } else if (last) {
        if (!strcmp(how, "kill"))
            raise(SIGKILL);
        MPI_Abort(MPI_COMM_WORLD, 7);
    } else if (!strcmp(how, "kill")) {
        survive(size - 1, local);
    } else {
        MPI_Recv(&word, 1, MPI_INT, size - 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&local);
    MPI_Finalize();
    return 0;
}
