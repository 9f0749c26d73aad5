/* server_spawn_test.c — requests of ranks for other jobs, to a server alone and to a hub and its
 * root. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "pm/server/pm_spawn.h"
#include "hubs.h"

#define BLOCK(N, OF) "mcmd=spawn\nnprocs=" #N "\nexecname=/bin/prog\ntotspawns=" #OF "\n"
#define ONE          BLOCK(2, 1) "spawnssofar=1\nargcnt=0\ninfo_num=0\n"

static void answer(int rank, int request, const struct pm_spawn_result *r)
{
    pm_server_spawned(root.job, rank, request, r);
    settle();
}

static void answer_good(int rank, int request)
{
    answer(rank, request,
           &(struct pm_spawn_result) {
               .jobid = "job_1", .error = (const int[]) { 0, 0 }, .errors = 2 });
}

/* A test runs without hubs, and with them. */
static int set_up(void **state)
{
    create(2, *state != NULL);
    all_say(8, INIT);
    spawn_why = NULL;
    return 0;
}

static int tear_down(void **state)
{
    (void) state;
    destroy();
    return 0;
}

static void blocks_are_one_request(void **state)
{
    (void) state;
    assert_string_equal(say(5, BLOCK(2, 2) "spawnssofar=1\nargcnt=2\narg1=a b=c\narg2=\n"
                                           "preput_num=1\npreput_key_0=PARENT\npreput_val_0=x y\n"
                                           "info_num=2\ninfo_key_0=wdir\ninfo_val_0=/tmp\n"
                                           "info_key_1=k\ninfo_val_1=\nendcmd\n"),
                        "");
    assert_int_equal(spawn_rank, -1);
    assert_string_equal(say(5, BLOCK(1, 2) "spawnssofar=2\nargcnt=0\ninfo_num=0\nendcmd\n"), "");
    assert_int_equal(spawn_rank, 5);
    assert_string_equal(spawn_text, "2 /bin/prog,a b=c,{wdir=/tmp}{k=} 1 /bin/prog <PARENT=x y>");
    assert_string_equal(say(5, "cmd=get_universe_size\n"), ""); /* it waits behind the spawn */
    answer(5, spawn_request,
           &(struct pm_spawn_result) {
               .jobid = "job_1", .error = (const int[]) { 0, 0, 11 }, .errors = 3 });
    assert_string_equal(reply[5], "cmd=spawn_result rc=0 jobid=job_1 errcodes=0,0,11\n"
                                  "cmd=universe_size size=9 rc=0\n");
    assert_int_equal(warnings, 0);
    assert_string_equal(say(5, ONE "endcmd\n"), ""); /* and again */
    answer(5, spawn_request,
           &(struct pm_spawn_result) {
               .why = "no\nroom", .error = (const int[]) { 2, 2 }, .errors = 2 });
    assert_string_equal(reply[5], "cmd=spawn_result rc=-1 msg=no%0Aroom errcodes=2,2\n");
}

static void an_answer_may_come_at_once(void **state)
{
    (void) state;
    spawn_why = "not here";
    assert_string_equal(say(1, ONE "endcmd\ncmd=get_universe_size\n"),
                        "cmd=spawn_result rc=-1 msg=not%20here\ncmd=universe_size size=9 rc=0\n");
}

static void the_rank_may_go_on(void **state)
{
    (void) state;
    assert_string_equal(say(6, ONE "starling_later=1\nendcmd\ncmd=get_universe_size\n"),
                        "cmd=spawn_result rc=0 spawn=1\ncmd=universe_size size=9 rc=0\n");
    int first = spawn_request;
    assert_string_equal(say(6, ONE "starling_later=1\nendcmd\n"),
                        "cmd=spawn_result rc=0 spawn=2\n");
    assert_string_equal(spawn_text, "2 /bin/prog");
    int second = spawn_request;
    assert_string_equal(say(6, ONE "endcmd\n"), "");
    answer_good(6, second);
    assert_string_equal(reply[6], "cmd=spawn_done spawn=2 rc=0 jobid=job_1 errcodes=0,0\n");
    reply[6][0] = '\0';
    answer(6, spawn_request, &(struct pm_spawn_result) { .why = "no" });
    assert_string_equal(reply[6], "cmd=spawn_result rc=-1 msg=no\n");
    reply[6][0] = '\0';
    answer(6, first, &(struct pm_spawn_result) { .why = "no" });
    assert_string_equal(reply[6], "cmd=spawn_done spawn=1 rc=-1 msg=no\n");
    assert_string_equal(say(6, "mcmd=spawn\nstarling_later=1\nendcmd\n"),
                        "cmd=spawn_result rc=0 spawn=4\n"
                        "cmd=spawn_done spawn=4 rc=-1 msg=execname%20is%20missing\n");
}

#define ENCODED "mcmd=spawn\nstarling_encoded=1\nnprocs=1\n"

/* Any bytes but NUL, in pieces, and the environment. */
static void encoded_requests(void **state)
{
    static const struct {
        const char *lines, *why;
    } row[] = {
        { "execname=%zz\n", "a%20value%20of%20the%20request%20is%20not%20encoded" },
        { "execname=a%00b\n", "a%20value%20of%20the%20request%20is%20not%20encoded" },
        { "execname=a\nstarling_more=%2\n", "a%20value%20of%20the%20request%20is%20not%20encoded" },
        { "execname\n", "a%20line%20of%20the%20request%20has%20no%20value" },
    };
    char text[256];

    (void) state;
    assert_string_equal(say(5,
                            ENCODED "execname=%0Aa%20b\nstarling_more=c%3Dd%0A\nstarling_more=\n"
                                    "totspawns=2\nspawnssofar=1\narg1=%FF%0A\nargcnt=1\n"
                                    "info_key_0=env\ninfo_val_0=A=b%0AC=d\n"
                                    "starling_cwd=/a%20b\nstarling_env=\nstarling_env=A=%0A\n"
                                    "starling_more=%25\nstarling_env==x\nstarling_env=y\nendcmd\n"
                                    "mcmd=spawn\nnprocs=1\nexecname=%0A\ntotspawns=2\n"
                                    "spawnssofar=2\nendcmd\n"),
                        "");
    assert_string_equal(spawn_text,
                        "1 \na bc=d\n,\xff\n{env=A=b\nC=d} 1 %0A cwd /a b environ [A=\n%]");
    answer_good(5, spawn_request);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        (void) snprintf(text, sizeof text, "%s%stotspawns=1\nspawnssofar=1\nendcmd\n", ENCODED,
                        row[i].lines);
        (void) say(5, text);
        (void) snprintf(text, sizeof text, "cmd=spawn_result rc=-1 msg=%s\n", row[i].why);
        assert_string_equal(reply[5], text);
    }
    assert_string_equal(
        say(5, ENCODED "starling_env=\nexecname=a\ntotspawns=1\nspawnssofar=1\nendcmd\n"), "");
    assert_string_equal(spawn_text, "1 a environ ");
}

/* Of the second program of a rank: its numbers begin anew. */
static void time_of_probation(void **state)
{
    (void) state;
    (void) say(6, ONE "starling_later=1\nendcmd\n");
    int before = spawn_request;
    (void) say(6, "cmd=finalize\n" INIT ONE "starling_later=1\nendcmd\n");
    answer_good(6, spawn_request);
    reply[6][0] = '\0';
    pm_server_spawn_lost(root.job, 6, before, "too late");
    pm_server_spawn_lost(root.job, 6, spawn_request, "rank 0; it\n%");
    settle();
    assert_string_equal(reply[6], "cmd=spawn_lost spawn=1 msg=rank%200%3B%20it%0A%25\n");
    assert_string_equal(say(6, "cmd=spawn_abandon spawn=1\n"), "");
    assert_true(verdict_rank == 6 && verdict_request == -spawn_request);
    assert_string_equal(say(6, "cmd=spawn_connected spawn=1\n"), "");
    assert_true(verdict_rank == 6 && verdict_request == spawn_request);
    verdict_rank = -1;
    assert_string_equal(say(6, "cmd=spawn_connected spawn=2\ncmd=spawn_connected spawn=0\n"), "");
    assert_string_equal(say(6, "cmd=spawn_abandon spawn=a\ncmd=spawn_abandon\n"), "");
    assert_true(verdict_rank == -1 && warnings == 4);
    end_rank(6);
    reply[6][0] = '\0';
    pm_server_spawn_lost(root.job, 6, spawn_request, "no");
    settle();
    assert_string_equal(reply[6], "");
}

/* Of a rank that has ended, and of a program whose rank runs the next one. */
static void late_answers_are_dropped(void **state)
{
    (void) state;
    (void) say(7, ONE "starling_later=1\nendcmd\n");
    int before = spawn_request;
    (void) say(7, "cmd=finalize\n" INIT);
    reply[7][0] = '\0';
    answer_good(7, before);
    assert_string_equal(reply[7], "");
    assert_string_equal(say(7, ONE "starling_later=1\nendcmd\n"),
                        "cmd=spawn_result rc=0 spawn=1\n");
    (void) say(7, ONE "endcmd\ncmd=abort exitcode=3\n");
    assert_int_equal(abort_rank, -1);
    end_rank(7); /* what it has sent behind the request still counts */
    assert_int_equal(abort_rank, 7);
    reply[7][0] = '\0';
    answer_good(7, spawn_request);
    assert_string_equal(reply[7], "");
    (void) say(6, "cmd=finalize\n");
    assert_string_equal(say(6, ONE "starling_later=1\nendcmd\n"),
                        "cmd=spawn_result rc=-1 msg=the%20program%20is%20not%20between%20init%20"
                        "and%20finalize\n");
}

static void wrong_requests_are_answered(void **state)
{
    static const struct {
        const char *lines, *why;
    } row[] = {
        { "mcmd=spawn\nendcmd\n", "execname is missing" },
        { BLOCK(0, 1) "spawnssofar=1\nendcmd\n", "nprocs must be 1 or more" },
        { BLOCK(-5, 1) "spawnssofar=1\nendcmd\n", "nprocs=-5 is not a number" },
        { BLOCK(99999999999999999, 1) "spawnssofar=1\nendcmd\n",
          "nprocs=99999999999999999 is not a number" },
        { BLOCK(16001, 1) "spawnssofar=1\nendcmd\n", "more than 16000 processes in one spawn" },
        { BLOCK(1, 1) "spawnssofar=2\nendcmd\n", "spawnssofar=2 in block 1" },
        { BLOCK(1, 1) "endcmd\n", "spawnssofar=-1 in block 1" },
        { "mcmd=spawn\nnprocs=1\nexecname=a\nspawnssofar=1\nendcmd\n",
          "totspawns=-1, and there are 1 blocks" },
        { ONE "arg1=a\nendcmd\n",
          "block 1 has 1 arguments, 0 info keys and 0 values, and says others" },
        { ONE "arg2=a\nendcmd\n", "arg2 comes where arg1 belongs" },
        { ONE "nprocs=1\nendcmd\n", "nprocs is given twice" },
        { ONE "execname=b\nendcmd\n", "execname is given twice" },
        { ONE "what\nendcmd\n", "'what' has no value" },
        { ONE "info_key_0=a\nendcmd\n", "a key has no value" },
        { ONE "info_key_0=a\npreput_val_0=b\nendcmd\n",
          "preput_val_0 comes where a value of info_key_ belongs" },
        { ONE "preput_key_0=\npreput_val_0=b\nendcmd\n",
          "the key '' of a value is empty or too long" },
        { ONE "preput_key_0=STARLING_settings\npreput_val_0=b\npreput_num=1\nendcmd\n",
          "a value for the job has a reserved key" },
    };
    char text[512];
    (void) state;

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        int rank = (int) i % 8;
        const char *got = say(rank, row[i].lines);
        (void) snprintf(text, sizeof text, "cmd=spawn_result rc=-1 msg=%s\n", row[i].why);
        for (char *c; (c = strstr(got, "%20"));) {
            *c = ' ';
            memmove(c + 1, c + 3, strlen(c + 3) + 1);
        }
        for (char *c; (c = strstr(got, "%3"));) /* no other letters of these texts are encoded */
            fail_msg("%s", c);
        assert_string_equal(got, text);
        assert_string_equal(say(rank, "cmd=get_universe_size\n"),
                            "cmd=universe_size size=9 rc=0\n");
    }
    assert_int_equal(spawn_rank, -1);
}

/* A request of more than 1 MiB, and a command between two blocks. */
static void long_and_torn_requests(void **state)
{
    static char lines[70000];
    (void) state;

    memset(lines, 'a', sizeof lines - 1);
    memcpy(lines, "argx=", 5);
    strcpy(lines + 60000, "\n");
    (void) say(3, "mcmd=spawn\nexecname=a\n");
    for (int i = 0; i < 18; i++)
        assert_string_equal(say(3, lines), "");
    assert_string_equal(
        say(3, "endcmd\n"),
        "cmd=spawn_result rc=-1 msg=the%20request%20has%20more%20than%201048576%20bytes\n");
    assert_string_equal(say(3, BLOCK(1, 2) "spawnssofar=1\nendcmd\ncmd=get_universe_size\n"),
                        "cmd=universe_size size=9 rc=0\n");
    assert_string_equal(say(3, ONE "endcmd\n"), "");
    assert_string_equal(spawn_text, "2 /bin/prog");
    answer_good(3, spawn_request);
    assert_string_equal(say(3, "mcmd=spawn\nnprocs=1\n"), ""); /* it ends within a block */
    end_rank(3);
}

/* The codes of many processes that have started are left out: old clients read a KiB. */
static void many_codes(void **state)
{
    static int error[PM_SPAWN_PROCESSES];
    (void) state;

    error[PM_SPAWN_PROCESSES - 1] = 0;
    (void) say(2, ONE "endcmd\n");
    answer(2, spawn_request,
           &(struct pm_spawn_result) {
               .jobid = "job_1", .error = error, .errors = PM_SPAWN_PROCESSES });
    assert_string_equal(reply[2], "cmd=spawn_result rc=0 jobid=job_1\n");
    (void) say(2, ONE "endcmd\n");
    error[PM_SPAWN_PROCESSES - 1] = 11;
    answer(2, spawn_request,
           &(struct pm_spawn_result) {
               .jobid = "job_1", .error = error, .errors = PM_SPAWN_PROCESSES });
    assert_string_equal(reply[2] + strlen(reply[2]) - 6, ",0,11\n");
}

#define BODY_2 "cmd=init pmi_version=2 pmi_subversion=0\n"

static const char *say_body(int rank, const char *body)
{
    char text[1024];

    (void) snprintf(text, sizeof text, "%6zu%s", strlen(body), body);
    return say(rank, text) + 6;
}

static void by_pmi_2(void **state)
{
    (void) state;
    (void) say(4, "cmd=finalize\n" BODY_2);
    send_line(4, "");
    say_body(4, "cmd=spawn;thrid=7;ncmds=2;preputcount=1;ppkey0=K;ppval0=a;;b;subcmd=/bin/"
                "a;maxprocs=2;argc=1;"
                "argv0=x y;infokeycount=1;infokey0=wdir;infoval0=/tmp;subcmd=b;maxprocs=1;argc=0;"
                "infokeycount=0;");
    assert_string_equal(spawn_text, "2 /bin/a,x y{wdir=/tmp} 1 b <K=a;b>");
    assert_string_equal(reply[4], "");
    answer_good(4, spawn_request);
    assert_string_equal(reply[4] + 6,
                        "cmd=spawn-response;thrid=7;rc=0;jobid=job_1;nerrs=0;errcodes=0,0;");
    assert_string_equal(say_body(4, "cmd=spawn;ncmds=3;subcmd=a;maxprocs=1;"),
                        "cmd=spawn-response;rc=1;errmsg=totspawns=3, and there are 1 blocks;"
                        "nerrs=0;");
    assert_string_equal(say_body(4, "cmd=spawn;"),
                        "cmd=spawn-response;rc=1;errmsg=ncmds_is_missing;");
}

/* What the job that is spawned finds, on the first generation alone. */
static void values_of_the_spawner(void **state)
{
    static const char *const pairs[] = { "PARENT_ROOT_PORT_NAME", "tag#0$", "other", "1", NULL };

    destroy();
    spawn_preput = pairs;
    create(2, *state != NULL);
    spawn_preput = NULL;
    all_say(8, INIT);
    for (int i = 0; i < 8; i += 7) {
        assert_string_equal(say(i, "cmd=get kvsname=job key=PARENT_ROOT_PORT_NAME\n"),
                            "cmd=get_result rc=0 msg=success value=tag#0$\n");
        assert_string_equal(say(i, "cmd=get kvsname=job key=other\n"),
                            "cmd=get_result rc=0 msg=success value=1\n");
    }
    (void) say(1, "cmd=finalize\n" BODY_2);
    assert_non_null(
        strstr(say_body(1, "cmd=fullinit;pmirank=1;threaded=FALSE;"), "spawner-jobid=parent;"));
    assert_non_null(strstr(say_body(1, "cmd=kvs-get;key=other;"), "found=FALSE;"));
}

int main(void)
{
    static int with_hubs;
#define BOTH(test)                                                                                 \
    cmocka_unit_test_setup_teardown(test, set_up, tear_down),                                      \
    {                                                                                              \
#test " with hubs", test, set_up, tear_down, &with_hubs                                    \
    }
    const struct CMUnitTest tests[] = {
        BOTH(blocks_are_one_request),
        BOTH(an_answer_may_come_at_once),
        BOTH(the_rank_may_go_on),
        BOTH(encoded_requests),
        BOTH(time_of_probation),
        BOTH(late_answers_are_dropped),
        BOTH(wrong_requests_are_answered),
        BOTH(long_and_torn_requests),
        BOTH(many_codes),
        BOTH(by_pmi_2),
        BOTH(values_of_the_spawner),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
