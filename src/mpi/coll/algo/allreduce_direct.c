/* allreduce_direct.c — each process combines its block of all operands, then all processes read all
 * blocks. Operands and blocks are read where they are.
 *
 * Cost: 3 w + n (2 c + g) (p - 1) / p. For large data. */
#include "mpi/coll/algo/reduce_direct.h"

/* Combines our block into the result, and exchanges where each process has its result. */
static int blocks_combine(struct coll *x, struct direct *d, bool *usable)
{
    uint64_t at = (uintptr_t) x->recv.buf;
    size_t first = equal_first(x, x->rank), end = equal_first(x, x->rank + 1);
    int err = direct_exchange(x, d, direct_region(x->send, 1), usable);

    if (err || !*usable)
        return err;
    err = reduce_range(x, d, first, end, (struct reduce_result) { x->rank, at });
    if (!err)
        err = adi3_shmcoll_begin(d->shmcoll, x->tag, sizeof at, true);
    if (err)
        return err;
    memcpy(adi3_shmcoll_at(d->shmcoll, x->rank), &at, sizeof at);
    err = adi3_shmcoll_barrier(d->shmcoll);
    if (err)
        return err;
    for (int i = 0; i < x->size; i++)
        memcpy(&d->all[i].at, adi3_shmcoll_at(d->shmcoll, i), sizeof at);
    return MPI_SUCCESS;
}

/* Reads the blocks of all others. */
static int blocks_fetch(struct coll *x, const struct direct *d)
{
    int err = MPI_SUCCESS;

    for (int i = 1; i < x->size && !err; i++) {
        int rank = (x->rank + i) % x->size;
        uint64_t from = d->all[rank].at + equal_first(x, rank) * x->recv.type->size;
        err = direct_read(x, rank, from, equal_block(x, x->recv.buf, rank), true);
    }
    return err;
}

void allreduce_direct(struct coll *x)
{
    struct direct d;
    bool usable = false;
    int err = blocks_combine(x, &d, &usable);

    if (!err && !usable) {
        allreduce_shared(x);
        return;
    }
    if (!err)
        err = blocks_fetch(x, &d);
    if (!err)
        err = direct_end(x);
    coll_error(x, err);
}
