/* server_pmi2_test.c — PMI-2 in the PMI server, without sockets; ranks of PMI-1 beside. */
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

enum { RANKS = 4, TEXT_MAX = 1 << 17 };

#define INIT1   "cmd=init pmi_version=1 pmi_subversion=1\n"
#define INIT2   "cmd=init pmi_version=2 pmi_subversion=0\n"
#define JOINED2 "cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=0 msg=success\n"

static struct pm_server *server;
static struct pm_server_job *job;
static char received[RANKS][TEXT_MAX]; /* replies to each rank since feed() */
static int broken_rank, abort_rank, abort_code, warnings;
static char why[256], warning[256];

static void on_send(void *owner, int rank, const char *bytes, size_t len)
{
    size_t used = strlen(received[rank]);

    assert_ptr_equal(owner, &server);
    assert_true(used + len < TEXT_MAX);
    memcpy(received[rank] + used, bytes, len);
    received[rank][used + len] = '\0';
}

static void on_abort(void *owner, int rank, int code, const char *text)
{
    (void) owner;
    abort_rank = rank;
    abort_code = code;
    (void) snprintf(why, sizeof why, "%s", text);
}

static void on_broken(void *owner, int rank, const char *text)
{
    (void) owner;
    broken_rank = rank;
    (void) snprintf(why, sizeof why, "%s", text);
}

static void on_warning(void *owner, int rank, const char *text)
{
    (void) owner, (void) rank;
    for (const char *c = text; *c; c++)
        assert_in_range(*c, ' ', '~');
    (void) snprintf(warning, sizeof warning, "%s", text);
    warnings++;
}

static void feed(int rank, const char *bytes, size_t len)
{
    for (int i = 0; i < RANKS; i++)
        received[i][0] = '\0';
    pm_server_input(job, rank, bytes, len);
}

/* The reply to a line of a rank. */
static const char *line(int rank, const char *text)
{
    feed(rank, text, strlen(text));
    return received[rank];
}

/* The bodies of all replies to a rank since feed(), with their lengths taken off. */
static const char *bodies(int rank)
{
    static char text[TEXT_MAX];
    const char *from = received[rank];
    char *to = text;

    while (*from) {
        char *end;
        size_t len = strtoul(from, &end, 10);
        assert_ptr_equal(end, from + 6);
        assert_true(len <= strlen(end));
        to = mempcpy(to, end, len);
        from = end + len;
    }
    *to = '\0';
    return text;
}

/* The reply to a body of a rank. */
static const char *ask(int rank, const char *body)
{
    static char message[TEXT_MAX];
    int len = snprintf(message, sizeof message, "%6zu%s", strlen(body), body);

    feed(rank, message, (size_t) len);
    return bodies(rank);
}

/* Nodes 0 and 1, with two ranks each. */
static int set_up(void **state)
{
    static const int appnum[RANKS] = { 0, 0, 3, 0 }, node[RANKS] = { 0, 0, 1, 1 };
    static const char *const programs[] = { "n=2", "", "", "n=1" };
    const struct pm_events events = { .owner = &server,
                                      .send = on_send,
                                      .abort = on_abort,
                                      .broken = on_broken,
                                      .warn = on_warning };
    const struct pm_server_config config = { RANKS, appnum,   node, 0,    0,     "job",
                                             "A=1", programs, NULL, NULL, false, NULL };

    (void) state;
    assert_non_null(server = pm_server_create(12));
    assert_non_null(job = pm_server_add_job(server, &config, &events));
    broken_rank = abort_rank = -1;
    warnings = 0;
    warning[0] = '\0';
    return 0;
}

static int tear_down(void **state)
{
    (void) state;
    pm_server_destroy(server);
    return 0;
}

/* All ranks but the last one, which speaks PMI-1. */
static int set_up_joined(void **state)
{
    (void) set_up(state);
    for (int i = 0; i < RANKS - 1; i++)
        assert_string_equal(line(i, INIT2), JOINED2);
    assert_non_null(strstr(line(RANKS - 1, INIT1), "rc=0"));
    return 0;
}

static void check(const char *const talk[][2], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(ask(0, talk[i][0]), talk[i][1]))
            fail_msg("'%s' got the reply '%s'", talk[i][0], bodies(0));
}

static void answers(void **state)
{
    static const char *const talk[][2] = {
        { "cmd=fullinit;pmijobid=3.0;pmirank=0;threaded=FALSE;",
          "cmd=fullinit-response;rc=0;pmi-version=2;pmi-subversion=0;rank=0;size=4;appnum=0;"
          "debugged=FALSE;pmiverbose=FALSE;" },
        { "cmd=job-getid;", "cmd=job-getid-response;rc=0;jobid=job;" },
        { "cmd=kvs-put;key=k;value=a=b c\nd;", "cmd=kvs-put-response;rc=0;" },
        { "cmd=kvs-get;jobid=job;srcid=-1;key=k;",
          "cmd=kvs-get-response;rc=0;found=TRUE;value=a=b c\nd;" },
        { "cmd=kvs-put;key=k;value=;", "cmd=kvs-put-response;rc=0;" },
        { "cmd=kvs-get;key=k;", "cmd=kvs-get-response;rc=0;found=TRUE;value=;" },
        { "cmd=kvs-get;jobid=;key=l;", "cmd=kvs-get-response;rc=0;found=FALSE;" },
        { "thrid=7;cmd=job-getid;", "cmd=malformed-response;rc=1;errmsg=malformed_message;" },
        { "cmd=job-getid;thrid=a b;", "cmd=job-getid-response;thrid=a b;rc=0;jobid=job;" },
        { "cmd=info-getjobattr;key=PMI_process_mapping;",
          "cmd=info-getjobattr-response;rc=0;found=TRUE;value=(vector,(0,2,2));" },
        { "cmd=info-getjobattr;key=universeSize;",
          "cmd=info-getjobattr-response;rc=0;found=TRUE;value=12;" },
        { "cmd=info-getjobattr;key=hasNameServ;",
          "cmd=info-getjobattr-response;rc=0;found=TRUE;value=TRUE;" },
        { "cmd=info-getjobattr;key=physTopology;",
          "cmd=info-getjobattr-response;rc=0;found=TRUE;value=hierarchical;" },
        { "cmd=info-getjobattr;key=physTopologyLevels;",
          "cmd=info-getjobattr-response;rc=0;found=TRUE;value=complete,complete;" },
        { "cmd=info-getjobattr;key=k;", "cmd=info-getjobattr-response;rc=0;found=FALSE;" },
        { "cmd=spawn;ncmds=1;preputcount=0;subcmd=a;maxprocs=2;argc=0;infokeycount=0;",
          "cmd=spawn-response;rc=1;errmsg=spawn is not supported;nerrs=0;" },
        { "cmd=job-connect;jobid=other;",
          "cmd=job-connect-response;rc=1;errmsg=connecting_jobs_is_not_supported;" },
        { "cmd=job-disconnect;jobid=other;",
          "cmd=job-disconnect-response;rc=1;errmsg=connecting_jobs_is_not_supported;" },
        { "cmd=finalize;thrid=x;", "cmd=finalize-response;thrid=x;rc=0;" },
    };

    (void) state;
    assert_non_null(strstr(ask(2, "cmd=fullinit;"), ";rank=2;size=4;appnum=3;"));
    check(talk, sizeof talk / sizeof *talk);
    assert_int_equal(pm_server_client_state(job, 0), PM_CLIENT_FINALIZED);
    assert_int_equal(pm_server_client_state(job, 1), PM_CLIENT_JOINED);
    assert_int_equal(warnings, 2);
    assert_int_equal(broken_rank, -1);
}

#define MALFORMED "cmd=malformed-response;rc=1;errmsg=malformed_message;"

static void refuses(void **state)
{
    static const char *const talk[][2] = {
        { "", MALFORMED },
        { ";", MALFORMED },
        { "cmd", MALFORMED },
        { "cmd=;", MALFORMED },
        { "cmd=finalize", MALFORMED }, /* the ';' is missing */
        { "cmd=finalize;;", MALFORMED },
        { "cmd=finalize;x", MALFORMED },
        { "cmd=finalize;x=y", MALFORMED },
        { "cmd=finalize;=x;", MALFORMED },
        { "cmd=a b;", MALFORMED },
        { "cmd=job-getid;cmd=finalize;", MALFORMED },
        { "key=k;cmd=finalize;", MALFORMED },
        { "cmd=make-tea;sugar=1;", "cmd=make-tea-response;rc=1;errmsg=unknown_command;" },
        { "cmd=kvs-put;key=k;", "cmd=kvs-put-response;rc=1;errmsg=value_is_missing;" },
        { "cmd=kvs-put;value=v;thrid=3;",
          "cmd=kvs-put-response;thrid=3;rc=1;errmsg=key_is_missing;" },
        { "cmd=kvs-put;key=;value=v;", "cmd=kvs-put-response;rc=1;errmsg=key_is_empty;" },
        { "cmd=kvs-put;key=k;value=v;key=l;",
          "cmd=kvs-put-response;rc=1;errmsg=key_is_given_twice;" },
        { "cmd=kvs-put;key=PMI_process_mapping;value=v;",
          "cmd=kvs-put-response;rc=1;errmsg=reserved_key;" },
        { "cmd=kvs-put;key=STARLING_memory_0;value=v;",
          "cmd=kvs-put-response;rc=1;errmsg=reserved_key;" },
        { "cmd=kvs-get;jobid=other;key=k;", "cmd=kvs-get-response;rc=1;errmsg=no_such_jobid;" },
        { "cmd=fullinit;pmirank=1;", "cmd=fullinit-response;rc=1;errmsg="
                                     "pmirank_is_not_the_rank_of_this_connection;" },
        { "cmd=fullinit;pmirank=0x;", "cmd=fullinit-response;rc=1;errmsg="
                                      "pmirank_is_not_the_rank_of_this_connection;" },
        { "cmd=info-getnodeattr;key=k;wait=maybe;",
          "cmd=info-getnodeattr-response;rc=1;errmsg=wait_is_neither_TRUE_nor_FALSE;" },
        { "cmd=job-getid;thrid=1;thrid=2;",
          "cmd=job-getid-response;rc=1;errmsg=thrid_is_given_twice;" },
    };

    (void) state;
    check(talk, sizeof talk / sizeof *talk);
    assert_int_equal(warnings, 8); /* the limit */
    (void) ask(1, "cmd=kvs-put;key=k;");
    assert_string_equal(warning, "sent the PMI-2 command 'kvs-put', which failed: "
                                 "value_is_missing");
    (void) ask(1, "cmd=\r\033[1m");
    assert_string_equal(warning, "sent a malformed PMI-2 message: 'cmd=??[1m'");
    feed(2, "    14cmd=job\0getid;", 20);
    assert_string_equal(bodies(2), "cmd=malformed-response;rc=1;errmsg=malformed_line;");
    assert_string_equal(ask(2, "cmd=job-getid;"), "cmd=job-getid-response;rc=0;jobid=job;");
    assert_int_equal(broken_rank, -1);
}

static void semicolons_are_doubled(void **state)
{
    (void) state;
    assert_non_null(strstr(ask(0, "cmd=kvs-put;key=a;;b;value=;;x;;;;;"), "rc=0"));
    assert_string_equal(ask(1, "cmd=kvs-get;key=a;;b;"),
                        "cmd=kvs-get-response;rc=0;found=TRUE;value=;;x;;;;;");
    assert_string_equal(line(3, "cmd=get kvsname=job key=a;b\n"),
                        "cmd=get_result rc=0 msg=success value=;x;;\n");
    (void) line(3, "cmd=put kvsname=job key=c value=1;2\n");
    assert_string_equal(ask(1, "cmd=kvs-get;key=c;"),
                        "cmd=kvs-get-response;rc=0;found=TRUE;value=1;;2;");
}

static const char *put_long(char *body, size_t key, size_t value)
{
    int n = snprintf(body, TEXT_MAX, "cmd=kvs-put;key=%0*d;value=", (int) key, 0);

    memset(body + n, 'v', value);
    memcpy(body + n + value, ";", 2);
    return ask(0, body);
}

static void limits(void **state)
{
    static char body[TEXT_MAX];

    (void) state;
    assert_string_equal(put_long(body, 63, 1023), "cmd=kvs-put-response;rc=0;");
    assert_non_null(strstr(put_long(body, 64, 1), "key_is_too_long"));
    assert_non_null(strstr(put_long(body, 1, 1024), "value_is_too_long"));
    size_t others = strlen(body) - 1024;
    (void) put_long(body, 1, (1 << 16) - others);
    assert_non_null(strstr(bodies(0), "value_is_too_long"));
    assert_int_equal(broken_rank, -1);
    (void) put_long(body, 1, (1 << 16) - others + 1);
    assert_string_equal(bodies(0), "cmd=malformed-response;rc=1;errmsg=line_too_long;");
    assert_int_equal(broken_rank, 0);
    assert_string_equal(why, "sent a PMI message longer than 65536 bytes");
    assert_string_equal(ask(0, "cmd=job-getid;"), ""); /* the rank is ignored */
}

static void lengths(void **state)
{
    static const char *const good[] = { "    14", "14    ", "  14  ", "000014" }, *const bad[] = {
        "      ", "1 4   ", "-1    ", "14cmd=", "+14   ", "  0x14", "cmd=in", "\n\r\033\xff  "
    };

    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        char message[32];
        (void) snprintf(message, sizeof message, "%scmd=job-getid;", good[i]);
        (void) line(1, message);
        assert_string_equal(bodies(1), "cmd=job-getid-response;rc=0;jobid=job;");
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        (void) tear_down(state);
        (void) set_up_joined(state);
        (void) line(0, bad[i]);
        assert_string_equal(bodies(0), "cmd=malformed-response;rc=1;errmsg=no_length;");
        assert_int_equal(broken_rank, 0);
        assert_int_equal(warnings, 0);
    }
    assert_string_equal(why, "sent '????  ' where the length of a PMI-2 message belongs");
}

static void torn_messages(void **state)
{
    static const char bytes[] = INIT2 "    13cmd=fullinit;14    cmd=job-getid;";
    long len = 0;

    (void) state;
    for (size_t i = 0; i + 1 < sizeof bytes; i++) {
        feed(0, bytes + i, 1);
        len += (long) strlen(received[0]);
    }
    assert_string_equal(bodies(0), "cmd=job-getid-response;rc=0;jobid=job;");
    feed(1, bytes, sizeof bytes - 1);
    assert_int_equal(strlen(received[1]), len);
    assert_memory_equal(received[1], JOINED2, strlen(JOINED2));
}

static void fences_meet_barriers(void **state)
{
    (void) state;
    for (int i = 0; i < 5; i++) {
        assert_string_equal(ask(0, "cmd=kvs-fence;"), "");
        assert_string_equal(ask(1, i % 2 ? "cmd=kvs-fence;" : "cmd=kvs-fence;thrid=7;"), "");
        assert_string_equal(line(3, "cmd=barrier_in\n"), "");
        assert_string_equal(ask(2, "cmd=kvs-fence;thrid=8;"),
                            "cmd=kvs-fence-response;thrid=8;rc=0;");
        assert_string_equal(bodies(0), "cmd=kvs-fence-response;rc=0;");
        assert_string_equal(bodies(1), i % 2 ? "cmd=kvs-fence-response;rc=0;"
                                             : "cmd=kvs-fence-response;thrid=7;rc=0;");
        assert_string_equal(received[3], "cmd=barrier_out\n");
    }
    (void) ask(0, "cmd=kvs-fence;thrid=1;");
    assert_string_equal(ask(0, "cmd=kvs-fence;thrid=2;"),
                        "cmd=kvs-fence-response;thrid=2;rc=1;errmsg=already_in_a_fence;");
    assert_int_equal(broken_rank, -1);
    (void) ask(1, "cmd=finalize;");
    assert_int_equal(broken_rank, 1);
    assert_non_null(strstr(why, "left the job"));
}

static void values_that_no_line_can_carry(void **state)
{
    (void) state;
    (void) ask(0, "cmd=kvs-put;key=k;value=a b;");
    (void) ask(0, "cmd=kvs-put;key=l;value=a\ncmd=finalize;");
    (void) ask(0, "cmd=name-publish;name=s;port=a b;");
    for (const char *key = "kl"; *key; key++) {
        char get[64];
        (void) snprintf(get, sizeof get, "cmd=get kvsname=job key=%c\n", *key);
        assert_string_equal(line(3, get),
                            "cmd=get_result rc=1 msg=value_has_a_blank_or_newline value=unknown\n");
    }
    assert_string_equal(line(3, "cmd=lookup_name service=s\n"),
                        "cmd=lookup_result info=fail rc=1 msg=value_has_a_blank_or_newline\n");
}

#define FOUND "cmd=info-getnodeattr-response;"

static void attributes_of_a_node(void **state)
{
    (void) state;
    assert_non_null(strstr(ask(0, "cmd=info-putnodeattr;key=k;value=v w;"), "rc=0"));
    assert_string_equal(ask(1, "cmd=info-getnodeattr;key=k;wait=TRUE;"),
                        FOUND "rc=0;found=TRUE;value=v w;");
    assert_string_equal(ask(2, "cmd=info-getnodeattr;key=k;wait=FALSE;"),
                        FOUND "rc=0;found=FALSE;");
    assert_non_null(strstr(ask(1, "cmd=kvs-get;key=k;"), "FALSE")); /* another store */
    assert_string_equal(ask(2, "cmd=info-getnodeattr;key=localRanks;wait=TRUE;"),
                        FOUND "rc=0;found=TRUE;value=2,3;");
    assert_non_null(strstr(ask(2, "cmd=info-getnodeattr;key=localRanksCount;"), "value=2;"));
    assert_string_equal(ask(0, "cmd=info-getnodeattr;key=x;wait=TRUE;thrid=1;"), "");
    assert_string_equal(ask(0, "cmd=info-getnodeattr;key=x;wait=true;"), "");
    assert_string_equal(ask(0, "cmd=info-getnodeattr;key=y;wait=TRUE;thrid=2;"), "");
    assert_string_equal(ask(2, "cmd=info-getnodeattr;key=x;wait=TRUE;"), "");
    (void) ask(1, "cmd=info-putnodeattr;key=x;value=1;");
    assert_string_equal(bodies(1), "cmd=info-putnodeattr-response;rc=0;");
    assert_string_equal(bodies(0),
                        FOUND "rc=0;found=TRUE;value=1;" FOUND "thrid=1;rc=0;found=TRUE;value=1;");
    assert_string_equal(bodies(2), "");
    (void) ask(0, "cmd=info-putnodeattr;key=y;value=2;"); /* by another thread of the same rank */
    assert_string_equal(bodies(0), FOUND "thrid=2;rc=0;found=TRUE;value=2;"
                                         "cmd=info-putnodeattr-response;rc=0;");
    for (int i = 0; i < 15; i++) /* one waits for x */
        assert_string_equal(ask(2, "cmd=info-getnodeattr;key=z;wait=TRUE;"), "");
    assert_non_null(strstr(ask(2, "cmd=info-getnodeattr;key=z;wait=TRUE;"), "too_many_waits"));
}

static void waits_in_vain(void **state)
{
    (void) state;
    (void) ask(0, "cmd=info-getnodeattr;key=k;wait=TRUE;thrid=5;");
    (void) ask(2, "cmd=finalize;");
    assert_string_equal(received[0], "");
    (void) line(1, "    13cmd=finalize;" INIT2); /* it is in the next program then */
    assert_string_equal(bodies(0), FOUND "thrid=5;rc=0;found=FALSE;");
    assert_string_equal(ask(0, "cmd=info-getnodeattr;key=k;wait=TRUE;"), FOUND "rc=0;found=FALSE;");
    (void) tear_down(state);

    (void) set_up(state);
    (void) line(0, INIT2);
    (void) line(1, INIT2);
    (void) ask(0, "cmd=info-getnodeattr;key=k;wait=TRUE;");
    (void) ask(1, "cmd=info-getnodeattr;key=k;wait=TRUE;");
    feed(0, "", 0);
    pm_server_gone(job, 1); /* and so does its own wait */
    assert_string_equal(bodies(0), FOUND "rc=0;found=FALSE;");
    assert_string_equal(received[1], "");
    (void) line(2, INIT2);
    assert_string_equal(ask(2, "cmd=info-getnodeattr;key=k;wait=TRUE;"), ""); /* 3 may still join */
    (void) line(2, "    13cmd=finalize;" INIT2); /* its wait ends with its program */
    (void) line(3, INIT2);
    (void) ask(3, "cmd=info-putnodeattr;key=k;value=1;");
    assert_string_equal(received[2], "");
}

static void names(void **state)
{
    static const char *const talk[][2] = {
        { "cmd=name-publish;name=svc one;port=tag#0$;infokeycount=0;",
          "cmd=name-publish-response;rc=0;" },
        { "cmd=name-publish;name=svc one;port=2;infokeycount=0;",
          "cmd=name-publish-response;rc=1;errmsg=already_published;" },
        { "cmd=name-lookup;name=svc one;infokeycount=0;",
          "cmd=name-lookup-response;rc=0;found=TRUE;port=tag#0$;value=tag#0$;" },
        { "cmd=name-unpublish;name=svc one;", "cmd=name-unpublish-response;rc=0;" },
        { "cmd=name-unpublish;name=svc one;",
          "cmd=name-unpublish-response;rc=1;errmsg=service_not_found;" },
        { "cmd=name-lookup;name=svc one;",
          "cmd=name-lookup-response;rc=1;errmsg=service_not_found;found=FALSE;" },
        { "cmd=name-publish;name=s;port=p;", "cmd=name-publish-response;rc=0;" },
        { "cmd=name-publish;name=;port=p;",
          "cmd=name-publish-response;rc=1;errmsg=name_is_empty;" },
    };

    (void) state;
    check(talk, sizeof talk / sizeof *talk);
    assert_string_equal(line(3, "cmd=lookup_name service=s\n"),
                        "cmd=lookup_result port=p info=ok rc=0 msg=success\n");
    assert_int_equal(warnings, 1); /* of the empty name */
}

static void aborts(void **state)
{
    (void) state;
    (void) line(1, "    46cmd=abort;isworld=TRUE;msg=bad\nthing, it is;;;    14cmd=job-getid;");
    assert_int_equal(abort_rank, 1);
    assert_int_equal(abort_code, 1);
    assert_string_equal(why, "bad thing, it is;");
    assert_string_equal(received[1], "");
    (void) ask(2, "cmd=abort;isworld=TRUE;exitcode=300;");
    assert_int_equal(abort_rank, 2);
    assert_int_equal(abort_code, 300);
    assert_string_equal(why, "");
}

static void programs_in_a_row(void **state)
{
    (void) state;
    (void) ask(0, "cmd=kvs-put;key=k;value=old;");
    (void) ask(0, "cmd=info-putnodeattr;key=k;value=old;");
    (void) line(0, "    13cmd=finalize;" INIT1 "cmd=get_my_kvsname\n");
    assert_string_equal(received[0] + 6, "cmd=finalize-response;rc=0;"
                                         "cmd=response_to_init pmi_version=1 pmi_subversion=1 "
                                         "rc=0 msg=success kvsname=job_1 STARLING_settings=A=1\n"
                                         "cmd=my_kvsname kvsname=job_1 rc=0\n");
    (void) line(0, "cmd=finalize\n" INIT2);
    assert_string_equal(ask(0, "cmd=job-getid;"), "cmd=job-getid-response;rc=0;jobid=job_2;");
    assert_non_null(strstr(ask(0, "cmd=kvs-get;key=k;"), "found=FALSE"));
    assert_non_null(strstr(ask(0, "cmd=info-getnodeattr;key=k;"), "found=FALSE"));
    assert_non_null(strstr(ask(1, "cmd=info-getnodeattr;key=k;"), "value=old"));
    assert_int_equal(broken_rank, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(answers, set_up_joined, tear_down),
        cmocka_unit_test_setup_teardown(refuses, set_up_joined, tear_down),
        cmocka_unit_test_setup_teardown(semicolons_are_doubled, set_up_joined, tear_down),
        cmocka_unit_test_setup_teardown(limits, set_up_joined, tear_down),
        cmocka_unit_test_setup_teardown(lengths, set_up_joined, tear_down),
        cmocka_unit_test_setup_teardown(torn_messages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fences_meet_barriers, set_up_joined, tear_down),
        cmocka_unit_test_setup_teardown(values_that_no_line_can_carry, set_up_joined, tear_down),
        cmocka_unit_test_setup_teardown(attributes_of_a_node, set_up_joined, tear_down),
        cmocka_unit_test_setup_teardown(waits_in_vain, set_up_joined, tear_down),
        cmocka_unit_test_setup_teardown(names, set_up_joined, tear_down),
        cmocka_unit_test_setup_teardown(aborts, set_up_joined, tear_down),
        cmocka_unit_test_setup_teardown(programs_in_a_row, set_up_joined, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
