/* share_socket.c — descriptors are passed at the share socket to processes that know its name and a
 * number: not for another number, not after it was withdrawn, not to another user, and whatever
 * other callers do or do not send. Nothing is left open. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "fake.h"
#include "held.h"

enum { SILENT = 16, CROWD = 200, ROUNDS = 200 };

static int before, memory; /* descriptors; what is exposed */
static uint64_t number;

static int setup(void **state)
{
    (void) state;
    before = held_fds();
    memory = os_memfd("unit-door", 4096);
    assert_true(memory >= 0);
    assert_int_equal(share_socket_name(), 0);
    assert_int_equal(share_socket_fd(), -1);
    assert_false(share_socket_poll());
    assert_int_equal(share_socket_add(memory, &number), 0);
    return 0;
}

static int teardown(void **state)
{
    (void) state;
    share_socket_close();
    (void) close(memory);
    assert_int_equal(held_fds(), before);
    return 0;
}

static void text_of(char name[NODE_NAME], uint64_t share_socket)
{
    (void) strcpy(name, "starling-share-");
    node_write_hex(name + strlen(name), share_socket);
}

/* A caller that has connected and sent nothing. */
static int silent(void)
{
    char name[NODE_NAME];

    text_of(name, share_socket_name());
    int s = os_abstract_try(name);
    assert_true(s >= 0);
    return s;
}

static bool same_file(int a, int b)
{
    struct stat x, y;

    return !fstat(a, &x) && !fstat(b, &y) && x.st_ino == y.st_ino && x.st_dev == y.st_dev;
}

static void answered(int s)
{
    int fd = share_socket_receive(s);

    assert_true(fd >= 0 && fd != memory);
    assert_true(same_file(fd, memory));
    assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
    (void) close(fd);
}

static int ask(uint64_t n)
{
    int s = share_socket_request(share_socket_name(), n);

    assert_true(s >= 0);
    return s;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void for_its_number(void **state)
{
    int s = ask(number);

    (void) state;
    assert_int_equal(share_socket_receive(s), -EAGAIN); /* and s stays open */
    assert_true(share_socket_poll());
    assert_false(share_socket_poll());
    answered(s);
}

static void for_no_other_number(void **state)
{
    (void) state;
    for (int bit = 0; bit < 64; bit++) {
        int s = ask(number ^ 1ull << bit);
        assert_true(share_socket_poll());
        assert_int_equal(share_socket_receive(s), -ECONNRESET);
    }
}

static void each_of_several(void **state)
{
    int other = os_memfd("unit-door", 8192);
    uint64_t its_number, share_socket = share_socket_name();

    (void) state;
    assert_int_equal(share_socket_add(other, &its_number), 0);
    assert_true(its_number != number && share_socket_name() == share_socket);
    int a = ask(its_number), b = ask(number);
    assert_true(share_socket_poll());
    int fd = share_socket_receive(a);
    assert_true(same_file(fd, other));
    (void) close(fd);
    answered(b);
    share_socket_remove(its_number);
    a = ask(its_number), b = ask(number);
    assert_true(share_socket_poll());
    assert_int_equal(share_socket_receive(a), -ECONNRESET);
    answered(b);
    (void) close(other);
}

static void withdrawn_meanwhile(void **state)
{
    int s = ask(number);

    (void) state;
    share_socket_remove(number); /* the last one: the share socket is closed */
    assert_int_equal(share_socket_name(), 0);
    assert_false(share_socket_poll());
    assert_int_equal(share_socket_receive(s), -ECONNRESET);
    share_socket_remove(number); /* which is no more */
}

/* Its process has closed the share socket after the caller has come in, or before. */
static void no_such_socket(void **state)
{
    uint64_t share_socket = share_socket_name();
    int s = ask(number), waits = silent();
    char name[NODE_NAME];

    (void) state;
    text_of(name, share_socket);
    assert_int_equal(held_names(name), 3); /* the listener, and two ends that it has not accepted */
    share_socket_close();
    assert_int_equal(held_names(name), 0);
    assert_int_equal(share_socket_name(), 0);
    assert_int_equal(share_socket_receive(s), -ECONNRESET);
    assert_int_equal(share_socket_request(share_socket, number), -ECONNREFUSED);
    assert_int_equal(share_socket_request(0, number), -ECONNREFUSED);
    (void) close(waits);
    assert_int_equal(share_socket_add(memory, &number), 0); /* it opens again, under another name */
    assert_true(share_socket_name() != share_socket);
    s = ask(number);
    assert_true(share_socket_poll());
    answered(s);
}

/* ---- callers --------------------------------------------------------------------------------- */

/* All of them have sent their numbers before the share socket is looked at, as processes of a large
 * job do that ask the one process of another. */
static void a_crowd_at_once(void **state)
{
    int s[CROWD];

    (void) state;
    for (int i = 0; i < CROWD; i++)
        s[i] = ask(number);
    while (share_socket_poll())
        ;
    for (int i = 0; i < CROWD; i++)
        answered(s[i]);
}

static void silent_callers_keep_nobody_out(void **state)
{
    int quiet[2 * SILENT], s[CROWD];

    (void) state;
    for (int i = 0; i < 2 * SILENT; i++)
        quiet[i] = silent();
    for (int i = 0; i < CROWD; i++)
        s[i] = ask(number);
    while (share_socket_poll())
        ;
    for (int i = 0; i < CROWD; i++)
        answered(s[i]);
    for (int i = 0; i < 2 * SILENT; i++)
        assert_int_equal(share_socket_receive(quiet[i]), i < SILENT ? -ECONNRESET : -EAGAIN);
    for (int i = SILENT; i < 2 * SILENT; i++)
        (void) close(quiet[i]);
    assert_true(share_socket_poll()); /* they have gone */
}

/* This process can have no more descriptors until it calls this again with false. */
static void descriptors_used_up(bool used_up)
{
    static struct rlimit before_that;
    struct rlimit now;

    if (!used_up) {
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &before_that), 0);
        return;
    }
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before_that), 0);
    int lowest = dup(memory);
    assert_true(lowest >= 0);
    (void) close(lowest);
    now = before_that;
    now.rlim_cur = (rlim_t) lowest;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &now), 0);
    assert_int_equal(dup(memory), -1);
}

/* The spare one serves a caller after the other; one that is silent is closed. */
static void without_descriptors(void **state)
{
    int a = ask(number), quiet = silent(), b = ask(number);

    (void) state;
    descriptors_used_up(true);
    assert_true(share_socket_poll());
    assert_false(share_socket_poll());
    descriptors_used_up(false);
    answered(a);
    answered(b);
    assert_int_equal(share_socket_receive(quiet), -ECONNRESET);
    a = ask(number); /* the spare one is there again */
    descriptors_used_up(true);
    assert_true(share_socket_poll());
    assert_int_equal(share_socket_request(share_socket_name(), number), -EMFILE);
    assert_int_equal(share_socket_receive(a), -EMFILE);
    descriptors_used_up(false);
}

/* The caller that is silent for longest leaves first: one that is only slow is served. */
static void the_oldest_leaves(void **state)
{
    int quiet[2 * SILENT], slow;

    (void) state;
    for (int i = 0; i < SILENT; i++)
        quiet[i] = silent();
    assert_true(share_socket_poll());
    slow = silent();
    assert_true(share_socket_poll());
    for (int i = SILENT; i < 2 * SILENT - 1; i++) {
        quiet[i] = silent();
        assert_true(share_socket_poll());
    }
    assert_int_equal(os_word_send(slow, number), 0);
    assert_true(share_socket_poll());
    answered(slow);
    for (int i = 0; i < 2 * SILENT - 1; i++)
        (void) close(quiet[i]);
}

static void half_a_number(void **state)
{
    int torn = silent(), s = ask(number);

    (void) state;
    assert_int_equal(os_send_some(torn, &number, 4), 4);
    assert_true(share_socket_poll());
    answered(s);
    assert_int_equal(share_socket_receive(torn), -ECONNRESET);
}

static void goes_away(void *arg)
{
    uint64_t share_socket = share_socket_name();
    char name[NODE_NAME];

    text_of(name, share_socket);
    if (*(int *) arg % 2)
        CHECK(os_abstract_try(name) >= 0);
    else
        CHECK(share_socket_request(share_socket, number) >= 0);
}

/* The process of a caller ends before it has sent its number, or before it takes the answer. */
static void callers_die(void **state)
{
    (void) state;
    for (int i = 0; i < 40; i++) {
        int fds = held_fds();
        pid_t child = unit_fork(goes_away, &i);
        if (i / 2 % 2)
            while (!share_socket_poll())
                os_yield();
        assert_true(unit_ended_well(child));
        while (share_socket_poll())
            ;
        assert_int_equal(held_fds(), fds);
    }
    int s = ask(number);
    assert_true(share_socket_poll());
    answered(s);
}

static void of_another_user(void *arg)
{
    uint64_t share_socket = share_socket_name();
    int s = silent();

    CHECK(!seteuid(*(uid_t *) arg));
    CHECK(share_socket_request(share_socket, number) == -EACCES);
    (void) close(s);
    s = silent();                           /* that does not care whose share socket it is */
    int sent = os_word_send(s, number), fd; /* the share socket may have closed already */
    CHECK(!sent || sent == -ECONNRESET || sent == -EPIPE);
    while ((fd = share_socket_receive(s)) == -EAGAIN)
        os_yield();
    CHECK(fd == -ECONNRESET || fd == -EPIPE);
}

static void not_for_another_user(void **state)
{
    uid_t nobody = 65534;

    (void) state;
    if (geteuid() != 0)
        skip();
    pid_t child = unit_fork(of_another_user, &nobody);
    int status = -1;
    while (waitpid(child, &status, WNOHANG) == 0)
        if (!share_socket_poll())
            os_yield();
    assert_int_equal(status, 0);
    while (share_socket_poll())
        ;
}

/* ---- two share sockets ----------------------------------------------------------------------- */

struct meeting { /* in memory that two processes share */
    _Atomic uint64_t share_socket[2], number[2];
    _Atomic int round[2];
};

/* One round: exposes memory with a stamp, asks the other, and serves meanwhile. */
static void meet(struct meeting *m, int me, int round)
{
    int fd = os_memfd("unit-door", 4096), s, theirs;
    uint64_t mine, stamp = 0;

    CHECK(fd >= 0 && pwrite(fd, &(uint64_t) { (uint64_t) round * 2 + (unsigned) me }, 8, 0) == 8);
    CHECK(!share_socket_add(fd, &mine));
    m->number[me] = mine;
    m->share_socket[me] = share_socket_name();
    m->round[me] = 2 * round + 1;
    while (m->round[!me] < 2 * round + 1)
        os_yield();
    while ((s = share_socket_request(m->share_socket[!me], m->number[!me])) == -EAGAIN)
        (void) share_socket_poll();
    CHECK(s >= 0);
    while ((theirs = share_socket_receive(s)) == -EAGAIN)
        if (!share_socket_poll())
            os_yield();
    CHECK(theirs >= 0 && pread(theirs, &stamp, 8, 0) == 8);
    CHECK(stamp == (uint64_t) round * 2 + (unsigned) !me);
    m->round[me] = 2 * round + 2;
    while (m->round[!me] < 2 * round + 2)
        if (!share_socket_poll())
            os_yield();
    share_socket_remove(mine);
    (void) close(fd), (void) close(theirs);
}

static void other_side(void *arg)
{
    share_socket_close(); /* the parent's */
    for (int i = 0; i < ROUNDS; i++) {
        meet(arg, 1, i);
        if (i % 10 == 9)
            share_socket_close();
    }
}

static void two_ask_each_other(void **state)
{
    struct meeting *m = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    (void) state;
    assert_true(m != MAP_FAILED);
    pid_t child = unit_fork(other_side, m);
    for (int i = 0; i < ROUNDS; i++)
        meet(m, 0, i);
    assert_true(unit_ended_well(child));
    (void) munmap(m, 4096);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(for_its_number),      TEST(for_no_other_number), TEST(each_of_several),
        TEST(withdrawn_meanwhile), TEST(no_such_socket),      TEST(a_crowd_at_once),
        TEST(the_oldest_leaves),   TEST(half_a_number),       TEST(silent_callers_keep_nobody_out),
        TEST(without_descriptors), TEST(callers_die),         TEST(not_for_another_user),
        TEST(two_ask_each_other),
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
