/* rma.c — packets of one-sided operations with some of their bits wrong. What this process sends
 * comes back as if its target had sent it, so one process is the origin and the target of its
 * operations. Each packet is done or refused, nothing outside the window is touched, and when the
 * peers are lost every operation has ended, with a text when it failed. */
#include <errno.h>
#include "fuzz.h"
#include "rma/rma_loop.h"

enum { MOST = 24, TYPES = 3, FIXED = offsetof(struct dev_pkt, ctx) };

static struct play {
    struct feed feed;
    MPI_Request live[MOST];
    int count;
    bool lost[FAKE_SIZE];
    struct adi3_type *derived[TYPES];
} play;

static char out[LOOP_BYTES], in[LOOP_BYTES];

static uint8_t byte(void) { return feed_byte(&play.feed); }

/* An error has a text; what fails with one peer does so because it was refused or spoiled. */
static void ended(int err) { MUST(!err || adi3_error_text(err)); }

static void lose(int rank)
{
    if (!play.lost[rank])
        fake_lose(rank);
    play.lost[rank] = true;
}

/* ---- packets --------------------------------------------------------------------------------- */

/* Some bits of the header behind the type, or of the payload. */
static void spoil(struct dev_pkt *pkt, char *payload)
{
    for (int n = byte() % 8 - 4; n > 0; n--) {
        size_t at = byte();
        char bit = (char) (1 << byte() % 8);
        if (at < 192)
            ((char *) pkt)[FIXED + at % (sizeof *pkt - FIXED)] ^= bit;
        else if (pkt->payload)
            payload[at * 257 % pkt->payload] ^= bit;
    }
}

/* Whole, in pieces, or cut off in the middle. */
static int arrive(int from, struct dev_pkt pkt, const char *payload)
{
    int how = byte() % 8;
    struct dev_target target;

    if (how < 4 || !pkt.payload)
        return fake_arrive(from, pkt, payload, FAKE_WHOLE);
    if (how < 7)
        return fake_arrive(from, pkt, payload, how - 3);
    int rc = fake_begin(from, pkt, &target);
    if (rc)
        return rc;
    fake_pour(&target, payload, pkt.payload / 2);
    fake_end(&target, -ECONNRESET);
    return -ECONNRESET;
}

static void take(int from, struct dev_pkt pkt, const char *payload)
{
    if (play.lost[from])
        return;
    int rc = arrive(from, pkt, payload);
    MUST(rc <= 0);
    if (rc < 0)
        lose(from);
}

static void come_back(bool right)
{
    static const uint8_t types[] = { PKT_RMA, PKT_RMA_DATA, PKT_RMA_TYPE, PKT_RMA_SYNC };
    struct fake_packet *p = fake_take();
    uint8_t odd = right ? 0 : byte();
    size_t had = p->pkt.payload;
    char *payload = calloc(1, had + 256);

    MUST(payload);
    memcpy(payload, p->payload, had);
    p->pkt.rank = p->to;
    if (odd & 1)
        spoil(&p->pkt, payload);
    if (odd & 2)
        p->pkt.payload = odd & 4 ? had + byte() : had - had * byte() / 256;
    if ((odd & 24) == 24)
        p->pkt.type = types[odd >> 5 & 3];
    take(p->to, p->pkt, payload);
    if ((odd & 24) == 16) /* twice */
        take(p->to, p->pkt, payload);
    free(payload);
    free(p);
}

/* For calls that wait: all packets come back. Those that wait for what will not come are ended by
 * the loss of their target. */
static bool poll(void)
{
    fake_finish(0);
    if (fake_waiting())
        come_back(play.feed.left % 2);
    else
        for (int rank = 1; rank < FAKE_SIZE; rank++)
            lose(rank);
    return true;
}

/* ---- what this process does ------------------------------------------------------------------ */

static struct adi3_type *some_type(void)
{
    static const MPI_Datatype types[] = { MPI_BYTE, MPI_INT, MPI_DOUBLE, MPI_DOUBLE_INT,
                                          MPI_C_DOUBLE_COMPLEX };
    uint8_t n = byte() % (TYPES + 5);
    struct adi3_type *t = n < TYPES ? play.derived[n] : adi3_type_builtin(types[n - TYPES]);

    return t ? t : adi3_type_builtin(MPI_INT); /* a pair with holes */
}

static const struct adi3_op *some_op(struct adi3_type *t)
{
    static const MPI_Op ops[] = { MPI_SUM, MPI_REPLACE, MPI_NO_OP, MPI_MAX, MPI_BXOR, MPI_MINLOC };
    const struct adi3_op *op = adi3_op_builtin(ops[byte() % 6]);

    return t->basic && adi3_op_accumulates(op, t->basic) ? op : adi3_op_builtin(MPI_REPLACE);
}

/* An operation that the calls of MPI would let through, but for its displacement. */
static void operate(void)
{
    static const uint8_t counts[] = { 1, 1, 2, 7, 100, 255, 0, 0 };
    struct adi3_type *t = some_type();
    uint8_t kind = byte() % (ADI3_COMPARE_AND_SWAP + 1), n = byte();
    size_t most = (LOOP_BYTES - 4096) / (size_t) t->extent;
    size_t count = counts[n % 8] ? counts[n % 8] : most / 2;
    struct adi3_data origin = { out, count < most ? count : most, t };
    MPI_Request h = ADI3_REQUEST_COMPLETE;

    if (kind == ADI3_COMPARE_AND_SWAP) {
        t = t->predefined && t->basic == t ? t : adi3_type_builtin(MPI_INT);
        origin = (struct adi3_data) { out, 1, t };
    }
    struct adi3_rma x = loop_op((enum adi3_rma_kind) kind, (int8_t) byte() * 4, origin);
    x.target = 1 + n / 8 % 2;
    x.compare = out + 64;
    if (kind == ADI3_GET)
        x.origin.buf = in;
    if (kind >= ADI3_ACCUMULATE && kind != ADI3_COMPARE_AND_SWAP)
        x.op = some_op(t);
    if (kind >= ADI3_GET_ACCUMULATE)
        x.result = (struct adi3_data) { in, origin.count, t };
    bool wanted = n & 128 && play.count < MOST && kind != ADI3_COMPARE_AND_SWAP;
    ended(rma_send(loop.w, rma_target(loop.w, x.target), &x, wanted ? &h : NULL));
    if (h != ADI3_REQUEST_COMPLETE)
        play.live[play.count++] = h;
}

static void synchronize(void)
{
    uint8_t n = byte();
    int rank = 1 + n / 8 % 2;
    struct rma_target *t = rma_target(loop.w, rank);

    switch (n % 8) {
    case 0:
        ended(adi3_win_lock(loop.w, n & 16 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, rank, 0));
        break;
    case 1:
        ended(adi3_win_unlock(loop.w, rank));
        break;
    case 2:
        ended(adi3_win_lock(loop.w, MPI_LOCK_SHARED, -1, 0));
        break;
    case 3:
        ended(adi3_win_unlock(loop.w, -1));
        break;
    case 4:
        ended(rma_flush(loop.w, t));
        break;
    case 5:
        ended(rma_ask_flush(loop.w, t));
        break;
    case 6:
        ended(rma_flush_local(loop.w, t));
        break;
    default: {
        const struct rma_sync_fields f = { .number = n, .value = n / 64 };
        ended(rma_sync_send(loop.w, rank, RMA_SYNC_FLUSH + n / 16 % 8, &f));
    }
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

static void begin(void)
{
    static const MPI_Datatype of[TYPES] = { MPI_INT, MPI_DOUBLE, MPI_BYTE };

    fake_start();
    loop_window(byte() % 4 ? MPI_WIN_FLAVOR_CREATE : MPI_WIN_FLAVOR_DYNAMIC, 0);
    if (loop.w->flavor == MPI_WIN_FLAVOR_DYNAMIC)
        MUST(!adi3_win_attach(loop.w, loop_memory, LOOP_BYTES));
    fake.poll = poll;
    for (int i = 0; i < TYPES; i++) {
        struct adi3_type *old = adi3_type_builtin(of[i]);
        MUST(!adi3_type_hvector(2, 3, 5 * (MPI_Aint) old->size, old, &play.derived[i]));
        MUST(!adi3_type_commit(play.derived[i]));
    }
}

static void over(void)
{
    fake.again = 0;
    fake_finish(0);
    fake_drop();
    for (int rank = 1; rank < FAKE_SIZE; rank++) {
        lose(rank);
        MUST(!rma_target(loop.w, rank)->pending && !rma_target(loop.w, rank)->after);
    }
    for (int i = 0; i < play.count; i++) {
        struct adi3_request *r = adi3_request_get(play.live[i]);
        MUST(r && fake_done(r));
        ended(fake_result(r, MPI_STATUS_IGNORE));
    }
    adi3_win_free(loop.w);
    for (int i = 0; i < TYPES; i++)
        adi3_type_release(play.derived[i]);
    fake_stop();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    play = (struct play) { .feed = { data, len } };
    begin();
    for (int i = 0; i < 200 && play.feed.left; i++) {
        uint8_t what = byte() % 8;
        if (what < 2)
            operate();
        else if (what == 2)
            synchronize();
        else if (what == 3)
            fake.again = byte() % 4;
        else if (what == 4)
            fake_finish(0), fake.holds = byte() % 2;
        else if (fake_finish(0), fake_waiting())
            come_back(false);
    }
    over();
    return 0;
}
