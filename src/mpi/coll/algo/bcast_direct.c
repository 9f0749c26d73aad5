/* bcast_direct.c — all read the root's data where it is.
 *
 * Cost: 2 w + c n. For large data; where processes may not read each other's memory, or the root's
 * data has holes, it goes through the area instead. */
#include "shared.h"

struct place {
    uint64_t at, len; /* at 0: there is none */
};

/* Data with holes is read packed, and unpacked. */
static int read_all(struct coll *x, struct adi3_area *a, struct place p)
{
    size_t room = coll_size(x->recv), len = p.len < room ? p.len : room;
    void *to = x->recv.type->contig ? x->recv.buf : coll_bytes(x, len);

    if (x->stopped)
        return adi3_area_fails(a, x->err);
    int err = adi3_area_read(a, x->root, p.at, to, len);
    if (!err && to != x->recv.buf)
        shared_get(&x->recv, 0, to, len);
    if (!err && p.len > room)
        err = mpir_error(MPI_ERR_TRUNCATE, "the root sends %zu bytes, and there is room for %zu",
                         (size_t) p.len, room);
    return err;
}

/* The others say that they have read it. */
static int read_by_all(struct coll *x, struct adi3_area *a, int err)
{
    int bad = adi3_area_begin(a, x->tag, 0, false);

    if (!bad && x->rank == x->root)
        bad = adi3_area_collect(a);
    else if (!bad)
        adi3_area_hand(a, x->root);
    return err ? err : bad;
}

static int show_place(struct coll *x, struct adi3_area *a, struct place *p)
{
    int err = adi3_area_begin(a, x->tag, sizeof *p, false);

    if (err)
        return err;
    if (x->rank == x->root) {
        p->at = x->recv.type->contig ? (uintptr_t) x->recv.buf : 0;
        p->len = coll_size(x->recv);
        memcpy(adi3_area_at(a, x->root), p, sizeof *p);
        adi3_area_show(a);
        return MPI_SUCCESS;
    }
    err = adi3_area_see(a, x->root);
    if (!err)
        memcpy(p, adi3_area_at(a, x->root), sizeof *p);
    return err;
}

void bcast_direct(struct coll *x)
{
    struct adi3_area *a = shared_area(x);
    struct place p = { 0, 0 };
    bool direct = false;
    int err = adi3_area_direct(a, x->tag, &direct);

    if (!err && direct)
        err = show_place(x, a, &p);
    if (!err && !p.at) {
        bcast_shared(x);
        return;
    }
    if (!err && x->rank != x->root)
        err = read_all(x, a, p);
    coll_error(x, err ? err : MPI_SUCCESS);
    coll_error(x, read_by_all(x, a, err));
}
