/* cq.c — the completion queue: operations that the provider has finished, or that failed. */
#include "devices/libfabric/module/ofi_impl.h"

enum { BATCH = 16 };

/* A peer to which a send failed is lost. A receive that failed says nothing of a peer: the
 * message may have come from outside the job. */
static void completion_handle_error(const struct fi_cq_err_entry *e)
{
    struct ofi_op *op = e->op_context;
    struct ofi_buf *b = OS_OWNER(op, struct ofi_buf, op);
    char error_text[OFI_TEXT];

    if (!op) /* of an inject: which peer is not known; watch() will find it silent */
        return;
    switch (op->kind) {
    case OFI_OP_SEND:
        ofi_cq_text(error_text, e);
        ofi_peer_mark_failed(b->to, ofi_errno(e->err), error_text);
        ofi_send_done(b);
        break;
    case OFI_OP_RECEIVE:
        ofi_post_receive(b);
        break;
    case OFI_OP_RMA:
        ofi_rma_done(OS_OWNER(op, struct ofi_rma, op), ofi_errno(e->err));
        break;
    }
}

static void completion_handle(const struct fi_cq_msg_entry *e)
{
    struct ofi_op *op = e->op_context;
    struct ofi_buf *b = OS_OWNER(op, struct ofi_buf, op);

    switch (op->kind) {
    case OFI_OP_SEND:
        ofi_send_done(b);
        break;
    case OFI_OP_RECEIVE:
        ofi_message_arrived(b->bytes, e->len);
        ofi_post_receive(b);
        break;
    case OFI_OP_RMA:
        ofi_rma_done(OS_OWNER(op, struct ofi_rma, op), 0);
        break;
    }
}

bool ofi_cq_poll(void)
{
    struct fi_cq_msg_entry entry[BATCH];
    ssize_t n = fi_cq_read(ofi_dev.cq, entry, BATCH);

    for (ssize_t i = 0; i < n; i++)
        completion_handle(&entry[i]);
    if (n == -FI_EAVAIL) {
        struct fi_cq_err_entry e = { .err = 0 };
        if (fi_cq_readerr(ofi_dev.cq, &e, 0) > 0)
            completion_handle_error(&e);
    }
    return n > 0 || n == -FI_EAVAIL;
}
