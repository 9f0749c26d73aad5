/* finalize.c — MPI_Finalize waits for what has begun to arrive: the device still writes it; and for
 * what it has sent, before the last barrier. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "fake.h"

enum { LEN = 1000, POLLS = 100 };

static char out[LEN], in[LEN];
static struct dev_target target;
static int polls, error;
static bool ended;

/* The other processes come to the barrier at once. Long after that, when nothing else is left to
 * do, the rest of the payload comes, or is lost. */
static bool bring_the_rest(void)
{
    if (fake_join_barrier() || ended)
        return true;
    if (++polls == POLLS) {
        fake_pour(&target, out, error ? LEN / 2 : LEN);
        fake_end(&target, error);
        ended = true;
    }
    return true;
}

static void finalize_meanwhile(int err)
{
    error = err;
    polls = 0;
    ended = false;
    fake_reset();
    fake.poll = bring_the_rest;
    assert_int_equal(adi3_finalize(), MPI_SUCCESS);
    assert_true(ended);
    fake_drop();
}

static void of_a_receive(void **state)
{
    (void) state;
    memset(out, 'x', LEN);
    fake_start();
    (void) fake_irecv(in, LEN, 1, 5); /* of which the program never hears */
    assert_int_equal(fake_begin(1, fake_eager(1, 5, LEN), &target), 0);
    finalize_meanwhile(0);
    assert_memory_equal(in, out, LEN);
}

static void of_a_receive_whose_sender_is_lost(void **state)
{
    (void) state;
    fake_start();
    (void) fake_irecv(in, LEN, 1, 5);
    assert_int_equal(fake_begin(1, fake_eager(1, 5, LEN), &target), 0);
    finalize_meanwhile(-ECONNRESET);
}

static void of_messages_that_nobody_receives(void **state)
{
    (void) state;
    for (int i = 0; i < 2; i++) {
        fake_start();
        assert_int_equal(fake_begin(1, fake_eager(1, 5, LEN), &target), 0);
        finalize_meanwhile(i ? -ECONNRESET : 0);
    }
}

static void counted(const char *text)
{
    int err = adi3_unreceived();

    if (!text)
        assert_int_equal(err, MPI_SUCCESS);
    else
        assert_non_null(strstr(adi3_error_text(err), text));
}

/* Messages that were not received are counted, but not when a process is lost: the program may have
 * had no time for them. Nothing is counted after that. */
static void told_unless_a_process_is_lost(void **state)
{
    (void) state;
    counted("has not received 1 message; the first has 1000 bytes and tag 5, and is from rank 1 of "
            "MPI_COMM_WORLD");
    fake_start();
    assert_int_equal(fake_arrive(1, fake_eager(1, 5, LEN), out, FAKE_WHOLE), 0);
    fake_lose(2);
    fake_stop();
    counted(NULL);
}

/* ---- reports of the last calls --------------------------------------------------------------- */

static int held_polls;

/* Another node's leader comes to the barrier. What it brings makes no sum of 0. */
static void leader_comes(struct adi3_queues *q)
{
    const struct match_entry *e = OS_OWNER(q->posted.next, struct match_entry, all);
    const struct {
        uint64_t window, sum, facts;
    } brought = { 7, 3, 8 /* whole */ };
    struct dev_pkt pkt = fake_eager(e->rank, e->tag, sizeof brought);

    pkt.ctx = adi3_world.recv_ctx + ADI3_COLL;
    assert_true(fake_arrive(e->rank, pkt, &brought, FAKE_WHOLE) >= 0);
}

/* Process 1 has called what we have not: then rank 0 of MPI_COMM_WORLD waits for no other. */
static void report_arrives(void)
{
    static const char text[] = "MPI_Bcast";
    const struct dev_pkt pkt = {
        .payload = sizeof text, .type = PKT_LAST, .ctx = adi3_world.recv_ctx + ADI3_COLL, .rank = 1
    };

    assert_int_equal(fake_arrive(1, pkt, text, FAKE_WHOLE), 0);
}

/* The device has our reports for a while before they are on their way. */
static bool reports_are_late(void)
{
    struct adi3_queues *q = adi3_world.queue[1];
    bool moved = fake_waiting() > 0 || q->nposted;

    while (fake_waiting() && !fake_holds_first())
        free(fake_take());
    if (fake_holds_first()) {
        assert_int_equal(node_leaving()->come, 1); /* not to the next barrier */
        if (!held_polls++)
            report_arrives();
        if (held_polls == POLLS)
            fake_finish(0);
    } else if (q->nposted) {
        leader_comes(q);
    }
    return moved;
}

/* We are rank 1 of a communicator, whose rank 0 gets our last calls; each process is a node. */
static void reports_before_the_last_barrier(void **state)
{
    const struct adi3_subgroup swapped = { .size = 2, .me = 1, .ranks = (int[]) { 1, 0 } };
    struct adi3_comm *c = NULL;

    (void) state;
    fake_start();
    assert_int_equal(adi3_comm_new(&adi3_world, &swapped, 1u << 28, &c), MPI_SUCCESS);
    fake.holds = true;
    fake.poll = reports_are_late;
    held_polls = 0;
    assert_int_equal(adi3_finalize(), MPI_SUCCESS);
    assert_int_equal(held_polls, POLLS);
    fake_drop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_receive),
        cmocka_unit_test(of_a_receive_whose_sender_is_lost),
        cmocka_unit_test(of_messages_that_nobody_receives),
        cmocka_unit_test(told_unless_a_process_is_lost),
        cmocka_unit_test(reports_before_the_last_barrier),
    };

    return UNIT_RUN(tests);
}
