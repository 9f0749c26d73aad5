/* coll_args.c — the arguments that only collective operations have. */
#include "coll.h"

struct blocks { /* of a v-operation, as the user gave them */
    const void *buf;
    const int *counts, *displs;
    MPI_Datatype type;
    const char *counts_name, *displs_name;
};

/* Gives the largest count, for the check of the buffer. */
static int check_counts(int n, const struct blocks *b, int *largest)
{
    int err = mpir_array_arg(b->counts, n, b->counts_name);

    if (err || (err = mpir_array_arg(b->displs, n, b->displs_name)))
        return err;
    for (int i = 0; i < n; i++) {
        if (b->counts[i] < 0)
            return mpir_error(MPI_ERR_COUNT, "%s[%d] is %d", b->counts_name, i, b->counts[i]);
        if (b->counts[i] > *largest)
            *largest = b->counts[i];
    }
    return MPI_SUCCESS;
}

static int blocks_arg(const struct adi3_comm *c, const struct blocks *b, struct adi3_data *d)
{
    int largest = 0, err = mpir_checking() ? check_counts(c->peers, b, &largest) : MPI_SUCCESS;

    if (err || (err = mpir_data_arg(b->buf, largest, b->type, d)))
        return err;
    d->count = 0;
    return MPI_SUCCESS;
}

int coll_send_blocks_arg(struct coll *x, const struct coll_args *a, const char *displs)
{
    const struct blocks b = { a->sendbuf,  a->sendcounts, a->sdispls,
                              a->sendtype, "sendcounts",  displs };

    x->sendcounts = a->sendcounts;
    x->sdispls = a->sdispls;
    return blocks_arg(x->comm, &b, &x->send);
}

int coll_recv_blocks_arg(struct coll *x, const struct coll_args *a, const char *displs)
{
    const struct blocks b = { a->recvbuf,  a->recvcounts, a->rdispls,
                              a->recvtype, "recvcounts",  displs };

    x->recvcounts = a->recvcounts;
    x->rdispls = a->rdispls;
    return blocks_arg(x->comm, &b, &x->recv);
}

/* ---- w-operations ---------------------------------------------------------------------------- */

struct typed { /* a type for each block, displs or offsets bytes behind buf */
    struct blocks blocks;
    const MPI_Datatype *types;
    const MPI_Aint *offsets;
    const char *types_name;
};

static int check_block(const struct typed *b, int i)
{
    MPI_Aint at = b->offsets ? b->offsets[i] : b->blocks.displs[i];
    struct adi3_data d;

    if (mpir_type_arg(b->types[i], &d.type))
        return mpir_error(MPI_ERR_TYPE, "%s[%d] is 0x%x: no datatype, or one that was freed",
                          b->types_name, i, (unsigned) b->types[i]);
    return mpir_data_arg(coll_offset(b->blocks.buf, at), b->blocks.counts[i], b->types[i], &d);
}

static int typed_arg(const struct typed *b, int n)
{
    struct blocks plain = b->blocks;
    int largest = 0, err;

    if (!mpir_checking())
        return MPI_SUCCESS;
    if (b->offsets)
        plain.displs = plain.counts; /* are there */
    if ((err = check_counts(n, &plain, &largest)))
        return err;
    if ((err = mpir_array_arg(b->types, n, b->types_name)))
        return err;
    if (plain.buf == MPI_IN_PLACE)
        return mpir_error(MPI_ERR_BUFFER, "MPI_IN_PLACE is not a buffer here");
    for (int i = 0; i < n && !err; i++)
        err = check_block(b, i);
    return err;
}

int coll_send_typed_arg(struct coll *x, const struct coll_args *a, int n)
{
    const struct typed b = { { a->sendbuf, a->sendcounts, a->sdispls, 0, "sendcounts", "sdispls" },
                             a->sendtypes,
                             a->soffsets,
                             "sendtypes" };

    x->send.buf = (void *) (uintptr_t) a->sendbuf;
    x->sendcounts = a->sendcounts;
    x->sdispls = a->sdispls;
    x->sendtypes = a->sendtypes;
    x->soffsets = a->soffsets;
    return typed_arg(&b, n);
}

int coll_recv_typed_arg(struct coll *x, const struct coll_args *a, int n)
{
    const struct typed b = { { a->recvbuf, a->recvcounts, a->rdispls, 0, "recvcounts", "rdispls" },
                             a->recvtypes,
                             a->roffsets,
                             "recvtypes" };

    x->recv.buf = a->recvbuf;
    x->recvcounts = a->recvcounts;
    x->rdispls = a->rdispls;
    x->recvtypes = a->recvtypes;
    x->roffsets = a->roffsets;
    return typed_arg(&b, n);
}

/* ---- send and receive buffers ---------------------------------------------------------------- */

/* What counts is where the data begins: buffers may share an address when their types do not. */
int coll_apart_arg(struct adi3_data send, struct adi3_data recv)
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
    if (err || !x->recv.type || (err = coll_apart_arg(x->send, x->recv)))
        return err;
    return own ? coll_apart_arg(x->send, *own) : MPI_SUCCESS;
}

int coll_recv_arg(struct coll *x, const struct coll_args *a, const struct adi3_data *own)
{
    if (own && a->recvbuf == MPI_IN_PLACE) {
        x->recv = *own;
        return MPI_SUCCESS;
    }
    int err = mpir_data_arg(a->recvbuf, a->recvcount, a->recvtype, &x->recv);
    if (err || !own || (err = coll_apart_arg(x->send, x->recv)))
        return err;
    return coll_apart_arg(*own, x->recv);
}

int coll_operands_arg(struct coll *x, const struct coll_args *a)
{
    int err = mpir_data_arg(a->recvbuf, a->recvcount, a->recvtype, &x->recv);

    if (err || (a->sendbuf == MPI_IN_PLACE && !x->comm->remote)) {
        x->send = x->recv;
        return err;
    }
    if ((err = mpir_data_arg(a->sendbuf, a->recvcount, a->recvtype, &x->send)))
        return err;
    return coll_apart_arg(x->send, x->recv);
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
