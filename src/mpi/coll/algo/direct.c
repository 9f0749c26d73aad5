/* direct.c — tells the processes of a node where each other's data is, and reads it. */
#include "mpi/coll/algo/direct.h"

static int check_regions(struct coll *x, struct direct *d, size_t len, bool *usable)
{
    *usable = true;
    for (int i = 0; i < x->size; i++) {
        memcpy(&d->all[i], adi3_shmcoll_at(d->shmcoll, i), sizeof *d->all);
        if (d->all[i].len != len)
            return shared_differs(x, i, d->all[i].len, len);
        *usable &= d->all[i].at != 0;
    }
    return MPI_SUCCESS;
}

int direct_exchange(struct coll *x, struct direct *d, struct direct_region mine, bool *usable)
{
    d->shmcoll = coll_shmcoll(x);
    int err = adi3_shmcoll_direct(d->shmcoll, x->tag, usable);

    if (err || !*usable)
        return err;
    d->all = coll_bytes(x, (size_t) x->size * sizeof *d->all);
    if (x->stopped)
        return adi3_shmcoll_fail(d->shmcoll, x->err);
    err = adi3_shmcoll_begin(d->shmcoll, x->tag, sizeof mine, true);
    if (err)
        return err;
    memcpy(adi3_shmcoll_at(d->shmcoll, x->rank), &mine, sizeof mine);
    err = adi3_shmcoll_barrier(d->shmcoll);
    if (!err)
        err = check_regions(x, d, mine.len, usable);
    return err;
}

int direct_get_root(struct coll *x, struct direct_region *region, bool *usable)
{
    struct adi3_shmcoll *a = coll_shmcoll(x);
    int err = adi3_shmcoll_direct(a, x->tag, usable);

    if (err || !*usable)
        return err;
    err = adi3_shmcoll_begin(a, x->tag, sizeof *region, false);
    if (err)
        return err;
    if (x->rank == x->root) {
        memcpy(adi3_shmcoll_at(a, x->root), region, sizeof *region);
        adi3_shmcoll_publish(a);
    } else {
        err = adi3_shmcoll_await(a, x->root);
        if (err)
            return err;
        memcpy(region, adi3_shmcoll_at(a, x->root), sizeof *region);
    }
    *usable = region->at != 0;
    return MPI_SUCCESS;
}

int direct_end(struct coll *x)
{
    int err = adi3_shmcoll_begin(coll_shmcoll(x), x->tag, 0, true);

    if (!err)
        err = adi3_shmcoll_barrier(coll_shmcoll(x));
    return err;
}

int direct_end_of_root(struct coll *x)
{
    struct adi3_shmcoll *a = coll_shmcoll(x);
    int err = adi3_shmcoll_begin(a, x->tag, 0, false);

    if (!err && x->rank == x->root)
        err = adi3_shmcoll_collect(a);
    else if (!err)
        adi3_shmcoll_signal(a, x->root);
    return err;
}

int direct_read(struct coll *x, int rank, uint64_t from, struct adi3_data to, bool busy)
{
    size_t len = coll_size(to);
    void *bytes = to.type->contig ? to.buf : coll_bytes(x, len);

    if (len == 0)
        return MPI_SUCCESS;
    if (x->stopped)
        return adi3_shmcoll_fail(coll_shmcoll(x), x->err);
    int err = adi3_shmcoll_read(coll_shmcoll(x), rank, from, bytes, len, busy);
    if (!err && bytes != to.buf)
        shared_get(&to, 0, bytes, len);
    return err;
}

int direct_write(struct coll *x, int rank, uint64_t to, struct adi3_data from)
{
    size_t len = coll_size(from);
    void *bytes = from.type->contig ? from.buf : coll_bytes(x, len);

    if (len == 0)
        return MPI_SUCCESS;
    if (x->stopped)
        return adi3_shmcoll_fail(coll_shmcoll(x), x->err);
    if (bytes != from.buf)
        shared_put(&from, 0, bytes, len);
    return adi3_shmcoll_write(coll_shmcoll(x), rank, to, bytes, len);
}
