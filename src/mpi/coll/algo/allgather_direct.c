/* allgather_direct.c — each process reads the blocks of all others where they are.
 *
 * Cost: 2 w + p c n. For large data. */
#include "mpi/coll/algo/direct.h"

static int allgather_read_blocks(struct coll *x, const struct direct *d)
{
    int err = MPI_SUCCESS;

    coll_copy(x, x->send, coll_block(&x->recv, x->rank));
    for (int i = 1; i < x->size && !err; i++) {
        int rank = (x->rank + i) % x->size;
        err = direct_read(x, rank, d->all[rank].at, coll_block(&x->recv, rank), true);
    }
    if (!err)
        err = direct_end(x);
    return err;
}

void allgather_direct(struct coll *x)
{
    struct direct d;
    bool usable = false;
    int err = coll_size(x->send) == coll_size(x->recv)
                  ? direct_exchange(x, &d, direct_region(x->send, 1), &usable)
                  : shared_wrong_length(x);

    if (!err && !usable) {
        allgather_shared(x);
        return;
    }
    if (!err)
        err = allgather_read_blocks(x, &d);
    coll_error(x, err);
}
