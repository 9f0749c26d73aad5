/* units.c — parts of the libfabric device without a network: endpoints, cookies, and
 * messages that come in any order, unauthenticated, or broken (P02, X03). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "devices/libfabric/module/ofi_impl.h"

enum { ME = 0, PEER = 1, LEN = 32, MOST = 4096 };

/* ---- what stands for ADI3 and for the provider ----------------------------------------------- */

static struct dev_job job = { .id = 7, .size = 4 }, other_job = { .id = 8, .size = 4 };
static struct dev_peer peer = { .job = &job, .rank = PEER, .local = -1 };
static struct dev_env env;
static uint32_t came[MOST]; /* ctx of the packets that came */
static int ncame, ends, end_error, lost, sent_messages;
static char target_bytes[100000];

static int take(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    (void) payload;
    assert_ptr_equal(from, &peer);
    came[ncame++ % MOST] = pkt->ctx;
    return pkt->tag == 666 ? -EPROTO : 0;
}

static int begin(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target)
{
    (void) from;
    came[ncame++ % MOST] = pkt->ctx;
    target->iov[0] = (struct iovec) { target_bytes, sizeof target_bytes };
    target->iovcnt = pkt->payload <= sizeof target_bytes;
    return 0;
}

static void end(struct dev_target *target, int err)
{
    (void) target;
    ends++;
    end_error = err;
}

static void peer_lost(struct dev_peer *p, int err)
{
    assert_ptr_equal(p, &peer);
    assert_int_equal(lost, 0);
    lost = err;
}

static const struct dev_job *find_job(uint64_t id)
{
    return id == job.id ? &job : id == other_job.id ? &other_job : NULL;
}

static struct dev_peer *find_peer(const struct dev_job *of, int rank)
{
    return of == &job && rank == ME ? &peer : NULL;
}

static const struct dev_upcalls upcalls = { .recv = take,
                                            .recv_begin = begin,
                                            .recv_end = end,
                                            .peer_lost = peer_lost,
                                            .job = find_job,
                                            .peer = find_peer };

static struct ofi_head last_head; /* of what was sent last */

static ssize_t ep_inject(struct fid_ep *ep, const void *buf, size_t len, fi_addr_t to)
{
    (void) ep, (void) to;
    assert_true(len >= sizeof last_head);
    memcpy(&last_head, buf, sizeof last_head);
    sent_messages++;
    return 0;
}

static ssize_t ep_send(struct fid_ep *ep, const void *buf, size_t len, void *desc, fi_addr_t to,
                       void *context)
{
    (void) desc;
    ofi_send_done(OS_OWNER(context, struct ofi_buf, op));
    return ep_inject(ep, buf, len, to);
}

static struct fi_ops_msg messages = { .size = sizeof messages,
                                      .send = ep_send,
                                      .inject = ep_inject };
static struct fid_ep endpoint = { .msg = &messages };
static struct fi_domain_attr domain;
static struct fi_info info = { .domain_attr = &domain };

static struct ofi_peer *p;

static int start(void **state)
{
    (void) state;
    env = (struct dev_env) { .up = &upcalls, .job = &job, .rank = ME };
    memset(job.secret, 0x11, sizeof job.secret);
    ofi_dev =
        (struct ofi_device) { .env = &env, .ep = &endpoint, .info = &info, .inject_size = 64 };
    p = calloc(1, sizeof *p);
    assert_non_null(p);
    *p = (struct ofi_peer) { .peer = &peer, .watch = -1, .probe = -1, .tail = &p->queue };
    p->cookie_in = ofi_cookie_from(&job, PEER);
    ofi_job_find(job.id)->peer[PEER] = p;
    peer.priv = p;
    ncame = ends = end_error = lost = sent_messages = 0;
    return 0;
}

static int stop(void **state)
{
    (void) state;
    ofi_drop_incoming(p, -ECONNRESET);
    free(p);
    for (struct ofi_job *j = ofi_dev.jobs, *next; j; j = next) {
        next = j->next;
        free(j);
    }
    while (ofi_dev.slabs) {
        struct ofi_slab *s = ofi_dev.slabs;
        ofi_dev.slabs = s->next;
        free(s);
    }
    return 0;
}

/* ---- messages -------------------------------------------------------------------------------- */

static size_t head_at(char *to, enum ofi_kind kind, uint32_t number)
{
    const struct ofi_head h = { .cookie = p->cookie_in,
                                .sequence = number,
                                .job = job.id,
                                .from = PEER << OFI_KIND_BITS | (uint32_t) kind };

    memcpy(to, &h, sizeof h);
    return sizeof h;
}

/* A packet with its sequence number in ctx, and `here` bytes of its payload. */
static void arrive(uint32_t number, uint64_t payload, size_t here)
{
    const struct dev_pkt pkt = { .payload = payload, .flags = DEV_PLAIN, .ctx = number };
    char bytes[OFI_MESSAGE_MAX];
    size_t n = head_at(bytes, OFI_PACKET, number);

    memcpy(bytes + n, &pkt, OFI_PLAIN);
    memset(bytes + n + OFI_PLAIN, 'x', here);
    ofi_message_arrived(bytes, n + OFI_PLAIN + here);
}

static void arrive_bare(enum ofi_kind kind, uint32_t number, size_t len)
{
    char bytes[OFI_MESSAGE_MAX];
    size_t n = head_at(bytes, kind, number);

    memset(bytes + n, 'y', len);
    ofi_message_arrived(bytes, n + len);
}

/* Messages in any order that the window allows. */
static void any_order(void **state)
{
    uint32_t order[OFI_WINDOW], number = 0;

    (void) state;
    for (int round = 0; round < 200; round++) {
        uint32_t n = 1 + (uint32_t) rand() % OFI_WINDOW;
        for (uint32_t i = 0; i < n; i++)
            order[i] = number + i;
        for (uint32_t i = n - 1; i > 0; i--) {
            uint32_t k = (uint32_t) rand() % (i + 1), other = order[i];
            order[i] = order[k];
            order[k] = other;
        }
        ncame = 0;
        for (uint32_t i = 0; i < n; i++)
            arrive(order[i], 8, 8);
        assert_int_equal(ncame, n);
        for (uint32_t i = 0; i < n; i++)
            assert_int_equal(came[i], number + i);
        number += n;
        assert_null(p->early);
    }
    assert_int_equal(lost, 0);
}

static void sequence_wraps(void **state)
{
    (void) state;
    p->received = p->ack_sent = UINT32_MAX - 2;
    static const uint32_t order[] = { 2, UINT32_MAX, 0, UINT32_MAX - 1, UINT32_MAX - 2, 1 };
    for (int i = 0; i < 6; i++)
        arrive(order[i], 8, 8);
    assert_int_equal(ncame, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(came[i], UINT32_MAX - 2 + (uint32_t) i);
}

static void lost_by_sequence(uint32_t first, uint32_t second)
{
    arrive(first, 8, 8);
    assert_int_equal(lost, 0);
    arrive(second, 8, 8);
    assert_int_equal(lost, -EPROTO);
    assert_int_equal(last_head.from % (1 << OFI_KIND_BITS), OFI_RESET);
    assert_non_null(ofi_error_text(&peer));
    int before = ncame;
    arrive(1, 8, 8); /* messages of a lost peer are ignored */
    assert_int_equal(ncame, before);
}

static void duplicate(void **state) { (void) state, lost_by_sequence(0, 0); }
static void early_duplicate(void **state) { (void) state, lost_by_sequence(5, 5); }

static void early_is_bounded(void **state)
{
    (void) state;
    for (uint32_t i = 0; i < OFI_WINDOW; i++)
        arrive(i + 1, 8, 8);
    assert_int_equal(lost, 0);
    arrive(OFI_WINDOW + 1, 8, 8);
    assert_int_equal(lost, -EPROTO);
    assert_int_equal(ncame, 0);
}

static void fragments(void **state)
{
    (void) state;
    arrive(0, 1000, 10);
    arrive_bare(OFI_FRAGMENT, 2, 90);
    arrive_bare(OFI_FRAGMENT, 1, 800);
    assert_int_equal(ends, 0);
    arrive_bare(OFI_FRAGMENT, 3, 100);
    assert_true(ends == 1 && end_error == 0 && ncame == 1 && !lost);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(target_bytes[i], i < 10 ? 'x' : 'y');
}

/* Each breaks the protocol in another way. */
static void fragment_of_nothing(void **state) { (void) state, arrive_bare(OFI_FRAGMENT, 0, 10); }
static void packet_cut_short(void **state)
{
    (void) state, arrive_bare(OFI_PACKET, 0, OFI_PLAIN - 1);
}
static void packet_of_nothing(void **state) { (void) state, arrive_bare(OFI_PACKET, 0, 0); }
static void more_than_it_says(void **state) { (void) state, arrive(0, 8, 9); }
static void absurd_payload(void **state) { (void) state, arrive(0, UINT64_MAX, 8); }

static void fragment_too_long(void **state)
{
    (void) state;
    arrive(0, 100, 10);
    arrive_bare(OFI_FRAGMENT, 1, 91);
    assert_true(ends == 1 && end_error == -EPROTO);
}

static void packet_within_another(void **state)
{
    (void) state;
    arrive(0, 100, 10);
    arrive(1, 8, 8);
}

static void acks_too_much(void **state)
{
    struct ofi_head h = {
        .cookie = p->cookie_in, .acked = 1, .job = job.id, .from = PEER << OFI_KIND_BITS | OFI_ACK
    };

    (void) state;
    ofi_message_arrived((const char *) &h, sizeof h);
}

static int was_refused(void **state)
{
    assert_int_equal(lost, -EPROTO);
    return stop(state);
}

/* ---- authentication -------------------------------------------------------------------------- */

static void unauthenticated(void **state)
{
    char bytes[200];

    (void) state;
    for (int i = 0; i < 100000; i++) {
        size_t len = (size_t) rand() % sizeof bytes;
        for (size_t k = 0; k < len; k++)
            bytes[k] = (char) rand();
        ofi_message_arrived(bytes, len);
    }
    for (uint32_t from = 0; from < 8; from++) { /* a valid cookie, but of another rank or of none */
        struct ofi_head h = { .cookie = p->cookie_in,
                              .job = job.id,
                              .from = from << OFI_KIND_BITS | OFI_RESET };
        if (from != PEER)
            ofi_message_arrived((const char *) &h, sizeof h);
        h.job = from % 2 ? other_job.id : UINT64_MAX; /* a job that is known, and one that is not */
        ofi_message_arrived((const char *) &h, sizeof h);
    }
    assert_true(ncame == 0 && lost == 0 && sent_messages == 0 && p->arrivals == 0);
}

/* Any bytes from a peer that knows the secret: at worst the peer is lost. */
static void authenticated_garbage(void **state)
{
    (void) state;
    for (int round = 0; round < 20000; round++) {
        char bytes[200];
        size_t len = sizeof(struct ofi_head) + (size_t) rand() % 100;
        for (size_t k = 0; k < len; k++)
            bytes[k] = rand() % 3 ? 0 : (char) rand();
        head_at(bytes, (enum ofi_kind)(rand() % OFI_KINDS), p->received + (uint32_t) rand() % 3);
        ofi_message_arrived(bytes, len);
        if (lost) {
            (void) stop(state);
            (void) start(state);
        }
    }
}

static void cookies(void **state)
{
    static const unsigned char key[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };

    (void) state;
    assert_true(ofi_hash(key, key, 15) == UINT64_C(0xa129ca6149be45e5)); /* of its authors */
    assert_true(ofi_hash(key, key, 0) == UINT64_C(0x726fdb47dd0e0e31));
    const struct ofi_name a = { 1, 2 }, b = { 1, 3 }, c = { 4, 2 };
    uint64_t before = ofi_cookie(job.secret, a, b);
    assert_true(before == ofi_cookie(job.secret, a, b));
    assert_true(before != ofi_cookie(job.secret, b, a));
    assert_true(before != ofi_cookie(job.secret, c, b));
    assert_true(ofi_cookie(job.secret, a, c) != ofi_cookie(job.secret, c, a));
    for (int i = 0; i < DEV_SECRET; i++) {
        job.secret[i] ^= 1;
        assert_true(ofi_cookie(job.secret, a, b) != before);
        job.secret[i] ^= 1;
    }
}

/* ---- sending --------------------------------------------------------------------------------- */

static void suspicion_has_ended(void **state)
{
    (void) state;
    p->suspected_until = 1;
    p->error = -ETIMEDOUT;
    ofi_peer_lose(p, p->error, "");
    assert_true(lost == -ETIMEDOUT && p->reset_until);
}

static void window(void **state)
{
    const struct dev_pkt pkt = { .flags = DEV_PLAIN };

    (void) state;
    for (int i = 0; i < OFI_WINDOW; i++)
        assert_int_equal(ofi_inject(&peer, &pkt, NULL), 0);
    assert_int_equal(ofi_inject(&peer, &pkt, NULL), DEV_AGAIN);
    struct ofi_head h = {
        .cookie = p->cookie_in, .acked = 3, .job = job.id, .from = PEER << OFI_KIND_BITS | OFI_ACK
    };
    ofi_message_arrived((const char *) &h, sizeof h);
    h.acked = 2; /* overtaken */
    ofi_message_arrived((const char *) &h, sizeof h);
    for (int i = 0; i < 3; i++)
        assert_int_equal(ofi_inject(&peer, &pkt, NULL), 0);
    assert_int_equal(ofi_inject(&peer, &pkt, NULL), DEV_AGAIN);
    assert_int_equal(sent_messages, OFI_WINDOW + 3);
    assert_int_equal(lost, 0);
}

/* A process that sends nothing acknowledges in time. */
static void acks_in_time(void **state)
{
    (void) state;
    for (uint32_t i = 0; i < 10 * OFI_WINDOW; i++) {
        arrive(i, 8, 8);
        assert_true(i + 1 - last_head.acked < OFI_WINDOW || sent_messages == 0);
    }
    assert_int_equal(sent_messages, 20);
}

/* ---- endpoints ------------------------------------------------------------------------------- */

static void round_trip(void **state)
{
    struct ofi_endpoint out = {
        .provider = "verbs;ofi_rxm", .format = 0xffffffff, .mode = 3, .port = 0xfffe, .probe = 3
    };
    struct ofi_endpoint in;
    char text[DEV_ENDPOINT_MAX];

    (void) state;
    for (size_t len = 1; len <= OFI_ADDRESS; len++) {
        out.len = len;
        out.address[len - 1] = (unsigned char) (len * 37);
        assert_int_equal(ofi_endpoint_write(&out, text), 0);
        assert_true(strlen("libfabric:") + strlen(text) < DEV_ENDPOINT_MAX);
        assert_int_equal(strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_+-"), strlen(text));
        assert_int_equal(ofi_endpoint_parse(text, &in), 0);
        assert_memory_equal(&in, &out, sizeof in);
    }
    out.len = OFI_ADDRESS + 1;
    assert_int_equal(ofi_endpoint_write(&out, text), -ENAMETOOLONG);
}

static void bad_endpoints(void **state)
{
    static const char *const bad[] = {
        "",
        "o2",
        "o2-",
        "o1-tcp-1-0-0-0-00",
        "o2-tcp-1-0-0-0-",
        "o2-tcp-1-0-0-0",
        "o2-tcp-1-0-0-0-0",
        "o2-tcp-1-0-0-0-0g",
        "o2-tcp-1-0-0-0-00-",
        "o2-tcp-1-0-0-0-00 ",
        "o2--1-0-0-0-00",
        "o2-t cp-1-0-0-0-00",
        "o2-tcp--0-0-0-00",
        "o2-tcp-100000000-0-0-0-00",
        "o2-tcp-1-0-10000-0-00",
        "o2-tcp-1-0-0-10000-00",
        "o2-tcp-1-0-0-0-AA",
        "o2-tcp-x-0-0-0-00",
        "O2-tcp-1-0-0-0-00",
        "o2-t\xc3\xa9-1-0-0-0-00",
        "o2-aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee-1-0-0-0-00",
    };
    char text[DEV_ENDPOINT_MAX] = "o2-tcp-1-0-0-0-";
    struct ofi_endpoint endpoint;

    (void) state;
    assert_int_equal(ofi_endpoint_parse("o2-tcp-1-0-0-0-00", &endpoint), 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(ofi_endpoint_parse(bad[i], &endpoint), -EPROTO);
    memset(text + strlen(text), 'a', 2 * OFI_ADDRESS + 2); /* an address that is too long */
    assert_int_equal(ofi_endpoint_parse(text, &endpoint), -EPROTO);
    memset(text, 'a', sizeof text); /* no end */
    assert_int_equal(ofi_endpoint_parse(text, &endpoint), -EPROTO);
}

/* A good endpoint with some bytes changed: parsed or refused, within its bounds. */
static void mangled_endpoints(void **state)
{
    (void) state;
    for (int i = 0; i < 100000; i++) {
        char text[DEV_ENDPOINT_MAX] =
            "o2-tcp+ofi_rxm-2-0-9c40-9c41-02009c407f0000010000000000000000";
        struct ofi_endpoint endpoint;
        for (int k = rand() % 4; k >= 0; k--)
            text[(size_t) rand() % strlen(text)] = (char) (1 + rand() % 127);
        if (!ofi_endpoint_parse(text, &endpoint))
            assert_true(endpoint.len <= OFI_ADDRESS && strlen(endpoint.provider) < OFI_PROVIDER);
    }
}

#define ON_PEER(test) cmocka_unit_test_setup_teardown(test, start, stop)
#define REFUSED(test) cmocka_unit_test_setup_teardown(test, start, was_refused)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_PEER(any_order),
        ON_PEER(sequence_wraps),
        ON_PEER(duplicate),
        ON_PEER(early_duplicate),
        ON_PEER(early_is_bounded),
        ON_PEER(fragments),
        REFUSED(fragment_of_nothing),
        REFUSED(packet_cut_short),
        REFUSED(packet_of_nothing),
        REFUSED(more_than_it_says),
        REFUSED(absurd_payload),
        REFUSED(fragment_too_long),
        REFUSED(packet_within_another),
        REFUSED(acks_too_much),
        ON_PEER(unauthenticated),
        ON_PEER(authenticated_garbage),
        ON_PEER(cookies),
        ON_PEER(suspicion_has_ended),
        ON_PEER(window),
        ON_PEER(acks_in_time),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(bad_endpoints),
        cmocka_unit_test(mangled_endpoints),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
