/* datatype_impl.h — shared between the files of src/adi3/datatype, and no others.
 *
 * A derived type has two forms: type blocks, which follow from its constructor call, for bounds,
 * contents, elements and external32; and a layout, built when it is committed, for packing. */
#ifndef DATATYPE_IMPL_H
#define DATATYPE_IMPL_H

#include "adi3/datatype/datatype.h"

/* ---- type blocks (type_blocks.c) ------------------------------------------------------------- */

/* What the standard calls a block of a constructor: count elements of a type, an extent apart, the
 * first at byte `at`. */
struct type_block {
    MPI_Aint at;
    size_t count;
    struct adi3_type *type;
};

/* How many type blocks a derived type has, and the i-th, in the order of packing. */
size_t type_block_count(const struct adi3_type *t);
struct type_block type_block_at(const struct adi3_type *t, size_t i);

/* Blocks of blocklen elements, stride bytes apart. All constructors without lists are of this
 * form. */
struct strided {
    size_t count, blocklen;
    MPI_Aint stride;
};
bool strided_of(const struct adi3_type *t, struct strided *s); /* false: t is not of this form */

/* The i-th count, stride or displacement of a call that has ints or counts, and not both. */
static inline MPI_Count contents_number(const struct adi3_contents *r, size_t i)
{
    return r->ncounts ? r->counts[i] : r->ints[i];
}

/* ---- size and bounds (bounds.c) -------------------------------------------------------------- */

/* Sets size, bounds and all else that follows from the type blocks. Errors: MPI_ERR_COUNT. */
int type_set_bounds(struct adi3_type *t);

typedef __int128 wide; /* holds sums and products of MPI_Aint */

enum { TYPE_BITS = 62 }; /* of sizes and displacements */
static const wide LIMIT = (wide) 1 << TYPE_BITS;

/* ---- names, attributes, errors (type.c) ------------------------------------------------------ */

int type_too_large(const char *what);
void type_forget_name(struct adi3_type *t);
void type_end(struct adi3_type *t); /* frees the name and the attributes */

/* ---- life of a derived type (life.c) --------------------------------------------------------- */

/* Makes a type of a constructor call. inner: the type whose elements it has, at the same places; or
 * NULL. Errors: as adi3_type_make(). */
int type_new(const struct adi3_contents *r, struct adi3_type *inner, struct adi3_type **made);

/* ---- parts of arrays (array.c) --------------------------------------------------------------- */

/* The part of one dimension of an array, in elements: count blocks of blocklen from start on,
 * stride apart, and then `rest` more elements at start + rest_at. */
struct array_dim {
    MPI_Count size, start, count, blocklen, rest, stride, rest_at;
};

/* Makes the type with these dimensions, the fastest varying first, and the bounds of the whole
 * array. */
int array_lower(const struct array_dim dim[], int n, struct adi3_type *old,
                struct adi3_type **lowered);
int subarray_lower(const struct adi3_contents *r, struct adi3_type **lowered);
int darray_lower(const struct adi3_contents *r, struct adi3_type **lowered);

/* ---- layouts: where the bytes of a type are (layout.c) --------------------------------------- */

/* A layout is a body, repeated by nested levels of (count, stride), the outermost first. Lengths,
 * places and strides are in bytes of memory; members named `bytes` count packed bytes. */
enum layout_body {
    LAYOUT_BLOCK,   /* one block */
    LAYOUT_FIXED,   /* blocks of one length at places in a list */
    LAYOUT_VARIED,  /* blocks of lengths in a list */
    LAYOUT_CHILDREN /* other layouts */
};

struct layout_block {
    MPI_Aint at;
    size_t len;
};

struct layout_child {
    size_t start; /* its first packed byte */
    const struct adi3_layout *layout;
};

enum { LAYOUT_RUN = 64 }; /* blocks for each entry of starts */

struct adi3_layout {
    struct layout_chunk *chunks; /* the memory of a type's layout with all its children */
    enum layout_body body;
    MPI_Aint at;                      /* displacement of the whole */
    size_t bytes;                     /* of one body */
    size_t n;                         /* blocks or children of one body */
    size_t len;                       /* LAYOUT_BLOCK, LAYOUT_FIXED: of each block */
    size_t blocks;                    /* LAYOUT_CHILDREN: in all of them, SIZE_MAX / 4 at most */
    const MPI_Aint *place;            /* LAYOUT_FIXED */
    const struct layout_block *block; /* LAYOUT_VARIED */
    const size_t *starts; /* LAYOUT_VARIED: the first packed byte of each LAYOUT_RUN-th block */
    const struct layout_child *child; /* LAYOUT_CHILDREN */
    int depth;
    struct layout_level {
        size_t count;
        MPI_Aint stride;
        size_t bytes; /* of one round of this level */
    } level[];
};

/* Sets layout and contig of t and of the types it is made of. Errors: MPI_ERR_NO_MEM. */
int layout_build(struct adi3_type *t);
void layout_free(struct adi3_layout *l);
size_t layout_bytes(const struct adi3_layout *l); /* packed bytes, with all levels */

/* Allocate a layout with room for depth levels, and n * size bytes. layout_free_chunks() frees
 * all that was allocated from one list of chunks. NULL without memory. */
struct adi3_layout *layout_new(struct layout_chunk **chunks, int depth);
void *layout_take(struct layout_chunk **chunks, size_t n, size_t size);
void layout_free_chunks(struct layout_chunk *c);

void f90_finalize(void);

/* ---- copying (kernel.c) ---------------------------------------------------------------------- */

struct copies { /* of n blocks, which are strides apart */
    char *to;
    MPI_Aint to_stride;
    const char *from;
    MPI_Aint from_stride;
    size_t n;
};

void copy_strided(struct copies c, size_t len); /* len: bytes of each block */

struct second { /* a second block, at a distance from the first one */
    MPI_Aint to, from;
    size_t len;
};

/* Copies two blocks in each round. False where there is no loop for their lengths. */
bool copy_both(struct copies c, size_t len, struct second s);

/* ---- long double (f80.c) --------------------------------------------------------------------- */

/* Convert between the 80-bit numbers of the x87, padded to 16 bytes, and IEEE's 128-bit ones,
 * big-endian. The first is exact; the second rounds to nearest, ties to even. */
void f80_to_f128(char *to, const char *from);
void f80_from_f128(char *to, const char *from);

/* ---- C types of predefined types ------------------------------------------------------------- */

/* Pairs of a value and an index. */
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
