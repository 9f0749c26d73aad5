/* allgatherv_bruck.c — allgather_bruck.c for blocks of different sizes, which all processes
 * know.
 *
 * Cost: ceil(log2 p) a + b times all bytes, and a copy of all at the end: for small blocks. */
#include "mpi/coll/algo/algo.h"

/* Bytes of n blocks, beginning with the block of a rank. */
static size_t bruck_blocks_len(const struct coll *x, int rank, int n)
{
    size_t sum = 0;

    for (int i = 0; i < n; i++)
        sum += coll_size(coll_recv_block(x, (rank + i) % x->size));
    return sum;
}

/* Copies the blocks to their places, at once those whose places follow each other. */
static void bruck_unpack(struct coll *x, const char *packed)
{
    struct adi3_data to = coll_recv_block(x, x->rank);

    for (int i = 1; i <= x->size; i++) {
        struct adi3_data next = coll_recv_block(x, (x->rank + i) % x->size);
        if (i < x->size && to.type->contig
            && next.buf == coll_range(to.buf, to.count, 0, to.type).buf) {
            to.count += next.count;
            continue;
        }
        coll_copy(x, coll_packed(packed, coll_size(to)), to);
        packed += coll_size(to);
        to = next;
    }
}

void allgatherv_bruck(struct coll *x)
{
    char *packed = coll_bytes(x, bruck_blocks_len(x, 0, x->size));
    size_t ours = bruck_blocks_len(x, x->rank, 1);

    coll_copy(x, x->send, coll_packed(packed, ours));
    for (int have = 1; have < x->size; have *= 2) {
        int n = have < x->size - have ? have : x->size - have;
        size_t at = bruck_blocks_len(x, x->rank, have);
        struct adi3_data out = coll_packed(packed, bruck_blocks_len(x, x->rank, n));
        struct adi3_data in =
            coll_packed(packed + at, bruck_blocks_len(x, (x->rank + have) % x->size, n));
        coll_exchange(x, out, (x->rank - have + x->size) % x->size, in, (x->rank + have) % x->size);
    }
    bruck_unpack(x, packed);
}
