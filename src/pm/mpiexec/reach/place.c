/* place.c — the ranks of a job, and the nodes that they are on. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "pm/mpiexec/reach/reach_impl.h"

/* Hosts that are names of this node share the node inside mpiexec: all of them are the first. */
static int host_of(const struct pm_hosts *h, int place, int *here)
{
    if (!h->entry[place]->here)
        return place;
    if (*here < 0)
        *here = place;
    return *here;
}

/* Makes the ranks, and numbers their hosts in the order in which ranks need them. entry[] gets the
 * number of each host in the list, host_number[] is scratch and has -1 for each of the list. */
static int place_ranks(struct pm_job *j, int *entry, int *host_number)
{
    const struct pm_program *p = j->spec->program;
    int hosts = 0, here = -1, n = 0;

    for (int i = 0; i < j->size; i++, n++) {
        if (n == p->count) {
            p++;
            n = 0;
        }
        int e = host_of(&j->spec->hosts, j->spec->place[i], &here);
        if (host_number[e] < 0) {
            entry[hosts] = e;
            host_number[e] = hosts++;
        }
        struct pm_host *h = &j->host[host_number[e]];
        j->rank[i] = (struct pm_rank) { .program = p, .host = h, .process = h->size++ };
    }
    return hosts;
}

/* Fills the ranks of each host. */
static int fill_hosts(struct pm_job *j, int hosts)
{
    for (int i = 0; i < hosts; i++) {
        j->host[i].rank = malloc((size_t) j->host[i].size * sizeof *j->host[i].rank);
        if (!j->host[i].rank)
            return -ENOMEM;
    }
    for (int i = 0; i < j->size; i++)
        j->rank[i].host->rank[j->rank[i].process] = i;
    return 0;
}

static int open_host(struct pm_job *j, struct pm_host *h, const struct pm_host_entry *entry,
                     int hosts)
{
    char why[PM_WHY_MAX];

    h->job = j;
    (void) pm_bind_on(j->spec, entry, &h->bind, why, sizeof why);
    (void) strncpy(h->name, entry->name, sizeof h->name - 1);
    return pm_host_open(j, h, entry, hosts);
}

/* Those that have been opened, j->hosts, end with the job when another one cannot be opened. */
static int open_hosts(struct pm_job *j, const int *entry, int hosts)
{
    int err = 0;

    for (int i = 0; !err && !j->ends && i < hosts; i++) {
        err = open_host(j, &j->host[i], j->spec->hosts.entry[entry[i]], hosts);
        if (!err && !j->ends)
            j->hosts++;
    }
    return err;
}

int pm_place(struct pm_job *j)
{
    size_t listed = j->spec->hosts.count, size = (size_t) j->spec->size;
    size_t most = listed < size ? listed : size;
    int *ints = malloc((most + listed) * sizeof *ints), err = -ENOMEM;

    j->size = j->spec->size;
    j->rank = calloc(size, sizeof *j->rank);
    j->host = calloc(most, sizeof *j->host);
    if (ints && j->rank && j->host) {
        memset(ints + most, -1, listed * sizeof *ints);
        int hosts = place_ranks(j, ints, ints + most);
        err = fill_hosts(j, hosts);
        if (!err)
            err = open_hosts(j, ints, hosts);
    }
    free(ints);
    return err;
}
