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

/* The result may replace our own operand, so that is written last. */
static int range_combine(struct coll *x, const struct direct *d, struct range r, void *result,
                         void *const spare[2])
{
    int err = range_fetch(x, d, x->size - 1, r, spare[0]);

    for (int i = x->size - 2; i >= 0 && !err; i--) {
        bool fetched = i != x->rank || shared_needs_copies(x);
        if (fetched)
            err = range_fetch(x, d, i, r, spare[1]);
        coll_apply(x, fetched ? spare[1] : range_own_operand(x, r).buf, spare[0], r.count);
    }
    if (!err)
        memcpy(coll_range(result, r.first, r.count, x->recv.type).buf, spare[0],
               r.count * x->recv.type->size);
    return err;
}

int reduce_range(struct coll *x, const struct direct *d, size_t first, size_t end, void *result)
{
    size_t most = AT_ONCE / x->recv.type->size;
    void *spare[2] = { coll_bytes(x, AT_ONCE), coll_bytes(x, AT_ONCE) };
    int err = x->stopped ? adi3_shmcoll_fail(d->shmcoll, x->err) : MPI_SUCCESS;

    for (size_t at = first; at < end && !err; at += most)
        err = range_combine(x, d, (struct range) { at, end - at < most ? end - at : most }, result,
                            spare);
    return err;
}

int reduce_blocks(struct coll *x, struct direct *d, void *result, bool *usable)
{
    uint64_t at = (uintptr_t) result;
    size_t first = equal_first(x, x->rank), end = equal_first(x, x->rank + 1);
    int err = direct_exchange(x, d, direct_region(x->send, 1), usable);

    if (err || !*usable)
        return err;
    err = reduce_range(x, d, first, end, result);
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

int reduce_fetch(struct coll *x, const struct direct *d, void *result, bool all)
{
    int err = MPI_SUCCESS;

    for (int i = 1; i < x->size && !err; i++) {
        int rank = (x->rank + i) % x->size;
        uint64_t from = d->all[rank].at + equal_first(x, rank) * x->recv.type->size;
        err = direct_read(x, rank, from, equal_block(x, result, rank), all);
    }
    return err;
}
