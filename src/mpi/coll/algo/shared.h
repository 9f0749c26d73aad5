/* shared.h — for algorithms that copy data through a communicator's shared-memory segment: see
 * adi3_shmcoll.h and doc/collectives.md. They wait within the segment and serve blocking calls
 * only.
 *
 * Cost: w is the time until another core sees what was written or, where processes wait for
 * cores, the time to let all others run. Copying n bytes takes c n. In a message each byte is
 * copied twice, which is part of b. */
#ifndef SHARED_H
#define SHARED_H

#include <string.h>
#include "mpi/coll/algo/algo.h"

/* The segment of the processes of this call or phase, or NULL where there is none. The first call
 * makes it, in all these processes together, so all must ask at the same point of a call. */
static inline struct adi3_shmcoll *coll_shmcoll(const struct coll *x)
{
    const struct adi3_comm *c = x->comm;

    return x->sched                                ? NULL
           : __builtin_expect(c->shmcoll_asked, 1) ? c->shmcoll
                                                   : coll_find_shmcoll(x);
}

static inline bool shared_fits(const struct coll *x) { return coll_shmcoll(x) != NULL; }

/* Only for types whose elements are the same in all processes and lie without gaps; and only
 * where the order of operands may differ from that of messages. */
static inline bool shared_reduces(const struct coll *x)
{
    return x->recv.type->predefined && x->recv.type->contig && coll_by_placement(x)
           && shared_fits(x);
}

/* The most bytes that consecutive steps with a barrier may use without an extra barrier to make
 * room: half of a process's ring. */
static inline size_t shared_half_ring(const struct adi3_shmcoll *a)
{
    return adi3_shmcoll_room(a) / 2 & ~(size_t) 63;
}

/* Bytes of a chunk of data that goes from or to a root. Data that is larger than one chunk is
 * cut smaller, so that one chunk is written while another is read. */
static inline size_t shared_chunk(const struct adi3_shmcoll *a, size_t all)
{
    return all <= shared_half_ring(a) ? shared_half_ring(a)
                                      : shared_half_ring(a) / 2 & ~(size_t) 63;
}

/* How many of so many units, of bytes each, go into one chunk; without a division where all do. */
static inline size_t shared_units(size_t chunk, size_t units, size_t bytes)
{
    return units * bytes <= chunk ? units : chunk / bytes;
}

/* Where cores are shared, three or four processes copy large data themselves, which then passes far
 * cores once. More of them would wait too long for each other's copies. */
static inline bool shared_few_copy(const struct coll *x, size_t len)
{
    return x->size > 2 && x->size <= 4 && len >= 256 << 10;
}

/* Does each process's data of that length fit into one chunk? x->comm must have a segment. */
static inline bool shared_fits_chunk(const struct coll *x, size_t len)
{
    return len <= shared_half_ring(x->comm->shmcoll);
}

/* Operations of the program have been seen to write to their input. Operands that are read again
 * are copied before these are called. */
static inline bool shared_needs_copies(const struct coll *x) { return x->op->function != NULL; }

static inline const char *shared_operand(const struct coll *x, const struct adi3_shmcoll *a,
                                         int rank, const void *own)
{
    return own && rank == x->rank ? own : adi3_shmcoll_at(a, rank);
}

/* Combines count elements, from the first on, of all operands of this step to a place of our
 * own: from the last rank's operand down, element by element, so that the bits are the same
 * however data is cut. own: where our own operand is; NULL: in the segment. */
static inline void shared_combine(struct coll *x, const struct adi3_shmcoll *a, size_t first,
                                  size_t count, void *to, const void *own)
{
    size_t size = x->recv.type->size, at = first * size;
    int last = x->size - 1;

    memcpy(to, shared_operand(x, a, last, own) + at, count * size);
    for (int i = last - 1; i >= 0; i--)
        coll_apply(x, shared_operand(x, a, i, own) + at, to, count);
}

/* The error when another process gives or expects another length than we do. */
static inline int shared_differs(struct coll *x, int rank, size_t theirs, size_t ours)
{
    return adi3_shmcoll_fail(coll_shmcoll(x), adi3_collchk_unequal(x->comm, coll_rank_of(x, rank),
                                                                   x->tag, theirs, ours));
}

/* The error when our own block does not have the length of its place. */
static inline int shared_wrong_length(struct coll *x)
{
    size_t ours = coll_size(x->send), room = coll_size(x->recv);

    return adi3_shmcoll_fail(coll_shmcoll(x),
                             mpir_error(ours > room ? MPI_ERR_TRUNCATE : MPI_ERR_OTHER,
                                        "our own block has %zu bytes, but room for %zu%s", ours,
                                        room, adi3_collchk_total(x->size, ours, room)));
}

/* Copies len bytes from the at-th byte of d on to a place in the segment, or from there. */
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
