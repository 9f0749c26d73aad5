/* bcast_chain.c — the data passes through all processes in a row, in chunks.
 *
 * While a process receives a chunk, it sends the one before. Cost: (p - 2 + s) (a + n b / s) for
 * s chunks: n b when there are many more chunks than processes. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/packed.h"

void bcast_chain(struct coll *x)
{
    struct packed f = packed_begin(x);
    int me = (x->rank - x->root + x->size) % x->size;

    for (size_t at = 0; at < f.len; at += BCAST_CHUNK) {
        struct adi3_data chunk = packed_range(&f, at, at + BCAST_CHUNK);
        if (me > 0)
            coll_recv(x, chunk, (x->rank - 1 + x->size) % x->size);
        if (me + 1 < x->size)
            coll_start_send(x, chunk, (x->rank + 1) % x->size);
    }
    packed_end(x, &f);
}
