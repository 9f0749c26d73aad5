/* derive.c — datatypes made of others: their size and bounds (§4.1.2 to §4.1.8), their life. */
#include <stdlib.h>
#include <string.h>
#include "datatype.h"

typedef __int128 wide; /* holds what is too large for MPI */

static const wide LIMIT = (wide) 1 << 62;

int type_no_memory(void) { return adi3_error(MPI_ERR_NO_MEM, "out of memory for a datatype"); }

static int too_large(const char *what)
{
    return adi3_error(MPI_ERR_COUNT, "%s of the datatype would need more than 62 bits", what);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Too far is so far that the bounds tell. */
static MPI_Aint times(int n, MPI_Aint extent)
{
    MPI_Aint product;

    return __builtin_mul_overflow(extent, n, &product) ? PTRDIFF_MAX : product;
}

bool strided_of(const struct adi3_type *t, struct strided *s)
{
    const struct adi3_recipe *r = t->recipe;

    if (t->inner)
        return false;
    switch (r->combiner) {
    case MPI_COMBINER_CONTIGUOUS:
        *s = (struct strided) { 1, (size_t) r->ints[0], 0 };
        return true;
    case MPI_COMBINER_VECTOR:
        *s = (struct strided) { (size_t) r->ints[0], (size_t) r->ints[1],
                                times(r->ints[2], r->types[0]->extent) };
        return true;
    case MPI_COMBINER_HVECTOR:
        *s = (struct strided) { (size_t) r->ints[0], (size_t) r->ints[1], r->addrs[0] };
        return true;
    }
    return false;
}

size_t pieces_of(const struct adi3_type *t)
{
    struct strided s;

    return t->inner ? 1 : strided_of(t, &s) ? s.count : (size_t) t->recipe->ints[0];
}

struct piece piece_of(const struct adi3_type *t, size_t i)
{
    const struct adi3_recipe *r = t->recipe;
    struct strided s;

    if (t->inner)
        return (struct piece) { 0, 1, t->inner };
    if (strided_of(t, &s))
        return (struct piece) { (MPI_Aint) i * s.stride, s.blocklen, r->types[0] };
    bool one_length =
        r->combiner == MPI_COMBINER_INDEXED_BLOCK || r->combiner == MPI_COMBINER_HINDEXED_BLOCK;
    struct adi3_type *old = r->types[r->combiner == MPI_COMBINER_STRUCT ? i : 0];
    MPI_Aint at = r->naddrs
                      ? r->addrs[i]
                      : times(r->ints[(one_length ? 2 : 1 + (size_t) r->ints[0]) + i], old->extent);
    return (struct piece) { at, (size_t) r->ints[one_length ? 1 : 1 + i], old };
}

/* ---- size and bounds ------------------------------------------------------------------------- */

struct span {
    wide low, high;
    bool any, marked;
};

struct bounds {
    wide size, external, elements;
    struct span whole, data; /* from lb to ub; of the data */
    bool ub_marked;
    unsigned align;
    struct adi3_type *basic;
    bool mixed;
};

/* Bounds that were set count alone, once there are any (§4.1.7). */
static void reach(wide *limit, bool *any, bool *marked, bool marks, wide to)
{
    bool farther = !*any || to > *limit;

    if (*marked && !marks)
        return;
    if (farther || (marks && !*marked))
        *limit = to;
    *any = true;
    *marked |= marks;
}

/* count times a piece, stride bytes apart. */
static void add(struct bounds *b, struct piece p, wide count, wide stride)
{
    const struct adi3_type *old = p.type;
    wide outer = (count - 1) * stride, inner = ((wide) p.count - 1) * old->extent;
    wide low = p.at + (outer < 0 ? outer : 0) + (inner < 0 ? inner : 0);
    wide high = p.at + (outer > 0 ? outer : 0) + (inner > 0 ? inner : 0);
    bool any = b->whole.any, data_any = b->data.any, none = false;
    wide lb = -b->whole.low, data_low = -b->data.low;

    if (count == 0 || p.count == 0
        || (old->size == 0 && old->extent == 0 && !old->lb_marked && !old->ub_marked))
        return;
    reach(&lb, &any, &b->whole.marked, old->lb_marked, -(low + old->lb));
    reach(&b->whole.high, &b->whole.any, &b->ub_marked, old->ub_marked,
          high + old->lb + old->extent);
    b->whole.low = -lb;
    b->align = b->align > old->align ? b->align : old->align;
    if (old->size == 0)
        return;
    reach(&data_low, &data_any, &none, false, -(low + old->true_lb));
    reach(&b->data.high, &b->data.any, &none, false, high + old->true_lb + old->true_extent);
    b->data.low = -data_low;
    b->size += count * (wide) p.count * (wide) old->size;
    b->external += count * (wide) p.count * (wide) adi3_external_size(old);
    b->elements += count * (wide) p.count * (wide) old->elements;
    b->mixed |= !old->basic || (b->basic && b->basic != old->basic);
    b->basic = old->basic;
}

/* Overflows at most once: a limit is looked at after each piece. */
static bool too_far(const struct bounds *b)
{
    return b->whole.low < -LIMIT || b->whole.high > LIMIT || b->data.low < -LIMIT
           || b->data.high > LIMIT || b->whole.high - b->whole.low > LIMIT
           || b->whole.low - b->whole.high > LIMIT;
}

static int measure(const struct adi3_type *t, struct bounds *b)
{
    struct strided s;
    bool strided = strided_of(t, &s);
    size_t n = strided ? 1 : pieces_of(t);

    for (size_t i = 0; i < n; i++) {
        if (strided)
            add(b, (struct piece) { 0, s.blocklen, t->recipe->types[0] }, s.count, s.stride);
        else
            add(b, piece_of(t, i), 1, 0);
        if (b->size > LIMIT)
            return too_large("the size");
        if (too_far(b))
            return too_large("the bounds");
    }
    return MPI_SUCCESS;
}

/* The end of a struct is where the next one could begin, as compilers do it (§4.1.6). */
static void pad(struct bounds *b)
{
    wide over = (b->whole.high - b->whole.low) % b->align;

    if (over > 0)
        b->whole.high += b->align - over;
}

static int set_bounds(struct adi3_type *t)
{
    struct bounds b = { .align = 1 };
    const struct adi3_recipe *r = t->recipe;
    int err = measure(t, &b);

    if (err)
        return err;
    if (r->combiner == MPI_COMBINER_STRUCT && !b.ub_marked)
        pad(&b);
    t->size = (size_t) b.size;
    t->external = (size_t) b.external;
    t->elements = (size_t) b.elements;
    t->basic = b.mixed ? NULL : b.basic;
    t->align = b.align;
    t->lb = (MPI_Aint) b.whole.low;
    t->extent = (MPI_Aint) (b.whole.high - b.whole.low);
    t->lb_marked = b.whole.marked;
    t->ub_marked = b.ub_marked;
    t->true_lb = (MPI_Aint) b.data.low;
    t->true_extent = (MPI_Aint) (b.data.high - b.data.low);
    if (r->combiner == MPI_COMBINER_RESIZED) {
        t->lb = r->addrs[0];
        t->extent = r->addrs[1];
        t->lb_marked = t->ub_marked = true;
    }
    return MPI_SUCCESS;
}

/* ---- life ------------------------------------------------------------------------------------ */

/* A copy that holds its types. */
static struct adi3_recipe *keep(const struct adi3_recipe *r)
{
    size_t ints = (size_t) r->nints * sizeof *r->ints,
           addrs = (size_t) r->naddrs * sizeof *r->addrs;
    size_t types = (size_t) r->ntypes * sizeof *r->types;
    struct adi3_recipe *kept = malloc(sizeof *kept + addrs + types + ints);

    if (!kept)
        return NULL;
    char *to = (char *) (kept + 1);
    *kept = *r;
    kept->addrs = memcpy(to, addrs ? (const void *) r->addrs : "", addrs);
    kept->types = memcpy(to + addrs, types ? (const void *) r->types : "", types);
    kept->ints = memcpy(to + addrs + types, ints ? (const void *) r->ints : "", ints);
    for (int i = 0; i < r->ntypes; i++)
        kept->types[i]->refs++;
    return kept;
}

/* The type whose elements a new one has, at the same places; NULL when it has places of its own. */
static int inner_of(const struct adi3_recipe *r, struct adi3_type **inner)
{
    *inner = NULL;
    if (r->combiner == MPI_COMBINER_DUP || r->combiner == MPI_COMBINER_RESIZED) {
        *inner = r->types[0];
        (*inner)->refs++;
    }
    return MPI_SUCCESS;
}

int adi3_type_make(const struct adi3_recipe *r, struct adi3_type **made)
{
    MPI_Datatype h;
    struct adi3_type *t = adi3_new(&adi3_types, &h);
    struct adi3_recipe *kept = t ? keep(r) : NULL;

    if (!kept) {
        if (t)
            adi3_free(&adi3_types, t);
        return type_no_memory();
    }
    *t = (struct adi3_type) { .handle = h, .refs = 1, .recipe = kept, .name = "" };
    int err = inner_of(r, &t->inner);
    if (!err)
        err = set_bounds(t);
    if (err)
        adi3_type_release(t);
    else
        *made = t;
    return err;
}

int adi3_type_hvector(int count, int blocklen, MPI_Aint stride, struct adi3_type *old,
                      struct adi3_type **made)
{
    return adi3_type_make(&(struct adi3_recipe) { .combiner = MPI_COMBINER_HVECTOR,
                                                  .nints = 2,
                                                  .naddrs = 1,
                                                  .ntypes = 1,
                                                  .ints = (int[]) { count, blocklen },
                                                  .addrs = &stride,
                                                  .types = &old },
                          made);
}

int adi3_type_commit(struct adi3_type *t)
{
    int err = t->committed ? MPI_SUCCESS : layout_build(t);

    if (!err)
        t->committed = true;
    return err;
}

void adi3_type_release(struct adi3_type *t)
{
    if (t->predefined || --t->refs)
        return;
    layout_free(t->layout);
    if (t->inner)
        adi3_type_release(t->inner);
    for (int i = 0; i < t->recipe->ntypes; i++)
        adi3_type_release(t->recipe->types[i]);
    free(t->recipe);
    free(t->given_name);
    adi3_free(&adi3_types, t);
}
