/* allreduce_direct.c — each process combines its block of all operands, then all processes read all
 * blocks. Operands and blocks are read where they are.
 *
 * Cost: 3 w + n (2 c + g) (p - 1) / p. For large data. */
#include "mpi/coll/algo/reduce_direct.h"

void allreduce_direct(struct coll *x)
{
    struct direct d;
    bool usable = false;
    int err = reduce_blocks(x, &d, x->recv.buf, &usable);

    if (!err && !usable) {
        allreduce_shared(x);
        return;
    }
    if (!err)
        err = reduce_fetch(x, &d, x->recv.buf, true);
    if (!err)
        err = direct_end(x);
    coll_error(x, err);
}
