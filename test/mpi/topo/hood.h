/* hood.h — the neighbors in a topology, the data of each edge, and the five operations on them in
 * their three forms. The expected data follow from the standard's text about slots. */
#ifndef HOOD_H
#define HOOD_H

#include <stdbool.h>
#include "edges.h"

/* the value of fresh ints of mpitest_memory() */
enum { HOOD_MOST = 128, HOOD_UNTOUCHED = -1515870811 };

struct hood {
    MPI_Comm comm;
    int me, in, out;
    int to[HOOD_MOST];                    /* or MPI_PROC_NULL */
    int from[HOOD_MOST], slot[HOOD_MOST]; /* the sender, and which of its blocks this one is */
};

/* The slot of the k-th entry of rank in list. */
static inline int hood_find(const int *list, int n, int rank, int k)
{
    for (int i = 0; i < n; i++)
        if (list[i] == rank && k-- == 0)
            return i;
    CHECK(!"the edge is there on both sides");
    return -1;
}

static inline int hood_before(const int *list, int i)
{
    int k = 0;

    for (int j = 0; j < i; j++)
        k += list[j] == list[i];
    return k;
}

/* A block from the negative side was sent to the positive side, and the other way round. */
static inline struct hood hood_of_cart(MPI_Comm comm)
{
    struct hood h = { .comm = comm };
    int ndims;

    MPI_Comm_rank(comm, &h.me);
    MPI_Cartdim_get(comm, &ndims);
    h.in = h.out = 2 * ndims;
    for (int d = 0; d < ndims; d++) {
        MPI_Cart_shift(comm, d, 1, &h.from[2 * d], &h.from[2 * d + 1]);
        h.to[2 * d] = h.from[2 * d];
        h.to[2 * d + 1] = h.from[2 * d + 1];
        h.slot[2 * d] = 2 * d + 1;
        h.slot[2 * d + 1] = 2 * d;
    }
    return h;
}

static inline struct hood hood_of_graph(MPI_Comm comm)
{
    struct hood h = { .comm = comm };

    MPI_Comm_rank(comm, &h.me);
    MPI_Graph_neighbors_count(comm, h.me, &h.in);
    CHECK(h.in <= HOOD_MOST);
    h.out = h.in;
    MPI_Graph_neighbors(comm, h.me, h.in, h.from);
    memcpy(h.to, h.from, sizeof h.to);
    for (int i = 0; i < h.in; i++) {
        int theirs[HOOD_MOST], n;

        MPI_Graph_neighbors_count(comm, h.from[i], &n);
        MPI_Graph_neighbors(comm, h.from[i], n, theirs);
        h.slot[i] = hood_find(theirs, n, h.me, hood_before(h.from, i));
    }
    return h;
}

/* Makes the communicator: each process gives its edges in the order in which e lists them. */
static inline struct hood hood_of_edges(MPI_Comm old, const struct edges *e)
{
    struct hood h = { .comm = MPI_COMM_NULL };
    static struct ends in, out, theirs;

    MPI_Comm_rank(old, &h.me);
    edges_into(e, h.me, &in);
    edges_out_of(e, h.me, &out);
    CHECK(in.n <= HOOD_MOST && out.n <= HOOD_MOST);
    MPI_Dist_graph_create_adjacent(old, in.n, in.other, MPI_UNWEIGHTED, out.n, out.other,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &h.comm);
    h.in = in.n;
    h.out = out.n;
    memcpy(h.to, out.other, sizeof h.to);
    memcpy(h.from, in.other, sizeof h.from);
    for (int i = 0; i < h.in; i++) {
        edges_out_of(e, h.from[i], &theirs);
        h.slot[i] = hood_find(theirs.other, theirs.n, h.me, hood_before(h.from, i));
    }
    return h;
}

/* ---- one operation --------------------------------------------------------------------------- */

enum hood_op { ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV, ALLTOALLW, HOOD_OPS };
enum hood_form { BLOCKING, NONBLOCKING, PERSISTENT, HOOD_FORMS };

struct exchange {
    const struct hood *h;
    enum hood_op op;
    enum hood_form form;
    int count, round; /* ints in the smallest block; data differ from round to round */
    int *out, *in, outs, ins;
    int sendcounts[HOOD_MOST], sdispls[HOOD_MOST], recvcounts[HOOD_MOST], rdispls[HOOD_MOST];
    MPI_Aint soffsets[HOOD_MOST], roffsets[HOOD_MOST];
    MPI_Datatype sendtypes[HOOD_MOST], recvtypes[HOOD_MOST];
    MPI_Request request;
};

static inline int hood_value(int from, int slot, int i, int round)
{
    return (from * 257 + slot) * 65537 + i * 3 + round * 7919;
}

/* The ints of a block; those of v- and w-operations differ by sender and slot. */
static inline int hood_amount(const struct exchange *e, int from, int slot)
{
    if (e->op == ALLTOALLV || e->op == ALLTOALLW)
        return e->count + (from + slot) % 3 * (e->count > 0 ? 1 + e->count / 2 : 1);
    return e->op == ALLGATHERV ? e->count + from % 3 : e->count;
}

static inline bool hood_gathers(const struct exchange *e)
{
    return e->op == ALLGATHER || e->op == ALLGATHERV;
}

/* In v- and w-operations the blocks are in reverse order, with an int between them. */
static inline void hood_place(const struct exchange *e, int n, int *counts, int *displs,
                              MPI_Aint *offsets, MPI_Datatype *types, int *room)
{
    bool gaps = e->op != ALLGATHER && e->op != ALLTOALL;

    *room = 0;
    for (int k = 0; k < n; k++) {
        int i = gaps ? n - 1 - k : k;
        displs[i] = *room + gaps;
        offsets[i] = (MPI_Aint) displs[i] * (MPI_Aint) sizeof(int);
        types[i] = MPI_INT;
        *room += counts[i] + gaps;
    }
}

static inline void exchange_fill(struct exchange *e)
{
    int blocks = hood_gathers(e) ? 1 : e->h->out;

    for (int k = 0; k < blocks; k++)
        for (int i = 0; i < e->sendcounts[k]; i++)
            e->out[e->sdispls[k] + i] = hood_value(e->h->me, k, i, e->round);
    memset(e->in, 0xa5, (size_t) e->ins * sizeof *e->in);
}

static inline void exchange_check(const struct exchange *e)
{
    for (int k = 0; k < e->h->in; k++) {
        const int *block = e->in + e->rdispls[k];
        int from = e->h->from[k], slot = hood_gathers(e) ? 0 : e->h->slot[k];

        for (int i = 0; i < e->recvcounts[k]; i++)
            CHECK_INT(block[i],
                      from == MPI_PROC_NULL ? HOOD_UNTOUCHED : hood_value(from, slot, i, e->round));
        if (e->op != ALLGATHER && e->op != ALLTOALL)
            CHECK_INT(block[-1], HOOD_UNTOUCHED);
    }
}

static inline struct exchange *exchange_new(const struct hood *h, enum hood_op op,
                                            enum hood_form form, int count)
{
    struct exchange *e = mpitest_memory(sizeof *e);

    *e = (struct exchange) { .h = h, .op = op, .form = form, .count = count };
    for (int k = 0; k < h->out; k++)
        e->sendcounts[k] = hood_amount(e, h->me, k);
    if (hood_gathers(e))
        e->sendcounts[0] = hood_amount(e, h->me, 0);
    for (int k = 0; k < h->in; k++) /* to and from MPI_PROC_NULL: any size */
        e->recvcounts[k] = h->from[k] == MPI_PROC_NULL
                               ? count
                               : hood_amount(e, h->from[k], hood_gathers(e) ? 0 : h->slot[k]);
    if (hood_gathers(e)) {
        e->outs = e->sendcounts[0];
        e->sdispls[0] = 0;
    } else {
        hood_place(e, h->out, e->sendcounts, e->sdispls, e->soffsets, e->sendtypes, &e->outs);
    }
    hood_place(e, h->in, e->recvcounts, e->rdispls, e->roffsets, e->recvtypes, &e->ins);
    e->out = mpitest_memory((size_t) e->outs * sizeof *e->out);
    e->in = mpitest_memory((size_t) e->ins * sizeof *e->in);
    exchange_fill(e);
    return e;
}

static inline void exchange_free(struct exchange *e)
{
    if (e->form == PERSISTENT)
        MPI_Request_free(&e->request);
    free(e->in);
    free(e->out);
    free(e);
}

static inline int exchange_call(struct exchange *e)
{
    MPI_Comm c = e->h->comm;

    switch (e->op) {
    case ALLGATHER:
        return MPI_Neighbor_allgather(e->out, e->sendcounts[0], MPI_INT, e->in, e->count, MPI_INT,
                                      c);
    case ALLGATHERV:
        return MPI_Neighbor_allgatherv(e->out, e->sendcounts[0], MPI_INT, e->in, e->recvcounts,
                                       e->rdispls, MPI_INT, c);
    case ALLTOALL:
        return MPI_Neighbor_alltoall(e->out, e->count, MPI_INT, e->in, e->count, MPI_INT, c);
    case ALLTOALLV:
        return MPI_Neighbor_alltoallv(e->out, e->sendcounts, e->sdispls, MPI_INT, e->in,
                                      e->recvcounts, e->rdispls, MPI_INT, c);
    default:
        return MPI_Neighbor_alltoallw(e->out, e->sendcounts, e->soffsets, e->sendtypes, e->in,
                                      e->recvcounts, e->roffsets, e->recvtypes, c);
    }
}

static inline int exchange_icall(struct exchange *e)
{
    MPI_Request *r = &e->request;
    MPI_Comm c = e->h->comm;

    switch (e->op) {
    case ALLGATHER:
        return MPI_Ineighbor_allgather(e->out, e->sendcounts[0], MPI_INT, e->in, e->count, MPI_INT,
                                       c, r);
    case ALLGATHERV:
        return MPI_Ineighbor_allgatherv(e->out, e->sendcounts[0], MPI_INT, e->in, e->recvcounts,
                                        e->rdispls, MPI_INT, c, r);
    case ALLTOALL:
        return MPI_Ineighbor_alltoall(e->out, e->count, MPI_INT, e->in, e->count, MPI_INT, c, r);
    case ALLTOALLV:
        return MPI_Ineighbor_alltoallv(e->out, e->sendcounts, e->sdispls, MPI_INT, e->in,
                                       e->recvcounts, e->rdispls, MPI_INT, c, r);
    default:
        return MPI_Ineighbor_alltoallw(e->out, e->sendcounts, e->soffsets, e->sendtypes, e->in,
                                       e->recvcounts, e->roffsets, e->recvtypes, c, r);
    }
}

static inline int exchange_init(struct exchange *e)
{
    MPI_Request *r = &e->request;
    MPI_Info none = MPI_INFO_NULL;
    MPI_Comm c = e->h->comm;

    switch (e->op) {
    case ALLGATHER:
        return MPI_Neighbor_allgather_init(e->out, e->sendcounts[0], MPI_INT, e->in, e->count,
                                           MPI_INT, c, none, r);
    case ALLGATHERV:
        return MPI_Neighbor_allgatherv_init(e->out, e->sendcounts[0], MPI_INT, e->in, e->recvcounts,
                                            e->rdispls, MPI_INT, c, none, r);
    case ALLTOALL:
        return MPI_Neighbor_alltoall_init(e->out, e->count, MPI_INT, e->in, e->count, MPI_INT, c,
                                          none, r);
    case ALLTOALLV:
        return MPI_Neighbor_alltoallv_init(e->out, e->sendcounts, e->sdispls, MPI_INT, e->in,
                                           e->recvcounts, e->rdispls, MPI_INT, c, none, r);
    default:
        return MPI_Neighbor_alltoallw_init(e->out, e->sendcounts, e->soffsets, e->sendtypes, e->in,
                                           e->recvcounts, e->roffsets, e->recvtypes, c, none, r);
    }
}

/* The blocking form has not begun before exchange_end(). */
static inline void exchange_begin(struct exchange *e)
{
    if (e->form == NONBLOCKING)
        CHECK_INT(exchange_icall(e), MPI_SUCCESS);
    if (e->form == PERSISTENT) {
        CHECK_INT(exchange_init(e), MPI_SUCCESS);
        MPI_Start(&e->request);
    }
}

static inline void exchange_end(struct exchange *e)
{
    if (e->form == BLOCKING)
        CHECK_INT(exchange_call(e), MPI_SUCCESS);
    else
        MPI_Wait(&e->request, MPI_STATUS_IGNORE);
    exchange_check(e);
}

/* All operations, one after the other; persistent ones three times with different data. */
static inline void hood_test(const struct hood *h, int count)
{
    for (int op = 0; op < HOOD_OPS; op++)
        for (int form = 0; form < HOOD_FORMS; form++) {
            struct exchange *e = exchange_new(h, op, form, count);

            exchange_begin(e);
            exchange_end(e);
            for (e->round = 1; form == PERSISTENT && e->round < 3; e->round++) {
                exchange_fill(e);
                MPI_Start(&e->request);
                exchange_end(e);
            }
            exchange_free(e);
        }
}

#endif /* HOOD_H */
