/* done.c — when operations by messages are done, in what order, and with which errors. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "rma/rma_loop.h"

enum { MANY = 20011 }; /* ints: three chunks */

static char out[LOOP_BYTES], in[LOOP_BYTES];

static void fill(void)
{
    for (size_t i = 0; i < sizeof out; i++) {
        out[i] = (char) unit_random(256);
        loop_memory[i] = (char) unit_random(256);
    }
    memset(in, '#', sizeof in);
}

static struct adi3_data ints(const void *buf, size_t count)
{
    return (struct adi3_data) { (void *) (uintptr_t) buf, count, adi3_type_builtin(MPI_INT) };
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void outside(void **state)
{
    char title[RMA_TITLE];

    (void) state;
    fill();
    memcpy(in, loop_memory, sizeof in);
    for (loop.pieces = 0; loop.pieces < 3; loop.pieces++) {
        struct adi3_rma x = loop_op(ADI3_PUT, LOOP_BYTES / LOOP_UNIT - 1, fake_bytes(out, 5));
        (void) loop_send(&x, false);
        x.disp = 1; /* a later one is right */
        (void) loop_send(&x, false);
        int err = loop_flush();
        assert_int_equal(fake_class(err), MPI_ERR_RMA_RANGE);
        const char *text = loop_text(err);
        assert_non_null(strstr(text, rma_title(loop.w, 1, title)));
        assert_non_null(strstr(text, "displacement 49999"));
        assert_non_null(strstr(text, "200000 bytes"));
        assert_int_equal(loop_flush(), MPI_SUCCESS); /* said once */
    }
    memcpy(in + LOOP_UNIT, out, 5);
    assert_memory_equal(in, loop_memory, sizeof in);
}

static void outside_of_all_kinds(void **state)
{
    static const MPI_Aint wrong[] = { -1, LOOP_BYTES / LOOP_UNIT, PTRDIFF_MAX, PTRDIFF_MIN,
                                      PTRDIFF_MAX / LOOP_UNIT };
    int64_t old = 77, new = 1;

    (void) state;
    for (int kind = ADI3_PUT; kind <= ADI3_COMPARE_AND_SWAP; kind++)
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            struct adi3_data d = { &new, 1, adi3_type_builtin(MPI_INT64_T) };
            struct adi3_rma x = loop_op((enum adi3_rma_kind) kind, wrong[i], d);
            x.op = adi3_op_builtin(MPI_SUM);
            x.compare = &new;
            if (kind >= ADI3_GET_ACCUMULATE)
                x.result = (struct adi3_data) { &old, 1, d.type };
            (void) loop_send(&x, false);
            assert_int_equal(fake_class(loop_flush()), MPI_ERR_RMA_RANGE);
            assert_true(old == 77 && new == 1);
        }
}

/* With both hints the origin knows what the target has, and sends nothing that is outside; with one
 * of them it does not know. */
static void outside_of_the_same(void **state)
{
    static const unsigned both = ADI3_WIN_SAME_SIZE | ADI3_WIN_SAME_DISP_UNIT;
    char byte = 'x';

    (void) state;
    for (unsigned infos = 0; infos <= both; infos += ADI3_WIN_SAME_SIZE) {
        MPI_Request h = ADI3_REQUEST_COMPLETE;
        struct adi3_rma x = loop_op(ADI3_PUT, LOOP_BYTES / LOOP_UNIT, fake_bytes(&byte, 1));
        loop_free();
        loop_window(MPI_WIN_FLAVOR_CREATE, infos);
        int err = rma_send(loop.w, loop.t, &x, &h);
        assert_int_equal(fake_class(err), infos == both ? MPI_ERR_RMA_RANGE : MPI_SUCCESS);
        if (err)
            assert_non_null(strstr(loop_text(err), "displacement 50000 of 4 bytes each"));
        assert_int_equal(h, ADI3_REQUEST_COMPLETE);
        assert_int_equal(fake_class(loop_flush()), err ? MPI_SUCCESS : MPI_ERR_RMA_RANGE);
        x.disp--; /* the last that it has */
        (void) loop_send(&x, false);
        assert_int_equal(loop_flush(), MPI_SUCCESS);
        assert_int_equal(loop_memory[LOOP_BYTES - LOOP_UNIT], 'x');
    }
}

static void not_attached(void **state)
{
    char byte = 'x';

    (void) state;
    loop_free();
    loop_window(MPI_WIN_FLAVOR_DYNAMIC, 0);
    MPI_Aint at = (MPI_Aint) (uintptr_t) loop_memory;
    struct adi3_rma x = loop_op(ADI3_PUT, at, fake_bytes(&byte, 1));
    (void) loop_send(&x, false);
    assert_int_equal(fake_class(loop_flush()), MPI_ERR_RMA_RANGE);
    assert_int_equal(adi3_win_attach(loop.w, loop_memory, 10), MPI_SUCCESS);
    (void) loop_send(&x, false);
    x.disp = at + 10;
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    assert_true(loop_memory[0] == 'x');
    (void) loop_send(&x, false);
    assert_int_equal(fake_class(loop_flush()), MPI_ERR_RMA_RANGE);
    assert_true(loop_memory[10] == 0);
}

/* ---- requests -------------------------------------------------------------------------------- */

static int finish(MPI_Request h)
{
    return h == ADI3_REQUEST_COMPLETE ? MPI_SUCCESS
                                      : fake_result(adi3_request_get(h), MPI_STATUS_IGNORE);
}

static void with_requests(void **state)
{
    (void) state;
    fill();
    struct adi3_rma x = loop_op(ADI3_PUT, 0, fake_bytes(out, 10));
    assert_int_equal(loop_send(&x, true), ADI3_REQUEST_COMPLETE); /* it has left */
    fake.holds = true;
    x.origin.count = x.count = 9000;
    MPI_Request h = loop_send(&x, true);
    assert_false(fake_done(adi3_request_get(h)));
    assert_int_equal(loop.t->pending, 1);
    fake_finish(0);
    assert_int_equal(loop.t->pending, 0);
    assert_int_equal(finish(h), MPI_SUCCESS);
    x.kind = ADI3_GET;
    x.origin.buf = in;
    h = loop_send(&x, true);
    (void) loop_pump();
    assert_int_equal(finish(h), MPI_SUCCESS);
    assert_memory_equal(in, out, 9000);
    assert_int_equal(loop_flush(), MPI_SUCCESS);
}

/* One request for all chunks; MPI_Request_free of one does not end it. */
static void requests_of_chunks(void **state)
{
    (void) state;
    for (int released = 0; released < 2; released++) {
        struct adi3_rma x = loop_op(ADI3_GET_ACCUMULATE, 0, ints(out, MANY));
        x.op = adi3_op_builtin(MPI_REPLACE);
        x.result = ints(in, MANY);
        fill();
        char *before = malloc(sizeof(int) * MANY);
        memcpy(before, loop_memory, sizeof(int) * MANY);
        fake.holds = true;
        MPI_Request h = loop_send(&x, true);
        assert_false(fake_done(adi3_request_get(h)));
        if (released)
            assert_int_equal(adi3_request_release(adi3_request_get(h)), MPI_SUCCESS);
        (void) loop_pump();
        if (!released)
            assert_int_equal(finish(h), MPI_SUCCESS);
        assert_memory_equal(in, before, sizeof(int) * MANY);
        assert_memory_equal(loop_memory, out, sizeof(int) * MANY);
        assert_int_equal(loop_flush(), MPI_SUCCESS);
        free(before);
    }
}

static void request_of_what_fails(void **state)
{
    (void) state;
    struct adi3_rma x = loop_op(ADI3_GET, -5, fake_bytes(in, 10));
    MPI_Request h = loop_send(&x, true);
    (void) loop_pump();
    assert_int_equal(fake_class(finish(h)), MPI_ERR_RMA_RANGE);
    (void) loop_flush();
    assert_int_equal(loop_flush(), MPI_SUCCESS);
}

/* The memory of an operation is its own until the device has taken it. */
static void local_completion(void **state)
{
    (void) state;
    fill();
    fake.holds = true;
    struct adi3_rma x = loop_op(ADI3_PUT, 0, fake_bytes(out, 5000));
    (void) loop_send(&x, false);
    assert_int_equal(loop.t->pending, 1);
    assert_int_equal(rma_flush_local(loop.w, loop.t), MPI_SUCCESS);
    assert_int_equal(loop.t->pending, 0);
    assert_int_equal(loop_flush(), MPI_SUCCESS);
}

/* ---- flushing -------------------------------------------------------------------------------- */

/* A flush covers what another thread's flush has asked for and has not been answered yet. */
static void flush_of_two_threads(void **state)
{
    const struct rma_sync_fields theirs = { .number = 1 };
    char byte = 'x';

    (void) state;
    struct adi3_rma x = loop_op(ADI3_PUT, 0, fake_bytes(&byte, 1));
    (void) loop_send(&x, false);
    loop.t->unflushed = 0;
    loop.t->asked = 1;
    assert_int_equal(rma_sync_send(loop.w, 1, RMA_SYNC_FLUSH, &theirs), MPI_SUCCESS);
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    assert_int_equal(loop_memory[0], 'x');
    assert_int_equal(loop.t->answered, 1);
}

/* All packets that are on their way arrive in one poll, with those of another thread. */
static bool answer_and_ask(void)
{
    static const struct rma_sync_fields theirs = { .number = 2 };

    if (loop.t->asked == 1) {
        loop.t->asked = 2;
        assert_int_equal(rma_sync_send(loop.w, 1, RMA_SYNC_FLUSH, &theirs), MPI_SUCCESS);
    }
    return loop_pump();
}

static void later_answers_in_one_poll(void **state)
{
    char byte = 'x';

    (void) state;
    struct adi3_rma x = loop_op(ADI3_PUT, 0, fake_bytes(&byte, 1));
    (void) loop_send(&x, false);
    fake.poll = answer_and_ask;
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    assert_int_equal(loop.t->answered, 2);
}

/* ---- payloads that are still arriving -------------------------------------------------------- */

static struct fake_packet *taken(void)
{
    piggyback_send();
    struct fake_packet *p = fake_take();
    p->pkt.rank = 1;
    return p;
}

static void arrives(struct fake_packet *p)
{
    assert_int_equal(fake_arrive(1, p->pkt, p->payload, FAKE_WHOLE), 0);
    free(p);
}

static void flush_behind_a_payload(void **state)
{
    struct dev_target target;

    (void) state;
    fill();
    struct adi3_rma x = loop_op(ADI3_PUT, 0, fake_bytes(out, 5000));
    (void) loop_send(&x, false);
    struct fake_packet *p = taken();
    assert_int_equal(fake_begin(1, p->pkt, &target), 0);
    const struct rma_sync_fields f = { .number = ++loop.t->asked };
    loop.t->unflushed = 0;
    assert_int_equal(rma_sync_send(loop.w, 1, RMA_SYNC_FLUSH, &f), MPI_SUCCESS);
    arrives(taken());
    assert_int_equal(fake_waiting(), 0); /* not answered */
    fake_pour(&target, p->payload, 5000);
    fake_end(&target, 0);
    free(p);
    assert_int_equal(fake_waiting(), 1);
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    assert_memory_equal(loop_memory, out, 5000);
}

/* Accumulate operations are done in the order in which they were called. */
static void order_behind_a_payload(void **state)
{
    struct dev_target target;
    static int many[2000];
    int last = 7, got = 0;

    (void) state;
    for (int i = 0; i < 2000; i++)
        many[i] = 100 + i;
    struct adi3_rma x = loop_op(ADI3_ACCUMULATE, 0, ints(many, 2000));
    x.op = adi3_op_builtin(MPI_REPLACE);
    (void) loop_send(&x, false);
    struct fake_packet *p = taken();
    assert_int_equal(fake_begin(1, p->pkt, &target), 0);
    x = loop_op(ADI3_GET_ACCUMULATE, 0, ints(&last, 1));
    x.op = adi3_op_builtin(MPI_SUM);
    x.result = ints(&got, 1);
    (void) loop_send(&x, false);
    arrives(taken());
    fake_pour(&target, p->payload, p->pkt.payload);
    fake_end(&target, 0);
    free(p);
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    assert_int_equal(got, 100);
    memcpy(&got, loop_memory, sizeof got);
    assert_int_equal(got, 107);
}

/* A device has a payload at any address. */
static void payload_at_any_address(void **state)
{
    static const MPI_Datatype types[] = {
        MPI_SHORT, MPI_INT, MPI_DOUBLE, MPI_LONG_DOUBLE, MPI_C_DOUBLE_COMPLEX, MPI_2INT
    };
    char *bytes = malloc(5000);

    (void) state;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (int off = 0; off < 16; off++) {
            struct adi3_type *t = adi3_type_builtin(types[i]);
            struct adi3_rma x = loop_op(ADI3_ACCUMULATE, 0, (struct adi3_data) { in, 20, t });
            memset(in, 0, sizeof in);
            memset(loop_memory, 0, 1000);
            x.op = adi3_op_builtin(types[i] == MPI_2INT ? MPI_MAXLOC : MPI_SUM);
            (void) loop_send(&x, false);
            struct fake_packet *p = taken();
            memcpy(bytes + off, p->payload, p->pkt.payload);
            assert_int_equal(p2p_upcalls.recv(&adi3_procs[1].peer, &p->pkt, bytes + off), 0);
            free(p);
        }
    free(bytes);
    assert_int_equal(loop_flush(), MPI_SUCCESS);
}

/* A payload breaks off: what it was for is not done, and nobody waits. */
static void payload_breaks_off(void **state)
{
    struct dev_target target;

    (void) state;
    for (int kind = ADI3_PUT; kind <= ADI3_ACCUMULATE; kind += ADI3_ACCUMULATE - ADI3_PUT) {
        fill();
        memcpy(in, loop_memory, sizeof in);
        struct adi3_rma x = loop_op((enum adi3_rma_kind) kind, 0, ints(out, 2000));
        x.op = kind == ADI3_PUT ? NULL : adi3_op_builtin(MPI_SUM);
        (void) loop_send(&x, false);
        struct fake_packet *p = taken();
        assert_int_equal(fake_begin(1, p->pkt, &target), 0);
        fake_end(&target, -ECONNRESET);
        assert_memory_equal(in, loop_memory, sizeof in);
        assert_null(loop.t->after);
        free(p);
    }
    assert_int_equal(fake_class(loop_flush()), MPI_ERR_OTHER);
}

/* ---- the loss of a process ------------------------------------------------------------------- */

static int watches;

static void count_watch(struct dev_peer *peer)
{
    assert_ptr_equal(peer, &adi3_procs[1].peer);
    watches++;
}

static void poll_until(int n, uint64_t ms)
{
    for (uint64_t begin = os_time_ns(); watches < n && os_time_ns() - begin < ms * 1000000;)
        adi3_poll();
}

static void watch_until(int n)
{
    poll_until(n, 10000);
    assert_true(watches >= n);
}

/* A device is asked about the process that an operation or a call waits for, and no longer. */
static void processes_waited_for_are_watched(void **state)
{
    struct adi3_wait wait = { .on = loop.w };
    char byte = 0;

    (void) state;
    fake_ops.watch = count_watch;
    struct adi3_rma x = loop_op(ADI3_GET, 0, fake_bytes(&byte, 1));
    fake.poll = NULL;
    (void) loop_send(&x, false);
    watch_until(1);
    fake.poll = loop_pump;
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    assert_int_equal(rma_wait_turn(loop.w, &wait, 1), MPI_SUCCESS);
    adi3_wait_end(&wait);
    watch_until(watches + 1);
    assert_int_equal(rma_wait_turn(loop.w, &wait, 1), MPI_SUCCESS);
    adi3_wait_end(&wait);
    loop_free(); /* its processes may be gone before the next look */
    loop_window(MPI_WIN_FLAVOR_CREATE, 0);
    watches = 0;
    poll_until(1, 1200);
    assert_int_equal(watches, 0);
    fake_ops.watch = NULL;
}

/* Whatever is under way ends, with errors that name the process, and no memory is in use. */
static void lost(void **state)
{
    (void) state;
    fill();
    fake.holds = true;
    struct adi3_rma x = loop_op(ADI3_PUT, 0, fake_bytes(out, 5000));
    MPI_Request put = loop_send(&x, true);
    x.kind = ADI3_GET;
    x.origin.buf = in;
    MPI_Request get = loop_send(&x, true);
    (void) loop_send(&x, false);
    x = loop_op(ADI3_GET_ACCUMULATE, 0, ints(out, MANY));
    x.op = adi3_op_builtin(MPI_SUM);
    x.result = ints(in, MANY);
    MPI_Request chunks = loop_send(&x, true);
    (void) loop_send(&x, false);
    assert_true(loop.t->pending > 0);
    fake_lose(1);
    fake_drop();
    assert_int_equal(loop.t->pending, 0);
    assert_int_equal(fake_class(finish(put)), MPI_ERR_OTHER);
    assert_int_equal(fake_class(finish(get)), MPI_ERR_OTHER);
    assert_int_equal(fake_class(finish(chunks)), MPI_ERR_OTHER);
    assert_int_equal(fake_requests(), 0);
    int err = loop_flush();
    assert_int_equal(fake_class(err), MPI_ERR_OTHER);
    assert_non_null(strstr(loop_text(err), "process 1"));
    assert_int_equal(fake_class(rma_send(loop.w, loop.t, &x, NULL)), MPI_ERR_OTHER);
}

static bool lose_now(void)
{
    fake_drop();
    fake_lose(2);
    return true;
}

/* An operation that waits for room when its target is lost does not wait for answers. Of the errors
 * of all parts one text is made: many would displace those of other operations. */
static void lost_without_room(void **state)
{
    struct rma_target *t = rma_target(loop.w, 2);
    struct adi3_rma x = loop_op(ADI3_GET, 0, fake_bytes(in, 8));
    int before = adi3_error(MPI_ERR_OTHER, "before");

    (void) state;
    for (int i = 0; i < 64; i++)
        assert_int_equal(rma_send(loop.w, t, &x, NULL), MPI_SUCCESS);
    assert_int_equal(t->pending, 64);
    x = loop_op(ADI3_GET_ACCUMULATE, 0, ints(out, MANY));
    x.op = adi3_op_builtin(MPI_SUM);
    x.result = ints(in, MANY);
    fake.poll = lose_now;
    int err = rma_send(loop.w, t, &x, NULL);
    assert_int_equal(fake_class(err), MPI_ERR_OTHER);
    assert_non_null(strstr(loop_text(err), "process 2"));
    assert_string_equal(loop_text(before), "before");
    assert_int_equal(t->pending, 0);
    assert_int_equal(fake_requests(), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, loop_setup, loop_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(outside),
        TEST(outside_of_all_kinds),
        TEST(outside_of_the_same),
        TEST(not_attached),
        TEST(with_requests),
        TEST(requests_of_chunks),
        TEST(request_of_what_fails),
        TEST(local_completion),
        TEST(flush_of_two_threads),
        TEST(later_answers_in_one_poll),
        TEST(flush_behind_a_payload),
        TEST(order_behind_a_payload),
        TEST(payload_at_any_address),
        TEST(payload_breaks_off),
        TEST(processes_waited_for_are_watched),
        TEST(lost_without_room), /* for good: they are the last */
        TEST(lost),
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
