/* hosts_test.c — lists of hosts from names, files and resource managers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include "pm/hosts/pm_hosts.h"

enum { TEXT = 4096 };

static struct pm_hosts hosts;
static char path[64], text[TEXT];

static const char *const variables[] = {
    "SLURM_JOB_NODELIST", "SLURM_NODELIST", "SLURM_TASKS_PER_NODE",
    "PBS_NODEFILE",       "LSB_MCPU_HOSTS", "LSB_DJOB_HOSTFILE",
    "LSB_HOSTS",          "PE_HOSTFILE"
};

static int clear(void **state)
{
    (void) state;
    pm_hosts_free(&hosts);
    if (*path)
        unlink(path);
    *path = '\0';
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
    return 0;
}

/* The list as a text: "a:2/8 me@b:1". */
static const char *list(void)
{
    size_t len = 0;

    *text = '\0';
    for (size_t i = 0; i < hosts.count; i++) {
        const struct pm_host_entry *e = hosts.entry[i];
        len += (size_t) snprintf(text + len, TEXT - len, "%s%s%s%s:%d", i ? " " : "",
                                 e->user ? e->user : "", e->user ? "@" : "", e->name, e->slots);
        if (e->max_slots)
            len += (size_t) snprintf(text + len, TEXT - len, "/%d", e->max_slots);
        assert_true(len < TEXT);
    }
    return text;
}

static const char *make_file(const char *bytes, size_t len)
{
    snprintf(path, sizeof path, "/tmp/hosts_test.XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, bytes, len) == (ssize_t) len && !close(fd));
    return path;
}

/* Compares a list, or with an error, which begins with '!', a part of the sentence. */
static void compare(const char *input, int err, const char *expected)
{
    if (*expected == '!') {
        if (!err || !strstr(hosts.why, expected + 1))
            fail_msg("'%.200s': '%s' instead of '%s'", input, err ? hosts.why : list(), expected);
    } else if (err || strcmp(list(), expected) != 0) {
        fail_msg("'%.200s': '%s' instead of '%s'", input, err ? hosts.why : text, expected);
    }
}

static void names(void **state)
{
    static const char *const cases[][2] = {
        { "a", "a:1" },
        { "a,b:2,c", "a:1 b:2 c:1" },
        { "a,b,a,A:3", "a:5 b:1" },
        { "me@a:2,b", "me@a:2 b:1" },
        { "::1,[::1]:4,[fe80::1%eth0]:2,10.0.0.1:3", "::1:5 fe80::1%eth0:2 10.0.0.1:3" },
        { "n[1-3]", "n1:1 n2:1 n3:1" },
        { "n[08-11,3]x:2,b", "n08x:2 n09x:2 n10x:2 n11x:2 n3x:2 b:1" },
        { "r[0-1]n[1-2]", "r0n1:1 r0n2:1 r1n1:1 r1n2:1" },
        { "n[5]", "n5:1" },
        { "", "!-host: the name of a host is empty" },
        { "a,,b", "!empty" },
        { "a,", "!empty" },
        { "-oProxyCommand=x", "!'-oProxyCommand=x' begins with '-'" },
        { "-x@a", "!user '-x' begins with '-'" },
        { "a b", "!'a b' has the character 0x20" },
        { "a;b", "!0x3b" },
        { "a:0", "!host 'a': slots '0' is not a number from 1 to 100000" },
        { "a:", "!host 'a': slots ''" },
        { "a:-1", "!slots '-1'" },
        { "a:4x", "!slots '4x'" },
        { "a:100001", "!slots '100001'" },
        { "a:99999999999999999999", "!slots '99999999999999999999'" },
        { "a:99999,a:2", "!'a' has more than 100000 slots" },
        { "x@a,y@a", "!host 'a': user 'y', but 'x' before" },
        { "[::1", "!bracket" },
        { "[::1]x", "!not an address" },
        { "n[1-3", "!'n[1-3': a bracket is not closed" },
        { "n[3-1]", "!'3-1' is not a range" },
        { "n[]", "!'' is not a range" },
        { "n[1-]", "!'1-' is not a range" },
        { "n[a]", "!'a' is not a range" },
        { "n[1-1000000000]", "!'1-1000000000' is not a range" },
        { "n[0-999999999]", "!'0-999999999' has more than 100000 hosts" },
        { "n[1-999][1-999]", "!more than 100000 hosts" },
        { "n[1][1][1][1][1][1][1][1][1]", "!more than 8 brackets" },
    };

    (void) state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pm_hosts_free(&hosts);
        compare(cases[i][0], pm_hosts_from_names(&hosts, "-host", cases[i][0]), cases[i][1]);
    }
}

static void long_names(void **state)
{
    char name[700];

    (void) state;
    memset(name, 'x', sizeof name);
    name[255] = '\0';
    assert_int_equal(pm_hosts_from_names(&hosts, "-host", name), 0);
    assert_int_equal(strlen(hosts.entry[0]->name), 255);
    name[255] = 'x';
    name[256] = '\0';
    assert_int_not_equal(pm_hosts_from_names(&hosts, "-host", name), 0);
    assert_non_null(strstr(hosts.why, "256 characters"));
    name[256] = 'x';
    name[699] = '\0';
    assert_int_not_equal(pm_hosts_from_names(&hosts, "-host", name), 0);
    assert_non_null(strstr(hosts.why, "255 characters"));
}

static void host_files(void **state)
{
    static const char *const cases[][2] = {
        { "a\nb:2\n", "a:1 b:2" },
        { "# comment\n\n  a:4  # four\n\tb\r\n#b\nc", "a:4 b:1 c:1" },
        { "a slots=4 max_slots=8\nb max-slots=3 slots=3\n", "a:4/8 b:3/3" },
        { "a\nb\na\nb:3\nA slots=2\n", "a:4 b:4" },
        { "a slots=2 max_slots=8\na slots=3\n", "a:5/8" },
        { "[::1]:4 user=me\n10.1.1.1 user=you\n::2\n", "me@::1:4 you@10.1.1.1:1 ::2:1" },
        { "pod.job.ns.svc:8 binding=user:0,1\n", "pod.job.ns.svc:8" },
        { "", "!: no hosts are in this file" },
        { "# nothing\n", "!no hosts" },
        { "a\nb:0\n", "!, line 2: host 'b': slots '0'" },
        { "a slots=0", "!, line 1: host 'a': slots '0' is not a number" },
        { "a\n\n# x\nb slots=many", "!, line 4: host 'b': slots 'many'" },
        { "a slots=-2", "!slots '-2'" },
        { "a slots=", "!slots ''" },
        { "a slots", "!'slots' is none of slots=N" },
        { "a 4", "!, line 1: host 'a': '4' is none of" },
        { "a cpus=4", "!'cpus=4' is none of" },
        { "a:2 slots=2", "!two numbers of slots" },
        { "a slots=4 max_slots=2", "!host 'a' has 4 slots, more than its max_slots 2" },
        { "a slots=3 max_slots=4\na slots=2", "!, line 2: host 'a' has 5 slots, more than" },
        { "a max_slots=4\na max_slots=5", "!max_slots 5, but 4 before" },
        { "a user=-x", "!user '-x' begins with '-'" },
        { "a user=", "!user '' has 0 characters" },
        { "a user=x\na user=y", "!, line 2: host 'a': user 'y', but 'x' before" },
        { "a arch=x86_64\na arch=arm", "!arch 'arm', but 'x86_64' before" },
        { "a\x01z", "!'a?z' has the character 0x01" },
        { "\xef\xbb\xbf"
          "a",
          "!has the character 0xef" },
        { "-x", "!, line 1: host '-x' begins with '-'" },
    };

    (void) state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clear(NULL);
        int err = pm_hosts_from_file(&hosts, make_file(cases[i][0], strlen(cases[i][0])));
        compare(cases[i][0], err, cases[i][1]);
        if (err && !strstr(hosts.why, path))
            fail_msg("'%s' does not name %s", hosts.why, path);
    }
}

static void other_files(void **state)
{
    (void) state;
    compare("", pm_hosts_from_file(&hosts, make_file("a\nb\0c\n", 6)), "!, line 2: a byte is 0");
    compare("", pm_hosts_from_file(&hosts, "/nonexistent"), "!'/nonexistent': No such file");
    compare("", pm_hosts_from_file(&hosts, "/"), "!'/': Is a directory");
    compare("", pm_hosts_from_file(&hosts, "/dev/zero"), "!'/dev/zero': File too large");
}

static void properties(void **state)
{
    static const char file[] = "a arch=x86_64 binding=rr\nb:2";

    (void) state;
    assert_int_equal(pm_hosts_from_file(&hosts, make_file(file, sizeof file - 1)), 0);
    assert_string_equal(hosts.entry[0]->arch, "x86_64");
    assert_string_equal(hosts.entry[0]->binding, "rr");
    assert_null(hosts.entry[1]->arch);
    assert_false(hosts.entry[0]->given);
    assert_true(hosts.entry[1]->given);
}

static void slurm(void **state)
{
    static const char *const cases[][3] = {
        { "node[0-2,7]", "2(x3),1", "node0:2 node1:2 node2:2 node7:1" },
        { "a,b[001-002]c[0-1]", "1,2(x4)", "a:1 b001c0:2 b001c1:2 b002c0:2 b002c1:2" },
        { "a", "64", "a:64" },
        { "a,b", NULL, "a:1 b:1" },
        { "a,b", "2", "!SLURM_JOB_NODELIST: 2 hosts or more, and SLURM_TASKS_PER_NODE=2 is for 1" },
        { "a,b", "2(x3)", "!2 hosts, and SLURM_TASKS_PER_NODE=2(x3) is for more" },
        { "a,b", "2,1,1", "!is for more" },
        { "a,b", "", "!is for 0" },
        { "a", "0", "!SLURM_TASKS_PER_NODE: '0' is not a list" },
        { "a", "2(x0)", "!'2(x0)' is not a list" },
        { "a,b", "2(x2", "!'2(x2' is not a list" },
        { "a,b", "2(y2)", "!not a list" },
        { "a", "99999999999", "!not a list" },
        { "a,b", "1(x99999999999)", "!not a list" },
        { "a[0-999999999]", "1", "!SLURM_JOB_NODELIST: 'a[0-999999999]': '0-999999999' has more" },
        { "a:3", "1", "!slots do not belong here" },
        { "", "1", "!empty" },
    };

    (void) state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clear(NULL);
        setenv("SLURM_JOB_NODELIST", cases[i][0], 1);
        if (cases[i][1])
            setenv("SLURM_TASKS_PER_NODE", cases[i][1], 1);
        compare(cases[i][0], pm_hosts_from_manager(&hosts, "-rmk", i % 2 ? "Slurm" : NULL),
                cases[i][2]);
    }
}

static void pbs_and_sge(void **state)
{
    static const char pbs[] = "n1\nn1\nn2\nn1\n",
                      sge[] = "n1 4 all.q@n1 UNDEFINED\nn2 2 q <NULL>\n";

    (void) state;
    setenv("PBS_NODEFILE", make_file(pbs, sizeof pbs - 1), 1);
    compare("pbs", pm_hosts_from_manager(&hosts, "-rmk", NULL), "n1:3 n2:1");
    clear(NULL);
    setenv("PBS_NODEFILE", "/nonexistent", 1);
    compare("pbs", pm_hosts_from_manager(&hosts, "-rmk", NULL),
            "!PBS_NODEFILE: cannot read '/nonexistent': No such");
    clear(NULL);
    setenv("PE_HOSTFILE", make_file(sge, sizeof sge - 1), 1);
    compare("sge", pm_hosts_from_manager(&hosts, "-rmk", "sge"), "n1:4 n2:2");
    clear(NULL);
    setenv("PE_HOSTFILE", make_file("n1 4\nn2\n", 8), 1);
    compare("sge", pm_hosts_from_manager(&hosts, "-rmk", NULL),
            "!, line 2: host 'n2' has no slots");
}

static void lsf(void **state)
{
    (void) state;
    setenv("LSB_HOSTS", "n1 n1 n2", 1);
    compare("hosts", pm_hosts_from_manager(&hosts, "-rmk", NULL), "n1:2 n2:1");
    pm_hosts_free(&hosts);
    setenv("LSB_DJOB_HOSTFILE", make_file("n3\nn3\n", 6), 1);
    compare("file", pm_hosts_from_manager(&hosts, "-rmk", NULL), "n3:2");
    pm_hosts_free(&hosts);
    setenv("LSB_MCPU_HOSTS", "n1 4 n2 2 ", 1);
    compare("mcpu", pm_hosts_from_manager(&hosts, "-rmk", NULL), "n1:4 n2:2");
    pm_hosts_free(&hosts);
    setenv("LSB_MCPU_HOSTS", "n1 4 n2", 1);
    compare("odd", pm_hosts_from_manager(&hosts, "-rmk", NULL),
            "!LSB_MCPU_HOSTS: host 'n2' has no slots");
    pm_hosts_free(&hosts);
    setenv("LSB_MCPU_HOSTS", "n1 n2", 1);
    compare("names", pm_hosts_from_manager(&hosts, "-rmk", NULL), "!slots 'n2'");
    pm_hosts_free(&hosts);
    setenv("LSB_MCPU_HOSTS", " ", 1);
    compare("blank", pm_hosts_from_manager(&hosts, "-rmk", NULL), "!LSB_MCPU_HOSTS: no hosts");
}

static void managers(void **state)
{
    (void) state;
    compare("none", pm_hosts_from_manager(&hosts, "-rmk", NULL), "");
    compare("sge", pm_hosts_from_manager(&hosts, "-rmk", "sge"),
            "!-rmk: this is no allocation of sge: PE_HOSTFILE is not set");
    compare("cobalt", pm_hosts_from_manager(&hosts, "-rmk", "cobalt"),
            "!-rmk: 'cobalt' is none of");
}

/* Time and memory are linear: a hang of the test is a failure. */
static void many(void **state)
{
    (void) state;
    assert_int_equal(pm_hosts_from_names(&hosts, "-host", "n[00001-50000],n[00001-50000]:2"), 0);
    assert_int_equal(hosts.count, 50000);
    assert_int_equal(hosts.entry[49999]->slots, 3);
    assert_string_equal(hosts.entry[9]->name, "n00010");
}

#define TEST(name) cmocka_unit_test_teardown(name, clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(names), TEST(long_names),  TEST(host_files), TEST(other_files), TEST(properties),
        TEST(slurm), TEST(pbs_and_sge), TEST(lsf),        TEST(managers),    TEST(many),
    };

    clear(NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
