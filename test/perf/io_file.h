/* io_file.h — the file that the parts of io.c measure with. */
#ifndef IO_FILE_H
#define IO_FILE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include "perf.h"

enum { IO_MIB = 1 << 20, IO_NAME = 96 };

struct io_file {
    char path[4096];
    const char *suffix; /* of names of results: "" in memory, "_disk" elsewhere */
    bool quick;         /* less data than is needed for figures */
    MPI_File file;
    int fd; /* the same file, without MPI */
};

extern struct io_file io;

void io_check(int err, const char *what); /* ends the job after an error */
void io_empty(MPI_Offset size);           /* makes the file empty, then so long; all bytes are 0 */
void io_view(MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype);

/* Makes the name of a result, for example of "write_all_", "array3" and "_over_plain". */
const char *io_name(char name[IO_NAME], const char *op, const char *what, const char *end);
bool io_wanted(const char *name); /* by -o; without the suffix */
bool io_size_wanted(size_t size); /* by -z */
/* Takes samples of one size. */
void io_run(const struct perf_case *c, size_t size);

void io_measure_shapes(void); /* io_collective.c */
void io_measure_memory(void); /* io_memory.c */
/* A filetype of n pieces of 8 bytes at irregular distances, which leaves room for as many of other
 * ranks between them. */
MPI_Datatype io_pieces(int n, int ranks);

#endif /* IO_FILE_H */
