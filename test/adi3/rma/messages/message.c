/* message.c — one-sided operations by messages: what they do to the memory of both sides. */
#include <stdlib.h>
#include <string.h>
#include "rma/rma_loop.h"

static char out[LOOP_BYTES], in[LOOP_BYTES];

static void fill(void)
{
    for (size_t i = 0; i < sizeof out; i++) {
        out[i] = (char) unit_random(256);
        loop_memory[i] = (char) unit_random(256);
    }
    memset(in, '#', sizeof in);
}

static struct adi3_type *vector(int count, int blocklen, int stride, MPI_Datatype of)
{
    struct adi3_type *v, *old = adi3_type_builtin(of);

    assert_int_equal(adi3_type_hvector(count, blocklen, stride * (MPI_Aint) old->size, old, &v),
                     MPI_SUCCESS);
    assert_int_equal(adi3_type_commit(v), MPI_SUCCESS);
    return v;
}

static struct adi3_data ints(const void *buf, size_t count)
{
    return (struct adi3_data) { (void *) (uintptr_t) buf, count, adi3_type_builtin(MPI_INT) };
}

/* Every way in which a device takes packets and lets them arrive. */
static void each_way(void (*check)(void))
{
    for (int pieces = -1; pieces <= 3; pieces++)
        for (int again = -1; again <= 1; again++)
            for (int holds = 0; holds <= 1; holds++) {
                loop.pieces = pieces;
                fake.again = again;
                fake.holds = holds;
                fill();
                check();
                fake.again = 0;
                assert_int_equal(fake_requests(), 0);
            }
}

/* ---- put and get ----------------------------------------------------------------------------- */

static void put_and_get(void)
{
    static const size_t lengths[] = { 1, 8, 100, 512, 513, 5000, 70000 };

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t len = lengths[i], at = unit_random(1000) * LOOP_UNIT;
        char before = loop_memory[at + len];
        struct adi3_rma x = loop_op(ADI3_PUT, (MPI_Aint) at / LOOP_UNIT, fake_bytes(out, len));
        (void) loop_send(&x, false);
        assert_int_equal(loop_flush(), MPI_SUCCESS);
        assert_memory_equal(loop_memory + at, out, len);
        assert_int_equal(loop_memory[at + len], before);
        x.kind = ADI3_GET;
        x.origin.buf = in;
        (void) loop_send(&x, false);
        assert_int_equal(loop_flush(), MPI_SUCCESS);
        assert_memory_equal(in, out, len);
    }
}

static void contiguous(void **state)
{
    (void) state;
    each_way(put_and_get);
}

/* Both sides with holes, of different forms; a model copies by itself. */
static void put_and_get_holes(void)
{
    struct adi3_type *a = vector(3, 100, 170, MPI_INT), *b = vector(60, 5, 7, MPI_INT);
    struct adi3_data origin = { out, 20, a }, there = { in + 40, 20, b };
    struct adi3_rma x = { .kind = ADI3_PUT, .disp = 10, .origin = origin, .count = 20, .type = b };

    memcpy(in, loop_memory, sizeof in);
    adi3_copy(&origin, &there);
    (void) loop_send(&x, false);
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    assert_memory_equal(in, loop_memory, sizeof in);
    memset(out, '#', sizeof out);
    x.kind = ADI3_GET;
    (void) loop_send(&x, false);
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    memset(in, '#', sizeof in);
    there.buf = loop_memory + 40;
    origin.buf = in;
    adi3_copy(&there, &origin);
    assert_memory_equal(in, out, sizeof in);
    adi3_type_release(a);
    adi3_type_release(b);
}

static void with_holes(void **state)
{
    (void) state;
    each_way(put_and_get_holes);
}

/* ---- accumulate operations ------------------------------------------------------------------- */

enum { MANY = 20011 }; /* ints: three chunks */

static int sum_at(size_t i) { return (int) (i * 7 + 3); }

static void sum_up(void)
{
    int *a = (int *) (void *) out, *m = (int *) (void *) (loop_memory + 8), *got;
    struct adi3_rma x = loop_op(ADI3_ACCUMULATE, 2, ints(out, MANY));

    got = (int *) (void *) in;
    x.op = adi3_op_builtin(MPI_SUM);
    for (int i = 0; i < MANY; i++) {
        a[i] = 3;
        m[i] = i * 7;
    }
    (void) loop_send(&x, false);
    x.kind = ADI3_GET_ACCUMULATE;
    x.result = ints(in, MANY);
    (void) loop_send(&x, false);
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    for (size_t i = 0; i < MANY; i++) {
        assert_int_equal(got[i], sum_at(i));
        assert_int_equal(m[i], sum_at(i) + 3);
    }
    assert_int_equal(((int *) (void *) loop_memory)[1 + 1 + MANY], *(m + MANY));
}

static void accumulates(void **state)
{
    (void) state;
    each_way(sum_up);
}

/* Operand, target and result all have holes. */
static void sum_holes(void)
{
    struct adi3_type *a = vector(2, 1, 3, MPI_INT), *b = vector(4, 1, 2, MPI_INT);
    int *m = (int *) (void *) loop_memory, *o = (int *) (void *) out, *g = (int *) (void *) in;
    struct adi3_rma x = { .kind = ADI3_GET_ACCUMULATE,
                          .origin = { out, 10000, a },
                          .result = { in, 10000, a },
                          .count = 5000,
                          .type = b,
                          .op = adi3_op_builtin(MPI_SUM) };

    for (int i = 0; i < LOOP_BYTES / 4; i++) {
        m[i] = i;
        o[i] = 1000000 + i;
        g[i] = -1;
    }
    (void) loop_send(&x, false);
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    for (int i = 0; i < 20000; i++) { /* element i of each */
        int at = i / 4 * 7 + i % 4 * 2, from = i / 2 * 4 + i % 2 * 3;
        if (i % 4)
            assert_int_equal(m[at - 1], at - 1);
        assert_int_equal(g[from], i % 4 || i == 0 ? at : g[from]);
    }
    assert_int_equal(g[1], -1);
    adi3_type_release(a);
    adi3_type_release(b);
}

static void accumulates_with_holes(void **state)
{
    (void) state;
    each_way(sum_holes);
}

static void fetch_and_swap(void)
{
    double *m = (double *) (void *) loop_memory, got = 0, add = 2.5;
    int64_t *n = (int64_t *) (void *) (loop_memory + 16), old = 0, new = 9, compare = 7;
    struct adi3_data d = { &add, 1, adi3_type_builtin(MPI_DOUBLE) };
    struct adi3_rma x = loop_op(ADI3_GET_ACCUMULATE, 0, d);

    *m = 1;
    *n = 7;
    x.op = adi3_op_builtin(MPI_SUM);
    x.result = (struct adi3_data) { &got, 1, d.type };
    (void) loop_send(&x, false);
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    assert_true(got == 1 && *m == 3.5);
    x.op = adi3_op_builtin(MPI_NO_OP);
    x.origin = (struct adi3_data) { NULL, 0, NULL };
    (void) loop_send(&x, false);
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    assert_true(got == 3.5 && *m == 3.5);
    d = (struct adi3_data) { &new, 1, adi3_type_builtin(MPI_INT64_T) };
    x = loop_op(ADI3_COMPARE_AND_SWAP, 16 / LOOP_UNIT, d);
    x.compare = &compare;
    x.result = (struct adi3_data) { &old, 1, d.type };
    for (int i = 0; i < 2; i++) { /* the second one compares in vain */
        (void) loop_send(&x, false);
        assert_int_equal(loop_flush(), MPI_SUCCESS);
        assert_true(old == (i ? 9 : 7) && *n == 9);
    }
}

static void fetches_and_swaps(void **state)
{
    (void) state;
    each_way(fetch_and_swap);
}

/* A kind of Fortran has a handle that only this process knows. */
static void kinds_of_fortran(void **state)
{
    struct adi3_type *f90;
    int m[2] = { 0, 0 }, two[2] = { 2, 3 };

    (void) state;
    assert_int_equal(adi3_type_f90(MPI_COMBINER_F90_INTEGER, MPI_UNDEFINED, 8, &f90), MPI_SUCCESS);
    struct adi3_rma x = loop_op(ADI3_ACCUMULATE, 0, (struct adi3_data) { two, 2, f90 });
    x.op = adi3_op_builtin(MPI_SUM);
    (void) loop_send(&x, false);
    struct fake_packet *p = fake_take();
    assert_int_equal(p->pkt.type, PKT_RMA_TYPE); /* serialized, as the type that it is like */
    p->pkt.rank = 1;
    assert_int_equal(fake_arrive(1, p->pkt, p->payload, FAKE_WHOLE), 0);
    free(p);
    x.kind = ADI3_COMPARE_AND_SWAP;
    int got = 0, compare = 2;
    x.count = x.origin.count = 1;
    x.origin.buf = &two[1];
    x.compare = &compare;
    x.result = (struct adi3_data) { &got, 1, f90 };
    (void) loop_send(&x, false);
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    memcpy(m, loop_memory, sizeof m);
    assert_true(m[0] == 3 && m[1] == 3 && got == 2);
}

/* A pair has a hole in memory, and none in a packet. */
static void pairs(void **state)
{
    struct {
        double value;
        int index;
    } mine = { 5, 1 }, theirs = { 7, 2 };
    struct adi3_type *pair = adi3_get(&adi3_types, MPI_DOUBLE_INT);

    (void) state;
    memcpy(loop_memory, &theirs, sizeof theirs);
    struct adi3_rma x = loop_op(ADI3_ACCUMULATE, 0, (struct adi3_data) { &mine, 1, pair });
    x.op = adi3_op_builtin(MPI_MINLOC);
    (void) loop_send(&x, false);
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    memcpy(&theirs, loop_memory, sizeof theirs);
    assert_true(theirs.value == 5 && theirs.index == 1);
}

/* ---- types by number ------------------------------------------------------------------------- */

static void types_travel_once(void **state)
{
    struct adi3_type *t[WIRE_TYPES + 6];

    (void) state;
    fill();
    for (int i = 0; i < WIRE_TYPES + 6; i++)
        t[i] = vector(2, 1, i + 2, MPI_INT);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < WIRE_TYPES; i++) {
            struct adi3_rma x = loop_op(ADI3_PUT, 0, (struct adi3_data) { out, 1, t[i] });
            (void) loop_send(&x, false);
        }
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    assert_int_equal(loop.sent[PKT_RMA_TYPE], WIRE_TYPES);
    for (int n = 0; n < 1000; n++) { /* replaced again and again */
        int i = (int) unit_random(WIRE_TYPES + 6);
        struct adi3_data d = { out, 2, t[i] }, there = { in, 2, t[i] };
        memcpy(in, loop_memory, 1000);
        adi3_copy(&d, &there);
        struct adi3_rma x = loop_op(ADI3_PUT, 0, d);
        (void) loop_send(&x, false);
        assert_int_equal(loop_flush(), MPI_SUCCESS);
        assert_memory_equal(in, loop_memory, 1000);
        out[unit_random(300)]++;
    }
    for (int i = 0; i < WIRE_TYPES + 6; i++)
        adi3_type_release(t[i]);
}

/* A type with so many blocks that its form does not fit a small packet. */
static void long_types(void **state)
{
    enum { BLOCKS = 2000 };
    static MPI_Aint at[BLOCKS];
    static int args[2 * BLOCKS + 1];
    struct adi3_type *i4 = adi3_type_builtin(MPI_INT), *t;
    size_t place = 0;

    (void) state;
    fill();
    args[0] = BLOCKS;
    for (int i = 0; i < BLOCKS; i++) {
        args[1 + i] = 1 + i % 3;
        at[i] = (MPI_Aint) place;
        place += 4u * (unsigned) args[1 + i] + 4u * (1 + unit_random(5));
    }
    const struct adi3_contents c = { .combiner = MPI_COMBINER_HINDEXED,
                                     .nints = BLOCKS + 1,
                                     .naddrs = BLOCKS,
                                     .ntypes = 1,
                                     .ints = args,
                                     .addrs = at,
                                     .types = &i4 };
    assert_int_equal(adi3_type_make(&c, &t), MPI_SUCCESS);
    assert_int_equal(adi3_type_commit(t), MPI_SUCCESS);
    for (loop.pieces = 0; loop.pieces < 4; loop.pieces++) {
        type_cache_free(loop.t);
        struct adi3_data d = { out, 1, t }, there = { in, 1, t };
        memcpy(in, loop_memory, sizeof in);
        adi3_copy(&d, &there);
        struct adi3_rma x = loop_op(ADI3_PUT, 0, d);
        (void) loop_send(&x, false);
        assert_int_equal(loop_flush(), MPI_SUCCESS);
        assert_memory_equal(in, loop_memory, sizeof in);
        fill();
    }
    adi3_type_release(t);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, loop_setup, loop_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(contiguous),
        TEST(with_holes),
        TEST(accumulates),
        TEST(accumulates_with_holes),
        TEST(fetches_and_swaps),
        TEST(kinds_of_fortran),
        TEST(pairs),
        TEST(types_travel_once),
        TEST(long_types),
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
