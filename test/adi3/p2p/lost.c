/* lost.c — a peer is lost: the requests that only it could complete fail and say why; all others go
 * on, and messages that it had sent completely can be received. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "fake.h"

enum { LARGE = 50000 };

static char out[LARGE], in[LARGE];

/* It has failed, and its error names the peer. */
static void failed(struct adi3_request *r, int rank)
{
    char name[64];

    assert_true(fake_done(r));
    int err = adi3_request_finish(r, MPI_STATUS_IGNORE);
    const char *text = adi3_error_text(err);
    (void) snprintf(name, sizeof name, "process %d of MPI_COMM_WORLD on far over fake: ", rank);
    assert_int_equal(fake_class(err), MPI_ERR_OTHER);
    assert_true(text && strstr(text, name) && strstr(text, strerror(ECONNRESET)));
}

/* One request of each kind that waits for this peer. */
struct waiting {
    struct adi3_request *rts, *synced, *data, *held, *posted, *asked;
};

static struct waiting wait_for(int rank)
{
    struct waiting w;

    fake.holds = true;
    w.rts = fake_isend(out, LARGE, rank, 1, ADI3_STANDARD);  /* awaits CTS */
    w.synced = fake_isend(out, 100, rank, 2, ADI3_SYNC);     /* awaits FIN, with the device too */
    w.held = fake_isend(out, 1000, rank, 3, ADI3_STANDARD);  /* with the device */
    w.data = fake_isend(out, LARGE, rank, 4, ADI3_STANDARD); /* its data are with the device */
    const struct dev_pkt cts = {
        .type = PKT_CTS, .len = LARGE, .sreq = (uint32_t) w.data->handle, .rreq = 9
    };
    assert_int_equal(fake_arrive(rank, cts, NULL, FAKE_WHOLE), 0);
    w.posted = fake_irecv(in, 100, rank, 5);
    w.asked = fake_irecv(in, LARGE, rank, 6); /* awaits DATA */
    assert_int_equal(fake_arrive(rank, fake_rts(rank, 6, LARGE, 5, NULL), NULL, FAKE_WHOLE), 0);
    return w;
}

static void exactly_those_that_depend(void **state)
{
    (void) state;
    struct waiting of_1 = wait_for(1), of_2 = wait_for(2);
    struct adi3_request *any = fake_irecv(in, 100, MPI_ANY_SOURCE, 7);
    fake_lose(1);
    struct adi3_request *dead[] = { of_1.rts,    of_1.synced, of_1.held, of_1.data,
                                    of_1.posted, of_1.asked,  any };
    for (int i = 0; i < 7; i++)
        failed(dead[i], 1);
    struct adi3_request *alive[] = { of_2.rts,  of_2.synced, of_2.held,
                                     of_2.data, of_2.posted, of_2.asked };
    for (int i = 0; i < 6; i++)
        assert_false(fake_done(alive[i]));
    fake_lose(2);
    for (int i = 0; i < 6; i++)
        failed(alive[i], 2);
    assert_int_equal(adi3_world.queue[0]->nposted, 0);
    fake_drop();
}

static void released_ones_are_freed(void **state)
{
    (void) state;
    struct waiting w = wait_for(1);
    struct adi3_request *all[] = { w.rts, w.synced, w.held, w.data, w.posted, w.asked };
    for (int i = 0; i < 6; i++)
        adi3_request_release(all[i]);
    fake_lose(1);
    assert_int_equal(fake_requests(), 0);
    fake_drop();
}

/* A receive from MPI_ANY_SOURCE fails only if the lost process is in its communicator. */
static void another_communicator(void **state)
{
    const int ranks[] = { 0, 2 };
    struct adi3_comm *c;
    MPI_Request h;
    struct adi3_data d = fake_bytes(in, 10);

    (void) state;
    const struct adi3_subgroup t = { .size = 2, .ranks = ranks };
    assert_int_equal(adi3_comm_new(&adi3_world, &t, adi3_context_pick(&adi3_world), &c),
                     MPI_SUCCESS);
    assert_int_equal(adi3_irecv(&d, MPI_ANY_SOURCE, 0, c, ADI3_STANDARD, &h), MPI_SUCCESS);
    struct adi3_request *r = adi3_request_get(h);
    fake_lose(1);
    assert_false(fake_done(r));
    fake_lose(2);
    failed(r, 2);
    adi3_comm_release(c);
}

static void half_a_message(void **state)
{
    struct dev_target posted, claimed, kept;

    (void) state;
    struct adi3_request *r = fake_irecv(in, 1000, 1, 1);
    assert_int_equal(fake_begin(1, fake_eager(1, 1, 1000), &posted), 0);
    fake_pour(&posted, out, 10);
    assert_int_equal(fake_begin(1, fake_eager(1, 2, 1000), &claimed), 0);
    struct adi3_request *s = fake_irecv(in, 1000, 1, 2);
    assert_int_equal(fake_begin(1, fake_eager(1, 3, 1000), &kept), 0);
    fake_end(&posted, -ECONNRESET);
    fake_end(&claimed, -ECONNRESET);
    fake_end(&kept, -ECONNRESET);
    fake_lose(1);
    failed(r, 1);
    failed(s, 1);
    assert_int_equal(adi3_world.queue[0]->nunexpected, 0);
}

/* What was complete is received; what was only announced is not to be had any more. */
static void what_it_left(void **state)
{
    MPI_Status st;

    (void) state;
    memset(out, 'o', 100);
    assert_int_equal(fake_arrive(1, fake_eager(1, 1, 100), out, 3), 0);
    assert_int_equal(fake_arrive(1, fake_rts(1, 2, 100, 5, NULL), NULL, FAKE_WHOLE), 0);
    assert_int_equal(fake_arrive(1, fake_rts(1, 3, 100, 5, out), NULL, FAKE_WHOLE), 0);
    fake_lose(1);
    struct adi3_request *r = fake_irecv(in, 100, 1, 1);
    assert_int_equal(fake_result(r, &st), MPI_SUCCESS);
    assert_memory_equal(in, out, 100);
    failed(fake_irecv(in, 100, 1, 2), 1);
    int gets = fake.gets; /* another process may have its process id */
    failed(fake_irecv(in, 100, 1, 3), 1);
    assert_int_equal(fake.gets, gets);
}

/* Nor is it read when its receive was posted before that, or when it came for a posted one. */
static void before_it_was_read(void **state)
{
    (void) state;
    fake.reads_later = true;
    struct adi3_request *posted = fake_irecv(in, 100, 1, 1);
    assert_int_equal(fake_arrive(1, fake_rts(1, 1, 100, 5, out), NULL, FAKE_WHOLE), 0);
    assert_int_equal(fake_arrive(1, fake_rts(1, 2, 100, 6, out), NULL, FAKE_WHOLE), 0);
    struct adi3_request *claimed = fake_irecv(in, 100, 1, 2);
    fake_lose(1);
    assert_false(fake_done(posted) || fake_done(claimed));
    adi3_poll();
    assert_int_equal(fake.gets, 0);
    failed(posted, 1);
    failed(claimed, 1);
}

/* Nothing may be unpacked when nothing has come: the buffer stays, and no memory of ours shows. */
static void holes_stay(void **state)
{
    struct adi3_type *v;
    MPI_Request h;

    (void) state;
    memset(in, '#', sizeof in);
    assert_int_equal(adi3_type_hvector(100, 8, 24, adi3_type_builtin(MPI_BYTE), &v), 0);
    assert_int_equal(adi3_type_commit(v), MPI_SUCCESS);
    const struct adi3_data d = { in, 1, v };
    free(memset(malloc(800), 'L', 800)); /* what malloc may well give again */
    assert_int_equal(adi3_irecv(&d, 1, 0, &adi3_world, ADI3_STANDARD, &h), MPI_SUCCESS);
    assert_int_equal(fake_arrive(1, fake_rts(1, 0, 800, 5, NULL), NULL, FAKE_WHOLE), 0);
    (void) fake_sent(1, PKT_CTS);
    fake_lose(1);
    failed(adi3_request_get(h), 1);
    adi3_type_release(v);
    for (size_t i = 0; i < sizeof in; i++)
        assert_int_equal(in[i], '#');
}

static void from_then_on(void **state)
{
    struct adi3_data d = fake_bytes(out, 8);
    MPI_Request h;
    MPI_Status st;
    bool found;

    (void) state;
    fake_lose(1);
    fake_lose(1); /* a second time nothing happens */
    assert_int_equal(fake_class(adi3_send(&d, 1, 0, &adi3_world, ADI3_STANDARD)), MPI_ERR_OTHER);
    assert_int_equal(fake_class(adi3_isend(&d, 1, 0, &adi3_world, ADI3_SYNC, &h)), MPI_ERR_OTHER);
    failed(fake_irecv(in, 8, 1, 0), 1);
    assert_int_equal(fake_class(adi3_iprobe(1, 0, &adi3_world, &found, &st)), MPI_ERR_OTHER);
    assert_int_equal(fake_class(adi3_probe(1, 0, &adi3_world, &st)), MPI_ERR_OTHER);
    assert_int_equal(adi3_send(&d, 2, 0, &adi3_world, ADI3_STANDARD), MPI_SUCCESS);
    (void) fake_sent(2, PKT_EAGER);
}

/* A send that fails at once must not wait for a receive that its partner may never answer. */
static bool answers(void) { return fake_arrive(2, fake_eager(2, 0, 8), out, FAKE_WHOLE) == 0; }

static void both_at_once(void **state)
{
    const struct adi3_exchange x = {
        .out = fake_bytes(out, 8), .in = fake_bytes(in, 8), .dest = 1, .source = 2
    };

    (void) state;
    fake_lose(1);
    fake.poll = answers;
    int err = adi3_sendrecv(&x, &adi3_world, ADI3_STANDARD, MPI_STATUS_IGNORE);
    fake.poll = NULL;
    assert_int_equal(fake_class(err), MPI_ERR_OTHER);
    while (adi3_world.queue[0]->nunexpected)
        (void) fake_result(fake_irecv(in, 8, 2, 0), MPI_STATUS_IGNORE);
}

/* A death on our own node is noticed before the device notices it: the device is told by del_peer,
 * and ends its ops. */
static void dead_before_the_device_knows(void **state)
{
    (void) state;
    struct waiting w = wait_for(1);
    proc_died(&adi3_procs[1]);
    assert_int_equal(fake.dels, 1);
    struct adi3_request *dead[] = { w.rts, w.synced, w.held, w.data, w.posted, w.asked };
    for (int i = 0; i < 6; i++)
        failed(dead[i], 1);
    proc_died(&adi3_procs[1]);
    assert_int_equal(fake.dels, 1);
    fake_drop();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(exactly_those_that_depend),
        TEST(released_ones_are_freed),
        TEST(another_communicator),
        TEST(half_a_message),
        TEST(what_it_left),
        TEST(before_it_was_read),
        TEST(holes_stay),
        TEST(from_then_on),
        TEST(both_at_once),
        TEST(dead_before_the_device_knows),
    };

    return UNIT_RUN(tests);
}
