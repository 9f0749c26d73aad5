/* packed.h — a broadcast's data as one row of bytes, for algorithms that cut it.
 *
 * Processes may describe the same data by different types and counts (§5.3.2). Only in packed
 * bytes is the place of a cut the same for all. */
#ifndef PACKED_H
#define PACKED_H

#include "mpi/coll/coll.h"

struct packed {
    char *buf; /* the user's memory where its type has no gaps, else scratch memory */
    size_t len;
};

static inline struct packed packed_begin(struct coll *x)
{
    struct packed f = { x->recv.buf, coll_size(x->recv) };

    if (!x->recv.type->contig) {
        f.buf = coll_bytes(x, f.len);
        if (x->rank == x->root)
            coll_copy(x, x->recv, coll_packed(f.buf, f.len));
    }
    return f;
}

static inline void packed_end(struct coll *x, const struct packed *f)
{
    coll_finish(x);
    if (f->buf != x->recv.buf && x->rank != x->root)
        coll_copy(x, coll_packed(f->buf, f->len), x->recv);
}

/* The bytes from..to - 1; fewer at the end of the data. */
static inline struct adi3_data packed_range(const struct packed *f, size_t from, size_t to)
{
    from = from < f->len ? from : f->len;
    to = to < f->len ? to : f->len;
    return coll_packed(coll_offset(f->buf, (MPI_Aint) from), to - from);
}

/* Bytes of a block when the data is divided into one block for each process. */
static inline size_t packed_block(const struct coll *x, const struct packed *f)
{
    return (f->len + (size_t) x->size - 1) / (size_t) x->size;
}

/* Scatters blocks along a binomial tree: block i goes to the process i ranks behind the root. At
 * the end each process has the blocks of its subtree, its own first. */
void packed_scatter(struct coll *x, const struct packed *f, size_t block);

#endif /* PACKED_H */
