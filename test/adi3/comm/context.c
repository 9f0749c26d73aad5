/* context.c — communicators and the messages that come before them, with them and after them (G08).
 *
 * We are process 0; processes 1 and 2 are played by the test. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "fake.h"

enum { LEN = 1000 };

static char out[LEN], in[LEN];

static const int swapped[] = { 1, 0 }; /* process 1 leads: its id, our rank is 1 */
static const int pair[] = { 0, 1 };    /* we lead */

enum { TAG = 77, DIGEST = 4711 };

/* The leader's message with the context id of a new communicator. */
static void tell_id(uint32_t id, uint32_t digest)
{
    const uint32_t word[] = { id, digest };
    struct dev_pkt pkt = fake_eager(1, TAG, sizeof word);

    pkt.ctx = adi3_world.recv_ctx + ADI3_COLL;
    assert_int_equal(fake_arrive(1, pkt, word, FAKE_WHOLE), 0);
}

static int make(const int *ranks, int me, struct adi3_comm **c)
{
    const struct adi3_subgroup t = { .size = 2, .me = me, .ranks = ranks, .digest = DIGEST };
    uint32_t ctx;
    int err = adi3_context_distribute(&adi3_world, &t, TAG, &ctx);

    return err ? err : adi3_comm_new(&adi3_world, &t, ctx, c);
}

static struct adi3_comm *make_theirs(uint32_t id)
{
    struct adi3_comm *c = NULL;

    tell_id(id, DIGEST);
    assert_int_equal(make(swapped, 1, &c), MPI_SUCCESS);
    assert_true(c->rank == 1 && c->size == 2 && c->recv_ctx == id && c->send_ctx == id);
    assert_ptr_equal(c->proc[0], &adi3_procs[1]);
    assert_ptr_equal(c->proc[1], &adi3_procs[0]);
    return c;
}

static uint32_t id_of_1(uint32_t n) { return (1u << 28 | n) << 1; } /* of 30 bits, 2 for the rank */

static struct dev_pkt eager_in(uint32_t ctx, int tag, size_t len)
{
    struct dev_pkt pkt = fake_eager(0, tag, len); /* rank 0 there is process 1 */

    pkt.ctx = ctx;
    return pkt;
}

static struct adi3_request *irecv_in(struct adi3_comm *c, int tag, int mode)
{
    struct adi3_data d = fake_bytes(in, LEN);
    MPI_Request h;

    memset(in, '#', LEN);
    assert_int_equal(adi3_irecv(&d, 0, tag, c, mode, &h), MPI_SUCCESS);
    adi3_poll();
    return adi3_request_get(h);
}

/* ---- before ---------------------------------------------------------------------------------- */

/* A fast member may send before a slow one knows of the communicator at all. */
static void messages_before_the_communicator(void **state)
{
    const uint32_t id = id_of_1(7);
    struct dev_target target;
    MPI_Status st;

    (void) state;
    memset(out, 'o', LEN);
    assert_int_equal(fake_arrive(1, eager_in(id, 1, 10), out, FAKE_WHOLE), 0);
    assert_int_equal(fake_arrive(1, eager_in(id, 1, 20), out, 3), 0);
    assert_int_equal(fake_arrive(1, eager_in(id + 1, 1, 30), out, 3), 0); /* of a collective */
    struct dev_pkt rts = fake_rts(0, 1, 40, 5, out);
    rts.ctx = id;
    assert_int_equal(fake_arrive(1, rts, NULL, FAKE_WHOLE), 0);
    assert_int_equal(fake_begin(1, eager_in(id, 1, 50), &target), 0);
    fake_pour(&target, out, 25);

    struct adi3_comm *c = make_theirs(id);
    fake_pour(&target, out, 25);
    fake_end(&target, 0);
    for (int i = 1; i <= 5; i++) {
        if (i == 3)
            continue;
        assert_int_equal(fake_result(irecv_in(c, 1, ADI3_STANDARD), &st), MPI_SUCCESS);
        assert_int_equal(st.count_lo, 10 * i);
        assert_memory_equal(in, out, 10 * (size_t) i);
    }
    (void) fake_sent(1, PKT_FIN);
    assert_int_equal(fake_result(irecv_in(c, 1, ADI3_COLL), &st), MPI_SUCCESS);
    assert_int_equal(st.count_lo, 30);
    adi3_comm_release(c);
}

/* Messages for many communicators at once: each gets its own. */
static void many_before(void **state)
{
    enum { COMMS = 500 };
    struct adi3_comm *c[COMMS];

    (void) state;
    for (uint32_t i = 0; i < COMMS; i++) {
        memset(out, (int) (i % 256), 2);
        assert_int_equal(fake_arrive(1, eager_in(id_of_1(100 + i), 0, 2), out, FAKE_WHOLE), 0);
    }
    for (uint32_t i = COMMS; i-- > 0;)
        c[i] = make_theirs(id_of_1(100 + i));
    for (uint32_t i = 0; i < COMMS; i++) {
        assert_int_equal(fake_result(irecv_in(c[i], 0, ADI3_STANDARD), MPI_STATUS_IGNORE),
                         MPI_SUCCESS);
        assert_int_equal(in[0], (char) (i % 256));
        assert_int_equal(c[i]->queue[0]->nunexpected, 0);
    }
    for (uint32_t i = 0; i < COMMS; i += 2)
        adi3_comm_release(c[i]);
    for (uint32_t i = 1; i < COMMS; i += 2)
        adi3_comm_release(c[i]);
}

/* Processor seconds until there are very many contexts; the step from id to id. */
static double time_of_many(uint32_t step)
{
    enum { IDS = 30000 };
    clock_t begin = clock();

    for (uint32_t i = 1; i <= IDS; i++)
        assert_non_null(queues_make(i * step));
    for (uint32_t i = 1; i <= IDS; i++)
        queues_drop(i * step);
    return (double) (clock() - begin) / CLOCKS_PER_SEC;
}

/* The same number picked by many processes: their ids differ in the high bits alone. */
static void ids_of_many_leaders(void **state)
{
    (void) state;
    double of_one = time_of_many(2), of_many = time_of_many(1 << 16);
    if (of_many > 20 * of_one + 0.1)
        fail_msg("%g s, and in a row %g s", of_many, of_one);
}

/* Contexts that never become communicators are no loss. */
static void never_made(void **state)
{
    (void) state;
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(fake_arrive(1, eager_in(id_of_1(1000 + i), 0, 200), out, (int) i % 2), 0);
}

/* ---- ids ------------------------------------------------------------------------------------- */

static void ids_are_unique_and_even(void **state)
{
    enum { COMMS = 100 };
    struct adi3_comm *c[COMMS];

    (void) state;
    for (int i = 0; i < COMMS; i++) {
        assert_int_equal(make(pair, 0, &c[i]), MPI_SUCCESS);
        struct fake_packet *p = fake_take(); /* the id for the other member */
        assert_true(p->to == 1 && p->pkt.type == PKT_EAGER && p->pkt.ctx % 2 == 1);
        assert_memory_equal(p->payload, &c[i]->recv_ctx, sizeof c[i]->recv_ctx);
        free(p);
        assert_int_equal(c[i]->recv_ctx % 2, 0);
        for (int j = 0; j < i; j++)
            assert_true(c[i]->recv_ctx != c[j]->recv_ctx);
        assert_true(c[i]->recv_ctx != adi3_world.recv_ctx && c[i]->recv_ctx != adi3_self.recv_ctx);
        assert_true(c[i]->recv_ctx >> 30 == FAKE_RANK); /* never another process's */
    }
    for (int i = 0; i < COMMS; i++)
        adi3_comm_release(c[i]);
}

/* A message for an id that we are about to pick: we pick another one, as the message is not for the
 * new communicator. */
static void ids_that_are_taken(void **state)
{
    struct adi3_comm *c[2];

    (void) state;
    assert_int_equal(make(pair, 0, &c[0]), MPI_SUCCESS);
    for (uint32_t next = 2; next <= 8; next += 2)
        assert_int_equal(fake_arrive(1, eager_in(c[0]->recv_ctx + next + (next > 4), 0, 5), out, 0),
                         0);
    assert_int_equal(make(pair, 0, &c[1]), MPI_SUCCESS);
    assert_true(c[1]->recv_ctx > c[0]->recv_ctx + 8);
    fake_drop();
    for (int i = 0; i < 2; i++)
        adi3_comm_release(c[i]);
}

/* A process that gives another group than the leader gets an error. */
static void groups_that_differ(void **state)
{
    const struct adi3_subgroup t = { .size = 2, .me = 1, .ranks = swapped, .digest = DIGEST };
    uint32_t ctx;

    (void) state;
    tell_id(id_of_1(12), DIGEST + 1);
    int err = adi3_context_distribute(&adi3_world, &t, TAG, &ctx);
    assert_int_equal(err & ADI3_CLASS_MASK, MPI_ERR_GROUP);
    assert_non_null(strstr(adi3_error_text(err), "process 1"));
}

/* The leader is lost, or has received no id: the id 0 that it sends is not that of the world. */
static void no_id_at_all(void **state)
{
    const struct adi3_subgroup t = { .size = 2, .me = 1, .ranks = swapped, .digest = DIGEST };
    uint32_t ctx;

    (void) state;
    tell_id(0, DIGEST);
    int err = adi3_context_distribute(&adi3_world, &t, TAG, &ctx);
    assert_int_equal(err & ADI3_CLASS_MASK, MPI_ERR_OTHER);
    assert_non_null(strstr(adi3_error_text(err), "process 1"));
}

/* An id that another communicator here has: an error, and each keeps its messages and queues. */
static void an_id_in_use(void **state)
{
    struct adi3_comm *first = make_theirs(id_of_1(13)), *second = NULL;

    (void) state;
    tell_id(id_of_1(13), DIGEST);
    assert_int_equal(make(swapped, 1, &second) & ADI3_CLASS_MASK, MPI_ERR_OTHER);
    assert_null(second);
    assert_int_equal(fake_arrive(1, eager_in(id_of_1(13), 1, LEN), out, FAKE_WHOLE), 0);
    assert_int_equal(fake_result(irecv_in(first, 1, ADI3_STANDARD), MPI_STATUS_IGNORE),
                     MPI_SUCCESS);
    adi3_comm_release(first);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* G08: pending operations keep a communicator alive; the last one frees it. */
static void lives_as_long_as_it_is_used(void **state)
{
    (void) state;
    struct adi3_comm *c = make_theirs(id_of_1(8));
    struct adi3_request *r = irecv_in(c, 3, ADI3_STANDARD);
    adi3_comm_release(c);
    assert_non_null(adi3_get(&adi3_comms, c->handle));
    MPI_Comm handle = c->handle;
    assert_int_equal(fake_arrive(1, eager_in(id_of_1(8), 3, LEN), out, 2), 0);
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    assert_null(adi3_get(&adi3_comms, handle));
}

static void unreceived_messages_end_with_it(void **state)
{
    (void) state;
    struct adi3_comm *c = make_theirs(id_of_1(9));
    for (int i = 0; i < 20; i++)
        assert_int_equal(fake_arrive(1, eager_in(id_of_1(9), i, 200), out, i % 3), 0);
    adi3_comm_release(c);
    c = make_theirs(id_of_1(9)); /* and another one by that id has none of them */
    assert_int_equal(c->queue[0]->nunexpected, 0);
    adi3_comm_release(c);
}

/* The rest of a message that was on its way when its communicator ended, or the loss of it. */
static void ends_while_one_arrives(void **state)
{
    struct dev_target target;

    (void) state;
    for (int i = 0; i < 4; i++) {
        struct adi3_comm *c = make_theirs(id_of_1(10));
        assert_int_equal(fake_begin(1, eager_in(id_of_1(10), 0, LEN), &target), 0);
        fake_pour(&target, out, LEN / 2);
        adi3_comm_release(c);
        if (i >= 2)
            c = make_theirs(id_of_1(10));
        fake_pour(&target, out, LEN / 2);
        fake_end(&target, i % 2 ? -ECONNRESET : 0);
        if (i >= 2) {
            assert_int_equal(c->queue[0]->nunexpected, 0);
            adi3_comm_release(c);
        }
    }
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void group_counts_its_users(void **state)
{
    (void) state;
    struct adi3_comm *c = make_theirs(id_of_1(11));
    struct adi3_group *g = c->group;
    assert_true(g->size == 2 && g->rank == 1);
    assert_true(adi3_group_process(g, 0) == 1 && adi3_group_process(g, 1) == 0);
    g->refs++;
    MPI_Group handle = g->handle;
    adi3_comm_release(c);
    assert_ptr_equal(adi3_get(&adi3_groups, handle), g);
    assert_true(adi3_group_process(g, 0) == 1 && adi3_group_process(g, 1) == 0);
    adi3_group_release(g);
    assert_null(adi3_get(&adi3_groups, handle));
    adi3_group_release(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(messages_before_the_communicator),
        TEST(many_before),
        TEST(never_made),
        TEST(ids_of_many_leaders),
        TEST(ids_are_unique_and_even),
        TEST(ids_that_are_taken),
        TEST(groups_that_differ),
        TEST(no_id_at_all),
        TEST(an_id_in_use),
        TEST(lives_as_long_as_it_is_used),
        TEST(unreceived_messages_end_with_it),
        TEST(ends_while_one_arrives),
        TEST(group_counts_its_users),
    };

    return UNIT_RUN(tests);
}
