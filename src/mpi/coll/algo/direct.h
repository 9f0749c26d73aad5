/* direct.h — for algorithms that read other processes' data where it is, or write it where it goes.
 *
 * Each process publishes the address of its data in the shared-memory segment. After a barrier
 * each process reads what it needs. A second barrier follows before any data may change. Data
 * with gaps cannot be read this way. Where there are gaps, or where processes may not read each
 * other's memory, the algorithm copies through the segment instead (*_shared.c). */
#ifndef DIRECT_H
#define DIRECT_H

#include "mpi/coll/algo/shared.h"

struct direct_region {
    uint64_t at, len; /* an address in its process; at 0: cannot be read */
    uint64_t result;  /* of the root of a reduction: where the result goes */
};

struct direct {
    struct adi3_shmcoll *shmcoll;
    struct direct_region *all; /* by rank */
};

/* Exchanges the regions of all processes. usable: all of them can be read. Results and errors
 * are the same in all processes. */
int direct_exchange(struct coll *x, struct direct *d, struct direct_region mine, bool *usable);
/* Likewise for the root's region only, which the root passes in *region and the others get
 * there. */
int direct_get_root(struct coll *x, struct direct_region *region, bool *usable);
int direct_end(struct coll *x);         /* waits until all have read everything, or ... */
int direct_end_of_root(struct coll *x); /* ... the root until all have; the others do not wait */

/* Fills `to` from an address in another process. busy: that process reads, too, and does not
 * help to copy. */
int direct_read(struct coll *x, int rank, uint64_t from, struct adi3_data to, bool busy);

/* Writes `from` to an address in another process. */
int direct_write(struct coll *x, int rank, uint64_t to, struct adi3_data from);

static inline struct direct_region direct_region(struct adi3_data d, size_t blocks)
{
    bool readable = d.type->contig && d.buf;

    return (struct direct_region) { .at = readable ? (uintptr_t) d.buf : 0,
                                    .len = coll_size(d) * blocks };
}

#endif /* DIRECT_H */
