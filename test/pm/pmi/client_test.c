/* client_test.c — the PMI client with a server that answers by a script, correctly or not. */
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
#include <sys/time.h>
#include <unistd.h>
#include <cmocka.h>
#include "pm/pmi/pmi_impl.h"

enum { TIME_LIMIT_S = 40 };

#define INIT  "cmd=init pmi_version=1 pmi_subversion=1"
#define HELLO "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n"
#define NAME  "cmd=my_kvsname kvsname=kvs_1\n"

struct step { /* an expected request, and the bytes of the reply */
    const char *request, *answer;
    size_t len; /* 0: up to the NUL */
};

static struct server {
    pthread_t thread;
    int fd;
    const struct step *script;
    bool torn;        /* sends the reply byte by byte */
    char wrong[2048]; /* the first request that was not in the script */
} server;

static bool next_line(int fd, char *line, size_t len)
{
    for (size_t n = 0; n < len; n++) {
        if (read(fd, line + n, 1) != 1)
            return false;
        if (line[n] == '\n') {
            line[n] = '\0';
            return true;
        }
    }
    return false;
}

static void answer(const struct step *s)
{
    size_t len = s->len ? s->len : strlen(s->answer), piece = server.torn ? 1 : len;

    for (size_t at = 0; at < len; at += piece) {
        if (server.torn)
            usleep(200);
        if (send(server.fd, s->answer + at, piece, MSG_NOSIGNAL) < 0)
            return;
    }
}

/* Replies until the script ends, then closes the connection. */
static void *serve(void *arg)
{
    char line[2048];

    for (const struct step *s = server.script; s->request; s++) {
        if (!next_line(server.fd, line, sizeof line))
            break;
        if (strcmp(line, s->request)) {
            memcpy(server.wrong, line, sizeof line);
            break;
        }
        answer(s);
    }
    (void) shutdown(server.fd, SHUT_WR);
    while (read(server.fd, line, sizeof line) > 0)
        continue;
    return arg;
}

static void start_thread(void *(*run)(void *) )
{
    sigset_t alarm_only, before;

    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm_only, &before);
    assert_int_equal(pthread_create(&server.thread, NULL, run, NULL), 0);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void connect_to(void *(*run)(void *), const struct step *script, bool torn)
{
    int fd[2];
    char text[16];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    server = (struct server) { .fd = fd[0], .script = script, .torn = torn };
    snprintf(text, sizeof text, "%d", fd[1]);
    setenv("PMI_FD", text, 1);
    setenv("PMI_RANK", "1", 1);
    setenv("PMI_SIZE", "3", 1);
    start_thread(run);
}

static void start(const struct step *script, bool torn) { connect_to(serve, script, torn); }

static void stop(void)
{
    if (pmi_client.fd >= 0)
        close(pmi_client.fd);
    else if (getenv("PMI_FD"))
        close((int) strtol(getenv("PMI_FD"), NULL, 10)); /* pmi_init has failed */
    pthread_join(server.thread, NULL);
    close(server.fd);
    assert_string_equal(server.wrong, "");
    pmi_client = (struct pmi_client) { .fd = -1 };
}

static int clean(void **state)
{
    (void) state;
    unsetenv("PMI_FD");
    unsetenv("PMI_PORT");
    pmi_client = (struct pmi_client) { .fd = -1 };
    return 0;
}

/* pmi_init with one reply to init and one to get_my_kvsname. */
static int join_with(const char *hello, size_t hello_len, const char *name)
{
    const struct step script[] = { { INIT, hello, hello_len },
                                   { name ? "cmd=get_my_kvsname" : NULL, name, 0 },
                                   { 0 } };
    struct pmi_job job;

    start(script, false);
    int err = pmi_init(&job);
    stop();
    return err;
}

static void joins(void **state)
{
    static const struct step script[] = {
        { INIT, "cmd=response_to_init rc=0 pmi_subversion=2 pmi_version=1\n", 0 },
        { "cmd=get_my_kvsname", NAME, 0 },
        { "cmd=get_appnum", "cmd=appnum appnum=4\n", 0 },
        { "cmd=get_universe_size", "cmd=universe_size size=-1 rc=0\n", 0 },
        { "cmd=barrier_in", "cmd=barrier_out\n", 0 },
        { "cmd=finalize", "cmd=finalize_ack\n", 0 },
        { 0 },
    };
    struct pmi_job job;
    int n = -2;

    (void) state;
    for (int torn = 0; torn < 2; torn++) {
        start(script, torn);
        assert_int_equal(pmi_init(&job), 0);
        assert_int_equal(job.rank, 1);
        assert_int_equal(job.size, 3);
        assert_false(job.singleton);
        assert_string_equal(job.name, "kvs_1");
        assert_int_equal(fcntl(pmi_fd(), F_GETFD), FD_CLOEXEC);
        assert_null(getenv("PMI_FD"));
        assert_int_equal(pmi_init(&job), -EALREADY);
        assert_int_equal(pmi_appnum(&n), 0);
        assert_int_equal(n, 4);
        assert_int_equal(pmi_universe_size(&n), -ENOENT);
        assert_int_equal(n, 4);
        assert_int_equal(pmi_barrier_start(), 0);
        assert_int_equal(pmi_barrier_finish(), 0);
        assert_int_equal(pmi_finalize(), 0);
        assert_int_equal(pmi_finalize(), -ENOTCONN);
        assert_int_equal(pmi_fd(), -1);
        stop();
    }
}

static void refuses_bad_answers(void **state)
{
    static char endless[200000];

    (void) state;
    memset(endless, 'x', sizeof endless);
    assert_int_equal(join_with("", 0, NULL), -ECONNRESET);
    assert_int_equal(join_with("cmd=response_to_in", 0, NULL), -ECONNRESET);
    assert_int_equal(join_with("\n", 0, NULL), -EPROTO);
    assert_int_equal(join_with("cmd\n", 0, NULL), -EPROTO);
    assert_int_equal(join_with("pmi_version=1 cmd=response_to_init\n", 0, NULL), -EPROTO);
    assert_int_equal(join_with("cmd=response_to_initx pmi_version=1\n", 0, NULL), -EPROTO);
    assert_int_equal(join_with("cmd=response_to_init\0pmi_version=1\n", 36, NULL), -EPROTO);
    assert_int_equal(join_with(endless, sizeof endless, NULL), -EPROTO);
    assert_int_equal(join_with("cmd=response_to_init rc=0\n", 0, NULL), -EPROTONOSUPPORT);
    assert_int_equal(join_with("cmd=response_to_init pmi_version=1 rc=-1\n", 0, NULL),
                     -EPROTONOSUPPORT);
    assert_int_equal(join_with("cmd=response_to_init pmi_version=1 rc=zero\n", 0, NULL),
                     -EPROTONOSUPPORT);
    assert_int_equal(join_with(HELLO, 0, "cmd=my_kvsname\n"), -EPROTO);
    assert_int_equal(join_with(HELLO, 0, "cmd=my_kvsname kvsname=\n"), -EPROTO);
    assert_int_equal(join_with(HELLO, 0, "cmd=my_kvsname rc=1 kvsname=a\n"), -EPROTO);
    assert_int_equal(join_with(HELLO HELLO, 0, NULL), -EPROTO); /* one reply too many */
    assert_true(strlen(pmi_error_text()) > 10);
}

static void refuses_long_name(void **state)
{
    static char name[400] = "cmd=my_kvsname kvsname=";

    (void) state;
    memset(name + strlen(name), 'k', 300);
    name[strlen(name)] = '\n';
    assert_int_equal(join_with(HELLO, 0, name), -EPROTO);
}

/* Random replies: pmi_init must fail, and soon. */
static void survives_noise(void **state)
{
    static const char start_of[] = "cmd=response_to_init pmi_version=1 rc=0 =  == rc= x\n";
    static char noise[3000];

    (void) state;
    srand(1);
    for (int i = 0; i < 300; i++) {
        size_t len = 1 + (size_t) rand() % (i % 2 ? sizeof noise : 60);
        for (size_t at = 0; at < len; at++)
            noise[at] =
                rand() % 3 ? start_of[(at + (size_t) i) % (sizeof start_of - 1)] : (char) rand();
        assert_in_range(-join_with(noise, len, NULL), 1, 200);
    }
}

static void do_nothing(int signal) { (void) signal; }

static void survives_signals_and_tears(void **state)
{
    const struct itimerval often = { { 0, 700 }, { 0, 700 } }, never = { { 0, 0 }, { 0, 0 } };
    struct sigaction nothing = { .sa_handler = do_nothing }, before;

    sigaction(SIGALRM, &nothing, &before); /* without SA_RESTART */
    setitimer(ITIMER_REAL, &often, NULL);
    joins(state);
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &before, NULL);
    alarm(TIME_LIMIT_S); /* setitimer() has replaced it */
}

static struct step one_get[] = { { INIT, HELLO, 0 },
                                 { "cmd=get_my_kvsname", NAME, 0 },
                                 { "cmd=get kvsname=kvs_1 key=k", NULL, 0 },
                                 { 0 } };

static int get_with(const char *reply, char *value, size_t len)
{
    struct pmi_job job;

    one_get[2].answer = reply;
    start(one_get, false);
    assert_int_equal(pmi_init(&job), 0);
    int err = pmi_get(0, "k", value, len);
    stop();
    return err;
}

static void gets_values(void **state)
{
    char value[16] = "";

    (void) state;
    assert_int_equal(get_with("cmd=get_result rc=0 msg=ok value=a=b\n", value, 16), 0);
    assert_string_equal(value, "a=b");
    assert_int_equal(get_with("cmd=get_result value=\n", value, 16), 0);
    assert_string_equal(value, "");
    assert_int_equal(
        get_with("cmd=get_result rc=-1 msg=key_k_not_found value=unknown\n", value, 16), -ENOENT);
    assert_int_equal(get_with("cmd=get_result rc=1\n", value, 16), -ENOENT);
    assert_int_equal(get_with("cmd=get_result rc=0\n", value, 16), -EPROTO);
    assert_int_equal(get_with("cmd=put_result rc=0\n", value, 16), -EPROTO);
    assert_int_equal(get_with("cmd=get_result value=0123456789abcdef\n", value, 16), -EMSGSIZE);
    assert_int_equal(get_with("cmd=get_result value=*x\n", value, 16), -EPROTO);
    assert_int_equal(get_with("cmd=get_result value=*1000000\n", value, 16), -EPROTO);
    assert_int_equal(get_with("cmd=get_result value=*1\n", value, 16), -ECONNRESET);
    assert_int_equal(get_with("cmd=get_result value=*0\n", value, 16), 0);
    assert_string_equal(value, "");
}

/* A server that stores values, and refuses long lines. */
static void *store(void *arg)
{
    static char line[2048], keys[64][80], values[64][1024], reply[2048];
    int n = 0, i;

    while (next_line(server.fd, line, sizeof line)) {
        char key[80] = "", value[1024] = "";
        if (strlen(line) > 1022)
            memcpy(server.wrong, "too long", 9);
        (void) pmi_line_copy(line, "key", key, sizeof key);
        (void) pmi_line_copy(line, "value", value, sizeof value);
        for (i = 0; i < n && strcmp(keys[i], key); i++)
            continue;
        if (pmi_line_is(line, "put") && i < 64) {
            memcpy(keys[i], key, sizeof key);
            memcpy(values[i], value, sizeof value);
            n += i == n;
            snprintf(reply, sizeof reply, "cmd=put_result rc=0\n");
        } else if (pmi_line_is(line, "get")) {
            snprintf(reply, sizeof reply,
                     i < n ? "cmd=get_result rc=0 value=%s\n" : "cmd=get_result rc=1\n",
                     values[i % 64]);
        } else {
            snprintf(reply, sizeof reply, "%s", pmi_line_is(line, "init") ? HELLO : NAME);
        }
        (void) !write(server.fd, reply, strlen(reply));
    }
    return arg;
}

static void splits_long_values(void **state)
{
    static const size_t sizes[] = { 0, 1, 899, 900, 901, 1800, 1801, 9000 };
    static char value[9001], back[9001];
    struct pmi_job job;

    (void) state;
    connect_to(store, NULL, false);
    assert_int_equal(pmi_init(&job), 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t at = 0; at < sizes[i]; at++)
            value[at] = (char) ('!' + (at * 7 + i) % ('9' - '!'));
        value[sizes[i]] = '\0';
        if (i == 1)
            value[0] = '*'; /* looks like the start of a split value */
        assert_int_equal(pmi_put("card", value), 0);
        assert_int_equal(pmi_get(0, "card", back, sizeof back), 0);
        assert_string_equal(back, value);
    }
    assert_int_equal(pmi_get(0, "card", back, 9000), -EMSGSIZE);
    assert_int_equal(pmi_put("a b", "x"), -EINVAL);
    assert_int_equal(pmi_put("a=b", "x"), -EINVAL);
    assert_int_equal(pmi_put("", "x"), -EINVAL);
    assert_int_equal(pmi_put("k", "a b"), -EINVAL);
    assert_int_equal(pmi_put("k", "a\\b"), -EINVAL);
    assert_int_equal(pmi_put("k", "a;b"), -EINVAL);
    assert_int_equal(pmi_put("k", "a\nb"), -EINVAL);
    stop();
}

static int settings_with(const char *reply, char *text, size_t len)
{
    const struct step script[] = { { INIT, HELLO, 0 },
                                   { "cmd=get_my_kvsname", NAME, 0 },
                                   { "cmd=get kvsname=kvs_1 key=STARLING_settings", reply, 0 },
                                   { 0 } };
    struct pmi_job job;

    start(script, false);
    assert_int_equal(pmi_init(&job), 0);
    int err = pmi_settings(text, len);
    stop();
    return err;
}

/* The reply to init has the answers to the next two requests, which are not sent then. */
static void takes_answers_in_advance(void **state)
{
    static const struct step script[] = {
        { INIT,
          "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0 msg=success kvsname=kvs_1 "
          "STARLING_settings=A=1%0AB=2\n",
          0 },
        { "cmd=put kvsname=kvs_1 key=a value=b", "cmd=put_result rc=0\n", 0 },
        { 0 }
    };
    struct pmi_job job;
    char text[32];

    (void) state;
    start(script, false);
    assert_int_equal(pmi_init(&job), 0);
    assert_string_equal(job.name, "kvs_1");
    assert_int_equal(pmi_settings(text, sizeof text), 0);
    assert_string_equal(text, "A=1\nB=2");
    assert_true(pmi_client.starling);
    assert_int_equal(pmi_put("a", "b"), 0);
    stop();
}

static void decodes_settings(void **state)
{
    char text[32];

    (void) state;
    assert_int_equal(settings_with("cmd=get_result value=A=1%0AB=%3b%20%25\n", text, 32), 0);
    assert_string_equal(text, "A=1\nB=; %");
    assert_int_equal(settings_with("cmd=get_result rc=0 value=\n", text, 32), 0);
    assert_string_equal(text, "");
    assert_int_equal(settings_with("cmd=get_result rc=1 value=unknown\n", text, 32), -ENOENT);
    assert_int_equal(settings_with("cmd=get_result value=A%0\n", text, 32), -EPROTO);
    assert_int_equal(settings_with("cmd=get_result value=A%zz\n", text, 32), -EPROTO);
    assert_int_equal(settings_with("cmd=get_result value=A%00\n", text, 32), -EPROTO);
    assert_int_equal(settings_with("cmd=get_result value=12345678\n", text, 8), -EMSGSIZE);
}

/* Other launchers are not asked. */
static void gets_all_of_a_prefix(void **state)
{
    static const struct step script[] = {
        { INIT, HELLO, 0 },
        { "cmd=get_my_kvsname", NAME, 0 },
        { "cmd=get kvsname=kvs_1 key=STARLING_settings", "cmd=get_result value=\n", 0 },
        { "cmd=get kvsname=kvs_1 key=STARLING_all_node-", "cmd=get_result value=0-3;4,6;\n", 0 },
        { 0 }
    };
    struct pmi_job job;
    char text[32], *all = text;

    (void) state;
    start(script, false);
    assert_int_equal(pmi_init(&job), 0);
    assert_int_equal(pmi_all("node-", &all), -ENOENT);
    assert_int_equal(pmi_settings(text, sizeof text), 0);
    assert_int_equal(pmi_all("node-", &all), 0);
    assert_string_equal(all, "0-3;4,6;");
    free(all);
    stop();
}

static void percent_goes_round(void **state)
{
    char all[256], coded[800], back[256];

    (void) state;
    for (int i = 0; i < 255; i++)
        all[i] = (char) (i + 1);
    all[255] = '\0';
    long len = pmi_percent_encode(all, coded, sizeof coded);
    assert_int_equal(len, strlen(coded));
    assert_null(strpbrk(coded, " \n\\;"));
    assert_int_equal(pmi_percent_decode(coded, (size_t) len, back, sizeof back), 255);
    assert_string_equal(all, back);
    assert_int_equal(pmi_percent_encode("ab", coded, 2), -EMSGSIZE);
}

static void aborts(void **state)
{
    static const struct step plain[] = { { INIT, HELLO, 0 },
                                         { "cmd=get_my_kvsname", NAME, 0 },
                                         { "cmd=abort exitcode=7", "", 0 },
                                         { 0 } };
    static const struct step ours[] = { { INIT, HELLO, 0 },
                                        { "cmd=get_my_kvsname", NAME, 0 },
                                        { "cmd=get kvsname=kvs_1 key=STARLING_settings",
                                          "cmd=get_result value=\n", 0 },
                                        { "cmd=abort exitcode=-1 msg=so%20it%20is", "", 0 },
                                        { 0 } };
    struct pmi_job job;
    char text[8];

    (void) state;
    start(plain, false);
    assert_int_equal(pmi_init(&job), 0);
    pmi_abort(7, "not for others");
    stop();
    start(ours, false);
    assert_int_equal(pmi_init(&job), 0);
    assert_int_equal(pmi_settings(text, sizeof text), 0);
    pmi_abort(-1, "so it is");
    stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(joins, clean),
        cmocka_unit_test_setup(refuses_bad_answers, clean),
        cmocka_unit_test_setup(refuses_long_name, clean),
        cmocka_unit_test_setup(survives_noise, clean),
        cmocka_unit_test_setup(survives_signals_and_tears, clean),
        cmocka_unit_test_setup(gets_values, clean),
        cmocka_unit_test_setup(splits_long_values, clean),
        cmocka_unit_test_setup(takes_answers_in_advance, clean),
        cmocka_unit_test_setup(decodes_settings, clean),
        cmocka_unit_test_setup(gets_all_of_a_prefix, clean),
        cmocka_unit_test_setup(percent_goes_round, clean),
        cmocka_unit_test_setup(aborts, clean),
    };

    alarm(TIME_LIMIT_S); /* a hang is a failure */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
