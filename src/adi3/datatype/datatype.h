/* datatype.h — layouts of derived types, shared inside src/adi3/datatype. */
#ifndef DATATYPE_H
#define DATATYPE_H

#include "adi3.h"

/* A block, or two of different lengths, at each of the places that nested strides give, the
 * outermost level first. Lengths, places and strides are in bytes. */
enum { LAYOUT_BLOCKS = 2 };

struct adi3_layout {
    int nblocks;
    struct layout_block {
        MPI_Aint at;
        size_t len;
    } block[LAYOUT_BLOCKS];
    int depth;
    struct layout_level {
        size_t count;
        MPI_Aint stride;
    } level[];
};

/* What a pair of value and index looks like in C. */
struct pair_float_int {
    float value;
    int index;
};
struct pair_double_int {
    double value;
    int index;
};
struct pair_long_int {
    long value;
    int index;
};
struct pair_short_int {
    short value;
    int index;
};
struct pair_long_double_int {
    long double value;
    int index;
};
struct pair_2int {
    int value, index;
};
struct pair_2real {
    float value, index;
};
struct pair_2double {
    double value, index;
};

/* 128-bit reals and complex numbers, which C11 has no name for. */
struct f128 {
    _Alignas(16) char bytes[16];
};
struct c128 {
    struct f128 re, im;
};

#endif /* DATATYPE_H */
