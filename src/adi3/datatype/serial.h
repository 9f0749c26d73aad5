/* serial.h — a committed type as bytes: their form (serial.c writes them, serial_read.c reads).
 *
 * All numbers have 7 bits a byte, the lowest first; the sign of a signed one is its lowest bit.
 * FORM, lb, extent, the basic element; the lists of its layouts, each once and behind those that
 * its parts have; LAST_LIST and a layout, or NO_DATA. Size and true bounds follow from these, so
 * that nobody can lie about them.
 *
 * A list:   its body (FIXED, VARIED, PARTS), n; of FIXED the length; n places or layouts
 * A layout: at, depth + 1, (count, stride) of each level, 0 and the length of a block or the number
 *           of a list, from 1; or at and AGAIN, when the rest is as in the layout before
 *
 * A place is the distance from the one before; of VARIED from the end of the block before. */
#ifndef SERIAL_H
#define SERIAL_H

#include "datatype_impl.h"

enum { FORM = 1, LAST_LIST = LAYOUT_BLOCK, NO_DATA = LAYOUT_PARTS + 1, AGAIN = 0 };

/* A layout of two bytes may become so many levels in memory. */
enum { AGAIN_LEVELS = 4 };

/* Basic elements: 0 when they differ, the low byte of a predefined handle, or a pair with holes. */
enum { FIRST_PAIR = 256, PAIRS = 5 };

/* A distance may wrap around: it does so back again on the other side. */
static inline MPI_Aint plus(MPI_Aint a, MPI_Aint b) { return (MPI_Aint) ((size_t) a + (size_t) b); }
static inline MPI_Aint minus(MPI_Aint a, MPI_Aint b)
{
    return (MPI_Aint) ((size_t) a - (size_t) b);
}

#endif /* SERIAL_H */
