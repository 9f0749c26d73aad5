/* untouched.c — windows take no page before it is used; and free memory is promised once: what
 * windows of the node have not used yet counts when another one is made.
 *
 * Only for Starling: it looks into /proc. */
#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "rma_test.h"

static int size;

static long long number_in(const char *path, const char *format)
{
    char line[256];
    long long n = -1;
    FILE *f = fopen(path, "r");

    while (f && n < 0 && fgets(line, sizeof line, f))
        (void) sscanf(line, format, &n);
    if (f)
        (void) fclose(f);
    return n;
}

/* Bytes of the memory of windows that the kernel has given, touched or only reserved: mincore()
 * does not see the latter. The files that it is in are open in the process that has made it. */
static long long bytes_of_windows(void)
{
    char path[sizeof "/proc/self/fd/" + 256], name[64];
    long long ours = 0, all = 0;
    DIR *d = opendir("/proc/self/fd");

    CHECK(d != NULL);
    for (struct dirent *e; (e = readdir(d));) {
        struct stat s;
        (void) snprintf(path, sizeof path, "/proc/self/fd/%s", e->d_name);
        ssize_t n = readlink(path, name, sizeof name - 1);
        name[n > 0 ? n : 0] = '\0';
        if (strstr(name, "memfd:starling-share") && !stat(path, &s))
            ours += (long long) s.st_blocks * 512;
    }
    (void) closedir(d);
    MPI_Allreduce(&ours, &all, 1, MPI_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

static int make(MPI_Aint len, bool shared, char **base, MPI_Win *w)
{
    return shared ? MPI_Win_allocate_shared(len, 1, MPI_INFO_NULL, MPI_COMM_WORLD, base, w)
                  : MPI_Win_allocate(len, 1, MPI_INFO_NULL, MPI_COMM_WORLD, base, w);
}

static void none_taken(bool shared)
{
    enum { LEN = 256 << 20, TOUCH = 2 << 20 }; /* most that a touch takes: a huge page */
    long long before = bytes_of_windows();
    char *base;
    MPI_Win w;

    CHECK_INT(make(LEN, shared, &base, &w), MPI_SUCCESS);
    long long made = bytes_of_windows() - before;
    CHECK(made > 0 && made <= TOUCH); /* what describes the window */
    base[LEN / 2] = 1;
    CHECK(base[LEN / 2 - 1] == 0 && base[LEN - 1] == 0);
    long long taken = bytes_of_windows() - before - made;
    CHECK(taken >= size * 4096 && taken <= 3 * size * TOUCH);
    MPI_Win_free(&w);
}

/* Half of what is free, then six tenths: so much there is when the first window has ended. */
static void promised_once(void)
{
    long long kib = number_in("/proc/meminfo", "MemAvailable: %lld");
    char *base;
    MPI_Win first, second;

    MPI_Bcast(&kib, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
    CHECK(kib > 0);
    const MPI_Aint tenth = (MPI_Aint) (kib / 10 / size / 4 * 4096);
    if (make(5 * tenth, false, &base, &first) != MPI_SUCCESS)
        return; /* a cgroup leaves less */
    CHECK_INT(error_class(make(6 * tenth, true, &base, &second)), MPI_ERR_NO_MEM);
    MPI_Win_free(&first);
    CHECK_INT(make(6 * tenth, true, &base, &second), MPI_SUCCESS);
    CHECK_INT(error_class(make(5 * tenth, false, &base, &first)), MPI_ERR_NO_MEM);
    MPI_Win_free(&second);
    CHECK_INT(error_class(make((MPI_Aint) 1 << 50, false, &base, &first)), MPI_ERR_NO_MEM);
}

int main(int argc, char **argv)
{
    int here;
    MPI_Comm node;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &here);
    MPI_Comm_free(&node);
    if (here == size && number_in("/proc/sys/vm/overcommit_memory", "%lld") != 2) {
        none_taken(false);
        none_taken(true);
        promised_once();
    }
    MPI_Finalize();
    return 0;
}
