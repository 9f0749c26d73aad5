/* rows.c — the registries of ADI3: packets, kinds of requests, sources of progress, hooks.
 *
 * The second half is a protocol of its own, made of rows alone: it adds a type of packets, a
 * kind of requests, a poll and a tick, and src/ does not know it. */
#include <stdlib.h>
#include <string.h>
#include "fake.h"
#include "platform/os.h"

/* ---- rows ------------------------------------------------------------------------------------ */

static int refuse(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    (void) payload;
    return p2p_refuse(from, pkt);
}

static int class_of(int err) { return fake_class(err); }

static void one_row_for_each_packet(void **state)
{
    static const struct p2p_packet mine = { .name = "mine", .whole = refuse },
                                   other = { .name = "other", .whole = refuse },
                                   same_name = { .name = "RTS", .whole = refuse };

    (void) state;
    assert_int_equal(p2p_packet_add(PKT_TEST + 2, &mine), MPI_SUCCESS);
    assert_int_equal(p2p_packet_add(PKT_TEST + 2, &mine), MPI_SUCCESS);
    assert_int_equal(class_of(p2p_packet_add(PKT_TEST + 2, &other)), MPI_ERR_INTERN);
    assert_int_equal(class_of(p2p_packet_add(PKT_TEST + 1, &same_name)), MPI_ERR_INTERN);
}

/* A handler that refuses, a payload that the row does not have, a type without a row. */
static void refused_packets(void **state)
{
    struct dev_target target;
    char byte = 0;

    (void) state;
    assert_true(fake_arrive(1, (struct dev_pkt) { .type = PKT_TEST + 2 }, NULL, FAKE_WHOLE) < 0);
    assert_true(
        fake_arrive(1, (struct dev_pkt) { .type = PKT_TEST + 2, .payload = 1 }, &byte, FAKE_WHOLE)
        < 0);
    assert_true(fake_begin(1, (struct dev_pkt) { .type = PKT_TEST + 2, .payload = 1 }, &target)
                < 0);
    assert_true(fake_arrive(1, (struct dev_pkt) { .type = PKT_TEST + 1 }, NULL, FAKE_WHOLE) < 0);
    assert_true(fake_arrive(1, (struct dev_pkt) { .type = PKT_TYPES }, NULL, FAKE_WHOLE) < 0);
}

static void one_row_for_each_kind(void **state)
{
    static const struct request_kind mine = { .name = "mine" }, other = { .name = "other" },
                                     same_name = { .name = "a send" };

    (void) state;
    assert_int_equal(request_kind_add(ADI3_KIND_TEST + 1, &mine), MPI_SUCCESS);
    assert_int_equal(request_kind_add(ADI3_KIND_TEST + 1, &mine), MPI_SUCCESS);
    assert_int_equal(class_of(request_kind_add(ADI3_KIND_TEST + 1, &other)), MPI_ERR_INTERN);
    assert_int_equal(class_of(request_kind_add(ADI3_KIND_TEST + 2, &same_name)), MPI_ERR_INTERN);
}

static char order[32];

static void note(char c)
{
    size_t n = strlen(order);

    if (n < sizeof order - 1)
        order[n] = c, order[n + 1] = '\0';
}

static void first_comm(struct adi3_comm *c) { (void) c, note('a'); }
static void second_comm(struct adi3_comm *c) { (void) c, note('b'); }
static int first_segment(void) { return note('c'), MPI_ERR_OTHER; }
static int second_segment(void) { return note('d'), MPI_ERR_NO_MEM; }
static bool busy(void) { return note('e'), false; }
static bool quiet(void) { return note('f'), true; }

static void hooks_in_order(void **state)
{
    static const struct base_hooks first = { .name = "first",
                                             .comm_ends = first_comm,
                                             .segment_lost = first_segment,
                                             .quiet = busy },
                                   second = { .name = "second",
                                              .comm_ends = second_comm,
                                              .segment_lost = second_segment,
                                              .quiet = quiet },
                                   same_name = { .name = "first" };

    (void) state;
    assert_int_equal(base_hooks_add(&first), MPI_SUCCESS);
    assert_int_equal(base_hooks_add(&second), MPI_SUCCESS);
    assert_int_equal(base_hooks_add(&first), MPI_SUCCESS);
    assert_int_equal(class_of(base_hooks_add(&same_name)), MPI_ERR_INTERN);
    base_comm_ends(&adi3_self);
    assert_int_equal(base_segment_lost(), MPI_ERR_OTHER); /* the first error; all are asked */
    assert_false(base_quiet());                           /* the first that is busy is enough */
    assert_string_equal(order, "abcde");
}

static void ends_last(void) { note('y'); }
static void ends_first(void) { note('z'); }

static void finalized_from_the_roof(void **state)
{
    static const struct base_hooks low = { .name = "low", .finalize = ends_last },
                                   high = { .name = "high", .finalize = ends_first };

    order[0] = '\0';
    assert_int_equal(base_hooks_add(&low), MPI_SUCCESS);
    assert_int_equal(base_hooks_add(&high), MPI_SUCCESS);
    assert_int_equal(fake_teardown(state), 0);
    assert_memory_equal(order, "zy", 2); /* then the rooms of the library */
    assert_int_equal(fake_setup(state), 0);
}

static void no_room_for_more(void **state)
{
    static struct base_hooks hooks[BASE_HOOKS_MAX];
    static struct progress_source sources[PROGRESS_SOURCES_MAX];
    static char name[2][32][16];
    int err = MPI_SUCCESS;

    (void) state;
    for (int i = 0; i < BASE_HOOKS_MAX && !err; i++) {
        (void) snprintf(name[0][i], sizeof name[0][i], "h%d", i);
        hooks[i].name = name[0][i];
        err = base_hooks_add(&hooks[i]);
    }
    assert_int_equal(class_of(err), MPI_ERR_INTERN);
    err = MPI_SUCCESS;
    for (int i = 0; i < PROGRESS_SOURCES_MAX && !err; i++) {
        (void) snprintf(name[1][i], sizeof name[1][i], "s%d", i);
        sources[i].name = name[1][i];
        err = progress_source_add(&sources[i]);
    }
    assert_int_equal(class_of(err), MPI_ERR_INTERN);
}

/* ---- a protocol ------------------------------------------------------------------------------ */

/* Adds to a number of another process: ADD asks, SUM brings the new value, as a payload. The
 * request is complete after the next poll. */
static const enum adi3_pkt_type PKT_ADD = PKT_TEST, PKT_SUM = PKT_TEST + 1;
static const enum adi3_kind KIND_ADD = ADI3_KIND_TEST;

struct fields {
    uint64_t amount;
    uint32_t request;
};
P2P_FIELDS_FIT(struct fields);

static uint64_t number, sum;
static struct adi3_request *answered; /* its SUM is here, and it was not polled yet */
static int ticks, cancels;

static bool poll_answers(void);
static void count_tick(void) { ticks++; }
static struct progress_source source = { .name = "add", .poll = poll_answers, .tick = count_tick };

static bool poll_answers(void)
{
    progress_unwant(&source);
    request_done(answered);
    return true;
}

static int add_arrives(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    struct fields f;
    struct dev_pkt answer = { .type = PKT_SUM, .payload = sizeof number };

    (void) payload;
    p2p_get_fields(pkt, &f, sizeof f);
    number += f.amount;
    p2p_put_fields(&answer, &f, sizeof f);
    return proc_of(from)->dev->ops->inject(from, &answer, &number);
}

static void have(const struct dev_pkt *pkt)
{
    struct fields f;

    p2p_get_fields(pkt, &f, sizeof f);
    answered = adi3_get(&adi3_requests, (int) f.request);
    progress_want(&source);
}

static int sum_arrives(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    (void) from;
    memcpy(&sum, payload, sizeof sum);
    have(pkt);
    return 0;
}

static struct dev_pkt arriving;

static int sum_begins(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target)
{
    (void) from;
    arriving = *pkt;
    target->iov[0] = (struct iovec) { &sum, sizeof sum };
    target->iovcnt = 1;
    target->cookie = &arriving;
    return 0;
}

static void sum_ends(struct dev_target *target, int err)
{
    assert_int_equal(err, 0);
    have(target->cookie);
}

static int cancel(struct adi3_request *r) { return (void) r, cancels++, MPI_SUCCESS; }

static int finish(struct adi3_request *r, MPI_Status *status)
{
    request_status(status, 1, MPI_ANY_TAG, sizeof sum);
    request_free(r);
    return MPI_SUCCESS;
}

static void add_protocol(void)
{
    static const struct p2p_packet add = { .name = "ADD", .whole = add_arrives }, answer = {
        .name = "SUM", .payload = true, .whole = sum_arrives, .begin = sum_begins, .end = sum_ends
    };
    static const struct request_kind kind = { .name = "an addition",
                                              .cancel = cancel,
                                              .finish = finish };

    assert_int_equal(p2p_packet_add(PKT_ADD, &add), MPI_SUCCESS);
    assert_int_equal(p2p_packet_add(PKT_SUM, &answer), MPI_SUCCESS);
    assert_int_equal(request_kind_add(KIND_ADD, &kind), MPI_SUCCESS);
    assert_int_equal(progress_source_add(&source), MPI_SUCCESS);
}

/* As a call of MPI would. */
static int add(void *amount, MPI_Request *request)
{
    struct adi3_request *r = request_new(KIND_ADD, &adi3_world, 1, MPI_ANY_TAG);
    struct dev_pkt pkt = { .type = PKT_ADD };
    const struct fields f = { *(uint64_t *) amount, (uint32_t) r->handle };

    r->flags = REQUEST_SPECIAL;
    p2p_put_fields(&pkt, &f, sizeof f);
    *request = request_user_acquire(r);
    return p2p_control(&adi3_procs[1].peer, &pkt) ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static struct dev_pkt answer_to_add(void)
{
    struct dev_pkt pkt = fake_sent(1, PKT_ADD);

    pkt.type = PKT_SUM;
    pkt.payload = sizeof sum;
    return pkt;
}

static void another_protocol(void **state)
{
    uint64_t amount = 5, seven = 7;
    MPI_Status st;
    MPI_Request h;

    (void) state;
    add_protocol();
    for (int pieces = FAKE_WHOLE; pieces <= 3; pieces++) {
        assert_int_equal(add(&amount, &h), MPI_SUCCESS);
        struct adi3_request *r = adi3_request_get(h);
        assert_int_equal(adi3_cancel(r), MPI_SUCCESS);
        assert_int_equal(fake_arrive(1, answer_to_add(), &seven, pieces), 0);
        assert_false(adi3_request_done(r));
        adi3_poll();
        assert_true(adi3_request_done(r));
        assert_int_equal(adi3_request_finish(r, &st), MPI_SUCCESS);
        assert_int_equal(st.MPI_SOURCE, 1);
        assert_int_equal(sum, 7);
    }
    assert_int_equal(cancels, 4);
}

static void asked_by_another_process(void **state)
{
    struct dev_pkt pkt = { .type = PKT_ADD };
    const struct fields f = { 3, 42 };

    (void) state;
    p2p_put_fields(&pkt, &f, sizeof f);
    assert_int_equal(fake_arrive(2, pkt, NULL, FAKE_WHOLE), 0);
    struct fake_packet *p = fake_take();
    assert_int_equal(p->pkt.type, PKT_SUM);
    assert_memory_equal(p->payload, &number, sizeof number);
    assert_int_equal(number, 3);
    free(p);
}

/* A step of a schedule waits for it as for a message. */
static void part_of_a_schedule(void **state)
{
    uint64_t amount = 1, eight = 8;
    struct adi3_sched *s = adi3_sched_new(ADI3_TAG_INIT + 5);
    char out[8] = "behind";
    MPI_Request h;

    (void) state;
    adi3_sched_request(s, add, &amount);
    adi3_sched_fence(s);
    adi3_sched_send(s, &adi3_world, fake_bytes(out, sizeof out), 2);
    assert_int_equal(adi3_sched_start(s, &adi3_world, &h), MPI_SUCCESS);
    struct dev_pkt answer = answer_to_add();
    assert_int_equal(fake_waiting(), 0);
    assert_int_equal(fake_arrive(1, answer, &eight, FAKE_WHOLE), 0);
    adi3_poll();
    adi3_poll();
    assert_int_equal(fake_waiting(), 1);
    fake_drop();
    assert_int_equal(fake_result(adi3_request_get(h), MPI_STATUS_IGNORE), MPI_SUCCESS);
}

static bool ticked(void) { return adi3_poll(), ticks > 0; }

static void ticks_come(void **state)
{
    uint64_t begin = os_time_ns();

    (void) state;
    while (!ticked() && os_time_ns() - begin < 10000000000ull)
        ;
    assert_true(ticks > 0);
}

/* The rows stay for all tests: those that fill the tables come last. */
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_row_for_each_packet), cmocka_unit_test(refused_packets),
        cmocka_unit_test(one_row_for_each_kind),   cmocka_unit_test(hooks_in_order),
        cmocka_unit_test(another_protocol),        cmocka_unit_test(asked_by_another_process),
        cmocka_unit_test(part_of_a_schedule),      cmocka_unit_test(ticks_come),
        cmocka_unit_test(finalized_from_the_roof), cmocka_unit_test(no_room_for_more),
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
