/* shared.h — for algorithms that go through the area of a communicator on one node: see
 * adi3_shmcoll.h. They wait there themselves, so they are for blocking calls alone.
 *
 * Cost: w is the time to see what another core has written, or where processes wait for cores to
 * let all others run; n bytes are copied in c n, which for b of a message is there twice. */
#ifndef SHARED_H
#define SHARED_H

#include <string.h>
#include "algo.h"

/* All processes ask at the same place, since the first who do make the area together. */
static inline struct adi3_shmcoll *coll_shmcoll(const struct coll *x)
{
    struct adi3_comm *c = x->comm;

    return x->sched                                ? NULL
           : __builtin_expect(c->shmcoll_asked, 1) ? c->area
                                                   : adi3_shmcoll(c, x->tag);
}

static inline bool shared_fits(const struct coll *x) { return coll_shmcoll(x) != NULL; }

/* Only types of which all processes have the same elements, packed; and only where the order of
 * operands may be another than that of messages. */
static inline bool shared_reduces(const struct coll *x)
{
    return x->recv.type->predefined && x->recv.type->contig && coll_by_placement(x)
           && shared_fits(x);
}

/* Bytes that a step may have without all having to meet before the next one, if they meet in it. */
static inline size_t shared_half_ring(const struct adi3_shmcoll *a)
{
    return adi3_shmcoll_room(a) / 2 & ~(size_t) 63;
}

/* Bytes of the pieces that go from or to a root, of so many in all: what does not fit into one goes
 * on in others while that is copied. */
static inline size_t shared_chunk(const struct adi3_shmcoll *a, size_t all)
{
    return all <= shared_half_ring(a) ? shared_half_ring(a)
                                      : shared_half_ring(a) / 2 & ~(size_t) 63;
}

/* How many of so many units, of bytes each, go into one piece: without a division where all do. */
static inline size_t shared_units(size_t chunk, size_t units, size_t bytes)
{
    return units * bytes <= chunk ? units : chunk / bytes;
}

/* Of x->comm, which has an area: are so many bytes of each process one piece? */
static inline bool shared_fits_chunk(const struct coll *x, size_t len)
{
    return len <= shared_half_ring(x->comm->area);
}

/* Functions of the program have been seen to write what they are to read alone: for these, operands
 * that are still wanted are copied first. */
static inline bool shared_needs_copies(const struct coll *x) { return x->op->function != NULL; }

static inline const char *shared_operand(const struct coll *x, const struct adi3_shmcoll *a,
                                         int rank, const void *own)
{
    return own && rank == x->rank ? own : adi3_shmcoll_at(a, rank);
}

/* Of all operands in this step, count elements from the first on, combined to a place of ours: from
 * the last rank's down, element by element, so that the bits are the same however data is cut. Our
 * own operand is taken from there; NULL: it is in our room. */
static inline void shared_combine(struct coll *x, const struct adi3_shmcoll *a, size_t first,
                                  size_t count, void *to, const void *own)
{
    size_t size = x->recv.type->size, at = first * size;
    int last = x->size - 1;

    memcpy(to, shared_operand(x, a, last, own) + at, count * size);
    for (int i = last - 1; i >= 0; i--)
        coll_apply(x, shared_operand(x, a, i, own) + at, to, count);
}

/* What another gives or expects has another length than what we do. */
static inline int shared_differs(struct coll *x, int rank, size_t theirs, size_t ours)
{
    return adi3_shmcoll_fail(coll_shmcoll(x),
                             adi3_collchk_unequal(x->comm, rank, x->tag, theirs, ours));
}

/* Our own block does not fit into the place that we have for it. */
static inline int shared_wrong_length(struct coll *x)
{
    size_t ours = coll_size(x->send), room = coll_size(x->recv);

    return adi3_shmcoll_fail(
        coll_shmcoll(x), mpir_error(ours > room ? MPI_ERR_TRUNCATE : MPI_ERR_OTHER,
                                    "our own block has %zu bytes, but room for %zu", ours, room));
}

/* Bytes at, at + 1, ... of d to a room, or from one. */
static inline void shared_put(const struct adi3_data *d, size_t at, void *room, size_t len)
{
    if (!d->type->contig)
        adi3_pack(d, at, room, len);
    else if (len > 0)
        memcpy(room, (const char *) d->buf + at, len);
}

static inline void shared_get(const struct adi3_data *d, size_t at, const void *room, size_t len)
{
    if (!d->type->contig)
        adi3_unpack(d, at, room, len);
    else if (len > 0)
        memcpy((char *) d->buf + at, room, len);
}

#endif /* SHARED_H */
