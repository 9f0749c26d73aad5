/* spawn_single.c — spawns of a program that was started without a launcher: for
 * spawn_single_test.py.
 *
 * odd         it ignores SIGCHLD, has closed its standard input, and a thread that ends spawns; no
 *             process that MPI starts is its child
 * waits       its children wait for it, and it waits for a signal
 * cannot      the spawn fails: prints why */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "spawn.h"

enum { CHILDREN = 2 };

static char *program;
static MPI_Comm of_thread;

static void *spawn_and_end(void *arg)
{
    (void) arg;
    of_thread = spawn_role(program, "odd", CHILDREN, MPI_COMM_SELF);
    return NULL;
}

static void check_universe(void)
{
    int *universe, given = 0;

    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &given);
    CHECK(given && *universe == (int) sysconf(_SC_NPROCESSORS_ONLN));
}

static void check_surroundings(void)
{
    struct sigaction now;
    sigset_t blocked;

    CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
    CHECK(!sigaction(SIGCHLD, NULL, &now) && now.sa_handler == SIG_IGN);
    CHECK(!pthread_sigmask(SIG_SETMASK, NULL, &blocked) && !sigismember(&blocked, SIGTERM));
}

static void spawn_oddly(void)
{
    MPI_Comm inter;
    pthread_t thread;

    CHECK(!pthread_create(&thread, NULL, spawn_and_end, NULL));
    CHECK(!pthread_join(thread, NULL));
    check_surroundings();
    (void) usleep(300000); /* what would end with the thread has ended */
    inter = spawn_role(program, "odd", 1, MPI_COMM_WORLD);
    spawn_exchange(of_thread);
    spawn_exchange(inter);
    spawn_leave(&of_thread);
    spawn_leave(&inter);
    check_universe();
}

static void spawn_in_vain(void)
{
    char text[MPI_MAX_ERROR_STRING];
    int len, class;
    MPI_Comm inter;

    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (int i = 0; i < 2; i++) {
        int err = MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter,
                                 MPI_ERRCODES_IGNORE);
        MPI_Error_class(err, &class);
        CHECK_INT(class, MPI_ERR_SPAWN);
        MPI_Error_string(err, text, &len);
        printf("%s\n", text);
    }
}

static void child(MPI_Comm parent, const char *mode)
{
    if (!strcmp(mode, "waits"))
        MPI_Barrier(parent);
    spawn_exchange(parent);
    spawn_leave(&parent);
}

int main(int argc, char **argv)
{
    int threads;
    const char *mode = argc > 1 ? argv[1] : "";

    program = argv[0];
    if (!strcmp(mode, "odd") && !getenv("PMI_FD")) {
        (void) signal(SIGCHLD, SIG_IGN);
        (void) close(STDIN_FILENO);
    }
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &threads);
    MPI_Comm parent = spawn_parent();
    if (parent != MPI_COMM_NULL) {
        child(parent, mode);
    } else if (!strcmp(mode, "odd")) {
        spawn_oddly();
    } else if (!strcmp(mode, "cannot")) {
        spawn_in_vain();
    } else {
        (void) spawn_role(program, mode, CHILDREN, MPI_COMM_SELF);
        printf("spawned\n");
        fflush(stdout);
        (void) pause();
    }
    MPI_Finalize();
    return 0;
}
