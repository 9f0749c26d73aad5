/* scan_linear.c — the result passes through the ranks in a row, and each combines it with its
 * operand.
 *
 * Cost: (p - 1) (a + n b + n g), and one message for each process but the last: for large data
 * where processes share cores and could not work at the same time anyway. */
#include "mpi/coll/algo/algo.h"

void scan_linear(struct coll *x)
{
    size_t count = x->recv.count;

    coll_copy(x, x->send, x->recv);
    if (x->rank > 0) {
        void *before = coll_elements(x, count, x->recv.type);
        coll_recv(x, coll_range(before, 0, count, x->recv.type), x->rank - 1);
        coll_apply(x, before, x->recv.buf, count);
    }
    if (x->rank + 1 < x->size)
        coll_send(x, x->recv, x->rank + 1);
}
