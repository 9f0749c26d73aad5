/* serial.h — the format of a serialized datatype (serial.c writes it, serial_read.c reads it).
 *
 * Numbers are LEB128: 7 bits a byte, the lowest first. The lowest bit of a signed number is its
 * sign. The format is: FORM, lb, extent, the basic element; then the lists of its layouts, each
 * once and after the lists of its children; then LAST_LIST and a layout, or NO_DATA. Size and true
 * bounds follow from these and so cannot be wrong.
 *
 * A list: its body (FIXED, VARIED, CHILDREN), n; of FIXED the length; n places or layouts.
 *
 * A layout: at, depth + 1, (count, stride) of each level, and 0 and the length of a block or the
 *           number of a list, from 1; or: at and AGAIN, when the rest is as in the layout before
 *
 * A place is written as the distance from the one before; in VARIED from the end of the block
 * before. */
#ifndef SERIAL_H
#define SERIAL_H

#include "adi3/datatype/datatype_impl.h"

enum { FORM = 1, LAST_LIST = LAYOUT_BLOCK, NO_DATA = LAYOUT_CHILDREN + 1, AGAIN = 0 };

/* AGAIN, a layout of two bytes, may stand for at most so many levels. */
enum { AGAIN_LEVELS = 4 };

/* The basic element: 0 when they differ; the low byte of a predefined handle; or FIRST_PAIR + i,
 * a pair with holes. */
enum { FIRST_PAIR = 256, PAIRS = 5 };

/* A distance may wrap around: the reader's sum then wraps around back. */
static inline MPI_Aint aint_wrap_add(MPI_Aint a, MPI_Aint b)
{
    return (MPI_Aint) ((size_t) a + (size_t) b);
}
static inline MPI_Aint aint_wrap_sub(MPI_Aint a, MPI_Aint b)
{
    return (MPI_Aint) ((size_t) a - (size_t) b);
}

#endif /* SERIAL_H */
