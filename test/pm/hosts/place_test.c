/* place_test.c — which hosts programs choose, and where their ranks are; numbers of -soft. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "pm/hosts/pm_hosts.h"

enum { RANKS = 64 };

static struct pm_hosts hosts;
static struct pm_choices choices;
static char text[1024];

static int clear(void **state)
{
    (void) state;
    free(choices.of);
    choices = (struct pm_choices) { .of = NULL };
    pm_hosts_free(&hosts);
    return 0;
}

/* Places ranks of one more program and appends the names of their hosts to text. */
static int place(const char *names, int count, const struct pm_layout *l)
{
    size_t len = strlen(text);
    int host[RANKS], err;

    free(choices.of);
    choices = (struct pm_choices) { .of = NULL };
    err = names ? pm_choose_names(&hosts, "-host", names, &choices)
                : pm_choose_first(&hosts, hosts.count, &choices);
    if (!err)
        err = pm_choices_restrict(&hosts, &choices, l, NULL);
    if (!err)
        err = pm_hosts_place(&hosts, l, &choices, count, host);
    for (int i = 0; !err && i < count; i++)
        len += (size_t) snprintf(text + len, sizeof text - len, "%s", hosts.entry[host[i]]->name);
    return err;
}

static void expect(const char *list, int count, struct pm_layout l, const char *expected)
{
    clear(NULL);
    *text = '\0';
    assert_int_equal(pm_hosts_from_names(&hosts, "-f", list), 0);
    int err = place(NULL, count, &l);
    if (*expected == '!' ? !err || !strstr(hosts.why, expected + 1)
                         : err || strcmp(text, expected) != 0)
        fail_msg("%d on %s: '%s' instead of '%s'", count, list, err ? hosts.why : text, expected);
}

static void layouts(void **state)
{
    const struct pm_layout by_slot = { .by_node = false }, by_node = { .by_node = true };
    const struct pm_layout two = { .per_host = 2 },
                           turns_of_two = { .per_host = 2, .by_node = true };
    const struct pm_layout strict = { .strict = true };
    const struct pm_layout strict_two = { .strict = true, .per_host = 2 };
    const struct pm_layout up = { .order = PM_ASCENDING }, down = { .order = PM_DESCENDING };

    (void) state;
    expect("a,b,c", 3, by_slot, "abc");
    expect("a,b,c", 7, by_slot, "abcabca");
    expect("a:2,b:1,c:3", 6, by_slot, "aabccc");
    expect("a:2,b:1,c:3", 9, by_slot, "aabcccaab");
    expect("a:2,b:1", 1, by_slot, "a");
    expect("a:2,b:1,c:3", 6, by_node, "abcacc");
    expect("a:2,b:1,c:3", 10, by_node, "abcaccabca");
    expect("a:4,b:1", 5, two, "aabba");
    expect("a,b,c", 4, two, "aabb");
    expect("a,b", 6, turns_of_two, "ababab");
    expect("a:2,b:1", 3, strict, "aab");
    expect("a:2,b:1", 4, strict, "!4 ranks, and 3 slots of their hosts are free (-strict-slots)");
    expect("a:1,b:3", 3, strict_two, "abb");
    expect("a:3,b:1,c:3,d:2", 9, up, "bddaaaccc");
    expect("a:3,b:1,c:3,d:2", 9, down, "aaacccddb");
}

static void limits(void **state)
{
    static const struct pm_layout by_slot = { .by_node = false }, by_node = { .by_node = true };
    static const struct pm_layout nine = { .per_host = 9 };

    (void) state;
    assert_int_equal(pm_hosts_from_names(&hosts, "-f", "a:2,b:1,c:1"), 0);
    hosts.entry[0]->max_slots = 3;
    hosts.entry[1]->max_slots = 1;
    *text = '\0';
    assert_int_equal(place(NULL, 8, &by_slot), 0);
    assert_string_equal(text, "aabcaccc");
    for (int i = 0; i < 3; i++)
        hosts.entry[i]->ranks = 0;
    *text = '\0';
    assert_int_equal(place(NULL, 7, &by_node), 0);
    assert_string_equal(text, "abcaacc");
    hosts.entry[2]->max_slots = 2;
    for (int i = 0; i < 3; i++)
        hosts.entry[i]->ranks = 0;
    *text = '\0';
    assert_int_equal(pm_choices_room(&hosts, &choices, &by_slot), 6);
    assert_int_equal(pm_choices_slots(&hosts, &choices, &by_slot), 4);
    assert_int_equal(pm_choices_slots(&hosts, &choices, &nine), 6);
    assert_int_not_equal(place(NULL, 7, &by_slot), 0);
    assert_string_equal(hosts.why, "7 ranks, and max_slots of their hosts allow 6");
    assert_int_equal(place(NULL, 6, &nine), 0);
    assert_string_equal(text, "aaabcc");
    assert_int_equal(pm_choices_room(&hosts, &choices, &by_slot), 0);
}

static void several_programs(void **state)
{
    static const struct pm_layout by_slot = { .by_node = false }, by_node = { .by_node = true };
    static const struct pm_layout strict = { .strict = true };

    (void) state;
    *text = '\0';
    assert_int_equal(pm_hosts_from_names(&hosts, "-f", "a:2,b:2,c:2"), 0);
    assert_int_equal(place(NULL, 3, &by_slot), 0);
    assert_int_equal(place(NULL, 2, &by_slot), 0); /* goes on where the first ended */
    assert_int_equal(place("c,d:3", 5, &by_slot), 0);
    assert_string_equal(text, "aab"
                              "bc"
                              "cdddc");
    assert_int_equal(place("b", 1, &strict), -22);
    assert_string_equal(hosts.why, "1 ranks, and 0 slots of their hosts are free (-strict-slots)");
    *text = '\0';
    assert_int_equal(place("x:2,y:2", 1, &by_node), 0);
    assert_int_equal(place("x,y", 2, &by_node), 0);
    assert_int_equal(place("x,y,x", 2, &by_node), 0);
    assert_string_equal(text, "x"
                              "yx"
                              "yx");
}

static void slots_of_names(void **state)
{
    (void) state;
    assert_int_equal(pm_hosts_from_names(&hosts, "-f", "a:4,b:4,c"), 0);
    assert_int_equal(pm_choose_names(&hosts, "-host", "C,b:2,A,d,d,me@e", &choices), 0);
    const struct pm_choice expected[] = { { 2, 1 }, { 1, 2 }, { 0, 4 }, { 3, 2 }, { 4, 1 } };
    assert_int_equal(choices.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(choices.of[i].host, expected[i].host);
        assert_int_equal(choices.of[i].slots, expected[i].slots);
    }
    free(choices.of);
    assert_int_equal(pm_choose_names(&hosts, "-host", "me@a", &choices), 0);
    assert_string_equal(hosts.entry[0]->user, "me");
    assert_int_equal(hosts.entry[0]->slots, 4);
    free(choices.of);
    choices.of = NULL;
    assert_int_equal(pm_choose_names(&hosts, "-host", "you@a", &choices), -22);
    assert_string_equal(hosts.why, "-host: host 'a': user 'you', but 'me' before");
    assert_int_equal(pm_choose_names(&hosts, "-H", "a:0", &choices), -22);
    assert_non_null(strstr(hosts.why, "-H: host 'a': slots '0'"));
}

static void excluded(void **state)
{
    const struct pm_layout any = { .by_node = false }, remote = { .skip_here = true };
    char x86[] = "x86_64", arm[] = "aarch64";

    (void) state;
    assert_int_equal(pm_hosts_from_names(&hosts, "-f", "a,b,c"), 0);
    hosts.entry[0]->here = true;
    hosts.entry[1]->arch = strdup(x86);
    hosts.entry[2]->arch = strdup(arm);
    assert_int_equal(pm_choose_first(&hosts, 3, &choices), 0);
    assert_int_equal(pm_choices_restrict(&hosts, &choices, &any, "AArch64"), 0);
    assert_int_equal(choices.count, 2); /* what is not known is not excluded */
    assert_int_equal(choices.of[1].host, 2);
    assert_int_equal(pm_choices_restrict(&hosts, &choices, &remote, "x86_64"), -22);
    assert_string_equal(hosts.why, "-arch x86_64: no host is of this architecture");
    free(choices.of);
    assert_int_equal(pm_choose_first(&hosts, 1, &choices), 0);
    assert_int_equal(pm_choices_restrict(&hosts, &choices, &remote, NULL), -22);
    assert_string_equal(hosts.why, "-skip-launch-node (-nolocal): no host is left");
}

/* Neither many ranks nor many hosts take long, in any layout: a hang is a failure. */
static void large(void **state)
{
    enum { MANY = 100000 };
    static int host[MANY];
    const struct pm_layout by_slot = { .by_node = false }, by_node = { .by_node = true };

    (void) state;
    assert_int_equal(pm_hosts_from_names(&hosts, "-f", "a:1,n[1-50000],z:100000"), 0);
    for (size_t i = 1; i <= 50000; i++)
        hosts.entry[i]->max_slots = 1;
    assert_int_equal(pm_choose_first(&hosts, hosts.count, &choices), 0);
    assert_int_equal(pm_hosts_place(&hosts, &by_node, &choices, MANY, host), 0);
    assert_int_equal(host[MANY - 1], 50001);
    for (size_t i = 0; i < hosts.count; i++)
        hosts.entry[i]->ranks = 0;
    choices.count--;
    assert_int_equal(pm_hosts_place(&hosts, &by_slot, &choices, MANY, host), 0);
    assert_int_equal(host[MANY - 1], 0);
    assert_int_equal(hosts.entry[0]->ranks, 50000);
    choices.count++;
    assert_int_equal(pm_choices_room(&hosts, &choices, &by_slot), INT_MAX);
}

#define TEST(name) cmocka_unit_test_teardown(name, clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(layouts),        TEST(limits),   TEST(several_programs),
        TEST(slots_of_names), TEST(excluded), TEST(large),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
