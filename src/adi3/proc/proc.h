/* proc.h — processes and devices: the process table, which device reaches which process, and the
 * memory that the processes of a node share.
 *
 * A process is (job, rank). In this process it has a number, by which groups list it: ranks of
 * MPI_COMM_WORLD are the first numbers, and those of a job that is learned of later follow.
 *
 * Uses base, the devices, src/pm/pmi and src/platform; used by the rooms above. In MPICH: MPIDI_VC
 * and business cards; in UCX: an endpoint (ucp_ep) with its lane, and worker addresses. */
#ifndef PROC_H
#define PROC_H

#include <stdatomic.h>
#include "adi3/adi3_proc.h"
#include "adi3/base/base.h"
#include "devices/device.h"
#include "platform/os.h"
#include "pm/pmi/pmi.h"

extern const struct setting proc_settings[];

/* ---- processes and devices (proc.c) ---------------------------------------------------------- */

struct adi3_dev { /* a device in use */
    const struct dev_ops *ops;
    struct dev_limits limits;
    char endpoint[DEV_ENDPOINT_MAX]; /* this process's address, for its peers */
    int place;                       /* index in dev_table: the order of configuration */
    bool has_peers;
    bool narrow; /* processes of other jobs do not get its address: widen() has failed */
};

struct proc_link {           /* of a process with a device: what is rarely used */
    char *host;              /* of a process on another node, from its business card */
    struct adi3_dev *behind; /* the real device, while dev holds packets back; else NULL */
    struct dev_send *held, **held_end; /* the packets held back by a quiesce */
    uint64_t marked;                   /* number of the last quiesce whose marker has come */
    bool ended;                        /* of another job: it has told the end of its job, ... */
    bool left;                         /* ... or that nothing of it follows; ... */
    bool told;                         /* ... this process has told it the same; */
    bool known;                        /* both have a device for each other, and know it */
    size_t granted; /* credit that it has beyond what it began with; of another job */
};

/* Of a process of our job all is 0 until proc_add(): a large job is mostly processes that this one
 * never talks to, and no memory is used for them. proc_job_of(), proc_rank(), proc_node() and
 * proc_local() know them all the same; the fields that these read are 0 until then. */
struct adi3_proc {
    struct dev_peer peer;
    struct adi3_dev *dev; /* the cheapest device that reaches it; NULL until the first message */
    size_t inject_below;  /* dev injects payloads below this; 0 before that, and when lost */
    ptrdiff_t credit;     /* bytes that may be sent to it eagerly before it returns credit */
    int (*inject_plain)(struct dev_peer *to, uint32_t ctx, int32_t rank, int32_t tag,
                        const void *data, size_t len); /* of dev, or by way of its inject() */
    size_t pending_credit;  /* bytes of its eager messages that were received; to be returned */
    struct proc_link *link; /* NULL: it has had no device yet */
    int lost;               /* why it can no longer be reached, a negative errno */
    int node; /* of another job's process: the lowest rank on its node; -1: not looked up yet. See
               * node_table.c for our own job */
};
_Static_assert(sizeof(struct adi3_proc) <= 96, "a process that is only known takes little");

enum { ADI3_MAX_DEVICES = 8 };
extern struct adi3_dev adi3_devs[ADI3_MAX_DEVICES];
extern int adi3_ndevs;
/* The polls of the devices that have one; NULL-ended. */
extern bool (*adi3_polls[ADI3_MAX_DEVICES + 1])(void);
extern struct pmi_job adi3_job;
extern struct adi3_proc *adi3_procs; /* of our job, by rank */
extern bool proc_any_lost;           /* some process is lost */
extern bool proc_may_fail;           /* some process is lost, or a collective call has failed */
extern int proc_reopened;            /* how often the devices have been opened again */

/* Joins node and job and opens devices, which call `up`. threads: several threads may call. */
int proc_init(const struct dev_upcalls *up, bool threads);
int proc_reopen(void); /* closes all devices and opens them again; collective */
void proc_finalize(void);
/* Opens the devices that reach other nodes, and makes the open devices of a job on one node
 * reachable from other nodes. Not collective. A device that fails is left out. */
void proc_open_others(void);
/* Bytes of a business card: DEV_ENDPOINT_MAX for each device, and the rest. */
enum { PROC_BUSINESS_CARD = 2816 };
/* Writes the business card of this process for processes of other jobs. memory: the number of our
 * segment at our share socket. */
void proc_business_card_write(char text[PROC_BUSINESS_CARD], uint64_t memory);
/* What the business card of p says of the memory of its node; false: nothing, or that it is on
 * another node. */
bool proc_memory(const struct adi3_proc *p, uint64_t *share_socket, uint64_t *number);
/* Finds the device of p, before the first message. Errors: MPI_ERR_OTHER when no device reaches
 * it, or when it is lost. */
int proc_add(struct adi3_proc *p);
extern unsigned proc_unreachable; /* how often no device has reached a process */
/* True when p is reached by a device of this node. False also for one that stands around another
 * device, since that has to see all data that goes between processes. */
bool proc_through_memory(struct adi3_proc *p);
void proc_lost(struct adi3_proc *p, int err); /* its device reports that it is lost */
void proc_died(struct adi3_proc *p);          /* it is dead, and its device does not know yet */
const char *proc_title(const struct adi3_proc *p, char text[ADI3_TITLE]); /* see adi3_proc.h */
/* Makes an MPI error of a negative errno, whose text names process, host and device. */
int proc_error(const struct adi3_proc *p, int err);
/* The error of a receive whose sender, or one of whose possible senders, is lost; MPI_SUCCESS when
 * none is. */
int proc_lost_error(const struct adi3_comm *c, int source);

/* The real device of p, while another one in its place holds packets back; else NULL. */
static inline struct adi3_dev *proc_behind(const struct adi3_proc *p)
{
    return p->link ? p->link->behind : NULL;
}

/* The device that reaches p, in either case. */
static inline const struct dev_ops *proc_device(const struct adi3_proc *p)
{
    return proc_behind(p) ? proc_behind(p)->ops : p->dev->ops;
}

static inline struct adi3_proc *proc_of(const struct dev_peer *peer)
{
    return OS_OWNER(peer, struct adi3_proc, peer);
}

/* Whether `from` is the process with this rank in c. */
static inline bool comm_has_sender(const struct adi3_comm *c, int rank, const struct dev_peer *from)
{
    return rank < c->peers && c->proc[rank] == proc_of(from);
}

/* ---- jobs (jobs.c) --------------------------------------------------------------------------- */

enum { PROC_KEY = 32 };

struct proc_job {
    struct dev_job dev; /* its address stands for the job */
    int first;        /* number of the job's process 0; the numbers of the other processes follow */
    const char *name; /* for texts: "job B" */
    unsigned char public_key[PROC_KEY]; /* see connect/keys.c; all zero: it has none */
    /* Why dev.secret is not known to both jobs: then only devices of this node may reach its
     * processes, in memory. NULL: it is known. */
    const char *no_secret;
    /* Returns the business card of a process, as its publisher wrote it, which the caller frees;
     * NULL: not known. */
    char *(*business_card)(const struct proc_job *job, int rank);
    void *business_cards;                              /* for business_card() */
    void (*free_business_cards)(struct proc_job *job); /* NULL: there are none */
    size_t credit; /* bytes that its processes take eagerly from one sender; 0: as many as ours */
    size_t pair;   /* the most between its processes and ours, at both ends: the lesser of both */
    size_t begin_credit; /* ... with how much both ends begin, ... */
    size_t credit_due;   /* ... and how much is returned together */
    bool joining;        /* a thread is about to join its memory on this node */
    int connecting;      /* connects with it that are under way here */
    int leaving;         /* the same of ends of links */
    int *links;          /* of each of its processes: communicators that span it and this process */
    int linked;          /* processes with links */
    int groups;          /* runs of its processes among the members of all groups */
    uint64_t *node_ids;  /* of each of its processes, 0: not looked up yet; see node_id.c */
    bool gone;           /* nothing connects us with it; it is here for the groups */
};
extern struct proc_job proc_own_job; /* number i is rank i */
extern size_t proc_granted;          /* the sum of link->granted of all processes */

/* Learns of a job: its id, size, key, secret, name and where its business cards are; `first` is set
 * here. The same id again gives the job that is there. Later jobs move no process in the table.
 * Errors: MPI_ERR_OTHER when it is known with another size, or when there are no more numbers;
 * MPI_ERR_NO_MEM. */
int proc_job_add(const struct proc_job *learned, struct proc_job **job);
struct proc_job *proc_job_find(uint64_t id); /* NULL: unknown */
int proc_count(void);                        /* numbers are below this */
struct adi3_proc *proc_of_other_job(int number);

/* Learns of a job, of which the caller sets dev, name, key and credit; its business cards are given
 * by proc_business_card_give(). Errors: as proc_job_add(). */
int proc_job_learn(const struct proc_job *known, struct proc_job **job);
/* Something with the job is under way, and no longer: a connect, so that its processes may send, or
 * the end of links. */
void proc_job_connects(const struct proc_job *job, bool is);
void proc_job_leaves(const struct proc_job *job, bool is);
/* A communicator spans this process and p, of another job; and no longer. p may send while it has
 * links. When a job has no link, and nothing with it is under way, it is gone: its memory on this
 * node is left, and its business cards are freed. */
void proc_link_add(struct adi3_proc *p);
void proc_link_drop(struct adi3_proc *p);
int proc_links(const struct adi3_proc *p);
/* Whether p may send to this process: it is of our job, linked, or of a job that a connect is under
 * way with. */
bool proc_may_send(const struct adi3_proc *p);
/* Both have told each other that nothing follows, or p is lost: all is forgotten that this process
 * has for it. */
void proc_forget(struct adi3_proc *p);
/* A group has a run of members of the job, and no longer: so long its processes keep their
 * numbers. */
void proc_job_in_group(const struct proc_job *job, bool is);
/* Gives the business card of a process, unless there is one. Errors: MPI_ERR_OTHER when it is of
 * another process; MPI_ERR_NO_MEM. */
int proc_business_card_give(const struct adi3_proc *p, const char *text);
const char *proc_job_name(const struct proc_job *job); /* as the processes of other jobs call it */

/* The process with this number. */
static inline struct adi3_proc *proc_at(int number)
{
    return number < adi3_job.size ? &adi3_procs[number] : proc_of_other_job(number);
}

/* Of a process that has a device: what every message may ask. */
static inline const struct proc_job *proc_job_of_peer(const struct dev_peer *peer)
{
    return OS_OWNER(peer->job, const struct proc_job, dev);
}

static inline const struct proc_job *proc_job_of(const struct adi3_proc *p)
{
    return p->peer.job ? proc_job_of_peer(&p->peer) : &proc_own_job;
}

static inline int proc_rank(const struct adi3_proc *p) /* in its job */
{
    return p->peer.job ? p->peer.rank : (int) (p - adi3_procs);
}

static inline int proc_number(const struct adi3_proc *p)
{
    return proc_job_of(p)->first + proc_rank(p);
}

/* The job of the process with this number. */
static inline const struct proc_job *proc_job_of_number(int number)
{
    return number < adi3_job.size ? &proc_own_job : proc_job_of(proc_of_other_job(number));
}

/* ---- the node's segment (node.c) ------------------------------------------------------------- */

enum node_state { NODE_RUNS, NODE_SLEEPS, NODE_ENDS };
enum { NODE_NAME = 64 };

struct node_slot {                      /* of one process, in the node's segment */
    OS_ALIGNED _Atomic uint32_t asleep; /* enum dev_sleep; read by each sender to this process */
    _Atomic int32_t cpu;                /* the core where it waited last */
    OS_ALIGNED _Atomic uint32_t state;  /* enum node_state; begins the control line */
    int32_t on;                         /* rank in MPI_COMM_WORLD waited for, MPI_ANY_SOURCE, or
                                         * MPI_UNDEFINED: a process of another job */
    uint64_t since;                     /* ns, when this wait began */
    char call[48];                      /* the MPI call */
    char what[32];                      /* what it waits for, described */
    OS_ALIGNED int32_t rank;            /* in its job */
    int32_t pid;                        /* in this namespace: */
    uint64_t pid_namespace;             /* 0: not known */
    struct {
        uint64_t name, word;
    } wake;              /* of the wake-up socket: random, and unknown to other users */
    struct os_cpus cpus; /* the cores it was bound to when it joined */
    char endpoint[ADI3_MAX_DEVICES][DEV_ENDPOINT_MAX];
};

extern struct dev_node adi3_node;

struct node_slot *node_slot(int index); /* in our own segment */
struct node_slot *node_slot_in(const struct dev_node *n, int index);
int node_rank(int index); /* of the process of our job with this index */
int node_local(int rank); /* its index; -1: the process of our job with this rank is not here */
/* The process with this index in our segment, which may be a guest; NULL: not known. */
struct adi3_proc *node_proc(int index);
/* The segments that this process is in: &adi3_node, then those of other jobs, then NULL. */
const struct dev_node *node_next(const struct dev_node *n);
const struct proc_job *node_job(const struct dev_node *n); /* whose segment it is */
/* How many processes of a segment this process should ask alive() about, twice a second: those from
 * index *first on, and behind the last one from 0. All of them after node_found_dead(). */
int node_turn(const struct dev_node *n, int *first);
void node_found_dead(const struct dev_node *n);
void node_wake_name(char name[NODE_NAME], const struct dev_node *n, int index); /* of its socket */
/* The launcher's barrier, or our own in its place; meanwhile passes the segment to others. */
int node_barrier(void);
/* The same in parts, for a process that makes progress between them, in a job that is no
 * singleton. */
int node_barrier_start(void);
int node_barrier_look(int ms, bool *over); /* waits at most so long; -1: no limit */
int node_barrier_finish(void);             /* when it is over */
/* Takes a block of the segment: its offset, 0 without room. len is a power of two, 4096 at
 * least. The bytes need not be zero. A released block is reused for blocks of that length, never
 * by devices. */
size_t node_block_take(size_t len);
void node_block_release(size_t offset, size_t len);
size_t node_block_room(void);       /* bytes that may become new blocks */
_Atomic uint64_t *node_world(void); /* for the room shmcoll; 0 when devices are opened (again) */
int node_lock(void);                /* of processes of the job here; 0, or a negative errno */
void node_unlock(void);
/* For the barriers of MPI_Finalize. */
struct node_leaving {
    _Atomic uint32_t come;  /* counts the processes of this node that have come to the barriers */
    _Atomic uint32_t facts; /* brought to the barrier under way: a bit for each fact, ... */
    _Atomic uint64_t sum;   /* ... and the sum of the numbers */
    uint64_t all_sum;       /* the result of the last barrier that is over: of all nodes ... */
    uint32_t all_facts;
    _Atomic uint32_t over; /* ... and how many barriers are over */
};
struct node_leaving *node_leaving(void);

/* The segment that this process shares with p, and the index of p there; NULL and -1: p is on
 * another node, or shares none. */
static inline const struct dev_node *proc_node(const struct adi3_proc *p)
{
    return p->peer.job ? p->peer.node : node_local(proc_rank(p)) < 0 ? NULL : &adi3_node;
}

static inline int proc_local(const struct adi3_proc *p)
{
    return p->peer.job ? p->peer.local : node_local(proc_rank(p));
}

/* ---- other jobs on this node
 * ------------------------------------------------------------------ */

/* Exposes our segment at our share socket: sets the number. 0, or a negative errno. */
int node_expose(uint64_t *number);
/* Joins the segment of another job on this node as a guest: fd is of that segment, and taken over.
 * From then on its processes that have no device yet are reached through shared memory. It has not
 * been joined yet: the end of a second descriptor would be the end of locks.
 * Errors: MPI_ERR_OTHER, MPI_ERR_NO_MEM. */
int neighbor_join(const struct proc_job *job, int fd);
bool neighbor_known(const struct proc_job *job); /* it has been joined */
/* Leaves it. No process of the job has a device in this process any more. */
void neighbor_leave(const struct proc_job *job);
/* Whether the jobs of these processes of a communicator, which all share memory, have more
 * processes here than cores: the same in all of them, whatever other jobs each of them knows.
 * ranks: n of them; NULL: 0 to n - 1. */
bool node_crowded(const struct adi3_comm *c, const int *ranks, int n);

/* ---- passing on shared memory (share_socket.c) ----------------------------------------------- */

/* Exposes a descriptor, which stays the caller's, to processes of this user that know the name of
 * this process's share socket and the number, which is set here. Returns 0 or a negative errno. */
int share_socket_add(int fd, uint64_t *number);
void share_socket_remove(uint64_t number); /* it is closed when nothing is exposed any more */
uint64_t share_socket_name(void);          /* 0: nothing has been exposed yet */
bool share_socket_poll(void); /* answers the processes that have asked; true when anything moved */
int share_socket_fd(void);    /* readable when share_socket_poll() has work; -1: there is none */
/* Asks at the share socket of another process for what has this number. Returns a socket, from
 * which share_socket_receive() takes the answer, or a negative errno: -ECONNREFUSED when no process
 * of this node has such a share socket, -EAGAIN when it should be tried again. */
int share_socket_request(uint64_t share_socket, uint64_t number);
/* The descriptor; or -EAGAIN: not yet; or another negative errno: there will be none. Closes the
 * socket unless it is -EAGAIN. */
int share_socket_receive(int socket);

/* ---- memory that some processes of the node share (share.c)
 * ----------------------------------- */

struct node_share {
    void *at;
    size_t len;      /* bytes */
    uint64_t number; /* at the maker's share socket; 0 in the others */
    int fd;
    int promised; /* pages are taken when they are used: in the maker its row of promise.c, in
                   * others NODE_PROMISED; 0: they are reserved */
};
enum { NODE_PROMISED = -1 };

/* Whether neither the cgroup of this process nor the machine would come to its end with len bytes
 * more, beside what windows have been promised: shared memory is not given back when it runs short.
 * Errors: MPI_ERR_NO_MEM. */
int node_room(size_t len);
/* Makes len bytes of zeros, of which `used` bytes will be used: so many are accounted for here. The
 * first `now` bytes are reserved; the others must be by node_share_reserve() before they are used.
 * Others open it by os_open_of(), or ask for it at the share socket. Errors: MPI_ERR_NO_MEM,
 * MPI_ERR_OTHER. */
int node_share_create(size_t len, size_t used, size_t now, struct node_share *s);
/* The same, but no more is reserved: node_share_reserve() only looks whether there is room. When
 * `promised` is 0 then, all is as above: see promise_enter(). */
int node_share_promise(size_t len, size_t used, size_t now, struct node_share *s);
/* Exposes the memory at the share socket of this process until node_share_drop() or
 * node_share_withdraw(). Other processes get share_socket_name(), number and len by a message.
 * Errors: MPI_ERR_OTHER, MPI_ERR_NO_MEM. */
int node_share_expose(struct node_share *s);
/* Takes the pages of a part, near the core of this process. Errors: as above. */
int node_share_reserve(const struct node_share *s, size_t at, size_t len);
/* Ends node_share_expose(): no other process is going to map the memory. */
void node_share_withdraw(struct node_share *s);
void node_share_close(struct node_share *s); /* the same, and no more is reserved: keeps no fd */
/* Maps what share_socket_receive() or os_open_of() gave; takes over the descriptor, also on error.
 * Nothing is mapped whose length is another, or which its maker could make shorter.
 * Errors: MPI_ERR_OTHER, MPI_ERR_NO_MEM. */
int node_share_map(int fd, size_t len, struct node_share *s);
/* Maps it anew, here alone, at a multiple of align: a power of two. Errors: MPI_ERR_NO_MEM. */
int node_share_align(struct node_share *s, size_t align);
void node_share_drop(struct node_share *s); /* the memory is freed with the last one's */

#endif /* PROC_H */
