/* parts.c — the buffers of a case: the place and the type of each block. */
#include "property.h"

enum { SEND, RECEIVE, PAD = 64 };
enum shape { EQUAL, VARIED, OWN_TYPES };

/* How the blocks of a side may differ from each other. */
static enum shape shape(enum operation o, int side)
{
    switch (o) {
    case ALLTOALLW:
    case NEIGHBOR_ALLTOALLW:
        return OWN_TYPES;
    case ALLTOALLV:
    case NEIGHBOR_ALLTOALLV:
        return VARIED;
    case SCATTERV:
        return side == SEND ? VARIED : EQUAL;
    case GATHERV:
    case ALLGATHERV:
    case NEIGHBOR_ALLGATHERV:
        return side == RECEIVE ? VARIED : EQUAL;
    case BARRIER:
    case BCAST:
    case GATHER:
    case SCATTER:
    case ALLGATHER:
    case ALLTOALL:
    case REDUCE:
    case ALLREDUCE:
    case REDUCE_SCATTER:
    case REDUCE_SCATTER_BLOCK:
    case SCAN:
    case EXSCAN:
    case NEIGHBOR_ALLGATHER:
    case NEIGHBOR_ALLTOALL:
    case OPERATIONS:
        break;
    }
    return EQUAL;
}

/* C16: each process has its own layout, except in a reduction. In place, one buffer serves both
 * sides. */
static const struct layout *draw_layout(const struct instance *c, int side, int block)
{
    const struct place *p = c->place;

    if (is_reduction(c->operation))
        return item_layout(c->item, c->layout);
    if (c->in_place)
        side = RECEIVE;
    if (shape(c->operation, side) != OWN_TYPES)
        block = 0;
    u64 h = hash4(c->seed, 1000 + side, p->group * 64 + p->rank, block);
    return item_layout(c->item, (int) (h % LAYOUTS));
}

static MPI_Aint round_up(MPI_Aint at) { return (at + 7) & -(MPI_Aint) 8; }

/* C03, C04: blocks of varied length come in any order, with gaps. */
static void place_block(struct part *p, int i, enum shape shape, MPI_Aint *next, int gap)
{
    struct block *b = &p->block[i];
    const struct layout *l = b->layout;

    if (shape == OWN_TYPES) { /* *next in bytes */
        b->at = *next - l->low;
        *next = round_up(b->at + b->count * l->extent + l->high) + gap * 8;
    } else { /* *next in extents */
        p->displs[i] = (int) *next;
        b->at = *next * l->extent;
        *next += b->count + gap;
    }
}

static void place_blocks(const struct instance *c, struct part *p, int side)
{
    enum shape s = shape(c->operation, side);
    struct dice d = { hash4(c->seed, 2000 + side, c->place->group, c->place->rank) };
    int *order = mpitest_memory((size_t) p->n * sizeof *order);
    MPI_Aint next = 0;

    shuffle(&d, order, p->n);
    for (int k = 0; k < p->n; k++)
        place_block(p, s == EQUAL ? k : order[k], s, &next, s == EQUAL ? 0 : roll(&d, 3));
    free(order);
    for (int i = 0; i < p->n; i++) {
        p->counts[i] = p->block[i].count;
        p->bytes[i] = p->block[i].at;
        p->types[i] = p->block[i].layout->type;
        if (s == OWN_TYPES)
            p->displs[i] = (int) p->block[i].at;
    }
}

/* room: items that the first block has memory for, whatever its count. */
static void allocate(struct part *p, int room)
{
    MPI_Aint low = 0, high = 0;

    for (int i = 0; i < p->n; i++) {
        const struct block *b = &p->block[i];
        MPI_Aint from = b->at + b->layout->low, n = i == 0 && room > b->count ? room : b->count;
        MPI_Aint to = b->at + (n - 1) * b->layout->extent + b->layout->high;
        low = from < low ? from : low;
        high = to > high ? to : high;
    }
    p->len = (size_t) (high - low) + 2 * PAD;
    p->mem = mpitest_memory(p->len);
    p->image = mpitest_memory(p->len);
    p->base = p->mem + PAD - low;
}

static void make(const struct instance *c, struct part *p, int side, int room)
{
    size_t n = (size_t) p->n;

    p->block = mpitest_memory(n * sizeof *p->block);
    p->counts = mpitest_memory(n * sizeof *p->counts);
    p->displs = mpitest_memory(n * sizeof *p->displs);
    p->bytes = mpitest_memory(n * sizeof *p->bytes);
    p->types = mpitest_memory(n * sizeof *p->types);
    for (int i = 0; i < p->n; i++) {
        p->block[i].layout = draw_layout(c, side, i);
        p->block[i].count = side == SEND ? flow_amount(c, c->place->group, c->place->rank, i)
                                         : flow_source(c, i).count;
    }
    place_blocks(c, p, side);
    allocate(p, room);
}

void parts_make(struct task *t)
{
    const struct instance *c = &t->c;
    bool scatters = c->operation == SCATTER || c->operation == SCATTERV;

    t->send.n = flow_sends(c);
    t->recv.n = scatters && c->in_place && is_root(c) ? 0 : flow_receives(c);
    make(c, &t->send, SEND, 0);
    int room = c->in_place && is_reduction(c->operation) && t->send.n ? t->send.counts[0] : 0;
    make(c, &t->recv, RECEIVE, room);
}

static void release(struct part *p)
{
    free(p->block);
    free(p->counts);
    free(p->displs);
    free(p->bytes);
    free(p->types);
    free(p->mem);
    free(p->image);
}

void parts_free(struct task *t)
{
    release(&t->send);
    release(&t->recv);
}
