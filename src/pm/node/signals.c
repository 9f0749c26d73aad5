/* signals.c — the signals that mpiexec takes, for itself or for the ranks, and their names. */
#include <errno.h>
#include <stdio.h>
#include "pm/node/supervisor.h"

static const int forwarded[] = { SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGTSTP,
                                 SIGCONT, SIGUSR1, SIGUSR2, SIGWINCH };

int pm_signals_block(struct pm_signals *before, sigset_t *handled)
{
    struct sigaction ignore = { .sa_handler = SIG_IGN }, child = { .sa_handler = SIG_DFL };
    struct sigaction now;

    (void) sigemptyset(handled);
    (void) sigaddset(handled, SIGCHLD);
    for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++)
        if (sigaction(forwarded[i], NULL, &now) || now.sa_handler != SIG_IGN)
            (void) sigaddset(handled, forwarded[i]); /* nohup and the "&" of a shell ignore some */
    child.sa_flags = SA_NOCLDSTOP;
    (void) sigaction(SIGCHLD, &child, NULL); /* while it is ignored, there are no exit codes */
    (void) sigaction(SIGPIPE, &ignore, &before->sigpipe);
    return sigprocmask(SIG_BLOCK, handled, &before->mask) ? -errno : 0;
}

const char *pm_signal_name(int signal)
{
    static const char *const name[] = {
        [SIGHUP] = "SIGHUP",   [SIGINT] = "SIGINT",   [SIGQUIT] = "SIGQUIT", [SIGILL] = "SIGILL",
        [SIGTRAP] = "SIGTRAP", [SIGABRT] = "SIGABRT", [SIGBUS] = "SIGBUS",   [SIGFPE] = "SIGFPE",
        [SIGKILL] = "SIGKILL", [SIGUSR1] = "SIGUSR1", [SIGSEGV] = "SIGSEGV", [SIGUSR2] = "SIGUSR2",
        [SIGPIPE] = "SIGPIPE", [SIGALRM] = "SIGALRM", [SIGTERM] = "SIGTERM", [SIGXCPU] = "SIGXCPU",
        [SIGXFSZ] = "SIGXFSZ", [SIGSYS] = "SIGSYS",
    };
    static char other[32];

    if (signal >= 0 && signal < (int) (sizeof name / sizeof *name) && name[signal])
        return name[signal];
    (void) snprintf(other, sizeof other, "signal %d", signal);
    return other;
}
