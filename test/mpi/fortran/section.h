/* section.h — random sections of arrays as mpi_f08 passes them, and what they stand for.
 *
 * A test makes gfortran's descriptor of a section itself, so that it needs no Fortran compiler. A
 * twin is a contiguous copy of the section. A call of mpi_f08 gets the section, C's call gets the
 * twin; then twin and section must have the same elements, and all memory around the section must
 * be as it was. */
#ifndef SECTION_H
#define SECTION_H

#include <stdint.h>
#include "mpi/fortran/descriptor.h"
#include "mpitest.h"

enum { MOST_ELEMENTS = 400, MARGIN = 64 };

struct section {
    struct f_array array;  /* the descriptor */
    char *memory, *before; /* the array that it is a section of, and a copy of that */
    size_t len;            /* of the memory */
    int elements, size;    /* of the section; bytes of an element */
    ptrdiff_t *at;         /* where each element is in memory */
    char *twin;
};

static uint64_t section_state = 1;

static inline unsigned draw(unsigned n)
{
    section_state = section_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned) (section_state >> 33) % n;
}

/* Sets bounds and strides of a random shape with at most `most` elements, in elements. Returns the
 * lowest and the highest position. */
static inline void section_shape(struct f_array *a, int rank, int most, ptrdiff_t *low,
                                 ptrdiff_t *high)
{
    ptrdiff_t span = 1;
    int elements = 1;

    *low = *high = 0;
    for (int d = 0; d < rank; d++) {
        ptrdiff_t n = 1 + draw(rank > 4 ? 3 : 9), step = draw(3) ? 1 : 1 + draw(3);
        while (n > 1 && elements * n > most)
            n--;
        ptrdiff_t stride = span * step * (draw(4) ? 1 : -1);
        a->dim[d].stride = stride;
        a->dim[d].lower = (int) draw(9) - 4;
        a->dim[d].upper = a->dim[d].lower + n - 1;
        *(stride < 0 ? low : high) += stride * (n - 1);
        span *= n * step + (draw(3) ? 0 : draw(3)); /* the array's extent may be larger */
        elements *= (int) n;
    }
}

/* Where each element is, in the order of Fortran. */
static inline void section_positions(struct section *s)
{
    const struct f_array *a = &s->array;
    ptrdiff_t index[F_RANKS] = { 0 };

    for (int i = 0; i < s->elements; i++) {
        ptrdiff_t at = a->base - s->memory;
        for (int d = 0; d < a->rank; d++)
            at += index[d] * a->dim[d].stride * a->span;
        s->at[i] = at;
        for (int d = 0; d < a->rank && ++index[d] == a->dim[d].upper - a->dim[d].lower + 1; d++)
            index[d] = 0;
    }
}

/* A section of elements of that many bytes, each a component of a larger element when span is
 * larger. Its content differs between ranks, which draw the same shape. */
static inline struct section section_make(int rank, int size, int span, int most, int origin)
{
    struct section s = { .size = size, .elements = 1 };
    struct f_array *a = &s.array;
    ptrdiff_t low, high;

    a->elem_len = (size_t) size;
    a->rank = (signed char) rank;
    a->span = span;
    section_shape(a, rank, most, &low, &high);
    for (int d = 0; d < rank; d++)
        s.elements *= (int) (a->dim[d].upper - a->dim[d].lower + 1);
    s.len = (size_t) ((high - low + 1) * span) + 2 * MARGIN;
    s.memory = malloc(s.len);
    s.before = malloc(s.len);
    s.at = malloc((size_t) s.elements * sizeof *s.at);
    s.twin = malloc((size_t) s.elements * (size_t) size);
    CHECK(s.memory && s.before && s.at && s.twin);
    for (size_t i = 0; i < s.len; i++)
        s.memory[i] = (char) ((i * 31 + (size_t) origin * 7 + (section_state >> 40)) % 9);
    a->base = s.memory + MARGIN - low * span;
    section_positions(&s);
    memcpy(s.before, s.memory, s.len);
    for (int i = 0; i < s.elements; i++)
        memcpy(s.twin + (size_t) i * (size_t) size, s.memory + s.at[i], (size_t) size);
    return s;
}

static inline struct section section_of(int size, int most, int origin)
{
    int rank = (int) draw(8);

    if (!draw(8))
        rank = 8 + (int) draw(8);
    int span = size * (draw(4) ? 1 : 1 + (int) draw(3));
    return section_make(rank, size, rank ? span : size, most, origin);
}

/* Whether all bytes are as after the call that the twin had. */
static inline int section_is_right(const struct section *s)
{
    for (int i = 0; i < s->elements; i++)
        memcpy(s->before + s->at[i], s->twin + (size_t) i * (size_t) s->size, (size_t) s->size);
    return !memcmp(s->before, s->memory, s->len);
}

static inline void section_free(struct section *s)
{
    free(s->memory);
    free(s->before);
    free(s->at);
    free(s->twin);
}

#endif /* SECTION_H */
