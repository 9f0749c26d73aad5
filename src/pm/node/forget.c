/* forget.c — a job that the owner needs no more leaves nothing here, when its processes and their
 * groups have ended and all their output has been passed on. */
#include <stdlib.h>
#include "platform/os.h"
#include "pm/node/pm_node_impl.h"

struct pm_leaving { /* a job that is to be forgotten */
    struct pm_leaving *next;
    int job;
};

static bool is_in_use(const struct pm_process *p)
{
    bool open = p->link.fd >= 0 || p->input.fd >= 0 || p->calls_fd >= 0;

    for (int i = 0; i < PM_STREAMS; i++)
        open = open || p->stream[i].fd >= 0;
    return open || p->state != PM_PROCESS_ENDED;
}

static bool job_is_in_use(const struct pm_node *n, int job)
{
    for (int i = 0; i < n->processes; i++)
        if (n->process[i] && n->process[i]->job == job && is_in_use(n->process[i]))
            return true;
    return false;
}

static void free_processes(struct pm_node *n, int job)
{
    for (int i = 0; i < n->processes; i++) {
        struct pm_process *p = n->process[i];
        if (!p || p->job != job)
            continue;
        free(p->input.bytes);
        free(p);
        n->process[i] = NULL;
    }
    while (n->processes && !n->process[n->processes - 1])
        n->processes--;
}

/* When a timer fires, the loop has no pointers to processes: all their events have been handled. */
static void forget_jobs(struct pm_timer *t)
{
    struct pm_node *n = OS_OWNER(t, struct pm_node, forget_timer);
    struct pm_leaving **at = &n->leaving;

    while (*at) {
        struct pm_leaving *l = *at;
        if (job_is_in_use(n, l->job)) {
            at = &l->next;
            continue;
        }
        *at = l->next;
        free_processes(n, l->job);
        pm_forget_programs(n, l->job);
        n->events.forgotten(n->events.owner, l->job);
        free(l);
    }
}

void pm_node_check_leaving(struct pm_node *n)
{
    if (n->leaving && !pm_timer_is_set(&n->forget_timer))
        pm_timer_set(&n->forget_timer, 0, forget_jobs);
}

void pm_node_forget_job(struct pm_node *n, int job)
{
    struct pm_leaving *l = malloc(sizeof *l);

    if (!l) /* it stays */
        return;
    *l = (struct pm_leaving) { n->leaving, job };
    n->leaving = l;
    pm_node_check_leaving(n);
}
