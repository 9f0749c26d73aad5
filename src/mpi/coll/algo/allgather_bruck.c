/* allgather_bruck.c — each process doubles the number of its blocks in every round, for any p
 * (Bruck et al.).
 *
 * Blocks are kept packed, our own first, then those of the ranks behind ours. In round k a
 * process sends all its blocks to the rank 2^k before it and receives as many from the rank 2^k
 * behind it. At the end the blocks are copied to the receive buffer in rank order. Cost:
 * ceil(log2 p) a + (p - 1) n b, and a copy of all blocks: for small blocks. */
#include "mpi/coll/algo/algo.h"

void allgather_bruck(struct coll *x)
{
    size_t len = coll_size(x->recv);
    char *packed = coll_bytes(x, (size_t) x->size * len);

    coll_copy(x, x->send, coll_packed(packed, len));
    for (int have = 1; have < x->size; have *= 2) {
        int n = have < x->size - have ? have : x->size - have;
        struct adi3_data out = coll_packed(packed, (size_t) n * len);
        struct adi3_data in = coll_packed(packed + (size_t) have * len, (size_t) n * len);
        coll_exchange(x, out, (x->rank - have + x->size) % x->size, in, (x->rank + have) % x->size);
    }

    size_t ours = (size_t) x->rank, n = x->recv.count, first = (size_t) x->size - ours;
    coll_copy(x, coll_packed(packed, first * len),
              coll_range(x->recv.buf, ours * n, first * n, x->recv.type));
    coll_copy(x, coll_packed(packed + first * len, ours * len),
              coll_range(x->recv.buf, 0, ours * n, x->recv.type));
}
