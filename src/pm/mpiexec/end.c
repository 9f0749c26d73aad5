/* end.c — ending a job: a signal that asks, one second later one that does not. */
#include "job.h"
#include "os.h"

enum {
    PATIENCE_MS = 1000,
    UNKILLABLE_MS = 10000,
    LAST_WORDS_MS = 3000,
    READER_MS = 2500,
    LOOK_AGAIN_MS = 100
};

void pm_signal_ranks(struct pm_job *j, int signal)
{
    for (int i = 0; i < j->started; i++)
        if (j->rank[i].life == PM_RUNS || j->rank[i].life == PM_SURVIVED)
            (void) kill(-j->rank[i].pid, signal);
}

/* A process can hang in the kernel, on a dead file server for instance. */
static void leave(struct pm_timer *t)
{
    struct pm_job *j = OS_OWNER(t, struct pm_job, escalate);

    for (int i = 0; i < j->started; i++)
        if (j->rank[i].life == PM_RUNS)
            pm_say("rank %d (process %d) does not even die of SIGKILL", i, (int) j->rank[i].pid);
    if (!j->running)
        pm_say("processes that the ranks have started do not even die of SIGKILL");
    j->phase = PM_LEAVING;
}

void pm_kill(struct pm_job *j)
{
    if (j->phase == PM_KILLING || j->phase == PM_LEAVING)
        return;
    j->phase = PM_KILLING;
    pm_signal_ranks(j, SIGKILL);
    pm_end_adopted(j);
    pm_timer_set(&j->escalate, UNKILLABLE_MS, leave);
}

/* The time passes only while there is output and nobody takes any. */
static void look_at_reader(struct pm_timer *t)
{
    static uint64_t written;
    static int idle_ms;
    struct pm_job *j = OS_OWNER(t, struct pm_job, reader);
    bool idle = pm_sinks_written() == written && !pm_sinks_empty();

    idle_ms = idle ? idle_ms + LOOK_AGAIN_MS : 0;
    written = pm_sinks_written();
    if (idle_ms >= READER_MS)
        j->in_a_hurry = true;
    else
        pm_timer_set(t, LOOK_AGAIN_MS, look_at_reader);
}

void pm_await_reader(struct pm_job *j)
{
    if (!pm_timer_is_set(&j->reader))
        pm_timer_set(&j->reader, LOOK_AGAIN_MS, look_at_reader);
}

static void insist(struct pm_timer *t) { pm_kill(OS_OWNER(t, struct pm_job, escalate)); }

void pm_end(struct pm_job *j, int signal)
{
    if (j->phase != PM_GOING)
        return;
    j->phase = PM_ENDING;
    j->asked = signal;
    pm_timer_clear(&j->verdict_wait);
    pm_signal_ranks(j, signal);
    pm_signal_ranks(j, SIGCONT); /* a stopped process would not notice */
    pm_end_adopted(j);
    if (j->verdict.cause != PM_NO_FAILURE)
        pm_await_reader(j);
    pm_timer_set(&j->escalate, PATIENCE_MS, insist);
}

static void hurry(struct pm_timer *t) { OS_OWNER(t, struct pm_job, hurry)->in_a_hurry = true; }

void pm_hurry(struct pm_job *j)
{
    if (!pm_timer_is_set(&j->hurry))
        pm_timer_set(&j->hurry, LAST_WORDS_MS, hurry);
}

/* What the ranks have left running had its second. */
static void clear_away(struct pm_timer *t) { pm_end(OS_OWNER(t, struct pm_job, linger), SIGTERM); }

/* The job is over with its ranks; what they have started may take a second to end as well, so that
 * the last words of a pipeline in the background are not lost. */
bool pm_over(struct pm_job *j)
{
    if (j->phase == PM_LEAVING)
        return true;
    if (j->running || (j->phase == PM_GOING && j->started < j->size))
        return false;
    if (!j->children)
        return true;
    if (j->phase == PM_GOING && !pm_timer_is_set(&j->linger))
        pm_timer_set(&j->linger, PATIENCE_MS, clear_away);
    return false;
}
