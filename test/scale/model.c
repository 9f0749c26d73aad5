/* model.c — the recorder and the LogGP model give what formulas give, where there are formulas. */
#include <string.h>
#include "loggp.h"
#include "made_job.h"
#include "radix_heap.h"
#include "unit.h"

static const struct loggp model = {
    .near = { .latency = 300, .overhead = 70, .gap = 0, .byte = 10 },
    .far = { .latency = 5000, .overhead = 1000, .gap = 100, .byte = 7 },
    .work = 3,
};

static uint64_t far_message(uint64_t len) /* from the call that sends to the end of the receive */
{
    const struct loggp_path *f = &model.far;

    return f->overhead + f->latency + f->gap + len * f->byte + f->overhead;
}

static struct step send_to(int peer, uint64_t len)
{
    return (struct step) { .kind = STEP_SEND, .peer = peer, .len = len };
}

static struct step recv_from(int peer, uint64_t len)
{
    return (struct step) { .kind = STEP_RECV, .peer = peer, .len = len };
}

/* ---- the recorder ---------------------------------------------------------------------------- */

static void check_step(const struct recording *r, size_t *at, struct step expected)
{
    struct step s = recording_step(r, at);

    assert_int_equal(s.kind, expected.kind);
    assert_int_equal(s.awaited, expected.awaited);
    assert_int_equal(s.peer, expected.peer);
    assert_int_equal(s.len, expected.len);
}

static void test_steps_are_kept(void **state)
{
    (void) state;
    struct recording r;
    struct step first = send_to(1 << 23, 0), second = recv_from(7, (uint64_t) 1 << 40),
                work = { .kind = STEP_WORK, .len = 300 };

    recording_open(&r, 1);
    recording_begin_rank(&r);
    recording_add(&r, first);
    recording_add(&r, second);
    recording_await(&r, 1);
    recording_add(&r, work);
    recording_add(&r, work);
    recording_end_rank(&r);
    size_t at = r.first[0];
    second.awaited = true;
    work.len *= 2;
    check_step(&r, &at, first);
    check_step(&r, &at, second);
    check_step(&r, &at, (struct step) { .kind = STEP_AWAIT });
    check_step(&r, &at, work);
    assert_int_equal(at, r.first[1]);
    assert_int_equal(r.most_steps, 5);
    assert_int_equal(r.sends, 1);
    recording_close(&r);
}

static void test_events_come_in_order(void **state)
{
    (void) state;
    struct radix_heap h = { 0 };
    struct event e = { 0 };
    uint64_t last = 0;

    for (int round = 0; round < 2000; round++) {
        for (int i = 0; i < 3; i++)
            assert_true(radix_heap_add(&h, (struct event) { last + unit_random(1000), 0, 0 }));
        for (int i = 0; i < (round % 3 == 2 ? 4 : 2); i++) {
            assert_true(radix_heap_take(&h, &e));
            assert_true(e.at >= last);
            last = e.at;
        }
    }
    for (int left = 3 * 2000; radix_heap_take(&h, &e); left--) {
        assert_true(left > 0 && e.at >= last);
        last = e.at;
    }
    radix_heap_free(&h);
}

/* ---- steps by hand --------------------------------------------------------------------------- */

/* Ranks first..last send to rank 0, which receives in the order of ranks; and the other way. */
static struct loggp_result run_star(int ranks, uint64_t len, bool inward, int per_node)
{
    struct recording r;

    recording_open(&r, ranks);
    recording_begin_rank(&r);
    for (int i = 1; i < ranks; i++)
        recording_add(&r, inward ? recv_from(i, len) : send_to(i, len));
    recording_end_rank(&r);
    for (int i = 1; i < ranks; i++) {
        recording_begin_rank(&r);
        recording_add(&r, inward ? send_to(0, len) : recv_from(0, len));
        recording_end_rank(&r);
    }
    struct loggp_result result = loggp_run(&r, &model, per_node);
    recording_close(&r);
    assert_int_equal(result.waiting, -1);
    assert_int_equal(result.mismatched, 0);
    return result;
}

static void test_one_message(void **state)
{
    (void) state;
    const struct loggp_path *near = &model.near;
    struct loggp_result r = run_star(2, 1000, true, 2);

    assert_int_equal(r.time, 2 * near->overhead + near->latency + 1000 * near->byte);
    assert_int_equal(r.far_sends, 0);
    r = run_star(2, 1000, false, 1);
    assert_int_equal(r.time, far_message(1000));
    assert_int_equal(r.far_sends, 1);
    assert_int_equal(r.far_bytes, 1000);
}

/* An adapter sends, and receives, one message at a time; ranks of a node share it. */
static void test_adapters_are_shared(void **state)
{
    (void) state;
    enum { RANKS = 10, LEN = 1000 };
    const uint64_t message = model.far.gap + LEN * model.far.byte;

    assert_int_equal(run_star(RANKS, LEN, false, 1).time, far_message(LEN) + 8 * message);
    assert_int_equal(run_star(RANKS, LEN, true, 1).time, far_message(LEN) + 8 * message);
    struct loggp_result r = run_star(RANKS, LEN, true, 5);
    assert_int_equal(r.far_sends, 5);
    assert_int_equal(r.time, far_message(LEN) + 4 * message);
    r = run_star(RANKS, 0, true, 1); /* the receiver's processor */
    assert_int_equal(r.time, far_message(0) + 8 * model.far.overhead);
}

static void test_awaits_wait_for_some(void **state)
{
    (void) state;
    struct recording r;

    recording_open(&r, 2);
    recording_begin_rank(&r); /* receives both, but waits for the first before it works */
    recording_add(&r, recv_from(1, 10));
    recording_await(&r, 1);
    recording_add(&r, recv_from(1, 20));
    recording_add(&r, (struct step) { .kind = STEP_WORK, .len = 1000 });
    recording_end_rank(&r);
    recording_begin_rank(&r);
    recording_add(&r, send_to(0, 10));
    recording_add(&r, (struct step) { .kind = STEP_WORK, .len = 1000 });
    recording_add(&r, send_to(0, 20));
    recording_end_rank(&r);
    struct loggp_result result = loggp_run(&r, &model, 1);
    recording_close(&r);
    assert_int_equal(result.time, model.far.overhead + 3000 + far_message(20));
    assert_int_equal(result.mismatched, 0);
}

static void test_faults_are_seen(void **state)
{
    (void) state;
    struct recording r;

    recording_open(&r, 3);
    for (int i = 0; i < 3; i++) {
        recording_begin_rank(&r);
        if (i > 0)
            recording_add(&r, recv_from(3 - i, 8));
        recording_add(&r, (struct step) { .kind = STEP_FENCE });
        recording_add(&r, send_to(i ? 3 - i : 1, 8));
        recording_end_rank(&r);
    }
    assert_int_equal(loggp_run(&r, &model, 1).waiting, 1);
    recording_close(&r);
    recording_open(&r, 2);
    for (int i = 0; i < 2; i++) {
        recording_begin_rank(&r);
        recording_add(&r, i ? recv_from(0, 8) : send_to(1, 9));
        recording_end_rank(&r);
    }
    assert_int_equal(loggp_run(&r, &model, 1).mismatched, 1);
    recording_close(&r);
}

/* ---- the library's algorithms ---------------------------------------------------------------- */

static bool blocking; /* the form of the calls */

static struct loggp_result run_row(const char *name, const char *row, size_t len, int ranks,
                                   int per_node)
{
    const struct operation *o = operation_find(name);
    const struct coll_algorithm *a = o->coll->table;
    struct recording r;

    made_job_open(ranks, per_node, blocking);
    while (strcmp(a->name, row) != 0)
        a++;
    assert_true(operation_fits(o, a, len));
    assert_true(operation_record(&r, o, a, len, UINT64_MAX));
    struct loggp_result result = loggp_run(&r, &model, per_node);
    recording_close(&r);
    assert_int_equal(result.waiting, -1);
    assert_int_equal(result.mismatched, 0);
    return result;
}

static void test_formulas(void **state)
{
    (void) state;
    const uint64_t work = 1000 * model.work;

    assert_int_equal(run_row("barrier", "dissemination", 0, 16, 1).time, 4 * far_message(0));
    assert_int_equal(run_row("barrier", "dissemination", 0, 17, 1).time, 5 * far_message(0));
    assert_int_equal(run_row("bcast", "binomial", 64, 16, 1).time, 4 * far_message(64));
    assert_int_equal(run_row("allgather", "ring", 1000, 9, 1).time, 8 * far_message(1000) + work);
    assert_int_equal(run_row("allgather", "doubling", 1000, 8, 1).time,
                     far_message(1000) + work + far_message(2000) + far_message(4000));
    assert_int_equal(run_row("allreduce", "doubling", 1000, 8, 1).time,
                     3 * (far_message(1000) + work) + 2 * work); /* copies in and out */
    assert_int_equal(run_row("bcast", "scatter_ring", 1024, 8, 1).far_bytes, 1792);
}

/* Only leaders send between nodes. */
static void test_nodes_are_known(void **state)
{
    (void) state;
    const struct loggp_path *near = &model.near;
    const uint64_t message = 2 * near->overhead + near->latency;
    struct loggp_result r = run_row("barrier", "nodes", 0, 32, 4);

    assert_int_equal(r.far_sends, 8 * 3);
    assert_int_equal(r.time, message + 2 * near->overhead + 3 * far_message(0) + 2 * message);
    assert_int_equal(run_row("bcast", "nodes", 100, 30, 4).far_sends, 7);
    assert_int_equal(run_row("reduce", "nodes", 8, 64, 8).far_sends, 7);
}

/* A blocking call's phases on a node copy through its memory: twice, and large data once. */
static void test_phases_go_through_memory(void **state)
{
    (void) state;
    enum { SMALL = 1000, LARGE = 1 << 20 };
    const struct loggp_path *near = &model.near;
    const uint64_t flags = 3 * near->overhead + near->latency + near->overhead;

    blocking = true;
    assert_int_equal(run_row("bcast", "nodes", SMALL, 8, 4).time,
                     far_message(SMALL) + SMALL * model.work + flags + SMALL * model.work);
    struct loggp_result r = run_row("bcast", "nodes", LARGE, 8, 4);
    const uint64_t once = far_message(LARGE) + LARGE * model.work;
    assert_in_range(r.time, once, once + once / 100);
    assert_int_equal(r.far_sends, 1);
    r = run_row("reduce", "nodes", SMALL, 8, 4);
    assert_int_equal(r.far_sends, 1);
    assert_in_range(r.time - far_message(SMALL) - (1 + 4 + 2) * SMALL * model.work, flags,
                    2 * flags);
    blocking = false;
}

/* Every row that fits ends, with messages of the right lengths. */
static void all_rows_end(void)
{
    static const int jobs[][2] = { { 1, 1 }, { 2, 1 }, { 13, 1 }, { 16, 4 }, { 23, 5 }, { 6, 6 } };

    for (const struct operation *o = operations; o->name; o++)
        for (size_t i = 0; o->coll && i < sizeof jobs / sizeof *jobs; i++)
            for (const struct coll_algorithm *a = o->coll->table; a->name; a++)
                for (size_t len = 0; len <= 200000; len += 100000) {
                    made_job_open(jobs[i][0], jobs[i][1], blocking);
                    if (operation_fits(o, a, len))
                        (void) run_row(o->name, a->name, len, jobs[i][0], jobs[i][1]);
                }
}

static void test_all_rows_end(void **state)
{
    (void) state;
    all_rows_end();
    blocking = true;
    all_rows_end();
    blocking = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_are_kept),
        cmocka_unit_test(test_events_come_in_order),
        cmocka_unit_test(test_one_message),
        cmocka_unit_test(test_adapters_are_shared),
        cmocka_unit_test(test_awaits_wait_for_some),
        cmocka_unit_test(test_faults_are_seen),
        cmocka_unit_test(test_formulas),
        cmocka_unit_test(test_nodes_are_known),
        cmocka_unit_test(test_phases_go_through_memory),
        cmocka_unit_test(test_all_rows_end),
    };

    return UNIT_RUN(tests);
}
