/* bind_test.c — which CPUs each rank gets on several machines, and drawings of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "pm/bind/pm_bind.h"

enum { TEXT_MAX = 1 << 16, RANKS = 64 };

/* ---- machines -------------------------------------------------------------------------------- */

struct shape { /* how many of each are in the next larger one; 0: there is no such part */
    int packages, numas, l3, l2, cores, threads;
    bool apart; /* the CPUs of a core have distant numbers: 0 and 8 */
    const char *allowed;
};

static char text[TEXT_MAX];

static void add(const char *word, const char *cpus)
{
    size_t n = strlen(text);

    assert_true(n + strlen(word) + strlen(cpus) + 3 < sizeof text);
    (void) snprintf(text + n, sizeof text - n, "%s %s\n", word, cpus);
}

/* Adds lines for all parts of a kind; each has `width` cores in a row. */
static void add_parts(const struct shape *s, const char *word, int width)
{
    int cores = s->packages * s->numas * (s->l3 ? s->l3 : 1) * (s->l2 ? s->l2 : 1) * s->cores;
    char cpus[PM_CPUS_TEXT];

    for (int first = 0; first < cores; first += width) {
        struct pm_cpus set = { { 0 } };
        for (int core = first; core < first + width; core++)
            for (int t = 0; t < s->threads; t++) {
                int cpu = s->apart ? core + t * cores : core * s->threads + t;
                set.bits[cpu / 64] |= 1ull << cpu % 64;
            }
        pm_cpus_text(&set, cpus, sizeof cpus);
        add(word, cpus);
    }
}

static void add_threads(const struct shape *s, int cores)
{
    char cpu[16];

    for (int core = 0; core < cores; core++)
        for (int t = 0; t < s->threads; t++) {
            (void) snprintf(cpu, sizeof cpu, "%d",
                            s->apart ? core + t * cores : core * s->threads + t);
            add("hwthread", cpu);
        }
}

static struct pm_topology *parse(void)
{
    static char why[256];
    struct pm_topology *t = pm_topology_parse(text, strlen(text), why, sizeof why);

    if (!t)
        fail_msg("%s", why);
    return t;
}

static struct pm_topology *machine(const struct shape *s)
{
    int l2 = s->cores, l3 = l2 * (s->l2 ? s->l2 : 1), numa = l3 * (s->l3 ? s->l3 : 1);
    int package = numa * s->numas, all = package * s->packages;
    char cpus[16];

    (void) snprintf(text, sizeof text, "starling_topo 1\n");
    (void) snprintf(cpus, sizeof cpus, all * s->threads > 1 ? "0-%d" : "%d", all * s->threads - 1);
    add("machine", cpus);
    add("allowed", s->allowed ? s->allowed : cpus);
    add_parts(s, "package", package);
    add_parts(s, "numa", numa);
    if (s->l3)
        add_parts(s, "l3cache", l3);
    if (s->l2)
        add_parts(s, "l2cache", l2);
    add_parts(s, "core", 1);
    add_threads(s, all);
    (void) snprintf(text + strlen(text), 8, "end\n");
    return parse();
}

/* 2 packages of 4 cores with 2 threads */
static const struct shape usual = { 2, 1, 1, 0, 4, 2, false, NULL };
/* the same with 2 NUMA nodes in a package, and CPUs numbered thread by thread */
static const struct shape server = { 2, 2, 1, 0, 2, 2, true, NULL };

/* ---- masks ----------------------------------------------------------------------------------- */

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

/* The sets of some ranks, separated by blanks. */
static const char *masks(const struct pm_topology *t, const struct pm_bind *b, const int *least,
                         int ranks)
{
    static char line[4096];
    static const int ones[RANKS] = { 0 };
    struct pm_cpus set[RANKS];
    char cpus[PM_CPUS_TEXT];
    size_t n = 0;

    assert_int_equal(pm_bind_places(b, t, least ? least : ones, ranks, set), 0);
    *line = '\0';
    for (int i = 0; i < ranks; i++) {
        pm_cpus_text(&set[i], cpus, sizeof cpus);
        n += (size_t) snprintf(line + n, sizeof line - n, "%s%s", i ? " " : "", cpus);
        assert_true(n < sizeof line);
    }
    return line;
}

static void expect_least(const struct shape *s, const char *to, const char *by, const int *least,
                         int ranks, const char *want)
{
    struct pm_topology *t = machine(s);
    struct pm_bind b = bind(to, by);
    const char *got = masks(t, &b, least, ranks);

    if (strcmp(got, want) != 0)
        fail_msg("-bind-to %s -map-by %s: '%s', not '%s'", to ? to : "", by ? by : "", got, want);
    pm_topology_free(t);
}

static void expect(const struct shape *s, const char *to, const char *by, int ranks,
                   const char *want)
{
    expect_least(s, to, by, NULL, ranks, want);
}

static void each_kind_in_turn(void **state)
{
    (void) state;
    expect(&usual, "hwthread", NULL, 3, "0 1 2");
    expect(&usual, "core", NULL, 4, "0-1 2-3 4-5 6-7");
    expect(&usual, "core", "slot", 4, "0-1 2-3 4-5 6-7");
    expect(&usual, "core", "core", 4, "0-1 2-3 4-5 6-7");
    expect(&usual, "core:3", NULL, 4, "0-5 6-11 0-1,12-15 2-7");
    expect(&usual, "core:3", "core", 3, "0-5 6-11 0-1,12-15");
    expect(&usual, "socket", NULL, 3, "0-7 8-15 0-7");
    expect(&usual, "package", NULL, 2, "0-7 8-15");
    expect(&usual, "numa", NULL, 2, "0-7 8-15");
    expect(&usual, "l3cache", NULL, 2, "0-7 8-15");
    expect(&usual, "machine", NULL, 2, "0-15 0-15");
    expect(&usual, "board", NULL, 1, "0-15");
    expect(&server, "core", NULL, 3, "0,8 1,9 2,10");
    expect(&server, "numa", NULL, 5, "0-1,8-9 2-3,10-11 4-5,12-13 6-7,14-15 0-1,8-9");
    expect(&server, "hwthread", NULL, 4, "0 8 1 9");
    expect(&server, "rr", NULL, 4, "0 1 2 3");
}

static void parts_of_larger_parts(void **state)
{
    (void) state;
    expect(&usual, "core", "socket", 5, "0-1 8-9 2-3 10-11 4-5");
    expect(&usual, "hwthread", "core", 10, "0 2 4 6 8 10 12 14 1 3");
    expect(&usual, "hwthread", "socket", 4, "0 8 1 9");
    expect(&server, "core", "numa", 5, "0,8 2,10 4,12 6,14 1,9");
    expect(&server, "l3cache", "socket", 3, "0-1,8-9 4-5,12-13 2-3,10-11");
    expect(&usual, "core:2", "socket", 6, "0-3 8-11 4-7 12-15 0-3 8-11");
    expect(&usual, "core:3", "socket", 4, "0-5 8-13 0-3,6-7 8-11,14-15");
    expect(&usual, "core", "core:2", 6, "0-1 4-5 8-9 12-13 2-3 6-7");
    expect(&usual, "core", "core:3", 9, "0-1 6-7 12-13 2-3 8-9 14-15 4-5 10-11 0-1");
    expect(&usual, "hwthread", "core:3", 9, "0 6 12 2 8 14 4 10 1");
    expect(&usual, "core", "core:9", 2, "0-1 2-3");
}

static void larger_parts_than_those_mapped_by(void **state)
{
    (void) state;
    expect(&usual, "socket", "core", 6, "0-7 0-7 0-7 0-7 8-15 8-15");
    expect(&usual, "machine", "core", 2, "0-15 0-15");
    expect(&server, "numa", "socket", 3, "0-1,8-9 4-5,12-13 2-3,10-11");
    /* they go on in the neighbor */
    expect(&usual, "core:6", "socket", 2, "0-11 0-3,8-15");
    expect(&server, "numa:3", "socket", 2, "0-5,8-13 0-1,4-9,12-15");
    expect(&usual, "core:99", NULL, 2, "0-15 0-15");
}

static void several_ranks_in_a_row(void **state)
{
    (void) state;
    expect(&usual, "core", "ppr:2:socket", 5, "0-1 2-3 8-9 10-11 4-5");
    expect(&usual, "socket", "ppr:3:socket", 4, "0-7 0-7 0-7 8-15");
    expect(&usual, "hwthread", "ppr:2:core", 3, "0 1 2");
    expect(&usual, "core", "ppr:2:core", 3, "0-1 0-1 2-3");
    expect(&usual, "core", "ppr:2:node", 3, "0-1 2-3 4-5");
    expect(&usual, NULL, "ppr:1:socket:pe=2", 3, "0-3 8-11 4-7");
}

static void processing_elements(void **state)
{
    (void) state;
    expect(&usual, NULL, "slot:pe=2", 3, "0-3 4-7 8-11");
    expect(&usual, NULL, "node:pe=2", 3, "0-3 4-7 8-11");
    expect(&usual, "core", "core:pe=4", 3, "0-7 8-15 0-7");
    expect(&usual, "hwthread", "socket:PE=3", 3, "0-2 8-10 3-5");
    expect(&usual, "core:2", "socket:pe=2", 2, "0-3 8-11");
}

static void users_choice(void **state)
{
    (void) state;
    expect(&usual, "user:0+2,1+4,3", NULL, 4, "0,2 1,4 3 0,2");
    expect(&usual, "USER:12-15+3,99", NULL, 2, "3,12-15 99");
    expect(&usual, "user:15+99,16", NULL, 2, "15 16");
    expect_least(&usual, "user:1", NULL, (const int[]) { 4 }, 1, "1");
}

static void none(void **state)
{
    struct pm_bind b = bind("none", "socket");

    (void) state;
    assert_false(pm_bind_wanted(&b));
    b = bind(NULL, NULL);
    assert_false(pm_bind_wanted(&b));
    b = bind("core", NULL);
    assert_true(pm_bind_wanted(&b));
    expect(&usual, NULL, NULL, 2, "0-15 0-15");
}

/* Ranks with different numbers of threads do not get the same CPUs. */
static void as_many_cpus_as_threads(void **state)
{
    static const int four[] = { 4, 4, 4, 4, 4 }, mixed[] = { 1, 6, 1, 2, 3 }, all[] = { 99, 99 };

    (void) state;
    expect_least(&usual, "core", NULL, four, 5, "0-3 4-7 8-11 12-15 0-3");
    expect_least(&usual, "hwthread", NULL, four, 3, "0-3 4-7 8-11");
    expect_least(&usual, "core", "socket", four, 5, "0-3 8-11 4-7 12-15 0-3");
    expect_least(&usual, "core", NULL, mixed, 5, "0-1 2-7 8-9 10-11 12-15");
    expect_least(&usual, "rr", NULL, mixed, 3, "0 1-6 7");
    expect_least(&usual, "core", "socket", mixed, 5, "0-1 8-13 2-3 14-15 4-7");
    expect_least(&usual, "core", "core:2", four, 2, "0-3 4-7");
    expect_least(&usual, "core", "hwthread", four, 2, "0-3 0-3");
    expect_least(&usual, "socket", NULL, all, 2, "0-15 0-15");
    expect_least(&usual, "core:2", "socket", (const int[]) { 10, 3 }, 2, "0-9 8-11");
}

static void only_allowed_cpus(void **state)
{
    struct shape s = usual;

    (void) state;
    s.allowed = "3,6-7,12"; /* of core 1 one thread */
    expect(&s, "core", NULL, 4, "3 6-7 12 3");
    expect(&s, "hwthread", NULL, 5, "3 6 7 12 3");
    expect(&s, "socket", NULL, 3, "3,6-7 12 3,6-7");
    expect(&s, "core", "socket", 4, "3 12 6-7 12");
    expect(&s, "machine", NULL, 1, "3,6-7,12");
    expect(&s, "rr", NULL, 5, "3 6 7 12 3");
    expect_least(&s, "core", NULL, (const int[]) { 2, 1, 2 }, 3, "3,6-7 12 3,6-7");
    s.allowed = "9";
    expect(&s, "socket", "core", 2, "9 9");
    expect(&s, "core:2", "numa:2", 2, "9 9");
    s = server;
    s.allowed = "0-3"; /* a thread of each core of a package */
    expect(&s, "core", "numa", 4, "0 2 1 3");
    expect(&s, "numa", NULL, 3, "0-1 2-3 0-1");
}

static void other_machines(void **state)
{
    static const struct shape one = { 1, 1, 0, 0, 1, 1, false, NULL };
    static const struct shape no_l3 = { 2, 1, 0, 2, 2, 1, false, NULL };
    static const struct shape epyc = { 1, 2, 2, 2, 1, 2, true, NULL };

    (void) state;
    for (int i = 0; i < 3; i++) {
        static const char *const to[] = { "core", "hwthread", "socket" };
        expect(&one, to[i], "numa", 2, "0 0");
        expect(&one, to[i], NULL, 2, "0 0");
    }
    expect(&no_l3, "l2cache", NULL, 4, "0-1 2-3 4-5 6-7");
    expect(&no_l3, "l3cache", NULL, 2, "0-3 4-7");
    expect(&no_l3, "core", "l3cache", 3, "0 4 1");
    expect(&epyc, "l3cache", "numa", 3, "0-1,8-9 4-5,12-13 2-3,10-11");
    expect(&epyc, "core", "l3cache", 5, "0,8 2,10 4,12 6,14 1,9");
    expect(&usual, "l1cache", NULL, 2, "0-7 8-15"); /* none, nor an l2cache: the l3cache */
}

static void missing_levels(void **state)
{
    static const struct shape no_l3 = { 2, 1, 0, 2, 2, 1, false, NULL };
    struct pm_topology *t = machine(&no_l3);

    (void) state;
    assert_int_equal(pm_bind_level(t, PM_L3), PM_NUMA);
    assert_int_equal(pm_bind_level(t, PM_L1), PM_L2);
    assert_int_equal(pm_bind_level(t, PM_CORE), PM_CORE);
    t->level[PM_NUMA].count = 1; /* a node of both packages */
    t->level[PM_NUMA].object[0] = t->allowed;
    assert_int_equal(pm_bind_level(t, PM_L3), PM_PACKAGE);
    pm_topology_free(t);
}

/* Nodes of fast memory have the CPUs of another node, or none. Efficient cores have no l3cache. */
static void uneven_machines(void **state)
{
    struct pm_bind numa = bind("numa", NULL), l3 = bind("l3cache", "core"),
                   core = bind("core", NULL);

    (void) state;
    (void) snprintf(
        text, sizeof text,
        "starling_topo 1\nmachine 0-5\nallowed 0-5\npackage 0-5\nnuma 0-2\nnuma 0-2\n"
        "numa 3-5\nnuma 3-5\nl3cache 0-3\ncore 0-1\ncore 2-3\ncore 4\ncore 5\n"
        "hwthread 0\nhwthread 1\nhwthread 2\nhwthread 3\nhwthread 4\nhwthread 5\nend\n");
    struct pm_topology *t = parse();
    assert_string_equal(masks(t, &numa, NULL, 3), "0-2 3-5 0-2");
    assert_string_equal(masks(t, &l3, NULL, 3), "0-3 0-3 0-3");
    assert_string_equal(masks(t, &core, (const int[]) { 1, 1, 2 }, 3), "0-1 2-3 4-5");
    t->allowed = (struct pm_cpus) { { 1 << 4 } };
    assert_string_equal(masks(t, &l3, NULL, 1), "4");
    pm_topology_free(t);
}

static void large_machine(void **state)
{
    static const struct shape s = { 8, 2, 4, 4, 2, 2, true, NULL }; /* 1024 CPUs */
    struct pm_topology *t = machine(&s);
    struct pm_bind b = bind("core", "numa");
    static struct pm_cpus set[512];
    static int least[512];
    struct pm_cpus all = { { 0 } };

    (void) state;
    assert_int_equal(t->level[PM_HWTHREAD].count, 1024);
    assert_int_equal(pm_bind_places(&b, t, least, 512, set), 0);
    for (int i = 0; i < 512; i++) {
        assert_false(pm_cpus_intersect(&all, &set[i]));
        pm_cpus_add(&all, &set[i]);
    }
    assert_int_equal(pm_cpus_count(&all), 1024);
    pm_topology_free(t);
}

/* ---- drawings -------------------------------------------------------------------------------- */

static void expect_drawing(const struct shape *s, const char *cpus, const char *want)
{
    struct pm_topology *t = machine(s);
    char drawing[256];
    struct pm_cpus set;

    assert_int_equal(pm_cpus_parse(&set, cpus, strlen(cpus)), 0);
    pm_bind_draw(t, &set, drawing, sizeof drawing);
    assert_string_equal(drawing, want);
    pm_topology_free(t);
}

static void drawings(void **state)
{
    static const struct shape one = { 1, 1, 0, 0, 1, 1, false, NULL };
    struct shape s = usual;
    struct pm_topology *t = machine(&usual);
    char few[5];

    (void) state;
    expect_drawing(&one, "0", "[B]");
    expect_drawing(&usual, "2-3,9", "[../BB/../..][.B/../../..]");
    expect_drawing(&server, "0,8,13", "[BB/..|../..][../.B|../..]");
    s.allowed = "0,2-7,9";
    expect_drawing(&s, "2,9", "[.-/B./../..][-B/--/--/--]");
    pm_bind_draw(t, &t->allowed, few, sizeof few);
    assert_string_equal(few, "[BB/");
    pm_topology_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_in_turn),
        cmocka_unit_test(parts_of_larger_parts),
        cmocka_unit_test(larger_parts_than_those_mapped_by),
        cmocka_unit_test(several_ranks_in_a_row),
        cmocka_unit_test(processing_elements),
        cmocka_unit_test(users_choice),
        cmocka_unit_test(none),
        cmocka_unit_test(as_many_cpus_as_threads),
        cmocka_unit_test(only_allowed_cpus),
        cmocka_unit_test(other_machines),
        cmocka_unit_test(missing_levels),
        cmocka_unit_test(uneven_machines),
        cmocka_unit_test(large_machine),
        cmocka_unit_test(drawings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
