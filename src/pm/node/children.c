/* children.c — the children of this process, from the list in /proc. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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
