/* many.c — I02: with thousands of keys, setting, finding, numbering and deleting take a time for
 * each that does not grow with their number. MPICH 4.0 fails: it searches. */
#include <time.h>
#include "info_test.h"

enum { MANY = 20000, SECONDS = 5 }; /* of processor time; it takes a hundredth */

static double seconds(void)
{
    struct timespec t;

    CHECK(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) == 0);
    return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    char key[32], value[32];
    MPI_Info info, dup;

    MPI_Init(&argc, &argv);
    double start = seconds();
    MPI_Info_create(&info);
    for (int i = 0; i < MANY; i++) {
        snprintf(key, sizeof key, "key number %d", i);
        snprintf(value, sizeof value, "%d", i * 3);
        CHECK_INT(MPI_Info_set(info, key, value), MPI_SUCCESS);
    }
    CHECK_INT(MPI_Info_dup(info, &dup), MPI_SUCCESS);
    for (int i = 0; i < MANY; i++) {
        snprintf(key, sizeof key, "key number %d", i);
        snprintf(value, sizeof value, "%d", i * 3);
        has(dup, key, value);
        nth(dup, i, key);
    }
    for (int i = 0; i < MANY; i++) {
        snprintf(key, sizeof key, "key number %d", i % 2 ? i : MANY - 2 - i);
        CHECK_INT(MPI_Info_delete(info, key), MPI_SUCCESS);
    }
    CHECK_INT(nkeys(info), 0);
    MPI_Info_free(&info);
    MPI_Info_free(&dup);
    CHECK(seconds() - start < SECONDS);
    MPI_Finalize();
    return 0;
}
