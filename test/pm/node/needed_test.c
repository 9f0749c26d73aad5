/* needed_test.c — programs of Open MPI are recognized, and files with any bytes do no harm.
 *
 * needed_test PROGRAM      a program that is linked to a library called libmpi.so.40 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>
#include "pm/node/pm_node_impl.h"

static const char *program;

static void by_its_libraries(void **state)
{
    (void) state;
    assert_true(pm_is_of_open_mpi(program));
    assert_false(pm_is_of_open_mpi("/proc/self/exe"));
    assert_false(pm_is_of_open_mpi("/bin/sh"));
    assert_false(pm_is_of_open_mpi("/nonexistent"));
    assert_false(pm_is_of_open_mpi("/dev/null"));
    assert_false(pm_is_of_open_mpi("/"));
}

/* The memory of a new file with the same bytes; its descriptor goes to fd. */
static unsigned char *copy(size_t *len, int *fd)
{
    int from = open(program, O_RDONLY | O_CLOEXEC);

    *len = (size_t) lseek(from, 0, SEEK_END);
    *fd = memfd_create("copy", MFD_CLOEXEC);
    assert_int_equal(ftruncate(*fd, (off_t) *len), 0);
    unsigned char *at = mmap(NULL, *len, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    assert_true(at != MAP_FAILED && pread(from, at, *len, 0) == (ssize_t) *len);
    close(from);
    return at;
}

/* Cut off at each length; it is recognized while the names of its libraries are there. */
static void torn_files(void **state)
{
    size_t len;
    bool found = true;
    int fd;
    unsigned char *at = copy(&len, &fd);

    (void) state;
    munmap(at, len);
    for (size_t n = len; n > 0; n--) {
        assert_int_equal(ftruncate(fd, (off_t) n), 0);
        bool now = pm_needs_open_mpi(fd);
        assert_true(found || !now);
        assert_true(now || n < len);
        found = now;
    }
    assert_false(found);
    close(fd);
}

/* Each byte of the beginning, which has the headers, takes other values. */
static void wrong_bytes(void **state)
{
    static const unsigned char values[] = { 0, 1, 0x7f, 0x80, 0xff };
    size_t len;
    int fd;
    unsigned char *at = copy(&len, &fd);

    (void) state;
    for (size_t i = 0; i < 2048 && i < len; i++) {
        unsigned char before = at[i];
        for (size_t v = 0; v < sizeof values; v++) {
            at[i] = values[v];
            (void) pm_needs_open_mpi(fd);
        }
        at[i] = before;
    }
    assert_true(pm_needs_open_mpi(fd));
    at[4] ^= 3; /* the class: 32 or 64 bits */
    assert_false(pm_needs_open_mpi(fd));
    munmap(at, len);
    close(fd);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_its_libraries),
                                        cmocka_unit_test(torn_files),
                                        cmocka_unit_test(wrong_bytes) };

    program = argc > 1 ? argv[1] : "";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
