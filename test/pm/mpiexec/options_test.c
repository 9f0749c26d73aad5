/* options_test.c — parsing the command line of mpiexec. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "pm/mpiexec/job/job_impl.h"
#include "pm/mpiexec/options/option.h"

extern char **environ;

static struct pm_spec spec;
static char why[512], words[1024];
static int warnings;

static void warn(const char *fmt, ...)
{
    (void) fmt;
    warnings++;
}

/* Parses a line of arguments separated by single blanks, and finds the hosts. */
static int parse(const char *line)
{
    char *args[64], *save = NULL;
    int n = 0;

    pm_spec_free(&spec);
    why[0] = '\0';
    warnings = 0;
    snprintf(words, sizeof words, "%s", line);
    for (char *w = strtok_r(words, " ", &save); w && n < 63; w = strtok_r(NULL, " ", &save))
        args[n++] = w;
    args[n] = NULL;
    int err = pm_parse(&spec, args, why, sizeof why, warn);
    return err || spec.action != PM_RUN ? err : pm_find_hosts(&spec, why, sizeof why);
}

static void programs(void **state)
{
    (void) state;
    assert_int_equal(parse("-n 3 a -n 4 : b x y : --np=2 c"), 0);
    assert_int_equal(spec.programs, 3);
    assert_int_equal(spec.size, 6);
    assert_int_equal(spec.program[0].maxprocs, 3);
    assert_string_equal(spec.program[0].argv[2],
                        "4"); /* an argument of the program, not of mpiexec */
    assert_null(spec.program[0].argv[3]);
    assert_int_equal(spec.program[1].count, 1);
    assert_string_equal(spec.program[1].argv[2], "y");
    assert_int_equal(spec.program[2].count, 2);
}

static void values(void **state)
{
    (void) state;
    assert_int_equal(parse("-l -timeout 9 -usize 7 -v -outfile-pattern o.%r --errfile e -wdir / "
                           "-path /a:/b -set A=1 --set B=2 x"),
                     0);
    assert_string_equal(spec.prefix, "[%r] ");
    assert_int_equal(spec.timeout_s, 9);
    assert_int_equal(spec.universe, 7);
    assert_true(spec.verbose);
    assert_string_equal(spec.outfile, "o.%r");
    assert_string_equal(spec.errfile, "e");
    assert_string_equal(spec.program[0].wdir, "/");
    assert_string_equal(spec.program[0].path, "/a:/b");
    assert_string_equal(spec.settings, "A=1\nB=2");
    assert_int_equal(parse("x"), 0);
    assert_in_range(spec.universe, 1, 100000);
    assert_int_equal(parse("-usize INFINITE x"), 0);
    assert_int_equal(spec.universe, -1);
    assert_int_equal(parse("-usize SYSTEM x"), 0);
    assert_in_range(spec.universe, 1, 100000);
}

static void accepted(void **state)
{
    (void) state;
    assert_int_equal(parse("--oversubscribe --allow-run-as-root -ppn 2 -bind-to none -launcher ssh "
                           "-host localhost,127.0.0.1:4 x"),
                     0);
    assert_int_equal(warnings, 0);
    assert_int_equal(parse("-mca btl self -rank-by=socket x"), 0);
    assert_int_equal(warnings, 2);
    assert_int_equal(parse("-help"), 0);
    assert_int_equal(spec.action, PM_HELP);
    assert_int_equal(parse("-n 2 --version"), 0);
    assert_int_equal(spec.action, PM_VERSION);
    assert_int_equal(parse("--help-settings"), 0);
    assert_int_equal(spec.action, PM_HELP_SETTINGS);
}

static void errors(void **state)
{
    static const char *const cases[][2] = {
        { "", "no program" },
        { "-n 2", "no program after '2'" },
        { "a : ", "no program" },
        { ": a", "no program" },
        { "-n", "'-n' needs 1 argument" },
        { "-env A", "'-env' needs 2 arguments" },
        { "-n 0 a", "'-n 0'" },
        { "-n -1 a", "'-n -1'" },
        { "-n abc a", "'-n abc'" },
        { "-n 2x a", "'-n 2x'" },
        { "-n 99999999999 a", "99999999999" },
        { "-timeout soon a", "soon" },
        { "-usize many a", "many" },
        { "-set A a", "'-set A'" },
        { "-set =1 a", "'-set =1'" },
        { "-set A-B=1 a", "A-B=1" },
        { "-env =B c a", "'-env =B'" },
        { "-genv A -n 2 a", "but '-n' is an option" },
        { "-x =1 a", "=1" },
        { "-rankmap 0,1 a", "'-rankmap'" },
        { "-ppn 0 a", "'-ppn 0'" },
        { "-map-by ppr:x:node a", "'-map-by ppr:x:node'" },
        { "-order-nodes size a", "'-order-nodes size'" },
        { "-f a -hostfile b x", "'-hostfile b': the hosts are in 'a' already" },
        { "-file /nonexistent a", "/nonexistent" },
        { "-configfile /nonexistent", "/nonexistent" },
        { "-v=1 a", "'-v=1'" },
        { "-oversubscribed a", "did you mean -oversubscribe?" },
        { "--genvlst A a", "did you mean -genvlist?" },
        { "-bind-to cores a", "'-bind-to cores': 'cores' is not known" },
        { "--bind-to=gpu0 a", "'--bind-to=gpu0 gpu0'" },
        { "-map-by socket:pe=x a", "'-map-by socket:pe=x': 'pe=x' is not" },
        { "-membind bind:0 a", "'-membind bind:0': " },
        { "-bind-to socket -map-by slot:pe=2 a", "pe=2" },
        { "-zzzzzzzzzz a", "unknown option '-zzzzzzzzzz'; " },
    };

    (void) state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (parse(cases[i][0]) >= 0 || !strstr(why, cases[i][1]))
            fail_msg("'%s' gave '%s'", cases[i][0], why);
}

static void bindings(void **state)
{
    (void) state;
    assert_int_equal(parse("-bind-to core -map-by socket -report-bindings -membind firsttouch 0"),
                     0);
    assert_int_equal(warnings, 0);
    assert_true(spec.report_bindings && spec.bind.to == PM_CORE && spec.bind.by == PM_PACKAGE);
    assert_string_equal(spec.program[0].argv[0], "0");
    assert_int_equal(parse("-map-by slot:pe=2 -binding hwthread x"), 0);
    assert_true(spec.bind.to == PM_HWTHREAD && spec.bind.count == 2);
    assert_int_equal(parse("-map-by socket x"), 0); /* but nothing is bound */
    assert_int_equal(warnings, 1);
    assert_int_equal(parse("-map-by socket -bind-to user:1 x"), 0);
    assert_int_equal(warnings, 1);
    assert_int_equal(parse("-map-by node x"), 0);
    assert_int_equal(warnings, 0);
}

static void bindings_of_the_environment(void **state)
{
    (void) state;
    setenv("HYDRA_BINDING", "socket", 1);
    setenv("HYDRA_MAPPING", "numa", 1);
    setenv("HYDRA_MEMBIND", "firsttouch", 1);
    setenv("HYDRA_TOPO_DEBUG", "1", 1);
    assert_int_equal(parse("x"), 0);
    assert_true(spec.bind.to == PM_PACKAGE && spec.bind.by == PM_NUMA && spec.report_bindings);
    assert_int_equal(parse("-bind-to core x"), 0);
    assert_true(spec.bind.to == PM_CORE && spec.bind.by == PM_NUMA);
    setenv("HYDRA_TOPO_DEBUG", "0", 1);
    assert_int_equal(parse("x"), 0);
    assert_false(spec.report_bindings);
    setenv("HYDRA_BINDING", "nowhere", 1);
    assert_true(parse("x") < 0);
    assert_non_null(strstr(why, "'HYDRA_BINDING nowhere'"));
    unsetenv("HYDRA_BINDING");
    unsetenv("HYDRA_MAPPING");
    unsetenv("HYDRA_MEMBIND");
    unsetenv("HYDRA_TOPO_DEBUG");
}

static int parse_file(const char *text)
{
    char path[] = "/tmp/options_test.XXXXXX", line[64];
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    snprintf(line, sizeof line, "-l -configfile %s", path);
    int err = parse(line);
    unlink(path);
    return err;
}

static void configfile(void **state)
{
    (void) state;
    assert_int_equal(parse_file("# a comment\n\n-n 2 \"a b\" 'c \\d' e\\ f # more\r\n"
                                "  -n 3 \\\n  g \\\r\n h\n-n 1 i"),
                     0);
    assert_int_equal(spec.programs, 3);
    assert_int_equal(spec.size, 6);
    assert_string_equal(spec.program[0].argv[0], "a b");
    assert_string_equal(spec.program[0].argv[1], "c \\d");
    assert_string_equal(spec.program[0].argv[2], "e f");
    assert_null(spec.program[0].argv[3]);
    assert_string_equal(spec.program[1].argv[1], "h");
    assert_non_null(spec.prefix);
    assert_int_equal(parse_file("a\n-n x b\n"), -22);
    assert_non_null(strstr(why, "line 2: '-n x'"));
    assert_int_equal(parse_file("a 'b\n"), -22);
    assert_non_null(strstr(why, "quote"));
    assert_int_equal(parse_file("# nothing\n"), -22);
}

/* The value of a variable in the environment of the first program. */
static const char *value(const char *line, const char *name)
{
    static char found[128];
    struct pm_run run = { .spec = &spec };
    struct pm_job job = { .run = &run };
    size_t len = strlen(name);
    int n = 0;

    assert_int_equal(parse(line), 0);
    job.size = spec.size;
    char **e = pm_environ(&job, &spec.program[0], false);
    assert_non_null(e);
    for (char **v = e; *v; v++) {
        if (!strncmp(*v, name, len) && (*v)[len] == '=') {
            snprintf(found, sizeof found, "%s", *v + len + 1);
            n++;
        }
    }
    assert_in_range(n, 0, 1); /* no variable twice */
    for (char **v = e; *v; v++) {
        bool inherited = false;
        for (char **own = environ; *own; own++)
            inherited |= *own == *v;
        if (!inherited)
            free(*v);
    }
    free(e);
    return n ? found : NULL;
}

/* pm_environ_value() says the same without making the environment. */
static void check_value(const char *line, const char *name)
{
    const char *made = value(line, name);

    struct pm_run run = { .spec = &spec };
    const struct pm_job job = { .run = &run };
    const char *said = pm_environ_value(&job, &spec.program[0], name);
    if (!made)
        assert_null(said);
    else
        assert_string_equal(said, made);
}

static void values_of_the_environment(void **state)
{
    static const char *const lines[] = {
        "x",
        "-genv PT_A g x",
        "-genv PT_A g -env PT_A l x",
        "-env PT_A 1 -env PT_A 2 x",
        "-genvnone -x PT_A x",
        "-genvnone x",
        "-envnone x",
        "-envlist HOME,PT_AB x",
        "-envlist HOME,PT_A x",
        "-genvnone -envall x",
        "-genvlist PT_A x",
        "-genvlist HOME x",
    };

    (void) state;
    setenv("PT_A", "own", 1);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        check_value(lines[i], "PT_A");
    unsetenv("PT_A");
    check_value("x", "PT_A");
}

static void environment(void **state)
{
    (void) state;
    setenv("PT_A", "own", 1);
    setenv("PMI_PORT", "elsewhere:1", 1);
    unsetenv("GFORTRAN_UNBUFFERED_PRECONNECTED");
    assert_string_equal(value("x", "PT_A"), "own");
    assert_string_equal(value("-genv PT_A g x", "PT_A"), "g");
    assert_string_equal(value("-genv PT_A g -env PT_A l x", "PT_A"), "l");
    assert_string_equal(value("-x PT_A=o x", "PT_A"), "o");
    assert_null(value("-genvnone x : -x PT_A=o y", "PT_A")); /* for its own program only */
    assert_string_equal(value("-genv PT_A=g=h x", "PT_A"), "g=h");
    assert_string_equal(value("-genv PT_A -O2 x", "PT_A"), "-O2");
    assert_string_equal(value("-genvnone -x PT_A x", "PT_A"), "own");
    assert_null(value("-genvnone x", "PT_A"));
    assert_null(value("-envnone x", "PT_A"));
    assert_null(value("-envlist HOME,PT_AB x", "PT_A"));
    assert_string_equal(value("-envlist HOME,PT_A x", "PT_A"), "own");
    assert_string_equal(value("-genvnone -envall x", "PT_A"), "own");
    assert_string_equal(value("-genvlist PT_A x", "PT_A"), "own");
    assert_null(value("-env PMI_FD 3 x", "PMI_FD")); /* the nodes set it */
    assert_string_equal(value("-n 2 x : -n 5 y", "PMI_SIZE"), "7");
    assert_string_equal(value("-genvnone x", "GFORTRAN_UNBUFFERED_PRECONNECTED"), "y");
    assert_string_equal(
        value("-env GFORTRAN_UNBUFFERED_PRECONNECTED n x", "GFORTRAN_UNBUFFERED_PRECONNECTED"),
        "n");
    unsetenv("PYTHONUNBUFFERED");
    assert_string_equal(value("-genvnone x", "PYTHONUNBUFFERED"), "1");
    assert_string_equal(value("-genv PYTHONUNBUFFERED x y", "PYTHONUNBUFFERED"), "x");
    setenv("PYTHONUNBUFFERED", "", 1);
    assert_string_equal(value("x", "PYTHONUNBUFFERED"), "");
    assert_null(value("x", "PMI_PORT"));
}

/* Each row of the table has a function, no name appears twice, and what is there is not refused. */
static void table(void **state)
{
    (void) state;
    for (const struct pm_option *o = pm_options; o->names; o++) {
        assert_non_null(o->set);
        char names[512], *save = NULL;
        snprintf(names, sizeof names, "%s", o->names);
        for (char *n = strtok_r(names, " ", &save); n; n = strtok_r(NULL, " ", &save)) {
            assert_ptr_equal(pm_option_find(pm_options, n, strlen(n)), o);
            assert_null(pm_option_instead(n, strlen(n)));
        }
    }
}

static int tear_down(void **state)
{
    (void) state;
    pm_spec_free(&spec);
    return 0;
}

int main(void)
{
    unsetenv("HYDRA_HOST_FILE");
    setenv("HYDRA_RMK", "user", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs),
        cmocka_unit_test(values),
        cmocka_unit_test(accepted),
        cmocka_unit_test(errors),
        cmocka_unit_test(configfile),
        cmocka_unit_test(environment),
        cmocka_unit_test(table),
        cmocka_unit_test(bindings),
        cmocka_unit_test(bindings_of_the_environment),
        cmocka_unit_test(values_of_the_environment),
    };

    return cmocka_run_group_tests(tests, NULL, tear_down);
}
