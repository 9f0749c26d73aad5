/* names_test.c — names by PMI-1, with answers of servers that differ. */
#include <errno.h>
#include <poll.h>
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
#include "pm/pmi/pmi_impl.h"

static int launcher = -1;

static const char *request(void)
{
    static char line[2048];
    ssize_t n = recv(launcher, line, sizeof line - 1, MSG_DONTWAIT);

    line[n > 0 ? n : 0] = '\0';
    return line;
}

static int set_up(void **state)
{
    int fd[2];

    (void) state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    launcher = fd[0];
    pmi_client = (struct pmi_client) { .fd = fd[1],
                                       .calls = -1,
                                       .state = PMI_JOINED,
                                       .reply_timeout_ms = 1000,
                                       .launcher = "PMI_FD=7",
                                       .kvs = "kvs" };
    return 0;
}

static int tear_down(void **state)
{
    (void) state;
    (void) close(launcher);
    (void) close(pmi_client.fd);
    return 0;
}

/* The client refuses what comes before it asks: so each answer is sent by another process. */
static void answer_later(const char *answer)
{
    if (!fork()) {
        (void) poll(NULL, 0, 50);
        (void) !write(launcher, answer, strlen(answer));
        _exit(0);
    }
}

static void of_all_servers(void **state)
{
    static const char *const done[] = { "cmd=publish_result info=ok rc=0 msg=success\n",
                                        "cmd=publish_result info=ok\n",
                                        "cmd=publish_result rc=0\n" },
                             *const refused[] = {
                                 "cmd=publish_result rc=1 msg=duplicate\n",
                                 "cmd=publish_result info=fail msg=duplicate\n",
                                 "cmd=publish_result info=ok rc=1 msg=duplicate\n",
                                 "cmd=publish_result msg=duplicate\n",
                             };

    (void) state;
    for (size_t i = 0; i < sizeof done / sizeof *done; i++) {
        answer_later(done[i]);
        assert_int_equal(pmi_publish("s", "p"), 0);
        assert_string_equal(request(), "cmd=publish_name service=s port=p\n");
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        answer_later(refused[i]);
        assert_int_equal(pmi_publish("s", "p"), -EEXIST);
        assert_non_null(strstr(pmi_error_text(), "the launcher (PMI_FD=7) refused it: duplicate"));
        (void) request();
    }
}

static void with_odd_bytes(void **state)
{
    char port[16];

    (void) state;
    answer_later("cmd=publish_result rc=0\n");
    assert_int_equal(pmi_publish("a b%\n", "\\;\xff"), 0);
    assert_string_equal(request(), "cmd=publish_name service=a%20b%25%0A port=%5C%3B%FF\n");
    answer_later("cmd=lookup_result port=%5C%3B%FF info=ok rc=0\n");
    assert_int_equal(pmi_lookup("a b", port, sizeof port), 0);
    assert_string_equal(port, "\\;\xff");
    assert_string_equal(request(), "cmd=lookup_name service=a%20b\n");
    answer_later("cmd=unpublish_result rc=1 msg=none\n");
    assert_int_equal(pmi_unpublish("a b"), -ENOENT);
    assert_string_equal(request(), "cmd=unpublish_name service=a%20b\n");
}

static void refuses_bad_answers(void **state)
{
    char port[4];

    (void) state;
    answer_later("cmd=lookup_result info=ok rc=0\n");
    assert_int_equal(pmi_lookup("s", port, sizeof port), -EPROTO);
    answer_later("cmd=lookup_result port=%zz rc=0\n");
    assert_int_equal(pmi_lookup("s", port, sizeof port), -EPROTO);
    answer_later("cmd=lookup_result port=abcd rc=0\n");
    assert_int_equal(pmi_lookup("s", port, sizeof port), -EMSGSIZE);
    answer_later("cmd=put_result rc=0\n");
    assert_int_equal(pmi_lookup("s", port, sizeof port), -EPROTO);
    assert_int_equal(pmi_lookup("s", port, sizeof port), -EPROTO); /* for good */
}

static void refuses_what_no_line_carries(void **state)
{
    char text[2000];

    (void) state;
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_int_equal(pmi_publish("", "p"), -EINVAL);
    assert_int_equal(pmi_publish(text, "p"), -EMSGSIZE);
    assert_int_equal(pmi_publish("s", text), -EMSGSIZE);
    assert_int_equal(pmi_lookup(text, text, sizeof text), -EMSGSIZE);
    text[900] = '\0';
    assert_int_equal(pmi_publish("s", text), -EMSGSIZE);
    assert_string_equal(request(), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(of_all_servers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(with_odd_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_bad_answers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_what_no_line_carries, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
