/* beside.c — os_beside() finds files relative to this program, however the program was started. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "platform/os.h"
#include "unit.h"

static const char here[] = "an address in this program";
static char directory[OS_PATH]; /* of this program, without a slash at the end */

static int find_directory(void **state)
{
    ssize_t n = readlink("/proc/self/exe", directory, sizeof directory - 1);

    (void) state;
    *strrchr(directory, '/') = '\0';
    return n > 0 ? chdir("/") : -1; /* a relative argv[0] is no longer valid */
}

/* Checks that os_beside() returns parent and name as the path of file. */
static void beside(const char *file, const char *parent, const char *name)
{
    char path[OS_PATH], wanted[2 * OS_PATH];

    assert_true(os_beside(here, file, path));
    (void) snprintf(wanted, sizeof wanted, "%s%s", parent, name);
    assert_string_equal(path, wanted);
}

static void test_directories(void **state)
{
    char parent[OS_PATH];

    (void) state;
    beside("a/b.conf", directory, "/a/b.conf");
    memcpy(parent, directory, sizeof parent);
    *strrchr(parent, '/') = '\0';
    beside("../etc/a.conf", parent, "/etc/a.conf");
    *strrchr(parent, '/') = '\0';
    beside("../../etc/a.conf", parent, "/etc/a.conf");
}

static void test_root(void **state)
{
    char up[3 * 100 + 16] = "";

    (void) state;
    for (int i = 0; i < 100; i++)
        memcpy(up + 3 * (size_t) i, "../", 4);
    memcpy(up + 300, "etc/a.conf", 11);
    beside(up, "", "/etc/a.conf");
}

static void test_absolute(void **state)
{
    (void) state;
    beside("/etc/starling.conf", "", "/etc/starling.conf");
}

/* A function of the C library, which is in another directory than this program. */
static void test_library(void **state)
{
    char path[OS_PATH];

    (void) state;
    assert_true(os_beside(stdout, "x", path));
    assert_non_null(strstr(path, "/lib"));
    assert_string_not_equal(path, directory);
}

static void test_unknown(void **state)
{
    static char file[OS_PATH + 1], path[OS_PATH];
    int on_stack = 0;

    (void) state;
    assert_false(os_beside(&on_stack, "x", path));
    memset(file, 'x', OS_PATH);
    assert_false(os_beside(here, file, path));
    *file = '/';
    assert_false(os_beside(here, file, path));
    file[OS_PATH - 1] = '\0';
    assert_true(os_beside(here, file, path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_directories), cmocka_unit_test(test_root),
        cmocka_unit_test(test_absolute),    cmocka_unit_test(test_library),
        cmocka_unit_test(test_unknown),
    };

    return UNIT_RUN_BETWEEN(tests, find_directory, NULL);
}
