/* rma.c — reading and writing a peer's memory (RMA), and atomic operations on it.
 *
 * For a message that is too large to be copied, memory is registered for that message. A provider
 * for which that is slow keeps a cache of registrations, and notices when memory is freed. */
#include <rdma/fi_rma.h>
#include <stdlib.h>
#include "devices/libfabric/module/ofi_impl.h"

static const size_t most_at_once = (size_t) 1 << 30;

/* Noncontiguous memory is written in chunks of this size. */
enum { STAGED = 64 << 10 };

static void unlink_rma(struct ofi_rma *r)
{
    *r->back = r->next;
    if (r->next)
        r->next->back = r->back;
    if (r->mr)
        (void) fi_close(&r->mr->fid);
    free(r->staged);
    free(r);
}

static bool is_reported(const struct ofi_rma *r) { return !r->get && !r->put && !r->atomic; }

static void rma_report(const struct ofi_rma *r, int err)
{
    if (r->get)
        r->get->done(r->get, err);
    if (r->put)
        r->put->done(r->put, err);
    if (r->atomic)
        r->atomic->done(r->atomic, err);
}

static void rma_finish(struct ofi_rma *r, int err)
{
    const struct ofi_rma ended = *r;

    if (r->atomic && !err)
        ofi_atomic_result(r);
    unlink_rma(r);
    rma_report(&ended, err);
}

static ssize_t write_chunk(struct ofi_rma *r, char *from, void *desc)
{
    struct iovec local = { from, r->asked };
    struct fi_rma_iov there = { .addr = r->addr + r->done, .len = r->asked, .key = r->key };
    const struct fi_msg_rma m = { .msg_iov = &local,
                                  .desc = &desc,
                                  .iov_count = 1,
                                  .addr = r->peer->address,
                                  .rma_iov = &there,
                                  .rma_iov_count = 1,
                                  .context = &r->op };

    return fi_writemsg(ofi_dev.ep, &m, FI_DELIVERY_COMPLETE | FI_COMPLETION);
}

/* Starts the next chunk. Returns 0, also when the provider has no room now, or a negative errno. */
static int start_chunk(struct ofi_rma *r)
{
    size_t limit = ofi_dev.info->ep_attr->max_msg_size, left = r->len - r->done;
    void *desc = r->local_mr ? fi_mr_desc(r->local_mr) : NULL;
    char *local = r->staged ? r->staged : r->local + r->done;
    ssize_t rc;

    limit = limit < most_at_once ? limit : most_at_once;
    limit = r->staged && limit > STAGED ? STAGED : limit;
    r->asked = left < limit ? left : limit;
    if (r->put && r->staged)
        r->put->memory->gather(r->put->memory, r->done, local, r->asked);
    if (r->atomic)
        rc = ofi_atomic_start(r, desc);
    else if (r->put)
        rc = write_chunk(r, local, desc);
    else
        rc = fi_read(ofi_dev.ep, local, r->asked, desc, r->peer->address, r->addr + r->done, r->key,
                     &r->op);
    if (!rc)
        return 0;
    r->asked = 0;
    ofi_dev.retry_needed = true;
    return rc == -FI_EAGAIN ? 0 : ofi_errno((int) rc);
}

static int register_local(struct ofi_rma *r)
{
    uint64_t access = r->atomic ? FI_WRITE | FI_READ : r->put ? FI_WRITE : FI_READ;
    size_t len = r->atomic ? ofi_atomic_len(r->atomic) : r->staged ? STAGED : r->len;

    if (!r->staged && (r->local_mr = ofi_region_mr(r->local, len)))
        return 0;
    int rc = ofi_register(r->staged ? r->staged : r->local, len, access, 0, &r->mr);
    r->local_mr = r->mr;
    return rc;
}

/* Starts the operation that `what` describes, or reports the error. */
static void rma_start(const struct ofi_rma *what)
{
    struct ofi_rma *r = malloc(sizeof *r);
    int rc = 0;

    if (!r) {
        free(what->staged);
        rma_report(what, -ENOMEM);
        return;
    }
    *r = *what;
    r->op.kind = OFI_OP_RMA;
    r->addr -= ofi_needs(FI_MR_VIRT_ADDR) ? 0 : OFI_OFFSET;
    r->next = ofi_dev.rma;
    r->back = &ofi_dev.rma;
    if (r->next)
        r->next->back = &r->next;
    ofi_dev.rma = r;
    if (ofi_needs(FI_MR_LOCAL))
        rc = register_local(r);
    if (!rc)
        rc = start_chunk(r);
    if (rc)
        rma_finish(r, rc < 0 ? ofi_errno(rc) : rc);
}

void ofi_get(struct dev_peer *from, struct dev_get *op)
{
    struct ofi_peer *p = from->priv;
    int rc = ofi_peer_error(p);

    if (!rc)
        rc = op->memory ? -EOPNOTSUPP : ofi_peer_reach(p);
    if (rc) {
        op->done(op, rc);
        return;
    }
    rma_start(&(struct ofi_rma) {
        .peer = p, .get = op, .addr = op->addr, .key = op->key, .local = op->to, .len = op->len });
}

void ofi_put(struct dev_peer *to, struct dev_put *op)
{
    struct ofi_peer *p = to->priv;
    char *staged = NULL;
    int rc = ofi_peer_error(p);

    if (!rc && !to->can_put)
        rc = -EOPNOTSUPP;
    if (!rc)
        rc = ofi_peer_reach(p);
    if (!rc && op->len && op->memory && !(staged = malloc(STAGED)))
        rc = -ENOMEM;
    if (rc || !op->len) {
        op->done(op, rc);
        return;
    }
    rma_start(&(struct ofi_rma) { .peer = p,
                                  .put = op,
                                  .addr = op->addr,
                                  .key = op->key,
                                  .local = (char *) (uintptr_t) op->from,
                                  .staged = staged,
                                  .len = op->len });
}

void ofi_atomic(struct dev_peer *to, struct dev_atomic *op)
{
    struct ofi_peer *p = to->priv;
    size_t room = ofi_atomic_room(op->type, op->op, op->result != NULL);
    char *staged = NULL;
    int rc = ofi_peer_error(p);

    if (!rc)
        rc = op->count <= room && room ? ofi_peer_reach(p) : -EOPNOTSUPP;
    if (!rc && op->count && !(staged = malloc(ofi_atomic_len(op))))
        rc = -ENOMEM;
    if (rc || !op->count) {
        op->done(op, rc);
        return;
    }
    rma_start(&(struct ofi_rma) { .peer = p,
                                  .atomic = op,
                                  .addr = op->addr,
                                  .key = op->key,
                                  .staged = staged,
                                  .len = op->count * dev_type_size(op->type) });
}

void ofi_rma_done(struct ofi_rma *r, int err)
{
    r->done += r->asked;
    bool more = !err && !is_reported(r) && r->done < r->len;
    if (more)
        err = start_chunk(r);
    if (err || !more)
        rma_finish(r, err);
}

/* Starts the operations for which the provider had no room. */
bool ofi_rma_more(void)
{
    bool moved = false;

    for (struct ofi_rma *r = ofi_dev.rma, *next; r; r = next) {
        next = r->next;
        if (r->asked || is_reported(r))
            continue;
        int rc = start_chunk(r);
        moved |= rc || r->asked;
        if (rc)
            rma_finish(r, rc);
    }
    return moved;
}

/* Reports all operations on this peer's memory as failed. One that has begun cannot be cancelled:
 * if the peer is not dead, the provider may still use the local memory, so its record stays until
 * it completes. */
void ofi_drop_rma(struct ofi_peer *p, int err)
{
    for (struct ofi_rma *r = ofi_dev.rma, *next; r; r = next) {
        const struct ofi_rma ended = *r;
        next = r->next;
        if (r->peer != p || is_reported(r))
            continue;
        r->get = NULL;
        r->put = NULL;
        r->atomic = NULL;
        if (!r->asked)
            unlink_rma(r);
        rma_report(&ended, err);
    }
}

void ofi_free_rma(void)
{
    while (ofi_dev.rma)
        unlink_rma(ofi_dev.rma);
}
