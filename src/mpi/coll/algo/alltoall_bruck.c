/* alltoall_bruck.c — blocks reach their process in at most log2 p hops, many of them in one
 * message (Bruck et al.).
 *
 * Packed block i is for the process i ranks behind ours. In round k all blocks with bit k set in
 * i move 2^k ranks on. At the end block i has come from the process i ranks before ours. Cost:
 * ceil(log2 p) (a + n b p / 2): for tiny blocks and many processes. */
#include "mpi/coll/algo/algo.h"

struct bruck {
    size_t len;   /* bytes of a block */
    char *blocks; /* p blocks */
    char *out, *in;
};

/* Moves the blocks whose number has this bit set, packed in one message. */
static void bruck_run_round(struct coll *x, const struct bruck *b, int bit)
{
    size_t n = 0;

    for (int i = bit; i < x->size; i = (i + 1) | bit)
        coll_copy(x, coll_packed(b->blocks + (size_t) i * b->len, b->len),
                  coll_packed(b->out + n++ * b->len, b->len));
    coll_exchange(x, coll_packed(b->out, n * b->len), (x->rank + bit) % x->size,
                  coll_packed(b->in, n * b->len), (x->rank - bit + x->size) % x->size);
    n = 0;
    for (int i = bit; i < x->size; i = (i + 1) | bit)
        coll_copy(x, coll_packed(b->in + n++ * b->len, b->len),
                  coll_packed(b->blocks + (size_t) i * b->len, b->len));
}

void alltoall_bruck(struct coll *x)
{
    struct bruck b = { .len = coll_size(x->recv) };
    size_t all = (size_t) x->size * b.len, half = ((size_t) x->size / 2 + 1) * b.len;

    b.blocks = coll_bytes(x, all);
    b.out = coll_bytes(x, half);
    b.in = coll_bytes(x, half);
    for (int i = 0; i < x->size; i++)
        coll_copy(x, coll_block(&x->send, (x->rank + i) % x->size),
                  coll_packed(b.blocks + (size_t) i * b.len, b.len));
    for (int bit = 1; bit < x->size; bit *= 2)
        bruck_run_round(x, &b, bit);
    for (int i = 0; i < x->size; i++)
        coll_copy(x, coll_packed(b.blocks + (size_t) i * b.len, b.len),
                  coll_block(&x->recv, (x->rank - i + x->size) % x->size));
}
