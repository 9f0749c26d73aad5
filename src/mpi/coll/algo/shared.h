/* shared.h — for algorithms that go through the area of a communicator on one node: see
 * adi3_area.h. They wait there themselves, so they are for blocking calls alone.
 *
 * Cost: w is the time to see what another core has written, or where processes wait for cores to
 * let all others run; n bytes are copied in c n, which for b of a message is there twice. */
#ifndef SHARED_H
#define SHARED_H

#include <string.h>
#include "algo.h"

/* All processes ask at the same place, since the first who do make the area together. */
static inline struct adi3_area *shared_area(const struct coll *x)
{
    return x->sched ? NULL : adi3_area(x->comm);
}

static inline bool shared_fits(const struct coll *x) { return shared_area(x) != NULL; }

/* Only types of which all processes have the same elements, packed. */
static inline bool shared_reduces(const struct coll *x)
{
    return x->recv.type->predefined && x->recv.type->contig && shared_fits(x);
}

/* Bytes that one step may have, so that the next can begin before all are done with it. */
static inline size_t shared_chunk(const struct adi3_area *a)
{
    return adi3_area_room(a) / 4 & ~(size_t) 63;
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
