/* signals.c — signals that mpiexec receives, for itself or for the ranks.
 *
 * They are taken from the pipe of the supervisor only. Ctrl-C reaches both processes and must count
 * once. */
#include <errno.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include "job.h"

static const int forwarded[] = { SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,
                                 SIGTSTP, SIGCONT, SIGUSR1, SIGUSR2 };

static struct pm_source children, supervisor;
static struct pm_job *job;
static int child_fd = -1; /* signalfd of SIGCHLD */

/* A signal such as Ctrl-C sends ends the job. A second one kills it at once. */
static void interrupt(int signal)
{
    pm_record_failure(job, &(struct pm_job_status) { PM_INTERRUPTED, -1, signal, NULL });
    pm_limit_output_wait(job);
    if (job->phase == PM_JOB_RUNS)
        pm_end_job(job, signal);
    else
        pm_kill_job(job);
}

static void handle_signal(int signal)
{
    switch (signal) {
    case SIGTSTP: /* the terminal does not signal the process groups of the ranks */
    case SIGCONT:
    case SIGUSR1:
    case SIGUSR2:
        pm_signal_ranks(job, signal);
        break;
    default:
        interrupt(signal);
    }
}

static void child_ended(struct pm_source *s)
{
    struct signalfd_siginfo info[16];

    (void) s;
    (void) !read(child_fd, info, sizeof info);
    pm_reap(job);
}

/* The supervisor was killed: ends the job, and drops output, since no process waits for it. */
static void supervisor_ended(void)
{
    pm_loop_drop(job->signal_pipe);
    pm_record_failure(job, &(struct pm_job_status) { PM_INTERRUPTED, -1, SIGKILL, NULL });
    job->drop_output = true;
    pm_kill_job(job);
}

static void supervisor_signaled(struct pm_source *s)
{
    unsigned char signal[16];
    ssize_t n = read(job->signal_pipe, signal, sizeof signal);

    (void) s;
    for (ssize_t i = 0; i < n; i++)
        handle_signal(signal[i]);
    if (!n)
        supervisor_ended();
}

int pm_signals_block(struct pm_job *j, sigset_t *handled)
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
    (void) sigaction(SIGPIPE, &ignore, &j->sigpipe);
    return sigprocmask(SIG_BLOCK, handled, &j->mask) ? -errno : 0;
}

int pm_signals_open(struct pm_job *j)
{
    sigset_t child;

    job = j;
    (void) sigemptyset(&child);
    (void) sigaddset(&child, SIGCHLD);
    child_fd = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    if (child_fd < 0)
        return -errno;
    children.ready = child_ended;
    supervisor.ready = supervisor_signaled;
    pm_loop_prioritize(&children);
    int err = pm_loop_watch(child_fd, true, false, &children);
    return err ? err : pm_loop_watch(j->signal_pipe, true, false, &supervisor);
}
