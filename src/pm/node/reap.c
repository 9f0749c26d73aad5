/* reap.c — waits for processes that have ended.
 *
 * This process is a child subreaper: a process that a rank has started becomes its child when
 * its own parent ends. It can therefore end all processes of the job and leaves no zombie. Each
 * of its children is a rank, an inherited child, or one that was kept (children.c). */
#include <errno.h>
#include <sys/wait.h>
#include "pm/node/pm_node_impl.h"

static bool group_exists(pid_t group) { return !kill(-group, 0) || errno == EPERM; }

static void check_group(struct pm_node *n, struct pm_process *p)
{
    bool lives = group_exists(p->pid);

    if (p->state == PM_PROCESS_LEFT_CHILDREN && !lives)
        n->groups_left--;
    if (p->state == PM_PROCESS_RUNS && lives)
        n->groups_left++;
    p->state = lives ? PM_PROCESS_LEFT_CHILDREN : PM_PROCESS_ENDED;
}

/* Reads the PMI requests that the process sent before its end, such as finalize. */
static void finish_process(struct pm_node *n, struct pm_process *p, int status)
{
    char last[PM_LAST_CALL] = "";

    n->running--;
    check_group(n, p);
    pm_link_drain(p);
    if (WIFSIGNALED(status))
        pm_calls_describe(p, last);
    pm_calls_close(p);
    if (p->started)
        n->events.exited(n->events.owner, p->number, status, last);
    pm_link_close(p);
    pm_process_close_input(p);
}

static void child_exited(struct pm_node *n, pid_t pid, int status)
{
    for (int i = 0; i < n->processes; i++) {
        if (n->process[i] && n->process[i]->pid == pid && n->process[i]->state == PM_PROCESS_RUNS) {
            finish_process(n, n->process[i], status);
            return;
        }
    }
    pm_child_ended(pid, status);
}

/* When a process ends, the kernel moves its children to this process before it reports the end. The
 * children that are left are therefore always seen here. */
void pm_reap(struct pm_node *n)
{
    pid_t pid;
    int status;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        child_exited(n, pid, status);
    n->children = !pid;
    for (int i = 0; i < n->processes && n->groups_left; i++)
        if (n->process[i] && n->process[i]->state == PM_PROCESS_LEFT_CHILDREN)
            check_group(n, n->process[i]);
    if (n->children)
        pm_end_inherited(n);
}
