/* server_jobs_test.c — a PMI server with several jobs, and jobs on several nodes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "pm/server/pm_server.h"

enum { JOBS = 2, RANKS = 2 };

#define INIT "cmd=init pmi_version=1 pmi_subversion=1\n"

static struct pm_server *server;
static struct side { /* the owner of a job */
    struct pm_server_job *job;
    char reply[RANKS][2048]; /* since request() */
    int broken, aborted, warnings;
} side[JOBS];

static void on_send(void *owner, int rank, const char *bytes, size_t len)
{
    struct side *s = owner;

    (void) snprintf(s->reply[rank], sizeof s->reply[rank], "%.*s", (int) len, bytes);
}

static void on_abort(void *owner, int rank, int code, const char *why)
{
    (void) rank, (void) code, (void) why;
    ((struct side *) owner)->aborted++;
}

static void on_broken(void *owner, int rank, const char *why)
{
    (void) rank, (void) why;
    ((struct side *) owner)->broken++;
}

static void on_warning(void *owner, int rank, const char *what)
{
    (void) rank, (void) what;
    ((struct side *) owner)->warnings++;
}

static struct pm_server_job *add(struct side *s, const char *name, int size, const int *node)
{
    static const int appnum[4000];
    const struct pm_events events = {
        .owner = s, .send = on_send, .abort = on_abort, .broken = on_broken, .warn = on_warning
    };
    const struct pm_server_config config = {
        .size = size, .appnum = appnum, .node = node, .name = name, .settings = name
    };

    *s = (struct side) { .job = pm_server_add_job(server, &config, &events) };
    assert_non_null(s->job);
    return s->job;
}

static const char *request(int job, int rank, const char *line)
{
    for (int i = 0; i < JOBS; i++)
        for (int k = 0; k < RANKS; k++)
            side[i].reply[k][0] = '\0';
    pm_server_input(side[job].job, rank, line, strlen(line));
    return side[job].reply[rank];
}

static int set_up(void **state)
{
    static const int node[RANKS];

    (void) state;
    server = pm_server_create(7);
    assert_non_null(server);
    add(&side[0], "a", RANKS, node);
    for (int i = 0; i < RANKS; i++)
        (void) request(0, i, INIT);
    add(&side[1], "b", RANKS, node); /* while the first one runs */
    for (int i = 0; i < RANKS; i++)
        (void) request(1, i, INIT);
    return 0;
}

static int tear_down(void **state)
{
    (void) state;
    pm_server_destroy(server);
    return 0;
}

static void jobs_have_stores_and_settings_of_their_own(void **state)
{
    (void) state;
    (void) request(0, 0, "cmd=put kvsname=a key=k value=of_a\n");
    assert_non_null(strstr(request(1, 0, "cmd=get kvsname=a key=k\n"), "no_such_kvs"));
    assert_true(side[0].warnings == 0 && side[1].warnings == 1);
    assert_non_null(strstr(request(1, 0, "cmd=get kvsname=b key=k\n"), "key_not_found"));
    (void) request(1, 1, "cmd=put kvsname=b key=k value=of_b\n");
    assert_non_null(strstr(request(0, 1, "cmd=get kvsname=a key=k\n"), "value=of_a\n"));
    assert_non_null(strstr(request(1, 0, "cmd=get kvsname=b key=k\n"), "value=of_b\n"));
    assert_non_null(
        strstr(request(0, 1, "cmd=get kvsname=a key=STARLING_settings\n"), "value=a\n"));
    assert_non_null(
        strstr(request(1, 1, "cmd=get kvsname=b key=STARLING_settings\n"), "value=b\n"));
    assert_string_equal(request(1, 1, "cmd=get_universe_size\n"),
                        "cmd=universe_size size=7 rc=0\n");
}

static void a_barrier_is_one_of_a_job(void **state)
{
    (void) state;
    assert_string_equal(request(0, 0, "cmd=barrier_in\n"), "");
    assert_string_equal(request(1, 1, "cmd=barrier_in\n"), "");
    assert_string_equal(request(1, 0, "cmd=barrier_in\n"), "cmd=barrier_out\n");
    assert_string_equal(side[1].reply[1], "cmd=barrier_out\n");
    assert_string_equal(side[0].reply[0], "");
    assert_string_equal(request(0, 1, "cmd=barrier_in\n"), "cmd=barrier_out\n");
}

static void a_service_is_known_to_all(void **state)
{
    (void) state;
    assert_non_null(strstr(request(0, 0, "cmd=publish_name service=s port=p\n"), "rc=0"));
    assert_non_null(strstr(request(1, 1, "cmd=lookup_name service=s\n"), "port=p info=ok"));
    assert_non_null(strstr(request(1, 0, "cmd=publish_name service=s port=q\n"), "rc=1"));
}

static void a_service_is_of_its_job(void **state)
{
    (void) state;
    (void) request(0, 0, "cmd=publish_name service=s port=p\n");
    (void) request(0, 1, "cmd=publish_name service=t port=p\n");
    (void) request(1, 0, "cmd=publish_name service=u port=p\n");
    assert_non_null(strstr(request(1, 0, "cmd=unpublish_name service=s\n"),
                           "info=fail rc=1 msg=published_by_another_job"));
    assert_non_null(strstr(request(0, 1, "cmd=unpublish_name service=s\n"), "rc=0"));
    pm_server_gone(side[0].job, 1); /* the other rank runs */
    assert_non_null(strstr(request(1, 0, "cmd=lookup_name service=t\n"), "info=ok"));
    pm_server_ended(side[0].job);
    assert_non_null(strstr(request(1, 0, "cmd=lookup_name service=t\n"), "service_not_found"));
    assert_non_null(strstr(request(1, 0, "cmd=lookup_name service=u\n"), "info=ok"));
    assert_non_null(strstr(request(1, 0, "cmd=publish_name service=t port=q\n"), "rc=0"));
    pm_server_remove_job(server, side[0].job);
    assert_non_null(strstr(request(1, 1, "cmd=lookup_name service=t\n"), "port=q"));
}

static void the_failure_of_a_job_is_its_own(void **state)
{
    (void) state;
    (void) request(0, 0, "cmd=barrier_in\n");
    pm_server_gone(side[0].job, 1);
    (void) request(1, 0, "cmd=abort exitcode=3\n");
    assert_int_equal(side[0].broken, 1);
    assert_int_equal(side[0].aborted, 0);
    assert_int_equal(side[1].broken, 0);
    assert_int_equal(side[1].aborted, 1);
}

static const char *mapping(int size, const int *node)
{
    static int number;
    char name[16];

    (void) snprintf(name, sizeof name, "m%d", number++);
    add(&side[1], name, size, node);
    (void) request(1, 0, INIT);
    char line[64];
    (void) snprintf(line, sizeof line, "cmd=get kvsname=%s key=PMI_process_mapping\n", name);
    const char *value = strstr(request(1, 0, line), "value=");
    assert_non_null(value);
    return value + strlen("value=");
}

static void mapping_names_blocks_of_nodes(void **state)
{
    static int node[4000];

    (void) state;
    assert_string_equal(mapping(1, node), "(vector,(0,1,1))\n");
    assert_string_equal(mapping(4000, node), "(vector,(0,1,4000))\n");
    assert_string_equal(mapping(6, (const int[]) { 0, 0, 1, 1, 2, 2 }), "(vector,(0,3,2))\n");
    assert_string_equal(mapping(3, (const int[]) { 0, 1, 1 }), "(vector,(0,1,1),(1,1,2))\n");
    assert_string_equal(mapping(5, (const int[]) { 0, 0, 1, 1, 2 }), "(vector,(0,2,2),(2,1,1))\n");
    assert_string_equal(mapping(6, (const int[]) { 0, 1, 2, 0, 1, 2 }),
                        "(vector,(0,3,1),(0,3,1))\n");
    assert_string_equal(mapping(4, (const int[]) { 1, 0, 0, 1 }),
                        "(vector,(1,1,1),(0,1,2),(1,1,1))\n");
    for (int i = 0; i < 4000; i++)
        node[i] = i % 2 ? 7 : 5;
    assert_string_equal(mapping(4000, node), "unknown\n"); /* it has no room in a value */
}

static void spawn_is_refused(void **state)
{
    (void) state;
    assert_string_equal(request(0, 0,
                                "mcmd=spawn\nnprocs=2\nexecname=cmd=finalize\ntotspawns=2\n"
                                "spawnssofar=1\ncmd=finalize\nendcmd\n"),
                        "");
    assert_string_equal(
        request(0, 0, "mcmd=spawn\nnprocs=1\nexecname=a\ntotspawns=2\nspawnssofar=2\nendcmd\n"),
        "cmd=spawn_result rc=-1 msg=spawn%20is%20not%20supported\n");
    assert_non_null(strstr(request(0, 0, "cmd=get_maxes\n"), "cmd=maxes"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(jobs_have_stores_and_settings_of_their_own, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_barrier_is_one_of_a_job, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_service_is_known_to_all, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_service_is_of_its_job, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_failure_of_a_job_is_its_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(mapping_names_blocks_of_nodes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(spawn_is_refused, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
