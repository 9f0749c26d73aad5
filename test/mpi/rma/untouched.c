/* untouched.c — windows take no page before it is used; and free memory is promised once: what
 * windows of the node have not used yet counts when another one is made.
 *
 * Only for Starling: it looks into /proc. */
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
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

/* Pages of a mapping that there are in memory. */
static size_t pages_of(char *at, size_t len)
{
    size_t page = (size_t) sysconf(_SC_PAGESIZE), n = len / page, taken = 0;
    unsigned char *in = malloc(n);

    CHECK(in && !mincore(at, len, in));
    for (size_t i = 0; i < n; i++)
        taken += in[i] & 1;
    free(in);
    return taken;
}

static int make(MPI_Aint len, bool shared, char **base, MPI_Win *w)
{
    return shared ? MPI_Win_allocate_shared(len, 1, MPI_INFO_NULL, MPI_COMM_WORLD, base, w)
                  : MPI_Win_allocate(len, 1, MPI_INFO_NULL, MPI_COMM_WORLD, base, w);
}

static void none_taken(bool shared)
{
    enum { LEN = 256 << 20, PAGES_OF_A_TOUCH = 512 }; /* at most: those of a huge page */
    char *base;
    MPI_Win w;

    CHECK_INT(make(LEN, shared, &base, &w), MPI_SUCCESS);
    CHECK_INT(pages_of(base, LEN), 0);
    base[LEN / 2] = 1;
    CHECK(base[LEN / 2 - 1] == 0 && base[LEN - 1] == 0);
    size_t taken = pages_of(base, LEN);
    CHECK(taken >= 1 && taken <= 3 * PAGES_OF_A_TOUCH);
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
