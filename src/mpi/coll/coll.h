/* coll.h — the state of one collective operation, and the steps that algorithms are made of.
 *
 * An algorithm is a function of one struct coll. It works only through the steps below: send,
 * receive, copy, combine. Which steps it takes depends on ranks, counts and types, never on data
 * or on arrival times, so results are reproducible.
 *
 * A blocking call takes steps at once. A nonblocking or persistent call puts them in a schedule
 * instead. Therefore an algorithm must not look at data between steps, and may read the user's
 * arrays only while it makes steps.
 *
 * Steps return nothing. The first error is saved and the pattern of messages goes on, so that
 * the other processes do not wait for ever. */
#ifndef COLL_H
#define COLL_H

#include "mpi/mpir.h"
#include "platform/counter.h"
#include "platform/setting.h"

enum coll_kind {
    COLL_BARRIER = 1,
    COLL_BCAST,
    COLL_REDUCE,
    COLL_ALLREDUCE,
    COLL_GATHER,
    COLL_GATHERV,
    COLL_SCATTER,
    COLL_SCATTERV,
    COLL_ALLGATHER,
    COLL_ALLGATHERV,
    COLL_ALLTOALL,
    COLL_ALLTOALLV,
    COLL_ALLTOALLW,
    COLL_REDUCE_SCATTER,
    COLL_REDUCE_SCATTER_BLOCK,
    COLL_SCAN,
    COLL_EXSCAN,
    COLL_NEIGHBOR_ALLGATHER,
    COLL_NEIGHBOR_ALLGATHERV,
    COLL_NEIGHBOR_ALLTOALL,
    COLL_NEIGHBOR_ALLTOALLV,
    COLL_NEIGHBOR_ALLTOALLW,
    COLL_FILE,      /* the phases of a collective access to a file, on its communicator */
    COLL_WIN_FENCE, /* the barrier of MPI_Win_fence, on the communicator of a window */
};

/* The most steps that are started and not yet waited for; and bytes of scratch memory without
 * malloc. */
enum { COLL_PENDING = 32, COLL_SMALL = 1024 };

struct coll_operation;

/* The arguments of a call, as the user gave them. Arguments that the operation does not have are
 * 0. */
struct coll_args {
    MPI_Comm comm;
    const void *sendbuf;
    void *recvbuf; /* also the buffer of MPI_Bcast */
    MPI_Count sendcount, recvcount;
    MPI_Datatype sendtype, recvtype; /* recvtype, recvcount: also the only type and count */
    struct mpir_counts sendcounts, sdispls, recvcounts, rdispls;
    const MPI_Datatype *sendtypes, *recvtypes; /* of a w-operation */
    MPI_Op op;
    int root;
};

/* A subgroup: some processes of a communicator, for a phase of an operation. Member i is rank
 * ranks[i]; but member `replaced` is rank `replacement`, so that a root can replace the leader
 * of its node. replaced is -1 when no member is. */
struct coll_subgroup {
    const int *ranks;
    int size, me, replaced, replacement; /* me: our member number */
    bool on_node;                        /* it has all processes of our node, and no others */
};

struct coll {                /* one collective operation under way */
    struct adi3_comm *comm;  /* of messages */
    struct adi3_comm *other; /* of two groups: that of our group alone; see coll_switch_comm() */
    const struct coll_subgroup *subgroup; /* the processes of this phase; NULL: all */
    int rank, size, tag, other_tag;       /* rank and root are members of the subgroup */
    struct adi3_sched *sched;             /* of steps; NULL: they are taken at once */
    const struct coll_args *args;         /* NULL: not a call of the user */

    /* The resolved arguments. With MPI_IN_PLACE, send or receive data is set to a part of the
     * other, so that algorithms need not know. */
    int root;
    struct adi3_data send, recv; /* count: of one block; 0 for an array of a v-operation */
    struct mpir_counts sendcounts, sdispls, recvcounts, rdispls; /* of a v-operation */
    /* Of a w-operation: a type for each block; displs count bytes. */
    struct adi3_type *const *sendtypes, *const *recvtypes;
    int sends, recvs; /* blocks in the arrays: one for each process, or each edge of a topology */
    struct adi3_op *op;
    bool in_place; /* MPI_Alltoall(v,w): blocks to send are in recvbuf */

    /* The state of the steps. */
    int err;           /* the first error */
    bool stopped;      /* without memory: steps do nothing any more */
    unsigned unfenced; /* steps in the schedule since its last fence */
    MPI_Request pending[COLL_PENDING];
    MPI_Request *many;            /* instead of pending; see coll_widen() */
    unsigned room;                /* entries of pending or many */
    unsigned started, finished;   /* finished..started - 1, modulo room, are under way */
    struct coll_scratch *scratch; /* memory that did not fit in small */
    size_t used;                  /* bytes of small */
    _Alignas(16) char small[COLL_SMALL];
};

/* A row of an operation's table; the last row has no name. */
struct coll_algorithm {
    const char *name; /* the value of STARLING_<OPERATION>_ALGORITHM */
    void (*run)(struct coll *x);
    bool (*fits)(const struct coll *x); /* NULL: it can do every call */
};

/* A row that a device or another library adds, for calls on intracommunicators. */
struct coll_registration {
    struct coll_algorithm row;
    bool (*best)(const struct coll *x); /* take it now? NULL: only when forced */
    struct coll_registration *next;     /* set by coll_register() */
};

struct coll_operation {
    enum coll_kind kind;
    /* Checks a call's arguments and sets x's. Communicator, rank and size of x are set already. */
    int (*resolve)(struct coll *x, const struct coll_args *a);
    const struct coll_algorithm *table;
    const struct coll_algorithm *(*choose)(const struct coll *x);
    /* Describes a small persistent operation for a flag block in shared memory (see
     * doc/collectives.md). Returns false when this call cannot be started there. NULL: no call
     * can. */
    bool (*offload)(const struct coll *x, struct adi3_offload *m);
    struct coll_registration *registered; /* the newest first */
    void (*inter)(struct coll *x);        /* between two groups; NULL: not for these */
    const char *word;                     /* the value of the setting */
    const struct coll_algorithm *forced;  /* the row that the setting names; NULL for "auto" */
};

/* The operations, each defined in the file of the MPI function. */
extern struct coll_operation coll_barrier, coll_bcast, coll_reduce, coll_allreduce, coll_gather,
    coll_gatherv, coll_scatter, coll_scatterv, coll_allgather, coll_allgatherv, coll_alltoall,
    coll_alltoallv, coll_alltoallw, coll_reduce_scatter, coll_reduce_scatter_block, coll_scan,
    coll_exscan, coll_neighbor_allgather, coll_neighbor_allgatherv, coll_neighbor_alltoall,
    coll_neighbor_alltoallv, coll_neighbor_alltoallw, coll_win_fence;

/* ---- settings and counters (coll_settings.c, counters.c) ------------------------------------- */

extern const struct setting mpir_coll_settings[]; /* ended by a NULL name */
extern const struct counter mpir_coll_counters[]; /* likewise */

/* Applies the settings, once they are loaded. A name that no algorithm has is reported as one
 * line to complain, and the operation then chooses by itself. */
void mpir_coll_init(void (*complain)(const char *line));

/* Adds an algorithm to an operation. To be called before MPI is initialized, in all processes
 * alike. The row needs a name of its own and must stay in memory. Before an operation chooses
 * from its table, added rows are asked, the newest first. */
void coll_register(struct coll_operation *o, struct coll_registration *row);

/* ---- a whole operation (coll.c) -------------------------------------------------------------- */

/* A user's call in its three forms: each resolves communicator and arguments, and returns
 * MPI_SUCCESS or an error. coll_call returns when the operation is complete in this process.
 * coll_begin_call starts it. coll_init_call makes a request that starts it at each MPI_Start. */
int coll_call(struct mpir_call *call, const struct coll_operation *o, const struct coll_args *a);
int coll_begin_call(struct mpir_call *call, const struct coll_operation *o,
                    const struct coll_args *a, MPI_Request *request);
int coll_init_call(struct mpir_call *call, const struct coll_operation *o,
                   const struct coll_args *a, MPI_Info info, MPI_Request *request);

/* Lets a persistent request start in a flag block instead of its schedule, in all processes
 * alike, where that is faster (offload.c). Errors: as adi3_sched_offload(). */
int coll_offload(const struct coll_operation *o, struct coll *x);

/* Functions for coll_operation.offload: reductions whose result is for the root, or for all. */
bool coll_offload_reduce(const struct coll *x, struct adi3_offload *m);
bool coll_offload_allreduce(const struct coll *x, struct adi3_offload *m);

/* Gives an operation in one of its forms its number and signature, and compares them with those
 * of other processes (signature.c). Returns the tag of its messages. */
int coll_sign(const struct coll_operation *o, struct coll *x, int form);
void coll_describe_init(void); /* at start (describe.c) */

/* The same without a user's call: coll_begin fills all of x but the arguments, which are 0; ... */
void coll_begin(struct coll *x, struct adi3_comm *c);
/* ... coll_run does the operation; returns MPI_SUCCESS or the first error. */
int coll_run(const struct coll_operation *o, struct coll *x);
/* The algorithm that a setting forces, that has been added, or that is best. */
const struct coll_algorithm *coll_choose(const struct coll_operation *o, const struct coll *x);

/* Between two groups: does another operation within our own group, in the middle of this one.
 * All processes of the group must do so. x's arguments, with a root of our group, are already
 * set for it. */
void coll_run_in_group(struct coll *x, const struct coll_operation *o);
/* Between two groups: messages go within our group from now on; after the next call, between the
 * groups again. */
void coll_switch_comm(struct coll *x);

/* A phase of x in a subgroup: does an operation there to its end, with the best algorithm. root
 * is a member number; x's arguments are already set for it. */
void coll_phase(struct coll *x, const struct coll_subgroup *t, int root,
                const struct coll_operation *o);

/* ---- shared memory (segment.c) --------------------------------------------------------------- */

/* The segment of the processes of this call or phase; NULL: there is none. */
struct adi3_shmcoll *coll_find_shmcoll(const struct coll *x);
/* This process has an error when a phase begins, or a part of an operation of two groups that is
 * within its group: the other processes there must not take what it publishes for a result. */
void coll_fail_phase(const struct coll *x);

extern bool coll_reproducible; /* the setting REPRODUCIBLE (nodes.c) */

/* May the choice of an algorithm depend on which processes share a node? For a reduction it
 * decides on the order of operands, and so on the last bits of the result. */
static inline bool coll_by_placement(const struct coll *x) { return !coll_reproducible || !x->op; }

/* Do more than four processes share a node with too few cores, so that waiting for a core takes
 * longer than a message? The answer is the same in all processes, so they choose the same
 * algorithm. */
static inline bool coll_oversubscribed(const struct coll *x)
{
    return x->comm->oversubscribed && x->size > 4 && coll_by_placement(x);
}

/* The rank of a member of the subgroup. */
static inline int coll_rank_of(const struct coll *x, int member)
{
    const struct coll_subgroup *t = x->subgroup;

    if (__builtin_expect(!t, 1))
        return member;
    return member == t->replaced ? t->replacement : t->ranks[member];
}

/* ---- steps (steps.c) ------------------------------------------------------------------------- */

void coll_send(struct coll *x, struct adi3_data d, int dest);
void coll_recv(struct coll *x, struct adi3_data d, int source);
/* Sends and receives at the same time. */
void coll_exchange(struct coll *x, struct adi3_data out, int dest, struct adi3_data in, int source);

/* Starts a send or a receive. When COLL_PENDING steps are under way, waits for the oldest. */
void coll_start_send(struct coll *x, struct adi3_data d, int dest);
void coll_start_recv(struct coll *x, struct adi3_data d, int source);
/* Lets n steps be under way, for algorithms that could deadlock with fewer. To be called before
 * the first. */
void coll_widen(struct coll *x, unsigned n);
void coll_finish(struct coll *x); /* waits for all that was started */

/* Copies data within this process. A side that is coll_packed() is packed or unpacked. Does
 * nothing when both sides are the same memory. */
void coll_copy(struct coll *x, struct adi3_data from, struct adi3_data to);

/* Any other work of the processor, without messages: run(arg, err), where err is the first error so
 * far. What it returns is an error of this step. In a schedule arg lives as long as that, and run()
 * is called in any case. */
void coll_work(struct coll *x, int (*run)(void *arg, int err), void *arg);
/* Any other request: start(arg, request) starts it. Only in a schedule; later steps wait for it. */
void coll_request(struct coll *x, int (*start)(void *arg, MPI_Request *request), void *arg);

/* inout = in op inout, for count elements of the receive type. */
void coll_apply(struct coll *x, const void *in, void *inout, size_t count);

/* ---- errors (coll_error.c) ------------------------------------------------------------------- */

/* Saves the first error. When a process is lost the other processes learn of it before they get any
 * further message of this operation, whose data would be incomplete: so none takes it for a
 * result. */
void coll_first_error(struct coll *x, int err);
static inline void coll_error(struct coll *x, int err)
{
    if (__builtin_expect(err, 0) && !x->err)
        coll_first_error(x, err);
}

/* ---- scratch memory (scratch.c) -------------------------------------------------------------- */

/* Memory that is freed when the operation ends, aligned to 16 bytes. Without memory the
 * operation fails and takes no more steps: the result need not be checked before it is passed to
 * steps. */
void *coll_bytes(struct coll *x, size_t len);

/* Memory for count elements of a type. Returns the address to use as a buffer, whatever the
 * type's lower bound. */
void *coll_elements(struct coll *x, size_t count, const struct adi3_type *t);

void coll_free_scratch(struct coll *x);

/* ---- where data is --------------------------------------------------------------------------- */

static inline void *coll_offset(const void *base, MPI_Aint bytes)
{
    return (void *) ((uintptr_t) base + (uintptr_t) bytes); /* base may be MPI_BOTTOM */
}

/* count elements of a buffer, from element `first` on */
static inline struct adi3_data coll_range(const void *buf, size_t first, size_t count,
                                          struct adi3_type *t)
{
    return (struct adi3_data) { coll_offset(buf, (MPI_Aint) first * t->extent), count, t };
}

/* Block i of blocks of one size. */
static inline struct adi3_data coll_block(const struct adi3_data *d, int i)
{
    return coll_range(d->buf, (size_t) i * d->count, d->count, d->type);
}

/* count elements, offset bytes behind buf */
static inline struct adi3_data coll_typed(const void *buf, MPI_Aint offset, MPI_Count count,
                                          struct adi3_type *t)
{
    return (struct adi3_data) { coll_offset(buf, offset), (size_t) count, t };
}

/* Block i of a v-operation, whose counts and displacements are both ints or both wide. */
static inline struct adi3_data coll_placed(const struct adi3_data *d,
                                           const struct mpir_counts *counts,
                                           const struct mpir_counts *displs, int i)
{
    MPI_Aint at = (counts->ints ? displs->ints[i] : displs->wide[i]) * d->type->extent;

    return (struct adi3_data) { coll_offset(d->buf, at), (size_t) mpir_count(counts, i), d->type };
}

/* Block i: of one size, or of a v- or w-operation. */
static inline struct adi3_data coll_recv_block(const struct coll *x, int i)
{
    if (!mpir_given(&x->recvcounts))
        return coll_block(&x->recv, i);
    if (x->recvtypes)
        return coll_typed(x->recv.buf, mpir_count(&x->rdispls, i), mpir_count(&x->recvcounts, i),
                          x->recvtypes[i]);
    return coll_placed(&x->recv, &x->recvcounts, &x->rdispls, i);
}

static inline struct adi3_data coll_send_block(const struct coll *x, int i)
{
    if (!mpir_given(&x->sendcounts))
        return coll_block(&x->send, i);
    if (x->sendtypes)
        return coll_typed(x->send.buf, mpir_count(&x->sdispls, i), mpir_count(&x->sendcounts, i),
                          x->sendtypes[i]);
    return coll_placed(&x->send, &x->sendcounts, &x->sdispls, i);
}

static inline size_t coll_size(struct adi3_data d) { return d.count * d.type->size; }

/* len packed bytes */
static inline struct adi3_data coll_packed(const void *buf, size_t len)
{
    return (struct adi3_data) { (void *) buf, len, adi3_type_builtin(MPI_BYTE) };
}

/* The largest power of two that is not above n, for n > 0. */
static inline int coll_power(int n)
{
    int p = 1;

    while (p <= n / 2)
        p *= 2;
    return p;
}

/* For tables (fits): the number of processes is a power of two. */
static inline bool coll_power_of_two(const struct coll *x)
{
    return coll_power(x->size) == x->size;
}

/* For tables: recv has at least as many elements as processes. */
static inline bool coll_has_blocks(const struct coll *x)
{
    return x->recv.count >= (size_t) x->size;
}

/* ---- arguments (coll_args.c) ----------------------------------------------------------------- */

/* The roles in an operation with a root. Between two groups the processes beside the root are
 * idle: they send and receive nothing, and their other arguments are not looked at (§5.2.3). */
static inline bool coll_is_root(const struct coll *x)
{
    return x->root == (x->comm->remote ? MPI_ROOT : x->rank);
}

static inline bool coll_is_idle(const struct coll *x)
{
    return x->comm->remote && x->root == MPI_PROC_NULL;
}

/* Check one side of a v-operation and set x's. displs: the name of the displacements, for
 * errors. */
int coll_send_blocks_arg(struct coll *x, const struct coll_args *a, const char *displs);
int coll_recv_blocks_arg(struct coll *x, const struct coll_args *a, const char *displs);
/* Likewise of a w-operation. */
int coll_send_typed_arg(struct coll *x, const struct coll_args *a);
int coll_recv_typed_arg(struct coll *x, const struct coll_args *a);

/* MPI_ERR_BUFFER when both begin in the same byte: that is allowed with MPI_IN_PLACE only
 * (§5.2.1). */
int coll_no_alias_arg(struct adi3_data send, struct adi3_data recv);

/* The send data of a gathering operation, when x->recv is set. own: our block of the receive
 * data, which MPI_IN_PLACE stands for; NULL where MPI_IN_PLACE is not allowed. */
int coll_send_arg(struct coll *x, const struct coll_args *a, const struct adi3_data *own);

/* Likewise the receive data of a scattering operation, when x->send is set. */
int coll_recv_arg(struct coll *x, const struct coll_args *a, const struct adi3_data *own);

/* Checks both buffers of a reduction. The send buffer may be MPI_IN_PLACE. */
int coll_operands_arg(struct coll *x, const struct coll_args *a);

/* Checks the operation, which must take the receive type. */
int coll_op_arg(struct coll *x, MPI_Op h);

/* Checks all arguments of a reduction without a root. */
int coll_reduction_arg(struct coll *x, const struct coll_args *a);

#endif /* COLL_H */
