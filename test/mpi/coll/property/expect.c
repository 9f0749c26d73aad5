/* expect.c — the contents of the buffers before a call, and the expected contents after it. */
#include "property.h"

enum { MAX_GROUP = 64 };

/* The value of an item of the block with this seed. */
static void item_value(const struct instance *c, u64 seed, int index, long long *atoms)
{
    const struct item *item = item_number(c->item);

    for (int a = 0; a < item->atoms; a++) {
        u64 h = hash(seed, (u64) index * MAX_ATOMS + (u64) a);
        if (is_reduction(c->operation))
            atoms[a] = reduction_value(c->reduction, item->kind[a], a, h);
        else
            atoms[a] = narrow(item->kind[a], (long long) (h >> 24));
    }
}

static u64 block_seed(const struct instance *c, int round, int group, int rank, int block)
{
    return hash4(hash(c->seed, (u64) round), group, rank, block);
}

/* Writes a block as this process sends it. at: the address of its first item. */
static void write_own(const struct instance *c, const struct block *b, char *at, u64 seed)
{
    for (int i = 0; i < b->count; i++) {
        long long atoms[MAX_ATOMS];
        item_value(c, seed, i, atoms);
        layout_store(b->layout, at + i * b->layout->extent, atoms);
    }
}

static bool uses_receive_buffer(const struct instance *c)
{
    if (!c->in_place || c->operation == SCATTER || c->operation == SCATTERV)
        return false;
    return !is_rooted(c->operation) || is_root(c);
}

static void fill_send(struct task *t, int round)
{
    const struct instance *c = &t->c;
    const struct place *p = c->place;
    bool gathers = c->operation >= GATHER && c->operation <= ALLGATHERV;

    for (int i = 0; i < t->send.n; i++) {
        struct block b = t->send.block[i];
        char *at = t->send.base + b.at;
        if (uses_receive_buffer(c)) {
            const struct block *r = &t->recv.block[gathers ? p->rank : i];
            b.layout = r->layout;
            at = t->recv.base + r->at;
        }
        write_own(c, &b, at, block_seed(c, round, p->group, p->rank, i));
    }
}

static void write_reduced(const struct instance *c, const struct block *b, char *at, int round,
                          struct source s)
{
    u64 seed[MAX_GROUP];

    CHECK(s.end <= MAX_GROUP);
    for (int r = s.first; r < s.end; r++)
        seed[r] = block_seed(c, round, s.group, r, 0);
    for (int i = 0; i < s.count; i++) {
        long long left[MAX_ATOMS], right[MAX_ATOMS];
        item_value(c, seed[s.first], s.skip + i, left);
        for (int r = s.first + 1; r < s.end; r++) {
            item_value(c, seed[r], s.skip + i, right);
            reduce_atoms(c->reduction, b->layout->item, left, right);
        }
        layout_store(b->layout, at + i * b->layout->extent, left);
    }
}

/* Writes the data that should arrive to image. */
static void expect_received(struct task *t, int round)
{
    const struct instance *c = &t->c;
    ptrdiff_t base = t->recv.base - t->recv.mem;

    for (int i = 0; i < t->recv.n; i++) {
        const struct block *b = &t->recv.block[i];
        struct source s = flow_source(c, i);
        char *at = t->recv.image + base + b->at;
        if (s.rank < 0)
            continue;
        if (s.end > 0)
            write_reduced(c, b, at, round, s);
        else
            write_own(c, b, at, block_seed(c, round, s.group, s.rank, s.block));
    }
}

void expect_fill(struct task *t, int round)
{
    memset(t->send.mem, 0xa5, t->send.len);
    memset(t->recv.mem, 0xa5, t->recv.len);
    fill_send(t, round);
    memcpy(t->send.image, t->send.mem, t->send.len);
    memcpy(t->recv.image, t->recv.mem, t->recv.len);
    expect_received(t, round);
}

/* The standard does not say what remains of the input of a reduce_scatter in place: accepts any. */
static void forgive(struct task *t)
{
    const struct instance *c = &t->c;
    ptrdiff_t base = t->recv.base - t->recv.mem;

    if (!c->in_place || (c->operation != REDUCE_SCATTER && c->operation != REDUCE_SCATTER_BLOCK))
        return;
    const struct layout *l = t->recv.block[0].layout;
    for (int i = t->recv.block[0].count; i < t->send.block[0].count; i++) {
        long long atoms[MAX_ATOMS];
        layout_load(l, t->recv.base + i * l->extent, atoms);
        layout_store(l, t->recv.image + base + i * l->extent, atoms);
    }
}

static void compare(const struct instance *c, const struct part *p, const char *side)
{
    char text[200];
    size_t i = 0;

    if (memcmp(p->mem, p->image, p->len) == 0)
        return;
    while (p->mem[i] == p->image[i])
        i++;
    snprintf(text, sizeof text, "byte %td of the %s buffer is %02x instead of %02x",
             p->mem + i - p->base, side, p->mem[i] & 255, p->image[i] & 255);
    fail(c, text);
}

void expect_check(struct task *t)
{
    forgive(t);
    compare(&t->c, &t->send, "send");
    compare(&t->c, &t->recv, "receive");
}
