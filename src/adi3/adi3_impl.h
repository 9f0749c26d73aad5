/* adi3_impl.h — shared between the files of src/adi3, and nobody else. */
#ifndef ADI3_IMPL_H
#define ADI3_IMPL_H

#include "adi3.h"
#include "device.h"
#include "match.h"
#include "os.h"
#include "pmi.h"

/* ---- processes and devices (proc.c) ---------------------------------------------------------- */

struct adi3_dev { /* a device in use */
    const struct dev_ops *ops;
    struct dev_limits limits;
    char endpoint[DEV_ENDPOINT_MAX]; /* our address, for the others */
    int place;                       /* in the order in which devices were configured */
    bool has_peers;
};

struct adi3_proc {
    struct dev_peer peer;
    struct adi3_dev *dev; /* the cheapest device that reaches it; NULL until they talk */
    size_t inject_below;  /* dev injects payloads below this; 0 until they talk, and when lost */
    ptrdiff_t credit;     /* bytes we may send it eagerly before it says that it took some */
    int (*inject_plain)(struct dev_peer *to, uint32_t ctx, int32_t rank, int32_t tag,
                        const void *data, size_t len); /* dev's, or made of dev's inject */
    size_t pending_credit;   /* bytes it sent eagerly and that we took, not told to it yet */
    int lost;                /* why it can no longer be reached, a negative errno */
    char *host;              /* of a process elsewhere, when it has said it; NULL until they talk */
    struct adi3_dev *behind; /* dev itself, while another in its place holds back; else NULL */
    struct dev_send *held, **held_end; /* what it holds back */
    uint64_t marked;                   /* the last drain in which it has said its last */
    int node; /* of a process elsewhere: the lowest rank there; -1 until somebody asks */
};

enum { ADI3_MAX_DEVICES = 8 };
extern struct adi3_dev adi3_devs[ADI3_MAX_DEVICES];
extern int adi3_ndevs;
/* Of the devices that have one, and of schedules once there are any. */
extern bool (*adi3_polls[ADI3_MAX_DEVICES + 2])(void);
extern struct pmi_job adi3_job;
extern struct adi3_proc *adi3_procs; /* by rank in MPI_COMM_WORLD */
extern const char *adi3_setting_devices;
extern int adi3_setting_peer_timeout; /* seconds */

extern struct dev_env proc_env;
extern int proc_reopened; /* how often the devices were opened anew */
extern bool proc_any_lost;
int proc_init(bool threads); /* joins node and job, opens devices; several may call at once */
int proc_reopen(void); /* closes all devices and opens them again, in all processes together */
void proc_finalize(void);
int proc_add(struct adi3_proc *p); /* finds its device; an MPI error when there is none */
void proc_lost(struct adi3_proc *p, int err); /* its device says so */
void proc_died(struct adi3_proc *p);          /* its device does not know yet */
void proc_watch(void); /* the devices of all that are waited for look whether they live */
extern struct adi3_proc *proc_probed; /* from whom MPI_Probe found no message last, or NULL */
/* tell.c */
int proc_error(const struct adi3_proc *p, int err); /* an MPI error code from a negative errno */

/* The device that reaches p, also while another stands in its place. */
static inline const struct dev_ops *proc_device(const struct adi3_proc *p)
{
    return p->behind ? p->behind->ops : p->dev->ops;
}

static inline struct adi3_proc *proc_of(const struct dev_peer *peer)
{
    return OS_OWNER(peer, struct adi3_proc, peer);
}

/* ---- devices (open.c) ------------------------------------------------------------------------ */

int devices_check_setting(void); /* of STARLING_DEVICES */
int devices_open(bool node_only);
void devices_close(void);
void devices_poll_schedules(void); /* from now on */

/* ---- cards (cards.c) ------------------------------------------------------------------------- */

void business_card_publish_here(void); /* for the processes of this node, ... */
int business_card_publish(void);       /* ... for those of others */
int business_card_take_secret(
    void); /* the node's, or that of process 0's node when there are several */
/* Those of a process elsewhere, each ended by a zero byte, an empty one behind them; NULL when it
 * has published none. The caller frees them. */
char *business_card_fetch(const struct adi3_proc *p);
const char *business_card_find(const char *cards,
                               const char *name); /* the address in one; or NULL */
int business_card_node(
    const struct adi3_proc *p); /* the lowest rank on its node; -1: not to be had */
/* A process's address for a device; NULL when it did not open that. */
const char *business_card_endpoint(const struct adi3_proc *p, const char *cards,
                                   const struct adi3_dev *d);

/* ---- the node's segment (node.c) ------------------------------------------------------------- */

enum node_state { NODE_RUNS, NODE_SLEEPS, NODE_ENDS };

extern struct dev_node adi3_node;

extern bool adi3_wtime_global; /* the setting */
int wtime_init(void);

int node_join(const struct pmi_job *job); /* makes the segment or finds it; then publish, barrier */
int node_barrier(void); /* PMI's; whoever made the segment hands it out meanwhile */
void node_ready(void);  /* all are here: count is final */
void node_leave(void);
void node_rewind(void); /* what devices took is free again: all processes have closed them */
char *node_endpoint(int index, int dev); /* DEV_ENDPOINT_MAX bytes */
const unsigned char *node_secret(void);
const struct os_cpus *node_cpus(int index); /* what this process was bound to when it came */
_Atomic int32_t *node_cpu(int index);       /* the core where it waited last */
enum { NODE_TICK_MS = 500 };                /* sleepers look whether anybody died */
/* Sleeps until woken or the time, a tick at most, has passed; false when there was work before. */
bool node_sleep(struct adi3_wait *w, bool (*work)(void), int epoll, unsigned ms);
void node_wake_self(void);
/* Memory of an area, not all zero, of a power of two of at least 4096 bytes: its offset, or 0. What
 * is given back serves the next area of that length, and never devices. */
size_t node_block_take(size_t len);
void node_block_release(size_t offset, size_t len);
int node_wake_fd(void); /* readable after a wake of DEV_ASLEEP_EPOLL */

/* ---- cores (core.c) -------------------------------------------------------------------------- */

/* Is a process that has something to do on our core, the one waited for or, if that is not known,
 * any? Then it needs the core more than we do. */
bool core_shared(const struct adi3_wait *w);
/* Moves to a core that no process of the node is on; false when there is none or this process has
 * tried within the last millisecond. */
bool core_leave(void);

/* ---- requests (request.c, protocol.c) -------------------------------------------------------- */

enum adi3_pkt_type {
    PKT_EAGER,
    /* 0, for inject_plain */ PKT_RTS,
    PKT_CTS,
    PKT_DATA,
    PKT_FIN,
    PKT_CREDIT,
    PKT_QUIESCE,
    PKT_CANCEL,
    PKT_CANCELLED,
    PKT_ASK,
    PKT_DIFFERS,
    PKT_TYPES
};

enum {                  /* flags beside DEV_PLAIN */
       PKT_READY = 2,   /* the sender says that the receive is posted */
       PKT_DOUBTED = 4, /* of one that was kept: see agree.c */
};

/* The life of a request: INIT -start-> STARTED -first byte or match-> ACTIVE -all parts-> DONE.
 * A persistent request is in INIT while it is inactive. */
enum adi3_state { ADI3_INIT, ADI3_STARTED, ADI3_ACTIVE, ADI3_DONE };
/* A message is one that a probe has taken, for MPI_Mrecv: no request, to the user. */
enum adi3_kind { ADI3_SEND, ADI3_RECV, ADI3_MESSAGE, ADI3_GENERALIZED, ADI3_SCHEDULE };

enum request_flags { /* what few requests are, and the others need not look for */
                     REQUEST_PERSISTENT = 1,
                     REQUEST_CANCELLED = 2,
                     REQUEST_BUFFERED = 4,   /* its bytes are in the user's buffer: see bsend.c */
                     REQUEST_USERS = 8,      /* of kind ADI3_GENERALIZED */
                     REQUEST_RELEASED = 16,  /* the user has no handle: freed when done */
                     REQUEST_WATCHED = 32,   /* one of many that a call waits for: see any.c */
                     REQUEST_PART = 64,      /* of a schedule: see sched.c */
                     REQUEST_SCHEDULE = 128, /* of kind ADI3_SCHEDULE */
};

struct adi3_request {
    MPI_Request handle; /* also its cookie on the wire */
    uint8_t state;
    uint8_t awaits; /* the packet type it may be named by, PKT_TYPES when none ... */
    uint8_t parts;  /* of a send, not over yet: DONE when it falls to 0 */
    uint8_t kind;
    uint8_t flags;         /* request_flags */
    bool recalled;         /* a cancel has been asked for, and not been answered yet */
    struct dev_peer *peer; /* ... and by whom; of a receive once it has matched */
    struct adi3_comm *comm;
    struct adi3_queues *queue; /* where it is posted */
    struct match_entry posted; /* envelope asked for; for receives then the one matched */
    char *bytes;               /* the user's, where they are one range */
    size_t len, got;
    int error;
    bool scattered;           /* else: */
    struct adi3_data data;    /* they are here, ... */
    struct dev_memory memory; /* ... and this is how devices reach them */
    struct dev_send op;       /* its data packet */
    struct dev_get get;       /* of a receive: its read, while the RTS stays in op */
    union {
        void *exposed; /* of a send that awaits CTS: the device's, NULL when there is none */
        const struct dev_memory *there; /* of a read: the pieces in the sender, or NULL */
    };
    uint64_t watch; /* when watched: by which call ... */
    int index;      /* ... and what it calls this one */
    union {
        struct adi3_start *start;      /* of a persistent one: what is started */
        struct match_message *message; /* of a message; NULL when it was lost */
        struct adi3_callbacks *users;  /* of a generalized one */
        struct adi3_sched *schedule;   /* of one that stands for a schedule, ... */
        struct adi3_sched *owner;      /* ... or is a part of it */
    };
};

/* When it is known that the pool has one. */
static inline struct adi3_request *request_take(enum adi3_kind kind, struct adi3_comm *c, int rank,
                                                int tag)
{
    MPI_Request handle;
    struct adi3_request *r = adi3_take(&adi3_requests, &handle);

    c->refs++;
    r->handle = handle;
    r->state = ADI3_STARTED;
    r->awaits = PKT_TYPES;
    r->parts = 1;
    r->kind = (uint8_t) kind;
    r->flags = 0;
    r->recalled = false;
    r->peer = NULL;
    r->comm = c;
    r->posted.rank = rank;
    r->posted.tag = tag;
    r->got = 0;
    r->error = MPI_SUCCESS;
    r->scattered = false;
    return r;
}

/* Its handle is the user's from now on. */
static inline MPI_Request request_user_acquire(struct adi3_request *r)
{
    adi3_set_creator(r);
    return r->handle;
}

extern const struct adi3_request *request_awaited; /* by a call that waits for it alone */
struct adi3_request *request_new(enum adi3_kind kind, struct adi3_comm *c, int rank, int tag);
void request_free(struct adi3_request *r);
void request_done(struct adi3_request *r);
void request_drop_data(struct adi3_request *r);
int request_no_memory(void);
void request_data(struct adi3_request *r, const struct adi3_data *d);
void request_deliver(const struct adi3_request *r,
                     const void *payload); /* the first r->got bytes */
void request_status(MPI_Status *status, int source, int tag, size_t len);

extern const struct dev_upcalls adi3_upcalls;
/* What a message costs in credit: its bytes, and its envelope with its place in the queues. */
static inline ptrdiff_t proto_cost(size_t len) { return (ptrdiff_t) len + 256; }

/* The packet of a message sent eagerly. What follows the tag of a plain packet is not looked at. */
static inline void proto_eager(struct dev_pkt *pkt, const struct adi3_comm *c, int tag, size_t len,
                               int mode)
{
    pkt->payload = len;
    pkt->type = PKT_EAGER;
    pkt->flags = DEV_PLAIN;
    pkt->pad = 0;
    pkt->ctx = c->send_ctx + (mode & ADI3_COLL);
    pkt->rank = c->rank;
    pkt->tag = tag;
}

int proto_send(struct adi3_request *r, int mode);
void proto_data(struct adi3_request *r, size_t len);
void proto_sent(struct adi3_request *r, int err);                  /* one of its parts is over */
int proto_control(struct dev_peer *to, const struct dev_pkt *pkt); /* a packet without data */
void proto_lend(int ops);                    /* so many more are with devices */
void proto_unexpose(struct adi3_request *r); /* of a send that awaited CTS: nobody reads it now */
void proto_fin(struct dev_peer *to, uint32_t sreq);
void proto_taken(struct adi3_proc *from, size_t len);
int proto_with_devices(void); /* ops of which done() has not been called */
extern size_t proto_credit;

/* pieces.c: what goes with an RTS. */
enum { NONCONTIG_MOST = 1024 }; /* bytes */
/* How many bytes; 0: nothing, as pieces are shorter than `least` on average or it is too long. */
size_t noncontig_write(const struct adi3_request *r, size_t least, void *to, size_t room);
/* The sender's memory; NULL: it is not such a message's. */
const struct dev_memory *noncontig_read(const void *payload, size_t bytes, size_t len);
void noncontig_free(const struct dev_memory *m);
void noncontig_finalize(void);
const struct dev_memory *noncontig_exposed(struct dev_peer *to, uint64_t key); /* an upcall */

/* arrive.c */
void proto_claim(struct adi3_request *r, struct match_message *u);
/* A receive has its message. What came before an error is not counted, nor unpacked. */
static inline void proto_finish(struct adi3_request *r, int err)
{
    if (err) {
        r->error = proc_error(proc_of(r->peer), err);
        r->got = 0;
    }
    request_done(r);
}
void proto_peer_lost(struct adi3_proc *p);
int proto_refuse(const struct dev_peer *from, const struct dev_pkt *pkt); /* it makes no sense */
/* read.c: r has matched a message that was announced so. */
void proto_accept(struct adi3_request *r, const struct dev_pkt *rts, const void *payload);
extern struct dev_send *proto_reads; /* there is something to ... */
void proto_read(void);
extern int proto_reading; /* what devices read just now */

/* pt2pt.c: r is new, or is started again; after an error of a send it may be freed. */
int pt2pt_send(struct adi3_request *r, const struct adi3_data *d, int mode);
void pt2pt_receive(struct adi3_request *r, const struct adi3_data *d, int mode);
/* Sends at once if it can: MPI_SUCCESS, DEV_AGAIN when it cannot, or an MPI error. */
int pt2pt_inject(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c, int mode);
/* The error of a receive whose sender, or one of whose possible senders, is lost. */
int pt2pt_gone(int source, const struct adi3_comm *c);
extern bool pt2pt_may_fail; /* somebody is lost, or a collective call has failed */

/* probe.c */
void probe_broken(struct adi3_request *message, int err); /* its payload is lost */
void probe_drop(struct adi3_request *message);            /* nobody will receive it */

/* sched.c */
bool sched_poll(void);
void sched_part_over(struct adi3_request *r); /* and frees it */
void sched_again(struct adi3_request *r);     /* starts one that stands for a schedule */
void sched_end(struct adi3_sched *s);

/* any.c */
void any_signal(struct adi3_request *r); /* it was watched, and is done */

/* agree.c: collective calls that differ. Messages that were kept have their signature in pad. */
static inline bool collchk_is_signed(int tag) /* does it have a number and a signature? */
{
    int number = (tag >= ADI3_TAG_INIT ? tag - ADI3_TAG_INIT : tag) / (ADI3_SIGNATURE + 1);

    return number >= 1 && number <= ADI3_NUMBERS;
}
static inline int collchk_number(int tag) { return tag & ~ADI3_SIGNATURE; } /* what is matched */
static inline int collchk_saved_tag(const struct match_message *u)
{
    return u->pkt.tag | u->pkt.pad;
}
/* As match_unexpected(), of a collective receive; NULL also when what was found differs. */
struct match_message *collchk_unexpected(struct adi3_queues *q, int source, int tag);
/* The tag by which a message that nobody has asked for is to be matched instead; 0: there is
 * none. */
int collchk_arrives(const struct adi3_queues *q, const struct dev_pkt *pkt);
int collchk_error(const struct adi3_comm *c, int tag); /* what the call has failed with */
void collchk_comm_ends(struct adi3_comm *c);
void collchk_tick(void); /* twice a second */

/* letter.c: packets */
int mismatch_arrived(struct dev_peer *from, const struct dev_pkt *pkt, const void *text);
int mismatch_begin(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target);
void mismatch_end(void *letter, int err);
void mismatch_finalizing(bool is); /* MPI_Finalize: no more calls are made here */

/* ends.c: MPI_Finalize waits for its sends, and looks now and then what is known of those. */
struct ends {
    uint64_t since; /* ns */
    bool *asked;    /* by rank in MPI_COMM_WORLD, whether it has ended; NULL: none yet */
    bool told;
};
void ends_begin(struct ends *e);
void ends_look(struct ends *e);
void ends_end(struct ends *e);

/* cancel.c: packets */
int cancel_asked(struct dev_peer *from, const struct dev_pkt *pkt);
int cancel_answered(struct dev_peer *from, const struct dev_pkt *pkt);

/* check.c */
extern const char *check_setting; /* the setting */
int check_init(void);
void check_not_ready(const struct dev_pkt *pkt); /* sent ready, and no receive was posted */
void check_was_ready(struct adi3_request *r, const struct dev_pkt *pkt); /* r receives it now */

/* bsend.c */
void bsend_left(struct adi3_request *r); /* its bytes are needed no more */
void bsend_finalize(void);

/* generalized.c */
int general_finish(struct adi3_request *r, MPI_Status *status);
int general_peek(const struct adi3_request *r, MPI_Status *status);
int general_release(struct adi3_request *r);
int general_cancel(struct adi3_request *r);

/* persistent.c */
void persistent_free(struct adi3_request *r); /* what is started */

/* unexpected.c */
struct match_message *unexpected_enqueue(struct adi3_queues *q, struct dev_peer *from,
                                         const struct dev_pkt *pkt,
                                         bool complete); /* NULL without memory */
void unexpected_free(struct match_message *u);
void unexpected_finalize(void);

/* ---- communicators (comm.c, context.c) ------------------------------------------------------- */

int comm_init(void);
struct adi3_proc **group_procs(struct adi3_group *g); /* its own; NULL without memory */
int context_init(void);
void context_ends(void); /* from now on nobody hears of what is lost */
void context_finalize(void);
void context_drop(uint32_t ctx); /* its queues, with what nobody received */
/* A message that nobody will receive: its sender may send as much again. What is still arriving is
 * freed when all of it is there. */
void context_lose(struct adi3_queues *q, struct match_message *u);
extern struct comm_found { /* last; NULL when there is none */
    uint32_t ctx;
    struct adi3_queues *queues;
} comm_found;
struct adi3_queues *comm_find_queues(uint32_t ctx);

/* The rank of a process in a group without a list, or MPI_UNDEFINED. */
static inline int group_place_in_row(const struct adi3_group *g, int process)
{
    int away = process - g->first;
    int place = g->stride == 1 ? away : g->stride ? away / g->stride : 0;

    return place >= 0 && place < g->size && place * g->stride == away ? place : MPI_UNDEFINED;
}

/* Where the messages of a context queue; NULL without memory. */
static inline struct adi3_queues *comm_queues(uint32_t ctx)
{
    return comm_found.queues && comm_found.ctx == ctx ? comm_found.queues : comm_find_queues(ctx);
}

static inline bool comm_has_sender(const struct adi3_comm *c, int rank, const struct dev_peer *from)
{
    return rank < c->peers && c->proc[rank] == proc_of(from);
}

struct adi3_queues *comm_known_queues(uint32_t ctx); /* NULL when nothing has named it yet */
void queues_forget_exposed(void); /* messages that were to be read come in packets now */
void comm_finalize(void);

/* ---- areas (area.c) -------------------------------------------------------------------------- */

extern bool shmcoll_wanted;                    /* the setting */
extern struct shmcoll_waiter *shmcoll_waiters; /* NULL: nobody waits in an area */
bool shmcoll_poll(void);
void shmcoll_comm_ends(struct adi3_comm *c); /* with its communicator */
void shmcoll_forget(struct adi3_comm *c);    /* its memory is lost */
void shmcoll_forget_all(void);

/* ---- boards (board.c) ------------------------------------------------------------------------ */

struct flag_block;
enum { FLAG_BLOCK_LOST = 2 }; /* neither an MPI error nor DEV_AGAIN */
/* NULL: there is none, in no process. Errors as adi3_sched_offload(). */
int flag_block_new(struct adi3_comm *c, int tag, const struct adi3_offload *m,
                   struct flag_block **board);
void flag_block_end(struct flag_block *b);   /* NULL is nothing */
bool flag_block_start(struct flag_block *b); /* false: it is lost */
/* Of what was started: MPI_SUCCESS, take it; DEV_AGAIN, not yet; FLAG_BLOCK_LOST; or an error. */
int flag_block_test(struct flag_block *b);
void flag_block_take(struct flag_block *b);
int flag_block_save_all(void); /* what is shown, before the memory is lost; or MPI_ERR_NO_MEM */

/* ---- threads (thread.c) ---------------------------------------------------------------------- */

enum { ADI3_UNLOCK_BYTES = 1 << 18 }; /* bytes: longer copies are made without the lock */

int thread_init(bool several); /* several may call at once */
void thread_finalize(void);
/* Whether w moves messages for all that wait; else it has slept, and its condition may hold now. */
bool thread_leads(struct adi3_wait *w);
/* Around the leader's sleep, without the lock; false when another one leads since. */
void thread_sleep_begins(struct adi3_wait *w);
bool thread_sleep_ends(struct adi3_wait *w);
/* r is done, or (NULL) a message has come that nobody asked for: wakes those that wait for it. */
void thread_signal(const struct adi3_request *r);
void thread_wake_waiter(struct adi3_wait *w); /* what w waits for is there */
extern unsigned thread_sleepers;              /* whom thread_signal() may have to wake */
extern bool adi3_async;

static inline void thread_signal_waiters(const struct adi3_request *r)
{
    if (__builtin_expect(thread_sleepers != 0, 0))
        thread_signal(r);
}
/* drain.c */
void quiesce_peer_added(struct adi3_proc *p);                 /* p talks for the first time */
bool quiesce_marked(struct adi3_proc *from, uint64_t number); /* false: out of turn */

/* progress.c */
bool progress_poll(void); /* true when anything moved */
void progress_finalize(void);

#endif /* ADI3_IMPL_H */
