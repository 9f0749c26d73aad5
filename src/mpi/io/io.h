/* io.h — what the functions on files share (chapter 13). */
#ifndef IO_H
#define IO_H

#include "mpi/mpir.h"

/* ---- arguments (args.c) ---------------------------------------------------------------------- */

int mpir_open_file_arg(struct mpir_call *call, MPI_File fh,
                       struct adi3_file **f); /* MPI_ERR_FILE */
int mpir_path_arg(const char *filename);      /* MPI_ERR_ARG, MPI_ERR_BAD_FILE */
int mpir_file_offset_arg(const struct adi3_file *f, MPI_Offset offset); /* MPI_ERR_ARG */
/* A call that changes the file, or that its processes make together, while nothing is under way: it
 * waits for accesses whose requests were freed. Errors: MPI_ERR_REQUEST. */
int mpir_idle_file_arg(const struct adi3_file *f);
int mpir_no_split_arg(const struct adi3_file *f);       /* no split collective: MPI_ERR_REQUEST */
int mpir_writable_file_arg(const struct adi3_file *f);  /* MPI_ERR_READ_ONLY */
int mpir_not_sequential_arg(const struct adi3_file *f); /* MPI_ERR_UNSUPPORTED_OPERATION */
/* The size that a file is to get, or to have storage for. Errors: MPI_ERR_ARG, and those of the
 * four checks above. */
int mpir_new_size_arg(const struct adi3_file *f, MPI_Offset size);

/* ---- what all processes find out together (consensus.c) -------------------------------------- */

struct mpir_io_call { /* that a process makes; "": not known */
    char name[32];
};
struct mpir_io_call mpir_io_call_of(const char *name);
/* MPI_ERR_OTHER when a rank has not made the call of rank 0. */
int mpir_io_same_call(const struct mpir_io_call *first, const struct mpir_io_call *call, int rank);
/* The error of a process that says that it cannot do something: "open the file"; MPI_SUCCESS when
 * its class is that. */
int mpir_io_error_of(int rank, int errclass, const char *doing);
/* Waits for all processes of c. The error of this process, or else one of the class that another
 * process has. doing: "open the file". */
int mpir_io_consensus(struct adi3_comm *c, int err, const char *doing);
/* The same when a file was opened. host: adi3_file_host(). *elsewhere: the first process for which
 * that is another one than for the first process; 0: there is none, or an error. */
int mpir_io_consensus_to_open(struct adi3_comm *c, int err, uint64_t host, const char *doing,
                              int *elsewhere);
/* The same at the beginning of a call: the value must be that of rank 0. Errors:
 * MPI_ERR_NOT_SAME. */
int mpir_io_compare(struct adi3_comm *c, int err, int64_t value, const char *what);
/* The same, and hints are to be the same, too. */
struct mpir_file_hints;
int mpir_io_compare_hints(struct adi3_comm *c, int err, int64_t value, const char *what,
                          const struct mpir_file_hints *hints);

/* ---- access (access.c) ----------------------------------------------------------------------- */

enum mpir_pointer { /* which offset a call uses */
                    MPIR_AT,
                    MPIR_OWN,    /* the individual file pointer */
                    MPIR_SHARED, /* the shared one */
                    MPIR_ORDERED /* the shared one, by ranks */
};

struct mpir_io { /* the arguments of a call that reads or writes */
    MPI_File fh;
    const void *buf;
    MPI_Count count;
    MPI_Datatype type;
    MPI_Offset offset; /* of MPIR_AT, in etypes */
    enum mpir_pointer pointer;
    bool writes;
    bool all; /* collective */
};

/* Moves the data at once; other threads may call meanwhile. The result is in *a (move.c). */
void mpir_io_move(struct adi3_access *a);
/* In the three forms of a call. Errors: MPI_ERR_FILE, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_BUFFER,
 * MPI_ERR_ARG of the offset, MPI_ERR_READ_ONLY, MPI_ERR_ACCESS, MPI_ERR_UNSUPPORTED_OPERATION,
 * MPI_ERR_IO when data and etypes do not fit, and those of the file. */
int mpir_io_run(struct mpir_call *call, const struct mpir_io *x, MPI_Status *status);
int mpir_io_start(struct mpir_call *call, const struct mpir_io *x, MPI_Request *request);
int mpir_io_begin(struct mpir_call *call, const struct mpir_io *x);
/* The end of the call that `by` began, with the same buffer. Errors: MPI_ERR_REQUEST. */
int mpir_io_end(struct mpir_call *call, MPI_File fh, const void *buf, const char *by,
                MPI_Status *status);

/* ---- collective access (collective.c) -------------------------------------------------------- */

/* Does the collective access of the call with this name: the result is in *a. Or, with a request,
 * starts it. err: this process cannot take part; then all fail. Errors: of this process, of
 * messages, or of another process. */
int mpir_io_collective(const char *name, struct adi3_access *a, int err, MPI_Request *request);

/* Sets the views of all processes, after this one has set its own or failed to (views.c). */
int mpir_file_views_exchange(struct adi3_file *f, int err);
void mpir_file_views_free(struct adi3_file *f);

/* ---- file pointers (pointers.c) -------------------------------------------------------------- */

/* The place of SEEK_SET, _CUR or _END, from a position; in etypes. Errors: MPI_ERR_ARG. */
int mpir_io_seek(const struct adi3_file *f, MPI_Offset offset, int whence, MPI_Offset position,
                 MPI_Offset *to);
/* The size of the file, in whole etypes of the view. */
int mpir_io_end_of(const struct adi3_file *f, MPI_Offset *end);

/* The shared pointer: made with the file; what it was before `add` was added; set. */
int mpir_shared_pointer_make(struct adi3_file *f);
int mpir_shared_pointer_free(struct adi3_file *f); /* collective */
int mpir_shared_pointer_add(const struct adi3_file *f, MPI_Offset add, MPI_Offset *was);
int mpir_shared_pointer_set(const struct adi3_file *f, MPI_Offset to);
/* Collective: the offset of this process when each takes so many etypes, in the order of ranks.
 * err: this process cannot; then all fail. */
int mpir_shared_pointer_take_turn(const struct adi3_file *f, int err, MPI_Offset add,
                                  MPI_Offset *at);

/* ---- hints (hints.c) ------------------------------------------------------------------------- */

struct mpir_info;
struct mpir_file_hints { /* what a call would put in force: it may fail in another process */
    struct adi3_hints values;
    struct mpir_info *texts; /* NULL: none */
    bool creates;            /* the call opens the file */
};

/* Hints of a call that opens a file, f is NULL then, or that changes those of f. info: NULL for
 * none. After an error *p can be dropped, too. Errors: MPI_ERR_NO_MEM. */
int mpir_file_hints_begin(struct mpir_file_hints *p, const struct adi3_file *f,
                          const struct mpir_info *info);
void mpir_file_hints_commit(struct mpir_file_hints *p, struct adi3_file *f);
void mpir_file_hints_drop(struct mpir_file_hints *p);
/* Differs where a hint does that must be the same in all processes. */
uint64_t mpir_file_hints_hash(const struct mpir_file_hints *p);
/* The error that names the hint in which the process `other` differs from the first. Collective. */
int mpir_file_hints_differ(struct adi3_comm *c, const struct mpir_file_hints *p, int other);
/* A new info object with the hints in force. Errors: MPI_ERR_NO_MEM. */
int mpir_file_hints_info(const struct adi3_file *f, struct mpir_info **made);
void mpir_file_hints_free(struct adi3_file *f);
/* How many aggregators there are with these hints. */
int mpir_io_aggregators(const struct adi3_file *f, const struct adi3_hints *h);

#endif /* IO_H */
