/* proc.c — which device reaches which process, and the error when none does. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "fake.h"
#include "platform/setting.h"

static char buf[64];

static int join(void **state)
{
    (void) state;
    fake_reset();
    return fake_join();
}

static int send_to(int rank)
{
    struct adi3_data d = fake_bytes(buf, 8);

    return adi3_send(&d, rank, 0, &adi3_world, ADI3_STANDARD);
}

static bool says(int err, const char *what)
{
    const char *text = adi3_error_text(err);

    return err && text && strstr(text, what);
}

static void added_when_they_first_talk(void **state)
{
    (void) state;
    assert_int_equal(fake.adds, 0);
    assert_int_equal(send_to(1), MPI_SUCCESS);
    assert_int_equal(send_to(1), MPI_SUCCESS);
    assert_int_equal(fake.adds, 1);
    assert_ptr_equal(p2p_upcalls.peer(&proc_own_job.dev, 2),
                     &adi3_procs[2].peer); /* a device may add a peer first */
    assert_ptr_equal(p2p_upcalls.peer(&proc_own_job.dev, 2), &adi3_procs[2].peer);
    assert_int_equal(fake.adds, 2);
    assert_int_equal(send_to(2), MPI_SUCCESS);
    assert_int_equal(fake.adds, 2);
    fake_drop();
}

static void wait_elsewhere(int fd) { (void) fd; }

/* The packet of a process of another node makes a device add it in the midst of its poll. A spawn
 * of another thread has set a hook for requests of the program. */
static void added_within_a_poll(void **state)
{
    (void) state;
    pmi_wait_hook = wait_elsewhere;
    fake_gives_way = true;
    assert_ptr_equal(p2p_upcalls.peer(&proc_own_job.dev, 2), &adi3_procs[2].peer);
    assert_false(fake_gives_way);
    assert_ptr_equal(pmi_wait_hook, wait_elsewhere);
    pmi_wait_hook = NULL;
}

static void no_such_process(void **state)
{
    (void) state;
    assert_null(p2p_upcalls.peer(&proc_own_job.dev, -1));
    assert_null(p2p_upcalls.peer(&proc_own_job.dev, FAKE_SIZE));
    assert_null(p2p_upcalls.peer(&proc_own_job.dev, INT32_MAX));
    assert_null(
        p2p_upcalls.peer(&proc_own_job.dev, FAKE_RANK)); /* no device reaches ourselves here */
}

/* The device sees its own endpoint and no other. */
static void each_its_own_card(void **state)
{
    (void) state;
    assert_int_equal(send_to(1), MPI_SUCCESS);
    assert_string_equal(adi3_procs[1].peer.endpoint, "here");
    assert_string_equal(fake.endpoint, "here"); /* also when it is asked for its cost */
    fake_drop();
}

static int widened; /* what widen() returns */

static int widen(char endpoint[DEV_ENDPOINT_MAX])
{
    if (!widened)
        memcpy(endpoint, "everywhere", 11);
    return widened;
}

/* The business card for processes of other jobs has the address that a device gives for them, or
 * none when it does not reach them; our own job goes on with the first address. */
static void card_for_other_jobs(void **state)
{
    char card[PROC_BUSINESS_CARD];
    const char *own = node_endpoint(&adi3_node, adi3_node.index, 0);

    (void) state;
    fake_ops.widen = widen;
    for (int i = 0; i < 2; i++) {
        widened = i ? 0 : -EADDRNOTAVAIL;
        proc_open_others();
        proc_business_card_write(card, 0);
        assert_int_equal(strstr(card, "fake:everywhere|") != NULL, i);
        assert_int_equal(strstr(card, "fake:") != NULL, i);
        assert_string_equal(own, "fake:here");
    }
    fake_ops.widen = NULL;
    fake.nowhere = true;
    int err = send_to(1);
    assert_true(says(err, "process 1") && says(err, "device fake: Cannot assign"));
}

/* Shortage is an error now, and perhaps none the next time. */
static void shortage_of_memory(void **state)
{
    (void) state;
    fake.no_peer = 2;
    int err = send_to(1);
    assert_true(says(err, "process 1") && says(err, strerror(ENOMEM)));
    assert_null(p2p_upcalls.peer(&proc_own_job.dev, 1));
    assert_int_equal(send_to(1), MPI_SUCCESS);
    assert_int_equal(fake.adds, 3);
    fake_drop();
}

static void nobody_reaches_it(void **state)
{
    (void) state;
    int err = send_to(FAKE_RANK);
    assert_true(says(err, "process 0"));
    assert_int_equal(fake_class(err), MPI_ERR_OTHER);
    fake.self = true;
    assert_int_equal(send_to(FAKE_RANK), MPI_SUCCESS);
    struct adi3_request *r = fake_irecv(buf, 8, FAKE_RANK, 0);
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

static void other_nodes_out_of_reach(void **state)
{
    (void) state;
    fake.nowhere = true;
    assert_true(says(send_to(1), "process 1"));
    assert_true(says(send_to(1), "process 1"));
    fake.nowhere = false;
    assert_int_equal(send_to(1), MPI_SUCCESS);
    fake_drop();
    fake.nowhere = true;
    assert_true(says(send_to(2), "process 2")); /* and stays so to the end of the job */
}

static void lost_before_they_talked(void **state)
{
    (void) state;
    proc_died(&adi3_procs[1]);
    assert_int_equal(fake.dels, 0);
    assert_true(says(send_to(1), "process 1"));
    assert_int_equal(fake.adds, 0);
}

static int watched[FAKE_SIZE];

static void count_watch(struct dev_peer *peer) { watched[peer->rank]++; }

static void by_thought(const struct dev_peer *peer, char *text, size_t len)
{
    (void) snprintf(text, len, peer ? "by thought" : "");
}

/* Processes on other nodes that requests wait for are watched, and added if they were not. */
static void watched_while_waited_for(void **state)
{
    (void) state;
    fake_ops.watch = count_watch;
    watch_tick();
    assert_int_equal(fake.adds, 0);
    struct adi3_request *r = fake_irecv(buf, 8, 2, 0);
    watch_tick();
    assert_int_equal(watched[1], 0);
    assert_int_equal(watched[2], 1);
    bool found;
    assert_int_equal(adi3_iprobe(1, 0, &adi3_world, &found, MPI_STATUS_IGNORE), MPI_SUCCESS);
    watch_tick(); /* once: it was one look */
    watch_tick();
    assert_int_equal(watched[1], 1);
    assert_int_equal(watched[2], 3);
    struct adi3_request *any = fake_irecv(buf, 8, MPI_ANY_SOURCE, 1);
    watch_tick(); /* those that we have talked with */
    assert_int_equal(watched[1], 2);
    assert_int_equal(watched[2], 5);
    fake_lose(2);
    assert_true(says(fake_result(r, MPI_STATUS_IGNORE), "process 2"));
    assert_true(says(fake_result(any, MPI_STATUS_IGNORE), "process 2"));
    watch_tick();
    assert_int_equal(watched[2], 5);
    assert_int_equal(fake.adds, 2);
    fake_ops.watch = NULL;
}

static void errors_name_host_and_cause(void **state)
{
    (void) state;
    fake_ops.describe = by_thought;
    assert_int_equal(send_to(1), MPI_SUCCESS);
    fake_drop();
    const char *text = adi3_error_text(proc_error(&adi3_procs[1], -ETIMEDOUT));
    assert_string_equal(text, "process 1 of MPI_COMM_WORLD on far over fake (by thought): "
                              "Connection timed out (STARLING_PEER_TIMEOUT=10)");
    fake_ops.describe = NULL;
}

static void devices_in_words(void **state)
{
    char text[200], want[200];

    (void) state;
    assert_false(adi3_devices_used(text, sizeof text)); /* VERBOSE does not ask for it */
    adi3_verbose = 1;
    assert_true(adi3_devices_used(text, sizeof text));
    assert_non_null(strstr(text, "has sent no message"));
    assert_int_equal(send_to(1), MPI_SUCCESS);
    assert_int_equal(send_to(2), MPI_SUCCESS);
    fake_drop();
    assert_true(adi3_devices_used(text, sizeof text));
    (void) snprintf(want, sizeof want, "rank 0 of 3 on %s: fake 1-2 on far", adi3_hostname());
    assert_string_equal(text, want);
    assert_true(adi3_devices_used(text, 40)); /* cut, and ended */
    assert_true(strlen(text) < 40);
    adi3_verbose = 0;
}

static void unknown_device(void **state)
{
    (void) state;
    adi3_setting_devices = "fake,nosuch";
    assert_true(says(adi3_init(false), "nosuch"));
    adi3_setting_devices = "fak"; /* a word is a whole word */
    assert_true(says(adi3_init(false), "'fak'"));
}

static bool rival, near; /* there is one, at the same cost; it reaches this node alone */
static int asks;         /* how often the device was asked whether it is on request */

static int query_rival(struct dev_limits *out)
{
    int rc = fake_ops.query(out);

    out->node_only = near;
    return rival ? rc : -ENODEV;
}

/* The devices of the job, and the one that reaches process 1. */
static const char *devices_with(bool on_request, bool with_rival, bool near_one, const char *named)
{
    static char names[40];

    fake_reset();
    fake.on_request = on_request;
    rival = with_rival;
    near = near_one;
    fake_rival = fake_ops;
    fake_rival.name = "rival";
    fake_rival.query = query_rival;
    fake_rival.on_request = NULL;
    setting_load(adi3_settings(), NULL, NULL, NULL);
    adi3_setting_devices = named;
    assert_int_equal(adi3_init(false), MPI_SUCCESS);
    assert_int_equal(send_to(1), MPI_SUCCESS);
    (void) snprintf(names, sizeof names, "%s%s%s, %s", adi3_devs[0].ops->name,
                    adi3_ndevs > 1 ? " " : "", adi3_ndevs > 1 ? adi3_devs[1].ops->name : "",
                    adi3_procs[1].dev->ops->name);
    asks = fake.asks;
    fake_drop();
    fake_leave();
    rival = false;
    return names;
}

static void on_request_without_a_rival(void **state)
{
    (void) state;
    assert_string_equal(devices_with(true, false, false, ""), "fake, fake");
    assert_int_equal(asks, 1); /* not where only the devices of the node are opened */
    assert_string_equal(devices_with(true, true, false, ""), "rival, rival");
    assert_string_equal(devices_with(true, true, false, "fake"), "fake, fake");
    assert_string_equal(devices_with(true, true, true, ""), "rival fake, fake"); /* is no rival */
}

/* A process that asked about all others twice a second would do little else among many. */
static void few_are_looked_at_in_turn(void **state)
{
    enum { MANY = 40, FEW = 16 };
    int count = adi3_node.count, first, all = 0;
    bool seen[MANY] = { false };

    (void) state;
    assert_int_equal(fake_join(), MPI_SUCCESS);
    adi3_node.count = MANY;
    for (int look = 0; look < 3; look++) {
        assert_int_equal(node_turn(&adi3_node, &first), FEW);
        for (int i = first; i < first + FEW; i++) {
            all += !seen[i % MANY];
            seen[i % MANY] = true;
        }
    }
    assert_int_equal(all, MANY);
    node_found_dead(&adi3_node); /* by any process */
    assert_int_equal(node_turn(&adi3_node, &first), MANY);
    assert_int_equal(first, 0);
    assert_int_equal(node_turn(&adi3_node, &first), FEW);
    adi3_node.count = count;
    fake_leave();
}

static void configured_order_decides_at_equal_cost(void **state)
{
    (void) state;
    assert_string_equal(devices_with(false, true, false, ""), "fake rival, fake");
    assert_string_equal(devices_with(false, true, true, ""), "rival fake, fake");
    assert_string_equal(devices_with(false, true, false, "rival,fake"), "fake rival, fake");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, join, fake_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_device),
        cmocka_unit_test(on_request_without_a_rival),
        cmocka_unit_test(few_are_looked_at_in_turn),
        cmocka_unit_test(configured_order_decides_at_equal_cost),
        TEST(added_when_they_first_talk),
        TEST(added_within_a_poll),
        TEST(no_such_process),
        TEST(each_its_own_card),
        TEST(card_for_other_jobs),
        TEST(shortage_of_memory),
        TEST(nobody_reaches_it),
        TEST(other_nodes_out_of_reach),
        TEST(lost_before_they_talked),
        TEST(watched_while_waited_for),
        TEST(errors_name_host_and_cause),
        TEST(devices_in_words),
    };

    return UNIT_RUN(tests);
}
