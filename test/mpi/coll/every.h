/* every.h — all collective operations by number, in all forms, on blocks of ints.
 *
 * Neighbors are those in a ring: the left one, then the right one (7.6). */
#ifndef EVERY_H
#define EVERY_H

#include "coll_test.h"

enum { EVERY = 22, EVERY_NEIGHBOR = 17, EVERY_BCAST = 1 };
enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

struct every { /* the buffers of one operation */
    struct me m;
    MPI_Comm ring;
    int n, blocks; /* ints in a block, blocks in a buffer */
    int *out, *in; /* NULL when there is nothing in them */
    int *counts, *displs, *bytes;
    MPI_Aint *long_bytes;
    MPI_Datatype *types;
    MPI_Info info;
};

static inline struct every every_make(struct me m, MPI_Comm ring, int n)
{
    int blocks = m.size > 2 ? m.size : 2;
    struct every e = { .m = m, .ring = ring, .n = n, .blocks = blocks, .info = MPI_INFO_NULL };

    e.out = n ? ints(blocks * n) : NULL;
    e.in = n ? ints(blocks * n) : NULL;
    e.counts = ints(blocks);
    e.displs = ints(blocks);
    e.bytes = ints(blocks);
    e.long_bytes = mpitest_memory((size_t) blocks * sizeof *e.long_bytes);
    e.types = mpitest_memory((size_t) blocks * sizeof *e.types);
    for (int i = 0; i < blocks; i++) {
        e.counts[i] = n;
        e.displs[i] = i * n;
        e.bytes[i] = i * n * (int) sizeof(int);
        e.long_bytes[i] = e.bytes[i];
        e.types[i] = MPI_INT;
    }
    return e;
}

static inline void every_free(struct every *e)
{
    free(e->out);
    free(e->in);
    free(e->counts);
    free(e->displs);
    free(e->bytes);
    free(e->long_bytes);
    free(e->types);
}

static inline MPI_Comm every_ring(struct me m)
{
    int periodic = 1;
    MPI_Comm ring;

    MPI_Cart_create(m.comm, 1, &m.size, &periodic, 0, &ring);
    return ring;
}

static inline int every_root(struct every *e, int op) { return op % e->m.size; }

#define EVERY_CALL(Name, name, ...)                                                                \
    (form == BLOCKING      ? MPI_##Name(__VA_ARGS__ comm)                                          \
     : form == NONBLOCKING ? MPI_I##name(__VA_ARGS__ comm, r)                                      \
                           : MPI_##Name##_init(__VA_ARGS__ comm, e->info, r))

static inline int every_neighbor(struct every *e, int op, enum form form, MPI_Request *r)
{
    MPI_Comm comm = e->ring;
    int *o = e->out, *i = e->in, *c = e->counts, *d = e->displs, n = e->n;
    MPI_Datatype t = MPI_INT;

    switch (op) {
    case 17:
        return EVERY_CALL(Neighbor_allgather, neighbor_allgather, o, n, t, i, n, t, );
    case 18:
        return EVERY_CALL(Neighbor_allgatherv, neighbor_allgatherv, o, n, t, i, c, d, t, );
    case 19:
        return EVERY_CALL(Neighbor_alltoall, neighbor_alltoall, o, n, t, i, n, t, );
    case 20:
        return EVERY_CALL(Neighbor_alltoallv, neighbor_alltoallv, o, c, d, t, i, c, d, t, );
    case 21:
        return EVERY_CALL(Neighbor_alltoallw, neighbor_alltoallw, o, c, e->long_bytes, e->types, i,
                          c, e->long_bytes, e->types, );
    }
    return MPI_ERR_OTHER;
}

static inline int every_reduction(struct every *e, int op, enum form form, MPI_Request *r)
{
    MPI_Comm comm = e->m.comm;
    int *o = e->out, *i = e->in, n = e->n;
    MPI_Datatype t = MPI_INT;

    switch (op) {
    case 11:
        return EVERY_CALL(Reduce, reduce, o, i, n, t, MPI_SUM, every_root(e, op), );
    case 12:
        return EVERY_CALL(Allreduce, allreduce, o, i, n, t, MPI_SUM, );
    case 13:
        return EVERY_CALL(Reduce_scatter, reduce_scatter, o, i, e->counts, t, MPI_SUM, );
    case 14:
        return EVERY_CALL(Reduce_scatter_block, reduce_scatter_block, o, i, n, t, MPI_SUM, );
    case 15:
        return EVERY_CALL(Scan, scan, o, i, n, t, MPI_SUM, );
    case 16:
        return EVERY_CALL(Exscan, exscan, o, i, n, t, MPI_SUM, );
    }
    return every_neighbor(e, op, form, r);
}

/* Calls the operation; r: for forms that have a request. */
static inline int every_call(struct every *e, int op, enum form form, MPI_Request *r)
{
    MPI_Comm comm = e->m.comm;
    int *o = e->out, *i = e->in, *c = e->counts, *d = e->displs, n = e->n, root = every_root(e, op);
    MPI_Datatype t = MPI_INT;

    switch (op) {
    case 0:
        return EVERY_CALL(Barrier, barrier, );
    case EVERY_BCAST:
        return EVERY_CALL(Bcast, bcast, i, n, t, root, );
    case 2:
        return EVERY_CALL(Gather, gather, o, n, t, i, n, t, root, );
    case 3:
        return EVERY_CALL(Gatherv, gatherv, o, n, t, i, c, d, t, root, );
    case 4:
        return EVERY_CALL(Scatter, scatter, o, n, t, i, n, t, root, );
    case 5:
        return EVERY_CALL(Scatterv, scatterv, o, c, d, t, i, n, t, root, );
    case 6:
        return EVERY_CALL(Allgather, allgather, o, n, t, i, n, t, );
    case 7:
        return EVERY_CALL(Allgatherv, allgatherv, o, n, t, i, c, d, t, );
    case 8:
        return EVERY_CALL(Alltoall, alltoall, o, n, t, i, n, t, );
    case 9:
        return EVERY_CALL(Alltoallv, alltoallv, o, c, d, t, i, c, d, t, );
    case 10:
        return EVERY_CALL(Alltoallw, alltoallw, o, c, e->bytes, e->types, i, c, e->bytes,
                          e->types, );
    }
    return every_reduction(e, op, form, r);
}

/* Fills the buffers with the values of a round, before the operation is started. */
static inline void every_fill(struct every *e, int op, int round)
{
    for (int i = 0; i < e->blocks * e->n; i++) {
        e->out[i] = value(e->m.rank, i, round);
        e->in[i] = op == EVERY_BCAST && every_root(e, op) == e->m.rank ? e->out[i] : -1;
    }
}

static inline int every_sum(int first, int end, int i, int round)
{
    int sum = 0;

    for (int r = first; r < end; r++)
        sum += value(r, i, round);
    return sum;
}

/* The expected value at i of block b, or -1 when it must not be written. */
static inline int every_expected(struct every *e, int op, int b, int i, int round)
{
    int rank = e->m.rank, size = e->m.size, root = every_root(e, op), n = e->n;
    int left = (rank + size - 1) % size, right = (rank + 1) % size;

    switch (op) {
    case 1:
        return b == 0 || rank == root ? value(root, b * n + i, round) : -1;
    case 2:
    case 3:
        return rank == root && b < size ? value(b, i, round) : -1;
    case 4:
    case 5:
        return b == 0 ? value(root, rank * n + i, round) : -1;
    case 6:
    case 7:
        return b < size ? value(b, i, round) : -1;
    case 8:
    case 9:
    case 10:
        return b < size ? value(b, rank * n + i, round) : -1;
    case 11:
        return b == 0 && rank == root ? every_sum(0, size, i, round) : -1;
    case 12:
        return b == 0 ? every_sum(0, size, i, round) : -1;
    case 13:
    case 14:
        return b == 0 ? every_sum(0, size, rank * n + i, round) : -1;
    case 15:
        return b == 0 ? every_sum(0, rank + 1, i, round) : -1;
    case 16:
        return b == 0 && rank > 0 ? every_sum(0, rank, i, round) : -1;
    case 17:
    case 18:
        return b < 2 ? value(b ? right : left, i, round) : -1;
    case 19:
    case 20:
    case 21:
        return b < 2 ? value(b ? right : left, (1 - b) * n + i, round) : -1;
    }
    return -1;
}

/* Checks the buffers after the operation is complete. */
static inline void every_check(struct every *e, int op, int round)
{
    for (int b = 0; b < e->blocks; b++)
        for (int i = 0; i < e->n; i++) {
            CHECK_INT(e->in[b * e->n + i], every_expected(e, op, b, i, round));
            CHECK_INT(e->out[b * e->n + i], value(e->m.rank, b * e->n + i, round));
        }
}

#endif /* EVERY_H */
