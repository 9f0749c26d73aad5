/* io_impl.h — shared between the files of src/adi3/io, and no others. */
#ifndef IO_IMPL_H
#define IO_IMPL_H

#include "io.h"
#include "os.h"

/* ---- file systems (file_system.c) ------------------------------------------------------------ */

/* How files of a kind are read and written. Functions return 0 or a negative errno; they are those
 * of os.h, or stand before them. They need no lock. */
struct adi3_file_system {
    const char *name; /* also the prefix of paths: "nfs" */
    uint64_t magic;   /* as os_file_system() has it; 0: all others */
    int (*read)(int fd, struct os_iov *v, uint64_t *at);
    int (*write)(int fd, struct os_iov *v, uint64_t *at);
    int (*sync)(int fd);
};

/* The path without the prefix that names a file system; that row, or NULL when there is none. */
const char *io_cut_prefix(const char *path, const struct adi3_file_system **forced);
const struct adi3_file_system *io_system_of(int fd);

/* ---- errors (file.c) ------------------------------------------------------------------------- */

/* Makes the MPI error of a negative errno. offset: in the file; UINT64_MAX: none. */
int io_error(const struct adi3_file *f, int err, const char *doing, uint64_t offset);

/* ---- walking through a view (view.c) --------------------------------------------------------- */

/* A run of bytes in the file. */
struct io_run {
    uint64_t at, len;
};

enum { IO_RANGES = 64 };
struct io_walk { /* through `left` bytes of a stream, from byte `at` on */
    const struct adi3_view *view;
    uint64_t at, left;
    int i, n;
    struct io_run ranges[IO_RANGES];
};

void io_walk_begin(struct io_walk *w, const struct adi3_view *v, uint64_t at, uint64_t len);
/* The next run, which is as long as can be but not above `most`; false at the end. */
bool io_walk_next(struct io_walk *w, uint64_t most, struct io_run *run);

void io_view_end(struct adi3_file *f);
/* Makes the filetype with the extents that its elements have in a representation (portable.c). */
int io_portable(const struct adi3_datarep *rep, struct adi3_type *t, struct adi3_type **made);

/* ---- moving (transfer.c, convert.c) ---------------------------------------------------------- */

void io_move(struct adi3_access *a);           /* bytes as they are in memory */
void io_move_converted(struct adi3_access *a); /* in another representation */
bool io_converts(const struct adi3_access *a);
void io_datareps_end(void);

/* ---- requests (worker.c) --------------------------------------------------------------------- */

int io_worker_init(void);
void io_worker_end(void);

#endif /* IO_IMPL_H */
