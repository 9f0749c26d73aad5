/* credit_test.c — the credit that mpiexec gives a proxy for output. The proxy is a shell that sends
 * output and keeps what it is sent. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include "pm/node/loop.h"
#include "platform/os.h"
#include "pm/channel/pm_serialize.h"
#include "pm/channel/pm_frame.h"
#include "pm/channel/pm_remote.h"
#include "unit.h"

enum { OUTPUT = 60000, WAIT_S = 20, MANY = 40 };

static char sent_file[] = "/tmp/pm_credit_testXXXXXX", got_file[sizeof sent_file + 4];
static size_t received;

static void on_output(void *owner, int process, int stream, const char *bytes, size_t len,
                      bool more)
{
    (void) owner, (void) process, (void) stream, (void) bytes, (void) more;
    received += len;
}

static void on_ready(void *owner, int job, const char *host, const char *topology)
{
    (void) owner, (void) job, (void) host, (void) topology;
}

static void on_lost(void *owner, const char *text)
{
    (void) owner;
    fail_msg("%s", text);
}

static void windows(void **state)
{
    (void) state;
    assert_int_equal(pm_window(0), 256 << 10);
    assert_int_equal(pm_window(1), 256 << 10);
    assert_int_equal(pm_window(4), 256 << 10);
    assert_int_equal(pm_window(8), 128 << 10);
    assert_int_equal(pm_window(64), 16 << 10);
    assert_int_equal(pm_window(1 << 20), 4 << 10);
}

static void write_output(void)
{
    static const char greeting[] = "=starling-proxy= 7 test\n", text[OUTPUT];
    struct pm_bytes q = { .bytes = NULL }, answer = { .bytes = NULL };

    assert_int_equal(pm_bytes_add(&q, greeting, sizeof greeting - 1), 0);
    assert_int_equal(pm_encode_ready(&answer, "node1", NULL), 0);
    assert_int_equal(pm_frame_put(&q, &(struct pm_frame) { .kind = PM_FRAME_READY,
                                                           .bytes = answer.bytes,
                                                           .len = answer.len }),
                     0);
    assert_int_equal(
        pm_frame_put(
            &q, &(struct pm_frame) { .kind = PM_FRAME_OUTPUT, .bytes = text, .len = sizeof text }),
        0);
    int fd = open(sent_file, O_WRONLY | O_TRUNC);
    assert_int_equal(write(fd, q.bytes, q.len), (ssize_t) q.len);
    (void) close(fd);
    pm_bytes_free(&answer);
    pm_bytes_free(&q);
}

/* The bytes of credit for a sink that the proxy has got so far. */
static int credit_of(int sink)
{
    static char bytes[1 << 20];
    int fd = open(got_file, O_RDONLY), credit = 0;
    ssize_t n = fd < 0 ? 0 : read(fd, bytes, sizeof bytes), taken;
    struct pm_bytes q = { .bytes = bytes, .len = n > 0 ? (size_t) n : 0 };
    struct pm_frame f;

    if (fd >= 0)
        (void) close(fd);
    while ((taken = pm_frame_get(&q, false, &f)) > 0) {
        if (f.kind == PM_FRAME_CREDIT && f.number == sink)
            credit += f.value;
        q.head += (size_t) taken;
        q.len -= (size_t) taken;
    }
    return credit;
}

static void turn(void)
{
    pm_loop_once(false);
    (void) usleep(1000);
}

static void more_sinks_need_earlier_credit(void **state)
{
    char script[256], *command[] = { "/bin/sh", "-c", script, NULL };
    static struct pm_signals signals;
    const struct pm_remote_events events = { .node = { .ready = on_ready, .output = on_output },
                                             .lost = on_lost };
    uint64_t end = os_time_ns() + WAIT_S * 1000000000ull;
    (void) state;

    write_output();
    (void) snprintf(script, sizeof script, "cat %s; exec cat >%s", sent_file, got_file);
    struct pm_remote *r = pm_remote_open(
        &(struct pm_remote_config) { .host = "h", .command = command, .signals = &signals },
        &events);
    assert_non_null(r);
    pm_remote_prepare(r, &(struct pm_plan) { .processes = MANY });
    pm_remote_start(r, &(struct pm_start) { .local_size = 1, .sink = { 0, PM_NO_SINK } });
    while (received < OUTPUT && os_time_ns() < end)
        turn();
    for (int i = 0; i < 100; i++)
        turn();
    assert_int_equal(received, OUTPUT);
    assert_int_equal(credit_of(0), 0); /* a credit for so little is not worth a frame */
    for (int i = 1; i < MANY; i++)
        pm_remote_start(
            r, &(struct pm_start) { .process = i, .rank = i, .local_size = 1, .sink = { i, i } });
    while (!credit_of(0) && os_time_ns() < end)
        turn();
    assert_int_equal(credit_of(0), OUTPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows),
        cmocka_unit_test(more_sinks_need_earlier_credit),
    };
    int fd = mkstemp(sent_file);

    CHECK(fd >= 0 && !close(fd) && !pm_loop_open());
    (void) snprintf(got_file, sizeof got_file, "%s.got", sent_file);
    int failed = UNIT_RUN(tests);
    (void) unlink(sent_file);
    (void) unlink(got_file);
    return failed;
}
