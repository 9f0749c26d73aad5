/* adi3_io.h — files: opening them, where the bytes of a view are, and moving data.
 *
 * For src/mpi/io, which makes MPI calls of it. In MPICH: ADIO, the device of ROMIO. */
#ifndef ADI3_IO_H
#define ADI3_IO_H

#include <stdbool.h>
#include <stdint.h>
#include "adi3/adi3_base.h"
#include "adi3/adi3_datatype.h"
#include "adi3/adi3_language.h"

struct adi3_file_system; /* how files of a kind are accessed: file_system.c */
struct adi3_win;

struct adi3_datarep { /* a data representation (§13.5) */
    const char *name;
    bool portable; /* external32 */
    /* Of the program; extent NULL: it is predefined. A conversion that is NULL changes nothing. */
    const struct adi3_language *language;
    MPI_Datarep_extent_function *extent;
    MPI_Datarep_conversion_function *read, *write;
    void *extra;
    struct adi3_datarep *next;
};

const struct adi3_datarep *adi3_datarep_get(const char *name); /* NULL: there is none */
/* Adds a copy. Errors: MPI_ERR_DUP_DATAREP, MPI_ERR_NO_MEM. */
int adi3_datarep_add(const struct adi3_datarep *rep);
/* Sets the language of the functions of an added representation. False: no added representation has
 * the name. */
bool adi3_datarep_set_language(const char *name, const struct adi3_language *language);

/* The data of a file that a process sees, as one stream of bytes (§13.3). */
struct adi3_view {
    uint64_t disp;
    struct adi3_type *etype, *filetype; /* with a reference each */
    struct adi3_type *tiles;            /* the filetype with the extents that it has in the file */
    size_t unit;                        /* bytes of an etype in the file */
    bool once; /* tiles lie on each other: only the first can be accessed */
    const struct adi3_datarep *rep;
};

enum adi3_choice { ADI3_AUTOMATIC, ADI3_ENABLE, ADI3_DISABLE };

enum adi3_style { /* of access_style */
                  ADI3_READ_ONCE = 1,
                  ADI3_WRITE_ONCE = 2,
                  ADI3_READ_MOSTLY = 4,
                  ADI3_WRITE_MOSTLY = 8,
                  ADI3_SEQUENTIAL = 16,
                  ADI3_REVERSE_SEQUENTIAL = 32,
                  ADI3_RANDOM = 64,
};

struct adi3_hints {          /* the hints in force (§13.2.8), and those that ROMIO has named */
    uint64_t cb_buffer_size; /* bytes of the window of an aggregator, above 0 */
    uint64_t cb_block_size;  /* bytes; 0: as the file system has them */
    uint64_t cb_nodes;       /* aggregators, at most the processes; 0: as chosen */
    uint64_t cb_per_node;    /* of cb_config_list: at most on a node; 0: no limit */
    enum adi3_choice cb_read, cb_write;              /* collective buffering */
    enum adi3_choice ds_read;                        /* sieving */
    enum adi3_choice ds_write;                       /* always ADI3_DISABLE: see transfer.c */
    bool no_indep_rw;                                /* all accesses are collective */
    bool direct_read, direct_write;                  /* past the cache, where it is aligned */
    uint64_t ind_rd_buffer_size, ind_wr_buffer_size; /* of a process by itself, bytes, above 0 */
    uint64_t striping_factor, striping_unit;         /* 0: as the file system has them */
    uint64_t start_iodevice;        /* number of the first device; ADI3_ANY_DEVICE */
    uint64_t num_io_nodes, nb_proc; /* 0: not given */
    unsigned file_perm;             /* mode bits of new files, before umask */
    unsigned access_style;          /* adi3_style */
};
#define ADI3_ANY_DEVICE UINT64_MAX
extern const struct adi3_hints adi3_hints_default;

struct adi3_file {
    MPI_File handle;        /* the number of the pool, as a pointer */
    struct adi3_comm *comm; /* for this file; has the error handler, and &handle as owner */
    char *path;
    int fd;
    int direct; /* the same file past the cache of the system, for the hints; -1: not open */
    int amode;
    bool atomic;
    const struct adi3_file_system *system;
    uint64_t block; /* adi3_file_block() of the first process */
    uint64_t cores; /* of the node of the first process */
    struct adi3_view view;
    MPI_Offset position;     /* the individual file pointer, in etypes */
    struct adi3_win *shared; /* its first process has the shared file pointer; NULL: not made */
    unsigned under_way;      /* requests */
    MPI_Request split;       /* of a split collective operation; or MPI_REQUEST_NULL */
    const char *split_by;    /* the call that began it */
    const void *split_buf;
    struct adi3_hints hints;
    struct mpir_info *info;  /* of src/mpi: hints that are kept as texts; NULL: none */
    struct adi3_view *views; /* of all processes: disp and tiles; NULL: not exchanged */
    uint64_t view_bytes;     /* of the filetype of this one, serialized */
    char *buffer;            /* of blocking collective accesses, kept from one to the next */
    size_t room;             /* its bytes */
};

extern struct adi3_pool adi3_files;
struct adi3_file *adi3_file_get(MPI_File handle); /* NULL: it names no open file */

/* ---- life (file.c) --------------------------------------------------------------------------- */

/* Makes an object for the file that a path names, which may begin with the name of a file system
 * and a colon. It takes over the reference to c, also on failure. Errors: MPI_ERR_NO_MEM. */
int adi3_file_new(struct adi3_comm *c, const char *path, int amode, struct adi3_file **made);
/* Opens it in this process. create: with MPI_MODE_CREATE and MPI_MODE_EXCL, if the mode has them.
 * Errors: those of the file. */
int adi3_file_open(struct adi3_file *f, bool create);
/* Closes what is open. The object stays. Errors: those of writing. */
int adi3_file_close(struct adi3_file *f);
void adi3_file_free(struct adi3_file *f);
/* path as adi3_file_new(). Errors: MPI_ERR_NO_SUCH_FILE, MPI_ERR_ACCESS, ... */
int adi3_file_delete(const char *path);

int adi3_file_size(const struct adi3_file *f, uint64_t *size);
int adi3_file_resize(const struct adi3_file *f, uint64_t size);
int adi3_file_allocate(const struct adi3_file *f, uint64_t size);
int adi3_file_sync(const struct adi3_file *f);
/* The number of this host when the file is on a file system that no other host has; else 0. */
uint64_t adi3_file_host(const struct adi3_file *f);
/* Bytes of which two processes should not write parts: a page, or a stripe, which the file begins
 * with. Known from adi3_file_open() on, and the same in all processes from MPI_File_open on. */
uint64_t adi3_file_block(const struct adi3_file *f);
void adi3_file_set_block(struct adi3_file *f, uint64_t block); /* that of the first process */

/* ---- views (view.c) -------------------------------------------------------------------------- */

/* Sets the view; the caller has checked it. Releases the old one. Errors: MPI_ERR_NO_MEM, and
 * MPI_ERR_UNSUPPORTED_DATAREP for a filetype that has no form in this representation. */
int adi3_view_set(struct adi3_file *f, uint64_t disp, struct adi3_type *etype,
                  struct adi3_type *filetype, bool once, const struct adi3_datarep *rep);
/* How a filetype may be repeated. Its displacements must be neither negative nor fall (§13.3). But
 * where the extent is less than what is in it, the next tile lies on it: a struct with a subarray
 * in it has the bounds of the subarray, and PnetCDF writes header and variables by one such tile.
 * apart: displacements do not overlap either, as for writing. */
enum adi3_tiling { ADI3_NO_TILE, ADI3_ONE_TILE, ADI3_TILES };
enum adi3_tiling adi3_filetype_tiling(const struct adi3_type *t, bool apart);
/* The offset in the file of byte `at` of the stream. */
uint64_t adi3_view_offset(const struct adi3_view *v, uint64_t at);
/* How many bytes of the stream are before an offset in the file. */
uint64_t adi3_view_before(const struct adi3_view *v, uint64_t offset);
/* Whether these bytes of the stream are there: a view of one tile ends with it. */
bool adi3_view_holds(const struct adi3_view *v, uint64_t at, uint64_t len);
/* The bytes of a run in the file, on average of the first ones of len bytes; at least 1. */
uint64_t adi3_view_run(const struct adi3_view *v, uint64_t at, uint64_t len, int looks);
/* Sets the bytes that an element of a type has in the file. Errors: MPI_ERR_NO_MEM, and
 * MPI_ERR_CONVERSION of a function of the program. */
int adi3_view_bytes(const struct adi3_view *v, struct adi3_type *t, size_t *bytes);
/* Sets the extent of the type in the view (§13.5). Errors: MPI_ERR_NO_MEM. */
int adi3_view_extent(const struct adi3_view *v, struct adi3_type *t, MPI_Aint *extent);

/* ---- moving data (transfer.c, worker.c) ------------------------------------------------------ */

struct adi3_access { /* what one call reads or writes */
    struct adi3_file *file;
    struct adi3_data data; /* in memory */
    size_t bytes;          /* of an element of it in the file */
    uint64_t at;           /* in the stream of the view, bytes */
    bool writes;
    uint64_t moved;  /* result: bytes of data */
    int error;       /* result: an errno, or 0 ... */
    uint64_t failed; /* ... and the offset in the file */
    int code;        /* result: what a conversion function has returned */
};

/* Moves all data, or up to the end of the file. Needs no lock. The result is in *a. */
void adi3_file_move(struct adi3_access *a);
/* The MPI error of its result. */
int adi3_file_result(const struct adi3_access *a);
/* Starts moving it by a thread of the library. Errors: MPI_ERR_NO_MEM. */
int adi3_file_start(const struct adi3_access *a, MPI_Request *request);
/* Starts run(arg) in such a thread, which may touch nothing of ADI3; without one it runs at once.
 * The request is done when it has returned. Errors: MPI_ERR_NO_MEM. */
int adi3_file_run(struct adi3_comm *c, void (*run)(void *arg), void *arg, MPI_Request *request);
/* A request that is done with this result. */
int adi3_file_done(const struct adi3_access *a, MPI_Request *request);
/* Waits for accesses whose requests the program has freed before they were complete. */
void adi3_file_wait_freed(const struct adi3_file *f);
/* Sets what MPI_Get_count and MPI_Get_elements return. */
void adi3_file_status(MPI_Status *status, uint64_t bytes);

/* ---- slices of several streams (aggregate.c) ------------------------------------------------- */

struct adi3_slice {
    const struct adi3_view *view;
    uint64_t at, len; /* in its stream */
    char *bytes;      /* in memory */
};

/* Write and read slices, all between `window` and the end of a buffer for the bytes from there on.
 * Nothing between the slices is written. Need no lock. Return a negative errno; then what is before
 * *failed in the file has been moved. */
int adi3_file_write_slices(const struct adi3_file *f, const struct adi3_slice *slices, int n,
                           char *buffer, uint64_t window, uint64_t *failed);
int adi3_file_read_slices(const struct adi3_file *f, const struct adi3_slice *slices, int n,
                          char *buffer, uint64_t window, uint64_t *failed);

#endif /* ADI3_IO_H */
