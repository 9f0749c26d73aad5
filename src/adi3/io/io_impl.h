/* io_impl.h — shared between the files of src/adi3/io, and no others. */
#ifndef IO_IMPL_H
#define IO_IMPL_H

#include "adi3/io/io.h"
#include "platform/os.h"

/* ---- file systems (file_system.c) ------------------------------------------------------------ */

/* What reaches the kernel, as in os.h. They need no lock. */
struct io_calls {
    int64_t (*read)(int fd, struct os_iov v, uint64_t at);
    int64_t (*write)(int fd, struct os_iov v, uint64_t at);
    int (*size)(int fd, uint64_t *size);
    int (*resize)(int fd, uint64_t size);
    int (*allocate)(int fd, uint64_t size);
    int (*sync)(int fd);
    int (*lock)(int fd, bool writes, uint64_t at, uint64_t len);
    void (*unlock)(int fd, uint64_t at, uint64_t len);
};

struct adi3_file_system {
    const char *name; /* also the prefix of paths: "nfs" */
    uint64_t magic;   /* as os_file_system() has it; 0: it is not looked for */
    uint64_t block;   /* adi3_file_block(); 0: `stripes` sets it */
    bool lags;        /* a node keeps what it has read, until it gets a lock */
    bool disturbs;
    const struct io_calls *calls;
    /* Makes a file with the stripes of the hints, or leaves the one that is there; NULL: there are
     * no stripes to be made. flags: of open(). Returns a negative errno. */
    int (*create)(const struct adi3_file *f, int flags);
    void (*stripes)(struct adi3_file *f); /* sets block and hints as the open file has them */
};

/* The path without the prefix that names a file system; that row, or the one of the setting, or
 * NULL. */
const char *io_cut_prefix(const char *path, const struct adi3_file_system **forced);
/* Sets the row of the name, or NULL for "auto". Not 0: there is none. */
int io_system_named(const char *name, const struct adi3_file_system **system);
const struct adi3_file_system *io_system_of(uint64_t magic);

int io_lustre_create(const struct adi3_file *f, int flags); /* lustre.c */
void io_lustre_stripes(struct adi3_file *f);

/* ---- settings (settings.c) ------------------------------------------------------------------- */

extern const char *io_system_setting;
extern bool io_ring_setting;
int io_check_settings(void);

/* ---- chaos (chaos.c) ------------------------------------------------------------------------- */

extern struct io_chaos { /* settings */
    int seed, cut, again, late, fail;
    const char *error;
    bool no_locks;
} io_chaos;
extern const struct io_calls io_chaos_calls, io_chaos_nfs_calls;
void io_chaos_begin(void);
int io_chaos_error(void); /* that calls fail with, negative; 0: the setting is wrong */
void io_chaos_stripes(struct adi3_file *f);

/* ---- full reads and writes (full_transfer.c) ------------------------------------------------- */

enum { IO_BLOCK = 4096 }; /* bytes; no disk asks for more, to go past the cache */
/* Move all bytes of a list of buffers, whose entries they change, and add to *at what has been
 * moved. Reading ends at the end of the file. Return a negative errno. */
int io_read(const struct adi3_file *f, struct os_iov v, uint64_t *at);
int io_write(const struct adi3_file *f, struct os_iov v, uint64_t *at);
/* Reserves the bytes up to there; the size may grow. */
int io_allocate(const struct adi3_file *f, uint64_t size);

/* ---- locks (locks.c) ------------------------------------------------------------------------- */

bool io_lags(const struct adi3_file *f); /* whether accesses need locks also outside atomic mode */
/* Waits until no other open file has a lock on one of these bytes, or only readers do; len is not
 * 0. A negative errno; -ENOLCK where the file system grants none. */
int io_lock(const struct adi3_file *f, bool writes, uint64_t at, uint64_t len);
void io_unlock(const struct adi3_file *f, uint64_t at, uint64_t len);
/* Lets this process see what processes of other nodes have written, and the size. */
int io_refresh(const struct adi3_file *f);

/* ---- errors (file_errors.c) ------------------------------------------------------------------ */

/* Makes the MPI error of a negative errno. offset: in the file; UINT64_MAX: none. */
int io_error(const struct adi3_file *f, int err, const char *doing, uint64_t offset);
/* The same of a path that is not open; 0 is MPI_SUCCESS. */
int io_path_error(int err, const char *doing, const char *path);

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

/* ---- moving (move.c, convert.c, transfer.c) -------------------------------------------------- */

void io_move(struct adi3_access *a);           /* bytes as they are in memory */
void io_move_converted(struct adi3_access *a); /* in another representation */
/* The operation of a ring that does all of it, past the cache; of length 0: not one does. */
struct os_ring_op io_one_op(const struct adi3_access *a);
bool io_converts(const struct adi3_access *a);
void io_datareps_end(void);

/* ---- requests (worker.c) --------------------------------------------------------------------- */

int io_worker_init(void);
void io_worker_end(void);

#endif /* IO_IMPL_H */
