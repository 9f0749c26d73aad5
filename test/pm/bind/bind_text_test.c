/* bind_text_test.c — what src/pm/bind reads: the values of -bind-to and -map-by, sets of CPUs, and
 * the text of starling_topo. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "pm/bind/pm_bind.h"

/* ---- options --------------------------------------------------------------------------------- */

static struct pm_bind bind(const char *to, const char *by)
{
    struct pm_bind b = { .how = PM_BIND_DEFAULT };
    char why[512];

    if (to && pm_bind_to(&b, to, why, sizeof why))
        fail_msg("-bind-to %s: %s", to, why);
    if (by && pm_bind_map(&b, by, why, sizeof why))
        fail_msg("-map-by %s: %s", by, why);
    if (pm_bind_finish(&b, why, sizeof why))
        fail_msg("-bind-to %s -map-by %s: %s", to, by, why);
    return b;
}

static void refused_values(void **state)
{
    static const char *const cases[][3] = {
        { "to", "cores", "'cores' is not known; known are none, rr, user:0+2,1, hwthread, core" },
        { "to", "", "'' is not known" },
        { "to", "core:0", "'0' is not a number from 1 to 4096" },
        { "to", "core:-1", "'-1' is not" },
        { "to", "core:4097", "'4097' is not" },
        { "to", "core:99999999999999999999", "is not a number" },
        { "to", "core:2:2", "'2' is not" },
        { "to", "core:2x", "'2x' is not" },
        { "to", "core:", "'' is not" },
        { "to", "none:2", "without a colon" },
        { "to", "pci:0000:03:00.0", "devices" },
        { "to", "gpu0", "devices" },
        { "to", "gpu:2", "devices" },
        { "to", "ib", "devices" },
        { "to", "eth1", "devices" },
        { "to", "en0", "devices" },
        { "to", "hfi", "devices" },
        { "to", "l4cache", "l1cache, l2cache and l3cache are known" },
        { "to", "l1dcache", "l1cache, l2cache and l3cache are known" },
        { "to", "user", "'user' is not known" },
        { "to", "user:", "not sets of CPUs" },
        { "to", "user:1,,2", "not sets of CPUs" },
        { "to", "user:1+", "not sets of CPUs" },
        { "to", "user:4096", "from 0 to 4095" },
        { "to", "user:3-1", "not sets of CPUs" },
        { "by", "board:x", "'x' is not known; known are pe=N" },
        { "by", "core:2:3", "'3' is not known" },
        { "by", "slot:2", "'2' is not known" },
        { "by", "socket:pe=0", "'pe=0' is not" },
        { "by", "socket:pe=", "'pe=' is not" },
        { "by", "ppr", "not ppr:N:PART" },
        { "by", "ppr:2", "not ppr:N:PART" },
        { "by", "ppr:0:core", "not ppr:N:PART" },
        { "by", "ppr:x:core", "not ppr:N:PART" },
        { "by", "ppr:2:slot", "not ppr:N:PART" },
        { "by", "ppr:2:cores", "'cores' is not known; known are slot, node, ppr:N:PART" },
        { "by", "ppr:2:core:2", "'2' is not known" },
        { "by", "gpu", "devices" },
        { "memory", "bind:0", "known are none and firsttouch" },
        { "memory", "interleave:0,1", "known are none and firsttouch" },
    };

    (void) state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pm_bind b = { .how = PM_BIND_DEFAULT };
        char why[512] = "";
        const char *value = cases[i][1];
        int err = !strcmp(cases[i][0], "to")   ? pm_bind_to(&b, value, why, sizeof why)
                  : !strcmp(cases[i][0], "by") ? pm_bind_map(&b, value, why, sizeof why)
                                               : pm_bind_memory(value, why, sizeof why);
        if (err >= 0 || !strstr(why, cases[i][2]))
            fail_msg("%s '%s' gave %d, '%s'", cases[i][0], value, err, why);
    }
}

static void accepted_values(void **state)
{
    char why[512];
    struct pm_bind b;

    (void) state;
    b = bind("Core:overload-allowed:if-supported", "Socket:oversubscribe");
    assert_true(b.how == PM_BIND_OBJECTS && b.to == PM_CORE && b.count == 1);
    assert_true(b.map == PM_MAP_OBJECTS && b.by == PM_PACKAGE && b.stride == 1 && !b.pe);
    b = bind("none", "node");
    assert_int_equal(b.map, PM_MAP_NODE);
    b = bind(NULL, "ppr:4:node");
    assert_true(b.map == PM_MAP_NODE && b.in_a_row == 4);
    assert_int_equal(pm_bind_memory("none", why, sizeof why), 0);
    assert_int_equal(pm_bind_memory("firsttouch", why, sizeof why), 0);
}

/* The last option counts, also when it is the shorter one. */
static void the_last_one_counts(void **state)
{
    struct pm_bind b = bind("core:4", "ppr:2:numa:pe=4");
    char why[512];

    (void) state;
    assert_int_equal(pm_bind_map(&b, "socket", why, sizeof why), 0);
    assert_int_equal(pm_bind_to(&b, "hwthread", why, sizeof why), 0);
    assert_true(!b.pe && !b.in_a_row && b.count == 1 && b.by == PM_PACKAGE);
}

static void contradictions(void **state)
{
    static const char *const to[] = { "none", "rr", "user:1", "socket", "numa", "core:2" };

    (void) state;
    for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
        struct pm_bind b = { .how = PM_BIND_DEFAULT };
        char why[512] = "";
        assert_int_equal(pm_bind_to(&b, to[i], why, sizeof why), 0);
        assert_int_equal(pm_bind_map(&b, "slot:pe=3", why, sizeof why), 0);
        assert_true(pm_bind_finish(&b, why, sizeof why) < 0);
        assert_non_null(strstr(why, "pe=3"));
    }
}

/* ---- sets ------------------------------------------------------------------------------------ */

static void sets(void **state)
{
    static const char *const good[] = { "0", "0-3", "0,2-3,4095", "62-65,127-128", "4094-4095" };
    static const char *const bad[] = { "",
                                       ",",
                                       "0,",
                                       "-1",
                                       "1-",
                                       "1--2",
                                       "2-1",
                                       "0,0",
                                       "1,0",
                                       "0 ",
                                       "0-4096",
                                       "4096",
                                       "x",
                                       "0-3,3",
                                       "0;1",
                                       "+1",
                                       "99999999999999999999" };
    char out[PM_CPUS_TEXT];
    struct pm_cpus set, both;

    (void) state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(pm_cpus_parse(&set, good[i], strlen(good[i])), 0);
        pm_cpus_text(&set, out, sizeof out);
        assert_string_equal(out, good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (!pm_cpus_parse(&set, bad[i], strlen(bad[i])))
            fail_msg("'%s' was read", bad[i]);
        assert_int_equal(pm_cpus_count(&set), 0);
    }
    assert_int_equal(pm_cpus_parse(&set, "0-63,640", 8), 0);
    assert_int_equal(pm_cpus_count(&set), 65);
    assert_int_equal(pm_cpus_next(&set, 64), 640);
    assert_int_equal(pm_cpus_next(&set, 641), -1);
    assert_true(pm_cpus_has(&set, 640) && !pm_cpus_has(&set, 64) && !pm_cpus_has(&set, PM_CPUS));
    both = pm_cpus_both(&set, &(struct pm_cpus) { { 6 } });
    assert_int_equal(pm_cpus_count(&both), 2);
}

/* The longest texts: every second CPU, and two of every three. */
static void longest_text(void **state)
{
    char out[PM_CPUS_TEXT];
    struct pm_cpus set, again;

    (void) state;
    for (int step = 2; step <= 3; step++) {
        set = (struct pm_cpus) { { 0 } };
        for (int cpu = 0; cpu < PM_CPUS; cpu++)
            if (cpu % step != step - 1)
                set.bits[cpu / 64] |= 1ull << cpu % 64;
        pm_cpus_text(&set, out, sizeof out);
        assert_int_equal(pm_cpus_parse(&again, out, strlen(out)), 0);
        assert_true(pm_cpus_equal(&set, &again));
    }
}

/* ---- the text of starling_topo --------------------------------------------------------------- */

#define HEAD  "starling_topo 1\nmachine 0-1\nallowed 0-1\n"
#define PARTS "package 0-1\nnuma 0-1\ncore 0\ncore 1\n"
#define TAIL  "hwthread 0\nhwthread 1\nend\n"

static void refused_texts(void **state)
{
    static const char *const cases[][2] = {
        { "", "ends after 0 lines" },
        { "starling_topo 1", "ends within this line" },
        { "starling_topo 2\nend\n", "line 1, 'starling_topo 2': the text of another version" },
        { "\x1b[31m\n", "line 1, '?[31m'" },
        { HEAD PARTS "hwthread 0\nhwthread 1\n", "ends after 9 lines" },
        { HEAD PARTS TAIL "\n", "after the end" },
        { HEAD PARTS "die 0\n" TAIL, "line 8, 'die 0': not a part" },
        { HEAD PARTS "core\n" TAIL, "line 8, 'core': not a word and a list" },
        { HEAD PARTS "core 1-0\n" TAIL, "not a word and a list" },
        { HEAD PARTS "allowed 1\n" TAIL, "for the second time" },
        { HEAD PARTS "machine 0-1\n" TAIL, "not one line 'machine'" },
        { "starling_topo 1\nmachine 0-1\n" PARTS TAIL, "not one line 'machine' and one 'allowed'" },
        { "starling_topo 1\nallowed 0-1\n" PARTS TAIL, "not one line 'machine'" },
        { "starling_topo 1\nmachine 0-1\nallowed 1-2\n" PARTS TAIL, "allowed that are not of" },
        { HEAD PARTS "l3cache 0-2\n" TAIL, "'l3cache' is not of the machine" },
        { HEAD "package 0-1\ncore 0\ncore 1\n" TAIL, "no part 'numa'" },
        { HEAD "numa 0-1\ncore 0\ncore 1\n" TAIL, "'package' are not all" },
        { HEAD "package 0\nnuma 0-1\ncore 0-1\n" TAIL, "'package' are not all" },
        { HEAD "package 0-1\nnuma 0-1\ncore 0-1\ncore 1\n" TAIL, "'core' are not all" },
        { HEAD "package 0\npackage 1\nnuma 0-1\ncore 0-1\n" TAIL, "in several packages" },
        { HEAD PARTS "hwthread 0-1\nend\n", "'hwthread' has several CPUs" },
        { HEAD PARTS "hwthread 0\nend\n", "'hwthread' are not all" },
    };

    (void) state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char why[256] = "";
        if (pm_topology_parse(cases[i][0], strlen(cases[i][0]), why, sizeof why)
            || !strstr(why, cases[i][1]))
            fail_msg("text %zu gave '%s', not '%s'", i, why, cases[i][1]);
    }
}

/* No beginning of a text is taken for the whole. */
static void torn_texts(void **state)
{
    static const char whole[] = HEAD PARTS TAIL;
    char why[256];

    (void) state;
    for (size_t len = 0; len < sizeof whole - 1; len++)
        assert_null(pm_topology_parse(whole, len, why, sizeof why));
    struct pm_topology *t = pm_topology_parse(whole, sizeof whole - 1, why, sizeof why);
    assert_non_null(t);
    pm_topology_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_values),
        cmocka_unit_test(accepted_values),
        cmocka_unit_test(the_last_one_counts),
        cmocka_unit_test(contradictions),
        cmocka_unit_test(sets),
        cmocka_unit_test(longest_text),
        cmocka_unit_test(refused_texts),
        cmocka_unit_test(torn_texts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
