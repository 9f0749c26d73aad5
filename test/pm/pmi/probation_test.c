/* probation_test.c — the PMI client hears that a job that has started is lost, and has jobs killed.
 * The test is the server. */
#include <errno.h>
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

static void start_numbered(struct pmi_spawn **s, int number)
{
    char lines[128];

    *s = start();
    (void) snprintf(lines, sizeof lines,
                    "cmd=spawn_result rc=0 spawn=%d\ncmd=spawn_done spawn=%d rc=0\n", number,
                    number);
    say(lines);
    assert_true(pmi_spawn_over(*s));
}

/* After its start a job is lost; the line may also come when it has been finished. */
static void jobs_are_lost(void **state)
{
    struct pmi_spawn *first, *second;

    (void) state;
    join(true);
    start_numbered(&first, 1);
    assert_false(pmi_spawn_lost(first));
    start_numbered(&second, 2);
    say("cmd=spawn_lost spawn=1 msg=rank%200%20of%20job%201%20exited%20with%20code%203\n");
    assert_true(pmi_spawn_lost(first));
    assert_string_equal(pmi_error_text(), "rank 0 of job 1 exited with code 3");
    assert_false(pmi_spawn_lost(second));
    say("cmd=spawn_lost spawn=1 msg=again\n"); /* the first reason counts */
    assert_true(pmi_spawn_lost(first) && strstr(pmi_error_text(), "code 3"));
    succeeds(second, 0, 0);
    pmi_spawn_abandon(first);
    hear("cmd=spawn_abandon spawn=1\n");
    say("cmd=spawn_lost spawn=2 msg=late\ncmd=spawn_lost spawn=1\ncmd=get_result value=v\n");
    get();
    start_numbered(&first, 3);
    say("cmd=spawn_lost spawn=3\n");
    assert_true(pmi_spawn_lost(first) && strstr(pmi_error_text(), "no reason"));
    pmi_spawn_abandon(first);
    assert_null(pmi_client.spawns);
    for (int i = 0; i < 4; i++) { /* of no spawn, and of one that has not started */
        static const char *const wrong[] = { "spawn=2", "spawn=0", "", "spawn=1" };
        char line[64];
        leave(NULL);
        join(true);
        first = start();
        (void) snprintf(line, sizeof line, "cmd=spawn_result rc=0 spawn=1\ncmd=spawn_lost %s\n",
                        wrong[i]);
        say(line);
        fails(first, -EPROTO, "without a request");
    }
}

/* All codes are EINVAL; other launchers may mean something else by that. */
static void values_are_refused(void **state)
{
    static const struct {
        bool starling;
        const char *line;
        int err;
    } rows[] = {
        { true, "cmd=spawn_result rc=-1 msg=npernode%20x errcodes=22,22\n", -EINVAL },
        { true, "cmd=spawn_result rc=-1 msg=npernode%20x errcodes=22,2\n", -ECANCELED },
        { true, "cmd=spawn_result rc=-1 msg=npernode%20x errcodes=22\n", -ECANCELED },
        { true, "cmd=spawn_result rc=-1 msg=npernode%20x\n", -ECANCELED },
        { false, "cmd=spawn_result rc=-1 msg=npernode%20x errcodes=22,22\n", -ECANCELED },
    };

    (void) state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        join(rows[i].starling);
        struct pmi_spawn *s = start();
        say(rows[i].line);
        assert_true(pmi_spawn_over(s));
        assert_int_equal(pmi_spawn_lost(s), rows[i].err);
        fails(s, rows[i].err, "npernode x");
        leave(NULL);
    }
    join(true);
}

/* Before and after the result, of a server that gives no numbers, and of one that has gone. */
static void spawns_are_abandoned(void **state)
{
    (void) state;
    join(true);
    struct pmi_spawn *s = start();
    say("cmd=spawn_result rc=0 spawn=1\n");
    pmi_spawn_abandon(s);
    hear("cmd=spawn_abandon spawn=1\n");
    assert_ptr_equal(pmi_client.spawns, s);
    say("cmd=spawn_done spawn=1 rc=-1 msg=it%20is%20abandoned\ncmd=get_result value=v\n");
    get();
    assert_null(pmi_client.spawns);
    s = start();
    say("cmd=spawn_result rc=0 spawn=2\ncmd=spawn_done spawn=2 rc=-1 msg=full\n");
    assert_true(pmi_spawn_over(s) && pmi_spawn_lost(s));
    assert_non_null(strstr(pmi_error_text(), "did not start processes: full"));
    pmi_spawn_abandon(s); /* there is nothing to kill */
    hear("");
    leave(NULL);
    join(false);
    s = start();
    pmi_spawn_abandon(s);
    assert_ptr_equal(pmi_client.asked, s);
    say("cmd=spawn_result rc=0\n");
    assert_int_equal(pmi_turn(), 0);
    assert_null(pmi_client.asked);
    say("cmd=get_result value=v\n");
    get();
    s = start();
    say("cmd=spawn_result rc=0\n");
    assert_true(pmi_spawn_over(s) && !pmi_spawn_lost(s));
    pmi_spawn_abandon(s);
    hear("");
    s = start();
    say("cmd=spawn_result rc=0 errcodes=0,7\n"); /* what has been started waits for the rest */
    assert_true(pmi_spawn_over(s) && pmi_spawn_lost(s));
    assert_non_null(strstr(pmi_error_text(), "process 1 of 2: its code is 7"));
    pmi_spawn_abandon(s);
    leave(NULL);
    join(true);
    s = start();
    (void) shutdown(server, SHUT_WR);
    assert_true(pmi_spawn_over(s) && pmi_spawn_lost(s));
    pmi_spawn_abandon(s);
    assert_null(pmi_client.asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(jobs_are_lost, leave),
        cmocka_unit_test_teardown(values_are_refused, leave),
        cmocka_unit_test_teardown(spawns_are_abandoned, leave),
    };

    alarm(TIME_LIMIT_S); /* a hang is a failure */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
