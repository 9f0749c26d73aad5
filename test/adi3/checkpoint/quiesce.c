/* quiesce.c — behind the last packet for each peer goes a marker, and nothing after it until the
 * job goes on; what was under way arrives, what was pending stays so. Before, all agree that there
 * can be a quiesce. */
#include <stdlib.h>
#include <string.h>
#include "adi3/checkpoint/checkpoint.h"
#include "fake.h"

enum { LARGE = 50000 };

static char out[LARGE], in[LARGE];
static uint64_t number; /* of the quiesce under way */

/* ---- what the others do ---------------------------------------------------------------------- */

static struct view { /* what they say in both steps of the consensus; see consensus.c */
    char job[48];
    int32_t failed, port;
} theirs;
static int steps;
static bool (*after)(void);

static bool agree(void)
{
    struct adi3_queues *q = adi3_world.queue[1];

    if (q->nposted) {
        const struct match_entry *e = OS_OWNER(q->posted.next, struct match_entry, all);
        struct dev_pkt pkt = fake_eager(e->rank, e->tag, sizeof theirs);
        pkt.ctx = adi3_world.recv_ctx + ADI3_COLL;
        assert_true(fake_arrive(e->rank, pkt, &theirs, FAKE_WHOLE) >= 0);
        if (++steps == 2)
            fake.poll = after;
    }
    return true;
}

/* Quiesces with others that agree and then do what poll does. */
static int quiesce_with(bool (*poll)(void))
{
    steps = 0;
    after = poll;
    fake.poll = agree;
    return adi3_quiesce();
}

static int marker(int from, uint64_t n)
{
    return fake_arrive(from, (struct dev_pkt) { .type = PKT_QUIESCE, .key = n }, NULL, FAKE_WHOLE);
}

static bool both_answer(void)
{
    fake.poll = NULL;
    assert_int_equal(marker(1, number), 0);
    assert_int_equal(marker(2, number), 0);
    return true;
}

static void quiesce(void)
{
    number++;
    assert_int_equal(quiesce_with(both_answer), MPI_SUCCESS);
    assert_null(fake.poll);
    (void) fake_sent(1, PKT_EAGER); /* the consensus */
    (void) fake_sent(2, PKT_EAGER);
    assert_int_equal(fake_sent(1, PKT_QUIESCE).key, number);
    assert_int_equal(fake_sent(2, PKT_QUIESCE).key, number);
}

/* A quiesce fails in our process with this error, after so many messages of the consensus, and has
 * changed nothing. */
static void refused(int sent, const char *part)
{
    fake_drop();
    int err = quiesce_with(NULL);
    assert_int_equal(fake_class(err), MPI_ERR_OTHER);
    if (!strstr(adi3_error_text(err), part))
        fail_msg("%s", adi3_error_text(err));
    assert_int_equal(fake_waiting(), sent);
    fake_drop();
    fake.poll = NULL;
    struct adi3_request *r = fake_isend(out, 1000, 1, 0, ADI3_STANDARD);
    assert_true(fake_done(r));
    (void) fake_sent(1, PKT_EAGER);
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

/* Eager, announced and injected ones: none leaves, then all do, in order. */
static void nothing_leaves(void **state)
{
    (void) state;
    quiesce();
    struct adi3_request *r[3];
    for (int i = 0; i < 3; i++)
        r[i] = fake_isend(out, i == 1 ? LARGE : 0, 1, i, ADI3_STANDARD);
    struct adi3_data d = fake_bytes(out, 8);
    MPI_Request small;
    assert_int_equal(adi3_isend(&d, 1, 3, &adi3_world, ADI3_STANDARD, &small), MPI_SUCCESS);
    assert_true(small != ADI3_REQUEST_COMPLETE);
    assert_int_equal(fake_waiting(), 0);
    assert_false(fake_done(r[0]));
    adi3_continue();
    assert_int_equal(fake_sent(1, PKT_EAGER).tag, 0);
    struct dev_pkt rts = fake_sent(1, PKT_RTS);
    assert_int_equal(rts.tag, 1);
    assert_true(rts.addr == 0);
    assert_int_equal(fake_sent(1, PKT_EAGER).tag, 2);
    struct dev_pkt last = fake_sent(1, PKT_RTS);
    assert_int_equal(last.tag, 3);
    for (uint32_t i = 0; i < 2; i++) {
        const struct dev_pkt fin = { .type = PKT_CTS, .sreq = i ? last.sreq : rts.sreq };
        assert_int_equal(fake_arrive(1, fin, NULL, FAKE_WHOLE), 0);
        (void) fake_sent(1, PKT_DATA);
    }
    for (int i = 0; i < 3; i++)
        assert_int_equal(fake_result(r[i], MPI_STATUS_IGNORE), MPI_SUCCESS);
    assert_int_equal(fake_result(adi3_request_get(small), MPI_STATUS_IGNORE), MPI_SUCCESS);
}

/* Messages that were sent before a peer's marker arrive during the quiesce. */
static bool late_messages(void)
{
    assert_int_equal(fake_arrive(1, fake_eager(1, 7, 100), out, 3), 0);
    assert_int_equal(fake_arrive(2, fake_eager(2, 8, 100), out, FAKE_WHOLE), 0);
    return both_answer();
}

static void what_was_sent_arrives(void **state)
{
    (void) state;
    struct adi3_request *posted = fake_irecv(in, 100, 1, 7);
    number++;
    assert_int_equal(quiesce_with(late_messages), MPI_SUCCESS);
    fake_drop();
    assert_true(fake_done(posted));
    assert_int_equal(adi3_reopen(), MPI_SUCCESS);
    assert_int_equal(fake_result(posted, MPI_STATUS_IGNORE), MPI_SUCCESS);
    struct adi3_request *later = fake_irecv(in, 100, 2, 8); /* it was unexpected */
    assert_int_equal(fake_result(later, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

/* Ops must be done, not only sent. */
static bool ops_finish(void)
{
    static int polls;

    if (++polls < 5)
        return true;
    polls = 0;
    fake.poll = NULL;
    fake_finish(0);
    return true;
}

static bool answer_first(void)
{
    (void) both_answer();
    fake.poll = ops_finish;
    return true;
}

static void waits_for_done(void **state)
{
    (void) state;
    fake.holds = true;
    struct adi3_request *r = fake_isend(out, 1000, 1, 0, ADI3_STANDARD);
    assert_false(fake_done(r));
    number++;
    assert_int_equal(quiesce_with(answer_first), MPI_SUCCESS);
    assert_null(fake.poll);
    assert_true(fake_done(r));
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    adi3_continue();
    fake.holds = false;
    fake_drop();
}

/* Devices are opened anew with new peers, and credit stays. A message that was exposed before is
 * not read any more. */
static void reopened(void **state)
{
    (void) state;
    ptrdiff_t credit = adi3_procs[1].credit;
    struct adi3_request *r = fake_isend(out, 1000, 1, 0, ADI3_STANDARD);
    fake_drop();
    struct adi3_request *pending = fake_isend(out, LARGE, 1, 1, ADI3_STANDARD);
    uint32_t sreq = fake_sent(1, PKT_RTS).sreq;
    assert_int_equal(fake_arrive(2, fake_rts(2, 3, LARGE, 9, out), NULL, FAKE_WHOLE), 0);
    int adds = fake.adds, dels = fake.dels, gets = fake.gets;
    quiesce();
    assert_int_equal(adi3_reopen(), MPI_SUCCESS);
    assert_int_equal(fake.adds, adds + 2);
    assert_int_equal(fake.dels, dels + 2);
    assert_true(adi3_procs[1].credit < credit);
    const struct dev_pkt fin = { .type = PKT_FIN, .sreq = sreq };
    assert_int_equal(fake_arrive(1, fin, NULL, FAKE_WHOLE), 0);
    assert_int_equal(fake_result(pending, MPI_STATUS_IGNORE), MPI_SUCCESS);
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    struct adi3_request *offered = fake_irecv(in, LARGE, 2, 3);
    struct dev_pkt cts = fake_sent(2, PKT_CTS);
    assert_int_equal(fake.gets, gets);
    const struct dev_pkt data = { .type = PKT_DATA, .payload = LARGE, .rreq = cts.rreq };
    assert_int_equal(fake_arrive(2, data, out, 2), 0);
    assert_int_equal(fake_result(offered, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

static void markers_out_of_turn(void **state)
{
    (void) state;
    quiesce();
    adi3_continue();
    assert_true(marker(1, number) < 0);
    assert_true(marker(1, number + 2) < 0);
    assert_true(marker(1, UINT64_MAX) < 0);
    assert_true(marker(1, 0) < 0);
}

/* A peer has left the last barrier before us and quiesces again: its marker counts for the next
 * quiesce. */
static bool other_answers(void)
{
    fake.poll = NULL;
    assert_int_equal(marker(2, number), 0);
    return true;
}

static void one_ahead(void **state)
{
    (void) state;
    assert_int_equal(marker(1, number + 1), 0);
    assert_true(marker(1, number + 1) < 0); /* once */
    number++;
    assert_int_equal(quiesce_with(other_answers), MPI_SUCCESS);
    fake_drop();
    adi3_continue();
}

static void lost_while_held(void **state)
{
    (void) state;
    quiesce();
    struct adi3_request *r = fake_isend(out, 0, 2, 0, ADI3_STANDARD);
    assert_false(fake_done(r));
    fake_lose(2);
    adi3_continue();
    assert_true(fake_done(r));
    int err = adi3_request_finish(r, MPI_STATUS_IGNORE);
    assert_non_null(strstr(adi3_error_text(err), "process 2 of MPI_COMM_WORLD on far over fake: "));
    refused(1, "process 2 of MPI_COMM_WORLD on far over fake: "); /* it is lost */
    const struct dev_pkt eager = fake_eager(1, 0, 10);
    assert_int_equal(fake_arrive(1, eager, out, FAKE_WHOLE), 0); /* the other processes go on */
    struct adi3_request *in_order = fake_irecv(in, 10, 1, 0);
    assert_int_equal(fake_result(in_order, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

/* ---- other jobs ------------------------------------------------------------------------------ */

static char *card(const struct proc_job *job, int rank)
{
    char text[160];

    (void) snprintf(text, sizeof text,
                    "fake:there|host:c7|job:-%llx-%x|abi:", (unsigned long long) job->dev.id,
                    (unsigned) rank);
    abi_write(text + strlen(text));
    return strdup(text);
}

/* No checkpoint while this process, or another one, knows a living process of another job. */
static void connected(void **state)
{
    static const char text[] = "this job is connected with job B: a checkpoint is of one job";
    const struct proc_job b = { .dev = { .id = 1, .size = 2 },
                                .name = "job B",
                                .business_card = card };
    struct proc_job *job;

    (void) state;
    (void) strcpy(theirs.job, "job B");
    refused(2, text);
    theirs.job[0] = '\0';
    quiesce();
    adi3_continue();
    assert_int_equal(proc_job_add(&b, &job), MPI_SUCCESS);
    quiesce(); /* it is only known */
    adi3_continue();
    struct adi3_proc *p = proc_at(job->first);
    assert_int_equal(proc_add(p), MPI_SUCCESS);
    refused(2, text);
    proc_died(p);
    quiesce();
    assert_int_equal(adi3_reopen(), MPI_SUCCESS);
}

static bool invites;
static bool is_inviting(void) { return invites; }

/* This process, or another one, has an open port. */
static void open_port(void **state)
{
    static const struct base_hooks hooks = { .name = "open port", .invites = is_inviting };
    static const char text[] = " of MPI_COMM_WORLD has an open port, where other jobs may connect";
    char own[96];

    (void) state;
    (void) snprintf(own, sizeof own, "process %d%s", adi3_job.rank, text);
    assert_int_equal(base_hooks_add(&hooks), MPI_SUCCESS);
    invites = true;
    refused(2, own);
    invites = false;
    theirs.port = 1 + 2;
    refused(2, "process 2 of MPI_COMM_WORLD has an open port");
    theirs.port = 0;
    quiesce();
    adi3_continue();
}

/* Another process has an error: then all have one. */
static void failed_elsewhere(void **state)
{
    (void) state;
    theirs.failed = 1 + 2;
    refused(2, "process 2 of MPI_COMM_WORLD could not begin a quiesce");
    theirs.failed = 0;
    quiesce();
    adi3_continue();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_leaves, fake_setup, fake_teardown),
        cmocka_unit_test_setup_teardown(what_was_sent_arrives, fake_setup, fake_teardown),
        cmocka_unit_test_setup_teardown(waits_for_done, fake_setup, fake_teardown),
        cmocka_unit_test_setup_teardown(reopened, fake_setup, fake_teardown),
        cmocka_unit_test_setup_teardown(markers_out_of_turn, fake_setup, fake_teardown),
        cmocka_unit_test_setup_teardown(one_ahead, fake_setup, fake_teardown),
        cmocka_unit_test_setup_teardown(lost_while_held, fake_setup, fake_teardown),
        cmocka_unit_test_setup_teardown(connected, fake_setup, fake_teardown),
        cmocka_unit_test_setup_teardown(open_port, fake_setup, fake_teardown),
        cmocka_unit_test_setup_teardown(failed_elsewhere, fake_setup, fake_teardown),
    };

    return UNIT_RUN(tests);
}
