/* derive.c — datatypes made of others (§4.1.2). */
#include <stdlib.h>
#include <string.h>
#include "datatype.h"

static MPI_Aint least(MPI_Aint a, MPI_Aint b) { return a < b ? a : b; }
static MPI_Aint most(MPI_Aint a, MPI_Aint b) { return a > b ? a : b; }

/* Where old's elements begin, at the least and at the most, in bytes from the first. */
struct span {
    MPI_Aint low, high;
};

static struct span span_of(size_t count, size_t blocklen, MPI_Aint stride, MPI_Aint extent)
{
    MPI_Aint outer = ((MPI_Aint) count - 1) * stride, inner = ((MPI_Aint) blocklen - 1) * extent;

    return (struct span) { least(0, outer) + least(0, inner), most(0, outer) + most(0, inner) };
}

/* Bytes and places of one element of the new type; levels of one round are left out. */
static struct adi3_layout *lay_out(size_t count, size_t blocklen, MPI_Aint stride,
                                   const struct adi3_type *old)
{
    int below = old->layout ? old->layout->depth : 0;
    size_t levels = (size_t) below + 2;
    struct adi3_layout *l = malloc(sizeof *l + levels * sizeof l->level[0]);

    if (!l)
        return NULL;
    l->depth = 0;
    if (count > 1)
        l->level[l->depth++] = (struct layout_level) { count, stride };
    if (old->contig) {
        l->nblocks = 1;
        l->block[0] = (struct layout_block) { 0, blocklen * old->size };
        return l;
    }
    if (blocklen > 1)
        l->level[l->depth++] = (struct layout_level) { blocklen, old->extent };
    l->nblocks = old->layout->nblocks;
    memcpy(l->block, old->layout->block, sizeof l->block);
    memcpy(l->level + l->depth, old->layout->level, (size_t) below * sizeof l->level[0]);
    l->depth += below;
    return l;
}

/* Would a size or a place be more than 63 bits can say? */
static bool overflows(size_t count, size_t blocklen, MPI_Aint stride, const struct adi3_type *old)
{
    size_t n, size;
    MPI_Aint outer, inner;
    const MPI_Aint reach = most(most(old->extent, -old->extent), old->true_extent)
                           + most(most(old->lb, -old->lb), most(old->true_lb, -old->true_lb));

    return __builtin_mul_overflow(count, blocklen, &n)
           || __builtin_mul_overflow(n, old->size, &size) || size > PTRDIFF_MAX
           || __builtin_mul_overflow((MPI_Aint) count, stride, &outer)
           || __builtin_mul_overflow((MPI_Aint) blocklen, reach, &inner) || inner > PTRDIFF_MAX / 4
           || outer > PTRDIFF_MAX / 4 || outer < -(PTRDIFF_MAX / 4);
}

int adi3_type_hvector(size_t count, size_t blocklen, MPI_Aint stride, struct adi3_type *old,
                      struct adi3_type **made)
{
    if (overflows(count, blocklen, stride, old))
        return adi3_error(MPI_ERR_COUNT, "%zu blocks of %zu elements are more than 2^62 bytes",
                          count, blocklen);
    size_t n = count * blocklen;
    bool dense = old->contig && (count <= 1 || stride == (MPI_Aint) (blocklen * old->size));
    struct adi3_layout *l = n == 0 || dense ? NULL : lay_out(count, blocklen, stride, old);
    MPI_Datatype h;
    struct adi3_type *t = n && !dense && !l ? NULL : adi3_new(&adi3_types, &h);

    if (!t) {
        free(l);
        return adi3_error(MPI_ERR_NO_MEM, "out of memory for a datatype");
    }
    *t = (struct adi3_type) { .handle = h,
                              .refs = 1,
                              .contig = !l,
                              .elements = n * old->elements,
                              .basic = old->basic,
                              .layout = l,
                              .name = "" };
    *made = t;
    if (n == 0)
        return MPI_SUCCESS;
    struct span s = span_of(count, blocklen, stride, old->extent);
    t->size = n * old->size;
    t->lb = s.low + old->lb;
    t->extent = s.high + old->lb + old->extent - t->lb;
    t->true_lb = s.low + old->true_lb;
    t->true_extent = s.high + old->true_lb + old->true_extent - t->true_lb;
    return MPI_SUCCESS;
}

int adi3_type_contiguous(size_t count, struct adi3_type *old, struct adi3_type **made)
{
    return adi3_type_hvector(1, count, 0, old, made);
}

void adi3_type_commit(struct adi3_type *t) { t->committed = true; }

void adi3_type_release(struct adi3_type *t)
{
    if (t->predefined || --t->refs)
        return;
    free(t->layout);
    adi3_free(&adi3_types, t);
}
