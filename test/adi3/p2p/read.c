/* read.c — reads that end later, of memory that has to be exposed first; and peers whose loss the
 * device notices only when it is asked to watch them (P12, X03). */
#include <errno.h>
#include <string.h>
#include "fake.h"

enum { LEN = 100000, SHIFT = 1 << 20, KEY = 77 };

static char out[LEN], in[LEN];

/* ---- what the device can do here ------------------------------------------------------------- */

static int exposed, watched[FAKE_SIZE];
static bool cannot_expose;
static const char *words;

static int expose(struct dev_peer *to, const struct iovec *mem, uint64_t *addr, uint64_t *key,
                  void **handle)
{
    assert_ptr_equal(to->priv, &fake);
    if (cannot_expose)
        return -ENOMEM;
    exposed++;
    *addr = (uintptr_t) mem->iov_base + SHIFT;
    *key = KEY + mem->iov_len;
    *handle = &fake;
    return 0;
}

static void unexpose(void *handle)
{
    assert_ptr_equal(handle, &fake);
    assert_true(exposed-- > 0);
}

static void watch(struct dev_peer *peer) { watched[peer->rank]++; }
static const char *why(const struct dev_peer *peer) { return peer ? words : NULL; }

static int fill(void **state)
{
    (void) state;
    for (size_t i = 0; i < LEN; i++)
        out[i] = (char) (i * 31 + i / 251);
    memset(in, 0, sizeof in);
    fake_ops.expose = expose;
    fake_ops.unexpose = unexpose;
    fake_ops.watch = watch;
    fake_ops.why = why;
    cannot_expose = false;
    words = NULL;
    memset(watched, 0, sizeof watched);
    return 0;
}

static int failed(struct adi3_request *r, const char *text)
{
    assert_true(fake_done(r));
    int err = adi3_request_finish(r, MPI_STATUS_IGNORE);
    return fake_class(err) == MPI_ERR_OTHER && strstr(adi3_error_text(err), text);
}

/* ---- the sender ------------------------------------------------------------------------------ */

static struct adi3_request *offered(struct dev_pkt *rts)
{
    struct adi3_request *r = fake_isend(out, LEN, 1, 8, ADI3_STANDARD);

    *rts = fake_sent(1, PKT_RTS);
    assert_true(rts->addr == (uintptr_t) out + SHIFT && rts->key == KEY + LEN);
    assert_int_equal(exposed, 1);
    return r;
}

static void until_it_was_read(void **state)
{
    struct dev_pkt rts;

    (void) state;
    struct adi3_request *r = offered(&rts);
    const struct dev_pkt fin = { .type = PKT_FIN, .sreq = rts.sreq };
    assert_int_equal(fake_arrive(1, fin, NULL, FAKE_WHOLE), 0);
    assert_int_equal(exposed, 0);
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

static void until_it_is_asked_for(void **state)
{
    struct dev_pkt rts;

    (void) state;
    struct adi3_request *r = offered(&rts);
    const struct dev_pkt cts = { .type = PKT_CTS, .len = 5, .sreq = rts.sreq, .rreq = 3 };
    assert_int_equal(fake_arrive(1, cts, NULL, FAKE_WHOLE), 0);
    assert_int_equal(exposed, 0);
    (void) fake_sent(1, PKT_DATA);
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

static void until_the_peer_is_lost(void **state)
{
    struct dev_pkt rts;

    (void) state;
    words = "the wire is cut";
    struct adi3_request *r = offered(&rts);
    fake_lose(1);
    assert_int_equal(exposed, 0);
    assert_true(failed(r, "process 1 of MPI_COMM_WORLD on far over fake: the wire is cut"));
}

static void not_when_it_does_not_leave(void **state)
{
    (void) state;
    fake.loses = true;
    struct adi3_request *r = fake_isend(out, LEN, 2, 8, ADI3_STANDARD);
    assert_int_equal(exposed, 0);
    assert_true(failed(r, strerror(ECONNRESET)));
}

/* Without memory for it, or where the peer's memory cannot be read, nothing is exposed. */
static void or_not_at_all(void **state)
{
    (void) state;
    for (int how = 0; how < 2; how++) {
        cannot_expose = how == 0;
        adi3_procs[2].peer.can_get = how == 0;
        struct adi3_request *r = fake_isend(out, LEN, 2, 8, ADI3_STANDARD);
        struct dev_pkt rts = fake_sent(2, PKT_RTS);
        assert_int_equal(exposed, 0);
        if (how == 0)
            assert_true(rts.addr == 0 && rts.key == 0);
        const struct dev_pkt cts = { .type = PKT_CTS, .len = LEN, .sreq = rts.sreq, .rreq = 3 };
        assert_int_equal(fake_arrive(2, cts, NULL, FAKE_WHOLE), 0);
        (void) fake_sent(2, PKT_DATA);
        assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    }
    adi3_procs[2].peer.can_get = true;
}

/* ---- the receiver ---------------------------------------------------------------------------- */

static struct adi3_request *being_read(int from)
{
    fake.get_late = true;
    struct adi3_request *r = fake_irecv(in, LEN, from, 6);
    struct dev_pkt rts = fake_rts(from, 6, LEN, 815, out);
    rts.key = 4711;
    assert_int_equal(fake_arrive(from, rts, NULL, FAKE_WHOLE), 0);
    assert_non_null(fake.late);
    assert_true(fake.late->to == in && fake.late->addr == (uintptr_t) out);
    assert_true(fake.late->len == LEN && fake.late->key == 4711);
    assert_false(fake_done(r));
    assert_int_equal(fake_waiting(), 0);
    return r;
}

static void over(int err)
{
    struct dev_get *op = fake.late;

    fake.late = NULL;
    if (!err)
        memcpy(op->to, out, op->len);
    op->done(op, err);
}

static void done_when_it_has_been_read(void **state)
{
    (void) state;
    struct adi3_request *r = being_read(2);
    over(0);
    assert_int_equal(fake_sent(2, PKT_FIN).sreq, 815);
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    assert_memory_equal(in, out, LEN);
}

static void asks_when_it_cannot(void **state)
{
    (void) state;
    struct adi3_request *r = being_read(2);
    over(-EIO);
    struct dev_pkt cts = fake_sent(2, PKT_CTS);
    const struct dev_pkt data = { .type = PKT_DATA, .payload = LEN, .rreq = cts.rreq };
    assert_int_equal(fake_arrive(2, data, out, 3), 0);
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    assert_memory_equal(in, out, LEN);
}

/* The device ends the read before it reports the loss, or after ADI3 has reported it. */
static void lost_meanwhile(void **state)
{
    (void) state;
    for (int told = 0; told < 2; told++) {
        struct adi3_request *r = being_read(2);
        fake.loses = !told;
        adi3_procs[2].lost = told ? -ECONNRESET : 0;
        over(-ECONNRESET);
        assert_true(failed(r, "process 2"));
        assert_int_equal(fake_waiting(), 0);
        adi3_procs[2].lost = 0;
        fake.loses = false;
    }
}

/* ---- peers that must be watched -------------------------------------------------------------- */

static void watched_when_awaited(void **state)
{
    struct dev_pkt rts;

    (void) state;
    watch_tick();
    assert_int_equal(watched[1] + watched[2], 0);
    struct adi3_request *named = fake_irecv(in, 8, 1, 5);
    watch_tick();
    assert_true(watched[1] == 1 && watched[2] == 0);
    struct adi3_request *any = fake_irecv(in, 8, MPI_ANY_SOURCE, 6);
    watch_tick();
    assert_true(watched[1] == 3 && watched[2] == 1);
    assert_int_equal(fake_arrive(1, fake_eager(1, 5, 8), out, FAKE_WHOLE), 0);
    assert_int_equal(fake_arrive(1, fake_eager(1, 6, 8), out, FAKE_WHOLE), 0);
    watch_tick(); /* they are done, if not taken */
    assert_true(watched[1] == 3 && watched[2] == 1);
    assert_int_equal(fake_result(named, MPI_STATUS_IGNORE), MPI_SUCCESS);
    assert_int_equal(fake_result(any, MPI_STATUS_IGNORE), MPI_SUCCESS);
    struct adi3_request *sent = fake_isend(out, LEN, 2, 8, ADI3_STANDARD);
    rts = fake_sent(2, PKT_RTS);
    watch_tick();
    assert_int_equal(watched[2], 2);
    const struct dev_pkt fin = { .type = PKT_FIN, .sreq = rts.sreq };
    assert_int_equal(fake_arrive(2, fin, NULL, FAKE_WHOLE), 0);
    assert_int_equal(fake_result(sent, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fill, fake_settled)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(until_it_was_read),
        TEST(until_it_is_asked_for),
        TEST(not_when_it_does_not_leave),
        TEST(or_not_at_all),
        TEST(done_when_it_has_been_read),
        TEST(asks_when_it_cannot),
        TEST(lost_meanwhile),
        TEST(watched_when_awaited),
        TEST(until_the_peer_is_lost), /* the last: it stays lost */
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
