/* rendezvous.c — messages that are announced first: asked for with CTS, or read with get (P04, P12,
 * P15). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "fake.h"

enum { LEN = 100000 };

static char out[LEN], in[LEN + 100];

static int fill(void **state)
{
    (void) state;
    for (size_t i = 0; i < LEN; i++)
        out[i] = (char) (i * 29 + i / 249);
    memset(in, '#', sizeof in);
    return 0;
}

static void check_in(size_t len)
{
    assert_memory_equal(in, out, len);
    for (size_t i = len; i < sizeof in; i++)
        assert_int_equal(in[i], '#');
}

static struct dev_pkt cts_for(struct dev_pkt rts, size_t len)
{
    return (struct dev_pkt) { .type = PKT_CTS, .len = len, .sreq = rts.sreq, .rreq = 4711 };
}

static struct dev_pkt fin_for(struct dev_pkt rts)
{
    return (struct dev_pkt) { .type = PKT_FIN, .sreq = rts.sreq };
}

static struct dev_pkt data_for(struct dev_pkt cts, size_t len)
{
    return (struct dev_pkt) { .type = PKT_DATA, .payload = len, .rreq = cts.rreq };
}

/* ---- sending --------------------------------------------------------------------------------- */

static struct dev_pkt announced(size_t len)
{
    struct dev_pkt rts = fake_sent(1, PKT_RTS);

    assert_true(rts.len == len && rts.payload == 0 && rts.tag == 8 && rts.rank == FAKE_RANK);
    assert_int_equal(rts.ctx, adi3_world.send_ctx);
    assert_int_equal(rts.flags, 0);
    return rts;
}

/* What the receiver has room for is sent, which may be less than all, and may be nothing. */
static void sends_what_is_asked_for(void **state)
{
    static const size_t lens[] = { LEN, LEN - 1, 1, 0 };

    (void) state;
    fake.holds = true;
    for (int i = 0; i < 4; i++) {
        struct adi3_request *r = fake_isend(out, LEN, 1, 8, ADI3_STANDARD);
        struct dev_pkt rts = announced(LEN);
        assert_false(fake_done(r));
        assert_int_equal(fake_arrive(1, cts_for(rts, lens[i]), NULL, FAKE_WHOLE), 0);
        assert_false(fake_done(r));
        fake_finish(0);
        assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
        struct fake_packet *p = fake_take();
        assert_true(p->pkt.type == PKT_DATA && p->pkt.rreq == 4711 && p->pkt.payload == lens[i]);
        assert_memory_equal(p->payload, out, lens[i]);
        free(p);
    }
}

static void offers_its_memory(void **state)
{
    (void) state;
    struct adi3_request *r = fake_isend(out, LEN, 1, 8, ADI3_STANDARD);
    struct dev_pkt rts = announced(LEN);
    assert_ptr_equal((void *) (uintptr_t) rts.addr, out);
    assert_false(fake_done(r));
    assert_int_equal(fake_arrive(1, fin_for(rts), NULL, FAKE_WHOLE), 0);
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);

    fake_without_get();
    r = fake_isend(out, LEN, 1, 8, ADI3_STANDARD);
    rts = announced(LEN);
    assert_int_equal(rts.addr, 0);
    assert_int_equal(fake_arrive(1, cts_for(rts, LEN), NULL, FAKE_WHOLE), 0);
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    (void) fake_sent(1, PKT_DATA);
}

/* A FIN for a message that was not exposed is refused: it cannot have been read. */
static void fin_without_offer(void **state)
{
    (void) state;
    fake_without_get();
    struct adi3_request *r = fake_isend(out, LEN, 1, 8, ADI3_STANDARD);
    struct dev_pkt rts = announced(LEN);
    int rc = fake_arrive(1, fin_for(rts), NULL, FAKE_WHOLE);
    bool done = fake_done(r);
    if (!done)
        assert_int_equal(fake_arrive(1, cts_for(rts, 0), NULL, FAKE_WHOLE), 0);
    (void) fake_result(r, MPI_STATUS_IGNORE);
    fake_drop();
    assert_true(rc < 0 && !done);
}

/* Elements with holes are packed once, when they are sent: their type may go before they do. */
static void packed_at_once(void **state)
{
    struct adi3_type *v;
    MPI_Request h;

    (void) state;
    assert_int_equal(adi3_type_hvector(1000, 8, 24, adi3_type_builtin(MPI_BYTE), &v), 0);
    assert_int_equal(adi3_type_commit(v), MPI_SUCCESS);
    const struct adi3_data d = { out, 1, v };
    assert_int_equal(adi3_isend(&d, 1, 8, &adi3_world, ADI3_STANDARD, &h), MPI_SUCCESS);
    adi3_type_release(v);
    struct dev_pkt rts = announced(8000);
    assert_int_equal(fake_arrive(1, cts_for(rts, 8000), NULL, FAKE_WHOLE), 0);
    struct fake_packet *p = fake_take();
    for (size_t i = 0; i < 8000; i++)
        assert_int_equal(p->payload[i], out[i / 8 * 24 + i % 8]);
    free(p);
    assert_int_equal(fake_result(adi3_request_get(h), MPI_STATUS_IGNORE), MPI_SUCCESS);
}

/* An RTS that finds no room queues; nothing is lost or doubled, and leaving waits for it. */
static void rts_in_a_storm(void **state)
{
    (void) state;
    fake.again = -1;
    fake.holds = true;
    struct adi3_request *r = fake_isend(out, LEN, 1, 8, ADI3_STANDARD);
    assert_true(p2p_with_devices() > 0);
    fake_finish(0);
    assert_true(p2p_with_devices() == 0);
    assert_false(fake_done(r));
    fake.holds = false;
    assert_int_equal(fake_arrive(1, fin_for(announced(LEN)), NULL, FAKE_WHOLE), 0);
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

static void released_before_cts(void **state)
{
    (void) state;
    fake.holds = true;
    struct adi3_request *r = fake_isend(out, LEN, 1, 8, ADI3_STANDARD);
    adi3_request_release(r);
    struct dev_pkt rts = announced(LEN);
    assert_int_equal(fake_arrive(1, cts_for(rts, LEN), NULL, FAKE_WHOLE), 0);
    assert_int_equal(fake_requests(), 1);
    fake_finish(0);
    assert_int_equal(fake_requests(), 0);
    assert_int_equal(fake_sent(1, PKT_DATA).payload, LEN);

    r = fake_isend(out, LEN, 1, 8, ADI3_STANDARD);
    adi3_request_release(r);
    assert_int_equal(fake_arrive(1, fin_for(announced(LEN)), NULL, FAKE_WHOLE), 0);
    assert_int_equal(fake_requests(), 0);
}

/* ---- receiving ------------------------------------------------------------------------------- */

enum path { GET, GET_FAILS, CANNOT_GET, NOT_OFFERED, PATHS };

static void choose(enum path path)
{
    fake_reset();
    fake.get_fails = path == GET_FAILS;
    fake.cannot_get = path == CANNOT_GET;
    for (int rank = 1; rank < FAKE_SIZE; rank++)
        adi3_procs[rank].peer.can_get = path != CANNOT_GET;
}

/* One message of len bytes, posted or unexpected; the result of the receive. */
static int receive(enum path path, size_t len, size_t room, bool posted, int pieces)
{
    struct adi3_request *r = NULL;
    MPI_Status st;
    size_t fits = len < room ? len : room;
    struct dev_pkt rts = fake_rts(2, 6, len, 815, path == NOT_OFFERED ? NULL : out);

    choose(path);
    memset(in, '#', sizeof in);
    if (posted)
        r = fake_irecv(in, room, MPI_ANY_SOURCE, 6);
    assert_int_equal(fake_arrive(2, rts, NULL, FAKE_WHOLE), 0);
    if (!posted)
        r = fake_irecv(in, room, 2, MPI_ANY_TAG);
    if (path == GET || (path == GET_FAILS && fits == 0)) {
        assert_int_equal(fake_sent(2, PKT_FIN).sreq, 815);
    } else {
        struct dev_pkt cts = fake_sent(2, PKT_CTS);
        assert_true(cts.sreq == 815 && cts.len == fits && cts.payload == 0);
        assert_false(fake_done(r));
        assert_int_equal(fake_arrive(2, data_for(cts, fits), out, pieces), 0);
    }
    int err = fake_result(r, &st);
    assert_true(st.MPI_SOURCE == 2 && st.MPI_TAG == 6 && (size_t) st.count_lo == fits);
    check_in(fits);
    return fake_class(err);
}

static void every_path(void **state)
{
    static const size_t lens[] = { 0, 1, 4095, LEN - 1, LEN };

    (void) state;
    for (enum path path = 0; path < PATHS; path++)
        for (int i = 0; i < 5; i++)
            for (int pieces = 0; pieces < 4; pieces++)
                assert_int_equal(receive(path, lens[i], lens[i] + (size_t) i, pieces % 2, pieces),
                                 MPI_SUCCESS);
    choose(GET);
}

/* P04: on every path the bytes beyond the buffer stay, and the send completes. */
static void too_long(void **state)
{
    static const size_t rooms[] = { 0, 1, 5000, LEN - 1 };

    (void) state;
    for (enum path path = 0; path < PATHS; path++)
        for (int i = 0; i < 4; i++)
            for (int pieces = 0; pieces < 3; pieces++)
                for (int posted = 0; posted < 2; posted++)
                    assert_int_equal(receive(path, LEN, rooms[i], posted, pieces),
                                     MPI_ERR_TRUNCATE);
    choose(GET);
}

/* Less comes than was announced: the status has the bytes that came. */
static void shorter_than_announced(void **state)
{
    MPI_Status st;

    (void) state;
    for (int pieces = 0; pieces < 3; pieces++) {
        (void) fill(NULL);
        struct adi3_request *r = fake_irecv(in, LEN, 2, 6);
        assert_int_equal(fake_arrive(2, fake_rts(2, 6, LEN, 815, NULL), NULL, FAKE_WHOLE), 0);
        struct dev_pkt cts = fake_sent(2, PKT_CTS);
        assert_int_equal(fake_arrive(2, data_for(cts, 7), out, pieces), 0);
        assert_int_equal(fake_result(r, &st), MPI_SUCCESS);
        assert_int_equal(st.count_lo, 7);
        check_in(7);
    }
}

static void into_holes(void **state)
{
    struct adi3_type *v;
    MPI_Request h;

    (void) state;
    assert_int_equal(adi3_type_hvector(1000, 8, 24, adi3_type_builtin(MPI_BYTE), &v), 0);
    assert_int_equal(adi3_type_commit(v), MPI_SUCCESS);
    const struct adi3_data d = { in, 1, v };
    for (int how = 0; how < 4; how++) {
        memset(in, '#', sizeof in);
        assert_int_equal(adi3_irecv(&d, 2, 6, &adi3_world, ADI3_STANDARD, &h), MPI_SUCCESS);
        const void *addr = how == 3 ? out : NULL;
        assert_int_equal(fake_arrive(2, fake_rts(2, 6, 8000, 815, addr), NULL, FAKE_WHOLE), 0);
        if (how == 3)
            (void) fake_sent(2, PKT_FIN);
        else
            assert_int_equal(fake_arrive(2, data_for(fake_sent(2, PKT_CTS), 8000), out, how), 0);
        assert_int_equal(fake_result(adi3_request_get(h), MPI_STATUS_IGNORE), MPI_SUCCESS);
        for (size_t i = 0; i < sizeof in; i++)
            assert_int_equal(in[i], i < 24000 && i % 24 < 8 ? out[i / 24 * 8 + i % 24] : '#');
    }
    adi3_type_release(v);
}

/* Answers that find no room queue and are sent later, each once. */
static void answers_in_a_storm(void **state)
{
    (void) state;
    for (int offered = 0; offered < 2; offered++) {
        fake.again = -1;
        fake.holds = true;
        struct adi3_request *r = fake_irecv(in, LEN, 2, 6);
        const void *addr = offered ? out : NULL;
        assert_int_equal(fake_arrive(2, fake_rts(2, 6, LEN, 815, addr), NULL, FAKE_WHOLE), 0);
        assert_true(p2p_with_devices() > 0);
        fake_finish(0);
        assert_true(p2p_with_devices() == 0);
        struct dev_pkt answer = fake_sent(2, offered ? PKT_FIN : PKT_CTS);
        if (!offered)
            assert_int_equal(fake_arrive(2, data_for(answer, LEN), out, 3), 0);
        assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
        check_in(LEN);
    }
}

static void data_break_off(void **state)
{
    struct dev_target target;

    (void) state;
    for (int released = 0; released < 2; released++) {
        struct adi3_request *r = fake_irecv(in, LEN, 2, 6);
        assert_int_equal(fake_arrive(2, fake_rts(2, 6, LEN, 815, NULL), NULL, FAKE_WHOLE), 0);
        assert_int_equal(fake_begin(2, data_for(fake_sent(2, PKT_CTS), LEN), &target), 0);
        fake_pour(&target, out, 500);
        if (released)
            adi3_request_release(r);
        fake_end(&target, -ECONNRESET);
        if (!released)
            assert_int_equal(fake_class(fake_result(r, MPI_STATUS_IGNORE)), MPI_ERR_OTHER);
        check_in(500);
    }
}

/* What has not come must not be unpacked: the buffer keeps what it had, and no memory leaks out. */
static void holes_of_what_never_came(void **state)
{
    struct adi3_type *v;
    struct dev_target target;
    MPI_Request h;

    (void) state;
    assert_int_equal(adi3_type_hvector(1000, 8, 24, adi3_type_builtin(MPI_BYTE), &v), 0);
    assert_int_equal(adi3_type_commit(v), MPI_SUCCESS);
    const struct adi3_data d = { in, 1, v };
    free(memset(malloc(8000), 'L', 8000)); /* what malloc may well give again */
    assert_int_equal(adi3_irecv(&d, 2, 6, &adi3_world, ADI3_STANDARD, &h), MPI_SUCCESS);
    assert_int_equal(fake_arrive(2, fake_rts(2, 6, 8000, 815, NULL), NULL, FAKE_WHOLE), 0);
    assert_int_equal(fake_begin(2, data_for(fake_sent(2, PKT_CTS), 8000), &target), 0);
    fake_end(&target, -ECONNRESET);
    assert_int_equal(fake_class(fake_result(adi3_request_get(h), MPI_STATUS_IGNORE)),
                     MPI_ERR_OTHER);
    adi3_type_release(v);
    for (size_t i = 0; i < sizeof in; i++)
        assert_int_equal(in[i], '#');
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fill, fake_settled)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sends_what_is_asked_for),
        TEST(offers_its_memory),
        TEST(fin_without_offer),
        TEST(packed_at_once),
        TEST(rts_in_a_storm),
        TEST(released_before_cts),
        TEST(every_path),
        TEST(too_long),
        TEST(shorter_than_announced),
        TEST(into_holes),
        TEST(answers_in_a_storm),
        TEST(data_break_off),
        TEST(holes_of_what_never_came),
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
