/* adi3.h — the abstract device interface: all that src/mpi may call below itself.
 *
 * Arguments are already checked and handles already resolved. Functions return MPI_SUCCESS or an
 * MPI error code with its text; they do not call error handlers. The caller holds the ADI3 lock.
 * Processes and requests are opaque here, since devices live in them: see adi3_impl.h. */
#ifndef ADI3_H
#define ADI3_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>
#include "handle.h"

#pragma GCC visibility push(default) /* what mpi.h declares is all that libmpi exports */
#include "mpi.h"
#pragma GCC visibility pop

struct adi3_proc;    /* one process we can talk to, ourselves included */
struct adi3_request; /* one operation under way */
struct adi3_queues;  /* a communicator's posted and unexpected messages */
struct adi3_layout;  /* where the bytes of a derived type are */
struct adi3_wait;    /* a call that waits */
struct setting;

/* ---- threads (thread.c) ---------------------------------------------------------------------- */

extern bool adi3_threads; /* several may call at once; else nobody takes the lock */
void adi3_lock(void);
void adi3_unlock(void);
/* Drops the lock for work on that many bytes if it may take long (SIZE_MAX: the user's code); true
 * when it did: then adi3_lock() must follow. */
bool adi3_aside(size_t len);
void thread_wait_end(const struct adi3_wait *w); /* adi3_wait_end() */

/* ---- objects --------------------------------------------------------------------------------- */

struct adi3_group { /* an ordered set of processes */
    MPI_Group handle;
    int refs;
    int size, rank; /* rank is ours or MPI_UNDEFINED */
    int *world;     /* ranks in MPI_COMM_WORLD */
};

struct adi3_comm {
    MPI_Comm handle;
    int refs; /* of the handle, and of every request under way */
    int rank, size;
    uint32_t recv_ctx, send_ctx;  /* context ids, even; ADI3_COLL uses the next one */
    struct adi3_queues *queue[2]; /* of the two contexts */
    struct adi3_proc **proc;      /* by rank */
    struct adi3_group *group;
    MPI_Errhandler errhandler; /* src/mpi's: ADI3 only carries it */
    bool freed;                /* the user gave up its handle */
    bool crowded; /* all on one node, where processes outnumber cores; the same for all */
};

enum adi3_class { /* what a predefined type is, for operations (§5.9.2) */
                  ADI3_NO_CLASS,
                  ADI3_C_INTEGER,
                  ADI3_F_INTEGER,
                  ADI3_FLOATING,
                  ADI3_LOGICAL,
                  ADI3_COMPLEX,
                  ADI3_BYTE,
                  ADI3_MULTI_LANGUAGE,
                  ADI3_PAIR,
};

/* The machine's representation of an element of a predefined type. */
enum adi3_repr {
    ADI3_REPR_NONE,
    ADI3_I8,
    ADI3_I16,
    ADI3_I32,
    ADI3_I64,
    ADI3_U8,
    ADI3_U16,
    ADI3_U32,
    ADI3_U64,
    ADI3_F32,
    ADI3_F64,
    ADI3_F80,
    ADI3_F128,
    ADI3_C32,
    ADI3_C64,
    ADI3_C80,
    ADI3_C128,
    ADI3_P_F32_I32,
    ADI3_P_F64_I32,
    ADI3_P_I64_I32,
    ADI3_P_I32_I32,
    ADI3_P_I16_I32,
    ADI3_P_F80_I32,
    ADI3_P_F32_F32,
    ADI3_P_F64_F64,
    ADI3_REPRS
};

/* A constructor call, as MPI_Type_get_contents gives it back (§4.1.13). */
struct adi3_recipe {
    int combiner;
    int nints, naddrs, ntypes;
    const int *ints;
    const MPI_Aint *addrs;
    struct adi3_type *const *types;
};

struct adi3_type { /* of 128 bytes, so that a row is found by a shift */
    MPI_Datatype handle;
    int refs;
    size_t size;     /* bytes of data in one element */
    size_t external; /* likewise in external32; of a derived type */
    MPI_Aint lb, extent, true_lb, true_extent;
    uint16_t align; /* of its strictest basic element, bytes */
    uint16_t depth; /* how many types are in each other; 0 of a predefined one */
    int handles;    /* that the user has to free; 0: only other objects hold it */
    bool committed, predefined;
    bool lb_marked, ub_marked; /* bounds that MPI_Type_create_resized or an array set (§4.1.7) */
    bool contig;               /* no holes, in order, begins at 0, size == extent; once committed */
    enum adi3_class class : 8; /* of a predefined type; else ADI3_NO_CLASS */
    enum adi3_repr repr : 8;
    size_t elements;            /* basic ones in one of these; a pair counts as two */
    struct adi3_type *basic;    /* what all those elements are; NULL when they differ */
    struct adi3_recipe *recipe; /* how it was made; NULL of a named predefined
                                   and of a deserialized one */
    struct adi3_type *inner;    /* whose elements it has, at the same places; or NULL */
    struct adi3_layout *layout; /* of a derived type with data, once committed; else NULL */
    const char *name;
    char *given_name; /* by the user; or NULL */
};

struct adi3_op {
    MPI_Op handle;
    int refs;
    bool commutes;
    MPI_User_function *function; /* the user's; NULL for a predefined one */
};

extern struct adi3_comm adi3_world, adi3_self;
extern struct adi3_group adi3_group_empty;
extern struct adi3_pool adi3_comms, adi3_groups, adi3_types, adi3_ops, adi3_requests;

/* ---- life ------------------------------------------------------------------------------------ */

/* Finds out whether and how this process was launched; what mpiexec forwarded is there
 * afterwards. */
int adi3_join(void);
const char *adi3_forwarded(void); /* "NAME=VALUE\n..." of mpiexec -set; NULL when there is none */
int adi3_init(bool threads); /* with all settings loaded: meets the others, makes world and self */
int adi3_finalize(void);     /* all that was sent is delivered, then leaves the job */

/* For checkpoints; collective over the job. After adi3_drain() nothing is under way between its
 * processes, and sends are held back until adi3_continue() or, as after a restart with new devices
 * and addresses, adi3_reopen(). Requests and messages that nobody has received yet outlive it. */
int adi3_drain(void);
void adi3_continue(void);
int adi3_reopen(void);
_Noreturn void adi3_abort(int exit_code, const char *why); /* ends the whole job */
int adi3_appnum(int *appnum);          /* MPI_ERR_OTHER when the launcher does not say */
int adi3_universe_size(int *universe); /* likewise */
void adi3_where(int *rank, int *size); /* in the job; also before adi3_init */
const char *adi3_hostname(void);
/* Which device serves whom, in words, if the user asked for it: see the setting VERBOSE. */
bool adi3_devices_used(char *text, size_t len);
extern int adi3_verbose; /* that setting */
double adi3_wtime(void); /* seconds since a moment in the past */
double adi3_wtick(void);
const struct setting *const *adi3_settings(void); /* tables of ADI3 and devices, NULL-ended */

/* The MPI call this process is in, for the control line that others read while we sleep. */
extern const char *adi3_call;

/* ---- messages -------------------------------------------------------------------------------- */

struct adi3_data { /* elements in the user's memory */
    void *buf;
    size_t count;
    struct adi3_type *type;
};

/* How a message is sent, with ADI3_COLL where it belongs to a collective operation: that has a
 * context of its own and never meets a user's message. */
enum adi3_mode {
    ADI3_STANDARD = 0,
    ADI3_COLL = 1,
    ADI3_SYNC = 2,
    ADI3_READY = 4,
    ADI3_BUFFERED = 8, /* of a persistent send; else: adi3_bsend() */
};

enum { ADI3_TAG_UB = 0x3fffffff };

/* dest and source may be MPI_PROC_NULL, source MPI_ANY_SOURCE, a receive's tag MPI_ANY_TAG. */
int adi3_send(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c, int mode);
/* Sends a small message, not to MPI_PROC_NULL, when that can be done at once: 0. Anything else must
 * be told to adi3_refused(). */
int adi3_inject(struct adi3_comm *c, int dest, int tag, const void *buf, size_t len, int mode);
void adi3_refused(int rc);
/* Starts a receive where that is simple; else MPI_REQUEST_NULL, and nothing is done. */
MPI_Request adi3_irecv_quickly(struct adi3_comm *c, int source, int tag, void *buf, size_t len);

int adi3_recv(const struct adi3_data *d, int source, int tag, struct adi3_comm *c, int mode,
              MPI_Status *status);
int adi3_isend(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c, int mode,
               MPI_Request *request);
int adi3_irecv(const struct adi3_data *d, int source, int tag, struct adi3_comm *c, int mode,
               MPI_Request *request);
struct adi3_exchange { /* a send and a receive */
    struct adi3_data out, in;
    int dest, sendtag, source, recvtag;
};
/* Both at once, and waits for both. */
int adi3_sendrecv(const struct adi3_exchange *x, struct adi3_comm *c, int mode, MPI_Status *status);
/* Sends d and receives into it; x says from where to where. */
int adi3_sendrecv_replace(const struct adi3_data *d, const struct adi3_exchange *x,
                          struct adi3_comm *c, MPI_Status *status);
int adi3_iprobe(int source, int tag, struct adi3_comm *c, bool *found, MPI_Status *status);
int adi3_probe(int source, int tag, struct adi3_comm *c, MPI_Status *status);

/* As the two above, and takes the message out of matching, for adi3_mrecv(); MPI_MESSAGE_NULL when
 * none has come, MPI_MESSAGE_NO_PROC from MPI_PROC_NULL. */
int adi3_improbe(int source, int tag, struct adi3_comm *c, MPI_Message *message,
                 MPI_Status *status);
int adi3_mprobe(int source, int tag, struct adi3_comm *c, MPI_Message *message, MPI_Status *status);
struct adi3_request *adi3_message_get(MPI_Message handle); /* NULL when it names none */
/* The message becomes the request that receives it, of the same handle. */
void adi3_claim(struct adi3_request *message, const struct adi3_data *d);

/* Buffered mode: a message is copied into the buffer that the user has attached, and has left when
 * its receiver wants it. Detaching waits until all have left. */
int adi3_bsend(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c);
int adi3_buffer_attach(void *buf, size_t len);
int adi3_buffer_detach(void **buf, size_t *len);

/* ---- what is looked for beside wrong arguments (check.c) ------------------------------------- */

enum adi3_check { ADI3_CHECK_OFF, ADI3_CHECK_BASIC, ADI3_CHECK_STRICT };
enum adi3_check adi3_check(void); /* the setting CHECK; known after adi3_init() */
/* MPI_ERR_BUFFER when a byte of the data is in memory that this process does not have. */
int adi3_check_mapped(const struct adi3_data *d);
extern void (*adi3_warn)(const char *line); /* to the user; NULL: nobody listens */

/* ---- requests -------------------------------------------------------------------------------- */

/* The request that a send gives which was complete before it returned; it may be waited for any
 * number of times, and freeing it is nothing. */
enum { ADI3_REQUEST_COMPLETE = 0x6c000001 };

struct adi3_request *adi3_request_get(MPI_Request handle); /* NULL when it names none */
struct adi3_comm *adi3_request_comm(const struct adi3_request *r);
bool adi3_request_done(const struct adi3_request *r);
bool adi3_request_inactive(const struct adi3_request *r); /* a persistent one, not started */
bool adi3_request_persists(const struct adi3_request *r); /* its handle is there after it ends */

/* A persistent request, inactive; mode: of a send. */
int adi3_send_init(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c, int mode,
                   MPI_Request *request);
int adi3_recv_init(const struct adi3_data *d, int source, int tag, struct adi3_comm *c,
                   MPI_Request *request);
int adi3_startable(const struct adi3_request *r); /* MPI_ERR_REQUEST when it cannot be started */
int adi3_start(struct adi3_request *r);           /* when that has been asked */
bool adi3_start_quickly(MPI_Request h); /* where that is simple; else false, nothing is done */

/* Asks for the end of an operation, which is done soon: cancelled, or as if not asked. */
int adi3_cancel(struct adi3_request *r);
void adi3_status_cancel(MPI_Status *status, bool cancelled); /* sets what it says of that */

/* Operations of the user's own. The functions are called without the lock. */
struct adi3_callbacks {
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *free;
    MPI_Grequest_cancel_function *cancel;
    void *extra;
};
int adi3_general_start(const struct adi3_callbacks *users, MPI_Request *request);
struct adi3_request *adi3_general_get(MPI_Request handle); /* also when the user gave it up */
int adi3_general_complete(struct adi3_request *r);

/* Moves messages without waiting. */
void adi3_poll(void);

/* Waits, at no cost, until something may have become done since the last look: call it in a loop
 * around the condition. Set on to what is waited for when that is known. */
struct adi3_wait {
    unsigned turns, naps;
    bool idle;      /* waits for nothing: the thread of asynchronous progress */
    bool asleep;    /* with the lock dropped, leading */
    uint64_t since; /* ns, when waiting began */
    const struct adi3_request *on;
    _Atomic uint32_t called; /* while another thread leads: see thread.c */
    struct adi3_wait *next;
};
void adi3_wait_turn(struct adi3_wait *w);
/* Must follow the loop: another thread that waits may have to go on. */
static inline void adi3_wait_end(const struct adi3_wait *w)
{
    if (__builtin_expect(adi3_threads, 0))
        thread_wait_end(w);
}

/* How often this process slept, how often half a second passed and nobody woke it, and how often
 * there was work then: whoever brought that should have woken us, and did not. */
extern struct adi3_sleeps {
    unsigned long all, in_vain, late;
} adi3_sleeps;

/* Blocks until r is done; the first does so as one of many, and takes along what else has come. */
void adi3_wait_for(const struct adi3_request *r);
void adi3_wait_done(const struct adi3_request *r);

/* Waiting for one of many, which are looked at once: those that are not done are watched, and say
 * so when they are. */
struct adi3_any {
    int room, n;
    int *index; /* as adi3_any_watch() was told, of the first to be done: n, room at most */
    uint64_t watch;
    struct adi3_any *next;
};
void adi3_any_begin(struct adi3_any *a, int *index, int room);
void adi3_any_watch(struct adi3_any *a, struct adi3_request *r, int index);
void adi3_any_wait(struct adi3_any *a); /* until n > 0 */

/* Takes the result of a request that is done: fills the status (but MPI_ERROR), frees the request
 * or makes it inactive, returns its error. */
int adi3_request_finish(struct adi3_request *r, MPI_Status *status);
/* The same of one that stays as it is. */
int adi3_request_peek(struct adi3_request *r, MPI_Status *status);

/* The user gives up its handle; the operation goes on. An error is one of the user's function. */
int adi3_request_release(struct adi3_request *r);

/* ---- communicators, groups ------------------------------------------------------------------- */

/* Makes a communicator of these processes of c (ranks in c, in order of the new ranks). Collective
 * over them; me is our rank in the new one, which all others than the members do not call. */
int adi3_comm_new(struct adi3_comm *c, int size, const int *ranks, int me, struct adi3_comm **made);
void adi3_comm_release(struct adi3_comm *c);

struct adi3_group *adi3_group_new(int size); /* rank is MPI_UNDEFINED, world to be filled */
void adi3_group_release(struct adi3_group *g);

/* ---- datatypes ------------------------------------------------------------------------------- */

int adi3_type_init(void);                  /* the predefined pairs */
void adi3_type_finalize(void);             /* names, and types of adi3_type_f90() */
extern struct adi3_type adi3_builtin[256]; /* by the low byte of the handle */

/* NULL when h names no predefined type. */
static inline struct adi3_type *adi3_type_builtin(MPI_Datatype h)
{
    struct adi3_type *t = &adi3_builtin[h & 0xff];

    return t->handle == h ? t : NULL;
}

/* Makes a type. Counts, blocklengths and what describes arrays have been checked.
 * Errors: MPI_ERR_COUNT when sizes or places need more than 62 bits, MPI_ERR_NO_MEM. */
int adi3_type_make(const struct adi3_recipe *r, struct adi3_type **made);
/* count blocks of blocklen elements, which begin stride bytes apart */
int adi3_type_hvector(int count, int blocklen, MPI_Aint stride, struct adi3_type *old,
                      struct adi3_type **made);
int adi3_type_dup(struct adi3_type *old, struct adi3_type **made);
int adi3_type_commit(struct adi3_type *t);
void adi3_type_release(struct adi3_type *t);

/* The predefined type of a Fortran kind, by MPI_COMBINER_F90_x and what is asked for; the same each
 * time (§17.1.9). MPI_ERR_ARG when no kind has that. */
int adi3_type_f90(int combiner, int precision, int range, struct adi3_type **t);

/* A handle for the user, with a reference of its own, and its end. Types are made without. */
MPI_Datatype adi3_type_hand_out(struct adi3_type *t);
void adi3_type_take_back(struct adi3_type *t);
int adi3_type_set_name(struct adi3_type *t, const char *name);

/* The basic elements in so many bytes of elements of t, one behind the other; false when the last
 * one is not whole. */
bool adi3_type_elements(const struct adi3_type *t, size_t len, size_t *elements);
/* The bytes of so many; false when t has none, or they need more than 62 bits. */
bool adi3_type_bytes(const struct adi3_type *t, size_t elements, size_t *len);

/* Bytes at, at + 1, ... of d, as they travel, to and from packed memory. */
void adi3_pack(const struct adi3_data *d, size_t at, void *packed, size_t len);
void adi3_unpack(const struct adi3_data *d, size_t at, const void *packed, size_t len);
/* Where they are: at most n ranges, the first at byte at; returns how many, and in at the byte
 * behind them. */
int adi3_ranges(const struct adi3_data *d, size_t *at, struct iovec *iov, int n);
/* How many at most one element has; they may touch each other. */
size_t adi3_type_ranges(const struct adi3_type *t);
/* The memory of all its bytes when they are one range in order; else NULL. */
char *adi3_one_range(const struct adi3_data *d);
/* Copies elements to elements of the same signature in this process, as a message to oneself
 * would. */
void adi3_copy(const struct adi3_data *from, const struct adi3_data *to);

/* In external32 (§13.5.2): the bytes of one element; all of d, to and from bytes. */
size_t adi3_external_size(const struct adi3_type *t);
void adi3_pack_external(const struct adi3_data *d, void *bytes);
void adi3_unpack_external(const struct adi3_data *d, const void *bytes);

/* A committed type as bytes for another process, as many as are returned: only so many as there is
 * room for are written, none when to is NULL. 0 without memory. */
size_t adi3_type_serialize(const struct adi3_type *t, void *to, size_t room);
/* A committed type of such bytes, whoever wrote them, with one reference and no handle of the
 * user's. It has the other one's bytes, bounds and basic elements (of a Fortran kind, the named
 * type it is like), but not what it was made of: it is for packing, not for making types,
 * external32, or counting elements in a part of one.
 * Errors: MPI_ERR_TYPE when the bytes are no such form, MPI_ERR_NO_MEM. */
int adi3_type_deserialize(const void *from, size_t len, struct adi3_type **made);

/* ---- operations ------------------------------------------------------------------------------ */

struct adi3_op *adi3_op_builtin(MPI_Op h); /* NULL when h names no predefined operation */
bool adi3_op_takes(const struct adi3_op *op,
                   const struct adi3_type *t); /* predefined op on t (§5.9.2) */
/* inout[i] = in[i] op inout[i]; a user's function is called with its own handle of the type. */
void adi3_reduce(const struct adi3_op *op, const void *in, void *inout, size_t count,
                 const struct adi3_type *t);

/* ---- errors ---------------------------------------------------------------------------------- */

/* An error code: the class in the low bits, above them the number of a slot that keeps the text. */
enum { ADI3_CLASS_MASK = 0x7f };

int adi3_error(int errclass, const char *fmt, ...) __attribute__((cold, format(printf, 2, 3)));
int adi3_verror(int errclass, const char *fmt, va_list args) __attribute__((cold));
const char *adi3_error_text(int code); /* the values' text, or NULL when the slot has been reused */
const char *adi3_class_text(int errclass); /* NULL when there is no such class */
const char *adi3_class_name(int errclass); /* "MPI_ERR_RANK"; likewise */

#endif /* ADI3_H */
