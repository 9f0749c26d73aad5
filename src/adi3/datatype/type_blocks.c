/* type_blocks.c — the blocks that a derived datatype is made of, from its constructor call
 * (§4.1.2). */
#include "adi3/datatype/datatype_impl.h"

/* A product that overflows becomes so large that the check of the bounds finds it. */
static MPI_Aint extent_multiply(MPI_Count n, MPI_Aint extent)
{
    MPI_Aint product;

    return __builtin_mul_overflow(extent, n, &product) ? PTRDIFF_MAX : product;
}

bool strided_of(const struct adi3_type *t, struct strided *s)
{
    const struct adi3_contents *r = t->contents;

    if (t->inner)
        return false;
    switch (r->combiner) {
    case MPI_COMBINER_CONTIGUOUS:
        *s = (struct strided) { 1, (size_t) contents_number(r, 0), 0 };
        return true;
    case MPI_COMBINER_VECTOR:
        *s = (struct strided) { (size_t) contents_number(r, 0), (size_t) contents_number(r, 1),
                                extent_multiply(contents_number(r, 2), r->types[0]->extent) };
        return true;
    case MPI_COMBINER_HVECTOR:
        *s = (struct strided) { (size_t) contents_number(r, 0), (size_t) contents_number(r, 1),
                                r->naddrs ? r->addrs[0] : r->counts[2] };
        return true;
    }
    return false;
}

size_t type_block_count(const struct adi3_type *t)
{
    struct strided s;

    return t->inner ? 1 : strided_of(t, &s) ? s.count : (size_t) contents_number(t->contents, 0);
}

struct type_block type_block_at(const struct adi3_type *t, size_t i)
{
    const struct adi3_contents *r = t->contents;
    struct strided s;

    if (t->inner)
        return (struct type_block) { 0, 1, t->inner };
    if (strided_of(t, &s))
        return (struct type_block) { (MPI_Aint) i * s.stride, s.blocklen, r->types[0] };
    bool one_length =
        r->combiner == MPI_COMBINER_INDEXED_BLOCK || r->combiner == MPI_COMBINER_HINDEXED_BLOCK;
    struct adi3_type *old = r->types[r->combiner == MPI_COMBINER_STRUCT ? i : 0];
    size_t places = one_length ? 2 : 1 + (size_t) contents_number(r, 0);
    MPI_Aint at = r->naddrs ? r->addrs[i] : contents_number(r, places + i);
    if (r->combiner == MPI_COMBINER_INDEXED || r->combiner == MPI_COMBINER_INDEXED_BLOCK)
        at = extent_multiply(at, old->extent);
    return (struct type_block) { at, (size_t) contents_number(r, one_length ? 1 : 1 + i), old };
}
