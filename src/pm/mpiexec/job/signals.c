/* signals.c — signals that mpiexec receives, for itself or for the ranks. */
#include "pm/mpiexec/job/job_impl.h"

static struct pm_run *run;

/* A signal such as Ctrl-C sends ends all jobs. A second one kills them at once. */
static void interrupt_run(int signal, const char *whom)
{
    pm_record_failure(run, &(struct pm_status) { PM_INTERRUPTED, NULL, signal, whom });
    if (run->ends)
        pm_kill_run(run);
    else
        pm_end_run(run, signal, PM_END_BY_SIGNAL);
    pm_limit_output_wait(run);
}

static void signal_received(int signal)
{
    switch (signal) {
    case SIGWINCH: /* a rank may have opened the terminal */
        pm_resize_ptys(run);
        pm_signal_ranks(run, signal);
        break;
    case SIGTSTP: /* the terminal does not signal the process groups of the ranks */
    case SIGCONT:
    case SIGUSR1:
    case SIGUSR2:
        pm_signal_ranks(run, signal);
        break;
    default:
        interrupt_run(signal, NULL);
    }
}

/* A resource manager that ends a job signals the proxies of all its nodes, and not mpiexec: their
 * ranks have as much time. */
void pm_host_signaled(void *owner, int signal)
{
    const struct pm_host *h = owner;

    if (run->ends)
        pm_record_failure(run, &(struct pm_status) { PM_INTERRUPTED, NULL, signal, h->name });
    else
        interrupt_run(signal, h->name);
}

/* The supervisor was killed: ends all jobs, and drops output, since no process waits for it. */
static void supervisor_ended(void)
{
    pm_record_failure(run, &(struct pm_status) { PM_INTERRUPTED, NULL, SIGKILL, NULL });
    pm_drop_output(run);
    pm_kill_run(run);
}

int pm_signals_open(struct pm_run *r)
{
    run = r;
    return pm_signals_watch(r->outcome->signal_pipe,
                            &(struct pm_signal_events) { signal_received, supervisor_ended });
}
