/* signals.c — signals that mpiexec receives, for itself or for the ranks.
 *
 * They are taken from the pipe of the supervisor only. Ctrl-C reaches both processes and must count
 * once. */
#include <unistd.h>
#include "job.h"

static struct pm_source supervisor;
static struct pm_job *job;

/* A signal such as Ctrl-C sends ends the job. A second one kills it at once. */
static void interrupt(int signal)
{
    pm_record_failure(job, &(struct pm_job_status) { PM_INTERRUPTED, -1, signal, NULL });
    pm_limit_output_wait(job);
    if (job->ends)
        pm_kill_job(job);
    else
        pm_end_job(job, signal);
}

static void handle_signal(int signal)
{
    switch (signal) {
    case SIGWINCH: /* a rank may have opened the terminal */
        pm_resize_ptys(job);
        pm_signal_ranks(job, signal);
        break;
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

/* The supervisor was killed: ends the job, and drops output, since no process waits for it. */
static void supervisor_ended(void)
{
    pm_loop_drop(job->signal_pipe);
    pm_record_failure(job, &(struct pm_job_status) { PM_INTERRUPTED, -1, SIGKILL, NULL });
    pm_drop_output(job);
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

int pm_signals_open(struct pm_job *j)
{
    job = j;
    supervisor.ready = supervisor_signaled;
    return pm_loop_watch(j->signal_pipe, true, false, &supervisor);
}
