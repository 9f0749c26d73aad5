/* server_test.c — the PMI server, without sockets. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "pm/server/pm_server.h"
#include "pm/pmi/pmi_line.h"

enum { RANKS = 3, RECEIVED_MAX = 1 << 17 };

#define INIT    "cmd=init pmi_version=1 pmi_subversion=1\n"
#define WELCOME "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0 msg=success kvsname=job"

static struct pm_server *server;
static struct pm_server_job *job;
static char received[RANKS][RECEIVED_MAX]; /* replies to each rank since feed() */
static size_t received_len[RANKS];
static long replies; /* to all ranks, also those beyond RANKS */
static int warnings, broken_rank, abort_rank, abort_code;
static char why[256];

static void on_send(void *owner, int rank, const char *bytes, size_t len)
{
    assert_ptr_equal(owner, &server);
    assert_int_equal(bytes[len - 1], '\n');
    replies++;
    if (rank >= RANKS || received_len[rank] + len >= RECEIVED_MAX)
        return;
    memcpy(received[rank] + received_len[rank], bytes, len);
    received_len[rank] += len;
    received[rank][received_len[rank]] = '\0';
}

static void on_abort(void *owner, int rank, int code, const char *text)
{
    (void) owner;
    abort_rank = rank;
    abort_code = code;
    snprintf(why, sizeof why, "%s", text);
}

static void on_broken(void *owner, int rank, const char *text)
{
    (void) owner;
    broken_rank = rank;
    snprintf(why, sizeof why, "%s", text);
}

static void on_warning(void *owner, int rank, const char *text)
{
    (void) owner, (void) rank;
    for (const char *c = text; *c; c++)
        assert_in_range(*c, ' ', '~'); /* a warning is printable, whatever the rank sent */
    warnings++;
}

static void create(int size, const char *settings)
{
    const struct pm_events events = { .owner = &server,
                                      .send = on_send,
                                      .abort = on_abort,
                                      .broken = on_broken,
                                      .warn = on_warning };
    int *appnum = calloc((size_t) size, sizeof *appnum),
        *node = calloc((size_t) size, sizeof *node);

    appnum[size - 1] = 5;
    const char *const programs[] = { "n=2", "", "", "", "", "n=1\nhost=a,b" };
    const struct pm_server_config config = { .size = size,
                                             .appnum = appnum,
                                             .node = node,
                                             .name = "job",
                                             .settings = settings,
                                             .programs = programs };
    server = pm_server_create(12);
    job = pm_server_add_job(server, &config, &events);
    free(appnum);
    free(node);
    broken_rank = abort_rank = -1;
    warnings = 0;
    replies = 0;
}

static int set_up(void **state)
{
    (void) state;
    create(RANKS, "A=1\nB=x;y z");
    return 0;
}

static int tear_down(void **state)
{
    (void) state;
    pm_server_destroy(server);
    return 0;
}

static void feed(int rank, const char *bytes, size_t len)
{
    memset(received_len, 0, sizeof received_len);
    for (int i = 0; i < RANKS; i++)
        received[i][0] = '\0';
    pm_server_input(job, rank, bytes, len);
}

/* The reply to a line of a rank. */
static const char *request(int rank, const char *line)
{
    feed(rank, line, strlen(line));
    return received[rank];
}

static void all_join(void)
{
    for (int i = 0; i < RANKS; i++)
        assert_memory_equal(request(i, INIT), WELCOME, strlen(WELCOME));
}

static void answers(void **state)
{
    static const char *const talk[][2] = {
        { "cmd=get_maxes\n", "cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024 rc=0\n" },
        { "cmd=get_universe_size\n", "cmd=universe_size size=12 rc=0\n" },
        { "cmd=get_appnum\n", "cmd=appnum appnum=0 rc=0\n" },
        { "cmd=get_my_kvsname\n", "cmd=my_kvsname kvsname=job rc=0\n" },
        { "cmd=put kvsname=job key=k value=a=b\n", "cmd=put_result rc=0 msg=success\n" },
        { "cmd=get key=k kvsname=job\n", "cmd=get_result rc=0 msg=success value=a=b\n" },
        { "cmd=put kvsname=job key=k value=\n", "cmd=put_result rc=0 msg=success\n" },
        { "cmd=get kvsname=job key=k\n", "cmd=get_result rc=0 msg=success value=\n" },
        { "cmd=get kvsname=job key=l\n", "cmd=get_result rc=1 msg=key_not_found value=unknown\n" },
        { "cmd=get kvsname=job key=PMI_process_mapping\n",
          "cmd=get_result rc=0 msg=success value=(vector,(0,1,3))\n" },
        { "cmd=get kvsname=job key=PMI_dead_processes\n",
          "cmd=get_result rc=0 msg=success value=\n" },
        { "cmd=get kvsname=job key=STARLING_settings\n",
          "cmd=get_result rc=0 msg=success value=A=1%0AB=x%3By%20z\n" },
        { "cmd=get kvsname=job key=STARLING_all_k\n", "cmd=get_result rc=0 msg=success value=;\n" },
        { "cmd=put kvsname=job key=km value=a=b\n", "cmd=put_result rc=0 msg=success\n" },
        { "cmd=get kvsname=job key=STARLING_all_km\n",
          "cmd=get_result rc=0 msg=success value=a=b;\n" },
        { "cmd=get kvsname=job key=STARLING_all_l\n", "cmd=get_result rc=0 msg=success value=\n" },
        { "cmd=get kvsname=job key=STARLING_program\n",
          "cmd=get_result rc=0 msg=success value=n=2\n" },
        { "cmd=finalize\n", "cmd=finalize_ack rc=0\n" },
    };

    (void) state;
    all_join();
    assert_string_equal(request(2, "cmd=get_appnum\n"), "cmd=appnum appnum=5 rc=0\n");
    assert_string_equal(request(2, "cmd=get kvsname=job key=STARLING_program\n"),
                        "cmd=get_result rc=0 msg=success value=n=1%0Ahost=a,b\n");
    assert_int_equal(pm_server_client_state(job, 0), PM_CLIENT_JOINED);
    for (size_t i = 0; i < sizeof talk / sizeof *talk; i++)
        assert_string_equal(request(0, talk[i][0]), talk[i][1]);
    assert_int_equal(pm_server_client_state(job, 0), PM_CLIENT_FINALIZED);
    assert_int_equal(warnings, 0);
    assert_int_equal(broken_rank, -1);
}

static void refuses(void **state)
{
    static const char *const talk[][2] = {
        { "cmd=put kvsname=other key=k value=v\n", "cmd=put_result rc=1 msg=no_such_kvs\n" },
        { "cmd=put key=k value=v\n", "cmd=put_result rc=1 msg=no_kvsname\n" },
        { "cmd=put kvsname=job key=k\n", "cmd=put_result rc=1 msg=no_value_or_value_too_long\n" },
        { "cmd=put kvsname=job value=v\n", "cmd=put_result rc=1 msg=no_key_or_key_too_long\n" },
        { "cmd=put kvsname=job key=PMI_process_mapping value=v\n",
          "cmd=put_result rc=1 msg=reserved_key\n" },
        { "cmd=put kvsname=job key=STARLING_all_x value=v\n",
          "cmd=put_result rc=1 msg=reserved_key\n" },
        { "cmd=make_tea sugar=1\n", "cmd=make_tea_result rc=1 msg=unknown_command\n" },
        { "cmd=init pmi_version=1\n", "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=1 "
                                      "msg=the_program_before_it_has_not_finalized\n" },
        { "\n", "cmd=malformed_result rc=1 msg=malformed_line\n" },
        { "cmd\n", "cmd=malformed_result rc=1 msg=malformed_line\n" },
        { "cmd=\n", "cmd=malformed_result rc=1 msg=malformed_line\n" },
        { "cmd=a\tb\n", "cmd=malformed_result rc=1 msg=malformed_line\n" },
        { " cmd=get_maxes\n", "cmd=malformed_result rc=1 msg=malformed_line\n" },
        { "key=k cmd=finalize\n", "cmd=malformed_result rc=1 msg=malformed_line\n" },
    };

    (void) state;
    assert_string_equal(request(0, "cmd=get_my_kvsname\n"),
                        "cmd=get_my_kvsname_result rc=1 msg=not_initialized\n");
    assert_string_equal(request(0, "cmd=init pmi_version=3 pmi_subversion=0\n"),
                        "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=1 "
                        "msg=this_mpiexec_speaks_versions_1_and_2_only\n");
    all_join();
    for (size_t i = 0; i < sizeof talk / sizeof *talk; i++)
        if (strcmp(request(0, talk[i][0]), talk[i][1]))
            fail_msg("'%s' got the reply '%s'", talk[i][0], received[0]);
    assert_int_equal(warnings, 8); /* the limit */
    feed(1, "cmd=get_\0maxes\n", 15);
    assert_string_equal(received[1], "cmd=malformed_result rc=1 msg=malformed_line\n");
    assert_int_equal(broken_rank, -1);
}

static const char *put_long(char *line, size_t key, size_t value)
{
    size_t n = (size_t) snprintf(line, 70000, "cmd=put kvsname=job key=%0*d value=", (int) key, 0);

    memset(line + n, 'v', value);
    memcpy(line + n + value, "\n", 2);
    return request(0, line);
}

static void limits(void **state)
{
    static char line[70000];

    (void) state;
    all_join();
    assert_non_null(strstr(put_long(line, 63, 1023), "rc=0"));
    assert_non_null(strstr(put_long(line, 64, 1), "rc=1"));
    assert_non_null(strstr(put_long(line, 1, 1024), "rc=1"));
    assert_non_null(strstr(put_long(line, 1, 65000), "rc=1"));
    for (size_t i = 2; i < 62; i++)
        assert_non_null(strstr(put_long(line, i, 1023), "rc=0"));
    assert_non_null(strstr(request(0, "cmd=get kvsname=job key=STARLING_all_0\n"), "rc=1"));
    assert_int_equal(strlen(request(0, "cmd=get kvsname=job key=STARLING_all_000000\n")),
                     strlen("cmd=get_result rc=0 msg=success value=\n") + 57 * 1024);
    memset(line, 'x', sizeof line);
    memcpy(line, "cmd=", 4);
    line[PMI_LINE_MAX - 1] = '\n';
    feed(1, line, PMI_LINE_MAX);
    assert_string_equal(received[1], "cmd=malformed_result rc=1 msg=malformed_line\n");
    assert_int_equal(broken_rank, -1);
    line[PMI_LINE_MAX - 1] = 'x';
    feed(1, line, sizeof line);
    assert_string_equal(received[1], "cmd=malformed_result rc=1 msg=line_too_long\n");
    assert_int_equal(broken_rank, 1);
    assert_string_equal(request(1, "cmd=get_maxes\n"), ""); /* the rank is ignored */
    assert_non_null(strstr(request(0, "cmd=get_maxes\n"), "cmd=maxes"));
}

static void torn_lines(void **state)
{
    static const char line[] = INIT "cmd=get_my_kvsname\ncmd=get_maxes\n";
    long before;

    (void) state;
    for (size_t i = 0; i + 1 < sizeof line; i++)
        feed(0, line + i, 1);
    assert_non_null(strstr(received[0], "cmd=maxes"));
    before = replies;
    feed(1, line, sizeof line - 1);
    assert_int_equal(replies - before, 3);
}

static void barriers(void **state)
{
    (void) state;
    all_join();
    for (int i = 0; i < 5; i++) {
        assert_string_equal(request(i % 3, "cmd=barrier_in\n"), "");
        assert_string_equal(request((i + 1) % 3, "cmd=barrier_in\n"), "");
        (void) request((i + 2) % 3, "cmd=barrier_in\n");
        for (int rank = 0; rank < RANKS; rank++)
            assert_string_equal(received[rank], "cmd=barrier_out\n");
    }
    (void) request(0, "cmd=barrier_in\n");
    assert_string_equal(request(0, "cmd=barrier_in\n"),
                        "cmd=barrier_out rc=1 msg=already_in_barrier\n");
    assert_int_equal(broken_rank, -1);
}

static void waiting_in_vain(void **state)
{
    (void) state;
    (void) request(0, INIT);
    (void) request(0, "cmd=barrier_in\n");
    pm_server_gone(job, 2); /* before init */
    assert_int_equal(broken_rank, 2);
    assert_non_null(strstr(why, "MPI_Init"));
    tear_down(NULL);

    set_up(NULL);
    pm_server_gone(job, 2);
    (void) request(1, INIT);
    assert_int_equal(broken_rank, -1);
    (void) request(1, "cmd=barrier_in\n");
    assert_int_equal(broken_rank, 2);
    tear_down(NULL);

    set_up(NULL);
    all_join();
    (void) request(1, "cmd=finalize\n");
    assert_int_equal(broken_rank, -1);
    (void) request(0, "cmd=barrier_in\n");
    assert_int_equal(broken_rank, 1);
    tear_down(NULL);

    set_up(NULL);
    all_join();
    (void) request(0, "cmd=finalize\n");
    pm_server_gone(job, 0);
    (void) request(1, "cmd=finalize\n");
    (void) request(2, "cmd=finalize\n");
    assert_int_equal(broken_rank, -1);
}

static void programs_in_a_row(void **state)
{
    (void) state;
    all_join();
    (void) request(0, "cmd=put kvsname=job key=k value=old\n");
    (void) request(0, "cmd=finalize\n");
    assert_non_null(
        strstr(request(0, INIT), "rc=0")); /* while other ranks are still in the first program */
    assert_string_equal(request(0, "cmd=get_my_kvsname\n"), "cmd=my_kvsname kvsname=job_1 rc=0\n");
    assert_non_null(strstr(request(0, "cmd=get kvsname=job_1 key=k\n"), "rc=1"));
    assert_non_null(strstr(request(0, "cmd=get kvsname=job key=k\n"), "rc=1"));
    assert_non_null(strstr(request(1, "cmd=get kvsname=job key=k\n"), "value=old"));
    for (int i = 1; i < RANKS; i++) {
        (void) request(i, "cmd=finalize\n");
        (void) request(i, INIT);
    }
    for (int i = 0; i < RANKS; i++)
        (void) request(i, "cmd=barrier_in\n");
    assert_string_equal(received[0], "cmd=barrier_out\n");
    assert_int_equal(broken_rank, -1);
}

static void names(void **state)
{
    (void) state;
    all_join();
    assert_string_equal(request(0, "cmd=publish_name service=s port=tag#0$\n"),
                        "cmd=publish_result info=ok rc=0 msg=success\n");
    assert_string_equal(request(1, "cmd=publish_name service=s port=2\n"),
                        "cmd=publish_result info=fail rc=1 msg=already_published\n");
    assert_string_equal(request(1, "cmd=lookup_name service=s\n"),
                        "cmd=lookup_result port=tag#0$ info=ok rc=0 msg=success\n");
    assert_string_equal(request(1, "cmd=unpublish_name service=s\n"),
                        "cmd=unpublish_result info=ok rc=0 msg=success\n");
    assert_non_null(strstr(request(1, "cmd=unpublish_name service=s\n"), "rc=1"));
    assert_non_null(strstr(request(1, "cmd=lookup_name service=s\n"), "service_not_found"));
    assert_non_null(strstr(request(1, "cmd=lookup_name\n"), "rc=1"));
}

static void aborts(void **state)
{
    (void) state;
    (void) request(1, "cmd=abort exitcode=300 msg=bad%0Athing\ncmd=get_maxes\n");
    assert_int_equal(abort_rank, 1);
    assert_int_equal(abort_code, 300);
    assert_string_equal(why, "bad thing");
    assert_string_equal(received[1], "");
    (void) request(2, "cmd=abort exitcode=x\n");
    assert_int_equal(abort_rank, 2);
    assert_int_equal(abort_code, 1);
    (void) request(0, "cmd=abort exitcode=-1 message=PMI_Init failed\n"); /* of MPICH 5 */
    assert_int_equal(abort_rank, 0);
    assert_string_equal(why, "PMI_Init failed");
}

/* Random lines: each gets a reply or ends the job; the server does not crash. */
static void survives_noise(void **state)
{
    static const char *const words[] = { "cmd=",
                                         "put",
                                         "get",
                                         "barrier_in",
                                         "kvsname=job ",
                                         "key=",
                                         "key=STARLING_memory_",
                                         "value=",
                                         "init pmi_version=1",
                                         "finalize",
                                         "mcmd=spawn",
                                         "endcmd",
                                         "\n",
                                         "\n",
                                         " ",
                                         "=",
                                         "abort",
                                         "\xff",
                                         "service=",
                                         "publish_name ",
                                         "unpublish_name ",
                                         "lookup_name " };
    static char bytes[600];

    (void) state;
    srand(2);
    for (int i = 0; i < 20000; i++) {
        size_t len = 0, want = 1 + (size_t) rand() % (i % 100 ? 100 : 500);
        while (len < want) {
            const char *w = words[(size_t) rand() % (sizeof words / sizeof *words)];
            if (rand() % 16) {
                memcpy(bytes + len, w, strlen(w));
                len += strlen(w);
            } else {
                bytes[len++] = (char) rand();
            }
        }
        feed(rand() % RANKS, bytes, len);
        if (broken_rank >= 0 || abort_rank >= 0 || i % 50 == 49) {
            tear_down(NULL);
            create(RANKS, NULL);
            if (rand() % 2)
                all_join();
        }
        if (rand() % 64 == 0)
            pm_server_gone(job, rand() % RANKS);
    }
}

/* The work for a message must not grow with the number of ranks, or this test takes too long. */
static void thousands(void **state)
{
    enum { N = 4000 };
    char line[200];

    (void) state;
    tear_down(NULL);
    create(N, NULL);
    for (int i = 0; i < N; i++) {
        int n = snprintf(line, sizeof line,
                         INIT "cmd=put kvsname=job key=card-%d value=%d\ncmd=barrier_in\n", i, i);
        pm_server_input(job, i, line, (size_t) n);
    }
    assert_int_equal(replies, 3 * N);
    for (int i = 0; i < N; i++) {
        int n = snprintf(line, sizeof line, "cmd=get kvsname=job key=card-%d\ncmd=finalize\n",
                         (i + 1) % N);
        pm_server_input(job, i, line, (size_t) n);
        pm_server_gone(job, i);
    }
    assert_int_equal(replies, 5 * N);
    assert_int_equal(broken_rank, -1);
}

/* Other clients read lines of a KiB. */
static void short_settings_come_with_init(void **state)
{
    char settings[PMI_SETTINGS_SHORT + 1] = "A=1";

    tear_down(state);
    create(2, settings);
    assert_string_equal(request(0, INIT), WELCOME " STARLING_settings=A=1\n");
    tear_down(state);
    memset(settings, 'A', PMI_SETTINGS_SHORT);
    create(2, settings);
    assert_string_equal(request(0, INIT), WELCOME "\n");
    tear_down(state); /* MPICH 5 refuses a line that has an empty value */
    create(2, "");
    assert_string_equal(request(0, INIT), WELCOME " STARLING_settings=%0A\n");
}

static void settings_have_a_limit(void **state)
{
    static char text[PM_SETTINGS_MAX + 2];

    tear_down(state);
    memset(text, 'x', PM_SETTINGS_MAX + 1);
    create(1, text);
    assert_null(job);
    assert_int_equal(errno, EMSGSIZE);
    pm_server_destroy(server);
    text[PM_SETTINGS_MAX] = '\0';
    create(1, text);
    assert_non_null(job);
    (void) request(0, INIT);
    assert_int_equal(strlen(request(0, "cmd=get kvsname=job key=STARLING_settings\n")),
                     strlen("cmd=get_result rc=0 msg=success value=\n") + PM_SETTINGS_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(answers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses, set_up, tear_down),
        cmocka_unit_test_setup_teardown(limits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(torn_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(barriers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(waiting_in_vain, set_up, tear_down),
        cmocka_unit_test_setup_teardown(programs_in_a_row, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(aborts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(survives_noise, set_up, tear_down),
        cmocka_unit_test_setup_teardown(thousands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(short_settings_come_with_init, set_up, tear_down),
        cmocka_unit_test_setup_teardown(settings_have_a_limit, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
