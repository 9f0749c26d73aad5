/* scatter_binomial.c — blocks go down a binomial tree; each message has the blocks of a whole
 * subtree.
 *
 * Blocks travel packed, in the order of ranks from the root on. Cost: ceil(log2 p) a + (p - 1) n
 * b, and log2 p messages at the root: for small blocks, where one more copy costs little. */
#include "mpi/coll/algo/algo.h"

/* The root's blocks, packed in the order of the tree. */
static void pack_all(struct coll *x, char *packed, size_t len)
{
    for (int i = 1; i < x->size; i++)
        coll_copy(x, coll_block(&x->send, (x->root + i) % x->size),
                  coll_packed(packed + (size_t) i * len, len));
    coll_copy(x, coll_block(&x->send, x->root), x->recv);
}

void scatter_binomial(struct coll *x)
{
    int me = (x->rank - x->root + x->size) % x->size;
    int bit = me > 0 ? me & -me : coll_power(x->size) * 2; /* our subtree: me..me + bit - 1 */
    int n = bit < x->size - me ? bit : x->size - me;
    int parent = (x->rank - bit + x->size) % x->size;
    size_t len = coll_size(me > 0 ? x->recv : x->send);

    if (me > 0 && n == 1) {
        coll_recv(x, x->recv, parent);
        return;
    }
    char *packed = coll_bytes(x, (size_t) n * len);
    if (me == 0)
        pack_all(x, packed, len);
    else
        coll_recv(x, coll_packed(packed, (size_t) n * len), parent);
    for (bit /= 2; bit > 0; bit /= 2) {
        int left = x->size - me - bit, m = left < bit ? left : bit;
        if (m > 0)
            coll_send(x, coll_packed(packed + (size_t) bit * len, (size_t) m * len),
                      (x->rank + bit) % x->size);
    }
    if (me > 0)
        coll_copy(x, coll_packed(packed, len), x->recv);
}
