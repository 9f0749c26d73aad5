/* spawn_ends.c — how a job and the one that it has spawned end: for spawn_ends_test.py.
 *
 * aborts      the child calls MPI_Abort, while its parent waits for it
 * left        the child goes on after its parent, from which it has disconnected, has ended
 * joined      a parent that has not disconnected waits in MPI_Finalize for the child
 * gone        the parent is killed while it waits for its child, which prints its process id
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
