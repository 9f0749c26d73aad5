/* end.c — ends the processes of a node: sends a signal that they can handle, and SIGKILL when their
 * time is over.
 *
 * A node is PM_NODE_RUNS until it is told to end its processes. pm_node_end() makes it
 * PM_NODE_TERMINATING, later pm_node_kill() makes it PM_NODE_KILLING. Processes that SIGKILL does
 * not end within 10 s are left, and the node is PM_NODE_ABANDONED. */
#include <string.h>
#include "pm/node/log.h"
#include "platform/os.h"
#include "pm/node/pm_node_impl.h"

enum { KILL_MS = 10000, NS_PER_MS = 1000000 };

void pm_node_signal(struct pm_node *n, int job, int signal)
{
    for (int i = 0; i < n->processes; i++) {
        const struct pm_process *p = n->process[i];
        if (p && p->state != PM_PROCESS_ENDED && (job == PM_ALL_JOBS || p->job == job))
            (void) kill(-p->pid, signal);
    }
}

/* Gives up: a process can hang in the kernel, for instance on a file server that does not
 * answer. */
static void node_abandon(struct pm_node *n)
{
    char name[PM_RANK_NAME];

    for (int i = 0; i < n->processes; i++) {
        const struct pm_process *p = n->process[i];
        if (p && p->state == PM_PROCESS_RUNS)
            pm_log("%s (process %d) has not ended after SIGKILL",
                   pm_rank_name(p->job, p->rank, name), (int) p->pid);
    }
    if (!n->running && !n->unlisted)
        pm_log("processes that the ranks have started have not ended after SIGKILL");
    if (n->unlisted)
        pm_log(
            "processes that the ranks have started may stay: the list of children in /proc cannot "
            "be read (%s)",
            strerror(-n->unlisted));
    n->phase = PM_NODE_ABANDONED;
    pm_node_check(n);
}

static void give_up(struct pm_timer *t)
{
    struct pm_node *n = OS_OWNER(t, struct pm_node, kill_timer);

    if (!n->reading_rest)
        node_abandon(n);
}

void pm_node_kill(struct pm_node *n)
{
    if (n->phase == PM_NODE_KILLING || n->phase == PM_NODE_ABANDONED)
        return;
    n->phase = PM_NODE_KILLING;
    pm_node_signal(n, PM_ALL_JOBS, SIGKILL);
    pm_reap(n); /* kills inherited children; a process may have left its group meanwhile */
    pm_node_check(n);
    pm_timer_set(&n->kill_timer, KILL_MS, give_up);
}

static void node_kill_on_timer(struct pm_timer *t)
{
    pm_node_kill(OS_OWNER(t, struct pm_node, kill_timer));
}

static void kill_in(struct pm_node *n, int ms)
{
    n->kill_ns = os_time_ns() + (uint64_t) ms * NS_PER_MS;
    pm_timer_set(&n->kill_timer, ms, node_kill_on_timer);
}

/* The group of a process counts as the process: a program that saves its state may be the child of
 * a shell that the signal has ended. */
void pm_node_limit_leftovers(struct pm_node *n)
{
    uint64_t limit = os_time_ns() + (uint64_t) n->leftovers_ms * NS_PER_MS;

    if (n->phase == PM_NODE_TERMINATING && !n->running && !n->groups_left && limit < n->kill_ns)
        kill_in(n, n->leftovers_ms);
}

void pm_node_end(struct pm_node *n, int signal, int grace_ms)
{
    if (n->phase != PM_NODE_RUNS)
        return;
    n->phase = PM_NODE_TERMINATING;
    n->end_signal = signal;
    pm_node_signal(n, PM_ALL_JOBS, signal);
    pm_node_signal(n, PM_ALL_JOBS, SIGCONT); /* a stopped process does not handle signals */
    pm_end_inherited(n);
    kill_in(n, grace_ms);
    pm_node_check(n);
}

void pm_node_finish(struct pm_node *n)
{
    n->finishing = true;
    pm_node_check(n);
}

bool pm_processes_ended(struct pm_node *n)
{
    if (n->phase == PM_NODE_ABANDONED)
        return true;
    if (n->running || (n->phase == PM_NODE_RUNS && !n->finishing))
        return false;
    if (n->children && n->phase == PM_NODE_KILLING && n->unlisted && !n->groups_left)
        node_abandon(n); /* the children that are left cannot be found */
    return !n->children || n->phase == PM_NODE_ABANDONED;
}
