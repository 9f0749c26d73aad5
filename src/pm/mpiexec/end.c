/* end.c — ends a job: sends a signal that processes can handle, and one second later SIGKILL.
 *
 * The job runs until its ranks have ended; it is then PM_JOB_RUNS still. pm_end_job() makes it
 * PM_JOB_TERMINATING, a second later pm_kill_job() makes it PM_JOB_KILLING. Processes that
 * SIGKILL does not end within 10 s are left, and the job is PM_JOB_ABANDONED. */
#include <string.h>
#include "job.h"
#include "os.h"

enum { TERMINATE_MS = 1000, KILL_MS = 10000, OUTPUT_MS = 3000, READER_MS = 2500, CHECK_MS = 100 };

void pm_signal_ranks(struct pm_job *j, int signal)
{
    for (int i = 0; i < j->started; i++)
        if (j->rank[i].state == PM_RANK_RUNS || j->rank[i].state == PM_RANK_LEFT_CHILDREN)
            (void) kill(-j->rank[i].pid, signal);
}

/* Gives up: a process can hang in the kernel, for instance on a file server that does not
 * answer. */
static void abandon(struct pm_job *j)
{
    for (int i = 0; i < j->started; i++)
        if (j->rank[i].state == PM_RANK_RUNS)
            pm_log("rank %d (process %d) has not ended after SIGKILL", i, (int) j->rank[i].pid);
    if (!j->running && !j->unlisted)
        pm_log("processes that the ranks have started have not ended after SIGKILL");
    if (j->unlisted)
        pm_log(
            "processes that the ranks have started may stay: the list of children in /proc cannot "
            "be read (%s)",
            strerror(-j->unlisted));
    j->phase = PM_JOB_ABANDONED;
}

static void give_up(struct pm_timer *t) { abandon(OS_OWNER(t, struct pm_job, kill_timer)); }

void pm_kill_job(struct pm_job *j)
{
    if (j->phase == PM_JOB_KILLING || j->phase == PM_JOB_ABANDONED)
        return;
    j->phase = PM_JOB_KILLING;
    pm_signal_ranks(j, SIGKILL);
    pm_reap(j); /* kills inherited children; a process may have left its group meanwhile */
    pm_timer_set(&j->kill_timer, KILL_MS, give_up);
}

/* Counts the time in which there is output to write and the reader takes none. */
static void check_reader(struct pm_timer *t)
{
    static uint64_t written;
    static int idle_ms;
    struct pm_job *j = OS_OWNER(t, struct pm_job, reader_timer);
    bool idle = pm_sinks_written() == written && !pm_sinks_empty();

    idle_ms = idle ? idle_ms + CHECK_MS : 0;
    written = pm_sinks_written();
    if (idle_ms >= READER_MS)
        j->drop_output = true;
    else
        pm_timer_set(t, CHECK_MS, check_reader);
}

void pm_watch_reader(struct pm_job *j)
{
    if (!pm_timer_is_set(&j->reader_timer))
        pm_timer_set(&j->reader_timer, CHECK_MS, check_reader);
}

static void kill_now(struct pm_timer *t) { pm_kill_job(OS_OWNER(t, struct pm_job, kill_timer)); }

void pm_end_job(struct pm_job *j, int signal)
{
    if (j->phase != PM_JOB_RUNS)
        return;
    j->phase = PM_JOB_TERMINATING;
    j->end_signal = signal;
    pm_timer_clear(&j->status_timer);
    pm_signal_ranks(j, signal);
    pm_signal_ranks(j, SIGCONT); /* a stopped process does not handle signals */
    pm_end_inherited(j);
    if (j->status.cause != PM_NO_FAILURE)
        pm_watch_reader(j);
    pm_timer_set(&j->kill_timer, TERMINATE_MS, kill_now);
}

static void stop_output(struct pm_timer *t)
{
    OS_OWNER(t, struct pm_job, output_timer)->drop_output = true;
}

void pm_limit_output_wait(struct pm_job *j)
{
    if (!pm_timer_is_set(&j->output_timer))
        pm_timer_set(&j->output_timer, OUTPUT_MS, stop_output);
}

/* The processes that the ranks left running have not ended within a second. */
static void end_leftovers(struct pm_timer *t)
{
    pm_end_job(OS_OWNER(t, struct pm_job, leftovers), SIGTERM);
}

/* The job ends when its ranks have ended. The processes that they have started get one more
 * second, so that the last output of a pipeline in the background is not lost. */
bool pm_job_over(struct pm_job *j)
{
    if (j->phase == PM_JOB_ABANDONED)
        return true;
    if (j->running || (j->phase == PM_JOB_RUNS && j->started < j->size))
        return false;
    if (!j->children)
        return true;
    if (j->phase == PM_JOB_KILLING && j->unlisted && !j->groups_left) {
        abandon(j); /* the children that are left cannot be found */
        return true;
    }
    if (j->phase == PM_JOB_RUNS && !pm_timer_is_set(&j->leftovers))
        pm_timer_set(&j->leftovers, TERMINATE_MS, end_leftovers);
    return false;
}
