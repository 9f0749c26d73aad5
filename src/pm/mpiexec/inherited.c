/* inherited.c — ends inherited children: processes that ranks have started and whose parent has
 * ended.
 *
 * They may be in any process group or session. This process is a child subreaper and therefore
 * their parent. */
#include <unistd.h>
#include "job.h"

static struct pm_pids signaled; /* the children when inherited ones were last signaled */

/* Whether pm_signal_ranks() signals this process. */
static bool in_group_of_rank(const struct pm_job *j, pid_t pid)
{
    pid_t group = getpgid(pid);

    for (int i = 0; i < j->started; i++)
        if (j->rank[i].pid == group && j->rank[i].state != PM_RANK_ENDED)
            return true;
    return false;
}

/* Signals each inherited child once only: a program that cleans up is not interrupted again. */
static void signal_once(struct pm_job *j, struct pm_pids *now)
{
    for (size_t i = 0; i < now->n; i++) {
        if (pm_pids_contain(&signaled, now->pid[i]) || in_group_of_rank(j, now->pid[i]))
            continue;
        (void) kill(now->pid[i], j->end_signal);
        (void) kill(now->pid[i], SIGCONT);
    }
    struct pm_pids before = signaled;
    signaled = *now;
    *now = before;
}

void pm_end_inherited(struct pm_job *j)
{
    static struct pm_pids now;

    if (j->phase == PM_JOB_RUNS)
        return;
    j->unlisted = pm_children(&now);
    if (j->phase == PM_JOB_TERMINATING)
        signal_once(j, &now);
    else
        for (size_t i = 0; i < now.n; i++)
            (void) kill(now.pid[i], SIGKILL);
}
