/* setting.c — settings: valid values of each type, precedence of sources, and error texts. */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "platform/setting.h"
#include "unit.h"

static int number;
static size_t size;
static bool yes;
static const char *word, *other;

static const struct setting first[] = { { "NUMBER", SETTING_INT, &number, "3", "A number." },
                                        { "SOME_SIZE", SETTING_SIZE, &size, "64k", "A size." },
                                        { "YES", SETTING_BOOL, &yes, "yes", "A truth." },
                                        { 0 } };
static const struct setting second[] = { { "WORD", SETTING_STRING, &word, "default", "A word." },
                                         { "OTHER_WORD", SETTING_STRING, &other, "", "Another." },
                                         { "SAYING", SETTING_RENAMED, NULL, "WORD", "" },
                                         { 0 } };
static const struct setting *const tables[] = { first, second, NULL };

/* ---- error texts ----------------------------------------------------------------------------- */

static char lines[4][256];
static int nlines;

static void complain(const char *line)
{
    assert_null(strchr(line, '\n'));
    assert_true(nlines < 4);
    (void) snprintf(lines[nlines++], sizeof lines[0], "%s", line);
}

static void load(const char *etc, const char *forwarded)
{
    nlines = 0;
    setting_load(tables, etc, forwarded, complain);
}

static int forget(void **state)
{
    static const char *const names[] = { "SETTINGS",   "NUMBER", "SOME_SIZE", "YES",    "WORD",
                                         "OTHER_WORD", "NUMBRE", "ZZZZZZZZ",  "SAYING", "" };
    char name[64];

    (void) state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        (void) snprintf(name, sizeof name, "STARLING_%s", names[i]);
        (void) unsetenv(name);
    }
    return 0;
}

/* ---- parsing --------------------------------------------------------------------------------- */

static bool takes(const struct setting *s, const char *text)
{
    char why[200] = "";
    bool taken = !setting_parse(s, text, why, sizeof why);

    assert_int_equal(taken, why[0] == '\0');
    if (!taken)
        assert_true(strstr(why, s->name) && strstr(why, text)); /* the text names both */
    return taken;
}

static void whole_numbers(void **state)
{
    static const char *const bad[] = { "",
                                       " ",
                                       "x",
                                       "5x",
                                       "0x10",
                                       "1 2",
                                       "1.5",
                                       "4096k",
                                       "2147483648",
                                       "-2147483649",
                                       "99999999999999999999" };

    (void) state;
    assert_true(takes(&first[0], "-17") && number == -17);
    assert_true(takes(&first[0], "2147483647") && number == INT_MAX);
    assert_true(takes(&first[0], "-2147483648") && number == INT_MIN);
    number = 42;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(takes(&first[0], bad[i]));
        assert_int_equal(number, 42); /* the value has not changed */
    }
}

static void sizes(void **state)
{
    static const struct {
        const char *text;
        size_t want;
    } good[] = { { "0", 0 },
                 { "1", 1 },
                 { "65536", 65536 },
                 { "64k", 65536 },
                 { "64K", 65536 },
                 { "1m", 1048576 },
                 { "3G", 3221225472 },
                 { "2t", 2199023255552 },
                 { "8388607t", 8388607ull << 40 },
                 { "9223372036854775807", 9223372036854775807u } };
    static const char *const bad[] = { "-1",
                                       "k",
                                       "64kk",
                                       "64kb",
                                       "64 k",
                                       "1.5k",
                                       "8388608t",
                                       "-1k",
                                       "",
                                       "9223372036854775808",
                                       "64q",
                                       "9007199254740992k",
                                       "18014398509481985k" };

    (void) state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(takes(&first[1], good[i].text));
        assert_int_equal(size, good[i].want);
    }
    size = 77;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(takes(&first[1], bad[i]));
        assert_int_equal(size, 77);
    }
}

static void truths(void **state)
{
    static const char *const right[] = { "yes", "on", "true", "1", "YES", "On" },
                             *const wrong[] = { "no", "off", "false", "0", "NO", "False" },
                             *const bad[] = { "", "2", "y", "yess", "nope", " yes" };

    (void) state;
    for (int i = 0; i < 6; i++) {
        yes = false;
        assert_true(takes(&first[2], right[i]) && yes);
        assert_true(takes(&first[2], wrong[i]) && !yes);
        assert_false(takes(&first[2], bad[i]));
        assert_false(yes);
        yes = true;
        assert_false(takes(&first[2], bad[i]));
        assert_true(yes);
    }
}

/* ---- finding --------------------------------------------------------------------------------- */

static void found_by_any_spelling(void **state)
{
    (void) state;
    assert_ptr_equal(setting_find(tables, "NUMBER"), &first[0]);
    assert_ptr_equal(setting_find(tables, "number"), &first[0]);
    assert_ptr_equal(setting_find(tables, "STARLING_WORD"), &second[0]);
    assert_ptr_equal(setting_find(tables, "starling_word"), &second[0]);
    assert_null(setting_find(tables, "WOR"));
    assert_null(setting_find(tables, "WORDS"));
    assert_null(setting_find(tables, ""));
    assert_null(setting_find(tables, "STARLING_"));
}

static void nearest_name(void **state)
{
    (void) state;
    assert_ptr_equal(setting_nearest(tables, "NUMBRE"), &first[0]);
    assert_ptr_equal(setting_nearest(tables, "STARLING_SOMESIZE"), &first[1]);
    assert_ptr_equal(setting_nearest(tables, "OTHERWORD"), &second[1]);
    assert_ptr_equal(setting_nearest(tables, "wrd"), &second[0]);
    assert_null(setting_nearest(tables, "COMPLETELY_UNLIKE"));
    assert_null(setting_nearest(tables, ""));
}

/* ---- precedence ------------------------------------------------------------------------------ */

static char etc_file[] = "/tmp/starling-etc-XXXXXX", user_file[] = "/tmp/starling-user-XXXXXX";

static void write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_TRUNC);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t) strlen(text));
    (void) close(fd);
}

static int make_files(void **state)
{
    (void) state;
    int a = mkstemp(etc_file), b = mkstemp(user_file);
    (void) close(a), (void) close(b);
    return a < 0 || b < 0;
}

static int drop_files(void **state)
{
    (void) unlink(etc_file);
    (void) unlink(user_file);
    memcpy(etc_file + sizeof etc_file - 7, "XXXXXX", 6);
    memcpy(user_file + sizeof user_file - 7, "XXXXXX", 6);
    return forget(state);
}

/* default < etc file < user's file < environment < mpiexec -set; each with all weaker sources
 * present. */
static void the_strongest_wins(void **state)
{
    (void) state;
    load(NULL, NULL);
    assert_int_equal(number, 3);
    assert_int_equal(setting_source(&first[0]), SETTING_DEFAULT);

    write_file(etc_file, "NUMBER=10\n");
    load(etc_file, NULL);
    assert_int_equal(number, 10);
    assert_int_equal(setting_source(&first[0]), SETTING_FILE);

    write_file(user_file, "number = 20\n");
    (void) setenv("STARLING_SETTINGS", user_file, 1);
    load(etc_file, NULL);
    assert_int_equal(number, 20);
    assert_int_equal(setting_source(&first[0]), SETTING_USER_FILE);

    (void) setenv("STARLING_NUMBER", "30", 1);
    load(etc_file, NULL);
    assert_int_equal(number, 30);
    assert_int_equal(setting_source(&first[0]), SETTING_ENVIRONMENT);

    load(etc_file, "WORD=x\nNUMBER=40\nYES=no\n");
    assert_int_equal(number, 40);
    assert_int_equal(setting_source(&first[0]), SETTING_MPIEXEC);
    assert_string_equal(word, "x");
    assert_false(yes);
    assert_int_equal(nlines, 0);

    load(NULL, NULL); /* values of the last load are gone */
    assert_int_equal(number, 30);
    assert_string_equal(word, "default");
    assert_int_equal(setting_source(&second[0]), SETTING_DEFAULT);
}

/* After an error in a stronger source the value of a weaker one stays. */
static void bad_values_keep_the_old(void **state)
{
    (void) state;
    write_file(etc_file, "NUMBER=10\nYES=no\n");
    (void) setenv("STARLING_NUMBER", "many", 1);
    load(etc_file, "YES=perhaps\n");
    assert_int_equal(number, 10);
    assert_false(yes);
    assert_int_equal(setting_source(&first[0]), SETTING_FILE);
    assert_int_equal(nlines, 2);
    assert_true(strstr(lines[0], "STARLING_NUMBER=many") && strstr(lines[0], "whole number"));
    assert_true(strstr(lines[1], "STARLING_YES=perhaps"));
}

static void how_files_are_read(void **state)
{
    (void) state;
    write_file(etc_file, "# a comment\n\n   \t\r\n  \tNUMBER\t =  5 \t\r\nSTARLING_WORD=two words "
                         "#3\nOTHER_WORD=\nno equal sign\nYES=no");
    load(etc_file, NULL);
    assert_int_equal(number, 5);
    assert_string_equal(word, "two words #3");
    assert_string_equal(other, "");
    assert_false(yes); /* the last line may have no newline */
    assert_int_equal(nlines, 1);
    assert_non_null(strstr(lines[0], "'no equal sign' is not NAME=VALUE"));
}

/* A file that the user names must exist; the installed one need not. */
static void missing_files(void **state)
{
    (void) state;
    load("/nowhere/starling.conf", NULL);
    assert_int_equal(nlines, 0);
    (void) setenv("STARLING_SETTINGS", "/nowhere/mine", 1);
    load(NULL, NULL);
    assert_int_equal(nlines, 1);
    assert_true(strstr(lines[0], "/nowhere/mine") && strstr(lines[0], "No such file"));
    (void) setenv("STARLING_SETTINGS", "", 1);
    load(NULL, NULL);
    assert_int_equal(nlines, 0);
}

/* A device may never end, and a directory has no lines. */
static void files_that_are_none(void **state)
{
    static const char *const names[] = { "/dev/zero", "/tmp", "/dev/null" };
    static const char *const why[] = { "not a regular file", "Is a directory" };

    (void) state;
    for (int i = 0; i < 3; i++) {
        (void) setenv("STARLING_SETTINGS", names[i], 1);
        load(NULL, NULL);
        assert_int_equal(nlines, i < 2);
        assert_true(i == 2 || (strstr(lines[0], names[i]) && strstr(lines[0], why[i])));
    }
    (void) setenv("STARLING_SETTINGS", "", 1);
}

static void unknown_names(void **state)
{
    (void) state;
    (void) setenv("STARLING_NUMBRE", "4", 1);
    load(NULL, "ZZZZZZZZ=1\n");
    assert_int_equal(nlines, 2);
    assert_string_equal(lines[0],
                        "STARLING_NUMBRE is not a setting; did you mean STARLING_NUMBER?");
    assert_string_equal(lines[1], "STARLING_ZZZZZZZZ is not a setting");
    assert_int_equal(number, 3);
}

/* The wrapper compilers read these, and ranks may have them in their environment. */
static void variables_of_wrappers(void **state)
{
    static const char *const names[] = { "STARLING_CC", "STARLING_CXX", "STARLING_FC",
                                         "STARLING_F90", "STARLING_F77" };

    (void) state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void) setenv(names[i], "compiler", 1);
    load(NULL, NULL);
    assert_int_equal(nlines, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void) unsetenv(names[i]);
}

/* Values stay valid when the file or the environment changes later. */
static void strings_are_kept(void **state)
{
    char forwarded[] = "OTHER_WORD=forwarded";

    (void) state;
    (void) setenv("STARLING_WORD", "from here", 1);
    load(NULL, forwarded);
    (void) setenv("STARLING_WORD", "changed!!", 1);
    memset(forwarded, '#', sizeof forwarded - 1);
    assert_string_equal(word, "from here");
    assert_string_equal(other, "forwarded");
}

/* It sets the new one, with a line, and is not what an unknown name is like. */
static void an_old_name_works(void **state)
{
    (void) state;
    (void) setenv("STARLING_SAYING", "old", 1);
    load(NULL, NULL);
    assert_string_equal(word, "old");
    assert_int_equal(setting_source(&second[0]), SETTING_ENVIRONMENT);
    assert_int_equal(nlines, 1);
    assert_string_equal(lines[0], "STARLING_SAYING is called STARLING_WORD now");
    assert_ptr_not_equal(setting_nearest(tables, "SAYINGS"), &second[2]);
    load(NULL, "SAYING=newer");
    assert_string_equal(word, "newer");
    assert_int_equal(nlines, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(sizes),
        cmocka_unit_test(truths),
        cmocka_unit_test(found_by_any_spelling),
        cmocka_unit_test(nearest_name),
        cmocka_unit_test_setup_teardown(the_strongest_wins, make_files, drop_files),
        cmocka_unit_test_setup_teardown(bad_values_keep_the_old, make_files, drop_files),
        cmocka_unit_test_setup_teardown(how_files_are_read, make_files, drop_files),
        cmocka_unit_test_teardown(missing_files, forget),
        cmocka_unit_test_teardown(files_that_are_none, forget),
        cmocka_unit_test_teardown(unknown_names, forget),
        cmocka_unit_test_teardown(variables_of_wrappers, forget),
        cmocka_unit_test_teardown(strings_are_kept, forget),
        cmocka_unit_test_teardown(an_old_name_works, forget),
    };

    return UNIT_RUN(tests);
}
