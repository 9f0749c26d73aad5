/* place.c — places the ranks of a job on nodes. So far all are on the node inside mpiexec. */
#include <errno.h>
#include <stdlib.h>
#include "job.h"

static int make_host(struct pm_job *j, struct pm_host *h, int size)
{
    struct pm_node_events events = pm_host_events;

    *h = (struct pm_host) { .job = j, .size = size };
    h->rank = malloc((size_t) size * sizeof *h->rank);
    if (!h->rank)
        return -ENOMEM;
    events.owner = h;
    h->node = pm_node_create(&events, &j->signals);
    return h->node ? 0 : -errno;
}

int pm_place(struct pm_job *j)
{
    const struct pm_program *p = j->spec->program;
    int n = 0;

    j->size = j->spec->size;
    j->rank = calloc((size_t) j->size, sizeof *j->rank);
    j->host = calloc(1, sizeof *j->host);
    if (!j->rank || !j->host)
        return -ENOMEM;
    int err = make_host(j, &j->host[j->hosts++], j->size);
    for (int i = 0; !err && i < j->size; i++, n++) {
        if (n == p->count) {
            p++;
            n = 0;
        }
        j->rank[i] = (struct pm_rank) { .program = p, .host = j->host, .process = i };
        j->host->rank[i] = i;
    }
    return err;
}
