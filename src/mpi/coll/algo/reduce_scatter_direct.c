/* reduce_scatter_direct.c — each process combines its block of all operands, which it reads where
 * they are.
 *
 * Cost: 2 w + n (2 c + g) (p - 1) / p. For large data. */
#include "mpi/coll/algo/result_blocks.h"
#include "mpi/coll/algo/reduce_direct.h"

static int own_block_reduce(struct coll *x, const struct direct *d)
{
    struct adi3_data result = result_block_memory(x);
    size_t first = result_block_first(x, x->rank);
    struct reduce_result all = { x->rank, (uintptr_t) result.buf - first * x->recv.type->size };
    int err = x->stopped ? adi3_shmcoll_fail(d->shmcoll, x->err)
                         : reduce_range(x, d, first, first + x->recv.count, all);

    if (!err)
        err = direct_end(x);
    if (!err)
        coll_copy(x, result, x->recv);
    return err;
}

void reduce_scatter_direct(struct coll *x)
{
    struct direct d;
    bool usable = false;
    int err = direct_exchange(x, &d, direct_region(x->send, 1), &usable);

    if (!err && !usable) {
        reduce_scatter_shared(x);
        return;
    }
    if (!err)
        err = own_block_reduce(x, &d);
    coll_error(x, err);
}
