/* datatype_impl.h — the inside of datatypes, shared in src/adi3/datatype. */
#ifndef DATATYPE_IMPL_H
#define DATATYPE_IMPL_H

#include "adi3_datatype.h"

/* ---- what a derived type is made of (pieces.c) ----------------------------------------------- */

/* count elements of a type, one behind the other by extent, the first at this place. */
struct piece {
    MPI_Aint at;
    size_t count;
    struct adi3_type *type;
};

/* A derived type is so many pieces, in the order in which they travel. */
size_t pieces_of(const struct adi3_type *t);
struct piece piece_of(const struct adi3_type *t, size_t i);

/* Blocks of one length at equal distances: all constructors but those with lists. */
struct strided {
    size_t count, blocklen;
    MPI_Aint stride;
};
bool strided_of(const struct adi3_type *t, struct strided *s);

/* ---- size and bounds (bounds.c) -------------------------------------------------------------- */

/* Sets size, bounds and what else follows from the pieces. MPI_ERR_COUNT. */
int type_set_bounds(struct adi3_type *t);

typedef __int128 wide; /* holds what is too large for MPI */

enum { TYPE_BITS = 62 }; /* of sizes and places */
static const wide LIMIT = (wide) 1 << TYPE_BITS;

/* ---- ground (type.c) ------------------------------------------------------------------------- */

int type_no_memory(void);
int type_too_large(const char *what);
void type_forget_name(struct adi3_type *t);
void type_end(struct adi3_type *t); /* frees what the user has given it */

/* ---- life of a derived type (life.c) --------------------------------------------------------- */

/* Makes a type of a constructor call. inner: the type whose elements it has, at the same places; or
 * NULL. Errors: as adi3_type_make(). */
int type_new(const struct adi3_contents *r, struct adi3_type *inner, struct adi3_type **made);

/* ---- parts of arrays (array.c) --------------------------------------------------------------- */

/* What is taken of one dimension, all in its elements: from start on count blocks, which begin
 * stride apart, then rest more elements at rest_at, counted from start. */
struct array_dim {
    int size, start, count, blocklen, rest;
    int64_t stride, rest_at;
};

/* The type with these dimensions, the one whose elements are next to each other first, and the
 * bounds of the whole array. */
int array_lower(const struct array_dim dim[], int n, struct adi3_type *old,
                struct adi3_type **lowered);
int subarray_lower(const struct adi3_contents *r, struct adi3_type **lowered);
int darray_lower(const struct adi3_contents *r, struct adi3_type **lowered);

/* ---- where its bytes are (layout.c) ---------------------------------------------------------- */

/* A body at each of the places that nested strides give, the outermost level first. Lengths, places
 * and strides are in bytes; "bytes" are packed ones. */
enum layout_body {
    LAYOUT_BLOCK,  /* one block */
    LAYOUT_FIXED,  /* blocks of one length at places in a list */
    LAYOUT_VARIED, /* blocks of lengths in a list */
    LAYOUT_PARTS   /* other layouts */
};

struct layout_block {
    MPI_Aint at;
    size_t len;
};

struct layout_part {
    size_t start; /* its first byte */
    const struct adi3_layout *layout;
};

enum { LAYOUT_RUN = 64 }; /* blocks between two entries of starts */

struct adi3_layout {
    struct layout_chunk *chunks; /* the memory of it all, of a type's layout */
    enum layout_body body;
    MPI_Aint at;   /* added to all places */
    size_t bytes;  /* of a body */
    size_t n;      /* blocks or parts of a body */
    size_t len;    /* LAYOUT_BLOCK, LAYOUT_FIXED: of each block */
    size_t blocks; /* in all parts, SIZE_MAX / 4 at most: for making types of this one */
    const MPI_Aint *place;
    const struct layout_block *block;
    const size_t *starts; /* of LAYOUT_VARIED: the first byte of each LAYOUT_RUN-th block */
    const struct layout_part *part;
    int depth;
    struct layout_level {
        size_t count;
        MPI_Aint stride;
        size_t bytes; /* of what is inside, once */
    } level[];
};

/* Sets layout and contig; t has no layout. MPI_ERR_NO_MEM. */
int layout_build(struct adi3_type *t);
void layout_free(struct adi3_layout *l);
size_t layout_bytes(const struct adi3_layout *l); /* with its levels */

/* One with room for so many levels, and n * size bytes, in memory that ends with these chunks; NULL
 * without memory. */
struct adi3_layout *layout_new(struct layout_chunk **chunks, int depth);
void *layout_take(struct layout_chunk **chunks, size_t n, size_t size);
void layout_free_chunks(struct layout_chunk *c);

void f90_finalize(void);

/* ---- copying (kernel.c) ---------------------------------------------------------------------- */

struct copies { /* n of them; the next one is a stride farther */
    char *to;
    MPI_Aint to_stride;
    const char *from;
    MPI_Aint from_stride;
    size_t n;
};

void copy_strided(struct copies c, size_t len);

struct second { /* another block of each, so far from the first */
    MPI_Aint to, from;
    size_t len;
};

/* Two blocks of each, in one pass; false where there is no loop for such lengths. */
bool copy_both(struct copies c, size_t len, struct second s);

/* A number of 16 bytes: the x87's of 80 bits (in memory, padded) and IEEE's of 128, big-endian
 * (f80.c). The first way is exact, the other rounds to the nearest even one. */
void f80_to_f128(char *to, const char *from);
void f80_from_f128(char *to, const char *from);

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

#endif /* DATATYPE_IMPL_H */
