/* signals.c — X05: MPI does not change the program's signals: handled, ignored and blocked signals
 * stay so, the others keep their default.
 *
 * MPICH 4.0 fails: UCX handles SIGSEGV and its like. */
#include <signal.h>
#include "mpitest.h"

enum { SIGNALS = 65 };

static volatile sig_atomic_t seen;

static void count(int sig)
{
    (void) sig;
    seen++;
}

static void look(struct sigaction *all, sigset_t *blocked)
{
    memset(all, 0, SIGNALS * sizeof *all);
    for (int i = 1; i < SIGNALS; i++)
        (void) sigaction(i, NULL, &all[i]);
    sigprocmask(SIG_BLOCK, NULL, blocked);
}

static void same(const struct sigaction *before, const sigset_t *was)
{
    static struct sigaction now[SIGNALS];
    sigset_t blocked;

    look(now, &blocked);
    for (int i = 1; i < SIGNALS; i++) {
        CHECK(now[i].sa_handler == before[i].sa_handler);
        CHECK_INT(sigismember(&blocked, i), sigismember(was, i));
    }
}

int main(int argc, char **argv)
{
    static struct sigaction before[SIGNALS];
    sigset_t blocked;
    int x = 0;

    signal(SIGUSR1, count);
    signal(SIGUSR2, SIG_IGN);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGHUP);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    look(before, &blocked);
    MPI_Init(&argc, &argv);
    same(before, &blocked);
    raise(SIGUSR1);
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
    raise(SIGUSR1);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(seen, 2);
    same(before, &blocked);
    MPI_Finalize();
    return 0;
}
