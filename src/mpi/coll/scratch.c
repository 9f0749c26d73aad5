/* scratch.c — memory for intermediate results. Small amounts come from struct coll itself,
 * others from malloc or the schedule. */
#include <stdlib.h>
#include "mpi/coll/coll.h"

enum { ALIGN = 16 };

struct coll_scratch {
    struct coll_scratch *next;
    _Alignas(ALIGN) char bytes[];
};

static void *from_heap(struct coll *x, size_t len)
{
    struct coll_scratch *k = malloc(sizeof *k + len);

    if (!k)
        return NULL;
    k->next = x->scratch;
    x->scratch = k;
    return k->bytes;
}

void *coll_bytes(struct coll *x, size_t len)
{
    size_t at = x->used;

    if (!x->sched && len <= COLL_SMALL - at) {
        x->used = (at + len + ALIGN - 1) / ALIGN * ALIGN;
        return x->small + at;
    }
    void *bytes = x->sched ? adi3_sched_bytes(x->sched, len) : from_heap(x, len);
    if (!bytes) {
        coll_error(x, adi3_no_memory("for %zu bytes of scratch", len));
        x->stopped = true;
    }
    return bytes;
}

/* With a negative extent the last element comes first in memory. */
void *coll_elements(struct coll *x, size_t count, const struct adi3_type *t)
{
    MPI_Aint span = count > 0 ? (MPI_Aint) (count - 1) * t->extent : 0;
    MPI_Aint first = t->true_lb + (span < 0 ? span : 0);
    MPI_Aint len = t->true_extent + (span < 0 ? -span : span);

    return coll_offset(coll_bytes(x, (size_t) len), -first);
}

void coll_free_scratch(struct coll *x)
{
    while (x->scratch) {
        struct coll_scratch *k = x->scratch;
        x->scratch = k->next;
        free(k);
    }
}
