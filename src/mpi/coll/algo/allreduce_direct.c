/* allreduce_direct.c — each process combines its part of all operands, which it reads where they
 * are; then all read the results of the others' parts.
 *
 * The order of operands is that of allreduce_shared.c, which takes the place of this where
 * processes may not read each other's memory. Cost: 3 w + n (2 c + g) (p - 1) / p. For large data. */
#include "shared.h"

enum { AT_ONCE = 64 << 10 }; /* bytes of a part, so that what was read is combined in the cache */

struct operand_at {
    uint64_t send, recv;
};

static size_t part_begin(const struct coll *x, int i)
{
    return x->recv.count / (size_t) x->size * (size_t) i
           + (x->recv.count % (size_t) x->size * (size_t) i) / (size_t) x->size;
}

static int meet(struct coll *x, struct adi3_area *a)
{
    int err = adi3_area_begin(a, x->tag, 0, true);

    return err ? err : adi3_area_meet(a);
}

/* Another one's operand to a place of ours; our own is copied. */
static int fetch(struct coll *x, struct adi3_area *a, const struct operand_at *all, int rank,
                 struct adi3_data to, size_t first)
{
    size_t offset = first * to.type->size, len = coll_size(to);

    if (rank != x->rank)
        return adi3_area_read(a, rank, all[rank].send + offset, to.buf, len);
    memcpy(to.buf, (char *) x->send.buf + offset, len);
    return MPI_SUCCESS;
}

/* Our own operand may be where the result goes: it is combined out of a copy then. */
static int combine(struct coll *x, struct adi3_area *a, const struct operand_at *all, size_t first,
                   size_t count, void *spare[2])
{
    struct adi3_type *t = x->recv.type;
    int last = x->size - 1,
        err = fetch(x, a, all, last, (struct adi3_data) { spare[0], count, t }, first);

    for (int i = last - 1; i >= 0 && !err; i--) {
        bool ours = i == x->rank;
        void *in = ours ? coll_part(x->send.buf, first, count, t).buf : spare[1];
        if (!ours)
            err = fetch(x, a, all, i, (struct adi3_data) { in, count, t }, first);
        coll_apply(x, in, spare[0], count);
    }
    if (!err)
        memcpy(coll_part(x->recv.buf, first, count, t).buf, spare[0], count * t->size);
    return err;
}

static int our_part(struct coll *x, struct adi3_area *a, const struct operand_at *all)
{
    size_t most = AT_ONCE / x->recv.type->size, end = part_begin(x, x->rank + 1);
    void *spare[2] = { coll_bytes(x, AT_ONCE), coll_bytes(x, AT_ONCE) };
    int err = x->stopped ? adi3_area_fails(a, x->err) : MPI_SUCCESS;

    for (size_t at = part_begin(x, x->rank); at < end && !err; at += most)
        err = combine(x, a, all, at, end - at < most ? end - at : most, spare);
    return err;
}

static int other_parts(struct coll *x, struct adi3_area *a, const struct operand_at *all)
{
    size_t size = x->recv.type->size;
    int err = MPI_SUCCESS;

    for (int i = 1; i < x->size && !err; i++) {
        int rank = (x->rank + i) % x->size;
        size_t at = part_begin(x, rank) * size, len = part_begin(x, rank + 1) * size - at;
        if (len > 0)
            err = adi3_area_read(a, rank, all[rank].recv + at, (char *) x->recv.buf + at, len);
    }
    return err;
}

static int run(struct coll *x, struct adi3_area *a)
{
    struct operand_at *all = coll_bytes(x, (size_t) x->size * sizeof *all), *mine;
    int err = adi3_area_begin(a, x->tag, sizeof *mine, true);

    if (x->stopped || err)
        return x->stopped ? adi3_area_fails(a, x->err) : err;
    mine = adi3_area_at(a, x->rank);
    *mine = (struct operand_at) { (uintptr_t) x->send.buf, (uintptr_t) x->recv.buf };
    if ((err = adi3_area_meet(a)))
        return err;
    for (int i = 0; i < x->size; i++)
        memcpy(&all[i], adi3_area_at(a, i), sizeof *all);
    if ((err = our_part(x, a, all)) || (err = meet(x, a)) || (err = other_parts(x, a, all)))
        return err;
    return meet(x, a);
}

void allreduce_direct(struct coll *x)
{
    struct adi3_area *a = shared_area(x);
    bool direct = false;
    int err = adi3_area_direct(a, x->tag, &direct);

    if (!err && !direct)
        allreduce_shared(x);
    else
        coll_error(x, err ? err : run(x, a));
}
