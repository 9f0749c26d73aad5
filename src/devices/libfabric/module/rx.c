/* rx.c — messages that arrive, put in order, become packets.
 *
 * Nothing of a message is looked at before its cookie is right. Providers complete in order what is
 * as short as our pieces; where one does not, what came too early waits. */
#include <stdlib.h>
#include <string.h>
#include "iov.h"
#include "ofi_impl.h"

enum { HEAD = sizeof(struct ofi_head) };

void ofi_await(struct ofi_buf *b)
{
    b->op.what = OFI_RECEIVES_ONE;
    if (!fi_recv(ofi_dev.ep, b->bytes, OFI_PIECE, b->desc, FI_ADDR_UNSPEC, &b->op))
        return;
    b->next = ofi_dev.unposted;
    ofi_dev.unposted = b;
    ofi_dev.stuck = true;
}

void ofi_forget_partial(struct ofi_peer *p, int err)
{
    while (p->held) {
        struct ofi_held *h = p->held;
        p->held = h->next;
        free(h);
    }
    p->nheld = 0;
    if (!p->partial)
        return;
    p->partial = false;
    ofi_dev.env->up->recv_end(&p->target, err);
}

/* It hears that we do not listen any more. */
static void refuse(struct ofi_peer *p, int err, const char *why)
{
    if (!p->lost)
        (void) ofi_say(p, OFI_GONE);
    ofi_peer_lose(p, err, why);
}

static void pour(struct ofi_peer *p, const char *bytes, size_t n)
{
    iov_scatter(&p->target, p->filled, bytes, n);
    p->filled += n;
    if (p->filled < p->payload)
        return;
    p->partial = false;
    ofi_dev.env->up->recv_end(&p->target, 0);
}

static void begin(struct ofi_peer *p, const struct dev_pkt *pkt, const char *bytes, size_t n)
{
    p->target = (struct dev_target) { .iovcnt = 0 };
    int rc = ofi_dev.env->up->recv_begin(p->peer, pkt, &p->target);

    if (rc < 0) {
        refuse(p, rc, "a packet that breaks the protocol came from it");
        return;
    }
    p->partial = true;
    p->payload = pkt->payload;
    p->filled = 0;
    if (n)
        pour(p, bytes, n);
}

static void take_packet(struct ofi_peer *p, const char *bytes, size_t len)
{
    struct dev_pkt pkt = { .payload = 0 };
    int rc = -EPROTO;

    memcpy(&pkt, bytes, len < OFI_PLAIN ? len : OFI_PLAIN);
    size_t head = pkt.flags & DEV_PLAIN ? (size_t) OFI_PLAIN : sizeof pkt;
    bool sane = len >= head && pkt.payload <= INT64_MAX && pkt.payload >= len - head && !p->partial;
    if (sane && pkt.payload > len - head) {
        memcpy(&pkt, bytes, head);
        begin(p, &pkt, bytes + head, len - head);
        return;
    }
    if (sane) {
        memcpy(&pkt, bytes, head);
        rc = ofi_dev.env->up->recv(p->peer, &pkt, bytes + head);
    }
    if (rc < 0)
        refuse(p, rc, "a packet that breaks the protocol came from it");
}

static void take_part(struct ofi_peer *p, const char *bytes, size_t len)
{
    if (p->partial && len && len <= p->payload - p->filled)
        pour(p, bytes, len);
    else
        refuse(p, -EPROTO, "a piece of no message came from it");
}

static void take_bye(struct ofi_peer *p)
{
    p->bye_came = true;
    p->answer = ofi_say(p, OFI_HEARD) != 0;
    if (p->answer)
        ofi_later(p);
}

/* The next one in order. A peer that ADI3 has deleted can only part from us. */
static void take(struct ofi_peer *p, enum ofi_kind kind, const char *bytes, size_t len)
{
    p->got++;
    if (kind == OFI_BYE)
        take_bye(p);
    else if (!p->peer)
        return;
    else if (kind == OFI_PACKET)
        take_packet(p, bytes, len);
    else
        take_part(p, bytes, len);
}

/* ---- order ----------------------------------------------------------------------------------- */

static void hold(struct ofi_peer *p, const struct ofi_head *head, const char *bytes, size_t len)
{
    struct ofi_held **at = &p->held, *h = malloc(sizeof *h + len);

    while (*at && (int32_t) ((*at)->number - head->number) < 0)
        at = &(*at)->next;
    if (!h || p->nheld == OFI_WINDOW || (*at && (*at)->number == head->number)) {
        free(h);
        refuse(p, h ? -EPROTO : -ENOMEM, "its messages come twice, or one of them does not come");
        return;
    }
    *h = (struct ofi_held) { .next = *at,
                             .number = head->number,
                             .kind = (enum ofi_kind)(head->from % (1 << OFI_KIND_BITS)),
                             .len = len };
    memcpy(h->bytes, bytes, len);
    *at = h;
    p->nheld++;
}

static void release_held(struct ofi_peer *p)
{
    while (p->held && p->held->number == p->got && !p->lost) {
        struct ofi_held *h = p->held;
        p->held = h->next;
        p->nheld--;
        take(p, h->kind, h->bytes, h->len);
        free(h);
    }
}

static void numbered(struct ofi_peer *p, const struct ofi_head *head, const char *bytes, size_t len)
{
    int32_t early = (int32_t) (head->number - p->got);

    if (early < 0) {
        refuse(p, -EPROTO, "a message came twice from it");
    } else if (early > 0) {
        hold(p, head, bytes, len);
    } else {
        take(p, (enum ofi_kind)(head->from % (1 << OFI_KIND_BITS)), bytes, len);
        release_held(p);
    }
}

/* The peer that has sent this, NULL when it is a stranger's. */
static struct ofi_peer *sender(const struct ofi_head *head)
{
    const struct dev_env *env = ofi_dev.env;
    uint32_t from = head->from >> OFI_KIND_BITS;

    if (from >= (uint32_t) env->world_size)
        return NULL;
    struct ofi_peer *p = ofi_dev.peer[from];
    uint64_t cookie = p ? p->in : ofi_cookie(env->secret, (int) from, env->world_rank);
    if (cookie != head->cookie)
        return NULL;
    return p ? p : ofi_peer_find((int) from);
}

/* One that was overtaken tells less than we know. */
static bool take_room(struct ofi_peer *p, uint32_t taken)
{
    int32_t more = (int32_t) (taken - p->taken);

    if (more > (int32_t) (p->sent - p->taken)) {
        refuse(p, -EPROTO, "it says that it has taken more than was sent to it");
        return false;
    }
    p->taken += more > 0 ? (uint32_t) more : 0;
    return true;
}

void ofi_arrived(const char *bytes, size_t len)
{
    struct ofi_head head;

    if (len < HEAD)
        return;
    memcpy(&head, bytes, HEAD);
    struct ofi_peer *p = sender(&head);
    if (!p || p->lost)
        return;
    p->heard++;
    if (!take_room(p, head.taken))
        return;
    switch ((enum ofi_kind)(head.from % (1 << OFI_KIND_BITS))) {
    case OFI_PACKET:
    case OFI_PART:
    case OFI_BYE:
        numbered(p, &head, bytes + HEAD, len - HEAD);
        ofi_tell_room(p);
        break;
    case OFI_HEARD:
        p->bye_heard = true;
        break;
    case OFI_GONE:
        ofi_peer_lose(p, -ECONNRESET, "it has given us up");
        break;
    case OFI_ROOM:
    case OFI_PING:
    case OFI_KINDS:
        break;
    }
}
