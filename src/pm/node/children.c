/* children.c — the children of this process, from the list in /proc; and those of them that are of
 * no rank: commands that reach other hosts, beside a node. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "pm/node/pm_node_impl.h"

static int pid_compare(const void *a, const void *b)
{
    pid_t x = *(const pid_t *) a, y = *(const pid_t *) b;

    return (x > y) - (x < y);
}

static bool pids_add(struct pm_pids *p, pid_t pid)
{
    if (p->n == p->capacity) {
        size_t room = p->capacity ? p->capacity * 2 : 64;
        pid_t *more = realloc(p->pid, room * sizeof *more);
        if (!more)
            return false;
        p->pid = more;
        p->capacity = room;
    }
    p->pid[p->n++] = pid;
    return true;
}

int pm_children(struct pm_pids *p)
{
    char path[64];
    int pid;

    p->n = 0;
    (void) snprintf(path, sizeof path, "/proc/self/task/%d/children", (int) getpid());
    FILE *f = fopen(path, "re");
    if (!f)
        return -errno;
    while (fscanf(f, "%d", &pid) == 1 && pids_add(p, pid))
        continue;
    (void) fclose(f);
    if (p->n)
        qsort(p->pid, p->n, sizeof *p->pid, pid_compare);
    return 0;
}

bool pm_pids_contain(const struct pm_pids *p, pid_t pid)
{
    return p->n && bsearch(&pid, p->pid, p->n, sizeof pid, pid_compare);
}

/* ---- those of no rank ------------------------------------------------------------------------ */

static struct kept {
    struct kept *next;
    pid_t pid;
    bool ended; /* with this status */
    int status;
} * kept;

static struct kept **kept_find(pid_t pid)
{
    struct kept **at = &kept;

    while (*at && (*at)->pid != pid)
        at = &(*at)->next;
    return at;
}

/* Without memory a node here would take its end for that of a process that a rank has left. */
void pm_child_keep(pid_t pid)
{
    struct kept *k = malloc(sizeof *k);

    if (!k)
        return;
    *k = (struct kept) { .next = kept, .pid = pid };
    kept = k;
}

bool pm_child_is_kept(pid_t pid) { return *kept_find(pid) != NULL; }

void pm_child_ended(pid_t pid, int status)
{
    struct kept *k = *kept_find(pid);

    if (!k)
        return;
    k->ended = true;
    k->status = status;
}

bool pm_child_has_ended(pid_t pid, int *status)
{
    struct kept **at = kept_find(pid), *k = *at;

    if (k && k->ended)
        *status = k->status;
    else if (waitpid(pid, status, WNOHANG) != pid)
        return false;
    if (k) {
        *at = k->next;
        free(k);
    }
    return true;
}
