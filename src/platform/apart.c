/* apart.c — starts a program that is no child of this process.
 *
 * The caller may have much memory, may wait for any of its children, and may ignore SIGCHLD. So
 * nothing of its memory is copied: two processes in turn share it (CLONE_VM) while the caller waits
 * (CLONE_VFORK). The first one ends at once, so that the second has another parent. It sends no
 * signal at its end, and waitpid() finds it with __WCLONE alone: the caller's own code does not. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "platform/os.h"

#ifdef __SANITIZE_THREAD__ /* its own clone() takes the new processes for those of fork() */
int __clone(int (*run)(void *), void *stack, int flags, void *arg, ...);
#define clone __clone
#endif

enum { STACK = 1 << 17, NOT_STARTED = 127, FILES_MAX = 1 << 20 };

struct apart {
    const char *path;
    char *const *argv;
    int input;
    char *stack;      /* of both, in halves */
    volatile int err; /* of the start; written by the new processes */
};

/* No handler of the caller may run here. What it ignores stays ignored, as with nohup, but for the
 * two signals that a program needs to see the ends of pipes and children. */
static void default_signals(void)
{
    const struct sigaction usual = { .sa_handler = SIG_DFL };
    struct sigaction now;

    for (int i = 1; i < NSIG; i++)
        if (i == SIGCHLD || i == SIGPIPE
            || (!sigaction(i, NULL, &now) && now.sa_handler != SIG_IGN))
            (void) sigaction(i, &usual, NULL);
}

static void close_files(void)
{
    struct rlimit most = { FILES_MAX, FILES_MAX };

#ifdef SYS_close_range
    if (!syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0))
        return;
#endif
    (void) getrlimit(RLIMIT_NOFILE, &most);
    for (int fd = STDERR_FILENO + 1; fd < FILES_MAX && (rlim_t) fd < most.rlim_cur; fd++)
        (void) close(fd);
}

static int run_program(void *arg)
{
    struct apart *a = arg;
    sigset_t none;

    default_signals();
    if (dup2(a->input, STDIN_FILENO) >= 0) {
        close_files();
        (void) sigemptyset(&none);
        (void) sigprocmask(SIG_SETMASK, &none, NULL);
        (void) execve(a->path, a->argv, environ);
    }
    a->err = errno;
    return NOT_STARTED;
}

static int run_between(void *arg)
{
    struct apart *a = arg;

    if (clone(run_program, a->stack + STACK / 2, CLONE_VM | CLONE_VFORK | SIGCHLD, a) < 0)
        a->err = errno;
    return 0;
}

int os_start_apart(const char *path, char *const argv[], int input)
{
    struct apart a = { path, argv, input, aligned_alloc(OS_LINE, STACK), 0 };
    sigset_t all, before;

    if (!a.stack)
        return -ENOMEM;
    (void) sigfillset(&all); /* no handler of the caller may run in the new processes */
    (void) pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = clone(run_between, a.stack + STACK, CLONE_VM | CLONE_VFORK, &a);
    if (pid < 0)
        a.err = errno;
    else
        while (waitpid(pid, NULL, __WCLONE) < 0 && errno == EINTR)
            continue;
    (void) pthread_sigmask(SIG_SETMASK, &before, NULL);
    free(a.stack);
    return -a.err;
}
