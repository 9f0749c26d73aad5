/* noncontig.c — noncontiguous messages that their receivers read: the layout that the sender
 * writes, what a receiver makes of it, and of bytes that are no layout (D04, P12). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "fake.h"

enum { LINES = 40, LINE = 128, STRIDE = 300, LEN = LINES * LINE, LEAST = 128, TAG = 6, SREQ = 815 };

static char out[LINES * STRIDE], in[LEN];

static struct adi3_type *made(struct adi3_type *t, int err)
{
    assert_int_equal(err, MPI_SUCCESS);
    assert_int_equal(adi3_type_commit(t), MPI_SUCCESS);
    return t;
}

static struct adi3_type *lines(int count, int len, int stride)
{
    struct adi3_type *t = NULL;
    int err = adi3_type_hvector(count, len, stride, adi3_type_builtin(MPI_BYTE), &t);

    return made(t, err);
}

static int fill(void **state)
{
    (void) state;
    for (size_t i = 0; i < sizeof out; i++)
        out[i] = (char) (i * 31 + i / 251);
    memset(in, 0, sizeof in);
    adi3_procs[1].dev->limits.get_least = LEAST;
    return 0;
}

static bool has_lines(const char *packed, size_t at, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (packed[i] != out[(at + i) / LINE * STRIDE + (at + i) % LINE])
            return false;
    return true;
}

static MPI_Request send(struct adi3_type *t, size_t count)
{
    const struct adi3_data d = { out, count, t };
    MPI_Request h;

    assert_int_equal(adi3_isend(&d, 1, TAG, &adi3_world, ADI3_STANDARD, &h), MPI_SUCCESS);
    return h;
}

static struct fake_packet *take_rts(void)
{
    struct fake_packet *p = fake_take();

    assert_true(p->to == 1 && p->pkt.type == PKT_RTS);
    return p;
}

static void finish(MPI_Request h, enum adi3_pkt_type answer)
{
    const struct dev_pkt pkt = { .type = (uint8_t) answer, .len = LEN, .sreq = (uint32_t) h };

    assert_int_equal(fake_arrive(1, pkt, NULL, FAKE_WHOLE), 0);
    if (answer == PKT_CTS)
        (void) fake_sent(1, PKT_DATA);
    assert_int_equal(fake_result(adi3_request_get(h), MPI_STATUS_IGNORE), MPI_SUCCESS);
}

/* ---- the sender ------------------------------------------------------------------------------ */

static const struct dev_memory *memory(int rank, uint64_t key)
{
    return p2p_upcalls.memory(&adi3_procs[rank].peer, key);
}

static void offered_until_read(void **state)
{
    struct adi3_type *t = lines(LINES, LINE, STRIDE);
    MPI_Request h = send(t, 1);
    struct fake_packet *rts = take_rts();
    char part[200];

    (void) state;
    assert_true(rts->pkt.addr && rts->pkt.payload && rts->pkt.len == LEN);
    const struct dev_memory *m = memory(1, rts->pkt.sreq);
    assert_non_null(m);
    for (size_t at = 0; at + sizeof part < LEN; at += 77) {
        m->gather(m, at, part, sizeof part);
        assert_true(has_lines(part, at, sizeof part));
    }
    assert_null(memory(2, rts->pkt.sreq));
    assert_null(memory(1, rts->pkt.sreq | (uint64_t) 1 << 32));
    assert_null(memory(1, 0));
    assert_null(memory(1, (uint32_t) MPI_COMM_WORLD));
    finish(h, PKT_FIN);
    assert_null(memory(1, rts->pkt.sreq));
    free(rts);
    adi3_type_release(t);
}

static void not_offered(struct adi3_type *t, size_t count)
{
    MPI_Request h = send(t, count);
    struct fake_packet *rts = take_rts();

    assert_true(!rts->pkt.addr && !rts->pkt.payload);
    assert_null(memory(1, rts->pkt.sreq));
    finish(h, PKT_CTS);
    free(rts);
}

/* Blocks of two lengths, whose list takes more bytes than those of one. */
static struct adi3_type *uneven(void)
{
    int ints[1 + 2 * LINES] = { LINES };
    struct adi3_type *byte = adi3_type_builtin(MPI_BYTE), *t = NULL;
    const struct adi3_contents r = { .combiner = MPI_COMBINER_INDEXED,
                                     .nints = 1 + 2 * LINES,
                                     .ints = ints,
                                     .ntypes = 1,
                                     .types = &byte };

    for (int i = 0; i < LINES; i++) {
        ints[1 + i] = LINE + (i % 2 ? 1 : -1);
        ints[1 + LINES + i] = i * STRIDE;
    }
    int err = adi3_type_make(&r, &t);
    return made(t, err);
}

/* Without a layout go: a type whose ranges are too short, one that does not fit, a device without
 * get, one that has no room at the moment, a peer whose memory cannot be read. */
static void or_not_at_all(void **state)
{
    struct adi3_type *good = lines(LINES, LINE, STRIDE), *list = uneven(),
                     *fine = lines(2 * LINES, LINE / 2, STRIDE / 2);
    struct dev_limits *limits = &adi3_procs[1].dev->limits;
    size_t room = limits->inject_max;

    (void) state;
    not_offered(fine, 1);
    limits->inject_max = 64;
    not_offered(list, 1);
    limits->inject_max = room;
    limits->get_least = 0;
    not_offered(good, 1);
    limits->get_least = LEAST;
    fake.again = 1;
    not_offered(good, 1);
    adi3_procs[1].peer.can_get = false;
    not_offered(good, 1);
    adi3_procs[1].peer.can_get = true;
    adi3_type_release(good);
    adi3_type_release(list);
    adi3_type_release(fine);
}

/* ---- the receiver ---------------------------------------------------------------------------- */

/* An RTS as this process writes one. */
static struct fake_packet *offer(void)
{
    struct adi3_type *t = lines(LINES, LINE, STRIDE);
    MPI_Request h = send(t, 1);
    struct fake_packet *rts = take_rts();

    finish(h, PKT_FIN);
    adi3_type_release(t);
    rts->pkt.rank = 1;
    rts->pkt.sreq = SREQ;
    return rts;
}

/* Reads what it was given to read, and says so. */
static void read_it(size_t len)
{
    struct dev_get *op = fake.late;
    struct iovec v[3];
    int n;

    assert_non_null(op);
    assert_true(op->key == SREQ && op->len == len && op->there && op->to == in);
    for (size_t at = 0, start = 0; at < len; start = at) {
        assert_true((n = op->there->ranges(op->there, &at, v, 3)) > 0);
        for (int i = 0; i < n && start < len; start += v[i++].iov_len)
            memcpy(in + start, v[i].iov_base,
                   v[i].iov_len < len - start ? v[i].iov_len : len - start);
    }
    fake.late = NULL;
    op->done(op, 0);
    assert_int_equal(fake_sent(1, PKT_FIN).sreq, SREQ);
}

enum when { POSTED, LATER, MEANWHILE };

static void arrives(enum when when, int pieces, size_t room)
{
    struct fake_packet *rts = offer();
    struct adi3_request *r = when == POSTED ? fake_irecv(in, room, 1, TAG) : NULL;
    struct dev_target target;
    int err = room < LEN ? MPI_ERR_TRUNCATE : MPI_SUCCESS;

    fake.get_late = true;
    if (when == MEANWHILE) {
        assert_int_equal(fake_begin(1, rts->pkt, &target), 0);
        r = fake_irecv(in, room, 1, TAG);
        (void) progress_poll();
        assert_null(fake.late);
        fake_pour(&target, rts->payload, rts->pkt.payload);
        fake_end(&target, 0);
    } else {
        assert_int_equal(fake_arrive(1, rts->pkt, rts->payload, pieces), 0);
    }
    if (!r)
        r = fake_irecv(in, room, 1, TAG);
    (void) progress_poll();
    read_it(room < LEN ? room : LEN);
    assert_int_equal(fake_class(fake_result(r, MPI_STATUS_IGNORE)), err);
    assert_true(has_lines(in, 0, room < LEN ? room : LEN));
    free(rts);
}

static void read_from_the_pieces(void **state)
{
    (void) state;
    for (enum when when = POSTED; when <= MEANWHILE; when++)
        for (int pieces = FAKE_WHOLE; pieces < 4; pieces++)
            arrives(when, pieces, LEN);
    arrives(POSTED, FAKE_WHOLE, LEN / 3 + 1);
}

/* The receiver asks for the message in packets. */
static void comes_by_itself(struct dev_pkt rts, const void *payload)
{
    struct adi3_request *r = fake_irecv(in, LEN, 1, TAG);

    assert_int_equal(fake_arrive(1, rts, payload, FAKE_WHOLE), 0);
    (void) progress_poll();
    assert_null(fake.late);
    const struct dev_pkt data = { .type = PKT_DATA,
                                  .payload = LEN,
                                  .rreq = fake_sent(1, PKT_CTS).rreq };
    assert_int_equal(fake_arrive(1, data, out, FAKE_WHOLE), 0);
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    assert_memory_equal(in, out, LEN);
}

static void what_makes_no_sense_is_not_read(void **state)
{
    struct fake_packet *rts = offer();
    struct dev_pkt pkt = rts->pkt;
    uint64_t count;

    (void) state;
    fake.get_late = true;
    for (size_t len = 1; len < rts->pkt.payload; len++) { /* cut off */
        pkt.payload = len;
        comes_by_itself(pkt, rts->payload);
    }
    memcpy(&count, rts->payload + 8, sizeof count);
    const uint64_t wrong[] = { 0, count + 1, UINT64_MAX, UINT64_MAX / LEN + 2 };
    for (int i = 0; i < 4; i++) {
        memcpy(rts->payload + 8, &wrong[i], sizeof wrong[i]);
        comes_by_itself(rts->pkt, rts->payload);
    }
    free(rts);
}

static void lost_while_torn(void **state)
{
    struct fake_packet *rts = offer();
    struct adi3_request *r = fake_irecv(in, LEN, 1, TAG);
    struct dev_target target;

    (void) state;
    fake.get_late = true;
    assert_int_equal(fake_begin(1, rts->pkt, &target), 0);
    fake_end(&target, -ECONNRESET);
    assert_int_equal(fake_class(fake_result(r, MPI_STATUS_IGNORE)), MPI_ERR_OTHER);
    assert_null(fake.late);
    free(rts);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fill, fake_settled)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(offered_until_read),   TEST(or_not_at_all),
        TEST(read_from_the_pieces), TEST(what_makes_no_sense_is_not_read),
        TEST(lost_while_torn),
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
