/* io_shapes.h — what collective calls of io.c write and read: datatypes of files and of memory, and
 * where the blocks of a process are, for a plain pass over the file and for checks. */
#ifndef IO_SHAPES_H
#define IO_SHAPES_H

#include <mpi.h>
#include <stddef.h>

enum io_kind {
    IO_INTERLEAVED,  /* blocks of `size` bytes, rank by rank */
    IO_ARRAY3,       /* a block of a process in an array of doubles of 3 dimensions, 64^3 each, */
    IO_ARRAY3_F,     /* ... in the order of Fortran, */
    IO_ARRAY4,       /* of 4 dimensions, 24^4 each, */
    IO_ARRAY4_F,     /* ... in the order of Fortran */
    IO_HOLES_MEMORY, /* blocks of 1 KiB of each 2 KiB of memory, rank by rank in the file */
    IO_HOLES_FILE,   /* blocks of 1 KiB, each before a hole of 1 KiB */
    IO_HOLES_BOTH,
    IO_IOR_EASY, /* one call for each MiB of a segment of the process */
    IO_IOR_HARD, /* one call for each record of 47008 bytes, rank by rank */
    IO_BTIO,     /* cells on the diagonals of an array of 5 doubles each, with ghosts in memory */
    IO_SHAPES
};

enum { IO_CELLS = 4, IO_LEVELS = 3 };

struct
    io_places { /* nested loops over blocks, the last innermost; of BTIO some one after another */
    int nests;
    struct {
        MPI_Aint base, stride[IO_LEVELS];
        int count[IO_LEVELS];
    } nest[IO_CELLS];
};

struct io_shape {
    MPI_Offset disp;                      /* of the view */
    MPI_Datatype etype, filetype, memory; /* committed; etype is not to be freed */
    int count;                            /* of memory */
    size_t block;                         /* bytes of each block */
    int blocks;                           /* of a process */
    int calls;                            /* 1, or one for each block */
    size_t span;                          /* bytes of memory */
    MPI_Aint file;                        /* bytes of the file */
    struct io_places in_memory;
};

extern const char *const io_shape_names[IO_SHAPES];

/* Makes the shape for this process; NULL when it does not fit the number of processes. */
struct io_shape *io_shape_new(enum io_kind kind, size_t size);
void io_shape_free(struct io_shape *s);

/* The offsets in the file of all blocks of a rank, in order, or in memory. The caller frees
 * them. */
MPI_Aint *io_shape_in_file(enum io_kind kind, const struct io_shape *s, int rank);
MPI_Aint *io_shape_in_memory(const struct io_shape *s);

#endif /* IO_SHAPES_H */
