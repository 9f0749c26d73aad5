/* memory_test.c — memory that the launcher passes to ranks: the PMI server alone, and the client
 * with the server behind a socket, which passes the descriptor or does not. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "platform/os.h"
#include "pm/server/pm_server.h"
#include "pm/pmi/pmi_calls.h"
#include "pm/pmi/pmi_impl.h"

enum { RANKS = 3, MEMORIES = 64, TIME_LIMIT_S = 40 };

/* What becomes of a reply with a descriptor. */
enum way { PASSED, TORN, REFUSED, BYTES_ALONE, WRONG_REPLY, OLD_SERVER };

static struct pm_server *server;
static struct pm_server_job *ranks;
static int connection = -1; /* to the client; -1: the test itself is the ranks */
static pthread_t thread;
static enum way way;
static char reply[4096]; /* the last one, without a connection */
static int passed = -1;  /* a duplicate of the descriptor that was passed last, likewise */

static void on_send(void *owner, int rank, const char *bytes, size_t len)
{
    (void) owner, (void) rank;
    if (connection >= 0)
        assert_int_equal(send(connection, bytes, len, MSG_NOSIGNAL), len);
    else
        (void) snprintf(reply, sizeof reply, "%.*s", (int) len, bytes);
}

static int fd_of[MEMORIES]; /* of each number; 0: none */

/* What a node does. */
static int memory_made(int number)
{
    assert_true(number >= 0 && number < MEMORIES);
    if (!fd_of[number])
        fd_of[number] = os_memfd_empty("test");
    assert_true(fd_of[number] > 0);
    return fd_of[number];
}

static void on_forget(void *owner, int number)
{
    (void) owner;
    if (fd_of[number])
        (void) close(fd_of[number]);
    fd_of[number] = 0;
}

static void on_share(void *owner, int rank, int number, const char *line, const char *otherwise)
{
    static const char wrong[] = "cmd=put_result rc=0\n";

    if (way == REFUSED || (number == PMI_CALLS && (way == WRONG_REPLY || connection < 0))) {
        on_send(owner, rank, otherwise, strlen(otherwise));
        return;
    }
    int fd = number == PMI_CALLS ? os_memfd_empty("test") : memory_made(number);
    if (connection < 0) {
        if (passed >= 0)
            (void) close(passed);
        assert_true((passed = dup(fd)) >= 0);
    } else if (way == WRONG_REPLY) {
        assert_true(os_send_passing(connection, wrong, sizeof wrong - 1, fd) > 0);
        return;
    } else if (way != BYTES_ALONE) {
        assert_int_equal(os_send_passing(connection, line, 1, fd), 1);
        if (way == TORN)
            os_sleep_ns(5000000);
        line++;
    }
    if (number == PMI_CALLS)
        (void) close(fd);
    on_send(owner, rank, line, strlen(line));
}

static void on_end(void *owner, int rank, int code, const char *why)
{
    (void) owner, (void) code;
    fail_msg("rank %d: %s", rank, why);
}

static void on_words(void *owner, int rank, const char *what) { on_end(owner, rank, 0, what); }
static void on_warning(void *owner, int rank, const char *what)
{
    (void) owner, (void) rank, (void) what;
}

static void create(void)
{
    static const int appnum[RANKS], node[RANKS];
    const struct pm_server_config config = {
        .size = RANKS, .appnum = appnum, .node = node, .name = "job"
    };
    const struct pm_events events = { .send = on_send,
                                      .share = way == OLD_SERVER ? NULL : on_share,
                                      .forget = on_forget,
                                      .abort = on_end,
                                      .broken = on_words,
                                      .warn = on_warning };

    assert_non_null(server = pm_server_create(-1));
    assert_non_null(ranks = pm_server_add_job(server, &config, &events));
}

static int open_files(void)
{
    int n = 0;

    for (int fd = 0; fd < 256; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

/* ---- the server ------------------------------------------------------------------------------ */

#define INIT "cmd=init pmi_version=1 pmi_subversion=1\n"

static const char *request(int rank, const char *line)
{
    reply[0] = '\0';
    pm_server_input(ranks, rank, line, strlen(line));
    return reply;
}

/* The inode of the memory that a rank gets for this key, the same for all descriptors of it; 0:
 * none. */
static uint64_t memory_of(int rank, const char *kvs, const char *node)
{
    char line[200];
    struct stat st;

    (void) snprintf(line, sizeof line, "cmd=get kvsname=%s key=STARLING_memory_%s\n", kvs, node);
    if (!strcmp(request(rank, line), "cmd=get_result rc=1 msg=no_memory value=unknown\n"))
        return 0;
    assert_string_equal(reply, "cmd=get_result rc=0 msg=success value=passed\n");
    assert_true(passed >= 0 && !fstat(passed, &st));
    assert_int_equal(st.st_size, 0);
    assert_int_equal(fcntl(passed, F_GET_SEALS), 0);
    return st.st_ino;
}

static void one_memory_for_a_node(void **state)
{
    int before = open_files();

    (void) state;
    way = PASSED;
    create();
    assert_string_equal(request(0, "cmd=get kvsname=job key=STARLING_memory_1\n"),
                        "cmd=get_result rc=1 msg=not_initialized\n");
    for (int i = 0; i < RANKS; i++)
        (void) request(i, INIT);
    way = REFUSED;
    assert_int_equal(memory_of(0, "job", "1"), 0);
    way = PASSED;
    uint64_t first = memory_of(0, "job", "1"), other = memory_of(2, "job", "2");
    assert_true(first && other && other != first);
    assert_int_equal(memory_of(0, "job", "1"), first); /* it may ask twice */
    assert_int_equal(memory_of(1, "job", "1"), first);
    assert_true(memory_of(2, "job", "") != 0);
    assert_int_equal(memory_of(2, "job", "3"), 0); /* one for each rank is enough */
    assert_int_equal(memory_of(0, "job", "1"), first);
    assert_string_equal(request(1, "cmd=put kvsname=job key=STARLING_memory_1 value=x\n"),
                        "cmd=put_result rc=1 msg=reserved_key\n");
    (void) request(0, "cmd=finalize\n" INIT); /* the next program */
    assert_true(memory_of(0, "job_1", "1") != first);
    for (int i = 1; i < RANKS; i++)
        (void) request(i, "cmd=finalize\n");
    assert_int_equal(open_files(), before + 2); /* ours, and that of the next program */
    pm_server_destroy(server);
    (void) close(passed);
    passed = -1;
    assert_int_equal(open_files(), before);
}

/* ---- the client ------------------------------------------------------------------------------ */

static void *serve(void *arg)
{
    char bytes[2048];
    ssize_t n;

    while ((n = read(connection, bytes, sizeof bytes)) > 0)
        pm_server_input(ranks, 1, bytes, (size_t) n);
    return arg;
}

/* Joins as rank 1, with a server that does this to descriptors. */
static void join(enum way what)
{
    struct pmi_job job;
    char text[16];
    int ends[2];

    way = what;
    create();
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    connection = ends[0];
    (void) snprintf(text, sizeof text, "%d", ends[1]);
    (void) setenv("PMI_FD", text, 1);
    (void) setenv("PMI_RANK", "1", 1);
    (void) setenv("PMI_SIZE", "3", 1);
    assert_int_equal(pthread_create(&thread, NULL, serve, NULL), 0);
    assert_int_equal(pmi_init(&job), 0);
}

static void leave(void)
{
    (void) close(pmi_fd());
    pthread_join(thread, NULL);
    (void) close(connection);
    connection = -1;
    pm_server_destroy(server);
    pmi_client = (struct pmi_client) { .fd = -1, .calls = -1 };
}

/* The memory of pmi_calls.h comes with the reply to init. */
static void take_calls(bool comes)
{
    int fd = pmi_calls_take();

    assert_int_equal(fd >= 0, comes);
    if (fd >= 0) {
        assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
        assert_int_equal(os_memfd_seal(fd, 4096), 0);
        (void) close(fd);
    }
    assert_int_equal(pmi_calls_take(), -ENOENT);
}

/* Asks twice: the result, which is the same both times. */
static int ask(enum way what)
{
    int first = -1, second = -1, before = open_files();
    char settings[16];
    struct stat a, b;

    join(what);
    take_calls(what == PASSED || what == TORN);
    assert_int_equal(pmi_settings(settings, sizeof settings), 0);
    int err = pmi_memory(7, &first);
    assert_int_equal(pmi_memory(7, &second), err);
    leave();
    if (!err) {
        assert_int_equal(fcntl(first, F_GETFD), FD_CLOEXEC);
        assert_true(first != second && !fstat(first, &a) && !fstat(second, &b));
        assert_int_equal(a.st_ino, b.st_ino);
        (void) close(first), (void) close(second);
        first = second = -1;
    }
    assert_true(first == -1 && second == -1);
    assert_int_equal(open_files(), before);
    return err;
}

static void client_gets_it(void **state)
{
    (void) state;
    assert_int_equal(ask(PASSED), 0);
    assert_int_equal(ask(TORN), 0);
}

static void client_does_without(void **state)
{
    (void) state;
    assert_int_equal(ask(REFUSED), -ENOENT);
    assert_int_equal(ask(BYTES_ALONE), -ENOENT);
    assert_int_equal(ask(OLD_SERVER), -ENOENT);
    assert_int_equal(ask(WRONG_REPLY), -EPROTO);
}

/* Nothing is sent to a launcher that has not said that it is ours. */
static void others_are_not_asked(void **state)
{
    int fd = -1;

    (void) state;
    assert_int_equal(pmi_memory(7, &fd), -ENOTCONN);
    join(WRONG_REPLY);
    assert_int_equal(pmi_memory(7, &fd), -ENOENT);
    leave();
    assert_int_equal(fd, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_memory_for_a_node),
        cmocka_unit_test(client_gets_it),
        cmocka_unit_test(client_does_without),
        cmocka_unit_test(others_are_not_asked),
    };

    alarm(TIME_LIMIT_S); /* a hang is a failure */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
