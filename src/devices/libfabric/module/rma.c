/* rma.c — reading a peer's memory (RMA), for messages that are too large to be copied.
 *
 * Memory is registered for each message. A provider for which that is slow keeps a cache of
 * registrations, and notices when memory is freed. */
#include <rdma/fi_rma.h>
#include <stdlib.h>
#include "ofi_impl.h"

/* A provider without virtual addresses uses offsets. They begin here, because address 0 means
 * "none" to ADI3. */
enum { OFFSET = 4096 };

static const size_t most_at_once = (size_t) 1 << 30;

static void unlink_get(struct ofi_get *g)
{
    *g->back = g->next;
    if (g->next)
        g->next->back = g->back;
    if (g->mr)
        (void) fi_close(&g->mr->fid);
    free(g);
}

static void finish(struct ofi_get *g, int err)
{
    struct dev_get *get = g->get;

    unlink_get(g);
    if (get)
        get->done(get, err);
}

/* Starts to read the next chunk. Returns 0, also when the provider has no room now, or a negative
 * errno. */
static int read_chunk(struct ofi_get *g)
{
    size_t limit = ofi_dev.info->ep_attr->max_msg_size, left = g->get->len - g->done;
    uint64_t at = g->get->addr - (ofi_needs(FI_MR_VIRT_ADDR) ? 0 : OFFSET) + g->done;
    void *desc = g->mr ? fi_mr_desc(g->mr) : NULL;

    limit = limit < most_at_once ? limit : most_at_once;
    g->asked = left < limit ? left : limit;
    ssize_t rc = fi_read(ofi_dev.ep, (char *) g->get->to + g->done, g->asked, desc,
                         g->from->address, at, g->get->key, &g->op);
    if (!rc)
        return 0;
    g->asked = 0;
    ofi_dev.retry_needed = true;
    return rc == -FI_EAGAIN ? 0 : ofi_errno((int) rc);
}

void ofi_get(struct dev_peer *from, struct dev_get *op)
{
    struct ofi_peer *p = from->priv;
    struct ofi_get *g;
    int rc = p->lost ? p->lost : p->error;

    if (!rc)
        rc = op->memory ? -EOPNOTSUPP : ofi_peer_reach(p);
    if (rc || !(g = calloc(1, sizeof *g))) {
        op->done(op, rc ? rc : -ENOMEM);
        return;
    }
    *g = (struct ofi_get) {
        .op.kind = OFI_OP_READ, .next = ofi_dev.gets, .back = &ofi_dev.gets, .from = p, .get = op
    };
    if (g->next)
        g->next->back = &g->next;
    ofi_dev.gets = g;
    if (ofi_needs(FI_MR_LOCAL))
        rc = ofi_register(op->to, op->len, FI_READ, 0, &g->mr);
    if (rc || (rc = read_chunk(g)))
        finish(g, rc < 0 ? ofi_errno(rc) : rc);
}

void ofi_read_done(struct ofi_get *g, int err)
{
    g->done += g->asked;
    if (!err && g->get && g->done < g->get->len && !(err = read_chunk(g)))
        return;
    finish(g, err);
}

/* Starts the reads for which the provider had no room. */
bool ofi_read_more(void)
{
    bool moved = false;

    for (struct ofi_get *g = ofi_dev.gets, *next; g; g = next) {
        next = g->next;
        if (g->asked || !g->get)
            continue;
        int rc = read_chunk(g);
        moved |= rc || g->asked;
        if (rc)
            finish(g, rc);
    }
    return moved;
}

/* Reports all reads from this peer as failed. A read that has begun cannot be cancelled: if the
 * peer is not dead, the provider may still write to the memory, so its record stays until it
 * completes. */
void ofi_drop_reads(struct ofi_peer *p, int err)
{
    for (struct ofi_get *g = ofi_dev.gets, *next; g; g = next) {
        next = g->next;
        if (g->from != p || !g->get)
            continue;
        struct dev_get *get = g->get;
        g->get = NULL;
        if (!g->asked)
            unlink_get(g);
        get->done(get, err);
    }
}

void ofi_free_reads(void)
{
    while (ofi_dev.gets)
        unlink_get(ofi_dev.gets);
}

/* A key that cannot be guessed, for providers that let the caller choose it. */
static uint64_t fresh_key(void)
{
    static unsigned char seed[16];
    static uint64_t count;
    size_t bytes = ofi_dev.info->domain_attr->mr_key_size;

    if (!count && os_random(seed, sizeof seed))
        return ++count;
    count++;
    uint64_t key = ofi_hash(seed, &count, sizeof count);
    return bytes < sizeof key ? key & ((UINT64_C(1) << 8 * bytes) - 1) : key;
}

int ofi_expose(struct dev_peer *to, const struct iovec *mem, uint64_t *addr, uint64_t *key,
               void **handle)
{
    struct fid_mr *mr = NULL;
    int rc = -FI_ENOKEY;

    (void) to;
    for (int tries = 0; tries < 4 && rc == -FI_ENOKEY; tries++) /* retried when the key is in use */
        rc = ofi_register(mem->iov_base, mem->iov_len, FI_REMOTE_READ, fresh_key(), &mr);
    if (rc)
        return ofi_errno(rc);
    *addr = ofi_needs(FI_MR_VIRT_ADDR) ? (uint64_t) (uintptr_t) mem->iov_base : OFFSET;
    *key = fi_mr_key(mr);
    *handle = mr;
    return 0;
}

void ofi_unexpose(void *handle)
{
    struct fid_mr *mr = handle;

    (void) fi_close(&mr->fid);
}
