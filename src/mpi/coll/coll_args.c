/* coll_args.c — the arguments that only collective operations have. */
#include "coll.h"

/* Gives the largest count, for the check of the buffer. */
static int check_counts(int n, const struct coll_blocks *b, int *largest)
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

int coll_blocks_arg(const struct adi3_comm *c, const struct coll_blocks *b, struct adi3_data *d)
{
    int largest = 0, err = mpir_checking() ? check_counts(c->size, b, &largest) : MPI_SUCCESS;

    if (err || (err = mpir_data_arg(b->buf, largest, b->type, d)))
        return err;
    d->count = 0;
    return MPI_SUCCESS;
}

static int check_type(const struct coll_typed_blocks *b, int i)
{
    struct adi3_type *t;

    if (!mpir_type_arg(b->types[i], &t))
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_TYPE, "%s[%d] is 0x%x: no datatype, or one that was freed",
                      b->types_name, i, (unsigned) b->types[i]);
}

int coll_typed_blocks_arg(const struct coll_typed_blocks *b, int n)
{
    const void *at = b->offsets ? (const void *) b->offsets : b->displs;
    const struct coll_blocks untyped = { b->buf,   b->counts,      at,
                                         MPI_BYTE, b->counts_name, b->displs_name };
    struct adi3_data d;
    int largest = 0, err;

    if (!mpir_checking())
        return MPI_SUCCESS;
    if ((err = check_counts(n, &untyped, &largest)))
        return err;
    if ((err = mpir_array_arg(b->types, n, b->types_name)))
        return err;
    if (b->buf == MPI_IN_PLACE)
        return mpir_error(MPI_ERR_BUFFER, "MPI_IN_PLACE is not a buffer here");
    for (int i = 0; i < n && !err; i++) {
        at = coll_offset(b->buf, b->offsets ? b->offsets[i] : b->displs[i]);
        if (!(err = check_type(b, i)))
            err = mpir_data_arg(at, b->counts[i], b->types[i], &d);
    }
    return err;
}

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

int coll_send_arg(struct coll *x, const void *buf, int count, MPI_Datatype h,
                  const struct adi3_data *own)
{
    if (own && buf == MPI_IN_PLACE) {
        x->send = *own;
        return MPI_SUCCESS;
    }
    int err = mpir_data_arg(buf, count, h, &x->send);
    if (err || !own || (err = coll_apart_arg(x->send, x->recv)))
        return err;
    return coll_apart_arg(x->send, *own);
}

int coll_recv_arg(struct coll *x, const void *buf, int count, MPI_Datatype h,
                  const struct adi3_data *own)
{
    if (own && buf == MPI_IN_PLACE) {
        x->recv = *own;
        return MPI_SUCCESS;
    }
    int err = mpir_data_arg(buf, count, h, &x->recv);
    if (err || !own || (err = coll_apart_arg(x->send, x->recv)))
        return err;
    return coll_apart_arg(*own, x->recv);
}

int coll_operands_arg(struct coll *x, const void *sendbuf, const void *recvbuf, int count,
                      MPI_Datatype h)
{
    int err = mpir_data_arg(recvbuf, count, h, &x->recv);

    if (err || sendbuf == MPI_IN_PLACE) {
        x->send = x->recv;
        return err;
    }
    if ((err = mpir_data_arg(sendbuf, count, h, &x->send)))
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
