/* os_ring.c — reads and writes that the kernel does many at a time. */
#include <errno.h>
#include <string.h>
#include "platform/os.h"
#include "unit.h"

enum { ROOM = 8, LEN = 1000 };

static struct os_ring *ring;
static char out[3 * ROOM][LEN], in[LEN];
static int fd;

/* Tests are skipped where the kernel has no rings. */
static int open_both(void **state)
{
    (void) state;
    ring = os_ring_open(ROOM);
    fd = os_memfd("unit", sizeof out);
    for (int i = 0; i < 3 * ROOM; i++)
        memset(out[i], 'a' + i, LEN);
    return fd < 0;
}

static int close_both(void **state)
{
    (void) state;
    if (ring)
        os_ring_close(ring);
    return os_file_close(fd);
}

static void push(int i)
{
    const struct os_ring_op op = { fd, true, out[i], LEN, (uint64_t) i * LEN };

    os_ring_push(ring, &op, out[i]);
}

/* Collects results until n have come; each is of one of out[from...], and none comes twice. */
static void collect(int from, int n)
{
    bool seen[3 * ROOM] = { false };
    int64_t moved;
    char *arg;

    while (n > 0) {
        assert_int_equal(os_ring_go(ring), 0);
        for (; (arg = os_ring_pop(ring, &moved)); n--) {
            int i = (int) ((arg - out[0]) / LEN);
            assert_true(i >= from && i < 3 * ROOM && !seen[i]);
            seen[i] = true;
            assert_int_equal(moved, LEN);
        }
    }
    assert_int_equal(n, 0);
}

static void full_and_around(void **state)
{
    (void) state;
    if (!ring)
        skip();
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < ROOM; i++)
            push(turn * ROOM + i);
        collect(turn * ROOM, ROOM);
    }
    for (int i = 0; i < 3 * ROOM; i++) {
        assert_int_equal(pread(fd, in, LEN, (off_t) i * LEN), LEN);
        assert_memory_equal(in, out[i], LEN);
    }
}

static void results_are_those_of_the_calls(void **state)
{
    struct os_ring_op op;
    int64_t result = 0;

    (void) state;
    if (!ring)
        skip();
    push(3 * ROOM - 1);
    collect(3 * ROOM - 1, 1);
    op = (struct os_ring_op) { fd, false, in, LEN, sizeof out - 10 };
    os_ring_push(ring, &op, in);
    assert_int_equal(os_ring_go(ring), 0);
    assert_ptr_equal(os_ring_pop(ring, &result), in);
    assert_int_equal(result, 10);
    assert_memory_equal(in, out[3 * ROOM - 1], 10);
    op.fd = -1;
    os_ring_push(ring, &op, in);
    assert_int_equal(os_ring_go(ring), 0);
    assert_ptr_equal(os_ring_pop(ring, &result), in);
    assert_int_equal(result, -EBADF);
    assert_null(os_ring_pop(ring, &result));
}

static void what_is_not_given_is_taken_back(void **state)
{
    (void) state;
    if (!ring)
        skip();
    for (int i = 0; i < 3; i++)
        push(i);
    assert_ptr_equal(os_ring_take_back(ring), out[2]);
    assert_ptr_equal(os_ring_take_back(ring), out[1]);
    collect(0, 1);
    assert_null(os_ring_take_back(ring));
    assert_int_equal(pread(fd, in, LEN, LEN - 1), LEN);
    assert_int_equal(in[0], out[0][0]);
    assert_int_equal(in[1], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(full_and_around, open_both, close_both),
        cmocka_unit_test_setup_teardown(results_are_those_of_the_calls, open_both, close_both),
        cmocka_unit_test_setup_teardown(what_is_not_given_is_taken_back, open_both, close_both),
    };

    return UNIT_RUN(tests);
}
