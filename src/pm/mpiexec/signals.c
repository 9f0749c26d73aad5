/* signals.c — the signals that mpiexec gets, for itself or for the ranks. */
#include <errno.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include "job.h"

static const int handled[] = { SIGCHLD, SIGINT,  SIGTERM, SIGHUP, SIGQUIT,
                               SIGTSTP, SIGCONT, SIGUSR1, SIGUSR2 };

static struct pm_source source;
static struct pm_job *job;
static int fd = -1;

/* Ctrl-C and its relatives. The second one does not wait. */
static void end(int signal)
{
    pm_note(job, &(struct pm_verdict) { PM_TOLD, -1, signal, NULL });
    pm_hurry(job);
    if (job->phase == PM_GOING)
        pm_end(job, signal);
    else
        pm_kill(job);
}

/* The ranks first: they are in process groups of their own, which the terminal does not reach. */
static void stop(void)
{
    pm_signal_ranks(job, SIGTSTP);
    (void) kill(getpid(), SIGSTOP);
}

static void handle(int signal)
{
    switch (signal) {
    case SIGCHLD:
        pm_reap(job);
        break;
    case SIGTSTP:
        stop();
        break;
    case SIGCONT:
    case SIGUSR1:
    case SIGUSR2:
        pm_signal_ranks(job, signal);
        break;
    default:
        end(signal);
    }
}

static void ready(struct pm_source *s)
{
    struct signalfd_siginfo info[16];
    ssize_t n = read(fd, info, sizeof info);

    (void) s;
    for (ssize_t i = 0; i < n / (ssize_t) sizeof *info; i++)
        handle((int) info[i].ssi_signo);
}

int pm_signals_open(struct pm_job *j)
{
    struct sigaction ignore = { .sa_handler = SIG_IGN }, child = { .sa_handler = SIG_DFL };
    struct sigaction now;
    sigset_t set;

    job = j;
    (void) sigemptyset(&set);
    for (size_t i = 0; i < sizeof handled / sizeof *handled; i++) {
        bool ignored = !sigaction(handled[i], NULL, &now) && now.sa_handler == SIG_IGN;
        if (!ignored || handled[i] == SIGCHLD) /* nohup, and a shell's "&" */
            (void) sigaddset(&set, handled[i]);
    }
    child.sa_flags = SA_NOCLDSTOP;
    (void) sigaction(SIGCHLD, &child, NULL); /* if it was ignored, there were no statuses */
    (void) sigaction(SIGPIPE, &ignore, &j->on_pipe);
    if (sigprocmask(SIG_BLOCK, &set, &j->mask))
        return -errno;
    fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0)
        return -errno;
    source.ready = ready;
    pm_loop_favour(&source);
    return pm_loop_watch(fd, true, false, &source);
}
