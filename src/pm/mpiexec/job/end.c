/* end.c — ends all jobs. The nodes end their processes; mpiexec says when, and for how long output
 * may delay its end. */
#include <signal.h>
#include "pm/mpiexec/job/job_impl.h"
#include "platform/os.h"

enum { LEFTOVERS_MS = 1000, OUTPUT_MS = 2000, READER_MS = 2500, CHECK_MS = 100 };

void pm_signal_ranks(struct pm_run *r, int signal)
{
    for (int i = 0; i < r->hosts; i++)
        pm_host_signal(r->host[i], PM_ALL_JOBS, signal);
}

void pm_drop_output(struct pm_run *r)
{
    r->outcome->drop_output = true;
    for (int i = 0; i < r->hosts; i++)
        pm_host_drop_output(r->host[i]);
}

/* Counts the time in which there is output to write and the reader takes none. */
static void check_reader(struct pm_timer *t)
{
    static uint64_t written;
    static int idle_ms;
    struct pm_run *r = OS_OWNER(t, struct pm_outcome, reader_timer)->run;
    bool idle = pm_sinks_written() == written && !pm_sinks_empty();

    idle_ms = idle ? idle_ms + CHECK_MS : 0;
    written = pm_sinks_written();
    if (idle_ms >= READER_MS)
        pm_drop_output(r);
    else
        pm_timer_set(t, CHECK_MS, check_reader);
}

void pm_watch_reader(struct pm_run *r)
{
    struct pm_timer *t = &r->outcome->reader_timer;

    if (!pm_timer_is_set(t))
        pm_timer_set(t, CHECK_MS, check_reader);
}

void pm_kill_run(struct pm_run *r)
{
    r->ends = true;
    r->outcome->grace_ms = 0;
    pm_timer_clear(&r->outcome->grace_timer);
    pm_progress_end(r);
    for (int i = 0; i < r->hosts; i++)
        pm_host_kill(r->host[i]);
}

void pm_end_run(struct pm_run *r, int signal, enum pm_ending why)
{
    struct pm_outcome *o = r->outcome;

    if (r->ends)
        return;
    r->ends = true;
    pm_abandon_all(r, "mpiexec ends all jobs");
    o->grace_ms = pm_grace_ms(r->spec, signal, why);
    pm_timer_clear(&o->status_timer);
    pm_progress_end(r);
    for (int i = 0; i < r->hosts; i++)
        pm_host_end(r->host[i], signal, o->grace_ms);
    pm_grace_begin(r);
    if (o->status.cause != PM_NO_FAILURE)
        pm_watch_reader(r);
}

static void job_signal(const struct pm_job *j, int signal)
{
    for (int i = 0; i < j->parts; i++)
        pm_host_signal(j->part[i].host, j->number, signal);
}

static void kill_job(struct pm_timer *t)
{
    job_signal(OS_OWNER(t, struct pm_job, end_timer), SIGKILL);
}

void pm_end_job(struct pm_job *j)
{
    j->ends = true;
    pm_log("%s; the other jobs go on", j->failure ? j->failure : "a job has failed");
    pm_stop_starting(j);
    job_signal(j, SIGTERM);
    job_signal(j, SIGCONT); /* a stopped process does not handle signals */
    pm_timer_set(&j->end_timer, pm_grace_ms(j->run->spec, SIGTERM, PM_END_BY_FAILURE), kill_job);
}

static void stop_output(struct pm_timer *t)
{
    pm_drop_output(OS_OWNER(t, struct pm_outcome, output_timer)->run);
}

void pm_limit_output_wait(struct pm_run *r)
{
    pm_timer_set(&r->outcome->output_timer, r->outcome->grace_ms + OUTPUT_MS, stop_output);
}

/* The processes that the ranks left running have not ended within a second. */
static void end_leftovers(struct pm_timer *t)
{
    pm_end_run(OS_OWNER(t, struct pm_outcome, leftovers)->run, SIGTERM, PM_END_LEFTOVERS);
}

/* The run ends when the ranks of all jobs have ended. The processes that they have started get one
 * more second, so that the last output of a pipeline in the background is not lost. */
void pm_ranks_ended(struct pm_run *r)
{
    if (r->ends || r->running || r->starting)
        return;
    for (int i = 0; i < r->hosts; i++)
        pm_host_finish(r->host[i]);
    if (r->outcome->status.cause != PM_NO_FAILURE)
        pm_watch_reader(r);
    pm_timer_set(&r->outcome->leftovers, LEFTOVERS_MS, end_leftovers);
}
