/* end.c — ends a job. The nodes end their processes; the job says when, and for how long output may
 * delay its end. */
#include "pm/mpiexec/job/job_impl.h"
#include "platform/os.h"

enum { LEFTOVERS_MS = 1000, OUTPUT_MS = 2000, READER_MS = 2500, CHECK_MS = 100 };

void pm_signal_ranks(struct pm_job *j, int signal)
{
    for (int i = 0; i < j->hosts; i++)
        pm_host_signal(&j->host[i], signal);
}

void pm_drop_output(struct pm_job *j)
{
    j->run->drop_output = true;
    for (int i = 0; i < j->hosts; i++)
        pm_host_drop_output(&j->host[i]);
}

/* Counts the time in which there is output to write and the reader takes none. */
static void check_reader(struct pm_timer *t)
{
    static uint64_t written;
    static int idle_ms;
    struct pm_job *j = OS_OWNER(t, struct pm_run, reader_timer)->job;
    bool idle = pm_sinks_written() == written && !pm_sinks_empty();

    idle_ms = idle ? idle_ms + CHECK_MS : 0;
    written = pm_sinks_written();
    if (idle_ms >= READER_MS)
        pm_drop_output(j);
    else
        pm_timer_set(t, CHECK_MS, check_reader);
}

void pm_watch_reader(struct pm_job *j)
{
    if (!pm_timer_is_set(&j->run->reader_timer))
        pm_timer_set(&j->run->reader_timer, CHECK_MS, check_reader);
}

void pm_kill_job(struct pm_job *j)
{
    j->ends = true;
    j->run->grace_ms = 0;
    pm_timer_clear(&j->run->grace_timer);
    pm_progress_end(j);
    for (int i = 0; i < j->hosts; i++)
        pm_host_kill(&j->host[i]);
}

void pm_end_job(struct pm_job *j, int signal, enum pm_ending why)
{
    if (j->ends)
        return;
    j->ends = true;
    j->run->grace_ms = pm_grace_ms(j->spec, signal, why);
    pm_timer_clear(&j->run->status_timer);
    pm_progress_end(j);
    for (int i = 0; i < j->hosts; i++)
        pm_host_end(&j->host[i], signal, j->run->grace_ms);
    pm_grace_begin(j);
    if (j->run->status.cause != PM_NO_FAILURE)
        pm_watch_reader(j);
}

static void stop_output(struct pm_timer *t)
{
    pm_drop_output(OS_OWNER(t, struct pm_run, output_timer)->job);
}

void pm_limit_output_wait(struct pm_job *j)
{
    pm_timer_set(&j->run->output_timer, j->run->grace_ms + OUTPUT_MS, stop_output);
}

/* The processes that the ranks left running have not ended within a second. */
static void end_leftovers(struct pm_timer *t)
{
    pm_end_job(OS_OWNER(t, struct pm_run, leftovers)->job, SIGTERM, PM_END_LEFTOVERS);
}

/* The job ends when its ranks have ended. The processes that they have started get one more
 * second, so that the last output of a pipeline in the background is not lost. */
void pm_ranks_ended(struct pm_job *j)
{
    if (j->ends || j->running || j->started < j->size)
        return;
    for (int i = 0; i < j->hosts; i++)
        pm_host_finish(&j->host[i]);
    if (j->run->status.cause != PM_NO_FAILURE)
        pm_watch_reader(j);
    pm_timer_set(&j->run->leftovers, LEFTOVERS_MS, end_leftovers);
}
