/* layouts.h — the derived types that types.c and typed_latency.c measure, and for each of them the
 * straight loop that a user would write instead. */
#ifndef LAYOUTS_H
#define LAYOUTS_H

#include <mpi.h>
#include <stddef.h>

enum layout_kind {
    LAYOUT_COLUMN,       /* of a matrix of 1024 x 1024 doubles, or as many columns as are needed */
    LAYOUT_COLUMN_SMALL, /* of 128 x 128, which stay in the cache */
    LAYOUT_VECTOR,       /* 4 doubles of 16 */
    LAYOUT_INDEXED,      /* random blocks of 1 to 64 bytes, with gaps of as many */
    LAYOUT_MIXED,        /* an array of struct layout_mixed */
    LAYOUT_PARTICLE,     /* an array of struct layout_particle */
    LAYOUT_FACE_I,       /* faces of an array of doubles of 3 dimensions: contiguous, */
    LAYOUT_FACE_J,       /* lines, */
    LAYOUT_FACE_K,       /* and single elements */
    LAYOUT_DARRAY,       /* a process's part of a block-cyclic matrix: grid 2 x 2, blocks 16 x 16 */
    LAYOUTS
};

enum { LAYOUT_FACES = 10, LAYOUT_BLOCK = 16 };

struct layout_mixed {
    char c;
    double d;
    int i;
};

struct layout_particle {
    int id;
    char kind;
    double at[3];
    short cell;
    float charge;
};

struct layout {
    MPI_Datatype type; /* committed */
    int count;
    size_t len;            /* of the data */
    size_t span;           /* of the memory from the first element on */
    size_t rows, cols;     /* of the loop; of structs and blocks, the number is rows */
    size_t width;          /* of a line of the matrix, in doubles */
    int *start, *blocklen; /* of the indexed type, in bytes */
};

extern const char *const layout_names[LAYOUTS];

/* About size bytes of that kind; NULL when the kind has no such size. */
struct layout *layout_new(enum layout_kind kind, size_t size);
void layout_free(struct layout *l);

/* The straight loops: from memory to a packed buffer, and back. */
typedef void layout_loop(const struct layout *l, char *memory, char *packed);
extern layout_loop *const layout_gather[LAYOUTS];
extern layout_loop *const layout_scatter[LAYOUTS];

#endif /* LAYOUTS_H */
