/* lists_test.c — all values of a prefix: the PMI client asks the server, both of this process. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>
#include "pm/pmi/pmi.h"
#include "pm/server/pm_server.h"

static struct pm_server_job *job;
static int end[2]; /* of the connection: of the client, of the server */
static bool whole; /* the server has no pages */
static int gets;

static void on_send(void *owner, int rank, const char *bytes, size_t len)
{
    (void) owner, (void) rank;
    while (len) {
        ssize_t n = send(end[1], bytes, len, MSG_NOSIGNAL);
        if (n < 0)
            break;
        bytes += n;
        len -= (size_t) n;
    }
}

/* Requests come one at a time. */
static void *serve(void *arg)
{
    char line[2048];
    ssize_t n;

    while ((n = read(end[1], line, sizeof line - 1)) > 0) {
        line[n] = '\0';
        gets += !strncmp(line, "cmd=get kvs", 11);
        char *page = strstr(line, "STARLING_page_");
        if (page && whole)
            memcpy(page, "OTHER", 5);
        pm_server_input(job, 0, line, (size_t) n);
    }
    return arg;
}

static void on_event(void *owner, int rank, const char *what)
{
    (void) owner, (void) rank, (void) what;
}

static struct pm_server *server;
static pthread_t thread;

/* A client that has joined. */
static int setup(void **state)
{
    static const int zero;
    const struct pm_server_config config = {
        .size = 1, .appnum = &zero, .node = &zero, .name = "job", .settings = ""
    };
    const struct pm_events events = { .send = on_send, .broken = on_event, .warn = on_event };
    struct pmi_job joined;
    char text[64];

    (void) state;
    assert_non_null(server = pm_server_create(-1));
    assert_non_null(job = pm_server_add_job(server, &config, &events));
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, end), 0);
    (void) snprintf(text, sizeof text, "%d", end[0]);
    setenv("PMI_FD", text, 1);
    setenv("PMI_RANK", "0", 1);
    setenv("PMI_SIZE", "2", 1);
    assert_int_equal(pthread_create(&thread, NULL, serve, NULL), 0);
    assert_int_equal(pmi_init(&joined), 0);
    assert_int_equal(pmi_settings(text, sizeof text), 0);
    return 0;
}

static int teardown(void **state)
{
    (void) state;
    assert_int_equal(pmi_finalize(), 0);
    (void) shutdown(end[1], SHUT_RDWR);
    pthread_join(thread, NULL);
    (void) close(end[1]);
    pm_server_destroy(server);
    return 0;
}

/* Values of 800 bytes, which are told by their number. */
static void put_values(const char *prefix, int count)
{
    char key[16], value[801];

    memset(value, '.', 800);
    value[800] = '\0';
    for (int i = 0; i < count; i++) {
        (void) snprintf(key, sizeof key, "%s%d", prefix, i);
        value[snprintf(value, 8, "%d", i)] = '.';
        assert_int_equal(pmi_put(key, value), 0);
    }
}

static void check_values(const char *text, int count)
{
    bool seen[1000] = { false };

    assert_int_equal(strlen(text), 801 * (size_t) count);
    for (; *text; text += 801) {
        long i = strtol(text, NULL, 10);
        assert_true(i >= 0 && i < count && !seen[i] && text[800] == ';');
        seen[i] = true;
    }
}

static void take_values(const char *prefix, int count, int requests)
{
    char *text;

    put_values(prefix, count);
    gets = 0;
    assert_int_equal(pmi_all(prefix, &text), 0);
    check_values(text, count);
    assert_int_equal(gets, requests);
    free(text);
}

static void few_values_are_one_request(void **state)
{
    (void) state;
    take_values("none-", 0, 1);
    take_values("few-", 70, 1);
}

static void many_values_are_in_pages(void **state)
{
    (void) state;
    take_values("many-", 300, 2 + 300 * 801 / 59999);
}

static void a_prefix_without_room_in_a_key(void **state)
{
    char *text = "";

    (void) state;
    assert_int_equal(pmi_all("a-prefix-that-has-no-room-behind-the-name-of-the-key", &text),
                     -EMSGSIZE);
    assert_non_null(strstr(pmi_error_text(), "a-prefix-that"));
    assert_null(text);
}

static void a_server_without_pages(void **state)
{
    char *text = "";

    (void) state;
    whole = true;
    put_values("old-", 100);
    assert_int_equal(pmi_all("old-", &text), -ENOENT);
    assert_null(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_values_are_one_request),
        cmocka_unit_test(many_values_are_in_pages),
        cmocka_unit_test(a_prefix_without_room_in_a_key),
        cmocka_unit_test(a_server_without_pages),
    };

    alarm(40); /* a hang is a failure */
    return cmocka_run_group_tests(tests, setup, teardown);
}
