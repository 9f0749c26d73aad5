/* traffic.c — messages that know what they must look like when they arrive.
 *
 * A message's number is in its header; header and payload follow from it and the two ranks. */
#include <stdlib.h>
#include <string.h>
#include "traffic.h"
#include "rig.h"

enum { OTHER_FLAGS = 0x50, TYPE = 7, PAD = 0x1234, BLOCK = 4096 };

static uint32_t sent[RIG_MAX], got[RIG_MAX];
static int pending, failed, open_targets[RIG_MAX], broken_payloads, lost[RIG_MAX],
    lost_error[RIG_MAX];
static uint64_t again;
static size_t last_size;
int traffic_echo, traffic_follow;
bool traffic_expect_loss, traffic_refuse;

void traffic_reset(void)
{
    memset(sent, 0, sizeof sent);
    memset(got, 0, sizeof got);
    memset(lost, 0, sizeof lost);
    memset(open_targets, 0, sizeof open_targets);
    pending = failed = broken_payloads = traffic_echo = traffic_follow = 0;
    again = 0;
    traffic_expect_loss = traffic_refuse = false;
}

int traffic_pending(void) { return pending; }
int traffic_failed(void) { return failed; }
uint32_t traffic_got(int from) { return got[from]; }
uint32_t traffic_sent(int to) { return sent[to]; }
size_t traffic_last_size(void) { return last_size; }
int traffic_lost(int rank) { return lost[rank]; }
int traffic_lost_error(int rank) { return lost_error[rank]; }
int traffic_open_targets(int from) { return open_targets[from]; }
int traffic_broken_payloads(void) { return broken_payloads; }
uint64_t traffic_again(void) { return again; }

bool traffic_idle(void)
{
    int targets = 0;

    for (int i = 0; i < RIG_MAX; i++)
        targets += open_targets[i];
    return !pending && !targets;
}

/* ---- what a message looks like ---- */

static struct dev_pkt header(int from, int to, uint32_t number, size_t size)
{
    struct dev_pkt p = {
        .payload = size, .type = TYPE, .flags = OTHER_FLAGS, .ctx = number, .rank = from, .tag = to
    };

    if (number % 2) {
        p.flags |= DEV_PLAIN;
        p.len = size;
    } else {
        p.pad = PAD;
        p.len = size + 12345;
        p.sreq = number ^ 0x5a5a5a5a;
        p.rreq = ~number;
        p.addr = UINT64_C(0x123456789abcdef) + number;
        p.key = UINT64_MAX - number;
    }
    return p;
}

/* Bytes off.. of the payload; off is a multiple of 8. */
static void pattern(int from, int to, uint32_t number, size_t off, void *buf, size_t len)
{
    uint64_t seed = (uint64_t) from << 40 ^ (uint64_t) to << 36 ^ number;
    uint64_t word = (seed + off / 8) * UINT64_C(0x9e3779b97f4a7c15);
    char *p = buf;

    for (; len; word += UINT64_C(0x9e3779b97f4a7c15)) {
        size_t n = len < 8 ? len : 8;
        uint64_t mixed = word ^ word >> 29;
        memcpy(p, &mixed, n);
        p += n;
        len -= n;
    }
}

static void check_payload(const struct dev_pkt *pkt, const char *payload, size_t len)
{
    char want[BLOCK];

    for (size_t off = 0; off < len; off += BLOCK) {
        size_t n = len - off < BLOCK ? len - off : BLOCK;
        pattern(pkt->rank, pkt->tag, pkt->ctx, off, want, n);
        CHECK(!memcmp(want, payload + off, n));
    }
}

static void check_header(const struct dev_peer *from, const struct dev_pkt *pkt)
{
    struct dev_pkt want = header(from->rank, rig.rank, got[from->rank], (size_t) pkt->payload);

    CHECK(lost[from->rank] == 0);
    CHECK(pkt->ctx == want.ctx); /* else: lost, doubled or overtaken */
    CHECK(pkt->payload == want.payload && pkt->type == want.type && pkt->pad == want.pad);
    CHECK(pkt->flags == want.flags && pkt->rank == want.rank && pkt->tag == want.tag);
    if (pkt->flags & DEV_PLAIN) /* nothing else means anything */
        return;
    CHECK(pkt->len == want.len && pkt->sreq == want.sreq && pkt->rreq == want.rreq);
    CHECK(pkt->addr == want.addr && pkt->key == want.key);
}

/* ---- memory in many pieces ---- */

struct backwards { /* the first byte is the last */
    struct dev_memory memory;
    char *end;
    size_t len;
};

static const struct backwards *backwards_of(const struct dev_memory *m, size_t at, size_t *len)
{
    const struct backwards *b = OS_OWNER(m, const struct backwards, memory);
    size_t left = at < b->len ? b->len - at : 0;

    *len = *len < left ? *len : left;
    return b;
}

static void gather(const struct dev_memory *m, size_t at, void *to, size_t len)
{
    const struct backwards *b = backwards_of(m, at, &len);

    for (size_t i = 0; i < len; i++)
        ((char *) to)[i] = *(b->end - 1 - at - i);
}

static void scatter(const struct dev_memory *m, size_t at, const void *from, size_t len)
{
    const struct backwards *b = backwards_of(m, at, &len);

    for (size_t i = 0; i < len; i++)
        *(b->end - 1 - at - i) = ((const char *) from)[i];
}

static const struct dev_memory *backwards(struct backwards *b, char *bytes, size_t len)
{
    *b = (struct backwards) { { gather, scatter, NULL }, bytes + len, len };
    return &b->memory;
}

static void turn(char *bytes, size_t len)
{
    for (size_t i = 0; i < len / 2; i++) {
        char c = bytes[i];
        bytes[i] = bytes[len - 1 - i];
        bytes[len - 1 - i] = c;
    }
}

/* ---- sending ---- */

struct out {
    struct dev_send op;
    struct backwards backwards;
    char payload[];
};

static void done(struct dev_send *op, int err);

/* Cuts the payload into 0 to DEV_IOV_MAX parts, some of them empty. */
static void cut(struct out *o, size_t size, uint32_t number)
{
    int parts = size ? 1 + (int) (number % DEV_IOV_MAX) : 0;
    size_t at = 0;

    for (int i = 0; i < parts; i++) {
        size_t len = i == parts - 1 ? size - at : (size - at) / 3;
        o->op.iov[i] = (struct iovec) { o->payload + at, len };
        at += len;
    }
    o->op.iovcnt = parts;
}

static void send_op(int to, size_t size)
{
    struct out *o = malloc(sizeof *o + size);

    CHECK(o);
    o->op = (struct dev_send) { .pkt = header(rig.rank, to, sent[to], size), .done = done };
    pattern(rig.rank, to, sent[to], 0, o->payload, size);
    if (sent[to] % 6 == 5) {
        turn(o->payload, size);
        o->op.memory = backwards(&o->backwards, o->payload, size);
    } else {
        cut(o, size, sent[to]);
    }
    sent[to]++;
    pending++;
    rig.dev->send(rig_peer(to), &o->op);
}

bool traffic_try_inject(int to, size_t size)
{
    char payload[16384];
    struct dev_pkt pkt = header(rig.rank, to, sent[to], size);

    CHECK(size <= sizeof payload && size <= rig.limits.inject_max);
    pattern(rig.rank, to, sent[to], 0, payload, size);
    int rc = rig.dev->inject(rig_peer(to), &pkt, size ? payload : NULL);
    CHECK(rc == 0 || rc == DEV_AGAIN || traffic_expect_loss);
    memset(payload, 0xee, size); /* it was copied */
    if (rc == DEV_AGAIN)
        again++;
    if (rc == 0)
        sent[to]++;
    return rc == 0;
}

/* What follows is small or large, injected or sent, in turn. */
static void follow(int to)
{
    if (traffic_follow <= 0)
        return;
    int n = traffic_follow--;
    if (n % 2 || !traffic_try_inject(to, 40))
        send_op(to, n % 3 ? 10 : 50000);
}

static void done(struct dev_send *op, int err)
{
    int to = op->pkt.tag;

    CHECK(err <= 0);
    CHECK(!err || traffic_expect_loss);
    pending--;
    failed += err != 0;
    free(OS_OWNER(op, struct out, op));
    if (!err)
        follow(to);
}

void traffic_send(int to, size_t size, enum traffic_how how)
{
    if (how == INJECT && size <= rig.limits.inject_max && size <= 16384)
        RIG_WAIT(traffic_try_inject(to, size));
    else
        send_op(to, size);
}

/* ---- receiving ---- */

struct in {
    struct dev_pkt pkt;
    int from;
    size_t room;
    struct backwards backwards;
    char payload[];
};

/* An answer leaves from within the upcall, which may not poll: what is not injected is sent. */
static void arrived(int from, size_t size)
{
    got[from]++;
    last_size = size;
    if (traffic_echo <= 0)
        return;
    traffic_echo--;
    if (size > rig.limits.inject_max || got[from] % 3 == 0 || !traffic_try_inject(from, size))
        send_op(from, size);
}

int traffic_recv(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    if (traffic_refuse)
        return -1;
    check_header(from, pkt);
    check_payload(pkt, payload, (size_t) pkt->payload);
    arrived(from->rank, (size_t) pkt->payload);
    return 0;
}

/* Sinks of every shape: whole, in parts, too short, none, too long, backwards. */
static void shape(struct dev_target *target, struct in *in, uint32_t number)
{
    size_t size = (size_t) in->pkt.payload, third = size / 3;

    if (number % 7 == 6)
        target->memory = backwards(&in->backwards, in->payload, size);
    switch (target->memory ? 3 : number % 5) {
    case 1:
        target->iov[0] = (struct iovec) { in->payload, third };
        target->iov[1] = (struct iovec) { in->payload + third, 0 };
        target->iov[2] = (struct iovec) { in->payload + third, 1 };
        target->iov[3] = (struct iovec) { in->payload + third + 1, size - third - 1 };
        target->iovcnt = 4;
        break;
    case 2:
        in->room = third;
        target->iov[0] = (struct iovec) { in->payload, third / 2 };
        target->iov[1] = (struct iovec) { in->payload + third / 2, third - third / 2 };
        target->iovcnt = 2;
        break;
    case 3:
        in->room = target->memory ? size : 0;
        break;
    default:
        target->iov[0] = (struct iovec) { in->payload, size + (number % 5 == 4 ? 8 : 0) };
        target->iovcnt = 1;
    }
}

int traffic_recv_begin(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target)
{
    if (traffic_refuse)
        return -1;
    check_header(from, pkt);
    CHECK(pkt->payload > 0);
    struct in *in = malloc(sizeof *in + (size_t) pkt->payload + 8);
    CHECK(in);
    in->pkt = *pkt;
    in->from = from->rank;
    in->room = (size_t) pkt->payload;
    memset(in->payload + pkt->payload, 0x77, 8);
    *target = (struct dev_target) { .iovcnt = 0, .cookie = in };
    shape(target, in, pkt->ctx);
    open_targets[in->from]++;
    return 0;
}

void traffic_recv_end(struct dev_target *target, int err)
{
    struct in *in = target->cookie;
    size_t size = (size_t) in->pkt.payload;

    CHECK(err <= 0);
    CHECK(!err || traffic_expect_loss);
    open_targets[in->from]--;
    if (err) {
        CHECK(lost[in->from] == 0); /* comes before peer_lost */
        broken_payloads++;
    } else {
        if (target->memory)
            turn(in->payload, size);
        check_payload(&in->pkt, in->payload, in->room);
        CHECK(!memcmp(in->payload + size, "\x77\x77\x77\x77\x77\x77\x77\x77", 8));
        arrived(in->from, size);
    }
    free(in);
}

void traffic_peer_lost(struct dev_peer *peer, int err)
{
    CHECK(traffic_expect_loss);
    CHECK(err < 0);
    CHECK(lost[peer->rank]++ == 0);
    lost_error[peer->rank] = err;
}
