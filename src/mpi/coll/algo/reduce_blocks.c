/* reduce_blocks.c — the blocks of a reduction whose operands are read where they are. */
#include "mpi/coll/algo/reduce_direct.h"

enum { AT_ONCE = 64 << 10 }; /* bytes: small enough to stay in the cache until they are combined */

struct range {
    size_t first, count;
};

static struct adi3_data range_own_operand(const struct coll *x, struct range r)
{
    return coll_range(x->send.buf, r.first, r.count, x->recv.type);
}

static int range_fetch(struct coll *x, const struct direct *d, int rank, struct range r, void *to)
{
    struct adi3_type *t = x->recv.type;
    struct adi3_data into = { to, r.count, t };

    if (rank != x->rank)
        return direct_read(x, rank, d->all[rank].at + r.first * t->size, into, true);
    memcpy(to, range_own_operand(x, r).buf, r.count * t->size);
    return MPI_SUCCESS;
}

static int range_store(struct coll *x, struct range r, struct reduce_result result, void *from)
{
    size_t size = x->recv.type->size;
    uint64_t at = result.at + r.first * size;

    if (result.rank != x->rank)
        return direct_write(x, result.rank, at, (struct adi3_data) { from, r.count, x->recv.type });
    memcpy((void *) (uintptr_t) at, from, r.count * size);
    return MPI_SUCCESS;
}

/* The result may replace an operand of this range, so it is stored last. */
static int range_combine(struct coll *x, const struct direct *d, struct range r,
                         struct reduce_result result, void *const spare[2])
{
    int err = range_fetch(x, d, x->size - 1, r, spare[0]);

    for (int i = x->size - 2; i >= 0 && !err; i--) {
        bool fetched = i != x->rank || shared_needs_copies(x);
        if (fetched)
            err = range_fetch(x, d, i, r, spare[1]);
        coll_apply(x, fetched ? spare[1] : range_own_operand(x, r).buf, spare[0], r.count);
    }
    if (!err)
        err = range_store(x, r, result, spare[0]);
    return err;
}

int reduce_range(struct coll *x, const struct direct *d, size_t first, size_t end,
                 struct reduce_result result)
{
    size_t most = AT_ONCE / x->recv.type->size;
    void *spare[2] = { coll_bytes(x, AT_ONCE), coll_bytes(x, AT_ONCE) };
    int err = x->stopped ? adi3_shmcoll_fail(d->shmcoll, x->err) : MPI_SUCCESS;

    for (size_t at = first; at < end && !err; at += most)
        err = range_combine(x, d, (struct range) { at, end - at < most ? end - at : most }, result,
                            spare);
    return err;
}
