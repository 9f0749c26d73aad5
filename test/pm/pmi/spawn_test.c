/* spawn_test.c — the PMI client asks for processes: what it says, and results that come early,
 * late, in any order, in pieces, wrong, or not at all. The test is the server. */
#include <errno.h>
#include <poll.h>
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
#include "spawn_peer.h"

enum { GETS = 200, LATE_MS = 50 };

static char *const args[] = { "-n", "a b", "", NULL };
static const struct pmi_pair info = { "host", "n1 n2" }, preput = { "port", "x#1$y" };
static const struct pmi_spawn_program two[] = { { "/bin/a b", args, 2, &info, 1 },
                                                { .command = "c", .count = 1 } };

#define BLOCKS(FIRST, NAME, ARG, HOSTS, INHERITED)                                                 \
    "mcmd=spawn\n" FIRST "nprocs=2\nexecname=" NAME "\ntotspawns=2\nspawnssofar=1\n"               \
    "arg1=-n\narg2=" ARG "\narg3=\nargcnt=3\n"                                                     \
    "preput_num=1\npreput_key_0=port\npreput_val_0=x#1$y\n"                                        \
    "info_num=1\ninfo_key_0=host\ninfo_val_0=" HOSTS "\n" INHERITED "endcmd\n"                     \
    "mcmd=spawn\n" FIRST "nprocs=1\nexecname=c\ntotspawns=2\nspawnssofar=2\nargcnt=0\n"            \
    "preput_num=1\npreput_key_0=port\npreput_val_0=x#1$y\ninfo_num=0\nendcmd\n"

/* Starling's mpiexec also gets what the programs inherit, and any bytes. */
static void says_all(void **state)
{
    static const char *const blocks[] = {
        BLOCKS("", "/bin/a b", "a b", "n1 n2", ""),
        BLOCKS("starling_encoded=1\nstarling_later=1\n", "/bin/a%20b", "a%20b", "n1%20n2",
               "starling_cwd=/\nstarling_env=\nstarling_env=A=b%0Ac%20%25\n"),
    };
    static char *variables[] = { "A=b\nc %", NULL };
    const struct pmi_spawn_request r = { two, 2, &preput, 1 };
    struct pmi_spawn *s;
    int codes[3];

    assert_int_equal(chdir("/"), 0);
    for (int starling = 0; starling < 2; starling++) {
        join(starling);
        char **all = environ;
        environ = variables;
        assert_int_equal(pmi_spawn_start(&r, &s), 0);
        environ = all;
        hear(blocks[starling]);
        assert_false(pmi_spawn_over(s));
        say("cmd=spawn_result rc=0 errcodes=0,0,7\n");
        assert_true(pmi_spawn_over(s));
        assert_int_equal(pmi_spawn_finish(s, codes), 0);
        assert_true(codes[0] == 0 && codes[1] == 0 && codes[2] == 7);
        leave(state);
    }
    join(true);
}

/* In pieces; and more than mpiexec takes. */
static void long_values(void **state)
{
    enum { SIZE = 20000 };
    static char text[1 << 20], heard[4 * SIZE], *none[] = { NULL };
    char *words[] = { text, NULL };
    const struct pmi_spawn_program program = { .command = "a", .argv = words, .count = 1 };
    const struct pmi_spawn_request r = { .program = &program, .programs = 1 };
    struct pmi_spawn *s;
    int pieces = 0;

    (void) state;
    join(true);
    char **all = environ;
    memset(text, '%', SIZE);
    environ = none;
    assert_int_equal(pmi_spawn_start(&r, &s), 0);
    environ = all;
    assert_true(recv(server, heard, sizeof heard - 1, 0) > 3 * SIZE);
    for (const char *at = heard; (at = strstr(at, "\nstarling_more=%25")); at++)
        pieces++;
    assert_int_equal(pieces, 2);
    pmi_spawn_forget(s);
    free(s);
    memset(text, 'x', sizeof text - 1);
    assert_int_equal(pmi_spawn_start(&r, &s), -EMSGSIZE);
    assert_non_null(strstr(pmi_error_text(), "mpiexec takes 1048576"));
    hear("");
}

static bool readable(void)
{
    struct pollfd p = { .fd = pmi_fd(), .events = POLLIN };

    return poll(&p, 1, 0) == 1;
}

static void results_come_later(void **state)
{
    (void) state;
    join(true);
    struct pmi_spawn *first = start();
    assert_true(!readable() && !pmi_spawn_over(first));
    say("cmd=spawn_result rc=0 spawn=1\n");
    assert_true(readable());
    assert_false(pmi_spawn_over(first));
    assert_false(readable());
    struct pmi_spawn *second = start();
    say("cmd=spawn_result rc=0 spawn=2\ncmd=spawn_done spawn=2 rc=0 errcodes=0,0\n");
    succeeds(second, 0, 0);
    assert_false(pmi_spawn_over(first));
    say("cmd=spawn_done rc=0 errcodes=0,13 spawn=1\n");
    succeeds(first, 0, 13);
}

/* A card is got, and a barrier goes by, while processes are started. */
static void others_pass(void **state)
{
    (void) state;
    join(true);
    struct pmi_spawn *first = start();
    say("cmd=spawn_result rc=0 spawn=1\n");
    assert_false(pmi_spawn_over(first));
    say("cmd=get_result value=v\n");
    get();
    assert_int_equal(pmi_barrier_start(), 0);
    hear("cmd=barrier_in\n");
    say("cmd=get_result value=v\ncmd=spawn_do");
    get();
    say("ne spawn=1 rc=0 errcodes=0,0\ncmd=barrier");
    assert_false(pmi_barrier_over());
    succeeds(first, 0, 0);
    say("_out\ncmd=get_result value=v\n");
    get();
    assert_true(pmi_barrier_over());
    assert_int_equal(pmi_barrier_finish(), 0);
    say("cmd=finalize_ack\n");
    assert_int_equal(pmi_finalize(), 0);
}

static void refusals(void **state)
{
    static const char *const wrong[] = { "errcodes=0",     "errcodes=0,0,0", "errcodes=",
                                         "errcodes=0,one", "errcodes=0,0,",  "errcodes=,0" };
    char line[64];

    (void) state;
    join(true);
    struct pmi_spawn *s = start();
    say("cmd=spawn_result rc=1 msg=spawn_is_not_supported\n");
    fails(s, -ECANCELED, "did not start processes: spawn_is_not_supported");
    s = start();
    say("cmd=spawn_result rc=0 spawn=1\ncmd=spawn_done spawn=1 rc=-1 msg=no%20such%20file\n");
    fails(s, -ECANCELED, "no such file");
    s = start();
    say("cmd=spawn_result rc=-1\n");
    fails(s, -ECANCELED, "it gave no reason");
    s = start();
    say("cmd=spawn_result rc=0\n"); /* without codes all have been started */
    succeeds(s, 0, 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        s = start();
        (void) snprintf(line, sizeof line, "cmd=spawn_result rc=0 %s\n", wrong[i]);
        say(line);
        fails(s, -EPROTO, "no error code for each");
    }
    say("cmd=get_result value=v\n");
    get();
}

/* Lines that end the connection: nothing later can be trusted. */
static void wrong_lines(void **state)
{
    static const char *const wrong[] = { "cmd=spawn_result rc=0 spawn=2\n",
                                         "cmd=spawn_result rc=0 spawn=0\n",
                                         "cmd=spawn_result rc=0 spawn=one\n",
                                         "cmd=spawn_done spawn=1\n",
                                         "cmd=get_result value=v\n",
                                         "cmd=barrier_out\n",
                                         "cmd=spawn_result rc=0 spawn=1\ncmd=spawn_done spawn=2\n",
                                         "cmd=spawn_result rc=0 spawn=1\ncmd=spawn_done\n",
                                         "cmd=spawn_result rc=0 spawn=1\ncmd=spawn_result\n" };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        join(true);
        struct pmi_spawn *s = start();
        say(wrong[i]);
        fails(s, -EPROTO, "without a request");
        leave(state);
    }
    join(true);
    struct pmi_spawn *s = start();
    say("cmd=spawn_result rc=0 spawn=1\ncmd=spawn_done spawn=1\ncmd=spawn_done spawn=1\n");
    int codes[2];
    assert_true(pmi_spawn_over(s) && !pmi_spawn_finish(s, codes)); /* before the second came */
    assert_int_equal(pmi_spawn_start(&(struct pmi_spawn_request) { &one, 1, NULL, 0 }, &s),
                     -EPROTO);
}

static void server_dies(void **state)
{
    static const char *const last[] = { "", "cmd=spawn_res", "cmd=spawn_result rc=0 spawn=1\n",
                                        "cmd=spawn_result rc=0 spawn=1\ncmd=spawn_done spawn=1" };

    for (size_t i = 0; i < sizeof last / sizeof *last; i++) {
        join(true);
        struct pmi_spawn *first = start();
        say(last[i]);
        (void) shutdown(server, SHUT_WR);
        fails(first, -ECONNRESET, "closed the connection");
        assert_true(!pmi_client.asked && !pmi_client.spawns);
        leave(state);
    }
    join(true);
}

static void refuses_what_cannot_be_told(void **state)
{
    static char long_text[PMI_VALUE_LINE + 1];
    char *newline[] = { "a\nb", NULL };
    const struct pmi_spawn_program wrong[] = { { .command = "a\n", .count = 1 },
                                               { .command = long_text, .count = 1 },
                                               { .command = "a", .count = 0 },
                                               { .command = "a", .count = PMI_SPAWN_MOST + 1 },
                                               { .command = "a", .argv = newline, .count = 1 } };
    const struct pmi_pair pairs[] = { { "a b", "c" }, { "a", "b c" }, { "a", "" }, { "", "b" } };
    const struct pmi_spawn_request none = { .programs = 0 };
    struct pmi_spawn *s;

    (void) state;
    memset(long_text, 'x', PMI_VALUE_LINE);
    join(false);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const struct pmi_spawn_request r = { &wrong[i], 1, NULL, 0 };
        assert_true(pmi_spawn_start(&r, &s) < 0 && !s);
    }
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const struct pmi_spawn_request r = { &one, 1, &pairs[i], 1 };
        assert_true(pmi_spawn_start(&r, &s) < 0 && !s);
    }
    assert_int_equal(pmi_spawn_start(&none, &s), -EINVAL);
    char value[16];
    assert_int_equal(unsetenv("PMI_SPAWNED"), 0);
    assert_int_equal(pmi_preput("port", value, sizeof value), -ENOENT);
    hear("");
    assert_int_equal(setenv("PMI_SPAWNED", "1", 1), 0);
    say("cmd=get_result rc=0 value=x#1$y\n");
    assert_int_equal(pmi_preput("port", value, sizeof value), 0);
    assert_string_equal(value, "x#1$y");
}

/* ---- two threads ----------------------------------------------------------------------------- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool late; /* the server answers when the processes have been started */

static void pause_unlocked(int fd)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };

    (void) pthread_mutex_unlock(&mutex);
    (void) poll(&p, 1, 1);
    (void) pthread_mutex_lock(&mutex);
}

static bool ends(const char *text, size_t len, const char *with)
{
    size_t n = strlen(with);

    return len >= n && !memcmp(text + len - n, with, n);
}

/* Reads what ends so. */
static bool server_hears(const char *end)
{
    char text[4096];
    size_t len = 0;

    while (len < sizeof text && recv(server, text + len, 1, 0) == 1)
        if (ends(text, ++len, end))
            return true;
    return false;
}

/* Answers the gets, and a spawn that comes first; its result comes in the midst of the gets. */
static void *serve(void *unused)
{
    char early;

    if (!server_hears("endcmd\n"))
        return unused;
    if (late) {
        usleep(LATE_MS * 1000);
        if (recv(server, &early, 1, MSG_DONTWAIT) == 1)
            (void) close(server); /* a request has not waited for its turn */
        say("cmd=spawn_result rc=0 errcodes=0,0\n");
    } else {
        say("cmd=spawn_result rc=0 spawn=1\n");
    }
    for (int i = 0; i < GETS && server_hears("key=card\n"); i++) {
        say("cmd=get_result value=v\n");
        if (i == GETS / 2 && !late)
            say("cmd=spawn_done spawn=1 rc=0 errcodes=0,0\n");
    }
    return unused;
}

static void *get_all(void *failed)
{
    char value[8];

    for (int i = 0; i < GETS && !*(int *) failed; i++) {
        (void) pthread_mutex_lock(&mutex);
        *(int *) failed = pmi_get(0, "card", value, sizeof value);
        (void) pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void two_threads(void **state)
{
    const struct pmi_spawn_request r = { .program = &one, .programs = 1 };
    pthread_t threads[2];
    struct pmi_spawn *s;

    for (int i = 0; i < 2; i++) {
        int failed = 0, codes[2] = { -1, -1 }, turns = 0;
        late = i;
        join(!late);
        pmi_wait_hook = pause_unlocked;
        assert_int_equal(pthread_create(&threads[0], NULL, serve, NULL), 0);
        (void) pthread_mutex_lock(&mutex);
        assert_int_equal(pmi_spawn_start(&r, &s), 0);
        assert_int_equal(pthread_create(&threads[1], NULL, get_all, &failed), 0);
        for (; !pmi_spawn_over(s); turns++)
            pause_unlocked(pmi_fd());
        assert_int_equal(pmi_spawn_finish(s, codes), 0);
        (void) pthread_mutex_unlock(&mutex);
        for (int k = 0; k < 2; k++)
            assert_int_equal(pthread_join(threads[k], NULL), 0);
        assert_true(!failed && !codes[0] && !codes[1] && turns > 0);
        leave(state);
    }
    join(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(says_all, leave),
        cmocka_unit_test_teardown(long_values, leave),
        cmocka_unit_test_teardown(results_come_later, leave),
        cmocka_unit_test_teardown(others_pass, leave),
        cmocka_unit_test_teardown(refusals, leave),
        cmocka_unit_test_teardown(wrong_lines, leave),
        cmocka_unit_test_teardown(server_dies, leave),
        cmocka_unit_test_teardown(refuses_what_cannot_be_told, leave),
        cmocka_unit_test_teardown(two_threads, leave),
    };

    alarm(TIME_LIMIT_S); /* a hang is a failure */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
