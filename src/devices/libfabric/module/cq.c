/* cq.c — completions: what the provider has done, or could not do. */
#include "ofi_impl.h"

enum { BATCH = 16 };

/* Who could not be sent to is lost. A receive that failed says nothing of anybody: what came may
 * have been from a stranger. */
static void failed(const struct fi_cq_err_entry *e)
{
    struct ofi_op *op = e->op_context;
    struct ofi_buf *b = OS_OWNER(op, struct ofi_buf, op);
    char why[OFI_WHY];

    if (!op) /* of an inject: somebody has a silent peer now, whom watch() asks about */
        return;
    switch (op->what) {
    case OFI_SENDS:
        ofi_cq_text(why, e);
        ofi_peer_fail(b->to, ofi_errno(e->err), why);
        ofi_sent(b);
        break;
    case OFI_RECEIVES_ONE:
        ofi_await(b);
        break;
    case OFI_READS:
        ofi_read_done(OS_OWNER(op, struct ofi_get, op), ofi_errno(e->err));
        break;
    }
}

static void done(const struct fi_cq_msg_entry *e)
{
    struct ofi_op *op = e->op_context;
    struct ofi_buf *b = OS_OWNER(op, struct ofi_buf, op);

    switch (op->what) {
    case OFI_SENDS:
        ofi_sent(b);
        break;
    case OFI_RECEIVES_ONE:
        ofi_arrived(b->bytes, e->len);
        ofi_await(b);
        break;
    case OFI_READS:
        ofi_read_done(OS_OWNER(op, struct ofi_get, op), 0);
        break;
    }
}

bool ofi_cq_poll(void)
{
    struct fi_cq_msg_entry entry[BATCH];
    ssize_t n = fi_cq_read(ofi_dev.cq, entry, BATCH);

    for (ssize_t i = 0; i < n; i++)
        done(&entry[i]);
    if (n == -FI_EAVAIL) {
        struct fi_cq_err_entry e = { .err = 0 };
        if (fi_cq_readerr(ofi_dev.cq, &e, 0) > 0)
            failed(&e);
    }
    return n > 0 || n == -FI_EAVAIL;
}
