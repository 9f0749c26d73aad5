/* proc.h — processes and devices: the process table, which device reaches which process, and the
 * memory that the processes of a node share. For the other rooms of ADI3. */
#ifndef PROC_H
#define PROC_H

#include <stdatomic.h>
#include "adi3_proc.h"
#include "base.h"
#include "device.h"
#include "os.h"
#include "pmi.h"

extern const struct setting proc_settings[];

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
    size_t pending_credit;   /* bytes of its eager messages that are taken and not yet returned */
    int lost;                /* why it can no longer be reached, a negative errno */
    char *host;              /* of a process elsewhere, when it has said it; NULL until they talk */
    struct adi3_dev *behind; /* dev itself, while another in its place holds back; else NULL */
    struct dev_send *held, **held_end; /* what it holds back */
    uint64_t marked;                   /* the last quiesce whose marker has come from it */
    int node; /* of a process elsewhere: the lowest rank there; -1 until it is asked for */
};

enum { ADI3_MAX_DEVICES = 8 };
extern struct adi3_dev adi3_devs[ADI3_MAX_DEVICES];
extern int adi3_ndevs;
extern bool (*adi3_polls[ADI3_MAX_DEVICES + 1])(
    void); /* of the devices that have one; NULL-ended */
extern struct pmi_job adi3_job;
extern struct adi3_proc *adi3_procs; /* by rank in MPI_COMM_WORLD */
extern bool proc_any_lost;           /* some process is lost */
extern bool proc_may_fail;           /* some process is lost, or a collective call has failed */
extern int proc_reopened;            /* how often the devices were opened anew */

/* Joins node and job, opens devices, which call `up`. threads: several threads may call. */
int proc_init(const struct dev_upcalls *up, bool threads);
int proc_reopen(void); /* closes all devices and opens them again, in all processes together */
void proc_finalize(void);
int proc_add(struct adi3_proc *p); /* finds its device; an MPI error when there is none */
void proc_lost(struct adi3_proc *p, int err); /* its device says so */
void proc_died(struct adi3_proc *p);          /* its device does not know yet */
/* An MPI error code from a negative errno, with the process, its host and its device in words. */
int proc_error(const struct adi3_proc *p, int err);
/* The error of a receive whose sender, or one of whose possible senders, is lost. */
int proc_lost_error(const struct adi3_comm *c, int source);

/* The device that reaches p, also while another stands in its place. */
static inline const struct dev_ops *proc_device(const struct adi3_proc *p)
{
    return p->behind ? p->behind->ops : p->dev->ops;
}

static inline struct adi3_proc *proc_of(const struct dev_peer *peer)
{
    return OS_OWNER(peer, struct adi3_proc, peer);
}

static inline bool comm_has_sender(const struct adi3_comm *c, int rank, const struct dev_peer *from)
{
    return rank < c->peers && c->proc[rank] == proc_of(from);
}

/* ---- the node's segment (node.c) ------------------------------------------------------------- */

enum node_state { NODE_RUNS, NODE_SLEEPS, NODE_ENDS };
enum { NODE_NAME = 64 };

struct node_slot {                      /* of one process, in the node's segment */
    OS_ALIGNED _Atomic uint32_t asleep; /* enum dev_sleep; read by each sender to this process */
    _Atomic int32_t cpu;                /* the core where it waited last */
    OS_ALIGNED _Atomic uint32_t state;  /* the control line: enum node_state, ... */
    int32_t on;                         /* rank in MPI_COMM_WORLD waited for, or MPI_ANY_SOURCE */
    uint64_t since;                     /* ns, when this wait began */
    char call[48];                      /* the MPI call */
    char what[32];                      /* what it waits for, in words */
    OS_ALIGNED int32_t world_rank;
    struct {
        uint64_t name, word;
    } wake;              /* of the wake-up socket: random, and unknown to other users */
    struct os_cpus cpus; /* what the process was bound to when it came */
    char endpoint[ADI3_MAX_DEVICES][DEV_ENDPOINT_MAX];
};

extern struct dev_node adi3_node;

struct node_slot *node_slot(int index);
void node_wake_name(char name[NODE_NAME], int index); /* of its wake-up socket */
int node_barrier(void); /* PMI's; the maker of the segment hands it out meanwhile */
/* A block of the segment, not all zero, of a power of two of at least 4096 bytes: its offset, or 0.
 * A block that was released serves the next one of that length, and never devices. */
size_t node_block_take(size_t len);
void node_block_release(size_t offset, size_t len);

#endif /* PROC_H */
