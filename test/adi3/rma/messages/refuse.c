/* refuse.c — packets of one-sided operations that make no sense are refused, and touch nothing;
 * and the errors of those that do, but may not be done. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "rma/rma_loop.h"

static char out[LOOP_BYTES], in[LOOP_BYTES];

static struct dev_pkt packet(enum adi3_pkt_type type, size_t payload)
{
    struct dev_pkt pkt = packet_op_header(loop.w, type, payload);

    pkt.rank = 1;
    return pkt;
}

struct asked { /* an operation as a packet */
    enum adi3_rma_kind kind;
    MPI_Op op;
    struct wire_op f;
    size_t payload;
};

static struct dev_pkt operation(const struct asked *a)
{
    struct dev_pkt pkt = packet(PKT_RMA, a->payload);

    pkt.tag = wire_tag(a->kind, a->op ? adi3_op_builtin(a->op) : NULL);
    p2p_put_fields(&pkt, &a->f, sizeof a->f);
    return pkt;
}

/* Refused whole and while it is arriving; the window is as it was. */
static void refused_from(int from, struct dev_pkt pkt)
{
    struct dev_target target;
    char *exact = malloc(pkt.payload < sizeof out ? pkt.payload + 1 : 1);

    memset(loop_memory, 'm', sizeof loop_memory);
    if (pkt.payload < sizeof out) {
        memcpy(exact, out, pkt.payload);
        assert_true(fake_arrive(from, pkt, exact, FAKE_WHOLE) < 0);
    }
    free(exact);
    if (pkt.type != PKT_RMA_SYNC)
        assert_true(fake_begin(from, pkt, &target) < 0);
    for (size_t i = 0; i < sizeof loop_memory; i++)
        assert_int_equal(loop_memory[i], 'm');
    assert_int_equal(fake_waiting(), 0);
    assert_null(loop.t->after);
}

static void refused(struct dev_pkt pkt) { refused_from(1, pkt); }

/* ---- operations ------------------------------------------------------------------------------ */

static const struct asked
    put = { ADI3_PUT, 0, { .count = 8, .type = (uint32_t) MPI_BYTE }, 8 },
    get = { ADI3_GET, 0, { .count = 8, .request = 5, .type = (uint32_t) MPI_BYTE }, 0 },
    sum = { ADI3_ACCUMULATE, MPI_SUM, { .count = 4, .type = (uint32_t) MPI_INT }, 16 },
    swap = {
        ADI3_COMPARE_AND_SWAP, 0, { .count = 1, .request = 5, .type = (uint32_t) MPI_INT }, 8
    };

static void of_nobody(void **state)
{
    static const int ranks[] = { -1, 0, 2, 3, 1000000, INT32_MAX, INT32_MIN };
    struct dev_pkt good = operation(&put), pkt = good;

    (void) state;
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        pkt.rank = ranks[i];
        refused(pkt);
    }
    refused_from(2, good);
    for (unsigned bit = 0; bit < 32; bit++) {
        pkt = good;
        pkt.ctx ^= 1u << bit; /* no window's, or the wrong one of a communicator */
        refused(pkt);
    }
    assert_int_equal(fake_arrive(1, good, out, FAKE_WHOLE), 0);
}

static void of_no_kind(void **state)
{
    struct dev_pkt pkt = operation(&sum);
    struct asked a = sum;

    (void) state;
    for (int tag = ADI3_COMPARE_AND_SWAP + 1; tag < 256; tag++) {
        pkt.tag = tag | (MPI_SUM & 0xff) << 8;
        refused(pkt);
    }
    for (int op = 0; op < 256; op++) {
        pkt.tag = ADI3_ACCUMULATE | op << 8;
        if (op < 1 || op > 14) /* MPI_MAX to MPI_NO_OP */
            refused(pkt);
    }
    for (int sync_packet = 1; sync_packet < 256; sync_packet++) {
        bool known = sync_packet == RMA_SYNC_FLUSH || sync_packet == RMA_SYNC_UNLOCK
                     || sync_packet == RMA_SYNC_COMPLETE;
        pkt.tag = (int32_t) ((uint32_t) operation(known ? &get : &sum).tag
                             | (uint32_t) sync_packet << 16);
        refused(pkt);
    }
    for (int lock = RMA_JOINS + 2; lock < 256; lock++) {
        pkt.tag = (int32_t) ((uint32_t) operation(&sum).tag | (uint32_t) lock << 24);
        refused(pkt);
    }
    pkt.tag = operation(&sum).tag | (RMA_WRITES + 1) << 24;
    assert_int_equal(fake_arrive(1, pkt, out, FAKE_WHOLE), 0);
    fake_drop();
    refused(pkt); /* it has that lock */
    rma_lock_given_up(loop.w, loop.t);
    a.op = MPI_BAND;
    a.f.type = (uint32_t) MPI_FLOAT;
    refused(operation(&a));
    a.op = MPI_MINLOC;
    a.f.type = (uint32_t) MPI_INT;
    refused(operation(&a));
}

static void of_no_type(void **state)
{
    static const MPI_Datatype wrong[] = {
        0,      5,      WIRE_TYPES - 1,  WIRE_TYPES, MPI_DATATYPE_NULL, MPI_COMM_WORLD,
        MPI_LB, MPI_UB, MPI_INT + 0x100, -1
    };
    struct adi3_type *mine;
    struct asked a = put;

    (void) state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        a.f.type = (uint32_t) wrong[i];
        refused(operation(&a));
    }
    assert_int_equal(adi3_type_hvector(1, 1, 1, adi3_type_builtin(MPI_BYTE), &mine), MPI_SUCCESS);
    a.f.type = (uint32_t) mine->handle; /* of this process */
    refused(operation(&a));
    adi3_type_release(mine);
}

static void of_wrong_lengths(void **state)
{
    static const uint64_t counts[] = { 0, 1ull << 62, 1ull << 63, UINT64_MAX, UINT64_MAX / 4 + 2 };
    const struct asked *all[] = { &put, &get, &sum, &swap };

    (void) state;
    for (int i = 0; i < 4; i++)
        for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
            struct asked a = *all[i];
            a.f.type = (uint32_t) MPI_INT;
            a.f.count = counts[n];
            refused(operation(&a));
        }
    struct asked a = put;
    a.payload = 9;
    refused(operation(&a));
    a.payload = UINT64_MAX;
    refused(operation(&a));
    a = get;
    a.payload = 8;
    refused(operation(&a));
    a = put;
    a.f.at = 4;
    refused(operation(&a));
    a = put;
    a.f.request = 3;
    refused(operation(&a));
    a = get;
    a.f.request = 0;
    refused(operation(&a));
}

static void of_wrong_chunks(void **state)
{
    struct asked a = sum;

    (void) state;
    a.payload = 20;
    refused(operation(&a));
    a.payload = 15;
    refused(operation(&a));
    a.payload = 12; /* a chunk is full, or the last */
    refused(operation(&a));
    a = sum;
    a.f.count = 100000;
    a.payload = WIRE_CHUNK + 4;
    refused(operation(&a));
    a.payload = WIRE_CHUNK;
    a.f.at = 2;
    refused(operation(&a));
    a.f.at = 400000;
    refused(operation(&a));
    a.f.at = UINT64_MAX - 3;
    refused(operation(&a));
    a = sum;
    a.f.request = 4;
    refused(operation(&a));
    a.kind = ADI3_GET_ACCUMULATE;
    a.payload = 0; /* an operation without operand */
    refused(operation(&a));
    a.f.request = 0;
    refused(operation(&a));
}

/* Serializes a type as a packet for number 7. */
static struct fake_packet *type_packet(MPI_Aint at, MPI_Datatype of, MPI_Aint stride)
{
    struct adi3_type *old = adi3_type_builtin(of), *t;
    const int ints[] = { 1, 2 };
    const MPI_Aint places[] = { at };
    const struct adi3_contents block = { .combiner = MPI_COMBINER_HINDEXED,
                                         .nints = 2,
                                         .naddrs = 1,
                                         .ntypes = 1,
                                         .ints = (const int[]) { 1, 1 },
                                         .addrs = places,
                                         .types = &old };

    (void) ints;
    int err = stride ? adi3_type_hvector(2, 1, stride, old, &t) : adi3_type_make(&block, &t);
    assert_int_equal(err, MPI_SUCCESS);
    assert_int_equal(adi3_type_commit(t), MPI_SUCCESS);
    size_t len = adi3_type_serialize(t, NULL, 0);
    struct fake_packet *p = malloc(sizeof *p + len);
    p->pkt = packet(PKT_RMA_TYPE, len);
    p->pkt.tag = 7;
    (void) adi3_type_serialize(t, p->payload, len);
    adi3_type_release(t);
    return p;
}

static void of_wrong_swaps(void **state)
{
    struct asked a = swap;

    (void) state;
    a.f.count = 2;
    refused(operation(&a));
    a = swap;
    a.payload = 4;
    refused(operation(&a));
    a.f.type = (uint32_t) MPI_C_LONG_DOUBLE_COMPLEX;
    a.payload = 64;
    refused(operation(&a));
    for (int i = 0; i < 2; i++) { /* an element beyond the window; one in two halves */
        struct fake_packet *p = i ? type_packet(0, MPI_SHORT, 8) : type_packet(4000, MPI_INT, 0);
        assert_int_equal(fake_arrive(1, p->pkt, p->payload, FAKE_WHOLE), 0);
        free(p);
        a = swap;
        a.f.type = 7;
        a.f.disp = i ? 0 : -1000;
        refused(operation(&a));
    }
}

/* ---- types and sync packets ------------------------------------------------------------------ */

static void wrong_types(void **state)
{
    static const int numbers[] = { -1, WIRE_TYPES, INT32_MAX, INT32_MIN };
    struct fake_packet *p = type_packet(0, MPI_INT, 8);
    struct asked a = put;

    (void) state;
    a.f.type = 7;
    a.f.count = 1;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct dev_pkt pkt = p->pkt;
        pkt.tag = numbers[i];
        refused(pkt);
    }
    struct dev_pkt huge = p->pkt;
    huge.payload = UINT64_MAX;
    refused(huge);
    assert_int_equal(fake_arrive(1, p->pkt, p->payload, FAKE_WHOLE), 0);
    assert_int_equal(fake_arrive(1, operation(&a), out, FAKE_WHOLE), 0);
    /* No type: then its number names none. */
    memset(p->payload, 0xff, p->pkt.payload);
    assert_int_equal(fake_arrive(1, p->pkt, p->payload, 2), 0);
    refused(operation(&a));
    free(p);
}

static struct dev_pkt sync_packet(int32_t tag, uint32_t number, uint32_t value)
{
    const struct rma_sync_fields f = { .number = number, .value = value };
    struct dev_pkt pkt = packet(PKT_RMA_SYNC, 0);

    pkt.tag = tag;
    p2p_put_fields(&pkt, &f, sizeof f);
    return pkt;
}

static void wrong_syncs(void **state)
{
    (void) state;
    refused(sync_packet(0, 1, 0));
    refused(sync_packet(-1, 1, 0));
    refused(sync_packet(RMA_SYNC_KEY_REPLY, 1, 0)); /* not asked */
    refused(sync_packet(RMA_SYNC_KEY_REPLY + 1, 1, 0));
    refused(sync_packet(INT32_MAX, 1, 0));
    for (int i = -2; i < 3; i++) /* nothing was asked */
        refused(sync_packet(RMA_SYNC_FLUSHED, loop.t->answered + (uint32_t) i, 0));
    struct dev_pkt pkt = sync_packet(RMA_SYNC_FLUSH, 1, 0);
    pkt.rank = 2;
    refused(pkt);
    pkt = sync_packet(RMA_SYNC_FLUSH, 1, 0);
    pkt.payload = 1;
    refused(pkt);
    assert_int_equal(loop.t->answered, loop.t->asked);
}

/* ---- data ------------------------------------------------------------------------------------ */

static struct dev_pkt data_for(uint32_t request, size_t len)
{
    const struct wire_data f = { .request = request };
    struct dev_pkt pkt = packet(PKT_RMA_DATA, len);

    p2p_put_fields(&pkt, &f, sizeof f);
    return pkt;
}

static void wrong_data(void **state)
{
    struct adi3_request *receive = fake_irecv(in, 100, 1, 0);
    struct adi3_rma x = loop_op(ADI3_GET, 0, fake_bytes(in, 100));
    struct wire_op f;

    (void) state;
    (void) loop_send(&x, false);
    struct dev_pkt asked = fake_sent(1, PKT_RMA);
    p2p_get_fields(&asked, &f, sizeof f);
    refused(data_for(0, 100));
    refused(data_for((uint32_t) MPI_COMM_WORLD, 100));
    refused(data_for((uint32_t) receive->handle, 100));
    refused(data_for(f.request, 99));
    refused(data_for(f.request, 101));
    refused(data_for(f.request, 0));
    refused_from(2, data_for(f.request, 100));
    assert_int_equal(loop.t->pending, 1);
    memset(out, 'd', 100);
    assert_int_equal(fake_arrive(1, data_for(f.request, 100), out, 3), 0);
    assert_memory_equal(in, out, 100);
    refused(data_for(f.request, 100));
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    assert_int_equal(fake_arrive(1, fake_eager(1, 0, 0), NULL, FAKE_WHOLE), 0);
    (void) fake_result(receive, MPI_STATUS_IGNORE);
}

/* ---- any bytes ------------------------------------------------------------------------------- */

/* A packet that is right, or nearly. */
static struct dev_pkt some_packet(char *payload)
{
    static const struct asked *const good[] = { &put, &get, &sum, &swap };
    struct asked a = *good[unit_random(4)];
    struct dev_pkt pkt;

    a.f.disp = unit_random(4) ? unit_random(LOOP_BYTES / LOOP_UNIT) : -(MPI_Aint) unit_random(9999);
    if (unit_random(3) == 0)
        a.f.type = 7;
    if (unit_random(3) == 0)
        a.f.count = unit_random(40);
    if (unit_random(3) == 0)
        a.payload = unit_random(80);
    if (a.kind == ADI3_ACCUMULATE && unit_random(2)) {
        a.kind = ADI3_GET_ACCUMULATE;
        a.f.request = unit_random(100);
        a.op = MPI_MAX + (int) unit_random(14);
    }
    pkt = operation(&a);
    if (unit_random(4) == 0) {
        struct fake_packet *p = type_packet((MPI_Aint) unit_random(5000), MPI_INT,
                                            unit_random(2) * 4 * (1 + unit_random(9)));
        memcpy(payload, p->payload, p->pkt.payload);
        pkt = p->pkt;
        free(p);
        payload[unit_random((uint32_t) pkt.payload)] ^= (char) (unit_random(3) ? 0 : 1);
    } else if (unit_random(8) == 0) {
        pkt = sync_packet((int32_t) unit_random(9), unit_random(3), unit_random(5));
    }
    return pkt;
}

/* Flips bits of the header behind `payload`, not too often the length: there are so many bytes. */
static void mutate(struct dev_pkt *pkt)
{
    enum { FIRST = offsetof(struct dev_pkt, ctx) };
    unsigned char *bytes = (unsigned char *) pkt;

    for (uint32_t n = unit_random(3); n > 0; n--)
        bytes[FIRST + unit_random(sizeof *pkt - FIRST)] ^= (unsigned char) (1u << unit_random(8));
}

/* An error class that is none is told as MPI_ERR_OTHER, with a text. */
static void no_class(void **state)
{
    static const int32_t classes[] = { -1, INT32_MIN, 127, 128, 311, INT32_MAX };

    (void) state;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        struct adi3_rma x = loop_op(ADI3_GET, 0, fake_bytes(in, 8));
        struct wire_data f = { .errclass = classes[i], .disp = 77 };
        (void) loop_send(&x, false);
        struct fake_packet *p = fake_take();
        struct dev_pkt pkt = packet(PKT_RMA_DATA, 0);
        struct wire_op asked;
        p2p_get_fields(&p->pkt, &asked, sizeof asked);
        f.request = asked.request;
        p2p_put_fields(&pkt, &f, sizeof f);
        assert_int_equal(fake_arrive(1, pkt, NULL, FAKE_WHOLE), 0);
        free(p);
        int err = loop_flush();
        assert_int_equal(fake_class(err), MPI_ERR_OTHER);
        assert_non_null(strstr(loop_text(err), "displacement 77"));
    }
}

/* Bits of packets are changed at random: each is done or refused; nothing outside the window is
 * touched. As the peer stays, later packets find what earlier ones have left. */
static void changed_packets(void **state)
{
    enum { BYTES = 1000, ROUNDS = 100000 };
    char *exact = malloc(BYTES), payload[256] = { 0 };
    int done = 0;

    (void) state;
    loop.w->base = exact; /* for the sanitizer */
    loop.w->size = BYTES;
    for (int i = 0; i < ROUNDS; i++) {
        struct dev_pkt pkt = some_packet(payload);
        mutate(&pkt);
        if (pkt.type == PKT_RMA_SYNC && pkt.tag == RMA_SYNC_LOCK)
            continue; /* a second one would lose the process for good */
        int pieces = pkt.payload ? (int) unit_random(3) : FAKE_WHOLE;
        done += fake_arrive(1, pkt, payload, pieces) >= 0;
        fake_drop(); /* the answers */
    }
    assert_true(done > 1000);
    loop.w->base = loop_memory;
    loop.w->size = LOOP_BYTES;
    free(exact);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, loop_setup, loop_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(of_nobody),       TEST(of_no_kind),     TEST(of_no_type),      TEST(of_wrong_lengths),
        TEST(of_wrong_chunks), TEST(of_wrong_swaps), TEST(wrong_types),     TEST(wrong_syncs),
        TEST(wrong_data),      TEST(no_class),       TEST(changed_packets),
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
