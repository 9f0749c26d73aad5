/* packets.c — any sequence of packets from peers, between any sends and receives of ours: ADI3
 * takes or refuses them, and when the peers are lost every request is done. */
#include <errno.h>
#include "fake.h"
#include "fuzz.h"

enum { MOST = 24, ROOM = 9000 };

struct play {
    struct feed feed;
    struct adi3_request *live[MOST];
    char *buffer[MOST];
    int count;
    bool lost[FAKE_SIZE];
};

static char payload[ROOM];

static size_t some_length(struct play *p)
{
    static const uint16_t lengths[] = { 0, 1, 8, 100, 512, 4096, 4097, 8999 };

    return lengths[feed_byte(&p->feed) % 8];
}

static void post(struct play *p, bool receives)
{
    int rank = 1 + feed_byte(&p->feed) % 2, tag = feed_byte(&p->feed) % 4;
    size_t len = some_length(p);

    if (p->count == MOST || (!receives && p->lost[rank]))
        return;
    char *buffer = malloc(len + 1); /* exactly, for the sanitizer */
    MUST(buffer);
    memset(buffer, 'x', len);
    p->buffer[p->count] = buffer;
    if (receives)
        p->live[p->count++] =
            fake_irecv(buffer, len, tag == 3 ? MPI_ANY_SOURCE : rank, tag == 2 ? MPI_ANY_TAG : tag);
    else
        p->live[p->count++] =
            fake_isend(buffer, len, rank, tag, tag == 3 ? ADI3_SYNC : ADI3_STANDARD);
}

/* The handle of a request of ours, mostly: no other numbers get far. */
static uint32_t some_handle(struct play *p)
{
    uint8_t n = feed_byte(&p->feed);
    struct adi3_request *r = p->count ? p->live[n % p->count] : NULL;

    return n < 240 && r ? (uint32_t) r->handle : n * 0x01010101u;
}

static struct dev_pkt some_packet(struct play *p, int from)
{
    struct dev_pkt pkt = { .type = feed_byte(&p->feed) % (PKT_TYPES + 1) };
    uint8_t odd = feed_byte(&p->feed);

    if (pkt.type == PKT_ABORT) /* would end this process, as it should */
        pkt.type = PKT_JOB_END;
    pkt.payload = pkt.type == PKT_EAGER || pkt.type == PKT_DATA || odd & 1 ? some_length(p) : 0;
    pkt.flags = odd & 2 ? DEV_PLAIN : 0;
    pkt.ctx = adi3_world.recv_ctx + (odd & 4 ? feed_byte(&p->feed) : 0);
    pkt.rank = odd & 8 ? (int8_t) feed_byte(&p->feed) : from;
    pkt.tag = odd & 16 ? (int8_t) feed_byte(&p->feed) : feed_byte(&p->feed) % 4;
    pkt.len = odd & 32 || pkt.type != PKT_EAGER ? some_length(p) : pkt.payload;
    if (pkt.type == PKT_ASK || pkt.type == PKT_DIFFERS) {
        pkt.ctx |= ADI3_COLL;
        pkt.payload = odd & 32 ? pkt.payload : pkt.payload % 128;
        pkt.tag = adi3_number_tag(feed_byte(&p->feed) % 20) + feed_byte(&p->feed);
    }
    pkt.len = odd & 64 && odd & 32 ? UINT64_MAX - pkt.len : pkt.len;
    pkt.sreq = pkt.type == PKT_EAGER && !(odd & 128) ? 0 : some_handle(p);
    pkt.rreq = some_handle(p);
    pkt.addr = odd & 128 ? 64 : 0;
    pkt.key = feed_byte(&p->feed) * 1000u;
    if (pkt.type == PKT_ASK || pkt.type == PKT_DIFFERS)
        pkt.len = odd & 64 ? pkt.len : feed_byte(&p->feed) % 20;
    return pkt;
}

static void arrive(struct play *p)
{
    int from = 1 + feed_byte(&p->feed) % 2, how = feed_byte(&p->feed) % 8;
    struct dev_pkt pkt = some_packet(p, from);
    struct dev_target target;
    int rc;

    if (p->lost[from])
        return;
    if (how == 7 && pkt.payload) { /* cut off */
        rc = fake_begin(from, pkt, &target);
        if (!rc) {
            fake_pour(&target, payload, pkt.payload / 2);
            fake_end(&target, -ECONNRESET);
            rc = -ECONNRESET;
        }
    } else {
        rc = fake_arrive(from, pkt, payload, how >= 4 && pkt.payload ? how - 3 : FAKE_WHOLE);
    }
    MUST(rc <= 0);
    if (rc < 0) {
        fake_lose(from);
        p->lost[from] = true;
    }
}

/* A collective call of ours, which mismatch reports may be about. */
static void call(struct play *p)
{
    uint32_t number = adi3_world.begun[ADI3_FORM_BLOCKING]++;
    struct adi3_call_history *calls = adi3_world.calls[0];

    if (!calls)
        calls = adi3_collchk_history(&adi3_world, ADI3_FORM_BLOCKING);
    MUST(calls);
    struct adi3_call_record *c = &calls->call[number % ADI3_CALLS_KEPT];
    calls->newest = number;
    *c = (struct adi3_call_record) { .name = "call",
                                     .number = number,
                                     .tag = adi3_number_tag(number) + feed_byte(&p->feed) };
    adi3_collchk_begin(&adi3_world, c);
}

/* All that is under way ends when the peers are lost; what they had sent is received or
 * discarded. */
static void over(struct play *p)
{
    fake.again = 0;
    fake_finish(0);
    fake_drop();
    for (int rank = 1; rank < FAKE_SIZE; rank++)
        fake_lose(rank);
    for (int i = 0; i < p->count; i++) {
        MUST(fake_done(p->live[i]));
        (void) fake_result(p->live[i], MPI_STATUS_IGNORE);
        free(p->buffer[i]);
    }
    fake_stop();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct play p = { .feed = { data, len } };

    fake_start();
    fake.get_fails = true; /* there is no memory of theirs */
    for (int i = 0; i < 200 && p.feed.left; i++) {
        uint8_t what = feed_byte(&p.feed) % 9;
        if (what < 2)
            post(&p, what);
        else if (what == 2)
            fake.again = feed_byte(&p.feed) % 4;
        else if (what == 3)
            fake_finish(0), fake.holds = feed_byte(&p.feed) % 2;
        else if (what == 8)
            call(&p);
        else
            arrive(&p);
    }
    over(&p);
    return 0;
}
