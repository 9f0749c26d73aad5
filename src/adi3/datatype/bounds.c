/* bounds.c — the size and bounds of a derived datatype (§4.1.5 to §4.1.8). */
#include "adi3/datatype/datatype_impl.h"

/* The largest position so far; of a lower bound the largest with the sign changed. */
struct limit {
    wide at;
    bool any, marked;
};

struct bounds {
    wide size, external, elements;
    struct limit lb, ub, true_lb, true_ub;
    unsigned align;
    struct adi3_type *basic;
    bool mixed;
};

/* Includes a position. Once there is a bound that the user has set, only such bounds count
 * (§4.1.7). */
static void limit_include(struct limit *l, bool marks, wide to)
{
    if (l->marked && !marks)
        return;
    if (!l->any || to > l->at || (marks && !l->marked))
        l->at = to;
    l->any = true;
    l->marked |= marks;
}

/* A product of sizes or counts. One above 2^64 becomes 2^64: the sum is then found to be too large,
 * and cannot overflow with up to 2^62 type blocks. */
static wide sizes_multiply(wide a, wide b)
{
    const wide most = (wide) 1 << 64;
    wide p;

    return __builtin_mul_overflow(a, b, &p) || p > most ? most : p;
}

/* Adds count times a type block, stride bytes apart. A type block without data has only the bounds
 * that the user has set. */
static void bounds_add_block(struct bounds *b, struct type_block p, wide count, wide stride)
{
    const struct adi3_type *old = p.type;
    wide outer = (count - 1) * stride, inner = ((wide) p.count - 1) * old->extent;
    wide low = p.at + (outer < 0 ? outer : 0) + (inner < 0 ? inner : 0);
    wide high = p.at + (outer > 0 ? outer : 0) + (inner > 0 ? inner : 0);

    if (count == 0 || p.count == 0)
        return;
    if (old->size || old->lb_marked)
        limit_include(&b->lb, old->lb_marked, -(low + old->lb));
    if (old->size || old->ub_marked)
        limit_include(&b->ub, old->ub_marked, high + old->lb + old->extent);
    if (old->size == 0)
        return;
    limit_include(&b->true_lb, false, -(low + old->true_lb));
    limit_include(&b->true_ub, false, high + old->true_lb + old->true_extent);
    b->align = b->align > old->align ? b->align : old->align;
    count = sizes_multiply(count, (wide) p.count);
    b->size += sizes_multiply(count, (wide) old->size);
    b->external += sizes_multiply(count, (wide) adi3_external_size(old));
    b->elements += sizes_multiply(count, (wide) old->elements);
    b->mixed |= !old->basic || (b->basic && b->basic != old->basic);
    b->basic = old->basic;
}

/* Adds all type blocks. Counts and strides have 63 bits, so that products of two fit. */
static void bounds_measure(const struct adi3_type *t, struct bounds *b)
{
    struct strided s = { .count = 0 };
    bool strided = strided_of(t, &s);
    size_t n = strided ? 1 : type_block_count(t);

    for (size_t i = 0; i < n; i++) {
        if (strided)
            bounds_add_block(b, (struct type_block) { 0, s.blocklen, t->contents->types[0] },
                             s.count, s.stride);
        else
            bounds_add_block(b, type_block_at(t, i), 1, 0);
    }
}

/* Pads the extent of a struct to its alignment, as compilers do (§4.1.6). */
static void bounds_pad(struct bounds *b)
{
    wide over = (b->ub.at + b->lb.at) % b->align;

    if (over > 0)
        b->ub.at += b->align - over;
}

static bool too_far(const struct limit *lb, const struct limit *ub)
{
    wide extent = ub->at + lb->at;

    return lb->at > LIMIT || lb->at < -LIMIT || ub->at > LIMIT || ub->at < -LIMIT || extent > LIMIT
           || extent < -LIMIT;
}

int type_set_bounds(struct adi3_type *t)
{
    struct bounds b = { .align = 1 };
    const struct adi3_contents *r = t->contents;

    bounds_measure(t, &b);
    if (r->combiner == MPI_COMBINER_STRUCT && !b.ub.marked)
        bounds_pad(&b);
    if (r->combiner == MPI_COMBINER_RESIZED) {
        const MPI_Aint *lb = r->ncounts ? r->counts : r->addrs; /* the extent is behind it */
        b.lb = (struct limit) { -(wide) lb[0], true, true };
        b.ub = (struct limit) { (wide) lb[0] + lb[1], true, true };
    }
    if (b.size > LIMIT)
        return type_too_large("the size");
    if (too_far(&b.lb, &b.ub) || too_far(&b.true_lb, &b.true_ub))
        return type_too_large("the bounds");
    t->size = (size_t) b.size;
    t->external = (size_t) b.external;
    t->elements = (size_t) b.elements;
    t->basic = b.mixed ? NULL : b.basic;
    t->align = b.align;
    t->lb = (MPI_Aint) -b.lb.at;
    t->extent = (MPI_Aint) (b.ub.at + b.lb.at);
    t->lb_marked = b.lb.marked;
    t->ub_marked = b.ub.marked;
    t->true_lb = (MPI_Aint) -b.true_lb.at;
    t->true_extent = (MPI_Aint) (b.true_ub.at + b.true_lb.at);
    return MPI_SUCCESS;
}
