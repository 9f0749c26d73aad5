/* circulant.c — reduce-scatter and allgather with the processes in a circle. */
#include "mpi/coll/algo/circulant.h"

/* Elements before block i of the row, which begins with our own block. */
static size_t circulant_offset(const struct coll *x, const struct circulant *c, int i)
{
    size_t ours = c->before(x, x->rank);

    if (x->rank + i <= x->size)
        return c->before(x, x->rank + i) - ours;
    return c->before(x, x->size) - ours + c->before(x, x->rank + i - x->size);
}

struct adi3_data circulant_blocks(const struct coll *x, const struct circulant *c, int i, int n)
{
    size_t first = circulant_offset(x, c, i);

    return coll_range(c->row, first, circulant_offset(x, c, i + n) - first, x->recv.type);
}

/* Copies our operands to the row: first from our own block to the end, then from the beginning. */
static void fill_row(struct coll *x, struct circulant *c)
{
    size_t ours = c->before(x, x->rank), all = c->before(x, x->size);
    struct adi3_type *t = x->recv.type;

    c->row = coll_elements(x, all, t);
    coll_copy(x, coll_range(x->send.buf, ours, all - ours, t),
              coll_range(c->row, 0, all - ours, t));
    coll_copy(x, coll_range(x->send.buf, 0, ours, t), coll_range(c->row, all - ours, ours, t));
}

void circulant_reduce(struct coll *x, struct circulant *c)
{
    struct adi3_data in;

    fill_row(x, c);
    in = circulant_blocks(x, c, 0, x->size / 2); /* the first message is the longest */
    in.buf = coll_elements(x, in.count, in.type);
    c->rounds = 0;
    for (int s = x->size, skip; s > 1; s = skip) {
        skip = s - s / 2;
        struct adi3_data ours = circulant_blocks(x, c, 0, s / 2);
        in.count = ours.count;
        coll_exchange(x, circulant_blocks(x, c, skip, s / 2), (x->rank + skip) % x->size, in,
                      (x->rank - skip + x->size) % x->size);
        coll_apply(x, in.buf, ours.buf, in.count);
        c->skip[c->rounds++] = skip;
    }
}

void circulant_allgather(struct coll *x, const struct circulant *c)
{
    for (int k = c->rounds - 1; k >= 0; k--) {
        int skip = c->skip[k], s = k > 0 ? c->skip[k - 1] : x->size;
        coll_exchange(x, circulant_blocks(x, c, 0, s - skip), (x->rank - skip + x->size) % x->size,
                      circulant_blocks(x, c, skip, s - skip), (x->rank + skip) % x->size);
    }
}
