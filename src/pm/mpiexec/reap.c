/* reap.c — waits for processes that have ended.
 *
 * This process is a child subreaper: a process that a rank has started becomes its child when
 * its own parent ends. It can therefore end all processes of the job and leaves no zombie. Each
 * of its children is a rank or an inherited child. */
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>
#include "job.h"

static bool group_exists(pid_t group) { return !kill(-group, 0) || errno == EPERM; }

static void check_group(struct pm_job *j, struct pm_rank *r)
{
    bool lives = group_exists(r->pid);

    if (r->state == PM_RANK_LEFT_CHILDREN && !lives)
        j->groups_left--;
    if (r->state == PM_RANK_RUNS && lives)
        j->groups_left++;
    r->state = lives ? PM_RANK_LEFT_CHILDREN : PM_RANK_ENDED;
}

/* Reads the PMI requests that the rank sent before its end, such as finalize. */
static void finish_rank(struct pm_job *j, struct pm_rank *r, int status)
{
    r->wait_status = status;
    j->running--;
    check_group(j, r);
    pm_link_drain(r);
    pm_rank_exited(j, r);
    pm_server_gone(j->server, r->rank);
    pm_link_close(r);
    if (!r->rank)
        pm_input_close();
}

static void child_exited(struct pm_job *j, pid_t pid, int status)
{
    for (int i = 0; i < j->started; i++) {
        if (j->rank[i].pid == pid && j->rank[i].state == PM_RANK_RUNS) {
            finish_rank(j, &j->rank[i], status);
            return;
        }
    }
}

/* When a process ends, the kernel moves its children to this process before it reports the end. The
 * children that are left are therefore always seen here. */
void pm_reap(struct pm_job *j)
{
    pid_t pid;
    int status;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        child_exited(j, pid, status);
    j->children = !pid;
    for (int i = 0; i < j->started && j->groups_left; i++)
        if (j->rank[i].state == PM_RANK_LEFT_CHILDREN)
            check_group(j, &j->rank[i]);
    if (j->children)
        pm_end_inherited(j);
}
