/* credit.c — how much one process may send eagerly to another one before it is received. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "fake.h"

enum { CREDIT = 10000, LEN = 244, COST = LEN + 256, MANY = CREDIT / COST, LOT = MANY / 4 };

static char out[FAKE_EAGER_MAX], in[FAKE_EAGER_MAX];

static int with_little(void **state)
{
    (void) state;
    (void) setenv("STARLING_EAGER_CREDIT", "10000", 1);
    fake_start();
    assert_int_equal(proto_credit, CREDIT);
    return 0;
}

static int with_none(void **state)
{
    (void) state;
    (void) setenv("STARLING_EAGER_CREDIT", "1", 1);
    fake_start();
    return 0;
}

static struct dev_pkt credit(uint64_t key)
{
    return (struct dev_pkt) { .type = PKT_CREDIT, .key = key };
}

/* ---- the sender ------------------------------------------------------------------------------ */

/* Sends until a message has to be announced. Returns how many were not. */
static int send_all(size_t len)
{
    for (int n = 0;; n++) {
        struct adi3_request *r = fake_isend(out, len, 1, 0, ADI3_STANDARD);
        struct fake_packet *p = fake_take();
        bool eager = p->pkt.type == PKT_EAGER;
        struct dev_pkt fin = { .type = PKT_FIN, .sreq = p->pkt.sreq };
        free(p);
        if (!eager)
            assert_int_equal(fake_arrive(1, fin, NULL, FAKE_WHOLE), 0);
        assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
        if (!eager)
            return n;
    }
}

static void used_up_by_messages(void **state)
{
    (void) state;
    assert_int_equal(send_all(LEN), MANY);
    assert_int_equal(send_all(LEN), 0);
    assert_int_equal(send_all(0), 0); /* also an empty one costs memory at its end */
    struct adi3_request *r = fake_isend(out, LEN, 2, 0, ADI3_STANDARD);
    assert_null(r); /* other peers have credit of their own */
    (void) fake_sent(2, PKT_EAGER);
}

static void used_up_by_larger_ones(void **state)
{
    (void) state;
    assert_int_equal(send_all(1744), 5); /* not injected, at the same price */
    assert_int_equal(send_all(0), 0);
}

static void given_back(void **state)
{
    (void) state;
    assert_int_equal(send_all(LEN), MANY);
    assert_int_equal(fake_arrive(1, credit(3 * COST), NULL, FAKE_WHOLE), 0);
    assert_int_equal(send_all(LEN), 3);
    assert_int_equal(fake_arrive(1, credit(MANY * COST), NULL, FAKE_WHOLE), 0);
    assert_int_equal(send_all(LEN), MANY);
}

/* A peer that returns more credit than we paid is refused: no peer can make us flood a process. */
static void more_than_was_taken_is_refused(void **state)
{
    (void) state;
    assert_int_equal(fake_arrive(1, credit(1), NULL, FAKE_WHOLE), -EPROTO);
    assert_int_equal(fake_arrive(1, credit(UINT64_MAX), NULL, FAKE_WHOLE), -EPROTO);
    assert_int_equal(send_all(LEN), MANY);
    assert_int_equal(fake_arrive(1, credit(CREDIT + 1), NULL, FAKE_WHOLE), -EPROTO);
    assert_int_equal(fake_arrive(1, credit((uint64_t) -COST), NULL, FAKE_WHOLE), -EPROTO);
    assert_int_equal(fake_arrive(2, credit(COST), NULL, FAKE_WHOLE), -EPROTO);
    assert_int_equal(send_all(LEN), 0);
    assert_int_equal(fake_arrive(1, credit(0), NULL, FAKE_WHOLE), 0);
}

/* After DEV_AGAIN the credit is back, however the message is sent then. */
static void a_storm_costs_nothing(void **state)
{
    (void) state;
    fake.again = MANY;
    assert_int_equal(send_all(LEN), MANY);
}

static void none_at_all(void **state)
{
    (void) state;
    assert_int_equal(send_all(0), 0);
    assert_int_equal(send_all(1000), 0);
}

/* ---- the receiver ---------------------------------------------------------------------------- */

enum how { POSTED, UNEXPECTED, TORN, CLAIMED, HOWS };

static void take_one(int from, enum how how)
{
    struct adi3_request *r = NULL;
    struct dev_target target;
    const struct dev_pkt pkt = fake_eager(from, 0, LEN);

    if (how == POSTED || how == TORN)
        r = fake_irecv(in, LEN, from, 0);
    if (how == CLAIMED) {
        assert_int_equal(fake_begin(from, pkt, &target), 0);
        r = fake_irecv(in, LEN, from, 0);
        fake_pour(&target, out, LEN);
        fake_end(&target, 0);
    } else {
        assert_int_equal(fake_arrive(from, pkt, out, how == TORN ? 2 : FAKE_WHOLE), 0);
    }
    if (how == UNEXPECTED)
        r = fake_irecv(in, LEN, from, 0);
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

/* Credit is returned for all messages that were taken, when a quarter of it has come together: no
 * sooner, and no later. */
static void told_in_lots(void **state)
{
    (void) state;
    for (enum how how = 0; how < HOWS; how++) {
        for (int i = 1; i < LOT; i++)
            take_one(1, how);
        assert_int_equal(fake_waiting(), 0);
        take_one(1, how);
        assert_int_equal(fake_sent(1, PKT_CREDIT).key, LOT * COST);
    }
}

static void only_what_was_taken(void **state)
{
    struct dev_target target;

    (void) state;
    for (int i = 0; i < MANY; i++) /* no receive is posted for these yet */
        assert_int_equal(fake_arrive(1, fake_eager(1, 0, LEN), out, i % 2), 0);
    assert_int_equal(fake_waiting(), 0);
    for (int i = 0; i < MANY; i++) {
        struct adi3_request *r = fake_irecv(in, LEN, 1, 0);
        assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    }
    for (int i = 0; i < MANY / LOT; i++)
        assert_int_equal(fake_sent(1, PKT_CREDIT).key, LOT * COST);
    for (int i = 0; i < MANY; i++) { /* announced messages cost no credit */
        struct adi3_request *r = fake_irecv(in, LEN, 1, 0);
        assert_int_equal(fake_arrive(1, fake_rts(1, 0, LEN, 5, out), NULL, FAKE_WHOLE), 0);
        (void) fake_sent(1, PKT_FIN);
        assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    }
    assert_int_equal(adi3_procs[1].pending_credit, 0);
    struct adi3_request *r =
        fake_irecv(in, LEN, 1, 0); /* nor does a message that broke off return any */
    assert_int_equal(fake_begin(1, fake_eager(1, 0, LEN), &target), 0);
    fake_end(&target, -ECONNRESET);
    (void) fake_result(r, MPI_STATUS_IGNORE);
    assert_int_equal(adi3_procs[1].pending_credit, 0);
}

/* Truncated or not, the sender has spent what the message had. */
static void of_truncated_messages(void **state)
{
    (void) state;
    for (int i = 0; i < LOT; i++) {
        struct adi3_request *r = fake_irecv(in, 1, 1, 0);
        assert_int_equal(fake_arrive(1, fake_eager(1, 0, LEN), out, i % 3), 0);
        assert_int_equal(fake_class(fake_result(r, MPI_STATUS_IGNORE)), MPI_ERR_TRUNCATE);
    }
    assert_int_equal(fake_sent(1, PKT_CREDIT).key, LOT * COST);
}

/* G08: messages that have not been received when their communicator is freed: one is announced, and
 * of one the rest is still to come. */
static void of_communicators_that_end(void **state)
{
    enum { CTX = 1000 };
    struct dev_pkt pkt = fake_eager(1, 0, LEN), rts = fake_rts(1, 0, LEN, 5, out);
    struct dev_target target;

    (void) state;
    pkt.ctx = rts.ctx = CTX;
    for (int i = 1; i < LOT; i++)
        assert_int_equal(fake_arrive(1, pkt, out, i % 2), 0);
    assert_int_equal(fake_arrive(1, rts, NULL, FAKE_WHOLE), 0);
    assert_int_equal(fake_begin(1, pkt, &target), 0);
    queues_drop(CTX);
    assert_int_equal(fake_waiting(), 0);
    fake_pour(&target, out, LEN);
    fake_end(&target, 0);
    assert_int_equal(fake_sent(1, PKT_CREDIT).key, LOT * COST);
}

static void not_lost_in_a_storm(void **state)
{
    (void) state;
    fake.again = -1;
    fake.holds = true;
    for (int i = 0; i < LOT; i++)
        take_one(1, POSTED);
    assert_true(p2p_with_devices() > 0);
    fake_finish(0);
    assert_int_equal(fake_sent(1, PKT_CREDIT).key, LOT * COST);
}

/* Nor may credit get lost with messages to ourselves, where the answer comes within the call. */
static void to_ourselves(void **state)
{
    struct adi3_proc *me = &adi3_procs[FAKE_RANK];

    (void) state;
    fake.self = true;
    assert_non_null(p2p_upcalls.peer(&proc_own_job.dev, FAKE_RANK));
    for (int i = 0; i < 10 * MANY; i++) {
        struct adi3_request *r = fake_irecv(in, LEN, FAKE_RANK, 0);
        fake.again = i % 3 == 2;
        struct adi3_request *s = fake_isend(out, LEN, FAKE_RANK, 0, ADI3_STANDARD);
        assert_int_equal(fake_result(s, MPI_STATUS_IGNORE), MPI_SUCCESS);
        assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    }
    assert_int_equal(me->credit + me->pending_credit, CREDIT);
}

/* ---- processes of other jobs ----------------------------------------------------------------- */

enum {
    OTHERS = 20,
    BEGIN = 256 << 10,
    ALL = 64 << 20, /* what those of other jobs may have together beyond what they begin with */
    LONG_COST = FAKE_EAGER_MAX + 256,
    LONG_LOT = (BEGIN / 4 + LONG_COST - 1) / LONG_COST,
};

static int with_default(void **state)
{
    (void) state;
    (void) unsetenv("STARLING_EAGER_CREDIT");
    fake_start();
    return 0;
}

/* A job whose processes the device reaches. */
static struct proc_job *other_job(void)
{
    const struct adi3_job_record record = { .id = 77, .size = OTHERS, .name = "job B" };
    char text[PROC_BUSINESS_CARD];

    assert_int_equal(adi3_job_learn(&record), MPI_SUCCESS);
    struct proc_job *job = proc_job_find(record.id);
    job->no_secret = NULL; /* its record has no key */
    for (int i = 0; i < OTHERS; i++) {
        (void) snprintf(text, sizeof text, "host:c7|fake:x|job:-%x-%x|abi:", 77, i);
        abi_write(text + strlen(text));
        assert_int_equal(proc_business_card_give(proc_at(job->first + i), text), MPI_SUCCESS);
        assert_int_equal(proc_add(proc_at(job->first + i)), MPI_SUCCESS);
    }
    return job;
}

static void forget_job(void)
{
    const struct adi3_job_record record = { .id = 77 };

    adi3_job_learned(&record, false);
    assert_null(proc_job_find(77));
    assert_int_equal(proc_granted, 0);
}

/* Takes as many messages as let credit be returned. Returns how much more that is. */
static size_t granted_to(struct adi3_proc *p)
{
    enum { CTX = 1000 };
    struct dev_pkt pkt = fake_eager(1, 0, FAKE_EAGER_MAX);

    pkt.ctx = CTX;
    for (int i = 0; i < LONG_LOT; i++)
        assert_int_equal(p2p_upcalls.recv(&p->peer, &pkt, out), 0);
    assert_int_equal(fake_waiting(), 0);
    queues_drop(CTX);
    return fake_sent(proc_number(p), PKT_CREDIT).key - (size_t) LONG_LOT * LONG_COST;
}

/* Each begins with little, and some get the rest when they send, as long as there is some left. */
static void others_share(void **state)
{
    struct proc_job *job = other_job();
    const size_t rest = proto_credit - BEGIN;
    size_t sum = 0;

    (void) state;
    for (int i = 0; i < OTHERS; i++)
        assert_int_equal(proc_at(job->first + i)->credit, BEGIN);
    for (int i = 0; i < OTHERS; i++) {
        size_t more = granted_to(proc_at(job->first + i));
        assert_int_equal(more, sum + rest <= ALL ? rest : 0);
        sum += more;
    }
    assert_int_equal(granted_to(proc_at(job->first)), 0); /* it has the rest */
    proc_forget(proc_at(job->first));
    assert_int_equal(granted_to(proc_at(job->first + OTHERS - 1)), rest);
    forget_job();
}

/* A sender takes the rest, and no more. */
static void others_get_the_rest(void **state)
{
    struct adi3_proc *p = proc_at(other_job()->first);
    const struct dev_pkt rest = credit(proto_credit - BEGIN), more = credit(1);

    (void) state;
    assert_int_equal(p2p_upcalls.recv(&p->peer, &rest, NULL), 0);
    assert_int_equal(p->credit, proto_credit);
    assert_int_equal(p2p_upcalls.recv(&p->peer, &more, NULL), -EPROTO);
    forget_job();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, with_little, fake_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(used_up_by_messages),
        TEST(used_up_by_larger_ones),
        TEST(given_back),
        TEST(more_than_was_taken_is_refused),
        TEST(a_storm_costs_nothing),
        TEST(told_in_lots),
        TEST(only_what_was_taken),
        TEST(of_truncated_messages),
        TEST(of_communicators_that_end),
        TEST(not_lost_in_a_storm),
        TEST(to_ourselves),
        cmocka_unit_test_setup_teardown(others_share, with_default, fake_teardown),
        cmocka_unit_test_setup_teardown(others_get_the_rest, with_default, fake_teardown),
        cmocka_unit_test_setup_teardown(none_at_all, with_none, fake_teardown),
    };

    return UNIT_RUN(tests);
}
