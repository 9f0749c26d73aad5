/* coll.h — collective operations: one under way, and the steps that algorithms are made of.
 *
 * An algorithm is a function of one struct coll, and does its work through the steps below alone.
 * Which steps it takes depends on ranks, counts and types, never on data or arrival, so that
 * results are reproducible and the same functions can fill a schedule. Steps return nothing: the
 * first error is kept and the pattern of messages goes on, so that the other processes are not left
 * hanging. */
#ifndef COLL_H
#define COLL_H

#include "mpir.h"
#include "setting.h"

/* Steps started and not yet waited for, at most; and scratch bytes that need no malloc. */
enum { COLL_PENDING = 32, COLL_SMALL = 1024 };

struct coll_operation;

struct coll { /* one collective operation under way */
    struct adi3_comm *comm;
    int rank, size, tag;

    /* The arguments. Where MPI_IN_PLACE was given, send or receive data is a part of the other, so
     * that algorithms need not know. */
    int root;
    struct adi3_data send, recv; /* count: of one block; of a v-operation's array: 0 */
    const int *sendcounts, *sdispls, *recvcounts, *rdispls; /* blocks of the v-operations */
    /* Of the w-operations: a type for each block, displs or offsets bytes behind buf. */
    const MPI_Datatype *sendtypes, *recvtypes;
    const MPI_Aint *soffsets, *roffsets; /* instead of displs; else NULL */
    const struct adi3_op *op;
    bool in_place; /* MPI_Alltoall(v): blocks are taken from where they will be replaced */

    /* The steps' own. */
    int err;      /* the first */
    bool stopped; /* there is no memory: steps do nothing any more */
    MPI_Request pending[COLL_PENDING];
    unsigned started, finished; /* pending ones are finished..started - 1, modulo COLL_PENDING */
    struct coll_chunk *chunks;  /* scratch memory that did not fit small */
    size_t used;                /* of small */
    _Alignas(16) char small[COLL_SMALL];
};

/* A row in an operation's table; the last has no name. */
struct coll_algorithm {
    const char *name; /* the word in STARLING_<OPERATION>_ALGORITHM= */
    void (*run)(struct coll *x);
    bool (*fits)(const struct coll *x); /* can it do this call at all? NULL: always */
};

struct coll_operation {
    int tag;
    const struct coll_algorithm *table;
    const struct coll_algorithm *(*choose)(const struct coll *x);
    const char *word;                    /* the setting's value */
    const struct coll_algorithm *forced; /* its row; NULL for "auto" */
};

/* One per operation, each in the file of its MPI function. */
extern struct coll_operation coll_barrier, coll_bcast, coll_reduce, coll_allreduce, coll_gather,
    coll_gatherv, coll_scatter, coll_scatterv, coll_allgather, coll_allgatherv, coll_alltoall,
    coll_alltoallv, coll_alltoallw, coll_reduce_scatter, coll_reduce_scatter_block, coll_scan,
    coll_exscan;

/* 0 belongs to the making of communicators. */
enum coll_tag {
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
};

/* ---- settings (coll_settings.c) -------------------------------------------------------------- */

extern const struct setting mpir_coll_settings[]; /* ended by a NULL name */

/* Takes over the settings' values, once they are loaded; a word that names no algorithm is one line
 * for complain, and the operation then chooses by itself. */
void mpir_coll_init(void (*complain)(const char *line));

/* ---- a whole operation (coll.c) -------------------------------------------------------------- */

/* Fills all but the arguments, which are 0. */
void coll_begin(struct coll *x, struct adi3_comm *c);

/* Does the operation; returns MPI_SUCCESS or the first error. */
int coll_run(const struct coll_operation *o, struct coll *x);

/* Do so many processes share one node with too few cores that they wait for cores longer than for
 * messages? All of them say the same, so that they choose the same algorithm. */
static inline bool coll_crowded(const struct coll *x) { return x->comm->crowded && x->size > 4; }

/* ---- steps (steps.c) ------------------------------------------------------------------------- */

void coll_send(struct coll *x, struct adi3_data d, int dest);
void coll_recv(struct coll *x, struct adi3_data d, int source);
/* Both at once. */
void coll_exchange(struct coll *x, struct adi3_data out, int dest, struct adi3_data in, int source);

/* Begins a send or a receive; when COLL_PENDING are under way, waits for the oldest. */
void coll_start_send(struct coll *x, struct adi3_data d, int dest);
void coll_start_recv(struct coll *x, struct adi3_data d, int source);
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

/* ---- arguments (coll_args.c) ----------------------------------------------------------------- */

struct coll_blocks { /* the blocks of a v-operation, as the user gave them */
    const void *buf;
    const int *counts, *displs;
    MPI_Datatype type;
    const char *counts_name, *displs_name;
};

/* Checks all of it; d gets buffer and type, and no count. */
int coll_blocks_arg(const struct adi3_comm *c, const struct coll_blocks *b, struct adi3_data *d);

struct coll_typed_blocks { /* likewise of a w-operation; displs or offsets is NULL */
    const void *buf;
    const int *counts, *displs;
    const MPI_Aint *offsets;
    const MPI_Datatype *types;
    const char *counts_name, *displs_name, *types_name;
};

/* Checks all n blocks. */
int coll_typed_blocks_arg(const struct coll_typed_blocks *b, int n);

/* MPI_ERR_BUFFER when both begin in the same byte: only MPI_IN_PLACE may say that (§5.2.1). */
int coll_apart_arg(struct adi3_data send, struct adi3_data recv);

/* The send data of a gathering operation, when x->recv is there. own: our block of that, which
 * MPI_IN_PLACE stands for; NULL where it may not. */
int coll_send_arg(struct coll *x, const void *buf, int count, MPI_Datatype h,
                  const struct adi3_data *own);

/* Likewise the receive data of a scattering one, when x->send is there. */
int coll_recv_arg(struct coll *x, const void *buf, int count, MPI_Datatype h,
                  const struct adi3_data *own);

/* Checks send and receive buffer of a reduction; the first may be MPI_IN_PLACE. */
int coll_operands_arg(struct coll *x, const void *sendbuf, const void *recvbuf, int count,
                      MPI_Datatype h);

/* The operation, which must take the receive type. */
int coll_op_arg(struct coll *x, MPI_Op h);

#endif /* COLL_H */
