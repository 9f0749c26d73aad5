/* hub_test.c — a PMI server on each node, and their root: the same replies as from one server, and
 * how many notes they take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "hubs.h"
#include "pm/server/pm_kvs.h"

/* ---- replies --------------------------------------------------------------------------------- */

/* What ranks say, one after the other. */
static const struct {
    int rank;
    const char *line;
} script[] = {
    { 0, "cmd=put kvsname=job key=early value=x\n" },
    { 0, INIT },
    { 1, INIT },
    { 2, INIT },
    { 3, INIT },
    { 4, INIT },
    { 5, INIT },
    { 6, INIT },
    { 7, "cmd=init pmi_version=2 pmi_subversion=0\n" },
    { 7, "    17cmd=fullinit;a=b;" },
    { 5, "cmd=get_appnum\n" },
    { 5, "cmd=get_universe_size\n" },
    { 6, "cmd=get kvsname=job key=PMI_process_mapping\n" },
    { 6, "cmd=get kvsname=job key=STARLING_settings\n" },
    { 0, "cmd=put kvsname=job key=a value=1\n" },
    { 0, "cmd=get kvsname=job key=a\n" },
    { 4, "cmd=put kvsname=job key=ab value=2\n" },
    { 1, "cmd=put kvsname=job key=STARLING_all_ value=2\n" },
    { 5, "cmd=get kvsname=job key=none\n" },
    { 0, "cmd=barrier_in\n" },
    { 1, "cmd=barrier_in\n" },
    { 2, "cmd=barrier_in\n" },
    { 3, "cmd=barrier_in\n" },
    { 3, "cmd=barrier_in\n" },
    { 4, "cmd=barrier_in\n" },
    { 5, "cmd=barrier_in\n" },
    { 6, "cmd=barrier_in\n" },
    { 7, "    23cmd=kvs-fence;thrid=t1;" },
    { 7, "    26cmd=kvs-get;key=a;thrid=x;" },
    { 7, "    19cmd=kvs-get;key=no;" },
    { 5, "cmd=get kvsname=job key=a\n" },
    { 1, "cmd=get kvsname=job key=ab\n" },
    { 2, "cmd=get kvsname=job key=STARLING_all_ab\n" },
    { 2, "cmd=get kvsname=job key=none\ncmd=get kvsname=job key=ab\ncmd=get_appnum\n" },
    { 5, "cmd=get kvsname=other key=none\n" },
    { 5, "cmd=get kvsname=job key=STARLING_memory_1\n" },
    { 1, "cmd=lookup_name service=s\n" },
    { 1, "cmd=publish_name service=s port=p\n" },
    { 4, "cmd=publish_name service=s port=q\n" },
    { 7, "    23cmd=name-lookup;name=s;" },
    { 4, "cmd=unpublish_name service=s\ncmd=lookup_name service=s\n" },
    { 1, "cmd=unpublish_name service=s\n" },
    { 1, "garbage\n" },
    { 0, "cmd=finalize\n" INIT "cmd=get_my_kvsname\ncmd=get kvsname=job_1 key=a\n" },
};

enum { STEPS = sizeof script / sizeof *script };

static void replies_are_those_of_one_server(void **state)
{
    static char expected[STEPS][2 * PER_NODE][REPLY_MAX];
    int expected_warnings = 0;

    (void) state;
    for (int hubs = 0; hubs < 2; hubs++) {
        create(2, hubs);
        for (int i = 0; i < STEPS; i++) {
            for (int k = 0; k < 2 * PER_NODE; k++)
                reply[k][0] = '\0';
            (void) say(script[i].rank, script[i].line);
            for (int k = 0; k < 2 * PER_NODE; k++) {
                if (!hubs)
                    memcpy(expected[i][k], reply[k], strlen(reply[k]) + 1);
                assert_string_equal(reply[k], expected[i][k]);
            }
        }
        if (!hubs)
            expected_warnings = warnings;
        assert_int_equal(warnings, expected_warnings);
        assert_true(warnings > 0 && broken_rank < 0);
        destroy();
    }
}

/* ---- keys ------------------------------------------------------------------------------------ */

static const char *get(int rank, const char *key)
{
    char line[128];

    (void) snprintf(line, sizeof line, "cmd=get kvsname=job key=%s\n", key);
    (void) say(rank, line);
    char *value = strstr(reply[rank], "value=");
    assert_non_null(value);
    value[strcspn(value, "\n")] = '\0';
    return value + strlen("value=");
}

static void put(int rank, const char *key, const char *value)
{
    char line[1400];

    (void) snprintf(line, sizeof line, "cmd=put kvsname=job key=%s value=%s\n", key, value);
    assert_string_equal(say(rank, line), "cmd=put_result rc=0 msg=success\n");
}

static void a_key_passes_once(void **state)
{
    (void) state;
    open_two();
    put(0, "k", "v");
    assert_int_equal(all_notes(0), 0);
    all_say(8, "cmd=barrier_in\n");
    assert_int_equal(all_notes(0), 2);
    for (int i = 4; i < 8; i++) /* at the same time */
        send_line(i, "cmd=get kvsname=job key=k\n");
    assert_string_equal(reply[5], "");
    settle();
    for (int i = 4; i < 8; i++)
        assert_string_equal(reply[i], "cmd=get_result rc=0 msg=success value=v\n");
    assert_string_equal(get(6, "k"), "v");
    assert_string_equal(get(1, "k"), "v"); /* of its own node */
    assert_int_equal(notes(1, PM_NOTE_GET), 1);
    assert_int_equal(notes(1, PM_NOTE_VALUE), 1);
    assert_int_equal(notes(0, PM_NOTE_GET), 0);
    destroy();
}

static void what_is_unknown_is_asked_again_after_a_barrier(void **state)
{
    (void) state;
    open_two();
    for (int i = 0; i < 3; i++)
        assert_string_equal(get(4 + i, "k"), "unknown");
    assert_string_equal(get(4, "STARLING_all_k"), "");
    assert_string_equal(get(5, "STARLING_all_k"), "");
    assert_int_equal(notes(1, PM_NOTE_GET), 2);
    put(0, "k", "v");
    all_say(8, "cmd=barrier_in\n");
    assert_string_equal(get(5, "k"), "v");
    assert_string_equal(get(5, "STARLING_all_k"), "v;");
    assert_string_equal(get(5, "STARLING_all_k"), "v;");
    assert_int_equal(notes(1, PM_NOTE_GET), 2);
    all_say(8, "cmd=barrier_in\n");
    assert_string_equal(get(6, "k"), "v"); /* it is kept */
    assert_int_equal(notes(1, PM_NOTE_GET), 0);
    destroy();
}

static void a_new_value_replaces_those_that_are_kept(void **state)
{
    (void) state;
    open_two();
    put(0, "k", "old");
    all_say(8, "cmd=barrier_in\n");
    assert_string_equal(get(4, "k"), "old");
    put(1, "k", "new");
    put(5, "own", "x");
    assert_string_equal(get(2, "k"), "new"); /* on its node at once */
    all_say(7, "cmd=barrier_in\n");
    send_line(7, "cmd=barrier_in\n");                       /* its hub has sent what it has, */
    send_line(7, "cmd=put kvsname=job key=late value=y\n"); /* and this is not at the root */
    settle();
    assert_string_equal(get(7, "k"), "new");
    assert_string_equal(get(4, "late"), "y");
    assert_string_equal(get(4, "own"), "x");
    assert_string_equal(get(0, "k"), "new");
    destroy();
}

/* Two nodes put the same key: all agree after the barrier. */
static void the_last_value_counts(void **state)
{
    char value[16];

    (void) state;
    open_two();
    put(0, "k", "0");
    put(4, "k", "4");
    all_say(8, "cmd=barrier_in\n");
    (void) snprintf(value, sizeof value, "%s", get(0, "k"));
    for (int i = 1; i < 8; i++)
        assert_string_equal(get(i, "k"), value);
    destroy();
}

static void more_than_a_note_has_room_for(void **state)
{
    static char value[1024];
    char key[16];

    (void) state;
    open_two();
    memset(value, 'x', 1000);
    for (int i = 0; i < 1000; i++) {
        (void) snprintf(key, sizeof key, "k%d", i);
        put(0, key, value);
    }
    assert_int_equal(notes(0, PM_NOTE_PUT), 3);
    all_say(8, "cmd=barrier_in\n");
    assert_string_equal(get(4, "k0"), value);
    assert_string_equal(get(4, "k999"), value);
    destroy();
}

/* All values of a prefix, which have no room in one. */
static void a_long_list_has_pages(void **state)
{
    static char value[1024], all[2 * REPLY_MAX];
    char key[64];
    size_t len = 0;
    int page = 0;

    (void) state;
    open_two();
    memset(value, 'x', 1000);
    for (int i = 0; i < 100; i++) {
        (void) snprintf(key, sizeof key, "list-%d", i);
        value[0] = (char) ('A' + i % 26);
        put(0, key, value);
        put(1, key + 1, "other");
    }
    all_say(8, "cmd=barrier_in\n");
    for (bool more = true; more; page++) {
        (void) snprintf(key, sizeof key, "STARLING_page_%d_list-", page);
        const char *text = get(4 + page, key);
        more = text[strlen(text) - 1] == '+';
        len +=
            (size_t) snprintf(all + len, sizeof all - len, "%.*s", (int) strlen(text) - more, text);
    }
    assert_int_equal(page, 2);
    assert_int_equal(len, 100 * 1001);
    for (const char *at = all; *at; at += 1001)
        assert_true(*at >= 'A' && *at <= 'Z' && strspn(at + 1, "x") == 999 && at[1000] == ';');
    assert_string_equal(get(7, "STARLING_all_list-"), "unknown");
    assert_string_equal(get(7, "STARLING_page_2_list-"), "unknown");
    assert_string_equal(get(3, "STARLING_page_x_list-"), "unknown");
    assert_string_equal(get(3, "STARLING_page_0_ist-9"), get(2, "STARLING_all_ist-9"));
    destroy();
}

/* Of the server of one node: a list has what was put last. */
static void a_list_is_made_anew(void **state)
{
    (void) state;
    create(1, false);
    all_say(4, INIT);
    put(0, "k-0", "a");
    assert_string_equal(get(1, "STARLING_all_k-"), "a;");
    put(1, "k-0", "b");
    assert_string_equal(get(0, "STARLING_all_k-"), "b;");
    assert_string_equal(get(0, "STARLING_all_none"), "");
    destroy();
}

/* ---- how many notes -------------------------------------------------------------------------- */

static int joins; /* how often the root has gone through all keys */
char *__real_pm_kvs_join(const struct pm_kvs *k, const char *prefix);
char *__wrap_pm_kvs_join(const struct pm_kvs *k, const char *prefix);

char *__wrap_pm_kvs_join(const struct pm_kvs *k, const char *prefix)
{
    joins++;
    return __real_pm_kvs_join(k, prefix);
}

/* A job as MPI_Init makes it, in which each node talks to one other. Returns the notes of each
 * link. */
static int of_job(int count)
{
    int ranks = count * PER_NODE;
    char line[128];

    create(count, true);
    all_say(ranks, INIT);
    all_say(ranks, "cmd=get kvsname=job key=STARLING_settings\n");
    for (int i = 0; i < ranks; i++) {
        (void) snprintf(line, sizeof line, "cmd=put kvsname=job key=card-%d value=c%d\n", i, i);
        (void) say(i, line);
    }
    all_say(ranks, "cmd=barrier_in\n");
    joins = 0;
    all_say(ranks, "cmd=get kvsname=job key=STARLING_all_node-\n");
    assert_int_equal(joins, 1);
    for (int i = 0; i < ranks; i++) {
        int peer = (i / PER_NODE + 1) % count * PER_NODE;
        (void) snprintf(line, sizeof line, "cmd=get kvsname=job key=card-%d\n", peer);
        (void) say(i, line);
    }
    all_say(ranks, "cmd=barrier_in\n");
    all_say(ranks, "cmd=finalize\n");
    for (int i = 0; i < ranks; i++)
        end_rank(i);
    assert_true(broken_rank < 0 && !warnings);
    int n = all_notes(0);
    for (int i = 1; i < count; i++)
        assert_int_equal(all_notes(i), n);
    destroy();
    return n;
}

/* JOINED, two barriers, two keys, MISSING, LEFT and GONE: each link alike. */
static void notes_do_not_grow_with_ranks(void **state)
{
    (void) state;
    for (int count = 2; count <= NODES_MAX; count *= 2)
        assert_int_equal(of_job(count), 1 + 2 * 2 + 2 * 2 + 3);
}

/* The lowest rank of each node asks for what all need that are 1, 2, 4, ... nodes away. */
static void lowest_ranks_ask(int count, const char *key, int requests)
{
    char line[64];

    for (int i = 0; i < count; i++) {
        for (int far = 1; far < count; far *= 2) {
            int at[] = { (i + far) % count, (i - far + count) % count };
            for (int k = 0; k < 2; k++) {
                (void) snprintf(line, sizeof line, key, at[k] * PER_NODE);
                char want[64];
                (void) snprintf(want, sizeof want, "v%d", at[k] * PER_NODE);
                assert_string_equal(get(i * PER_NODE, line), want);
            }
        }
        assert_int_equal(notes(i, PM_NOTE_GET), requests);
        assert_int_equal(notes(i, PM_NOTE_VALUE), requests);
    }
}

static void all_put(int count, const char *key)
{
    char name[64], value[16];

    for (int i = 0; i < count * PER_NODE; i++) {
        (void) snprintf(name, sizeof name, key, i);
        (void) snprintf(value, sizeof value, "v%d", i);
        put(i, name, value);
    }
    all_say(count * PER_NODE, "cmd=barrier_in\n");
}

static void a_hub_asks_once_for_business_cards(void **state)
{
    (void) state;
    for (int count = 3; count <= NODES_MAX; count += 61) {
        create(count, true);
        all_say(count * PER_NODE, INIT);
        all_put(count, "card-%d");
        assert_string_equal(get(0, "no-4"), "unknown");
        assert_string_equal(get(0, "secret"), "unknown");
        assert_int_equal(notes(0, PM_NOTE_GET), 2);
        (void) notes(0, PM_NOTE_VALUE);
        lowest_ranks_ask(count, "card-%d", 1);
        all_put(count, "card-%d.1"); /* after a checkpoint */
        lowest_ranks_ask(count, "card-%d.1", 1);
        destroy();
    }
}

/* Other ranks talk to few, and so do all when they ask for others than lowest ranks. */
static void other_ranks_get_what_they_ask_for(void **state)
{
    (void) state;
    create(8, true);
    all_say(8 * PER_NODE, INIT);
    all_put(8, "card-%d");
    assert_string_equal(get(1, "card-4"), "v4");
    assert_string_equal(get(1, "card-8"), "v8");
    assert_int_equal(notes(0, PM_NOTE_GET), 2);
    assert_string_equal(get(4, "card-9"), "v9");
    assert_string_equal(get(4, "card-10"), "v10");
    assert_string_equal(get(4, "card-8"), "v8");
    assert_string_equal(get(4, "card-12"), "v12");
    assert_int_equal(notes(1, PM_NOTE_GET), 3);
    destroy();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replies_are_those_of_one_server),
        cmocka_unit_test(a_key_passes_once),
        cmocka_unit_test(what_is_unknown_is_asked_again_after_a_barrier),
        cmocka_unit_test(a_new_value_replaces_those_that_are_kept),
        cmocka_unit_test(the_last_value_counts),
        cmocka_unit_test(more_than_a_note_has_room_for),
        cmocka_unit_test(a_long_list_has_pages),
        cmocka_unit_test(a_list_is_made_anew),
        cmocka_unit_test(a_hub_asks_once_for_business_cards),
        cmocka_unit_test(other_ranks_get_what_they_ask_for),
        cmocka_unit_test(notes_do_not_grow_with_ranks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
