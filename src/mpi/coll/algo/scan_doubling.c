/* scan_doubling.c — each process has the result of a run of ranks that ends with its own, and
 * doubles the run in every round.
 *
 * In round k a process sends its result to the rank 2^k behind it, and combines its own with
 * that of the rank 2^k before it, which comes first: so operands are combined in rank order, for
 * any p. Cost: ceil(log2 p) (a + n b + n g). */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/scan.h"

void scan_doubling(struct coll *x)
{
    struct adi3_data before = x->recv;

    coll_copy(x, x->send, x->recv);
    if (x->rank > 0)
        before.buf = coll_elements(x, before.count, before.type);
    for (int bit = 1; bit < x->size; bit *= 2) {
        scan_shift(x, x->recv, before, bit);
        if (x->rank >= bit)
            coll_apply(x, before.buf, x->recv.buf, before.count);
    }
}
