/* gather_binomial.c — blocks go up a binomial tree; each message has the blocks of a whole
 * subtree.
 *
 * Blocks travel packed, in the order of ranks from the root on. Cost: ceil(log2 p) a + (p - 1) n
 * b, and log2 p messages at the root: for small blocks, where one more copy costs little. */
#include "mpi/coll/algo/algo.h"

/* Receives the blocks of our subtree behind our own block. */
static void subtree_gather(struct coll *x, int me, char *packed, size_t len)
{
    for (int bit = 1; bit < x->size && !(me & bit); bit *= 2) {
        int child = me + bit, n = x->size - child < bit ? x->size - child : bit;
        if (n > 0)
            coll_recv(x, coll_packed(packed + (size_t) bit * len, (size_t) n * len),
                      (x->rank + bit) % x->size);
    }
}

void gather_binomial(struct coll *x)
{
    int me = (x->rank - x->root + x->size) % x->size;
    int bit = me > 0 ? me & -me : x->size; /* our subtree: me..me + bit - 1 */
    int n = bit < x->size - me ? bit : x->size - me;
    int parent = (x->rank - bit + x->size) % x->size;
    size_t len = coll_size(me > 0 ? x->send : x->recv);

    if (me > 0 && n == 1) {
        coll_send(x, x->send, parent);
        return;
    }
    char *packed = coll_bytes(x, (size_t) n * len);
    if (me > 0)
        coll_copy(x, x->send, coll_packed(packed, len));
    subtree_gather(x, me, packed, len);
    if (me > 0) {
        coll_send(x, coll_packed(packed, (size_t) n * len), parent);
        return;
    }
    coll_copy(x, x->send, coll_block(&x->recv, x->root));
    for (int i = 1; i < x->size; i++)
        coll_copy(x, coll_packed(packed + (size_t) i * len, len),
                  coll_block(&x->recv, (x->root + i) % x->size));
}
