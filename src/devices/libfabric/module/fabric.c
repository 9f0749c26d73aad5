/* fabric.c — the objects of libfabric that the device uses, and its message buffers. One endpoint
 * reaches all peers. */
#include <rdma/fi_cm.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "devices/libfabric/module/ofi_impl.h"

enum { LOT = 16, COMPLETIONS = 4096 };

static void fid_close(struct fid *fid)
{
    if (fid)
        (void) fi_close(fid);
}

/* Sleeping needs a descriptor of the queue, which a provider may not have. */
static int open_cq(void)
{
    struct fi_cq_attr a = { .size = COMPLETIONS,
                            .format = FI_CQ_FORMAT_MSG,
                            .wait_obj = FI_WAIT_FD };
    int rc = fi_cq_open(ofi_dev.domain, &a, &ofi_dev.cq, NULL);

    if (!rc && fi_control(&ofi_dev.cq->fid, FI_GETWAIT, &ofi_dev.cq_fd)) {
        (void) fi_close(&ofi_dev.cq->fid);
        rc = -FI_ENOSYS;
    }
    if (!rc)
        return 0;
    ofi_dev.cq = NULL;
    ofi_dev.cq_fd = -1;
    a.wait_obj = FI_WAIT_NONE;
    return fi_cq_open(ofi_dev.domain, &a, &ofi_dev.cq, NULL);
}

static int try_endpoint(void)
{
    int rc = fi_endpoint(ofi_dev.domain, ofi_dev.info, &ofi_dev.ep, NULL);

    if (!rc)
        rc = fi_ep_bind(ofi_dev.ep, &ofi_dev.av->fid, 0);
    if (!rc)
        rc = fi_ep_bind(ofi_dev.ep, &ofi_dev.cq->fid, FI_TRANSMIT | FI_RECV);
    if (!rc)
        rc = fi_enable(ofi_dev.ep);
    return rc;
}

/* Provider shm of libfabric 1.17 names its memory by the pid. When a killed process had the pid
 * of this one, its memory is still there, and the endpoint is refused as busy. That attempt
 * removes the memory, so a second one succeeds. */
static int open_endpoint(void)
{
    struct fi_av_attr av = { .type = ofi_dev.info->domain_attr->av_type };
    int rc = fi_av_open(ofi_dev.domain, &av, &ofi_dev.av, NULL);

    if (rc)
        return rc;
    rc = try_endpoint();
    if (rc != -FI_EBUSY)
        return rc;
    fid_close(ofi_dev.ep ? &ofi_dev.ep->fid : NULL);
    ofi_dev.ep = NULL;
    return try_endpoint();
}

static int fill_endpoint(void)
{
    struct ofi_endpoint *c = &ofi_dev.endpoint;
    const char *name = ofi_dev.info->fabric_attr->prov_name;
    const uint16_t one = 1;
    size_t len = sizeof c->address;

    if (strlen(name) >= sizeof c->provider)
        return -FI_ETOOSMALL;
    memcpy(c->provider, name, strlen(name) + 1);
    c->format = ofi_dev.info->addr_format;
    c->mode = (ofi_needs(FI_MR_VIRT_ADDR) ? OFI_VIRTUAL : 0u)
              | (*(const unsigned char *) &one ? 0u : OFI_BIG_ENDIAN);
    int rc = fi_getname(&ofi_dev.ep->fid, c->address, &len);
    c->len = len;
    return rc;
}

void ofi_post_receive(struct ofi_buf *b)
{
    b->op.kind = OFI_OP_RECEIVE;
    if (!fi_recv(ofi_dev.ep, b->bytes, OFI_MESSAGE_MAX, b->desc, FI_ADDR_UNSPEC, &b->op))
        return;
    b->next = ofi_dev.unposted;
    ofi_dev.unposted = b;
    ofi_dev.retry_needed = true;
}

static int post_receives(void)
{
    for (int i = 0; i < OFI_RECEIVES; i++) {
        struct ofi_buf *b = ofi_buf_new();
        if (!b)
            return -FI_ENOMEM;
        ofi_post_receive(b);
    }
    return 0;
}

int ofi_open_fabric(void)
{
    int rc = fi_fabric(ofi_dev.info->fabric_attr, &ofi_dev.fabric, NULL);

    if (rc)
        return ofi_error("opening the fabric", rc);
    rc = fi_domain(ofi_dev.fabric, ofi_dev.info, &ofi_dev.domain, NULL);
    if (rc)
        return ofi_error("opening the domain", rc);
    rc = open_cq();
    if (rc)
        return ofi_error("opening a completion queue", rc);
    rc = open_endpoint();
    if (rc)
        return ofi_error("opening an endpoint", rc);
    rc = fill_endpoint();
    if (rc)
        return ofi_error("asking for the local address", rc);
    ofi_atomic_query();
    ofi_dev.inject_size = ofi_dev.info->tx_attr->inject_size;
    rc = post_receives();
    if (rc)
        return ofi_error("allocating message buffers (is `ulimit -l` too low?)", rc);
    return 0;
}

void ofi_close_fabric(void)
{
    fid_close(ofi_dev.ep ? &ofi_dev.ep->fid : NULL);
    for (struct ofi_slab *s = ofi_dev.slabs, *next; s; s = next) {
        next = s->next;
        fid_close(s->mr ? &s->mr->fid : NULL);
        free(s);
    }
    fid_close(ofi_dev.av ? &ofi_dev.av->fid : NULL);
    fid_close(ofi_dev.cq ? &ofi_dev.cq->fid : NULL);
    fid_close(ofi_dev.domain ? &ofi_dev.domain->fid : NULL);
    fid_close(ofi_dev.fabric ? &ofi_dev.fabric->fid : NULL);
    fi_freeinfo(ofi_dev.info);
}

int ofi_register(const void *mem, size_t len, uint64_t access, uint64_t key, struct fid_mr **mr)
{
    int rc = fi_mr_reg(ofi_dev.domain, mem, len, access, 0, key, 0, mr, NULL);

    if (rc || !ofi_needs(FI_MR_ENDPOINT))
        return rc;
    rc = fi_mr_bind(*mr, &ofi_dev.ep->fid, 0);
    if (!rc)
        rc = fi_mr_enable(*mr);
    if (rc)
        (void) fi_close(&(*mr)->fid);
    return rc;
}

static bool make_lot(void)
{
    size_t len = sizeof(struct ofi_slab) + LOT * sizeof(struct ofi_buf);
    struct ofi_slab *s = aligned_alloc(OS_LINE, len);

    if (!s)
        return false;
    memset(s, 0, sizeof *s);
    if (ofi_needs(FI_MR_LOCAL)
        && ofi_register(s->buf, len - sizeof *s, FI_SEND | FI_RECV, 0, &s->mr)) {
        free(s);
        return false;
    }
    s->next = ofi_dev.slabs;
    ofi_dev.slabs = s;
    for (int i = 0; i < LOT; i++) {
        struct ofi_buf *b = &s->buf[i];
        memset(b, 0, offsetof(struct ofi_buf, bytes));
        b->desc = s->mr ? fi_mr_desc(s->mr) : NULL;
        b->next = ofi_dev.free;
        ofi_dev.free = b;
    }
    ofi_dev.buffers += LOT;
    return true;
}

struct ofi_buf *ofi_buf_new(void)
{
    struct ofi_buf *b;

    if (!ofi_dev.free && !make_lot())
        return NULL;
    b = ofi_dev.free;
    ofi_dev.free = b->next;
    return b;
}
