/* coll_args.c — checks arguments that only collective operations have. */
#include "mpi/coll/coll.h"

struct blocks { /* one side of a v- or w-operation, as the user gave it */
    int n;
    const void *buf;
    const struct mpir_counts *counts, *displs;
    MPI_Datatype type;
    const MPI_Datatype *types; /* of a w-operation */
    const char *counts_name, *displs_name, *types_name;
};

__attribute__((cold)) static int negative_count_error(const char *name, int i, MPI_Count count)
{
    return mpir_error(MPI_ERR_COUNT, "%s[%d] is %lld", name, i, (long long) count);
}

/* Whether the arrays of counts and displacements are given. */
static int arrays_arg(const struct blocks *b)
{
    int err = mpir_counts_arg(b->counts, b->n, b->counts_name);

    if (!err)
        err = mpir_counts_arg(b->displs, b->n, b->displs_name);
    return err;
}

/* Returns the largest count in *largest, to check the buffer with it. */
static int check_counts(const struct blocks *b, MPI_Count *largest)
{
    int err = arrays_arg(b);

    for (int i = 0; i < b->n && !err; i++) {
        MPI_Count count = mpir_count(b->counts, i);
        if (__builtin_expect(count < 0, 0))
            return negative_count_error(b->counts_name, i, count);
        if (count > *largest)
            *largest = count;
    }
    return err;
}

/* Resolves the types. Most calls give one type to several blocks, one behind the other: it is
 * looked up once. */
static int block_types_arg(const struct blocks *b, struct adi3_type **types)
{
    int err = mpir_array_arg(b->types, b->n, b->types_name);
    const MPI_Datatype *h = b->types;
    struct adi3_type *t = NULL;

    for (int i = 0; i < b->n && !err; i++) {
        if (!t || h[i] != h[i - 1]) {
            if (mpir_type_arg(h[i], &t) || (mpir_checking() && !t->committed))
                err = mpir_error(MPI_ERR_TYPE, "%s[%d] is 0x%x, not a committed datatype",
                                 b->types_name, i, (unsigned) h[i]);
        }
        types[i] = t;
    }
    return err;
}

__attribute__((cold, noinline)) static int wrong_block(const struct blocks *b, int i,
                                                       struct adi3_data d)
{
    MPI_Count count = mpir_count(b->counts, i);

    return count < 0 ? negative_count_error(b->counts_name, i, count) : mpir_wrong_data(d);
}

static int typed_data_arg(const struct blocks *b, struct adi3_type *const *types)
{
    const struct mpir_counts counts = *b->counts, displs = *b->displs;
    const bool strict = mpir_is(MPIR_STRICT);
    int err = MPI_SUCCESS;

    if (b->buf == MPI_IN_PLACE)
        return mpir_error(MPI_ERR_BUFFER, "MPI_IN_PLACE is not a buffer here");
    for (int i = 0; i < b->n && !err; i++) {
        struct adi3_data d =
            coll_typed(b->buf, mpir_count(&displs, i), mpir_count(&counts, i), types[i]);
        if (__builtin_expect(strict || d.count > INT32_MAX || !d.buf || d.buf == MPI_IN_PLACE, 0))
            err = wrong_block(b, i, d);
    }
    return err;
}

/* Types are resolved here, once for all steps. */
static int typed_blocks_arg(struct coll *x, struct blocks b, struct adi3_data *d,
                            struct adi3_type *const **resolved)
{
    struct adi3_type **types = coll_bytes(x, (size_t) b.n * sizeof *types);
    int err = x->err;

    if (!err && mpir_checking())
        err = arrays_arg(&b);
    if (!err)
        err = block_types_arg(&b, types);
    if (!err && mpir_checking())
        err = typed_data_arg(&b, types);
    *d = coll_packed(b.buf, 0);
    *resolved = types;
    return err;
}

static struct blocks send_blocks(struct coll *x, const struct coll_args *a, const char *displs)
{
    x->sendcounts = a->sendcounts;
    x->sdispls = a->sdispls;
    return (struct blocks) { .n = x->sends,
                             .buf = a->sendbuf,
                             .counts = &a->sendcounts,
                             .displs = &a->sdispls,
                             .type = a->sendtype,
                             .types = a->sendtypes,
                             .counts_name = "sendcounts",
                             .displs_name = displs,
                             .types_name = "sendtypes" };
}

static struct blocks recv_blocks(struct coll *x, const struct coll_args *a, const char *displs)
{
    x->recvcounts = a->recvcounts;
    x->rdispls = a->rdispls;
    return (struct blocks) { .n = x->recvs,
                             .buf = a->recvbuf,
                             .counts = &a->recvcounts,
                             .displs = &a->rdispls,
                             .type = a->recvtype,
                             .types = a->recvtypes,
                             .counts_name = "recvcounts",
                             .displs_name = displs,
                             .types_name = "recvtypes" };
}

/* Wide displacements in elements: those in bytes must fit an MPI_Aint. */
static int check_displs(const struct blocks *b, const struct adi3_type *t)
{
    MPI_Aint at;

    for (int i = 0; i < b->n; i++)
        if (__builtin_mul_overflow(b->displs->wide[i], t->extent, &at))
            return mpir_error(MPI_ERR_ARG, "%s[%d] is %lld extents of %lld bytes", b->displs_name,
                              i, (long long) b->displs->wide[i], (long long) t->extent);
    return MPI_SUCCESS;
}

__attribute__((cold, noinline)) static int wide_blocks_arg(struct blocks b, struct adi3_data *d)
{
    MPI_Count largest = 0;
    int err = mpir_checking() ? check_counts(&b, &largest) : MPI_SUCCESS;

    if (!err)
        err = mpir_data_arg(b.buf, largest, b.type, d);
    if (err)
        return err;
    d->count = 0;
    return mpir_checking() ? check_displs(&b, d->type) : MPI_SUCCESS;
}

/* check_counts() for ints, which are most calls: without a test for each. */
static inline int check_ints(const struct blocks *b, int *largest)
{
    const int *counts = b->counts->ints;
    int err = mpir_array_arg(counts, b->n, b->counts_name);

    if (!err)
        err = mpir_array_arg(b->displs->ints, b->n, b->displs_name);
    if (err)
        return err;
    for (int i = 0; i < b->n; i++) {
        if (__builtin_expect(counts[i] < 0, 0))
            return negative_count_error(b->counts_name, i, counts[i]);
        if (counts[i] > *largest)
            *largest = counts[i];
    }
    return MPI_SUCCESS;
}

static inline int blocks_arg(struct blocks b, struct adi3_data *d)
{
    int largest = 0, err = MPI_SUCCESS;

    if (mpir_checking())
        err = check_ints(&b, &largest);
    if (!err)
        err = mpir_data_arg(b.buf, largest, b.type, d);
    if (err)
        return err;
    d->count = 0;
    return MPI_SUCCESS;
}

int coll_send_blocks_arg(struct coll *x, const struct coll_args *a, const char *displs)
{
    if (__builtin_expect(a->sendcounts.wide != NULL, 0))
        return wide_blocks_arg(send_blocks(x, a, displs), &x->send);
    return blocks_arg(send_blocks(x, a, displs), &x->send);
}

int coll_recv_blocks_arg(struct coll *x, const struct coll_args *a, const char *displs)
{
    if (__builtin_expect(a->recvcounts.wide != NULL, 0))
        return wide_blocks_arg(recv_blocks(x, a, displs), &x->recv);
    return blocks_arg(recv_blocks(x, a, displs), &x->recv);
}

int coll_send_typed_arg(struct coll *x, const struct coll_args *a)
{
    return typed_blocks_arg(x, send_blocks(x, a, "sdispls"), &x->send, &x->sendtypes);
}

int coll_recv_typed_arg(struct coll *x, const struct coll_args *a)
{
    return typed_blocks_arg(x, recv_blocks(x, a, "rdispls"), &x->recv, &x->recvtypes);
}

/* ---- send and receive buffers ---------------------------------------------------------------- */

/* Compares where the data begins: buffers with different types may have the same address. */
int coll_no_alias_arg(struct adi3_data send, struct adi3_data recv)
{
    if (!mpir_checking() || coll_size(send) == 0 || coll_size(recv) == 0)
        return MPI_SUCCESS;
    if (coll_offset(send.buf, send.type->true_lb) != coll_offset(recv.buf, recv.type->true_lb))
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_BUFFER, "send and receive buffer are the same memory: that is what "
                                      "MPI_IN_PLACE is for");
}

int coll_send_arg(struct coll *x, const struct coll_args *a, const struct adi3_data *own)
{
    if (own && a->sendbuf == MPI_IN_PLACE) {
        x->send = *own;
        return MPI_SUCCESS;
    }
    int err = mpir_data_arg(a->sendbuf, a->sendcount, a->sendtype, &x->send);
    if (err || !x->recv.type)
        return err;
    err = coll_no_alias_arg(x->send, x->recv);
    if (!err && own)
        err = coll_no_alias_arg(x->send, *own);
    return err;
}

int coll_recv_arg(struct coll *x, const struct coll_args *a, const struct adi3_data *own)
{
    if (own && a->recvbuf == MPI_IN_PLACE) {
        x->recv = *own;
        return MPI_SUCCESS;
    }
    int err = mpir_data_arg(a->recvbuf, a->recvcount, a->recvtype, &x->recv);
    if (err || !own)
        return err;
    err = coll_no_alias_arg(x->send, x->recv);
    if (!err)
        err = coll_no_alias_arg(*own, x->recv);
    return err;
}

int coll_operands_arg(struct coll *x, const struct coll_args *a)
{
    int err = mpir_data_arg(a->recvbuf, a->recvcount, a->recvtype, &x->recv);

    if (err || (a->sendbuf == MPI_IN_PLACE && !x->comm->remote)) {
        x->send = x->recv;
        return err;
    }
    err = mpir_data_arg(a->sendbuf, a->recvcount, a->recvtype, &x->send);
    if (!err)
        err = coll_no_alias_arg(x->send, x->recv);
    return err;
}

int coll_op_arg(struct coll *x, MPI_Op h)
{
    struct adi3_op *op;
    int err = mpir_op_arg(h, &op);

    if (err)
        return err;
    x->op = op;
    return mpir_op_type_arg(op, x->recv.type);
}

int coll_reduction_arg(struct coll *x, const struct coll_args *a)
{
    int err = coll_operands_arg(x, a);

    if (!err)
        err = coll_op_arg(x, a->op);
    return err;
}
