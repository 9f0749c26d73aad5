/* os_local.c — abstract sockets: credentials of the peer, sent descriptors, pokes, and names
 * that vanish with their process. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include "platform/os.h"
#include "unit.h"

static char name[64];

static const char *new_name(void)
{
    static int n;

    (void) snprintf(name, sizeof name, "starling-unit-%d-%d", (int) getpid(), n++);
    return name;
}

static bool readable(int fd, int timeout_ms)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };

    return poll(&p, 1, timeout_ms) == 1;
}

/* ---- streams --------------------------------------------------------------------------------- */

static void connects(void *arg)
{
    int s = os_abstract_connect(arg);

    CHECK(s >= 0 && fcntl(s, F_GETFD) == FD_CLOEXEC);
    int fd = os_fd_receive(s);
    CHECK(fd >= 0 && fcntl(fd, F_GETFD) == FD_CLOEXEC);
    char *mem = os_map(fd, 4096);
    CHECK(mem && !strcmp(mem, "shared"));
    memcpy(mem, "SHARED", 7);
}

static void hands_over_a_segment(void **state)
{
    struct os_cred cred = { 0, 0 };
    int listener = os_abstract_listen(new_name()), segment = os_memfd("unit", 4096);
    char *mem = os_map(segment, 4096);

    (void) state;
    assert_true(listener >= 0 && mem);
    assert_int_equal(fcntl(listener, F_GETFD), FD_CLOEXEC);
    assert_int_equal(os_accept(listener), -EAGAIN); /* no connection waits; returns at once */
    memcpy(mem, "shared", 7);
    pid_t child = unit_fork(connects, name);
    assert_true(readable(listener, 5000));
    int s = os_accept(listener);
    assert_true(s >= 0);
    assert_int_equal(fcntl(s, F_GETFD), FD_CLOEXEC);
    assert_int_equal(os_peer_cred(s, &cred), 0);
    assert_int_equal(cred.pid, child);
    assert_int_equal(cred.uid, geteuid());
    assert_int_equal(os_fd_send(s, segment), 0);
    assert_true(unit_ended_well(child));
    assert_string_equal(mem, "SHARED");
    os_unmap(mem, 4096);
    (void) close(s), (void) close(listener), (void) close(segment);
}

static void one_listener_per_name(void **state)
{
    int listener = os_abstract_listen(new_name());

    (void) state;
    assert_true(listener >= 0);
    assert_int_equal(os_abstract_listen(name), -EADDRINUSE);
    (void) close(listener);
    listener = os_abstract_listen(name); /* the name was freed with its socket */
    assert_true(listener >= 0);
    (void) close(listener);
}

static int ready[2];

static void listens(void *arg)
{
    CHECK(os_abstract_listen(arg) >= 0);
    CHECK(os_abstract_listen(arg) == -EADDRINUSE);
    CHECK(write(ready[1], "", 1) == 1);
    for (;;)
        (void) pause();
}

static void name_ends_with_its_process(void **state)
{
    char c;

    (void) state;
    assert_int_equal(pipe(ready), 0);
    pid_t child = unit_fork(listens, (void *) (uintptr_t) new_name());
    assert_int_equal(read(ready[0], &c, 1), 1);
    assert_int_equal(os_abstract_listen(name), -EADDRINUSE);
    unit_kill(child);
    int fd = os_abstract_listen(name);
    assert_true(fd >= 0);
    (void) close(fd), (void) close(ready[0]), (void) close(ready[1]);
}

/* os_abstract_connect() waits for a listener that starts later. */
static void starts_late(void *arg)
{
    os_sleep_ns(50000000); /* starts late */
    int listener = os_abstract_listen(arg);
    CHECK(listener >= 0 && readable(listener, 5000) && os_accept(listener) >= 0);
}

static void waits_for_a_listener(void **state)
{
    (void) state;
    pid_t child = unit_fork(starts_late, (void *) (uintptr_t) new_name());
    int s = os_abstract_connect(name);
    assert_true(s >= 0);
    assert_true(unit_ended_well(child));
    (void) close(s);
}

/* ---- messages without a descriptor ----------------------------------------------------------- */

static void other_end_is_wrong(void **state)
{
    int s[2];

    (void) state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
    assert_int_equal(write(s[0], "x", 1), 1);
    assert_true(os_fd_receive(s[1]) < 0); /* a byte without a descriptor */
    assert_int_equal(os_fd_send(s[0], 9999), -EBADF);
    (void) close(s[0]);
    assert_int_equal(os_fd_receive(s[1]), -ECONNRESET); /* the other end has closed */
    assert_int_equal(os_fd_send(s[1], s[1]), -EPIPE);   /* no SIGPIPE */
    (void) close(s[1]);
}

static void nothing(int signal) { (void) signal; }

static void sends_after_a_signal(void *arg)
{
    const int *s = arg;

    for (int i = 0; i < 50; i++) {
        CHECK(!kill(getppid(), SIGUSR1));
        os_sleep_ns(1000000);
    }
    CHECK(!os_fd_send(s[0], s[0]));
}

/* A signal of the application, such as that of a timer, does not end the wait. */
static void signals_do_not_disturb(void **state)
{
    const struct sigaction quiet = { .sa_handler = nothing };
    struct sigaction old;
    int s[2];

    (void) state;
    assert_int_equal(sigaction(SIGUSR1, &quiet, &old), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
    pid_t child = unit_fork(sends_after_a_signal, s);
    int fd = os_fd_receive(s[1]);
    assert_true(unit_ended_well(child));
    (void) sigaction(SIGUSR1, &old, NULL);
    (void) close(s[0]), (void) close(s[1]);
    assert_true(fd >= 0);
    (void) close(fd);
}

/* ---- pokes ----------------------------------------------------------------------------------- */

static const uint64_t WORD = 0x0123456789abcdef;

static void pokes(void *arg)
{
    char mine[80];

    (void) snprintf(mine, sizeof mine, "%s.2", (char *) arg);
    int fd = os_abstract_datagram(mine, 0);
    CHECK(fd >= 0);
    os_abstract_poke(fd, arg, WORD);
}

static void a_poke_wakes(void **state)
{
    int fd = os_abstract_datagram(new_name(), WORD);
    char c[8];

    (void) state;
    assert_true(fd >= 0);
    assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
    assert_int_equal(read(fd, c, sizeof c), -1);
    assert_int_equal(errno, EAGAIN);
    pid_t child = unit_fork(pokes, name);
    assert_true(readable(fd, 5000));
    assert_int_equal(read(fd, c, sizeof c), sizeof c);
    assert_true(unit_ended_well(child));
    (void) close(fd);
}

/* Only a datagram with the word arrives; others do not wake the receiver. */
static void only_the_word_wakes(void **state)
{
    struct sockaddr_un a = { .sun_family = AF_UNIX };
    char target[64], bytes[16] = "";
    uint64_t got[2];

    (void) state;
    int fd = os_abstract_datagram(new_name(), WORD);
    memcpy(target, name, sizeof target);
    int from = os_abstract_datagram(new_name(), 0);
    assert_true(fd >= 0 && from >= 0);
    memcpy(a.sun_path + 1, target, strlen(target));
    socklen_t len = (socklen_t) (offsetof(struct sockaddr_un, sun_path) + 1 + strlen(target));
    memcpy(bytes, &WORD, sizeof WORD);
    for (size_t n = 0; n <= sizeof bytes; n++)
        if (n != sizeof WORD)
            assert_int_equal(sendto(from, bytes, n, 0, (struct sockaddr *) &a, len), n);
    for (int bit = 0; bit < 64; bit++)
        os_abstract_poke(from, target, WORD ^ 1ull << bit);
    assert_false(readable(fd, 0));
    os_abstract_poke(from, target, WORD);
    assert_int_equal(read(fd, got, sizeof got), sizeof WORD);
    assert_int_equal(got[0], WORD);
    assert_false(readable(fd, 0));
    (void) close(fd), (void) close(from);
}

/* A poke does not wait for a full queue, nor for a process that has ended. */
static void pokes_never_wait(void **state)
{
    int fd = os_abstract_datagram(new_name(), WORD);
    char target[64], c;
    uint64_t begin = os_time_ns();

    (void) state;
    memcpy(target, name, sizeof target);
    int from = os_abstract_datagram(new_name(), WORD);
    assert_true(fd >= 0 && from >= 0);
    for (int i = 0; i < 2000; i++)
        os_abstract_poke(from, target, WORD);
    assert_true(read(fd, &c, 1) >= 0);
    (void) close(fd);
    os_abstract_poke(from, target, WORD);
    (void) close(from);
    assert_true(os_time_ns() - begin < 2000000000u);
}

/* ---- descriptors in general ------------------------------------------------------------------ */

static void open_sockets(void **state)
{
    int s[2], p[2];

    (void) state;
    assert_true(!socketpair(AF_UNIX, SOCK_STREAM, 0, s) && !pipe(p));
    assert_true(os_is_open_socket(s[0]));
    assert_false(os_is_open_socket(p[0]));
    (void) close(s[0]);
    assert_false(os_is_open_socket(s[0]));
    assert_false(os_is_open_socket(-1));
    assert_int_equal(os_set_nonblocking(p[0]), 0);
    assert_true(fcntl(p[0], F_GETFL) & O_NONBLOCK);
    assert_int_equal(os_set_nonblocking(-1), -EBADF);
    (void) close(s[1]), (void) close(p[0]), (void) close(p[1]);
}

/* When the program has closed standard descriptors, no new descriptor gets their numbers: the
 * program may still write to them. */
static void closes_standard(void *arg)
{
    const char *stream = arg;
    char datagram[80];

    (void) snprintf(datagram, sizeof datagram, "%s.2", stream);
    for (int fd = 0; fd < 3; fd++)
        (void) close(fd);
    int listener = os_abstract_listen(stream), s = os_abstract_connect(stream);
    int accepted = os_accept(listener), segment = os_memfd("unit", 4096);
    CHECK(listener > 2 && s > 2 && accepted > 2 && segment > 2);
    CHECK(os_abstract_datagram(datagram, WORD) > 2 && os_epoll() > 2);
    CHECK(!os_fd_send(accepted, segment) && os_fd_receive(s) > 2);
}

static void standard_numbers_are_not_taken(void **state)
{
    (void) state;
    assert_true(unit_ended_well(unit_fork(closes_standard, (void *) (uintptr_t) new_name())));
}

/* ---- bytes with a descriptor ----------------------------------------------------------------- */

/* The number of open descriptors of this process. */
static int open_files(void)
{
    int n = 0;

    for (int fd = 0; fd < 256; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

/* Sends a byte with two descriptors. */
static void send_two(int s, int fd)
{
    char byte = 'x', space[CMSG_SPACE(2 * sizeof(int))] __attribute__((aligned(8))) = { 0 };
    struct iovec v = { &byte, 1 };
    struct msghdr m = {
        .msg_iov = &v, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space
    };
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    const int both[2] = { fd, fd };

    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof both);
    memcpy(CMSG_DATA(c), both, sizeof both);
    assert_int_equal(sendmsg(s, &m, 0), 1);
}

static void descriptors_come_with_bytes(void **state)
{
    int s[2], segment = os_memfd("unit", 4096), before, fd = -1;
    char text[8];

    (void) state;
    assert_true(segment >= 0 && !socketpair(AF_UNIX, SOCK_STREAM, 0, s));
    before = open_files();
    assert_int_equal(os_receive_passed(s[1], text, sizeof text, &fd), 0); /* nothing is there */
    assert_int_equal(os_send_passing(s[0], "abc", 3, segment), 3);
    assert_int_equal(os_receive_passed(s[1], text, 2, &fd), 2);
    assert_true(fd >= 0 && !memcmp(text, "ab", 2));
    assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
    assert_int_equal(os_sealed_len(fd), 4096);
    (void) close(fd), fd = -1;
    assert_int_equal(os_receive_passed(s[1], text, sizeof text, &fd), 1);
    assert_int_equal(fd, -1);
    send_two(s[0], segment);
    assert_int_equal(os_receive_passed(s[1], text, sizeof text, &fd), 1);
    assert_int_equal(open_files(), before + 1); /* the second one is closed */
    (void) close(fd), fd = -1;
    assert_int_equal(os_send_passing(s[0], "abc", 3, segment), 3);
    assert_int_equal(os_receive_some(s[1], text, sizeof text), 3); /* nobody wants it */
    assert_int_equal(open_files(), before);
    (void) close(s[0]);
    assert_int_equal(os_receive_passed(s[1], text, sizeof text, &fd), -ECONNRESET);
    assert_int_equal(os_send_passing(s[1], "abc", 3, segment), -EPIPE);
    (void) close(s[1]), (void) close(segment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hands_over_a_segment),
        cmocka_unit_test(one_listener_per_name),
        cmocka_unit_test(name_ends_with_its_process),
        cmocka_unit_test(waits_for_a_listener),
        cmocka_unit_test(other_end_is_wrong),
        cmocka_unit_test(signals_do_not_disturb),
        cmocka_unit_test(a_poke_wakes),
        cmocka_unit_test(only_the_word_wakes),
        cmocka_unit_test(pokes_never_wait),
        cmocka_unit_test(open_sockets),
        cmocka_unit_test(standard_numbers_are_not_taken),
        cmocka_unit_test(descriptors_come_with_bytes),
    };

    return UNIT_RUN(tests);
}
