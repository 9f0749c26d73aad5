/* reap.c — the ends of processes.
 *
 * mpiexec is a child subreaper: what a rank has started becomes mpiexec's child when its parent
 * dies, so that nothing escapes and no zombie stays. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "job.h"

enum { LIST_MAX = 8192, STRANGERS_MAX = 64 };

static pid_t strangers[STRANGERS_MAX]; /* children from before a shell called exec mpiexec */
static int nstrangers;

static bool group_lives(pid_t group) { return !kill(-group, 0) || errno == EPERM; }

static void check_group(struct pm_job *j, struct pm_rank *r)
{
    bool lives = group_lives(r->pid);

    if (r->life == PM_SURVIVED && !lives)
        j->survived--;
    if (r->life == PM_RUNS && lives)
        j->survived++;
    r->life = lives ? PM_SURVIVED : PM_OVER;
    if (!lives)
        pm_guardian_forget(j, r->rank);
}

/* What it has sent before its death still counts. */
static void rank_ended(struct pm_job *j, struct pm_rank *r, int status)
{
    r->status = status;
    j->running--;
    check_group(j, r);
    pm_link_drain(r);
    pm_judge(j, r);
    pm_server_gone(j->server, r->rank);
    pm_link_close(r);
    if (!r->rank)
        pm_input_close();
}

static void one_ended(struct pm_job *j, pid_t pid, int status)
{
    if (pid == j->guardian) {
        (void) pm_guardian_start(j);
        return;
    }
    for (int i = 0; i < j->started; i++) {
        if (j->rank[i].pid == pid && j->rank[i].life == PM_RUNS) {
            rank_ended(j, &j->rank[i], status);
            return;
        }
    }
}

void pm_reap(struct pm_job *j)
{
    pid_t pid;
    int status;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        one_ended(j, pid, status);
    for (int i = 0; i < j->started && j->survived; i++)
        if (j->rank[i].life == PM_SURVIVED)
            check_group(j, &j->rank[i]);
}

/* Calls with each child of this process; the number of calls that returned true. */
static int each_child(struct pm_job *j, bool (*visit)(struct pm_job *j, pid_t pid, int arg),
                      int arg)
{
    char path[64], list[LIST_MAX + 1], *at = list, *end;
    int n = 0;

    (void) snprintf(path, sizeof path, "/proc/self/task/%d/children", (int) getpid());
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t len = fd < 0 ? -1 : read(fd, list, LIST_MAX);
    if (fd >= 0)
        (void) close(fd);
    if (len <= 0)
        return 0;
    list[len] = '\0';
    for (long pid; (pid = strtol(at, &end, 10)) > 0 && *end; at = end) /* the last may be cut */
        n += visit(j, (pid_t) pid, arg);
    return n;
}

static bool note_stranger(struct pm_job *j, pid_t pid, int arg)
{
    (void) j, (void) arg;
    if (nstrangers < STRANGERS_MAX)
        strangers[nstrangers++] = pid;
    return true;
}

void pm_remember_children(void) { (void) each_child(NULL, note_stranger, 0); }

static bool tell_adopted(struct pm_job *j, pid_t pid, int signal)
{
    if (pid == j->guardian)
        return false;
    for (int i = 0; i < nstrangers; i++)
        if (strangers[i] == pid)
            return false;
    for (int i = 0; i < j->started; i++)
        if (j->rank[i].pid == pid && j->rank[i].life == PM_RUNS)
            return false;
    if (signal)
        (void) kill(pid, signal);
    return true;
}

int pm_adopted(struct pm_job *j, int signal)
{
    return getpid() == 1 ? 0 : each_child(j, tell_adopted, signal);
}
