/* direct.h — for algorithms that read other processes' data where it is.
 *
 * Everyone says where his data is; when all have met, everyone reads what he needs, and they meet
 * once more before the data may change. Of a process whose data has holes there is none to read:
 * then, as where processes may not read each other's memory, it goes through the area instead. */
#ifndef DIRECT_H
#define DIRECT_H

#include "shared.h"

struct direct_region {
    uint64_t at, len; /* at 0: not to be read */
};

struct direct {
    struct adi3_shmcoll *shmcoll;
    struct direct_region *all; /* by rank */
};

/* All processes' places; usable: everyone's can be read. An error is one that all get. */
int direct_exchange(struct coll *x, struct direct *d, struct direct_region mine, bool *usable);
/* The root's place alone. */
int direct_get_root(struct coll *x, struct direct_region *region, bool *usable);
int direct_end(struct coll *x);         /* all have read everything, */
int direct_end_of_root(struct coll *x); /* or the root's alone; the others do not wait */

/* All of the bytes of `to`, from an address there. busy: that process reads as well. */
int direct_read(struct coll *x, int rank, uint64_t from, struct adi3_data to, bool busy);

static inline struct direct_region direct_region(struct adi3_data d, size_t blocks)
{
    bool readable = d.type->contig && d.buf;

    return (struct direct_region) { readable ? (uintptr_t) d.buf : 0, coll_size(d) * blocks };
}

#endif /* DIRECT_H */
