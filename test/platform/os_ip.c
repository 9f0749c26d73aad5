/* os_ip.c — stream sockets at IP addresses, and a descriptor of a time. */
#include <errno.h>
#include <poll.h>
#include "platform/ip.h"
#include "platform/os.h"
#include "unit.h"

enum { WAIT_MS = 10000, TIME_MS = 50 };

static const struct os_ip loopback = { .ip = { 127, 0, 0, 1 } };

static int events_of(int fd, int timeout_ms)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };

    return poll(&p, 1, timeout_ms) == 1 ? p.revents : 0;
}

static void connects(const struct os_ip *at)
{
    uint16_t port = 0, same;
    char byte = 0;
    int listener = os_ip_listen(at, &port, 4);

    assert_true(listener >= 0 && port > 0);
    same = port;
    if (at)
        assert_int_equal(os_ip_listen(at, &same, 4), -EADDRINUSE);
    int ours = os_ip_connect(&loopback, port);
    assert_true(ours >= 0 && events_of(listener, WAIT_MS));
    int theirs = os_accept(listener);
    assert_true(theirs >= 0);
    assert_int_equal(os_send_some(ours, "!", 1), 1);
    assert_true(events_of(theirs, WAIT_MS));
    assert_int_equal(os_receive_some(theirs, &byte, 1), 1);
    assert_int_equal(byte, '!');
    (void) close(theirs);
    (void) close(ours);
    (void) close(listener);
    ours = os_ip_connect(&loopback, port); /* refused at once, or with the first byte */
    assert_true(ours == -ECONNREFUSED
                || (events_of(ours, WAIT_MS) && os_send_some(ours, "!", 1) == -ECONNREFUSED));
    if (ours >= 0)
        (void) close(ours);
}

static void streams(void **state)
{
    (void) state;
    static const struct os_ip elsewhere = { .ip = { 203, 0, 113, 7 } };
    uint16_t port = 0;

    connects(&loopback);
    connects(NULL);
    assert_int_equal(os_ip_listen(&elsewhere, &port, 4), -EADDRNOTAVAIL);
}

static void timers(void **state)
{
    (void) state;
    int timer = os_timer();

    assert_true(timer >= 0 && !events_of(timer, 0));
    os_timer_set(timer, os_time_ns() + TIME_MS * 1000000ull);
    assert_true(!events_of(timer, 0) && events_of(timer, WAIT_MS));
    os_timer_set(timer, os_time_ns() + 3600 * 1000000000ull);
    assert_false(events_of(timer, 0));
    os_timer_set(timer, 0); /* it has passed */
    assert_true(events_of(timer, WAIT_MS));
    os_timer_set(timer, UINT64_MAX);
    assert_false(events_of(timer, TIME_MS));
    (void) close(timer);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(streams), cmocka_unit_test(timers) };

    return UNIT_RUN(tests);
}
