/* spawn_loop.c — Y08: spawns in a row leave nothing in the processes that spawn: neither
 * descriptors nor memory. */
#include <dirent.h>
#include <unistd.h>
#include "spawn.h"

/* A connection of the last job may still be closing. */
enum { WARM = 8, CLOSING = 4 };
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ /* do not reuse freed memory */
enum { GROWTH_KB = 1 << 20 };
#else
enum { GROWTH_KB = 512 };
#endif

static int descriptors(void)
{
    DIR *d = opendir("/proc/self/fd");
    int n = 0;

    CHECK(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

static long resident_kb(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    long pages = 0;

    CHECK(f && fscanf(f, "%*d %ld", &pages) == 1);
    fclose(f);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm inter = spawn_parent();
    if (inter != MPI_COMM_NULL) {
        CHECK_INT(MPI_Barrier(inter), MPI_SUCCESS);
        spawn_leave(&inter);
        MPI_Finalize();
        return 0;
    }
    int rounds = test_size(50, 10000), fds = 0;
    long before = 0;
    for (int i = 0; i < rounds; i++) {
        if (i == WARM) {
            fds = descriptors();
            before = resident_kb();
        }
        inter = spawn_role(argv[0], "child", 1, MPI_COMM_WORLD);
        CHECK_INT(MPI_Barrier(inter), MPI_SUCCESS);
        spawn_leave(&inter);
    }
    if (starling()) {
        CHECK(descriptors() <= fds + CLOSING);
        long grown = resident_kb() - before;
        if (grown > GROWTH_KB)
            fprintf(stderr, "%ld kB more after %d spawns\n", grown, rounds);
        CHECK(grown <= GROWTH_KB);
    }
    MPI_Finalize();
    return 0;
}
