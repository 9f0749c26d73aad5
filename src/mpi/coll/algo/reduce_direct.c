/* reduce_direct.c — each process combines its block of all operands, which it reads where they are,
 * and writes it to the root's result.
 *
 * Cost: 2 w + n ((c + g) (p - 1) / p + c / p). For large data. */
#include "mpi/coll/algo/reduce_direct.h"

/* With MPI_IN_PLACE the root's operand is where the result goes. A block of it is read by the
 * process alone that writes it afterwards. */
void reduce_direct(struct coll *x)
{
    struct direct_region mine = direct_region(x->send, 1);
    struct direct d;
    bool usable = false;

    if (x->rank == x->root)
        mine.result = (uintptr_t) x->recv.buf;
    int err = direct_exchange(x, &d, mine, &usable);
    if (!err && !usable) {
        reduce_shared(x);
        return;
    }
    if (!err)
        err = reduce_range(x, &d, equal_first(x, x->rank), equal_first(x, x->rank + 1),
                           (struct reduce_result) { x->root, d.all[x->root].result });
    if (!err)
        err = direct_end(x);
    coll_error(x, err);
}
