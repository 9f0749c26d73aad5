/* coll.h — collective operations: one under way, and the steps that algorithms are made of.
 *
 * An algorithm is a function of one struct coll, and does its work through the steps below alone.
 * Which steps it takes depends on ranks, counts and types, never on data or arrival, so that
 * results are reproducible. For a blocking call steps are done at once; for a nonblocking or
 * persistent one they are kept in a schedule, so that an algorithm must look at no data between
 * them, and at the user's arrays only while it makes steps. Steps return nothing: the first error
 * is kept and the pattern of messages goes on, so that the other processes are not left hanging. */
#ifndef COLL_H
#define COLL_H

#include "mpir.h"
#include "setting.h"

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
};

/* Steps started and not yet waited for, at most; and scratch bytes that need no malloc. */
enum { COLL_PENDING = 32, COLL_SMALL = 1024 };

struct coll_operation;

/* The arguments of a call, as the user gave them; 0 what the operation has not. */
struct coll_args {
    MPI_Comm comm;
    const void *sendbuf;
    void *recvbuf; /* also MPI_Bcast's */
    int sendcount, recvcount;
    MPI_Datatype sendtype, recvtype; /* the one type of an operation is recvtype, its count too */
    const int *sendcounts, *sdispls, *recvcounts, *rdispls;
    const MPI_Datatype *sendtypes, *recvtypes; /* of a w-operation */
    const MPI_Aint *soffsets, *roffsets;       /* instead of displs, where those are MPI_Aint */
    MPI_Op op;
    int root;
};

/* Some processes of a communicator, for a phase of an operation: member i has rank ranks[i], but
 * the one numbered special has rank instead. */
struct coll_subgroup {
    const int *ranks;
    int size, me, replaced, replacement; /* me: our number */
};

struct coll {                /* one collective operation under way */
    struct adi3_comm *comm;  /* where messages go, and ... */
    struct adi3_comm *other; /* between two groups, where within ours: see coll_switch_comm() */
    const struct coll_subgroup *subgroup; /* who takes part in this phase; NULL: all */
    int rank, size, tag, other_tag;       /* rank and root are places in the subgroup */
    struct adi3_sched *sched;             /* where steps are kept; NULL: they are done at once */
    const struct coll_args *args;         /* NULL: no call of the user's */

    /* The arguments. Where MPI_IN_PLACE was given, send or receive data is a part of the other, so
     * that algorithms need not know. */
    int root;
    struct adi3_data send, recv; /* count: of one block; of a v-operation's array: 0 */
    const int *sendcounts, *sdispls, *recvcounts, *rdispls; /* blocks of the v-operations */
    /* Of the w-operations: a type for each block, displs or offsets bytes behind buf. */
    const MPI_Datatype *sendtypes, *recvtypes;
    const MPI_Aint *soffsets, *roffsets; /* instead of displs; else NULL */
    int sends, recvs; /* blocks in arrays: one for each process, or each edge of a topology */
    struct adi3_op *op;
    bool in_place; /* MPI_Alltoall(v): blocks are taken from where they will be replaced */

    /* The steps' own. */
    int err;           /* the first */
    bool stopped;      /* there is no memory: steps do nothing any more */
    unsigned unfenced; /* steps of a schedule that were started since all were waited for */
    MPI_Request pending[COLL_PENDING];
    MPI_Request *many;          /* instead of pending, if more may be under way; see coll_widen() */
    unsigned room;              /* of one of them */
    unsigned started, finished; /* pending ones are finished..started - 1, modulo room */
    struct coll_scratch *scratch; /* scratch memory that did not fit small */
    size_t used;                  /* of small */
    _Alignas(16) char small[COLL_SMALL];
};

/* A row in an operation's table; the last has no name. */
struct coll_algorithm {
    const char *name; /* the word in STARLING_<OPERATION>_ALGORITHM= */
    void (*run)(struct coll *x);
    bool (*fits)(const struct coll *x); /* can it do this call at all? NULL: always */
};

/* A row of somebody else's, for the processes of an intracommunicator: a device's, or another
 * library's. */
struct coll_registration {
    struct coll_algorithm row;
    bool (*best)(
        const struct coll *x);      /* is it to be taken, where it fits? NULL: only by its word */
    struct coll_registration *next; /* coll_register()'s */
};

struct coll_operation {
    enum coll_kind kind;
    /* Checks a call's arguments and sets x's from them; x has communicator, rank and size. */
    int (*resolve)(struct coll *x, const struct coll_args *a);
    const struct coll_algorithm *table;
    const struct coll_algorithm *(*choose)(const struct coll *x);
    /* What a small persistent one does instead, where its processes share memory. False: nothing.
     * NULL: it never does. */
    bool (*offload)(const struct coll *x, struct adi3_offload *m);
    struct coll_registration *registered; /* the last one first */
    void (*inter)(struct coll *x);        /* between two groups; NULL: it is not for these */
    const char *word;                     /* the setting's value */
    const struct coll_algorithm *forced;  /* its row; NULL for "auto" */
};

/* One per operation, each in the file of its MPI function. */
extern struct coll_operation coll_barrier, coll_bcast, coll_reduce, coll_allreduce, coll_gather,
    coll_gatherv, coll_scatter, coll_scatterv, coll_allgather, coll_allgatherv, coll_alltoall,
    coll_alltoallv, coll_alltoallw, coll_reduce_scatter, coll_reduce_scatter_block, coll_scan,
    coll_exscan, coll_neighbor_allgather, coll_neighbor_allgatherv, coll_neighbor_alltoall,
    coll_neighbor_alltoallv, coll_neighbor_alltoallw;

/* ---- settings (coll_settings.c) -------------------------------------------------------------- */

extern const struct setting mpir_coll_settings[]; /* ended by a NULL name */
extern bool coll_reproducible;                    /* the setting REPRODUCIBLE */

/* Takes over the settings' values, once they are loaded; a word that names no algorithm is one line
 * for complain, and the operation then chooses by itself. */
void mpir_coll_init(void (*complain)(const char *line));

/* Adds a row before MPI is initialized, in all processes alike: with a name of its own, in memory
 * that stays. Rows that are offered are asked before the operation chooses, the last one first. */
void coll_register(struct coll_operation *o, struct coll_registration *row);

/* ---- a whole operation (coll.c) -------------------------------------------------------------- */

/* A user's call in its three forms, from the communicator on; each returns MPI_SUCCESS or an error.
 * The first waits until it is done here; the second begins it; the third makes a request that
 * begins it at each MPI_Start. */
int coll_call(struct mpir_call *call, const struct coll_operation *o, const struct coll_args *a);
int coll_begin_call(struct mpir_call *call, const struct coll_operation *o,
                    const struct coll_args *a, MPI_Request *request);
int coll_init_call(struct mpir_call *call, const struct coll_operation *o,
                   const struct coll_args *a, MPI_Info info, MPI_Request *request);

/* Where that is better, starts of the schedule are done in shared memory, in all processes
 * (offload.c). Errors: as adi3_sched_offload(). */
int coll_offload(const struct coll_operation *o, struct coll *x);

/* Two of coll_operation.meet: of reductions, whose result is for root, or for all. */
bool coll_offload_reduce(const struct coll *x, struct adi3_offload *m);
bool coll_offload_allreduce(const struct coll *x, struct adi3_offload *m);

/* Numbers and signs an operation in one of its forms, and compares it with those of others; its tag
 * (signature.c). */
int coll_sign(const struct coll_operation *o, struct coll *x, int form);
void coll_describe_init(void); /* (describe.c) */

/* The same without a call: fills all but the arguments, which are 0, ... */
void coll_begin(struct coll *x, struct adi3_comm *c);
/* ... and does the operation; returns MPI_SUCCESS or the first error. */
int coll_run(const struct coll_operation *o, struct coll *x);

/* Between two groups: does another operation within our own, all of whose processes do so, in the
 * middle of this one. x's arguments, rank 0 or another as root, are already that operation's. */
void coll_run_in_group(struct coll *x, const struct coll_operation *o);
/* Likewise for messages: from now on they go within our group; and when done again, between. */
void coll_switch_comm(struct coll *x);

/* A phase of x among a subgroup: does an operation there to its end, by the algorithm that is best.
 * Root is a member; x's arguments are already that operation's. */
void coll_phase(struct coll *x, const struct coll_subgroup *t, int root,
                const struct coll_operation *o);

/* May the choice of an algorithm depend on where processes are? A reduction's decides on the order
 * of operands, and so on the last bits. */
static inline bool coll_by_placement(const struct coll *x) { return !coll_reproducible || !x->op; }

/* Do so many processes share one node with too few cores that they wait for cores longer than for
 * messages? All of them say the same, so that they choose the same algorithm. */
static inline bool coll_oversubscribed(const struct coll *x)
{
    return x->comm->oversubscribed && x->size > 4 && coll_by_placement(x);
}

/* ---- steps (steps.c) ------------------------------------------------------------------------- */

void coll_send(struct coll *x, struct adi3_data d, int dest);
void coll_recv(struct coll *x, struct adi3_data d, int source);
/* Both at once. */
void coll_exchange(struct coll *x, struct adi3_data out, int dest, struct adi3_data in, int source);

/* Begins a send or a receive; when COLL_PENDING are under way, waits for the oldest. */
void coll_start_send(struct coll *x, struct adi3_data d, int dest);
void coll_start_recv(struct coll *x, struct adi3_data d, int source);
/* Before the first: n of them may be under way, where no order would do with fewer. */
void coll_widen(struct coll *x, unsigned n);
void coll_finish(struct coll *x); /* waits for all that was started */

/* Copies data within this process, packing and unpacking where only one side is coll_packed();
 * nothing when both are the same memory. */
void coll_copy(struct coll *x, struct adi3_data from, struct adi3_data to);

/* inout = in op inout, for count elements of the receive type. */
void coll_apply(struct coll *x, const void *in, void *inout, size_t count);

/* Keeps the first error. */
static inline void coll_error(struct coll *x, int err)
{
    if (__builtin_expect(err, 0) && !x->err)
        x->err = err;
}

/* ---- scratch memory (scratch.c) -------------------------------------------------------------- */

/* Memory until the operation ends, aligned to 16 bytes. When there is none the operation ends in an
 * error without another step: what comes back may go to steps unseen. */
void *coll_bytes(struct coll *x, size_t len);

/* Room for count elements of a type: where a buffer of it would begin, whatever its lower bound. */
void *coll_elements(struct coll *x, size_t count, const struct adi3_type *t);

void coll_free_scratch(struct coll *x);

/* ---- where data is --------------------------------------------------------------------------- */

static inline void *coll_offset(const void *base, MPI_Aint bytes)
{
    return (void *) ((uintptr_t) base + (uintptr_t) bytes); /* base may be MPI_BOTTOM */
}

/* count elements, beginning first elements into buf */
static inline struct adi3_data coll_part(const void *buf, size_t first, size_t count,
                                         struct adi3_type *t)
{
    return (struct adi3_data) { coll_offset(buf, (MPI_Aint) first * t->extent), count, t };
}

/* Block i of equal ones. */
static inline struct adi3_data coll_block(const struct adi3_data *d, int i)
{
    return coll_part(d->buf, (size_t) i * d->count, d->count, d->type);
}

/* count elements of a type that the caller has checked, beginning offset bytes behind buf */
static inline struct adi3_data coll_typed(const void *buf, MPI_Aint offset, int count,
                                          MPI_Datatype h)
{
    struct adi3_data d = { .buf = coll_offset(buf, offset), .count = (size_t) count };

    (void) mpir_type_arg(h, &d.type);
    return d;
}

/* Block i, equal to the others or of a v- or w-operation. */
static inline struct adi3_data coll_recv_block(const struct coll *x, int i)
{
    if (!x->recvcounts)
        return coll_block(&x->recv, i);
    if (x->recvtypes)
        return coll_typed(x->recv.buf, x->roffsets ? x->roffsets[i] : x->rdispls[i],
                          x->recvcounts[i], x->recvtypes[i]);
    MPI_Aint at = x->rdispls[i] * x->recv.type->extent;

    return (struct adi3_data) { coll_offset(x->recv.buf, at), (size_t) x->recvcounts[i],
                                x->recv.type };
}

static inline struct adi3_data coll_send_block(const struct coll *x, int i)
{
    if (!x->sendcounts)
        return coll_block(&x->send, i);
    if (x->sendtypes)
        return coll_typed(x->send.buf, x->soffsets ? x->soffsets[i] : x->sdispls[i],
                          x->sendcounts[i], x->sendtypes[i]);
    MPI_Aint at = x->sdispls[i] * x->send.type->extent;

    return (struct adi3_data) { coll_offset(x->send.buf, at), (size_t) x->sendcounts[i],
                                x->send.type };
}

static inline size_t coll_size(struct adi3_data d) { return d.count * d.type->size; }

/* len bytes that are packed */
static inline struct adi3_data coll_packed(const void *buf, size_t len)
{
    return (struct adi3_data) { (void *) buf, len, adi3_type_builtin(MPI_BYTE) };
}

/* The largest power of two that is not above n > 0. */
static inline int coll_power(int n)
{
    int p = 1;

    while (p <= n / 2)
        p *= 2;
    return p;
}

/* For tables: what algorithms need. */
static inline bool coll_power_of_two(const struct coll *x)
{
    return coll_power(x->size) == x->size;
}

/* Every process gets a part to combine. */
static inline bool coll_has_parts(const struct coll *x)
{
    return x->recv.count >= (size_t) x->size;
}

/* ---- arguments (coll_args.c) ----------------------------------------------------------------- */

/* What a process is in an operation with a root. Between two groups those beside the root give and
 * get nothing, and their other arguments are not looked at (§5.2.3). */
static inline bool coll_is_root(const struct coll *x)
{
    return x->root == (x->comm->remote ? MPI_ROOT : x->rank);
}

static inline bool coll_is_idle(const struct coll *x)
{
    return x->comm->remote && x->root == MPI_PROC_NULL;
}

/* Each side of a v-operation: checks all of it, sets x's. displs: what the function calls those. */
int coll_send_blocks_arg(struct coll *x, const struct coll_args *a, const char *displs);
int coll_recv_blocks_arg(struct coll *x, const struct coll_args *a, const char *displs);
/* The same of a w-operation. */
int coll_send_typed_arg(struct coll *x, const struct coll_args *a);
int coll_recv_typed_arg(struct coll *x, const struct coll_args *a);

/* MPI_ERR_BUFFER when both begin in the same byte: only MPI_IN_PLACE may say that (§5.2.1). */
int coll_no_alias_arg(struct adi3_data send, struct adi3_data recv);

/* The send data of a gathering operation, when x->recv is there. own: our block of that, which
 * MPI_IN_PLACE stands for; NULL where it may not. */
int coll_send_arg(struct coll *x, const struct coll_args *a, const struct adi3_data *own);

/* Likewise the receive data of a scattering one, when x->send is there. */
int coll_recv_arg(struct coll *x, const struct coll_args *a, const struct adi3_data *own);

/* Checks send and receive buffer of a reduction; the first may be MPI_IN_PLACE. */
int coll_operands_arg(struct coll *x, const struct coll_args *a);

/* The operation, which must take the receive type. */
int coll_op_arg(struct coll *x, MPI_Op h);

/* Both of these: all that a reduction without a root checks. */
int coll_reduction_arg(struct coll *x, const struct coll_args *a);

#endif /* COLL_H */
