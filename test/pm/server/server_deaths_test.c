/* server_deaths_test.c — the PMI server of a job that survives deaths of ranks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "pm/server/pm_server.h"

enum { RANKS = 5, MANY = 1000 };

static struct pm_server *server;
static struct pm_server_job *job;
static char reply[MANY][2048]; /* since it was last emptied */
static int broken;

static void on_send(void *owner, int rank, const char *bytes, size_t len)
{
    (void) owner;
    (void) snprintf(reply[rank], sizeof reply[rank], "%.*s", (int) len, bytes);
}

static void on_broken(void *owner, int rank, const char *why)
{
    (void) owner, (void) rank, (void) why;
    broken++;
}

static void on_warning(void *owner, int rank, const char *what)
{
    (void) owner, (void) rank, (void) what;
}

static void create(int size, bool survives)
{
    static const int zeros[MANY];
    const struct pm_events events = { .send = on_send, .broken = on_broken, .warn = on_warning };
    const struct pm_server_config config = {
        .size = size, .appnum = zeros, .node = zeros, .name = "j", .survives = survives
    };

    memset(reply, 0, sizeof reply);
    broken = 0;
    server = pm_server_create(-1);
    assert_non_null(server);
    job = pm_server_add_job(server, &config, &events);
    assert_non_null(job);
}

static int tear_down(void **state)
{
    (void) state;
    pm_server_destroy(server);
    return 0;
}

static void send_line(int rank, const char *line)
{
    pm_server_input(job, rank, line, strlen(line));
}

static const char *request(int rank, const char *line)
{
    reply[rank][0] = '\0';
    send_line(rank, line);
    return reply[rank];
}

static void join(int first, int last)
{
    for (int i = first; i <= last; i++)
        assert_non_null(strstr(request(i, "cmd=init pmi_version=1 pmi_subversion=1\n"), "rc=0"));
}

static const char *dead(int rank)
{
    return strstr(request(rank, "cmd=get kvsname=j key=PMI_dead_processes\n"), "value=");
}

/* Enters the barrier; nothing comes back yet. */
static void wait_in_barrier(int rank)
{
    assert_string_equal(request(rank, "cmd=barrier_in\n"), "");
}

static void assert_out(int rank) { assert_string_equal(reply[rank], "cmd=barrier_out\n"); }

static void names_the_dead(void **state)
{
    (void) state;
    create(RANKS, true);
    join(0, RANKS - 1);
    assert_string_equal(dead(0), "value=\n");
    pm_server_gone(job, 3);
    assert_string_equal(dead(0), "value=3\n");
    (void) request(2, "cmd=finalize\n");
    pm_server_gone(job, 2); /* which has finalized, and is not dead */
    pm_server_gone(job, 1);
    pm_server_gone(job, 1);
    assert_string_equal(dead(4), "value=3,1\n");
    assert_non_null(
        strstr(request(0, "cmd=put kvsname=j key=PMI_dead_processes value=x\n"), "reserved_key"));
    assert_int_equal(broken, 0);
}

static void a_barrier_waits_for_the_living(void **state)
{
    (void) state;
    create(RANKS, true);
    join(0, RANKS - 1);
    pm_server_gone(job, 3);
    for (int i = 0; i < 3; i++)
        wait_in_barrier(i);
    assert_string_equal(request(4, "cmd=barrier_in\n"), "cmd=barrier_out\n");
    for (int i = 0; i < 3; i++)
        assert_out(i);
    assert_non_null(strstr(reply[3], "cmd=response_to_init ")); /* the last one that it got */
    for (int i = 0; i < 2; i++)
        wait_in_barrier(i);
    reply[0][0] = reply[1][0] = '\0';
    pm_server_gone(job, 4);
    assert_string_equal(reply[0], "");
    pm_server_gone(job, 2);
    assert_out(0);
    assert_out(1);
    assert_int_equal(broken, 0);
}

static void one_that_dies_in_a_barrier_counts_once(void **state)
{
    (void) state;
    create(3, true);
    join(0, 2);
    wait_in_barrier(0);
    pm_server_gone(job, 0);
    wait_in_barrier(1);
    assert_string_equal(request(2, "cmd=barrier_in\n"), "cmd=barrier_out\n");
    assert_out(1);
    wait_in_barrier(1); /* and the next one, too */
    assert_string_equal(request(2, "cmd=barrier_in\n"), "cmd=barrier_out\n");
}

static void one_that_never_joins_is_not_waited_for(void **state)
{
    (void) state;
    create(3, true);
    join(0, 1);
    wait_in_barrier(0);
    wait_in_barrier(1); /* rank 2 may still join */
    pm_server_gone(job, 2);
    assert_out(0);
    assert_out(1);
    assert_string_equal(dead(1), "value=2\n");
}

static void generations_have_barriers_of_their_own(void **state)
{
    (void) state;
    create(3, true);
    join(0, 2);
    (void) request(0, "cmd=finalize\n");
    join(0, 0); /* the next program of a shell */
    wait_in_barrier(0);
    wait_in_barrier(1);
    assert_string_equal(request(2, "cmd=barrier_in\n"), "cmd=barrier_out\n");
    assert_out(1);
    assert_string_equal(reply[0], "");
    assert_int_equal(broken, 0);
}

/* A rank that does not wait for the reply does not stay in the barrier. */
static void one_that_finalizes_in_a_barrier(void **state)
{
    (void) state;
    for (int survives = 0; survives < 2; survives++) {
        create(3, survives);
        join(0, 2);
        wait_in_barrier(0);
        for (int i = 0; i < 3; i++)
            assert_string_equal(request(i, "cmd=finalize\n"), "cmd=finalize_ack rc=0\n");
        for (int i = 0; i < 3; i++)
            pm_server_gone(job, i);
        assert_int_equal(broken, 0);
        if (!survives)
            pm_server_destroy(server);
    }
    pm_server_destroy(server);
    create(3, true);
    join(0, 2);
    wait_in_barrier(0);
    (void) request(0, "cmd=finalize\n");
    wait_in_barrier(1);
    assert_string_equal(request(2, "cmd=barrier_in\n"), "cmd=barrier_out\n");
    assert_out(1);
}

static void the_list_has_a_limit(void **state)
{
    char expected[2048] = "value=";
    size_t n = strlen(expected);

    (void) state;
    create(MANY, true);
    join(MANY - 1, MANY - 1);
    for (int i = 0; i < MANY - 1; i++)
        pm_server_gone(job, i);
    for (int i = 0; n + 4 <= 6 + 1023; i++) /* the longest value, in whole numbers */
        n += (size_t) sprintf(expected + n, "%s%d", i ? "," : "", i);
    (void) sprintf(expected + n, "\n");
    assert_string_equal(dead(MANY - 1), expected);
}

static void else_the_job_ends(void **state)
{
    (void) state;
    create(3, false);
    join(0, 2);
    wait_in_barrier(0);
    pm_server_gone(job, 2);
    assert_int_equal(broken, 1);
    assert_string_equal(reply[0], "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(names_the_dead, tear_down),
        cmocka_unit_test_teardown(a_barrier_waits_for_the_living, tear_down),
        cmocka_unit_test_teardown(one_that_dies_in_a_barrier_counts_once, tear_down),
        cmocka_unit_test_teardown(one_that_never_joins_is_not_waited_for, tear_down),
        cmocka_unit_test_teardown(generations_have_barriers_of_their_own, tear_down),
        cmocka_unit_test_teardown(one_that_finalizes_in_a_barrier, tear_down),
        cmocka_unit_test_teardown(the_list_has_a_limit, tear_down),
        cmocka_unit_test_teardown(else_the_job_ends, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
