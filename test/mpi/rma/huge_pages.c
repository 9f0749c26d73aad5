/* huge_pages.c — with STARLING_HUGE_PAGES=on memory of MPI_Alloc_mem and of windows has huge pages
 * where the kernel has them, and else small ones; it always begins at one.
 *
 * refused: the process is not to have any. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "rma_test.h"

#define KERNEL "/sys/kernel/mm/transparent_hugepage/"

enum { BYTES = 8 << 20 };

static size_t huge;
static int private_ones, shared_ones; /* the kernel gives */

/* The first line of a file; "" when there is none. */
static const char *line_of(const char *path)
{
    static char line[128];
    FILE *f = fopen(path, "r");

    if (!f || !fgets(line, sizeof line, f))
        *line = '\0';
    if (f)
        fclose(f);
    return line;
}

/* Whether some of the memory at `at` is in huge pages. key: of /proc/self/smaps. */
static int has_huge_pages(const void *at, const char *key)
{
    FILE *f = fopen("/proc/self/smaps", "r");
    unsigned long first, end, kib;
    char line[512];
    int here = 0;
    long sum = 0;

    CHECK(f);
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%lx-%lx ", &first, &end) == 2)
            here = (unsigned long) at >= first && (unsigned long) at < end;
        if (here && !strncmp(line, key, strlen(key))
            && sscanf(line + strlen(key), " %lu kB", &kib) == 1)
            sum += (long) kib;
    }
    fclose(f);
    return sum > 0;
}

/* Whether the kernel makes pages of shared memory huge on request. */
static int kernel_collapses(void)
{
    enum { COLLAPSE = 25 };
    int fd = memfd_create("test", MFD_CLOEXEC);

    char *all = mmap(NULL, 2 * huge, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(all != MAP_FAILED);
    char *at = all + (-(size_t) all & (huge - 1));

    CHECK(fd >= 0 && !ftruncate(fd, (off_t) huge) && !fallocate(fd, 0, 0, (off_t) huge));
    CHECK(mmap(at, huge, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == at);
    int failed = madvise(at, huge, COLLAPSE);
    munmap(all, 2 * huge);
    close(fd);
    return !failed;
}

static void check(char *at, int shared)
{
    CHECK((size_t) at % huge == 0);
    memset(at, 1, BYTES);
    CHECK(has_huge_pages(at, shared ? "ShmemPmdMapped:" : "AnonHugePages:")
          == (shared ? shared_ones : private_ones));
}

static void allocated(const char *shared)
{
    MPI_Info info;
    char *at;

    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shm", shared);
    MPI_Alloc_mem(BYTES, info, &at);
    check(at, *shared == 't');
    MPI_Free_mem(at);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    int size;
    char *at;
    MPI_Win w;

    if (argc > 1)
        prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    huge = strtoul(line_of(KERNEL "hpage_pmd_size"), NULL, 10);
    if (huge && huge <= BYTES / 2) {
        private_ones = argc == 1 && !strstr(line_of(KERNEL "enabled"), "[never]");
        shared_ones = kernel_collapses();
        CHECK(argc == 1 || !shared_ones);
        allocated("false");
        allocated("true");
        MPI_Win_allocate(BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &at, &w);
        check(at, size > 1);
        MPI_Win_free(&w);
    }
    MPI_Finalize();
    return huge ? 0 : 77;
}
