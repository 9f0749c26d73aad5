/* section_type.h — datatypes for elements of random sections. */
#ifndef SECTION_TYPE_H
#define SECTION_TYPE_H

#include "section.h"

struct element {
    MPI_Datatype type;
    int size;   /* bytes of an element of the array */
    int plain;  /* the type's elements are the array's: no call may need a copy */
    int number; /* elements that MPI_SUM adds, and always in the same way */
};

enum { ELEMENTS = 12 };

/* Frees a type that is no predefined one with element_free(). */
static inline struct element element_of(unsigned i)
{
    struct element e = { MPI_INTEGER, 4, 1, 1 };

    switch (i) {
    case 0:
        break;
    case 1:
        e = (struct element) { MPI_DOUBLE_PRECISION, 8, 1, 0 };
        break;
    case 2:
        e = (struct element) { MPI_BYTE, 1, 1, 0 };
        break;
    case 3:
        e = (struct element) { MPI_COMPLEX, 8, 1, 0 };
        break;
    case 4: /* several elements of the type in one of the array */
        e = (struct element) { MPI_INTEGER, 12, 1, 0 };
        break;
    case 5:
        e = (struct element) { MPI_CHARACTER, 5, 1, 0 };
        break;
    case 6: /* several of the array in one of the type */
        e = (struct element) { MPI_DOUBLE_PRECISION, 4, 0, 0 };
        break;
    case 7:
        CHECK(MPI_Type_contiguous(3, MPI_INTEGER, &e.type) == MPI_SUCCESS);
        break;
    case 8:
        CHECK(MPI_Type_vector(2, 1, 2, MPI_INTEGER, &e.type) == MPI_SUCCESS);
        e.plain = 0;
        break;
    case 9: {
        const int lens[] = { 1, 2 }, at[] = { 3, 0 };
        CHECK(MPI_Type_indexed(2, lens, at, MPI_INTEGER, &e.type) == MPI_SUCCESS);
        e.plain = 0;
        break;
    }
    case 10:
        CHECK(MPI_Type_create_resized(MPI_INTEGER, 0, 8, &e.type) == MPI_SUCCESS);
        e.plain = 0;
        break;
    default: {
        const int lens[] = { 1, 3 };
        const MPI_Aint at[] = { 0, 8 };
        const MPI_Datatype types[] = { MPI_DOUBLE_PRECISION, MPI_BYTE };
        CHECK(MPI_Type_create_struct(2, lens, at, types, &e.type) == MPI_SUCCESS);
        e.size = 2;
        e.plain = 0;
    }
    }
    if (i < 7)
        return e;
    e.number = 0;
    CHECK(MPI_Type_commit(&e.type) == MPI_SUCCESS);
    return e;
}

static inline void element_free(struct element *e)
{
    int ints, addresses, types, combiner;

    MPI_Type_get_envelope(e->type, &ints, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
        CHECK(MPI_Type_free(&e->type) == MPI_SUCCESS);
}

/* How many elements of the type are in a section. */
static inline int element_most(const struct element *e, const struct section *s)
{
    MPI_Aint lb, extent, end = (MPI_Aint) s->elements * s->size, first;

    MPI_Type_get_extent(e->type, &lb, &extent);
    MPI_Type_get_true_extent(e->type, &lb, &first);
    return end < lb + first ? 0 : (int) ((end - lb - first) / extent + 1);
}

#endif /* SECTION_TYPE_H */
