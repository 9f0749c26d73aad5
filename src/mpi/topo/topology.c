/* topology.c — the topology of a communicator, with its references. */
#include <stdlib.h>
#include "mpi/topo/topo.h"

struct mpir_topology *mpir_topology_new(int kind, size_t ints)
{
    struct mpir_topology *t = malloc(sizeof *t + ints * sizeof *t->data);

    if (!t)
        return NULL;
    *t = (struct mpir_topology) { .refs = 1, .kind = kind };
    return t;
}

struct mpir_topology *mpir_topology_hold(struct mpir_topology *t)
{
    if (t)
        t->refs++;
    return t;
}

void mpir_topology_release(struct mpir_topology *t)
{
    if (t && !--t->refs)
        free(t);
}
