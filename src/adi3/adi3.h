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
#include "adi3_handle.h"

#pragma GCC visibility push(default) /* what mpi.h declares is all that libmpi exports */
#include "mpi.h"
#pragma GCC visibility pop

#include "adi3_collchk.h"
#include "adi3_shmcoll.h"
#include "adi3_sched.h"
#include "adi3_datatype.h"

struct adi3_proc;    /* one process we can talk to, ourselves included */
struct adi3_request; /* one operation under way */
struct adi3_queues;  /* a communicator's posted and unexpected messages */
struct adi3_wait;    /* a call that waits */
struct setting;

/* ---- threads (thread.c) ---------------------------------------------------------------------- */

extern bool adi3_threads; /* several may call at once; else nobody takes the lock */
void adi3_lock(void);
void adi3_unlock(void);
/* Drops the lock for work on that many bytes if it may take long (SIZE_MAX: the user's code); true
 * when it did: then adi3_lock() must follow. */
bool adi3_unlock_for(size_t len);
void thread_wait_end(const struct adi3_wait *w); /* adi3_wait_end() */

/* ---- objects --------------------------------------------------------------------------------- */

struct adi3_group { /* an ordered set of processes; never changes */
    MPI_Group handle;
    int refs;
    int handles;             /* that the user has to free; 0: only other objects hold it */
    int size, rank;          /* rank is ours or MPI_UNDEFINED */
    int first, stride;       /* member i is process first + i * stride of MPI_COMM_WORLD, ... */
    int *member;             /* ... or listed here */
    struct adi3_proc **proc; /* likewise, once there is a communicator of the group */
    struct adi3_places *at;  /* who is where in the list, once somebody has asked */
};

/* Whether MPI calls may use a communicator's handle. */
enum adi3_closed {
    ADI3_OPEN,    /* all may */
    ADI3_PENDING, /* only calls that send nothing: its MPI_Comm_idup is not complete */
    ADI3_FREED,   /* none: the program has freed it or never had it */
};

struct adi3_comm {
    MPI_Comm handle;
    int refs; /* of the handle, and of every request under way */
    int rank, size;
    uint32_t recv_ctx, send_ctx;  /* context ids, even; ADI3_COLL uses the next one */
    struct adi3_queues *queue[2]; /* of the two contexts; NULL: it is not open yet */
    struct adi3_proc **proc;      /* whom we send to, by rank */
    int peers;                    /* how many: size, or the remote group's */
    enum adi3_closed closed;
    bool together;                      /* all on one node, ... */
    bool oversubscribed;                /* ... where processes outnumber cores; the same for all */
    uint8_t hints;                      /* adi3_hint */
    struct adi3_group *group, *remote;  /* remote: NULL of an intracommunicator */
    struct adi3_comm *local;            /* of our group alone; of an intercommunicator */
    struct adi3_shmcoll *area;          /* see adi3_shmcoll(); NULL: it has none, ... */
    bool shmcoll_asked;                 /* ... which is known */
    uint32_t operations, inits;         /* collective operations, to number them */
    struct adi3_call_history *calls[2]; /* the last of each kind; NULL: none */
    struct mismatch_query *asked;       /* what others ask about calls that may come */
    int failed;                         /* a call differed from another's: the last one's error */
    int differs; /* a call differed from another's, and its caller was not told; an error */
    /* src/mpi's, which ADI3 only carries: see adi3_comm_ends. */
    MPI_Errhandler errhandler;
    void *owner; /* the MPI_Win or MPI_File whose own it is, and whose errors are told; or NULL */
    struct mpir_attribute *attributes;
    struct mpir_topology *topology;
    struct coll_nodes *nodes; /* NULL: nobody has asked yet, or none */
    char *name;               /* NULL: none given */
};

enum adi3_hint { /* what the user promises of a communicator (§6.4.4) */
                 ADI3_NO_ANY_TAG = 1,
                 ADI3_NO_ANY_SOURCE = 2,
                 ADI3_EXACT_LENGTH = 4,
                 ADI3_ALLOW_OVERTAKING = 8,
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

/* For checkpoints; collective over the job. After adi3_quiesce() nothing is under way between its
 * processes, and sends are held back until adi3_continue() or, as after a restart with new devices
 * and addresses, adi3_reopen(). Requests and messages that nobody has received yet outlive it. */
int adi3_quiesce(void);
void adi3_continue(void);
int adi3_reopen(void);
_Noreturn void adi3_abort(int exit_code, const char *why); /* ends the whole job */
int adi3_appnum(int *appnum);          /* MPI_ERR_OTHER when the launcher does not say */
int adi3_universe_size(int *universe); /* likewise */
/* What our mpiexec was told of this process's program: "maxprocs=4\nhost=a", named as in §8.7;
 * likewise when it is another launcher. */
int adi3_program(char *text, size_t len);
void adi3_where(int *rank, int *size); /* in the job; also before adi3_init */
const char *adi3_hostname(void);
bool adi3_machine(char *name, size_t len); /* "x86_64"; false: not known, or does not fit */
/* The first len bytes of this program's name and arguments, each with its NUL; how many there are,
 * 0 when they are not known. */
size_t adi3_command_line(char *text, size_t len);
/* Which device serves whom, in words, if the user asked for it: see the setting VERBOSE. */
bool adi3_devices_used(char *text, size_t len);
extern int adi3_verbose; /* that setting */
double adi3_wtime(void); /* seconds since a moment in the past */
double adi3_wtick(void);
extern int adi3_wtime_is_global; /* 0 or 1: the same in all processes */
/* Looks at the clocks again, if they are global, with all processes; true: tell the user that. */
bool adi3_wtime_report(char *text, size_t len);
const struct setting *const *adi3_settings(void); /* tables of ADI3 and devices, NULL-ended */

/* ---- messages -------------------------------------------------------------------------------- */

/* How a message is sent, with ADI3_COLL where it belongs to a collective operation: that has a
 * context of its own and never meets a user's message. */
enum adi3_mode {
    ADI3_STANDARD = 0,
    ADI3_COLL = 1,
    ADI3_SYNC = 2,
    ADI3_READY = 4,
    ADI3_BUFFERED = 8, /* of a persistent send; else: adi3_bsend() */
};

/* Tags above are of collective operations that share a context with others: ADI3_TAG_GROUP and
 * ADI3_TAG_INTER with the user's tag, ADI3_TAG_INIT with the number of a persistent operation.
 * In the collective context of a communicator tags have the operation's number, from 1 on, above
 * ADI3_SIGNATURE, whose bits say what operation it is; 0 belongs to the making of communicators,
 * what is above all numbers to the beginning and end of MPI. */
enum {
    ADI3_TAG_UB = 0x1fffffff,
    ADI3_TAG_GROUP = 0x20000000,
    ADI3_TAG_INTER = 0x40000000,
    ADI3_TAG_INIT = 0x60000000,
    ADI3_SIGNATURE = 0xffff,
    ADI3_NUMBERS = 0x1ffe, /* of operations: after these the first is used again */
};

/* The tag of the operation with a number that counts from 0, without its signature. */
static inline int adi3_number_tag(uint32_t number)
{
    return (int) (number % ADI3_NUMBERS + 1) * (ADI3_SIGNATURE + 1);
}

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
const char *adi3_buffer_attached(void); /* by which call; NULL: none is */

/* ---- what is looked for beside wrong arguments (check.c) ------------------------------------- */

enum adi3_check { ADI3_CHECK_OFF, ADI3_CHECK_BASIC, ADI3_CHECK_STRICT };
extern enum adi3_check adi3_check; /* the setting CHECK; known after adi3_init() */
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
    unsigned turns, intervals;
    bool idle;      /* waits for nothing: the thread of asynchronous progress */
    bool asleep;    /* with the lock dropped, leading */
    uint64_t since; /* ns, when waiting began */
    const struct adi3_request *on;
    size_t copied;           /* bytes that a process moves meanwhile, if that is known */
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
    int *index; /* as adi3_any_watch() was told, of those that are done: n of them; with room 1 the
                 * lowest */
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

int adi3_request_freeable(const struct adi3_request *r); /* or MPI_ERR_REQUEST */
/* The user gives up its handle; the operation goes on. An error is one of the user's function. */
int adi3_request_release(struct adi3_request *r);

/* ---- communicators, groups ------------------------------------------------------------------- */

/* Some processes of a communicator: their ranks in it, in order, or NULL: all as they are; and our
 * place among them. */
struct adi3_subgroup {
    int size, me;
    const int *ranks;
    uint32_t digest; /* must be the same in all of them */
};

static inline int adi3_subgroup_rank(const struct adi3_subgroup *t, int i)
{
    return t->ranks ? t->ranks[i] : i;
}

/* Gives the whole subgroup of c a context id that its first process picks. MPI_ERR_GROUP when
 * digests differ; the others are told all the same. */
int adi3_context_agree(struct adi3_comm *c, const struct adi3_subgroup *t, int tag, uint32_t *ctx);
uint32_t adi3_context_pick(void); /* one that no process uses */

/* Makes an intracommunicator of the subgroup of c, with an id that all have. No messages. */
int adi3_comm_new(struct adi3_comm *c, const struct adi3_subgroup *t, uint32_t ctx,
                  struct adi3_comm **made);
/* Likewise in two steps: of groups, which it holds; then its contexts. remote: NULL, or that of an
 * intercommunicator, which then has two ids: we receive with ours, and send with theirs. */
int adi3_comm_make(struct adi3_group *g, struct adi3_group *remote, struct adi3_comm **made);
int adi3_comm_open(struct adi3_comm *c, uint32_t recv_ctx, uint32_t send_ctx);
void adi3_comm_set_hints(struct adi3_comm *c, uint8_t hints); /* all its hints, from now on */
void adi3_comm_release(struct adi3_comm *c);
extern void (*adi3_comm_ends)(struct adi3_comm *c); /* nobody holds it: what src/mpi hung on it */

/* A group of one reference, and no handle of the user's; NULL without memory. The members are
 * processes of MPI_COMM_WORLD, in memory that is the group's from then on, also when it fails. */
struct adi3_group *adi3_group_make(int size, int *member);
struct adi3_group *adi3_group_strided(int size, int first, int stride);
struct adi3_group *adi3_group_copy(const struct adi3_group *g);
void adi3_group_release(struct adi3_group *g);
/* A handle for the user, with a reference of its own, and its end: one for each group, so that a
 * handle that was freed names nothing. */
MPI_Group adi3_group_user_acquire(struct adi3_group *g);
void adi3_group_user_release(struct adi3_group *g);

/* The i-th member, as a rank of MPI_COMM_WORLD. */
static inline int adi3_group_process(const struct adi3_group *g, int i)
{
    return g->member ? g->member[i] : g->first + i * g->stride;
}

/* New groups of those there are, as adi3_group_make gives them (§6.3.2). Ranks are valid and
 * distinct; a range is first, last and stride. */
struct adi3_group *adi3_group_union(struct adi3_group *a, struct adi3_group *b);
struct adi3_group *adi3_group_intersection(struct adi3_group *a, struct adi3_group *b);
struct adi3_group *adi3_group_difference(struct adi3_group *a, struct adi3_group *b);
struct adi3_group *adi3_group_incl(const struct adi3_group *g, int n, const int *ranks);
struct adi3_group *adi3_group_excl(const struct adi3_group *g, int n, const int *ranks);
struct adi3_group *adi3_group_range_incl(const struct adi3_group *g, int n, int (*ranges)[3]);
struct adi3_group *adi3_group_range_excl(const struct adi3_group *g, int n, int (*ranges)[3]);

/* MPI_IDENT when the order is the same too, MPI_SIMILAR when only the members are, else
 * MPI_UNEQUAL. Errors: MPI_ERR_NO_MEM, as below. */
int adi3_group_compare(struct adi3_group *a, struct adi3_group *b, int *result);
/* Ranks in the group from, or MPI_PROC_NULL, to ranks in the group to, or MPI_UNDEFINED. */
int adi3_group_translate(const struct adi3_group *from, int n, const int *ranks,
                         struct adi3_group *to, int *result);

/* ---- where processes are (place.c) ----------------------------------------------------------- */

enum adi3_level { ADI3_PACKAGE, ADI3_NUMA, ADI3_L3, ADI3_L2, ADI3_CORE, ADI3_PU, ADI3_LEVELS };

/* The parts of its node that a process was bound to when it called MPI_Init, by their numbers
 * there; -1 at levels where it may run in more than one. */
struct adi3_place {
    int at[ADI3_LEVELS];
};

int adi3_node_leader(void); /* the lowest rank in MPI_COMM_WORLD on our node: the node's name */
/* The same of a process of c's, which need not take part; elsewhere the launcher is asked, once. */
int adi3_node_of(const struct adi3_comm *c, int rank, int *leader);
/* False when all processes of our node may run on the same cores: then no place differs. */
bool adi3_node_bound(void);
/* False when it is on another node, or when there is no hwloc. */
bool adi3_place(const struct adi3_comm *c, int rank, struct adi3_place *place);

/* ---- errors ---------------------------------------------------------------------------------- */

/* An error code: the class in the low bits, above them the number of a slot that keeps the text. */
enum { ADI3_CLASS_MASK = 0x7f };

int adi3_error(int errclass, const char *fmt, ...) __attribute__((cold, format(printf, 2, 3)));
int adi3_verror(int errclass, const char *fmt, va_list args) __attribute__((cold));
const char *adi3_error_text(int code); /* the values' text, or NULL when the slot has been reused */
const char *adi3_class_text(int errclass); /* NULL when there is no such class */
const char *adi3_class_name(int errclass); /* "MPI_ERR_RANK"; likewise */

#endif /* ADI3_H */
