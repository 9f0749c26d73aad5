/* signals.c — signals that mpiexec receives, for itself or for the ranks. */
#include "pm/mpiexec/job/job_impl.h"

static struct pm_job *job;

/* A signal such as Ctrl-C sends ends the job. A second one kills it at once. */
static void interrupt_job(int signal, const char *whom)
{
    pm_record_failure(job, &(struct pm_job_status) { PM_INTERRUPTED, -1, signal, whom });
    if (job->ends)
        pm_kill_job(job);
    else
        pm_end_job(job, signal, PM_END_BY_SIGNAL);
    pm_limit_output_wait(job);
}

static void signal_received(int signal)
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
        interrupt_job(signal, NULL);
    }
}

/* A resource manager that ends a job signals the proxies of all its nodes, and not mpiexec: their
 * ranks have as much time. */
void pm_host_signaled(void *owner, int signal)
{
    const struct pm_host *h = owner;

    if (h->job->ends)
        pm_record_failure(job, &(struct pm_job_status) { PM_INTERRUPTED, -1, signal, h->name });
    else
        interrupt_job(signal, h->name);
}

/* The supervisor was killed: ends the job, and drops output, since no process waits for it. */
static void supervisor_ended(void)
{
    pm_record_failure(job, &(struct pm_job_status) { PM_INTERRUPTED, -1, SIGKILL, NULL });
    pm_drop_output(job);
    pm_kill_job(job);
}

int pm_signals_open(struct pm_job *j)
{
    job = j;
    return pm_signals_watch(j->run->signal_pipe,
                            &(struct pm_signal_events) { signal_received, supervisor_ended });
}
