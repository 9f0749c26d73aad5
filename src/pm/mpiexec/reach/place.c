/* place.c — the ranks of a job, and the nodes that they are on. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "pm/mpiexec/reach/reach_impl.h"

/* The host of the list that is the node of mpiexec; -1: none is in use. */
static int entry_here(const struct pm_run *r)
{
    for (int i = 0; i < r->hosts; i++)
        if (r->spec->hosts.entry[r->host[i]->entry]->here)
            return r->host[i]->entry;
    return -1;
}

/* Hosts that are names of this node share the node inside mpiexec: all of them are the first. */
static int host_of(const struct pm_hosts *h, int place, int *here)
{
    if (!h->entry[place]->here)
        return place;
    if (*here < 0)
        *here = place;
    return *here;
}

/* Makes the ranks and their parts, in the order in which ranks need them. entry[] gets the number
 * of the host of each part in the list, part_number[] is scratch and has -1 for each of the
 * list. */
static int place_ranks(struct pm_job *j, int *entry, int *part_number)
{
    const struct pm_program *p = j->program;
    int parts = 0, here = entry_here(j->run), n = 0;

    for (int i = 0; i < j->size; i++, n++) {
        if (n == p->count) {
            p++;
            n = 0;
        }
        int e = host_of(&j->run->spec->hosts, j->place[i], &here);
        if (part_number[e] < 0) {
            entry[parts] = e;
            part_number[e] = parts++;
        }
        struct pm_part *part = &j->part[part_number[e]];
        j->rank[i] = (struct pm_rank) {
            .job = j, .number = i, .program = p, .part = part, .local = part->size++
        };
    }
    return parts;
}

/* Fills the ranks of each part. */
static int fill_parts(struct pm_job *j, int parts)
{
    for (int i = 0; i < parts; i++) {
        j->part[i].job = j;
        j->part[i].rank = malloc((size_t) j->part[i].size * sizeof *j->part[i].rank);
        if (!j->part[i].rank)
            return -ENOMEM;
    }
    for (int i = 0; i < j->size; i++)
        j->rank[i].part->rank[j->rank[i].local] = i;
    return 0;
}

/* A node that is not opened yet. */
static struct pm_host *make_host(struct pm_run *r, int number, int entry)
{
    const struct pm_host_entry *e = r->spec->hosts.entry[entry];
    struct pm_host *h = calloc(1, sizeof *h);
    char why[PM_WHY_MAX];

    if (!h)
        return NULL;
    h->run = r;
    h->number = number;
    h->entry = entry;
    (void) pm_bind_on(r->spec, e, &h->bind, why, sizeof why);
    (void) strncpy(h->name, e->name, sizeof h->name - 1);
    return h;
}

bool pm_host_is_known(const struct pm_host *h) { return h->ready || !h->lost; }

/* Finds the node of each part among those that are open, or makes one. The node inside mpiexec has
 * the ranks of jobs that are nowhere else, since the PMI servers of others are in proxies. *all:
 * nodes, with those that are to be opened. */
static int find_hosts(struct pm_job *j, const int *entry, int parts, int *all)
{
    struct pm_run *r = j->run;
    struct pm_host **more = realloc(r->host, (size_t) (r->hosts + parts) * sizeof *more);

    if (!more)
        return -ENOMEM;
    r->host = more;
    *all = r->hosts;
    for (int i = 0; i < parts; i++) {
        struct pm_host *h = NULL;
        for (int k = 0; k < r->hosts && !h; k++)
            if (r->host[k]->entry == entry[i] && !r->host[k]->node == !j->inside
                && pm_host_is_known(r->host[k]))
                h = r->host[k];
        if (!h && (h = make_host(r, *all, entry[i])))
            r->host[(*all)++] = h;
        if (!h)
            return -ENOMEM;
        h->size += j->part[i].size;
        j->part[i].host = h;
    }
    for (int i = 0; i < j->size; i++)
        j->rank[i].host = j->rank[i].part->host;
    return 0;
}

/* Those that have been opened, r->hosts, end with the run when another one cannot be opened. */
static int open_hosts(struct pm_job *j, int parts, int all)
{
    struct pm_run *r = j->run;
    int err = 0;

    r->step = NULL; /* that of an earlier job has begun */
    for (int i = 0; !err && !r->ends && i < parts; i++) {
        struct pm_host *h = j->part[i].host;
        if (h->number >= r->hosts)
            err = pm_host_open(h, r->spec->hosts.entry[h->entry], all, j->inside);
        if (!err && !r->ends) {
            j->parts++;
            r->hosts += h->number >= r->hosts;
        }
    }
    return err;
}

int pm_place(struct pm_job *j)
{
    size_t listed = j->run->spec->hosts.count, size = (size_t) j->size;
    size_t most = listed < size ? listed : size;
    int *ints = malloc((most + listed) * sizeof *ints), all = 0, err = -ENOMEM;

    j->first = j->run->numbered;
    j->run->numbered += j->size;
    j->run->ranks += j->size;
    j->rank = calloc(size, sizeof *j->rank);
    j->part = calloc(most, sizeof *j->part);
    if (ints && j->rank && j->part) {
        memset(ints + most, -1, listed * sizeof *ints);
        int parts = place_ranks(j, ints, ints + most);
        const struct pm_host_entry *first = j->run->spec->hosts.entry[*ints];
        j->inside = parts == 1 && first->here && (!j->number || j->run->host[0]->node);
        err = fill_parts(j, parts);
        if (!err)
            err = find_hosts(j, ints, parts, &all);
        if (!err)
            err = open_hosts(j, parts, all);
    }
    free(ints);
    return err;
}

struct pm_job *pm_job_of(const struct pm_run *r, int number)
{
    struct pm_job *j = r->job;

    while (j && j->number != number)
        j = j->next;
    return j;
}

/* The parts of the first job are in the order of their nodes. */
struct pm_part *pm_part_on(const struct pm_job *j, const struct pm_host *h)
{
    if (h->number < j->parts && j->part[h->number].host == h)
        return &j->part[h->number];
    for (int i = 0; i < j->parts; i++)
        if (j->part[i].host == h)
            return &j->part[i];
    return NULL;
}

int pm_host_add_process(struct pm_rank *r)
{
    struct pm_host *h = r->host;

    while (h->free < h->processes && h->process[h->free])
        h->free++;
    if (h->free == h->room) {
        int room = h->room + h->room / 2 + r->part->size;
        struct pm_rank **more = realloc(h->process, (size_t) room * sizeof *more);
        if (!more)
            return -ENOMEM;
        h->process = more;
        h->room = room;
    }
    h->processes += h->free == h->processes;
    r->process = h->free;
    r->has_process = true;
    h->process[h->free++] = r;
    return 0;
}

void pm_host_remove_process(struct pm_rank *r)
{
    struct pm_host *h = r->host;

    if (!r->has_process)
        return;
    r->has_process = false;
    h->process[r->process] = NULL;
    if (r->process < h->free)
        h->free = r->process;
}
