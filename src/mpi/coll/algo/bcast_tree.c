/* bcast_tree.c — the data runs down a binary tree, in chunks.
 *
 * While a process receives a chunk, it sends the one before to both its children. Cost: (log2 p
 * + s) (a + 2 n b / s) for s chunks: twice the bytes of a chain, but the last process need not
 * wait until the data has passed all others. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/packed.h"

void bcast_tree(struct coll *x)
{
    struct packed f = packed_begin(x);
    int me = (x->rank - x->root + x->size) % x->size;
    int parent = ((me - 1) / 2 + x->root) % x->size;

    for (size_t at = 0; at < f.len; at += BCAST_CHUNK) {
        struct adi3_data chunk = packed_range(&f, at, at + BCAST_CHUNK);
        if (me > 0)
            coll_recv(x, chunk, parent);
        for (int child = 2 * me + 1; child < x->size && child <= 2 * me + 2; child++)
            coll_start_send(x, chunk, (child + x->root) % x->size);
    }
    packed_end(x, &f);
}
