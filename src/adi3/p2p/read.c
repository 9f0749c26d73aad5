/* read.c — announced messages that are matched: the receiver reads them out of the sender's memory,
 * or asks for them by CTS. */
#include "adi3/p2p/p2p_impl.h"

enum { READ_AT_ONCE = 1 << 18 }; /* bytes of a poll, before it returns to other sources */

static void ask_for(struct adi3_request *r, const struct dev_pkt *rts)
{
    const struct dev_pkt cts = {
        .type = PKT_CTS, .len = r->got, .sreq = rts->sreq, .rreq = (uint32_t) r->handle
    };

    r->awaits = PKT_DATA;
    int rc = p2p_control(r->peer, &cts);
    if (rc)
        proto_finish(r, rc);
}

/* Messages that progress_poll() is going to read, in the op of their requests. So a call that posts
 * a receive does not stop for the copy, and two processes that exchange messages copy both ways at
 * the same time. */
struct dev_send *proto_reads;
static struct dev_send **last_read = &proto_reads;

int p2p_reading;

static void read_done(struct dev_get *get, int err)
{
    struct adi3_request *r = OS_OWNER(get, struct adi3_request, get);

    p2p_reading--;
    noncontig_free(r->there);
    if (err) {
        ask_for(r, &r->op.pkt);
        return;
    }
    proto_fin(r->peer, r->op.pkt.sreq);
    proto_finish(r, 0);
}

static void read_message(struct adi3_request *r)
{
    const struct dev_pkt *rts = &r->op.pkt;
    const struct adi3_proc *from = proc_of(r->peer);

    r->get = (struct dev_get) { .to = r->bytes,
                                .memory = r->scattered ? &r->memory : NULL,
                                .addr = rts->addr,
                                .key = r->there ? rts->sreq : rts->key,
                                .there = r->there,
                                .len = r->got,
                                .done = read_done };
    if (from->lost) { /* not read: another process may have its process id by now */
        noncontig_free(r->there);
        proto_finish(r, from->lost);
        return;
    }
    p2p_reading++;
    if (r->got == 0)
        read_done(&r->get, 0);
    else
        proc_device(from)->get(r->peer, &r->get);
}

static bool read_some(void)
{
    bool any = proto_reads != NULL;

    for (size_t bytes = 0; proto_reads && bytes < READ_AT_ONCE;) {
        struct adi3_request *r = OS_OWNER(proto_reads, struct adi3_request, op);
        if (!(proto_reads = proto_reads->next))
            last_read = &proto_reads;
        bytes += r->got;
        read_message(r);
    }
    if (!proto_reads)
        progress_unwant(&read_source);
    return any;
}

struct progress_source read_source = { .name = "read", .poll = read_some };

void proto_accept(struct adi3_request *r, const struct dev_pkt *rts, const void *payload)
{
    assert(adi3_lock_held() && r->kind == ADI3_RECV && r->state == ADI3_ACTIVE && r->peer);
    bool exposed = rts->addr && r->peer->can_get;

    r->there = exposed && rts->payload ? noncontig_read(payload, rts->payload, rts->len) : NULL;
    if (!exposed || (rts->payload && !r->there)) {
        ask_for(r, rts);
        return;
    }
    r->op.pkt = *rts;
    r->op.next = NULL;
    *last_read = &r->op;
    last_read = &r->op.next;
    progress_want(&read_source);
}
