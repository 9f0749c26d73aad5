/* reduce_chain.c — partial results pass through all processes in a row, in chunks; each process
 * combines them with its operand.
 *
 * While a process receives a chunk, it sends the one before. The row ends at the root when the
 * operation commutes; else at rank 0, which then sends the result to the root, so that operands
 * are combined in rank order. Cost: (p - 2 + s) (a + n (b + g) / s) for s chunks: n (b + g) when
 * there are many more chunks than processes. */
#include "mpi/coll/algo/algo.h"

/* Elements of a chunk. */
static size_t chain_chunk_count(const struct coll *x)
{
    size_t size = x->recv.type->size;

    return size > 0 && size < REDUCE_CHUNK ? REDUCE_CHUNK / size : 1;
}

/* n elements from first on; fewer at the end. */
static struct adi3_data chain_chunk(const struct coll *x, const void *buf, size_t first, size_t n)
{
    size_t left = x->recv.count - first;

    return coll_range(buf, first, n < left ? n : left, x->recv.type);
}

/* The process where the row starts only sends its operand. */
static void send_all(struct coll *x, size_t n, int to)
{
    for (size_t at = 0; at < x->recv.count; at += n)
        coll_start_send(x, chain_chunk(x, x->send.buf, at, n), to);
}

/* A process within the row receives one chunk while it sends the one before. */
static void chain_forward(struct coll *x, size_t n, int from, int to)
{
    struct adi3_type *t = x->recv.type;
    void *turn[2] = { coll_elements(x, n, t), coll_elements(x, n, t) };
    struct adi3_data out = { NULL, 0, t };

    for (size_t at = 0; at < x->recv.count; at += n) {
        struct adi3_data ours = chain_chunk(x, x->send.buf, at, n), in = ours;
        in.buf = turn[at / n % 2];
        if (at == 0)
            coll_recv(x, in, from);
        else
            coll_exchange(x, out, to, in, from);
        coll_apply(x, ours.buf, in.buf, in.count);
        out = in;
    }
    if (x->recv.count > 0)
        coll_send(x, out, to);
}

/* The process where the row ends gets the result. */
static void chain_finish(struct coll *x, size_t n, int from)
{
    struct adi3_data all = x->recv;

    if (x->rank != x->root || x->send.buf == x->recv.buf)
        all.buf = coll_elements(x, all.count, all.type);
    for (size_t at = 0; at < all.count; at += n) {
        struct adi3_data in = chain_chunk(x, all.buf, at, n);
        coll_recv(x, in, from);
        coll_apply(x, chain_chunk(x, x->send.buf, at, n).buf, in.buf, in.count);
    }
    if (x->rank == x->root)
        coll_copy(x, all, x->recv);
    else
        coll_send(x, all, x->root);
}

void reduce_chain(struct coll *x)
{
    int top = x->op->commutes ? x->root : 0, me = (x->rank - top + x->size) % x->size;
    int behind = (x->rank + 1) % x->size, before = (x->rank - 1 + x->size) % x->size;
    size_t n = chain_chunk_count(x);

    if (x->size == 1)
        coll_copy(x, x->send, x->recv);
    else if (me == 0)
        chain_finish(x, n, behind);
    else if (me == x->size - 1)
        send_all(x, n, before);
    else
        chain_forward(x, n, behind, before);
    if (x->rank == x->root && me > 0)
        coll_recv(x, x->recv, top);
}
