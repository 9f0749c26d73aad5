/* alltoall_direct.c — each process reads its blocks where they are.
 *
 * With MPI_IN_PLACE, the others read from a copy of the blocks. Cost: 2 w + p c n, and as much
 * again for the copy. For large blocks. */
#include "mpi/coll/algo/direct.h"

static int alltoall_read_blocks(struct coll *x, const struct direct *d, struct adi3_data own)
{
    size_t mine = (size_t) x->rank * coll_size(x->recv);
    int err = MPI_SUCCESS;

    coll_copy(x, own, coll_block(&x->recv, x->rank));
    for (int i = 1; i < x->size && !err; i++) {
        int rank = (x->rank + i) % x->size;
        err = direct_read(x, rank, d->all[rank].at + mine, coll_block(&x->recv, rank), true);
    }
    if (!err)
        err = direct_end(x);
    return err;
}

/* The blocks that others may read. Without memory for a copy the call fails in all processes. */
static struct adi3_data exposed_blocks(struct coll *x)
{
    size_t len = coll_size(x->send);

    if (!x->in_place)
        return x->send;
    char *copy = coll_bytes(x, len * (size_t) x->size);
    for (int i = 0; i < x->size; i++)
        coll_copy(x, coll_block(&x->send, i), coll_packed(copy + (size_t) i * len, len));
    return coll_packed(copy, len);
}

void alltoall_direct(struct coll *x)
{
    struct direct d;
    struct adi3_data from = exposed_blocks(x);
    bool usable = false;
    int err = x->stopped ? adi3_shmcoll_fail(coll_shmcoll(x), x->err) : MPI_SUCCESS;

    if (!err && coll_size(from) != coll_size(x->recv))
        err = shared_wrong_length(x);
    if (!err)
        err = direct_exchange(x, &d, direct_region(from, (size_t) x->size), &usable);
    if (!err && !usable) {
        alltoall_shared(x);
        return;
    }
    if (!err)
        err = alltoall_read_blocks(x, &d, coll_block(&from, x->rank));
    coll_error(x, err);
}
