/* inherited.c — ends inherited children: processes that ranks have started and whose parent has
 * ended.
 *
 * They may be in any process group or session. This process is a child subreaper and therefore
 * their parent. */
#include <unistd.h>
#include "pm/node/pm_node_impl.h"

static struct pm_pids signaled; /* the children when inherited ones were last signaled */

/* Whether pm_node_signal() signals this process. */
static bool in_group_of_rank(const struct pm_node *n, pid_t pid)
{
    pid_t group = getpgid(pid);

    for (int i = 0; i < n->processes; i++)
        if (n->process[i] && n->process[i]->pid == group
            && n->process[i]->state != PM_PROCESS_ENDED)
            return true;
    return false;
}

/* Signals each inherited child once only: a program that cleans up is not interrupted again. */
static void signal_once(struct pm_node *n, struct pm_pids *now)
{
    for (size_t i = 0; i < now->n; i++) {
        if (pm_pids_contain(&signaled, now->pid[i]) || in_group_of_rank(n, now->pid[i])
            || pm_child_is_kept(now->pid[i]))
            continue;
        (void) kill(now->pid[i], n->end_signal);
        (void) kill(now->pid[i], SIGCONT);
    }
    struct pm_pids before = signaled;
    signaled = *now;
    *now = before;
}

void pm_end_inherited(struct pm_node *n)
{
    static struct pm_pids now;

    if (n->phase == PM_NODE_RUNS)
        return;
    n->unlisted = pm_children(&now);
    if (n->phase == PM_NODE_TERMINATING)
        signal_once(n, &now);
    else
        for (size_t i = 0; i < now.n; i++)
            if (!pm_child_is_kept(now.pid[i]))
                (void) kill(now.pid[i], SIGKILL);
}
