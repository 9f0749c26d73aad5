/* packed.h — a broadcast's data as bytes in a row, for algorithms that cut it anywhere.
 *
 * Processes may describe the same data by different types and counts (§5.3.2): only in packed bytes
 * do they agree where a cut is. */
#ifndef PACKED_H
#define PACKED_H

#include "coll.h"

struct packed {
    char *buf; /* the user's memory where its type has no holes, else scratch */
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

/* The bytes from..to - 1, as far as there are so many. */
static inline struct adi3_data packed_range(const struct packed *f, size_t from, size_t to)
{
    from = from < f->len ? from : f->len;
    to = to < f->len ? to : f->len;
    return coll_packed(coll_offset(f->buf, (MPI_Aint) from), to - from);
}

/* The bytes of a piece, when there is one for each process. */
static inline size_t packed_block(const struct coll *x, const struct packed *f)
{
    return (f->len + (size_t) x->size - 1) / (size_t) x->size;
}

/* Piece i of the root goes to the i-th process behind it, along a binomial tree: afterwards each
 * has the pieces of its subtree, its own first. */
void packed_scatter(struct coll *x, const struct packed *f, size_t block);

#endif /* PACKED_H */
