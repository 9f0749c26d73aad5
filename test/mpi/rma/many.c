/* many.c — R01: windows of each flavor, one after the other, leave nothing: context ids do not run
 * out, and descriptors, mappings and memory stay as they were. Usage: many [WINDOWS], 1000 of each
 * flavor if not given.
 *
 * Not for MPICH, whose processes busy-wait: on few cores it takes minutes. */
#include <dirent.h>
#include "rma.h"

/* Windows before it is measured; and by how much it may grow: a process has no socket to be woken
 * by before it sleeps for the first time. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ /* do not reuse freed memory */
enum { GROWTH_KIB = 1 << 20, MORE_MAPPINGS = 10000 };
#else
enum { GROWTH_KIB = 512, MORE_MAPPINGS = 4 };
#endif
enum { FIRST = 300, FEW = 4 };

struct usage {
    int descriptors, mappings;
    /* KiB: private memory, and its share of what the job shares. Not of files: other jobs may have
     * the same libraries, and when they end the shares of all others grow. */
    long memory;
};

static int descriptors(void)
{
    DIR *d = opendir("/proc/self/fd");
    int n = 0;

    CHECK(d != NULL);
    while (readdir(d))
        n++;
    (void) closedir(d);
    return n;
}

static FILE *open_proc(const char *name)
{
    FILE *f = fopen(name, "r");

    CHECK(f != NULL);
    return f;
}

static struct usage usage(void)
{
    struct usage u = { .descriptors = descriptors() };
    char line[512];
    FILE *f = open_proc("/proc/self/maps");

    while (fgets(line, sizeof line, f))
        u.mappings += strchr(line, '\n') != NULL;
    (void) fclose(f);
    f = open_proc("/proc/self/smaps_rollup");
    while (fgets(line, sizeof line, f))
        if (!strncmp(line, "Pss_Anon:", 9) || !strncmp(line, "Pss_Shmem:", 10))
            u.memory += strtol(strchr(line, ':') + 1, NULL, 10);
    (void) fclose(f);
    CHECK(u.memory > 0);
    return u;
}

/* Some windows are used, by all ranks. */
static void one_window(enum flavor f, int i)
{
    struct window w = window_make(f, 64, 1);
    int one = 1;

    if (i % 100 == 0) {
        MPI_Win_fence(0, w.win);
        MPI_Put(&one, 1, MPI_INT, size - 1, window_disp(&w, size - 1, 4L * rank % 64), 1, MPI_INT,
                w.win);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, w.win);
        MPI_Win_lock_all(0, w.win);
        MPI_Accumulate(&one, 1, MPI_INT, 0, window_disp(&w, 0, 0), 1, MPI_INT, MPI_SUM, w.win);
        MPI_Win_unlock_all(w.win);
        MPI_Barrier(MPI_COMM_WORLD); /* memory that is detached may not be in use */
    }
    window_free(&w);
}

/* Connections are made at the first message. */
static void connect_all(void)
{
    int in[RANKS] = { 0 }, out[RANKS];

    MPI_Alltoall(in, 1, MPI_INT, out, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        MPI_Sendrecv(in, 1, MPI_INT, (rank + r) % size, 0, out, 1, MPI_INT,
                     (rank - r + size) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int windows = 1000;
    struct usage before = { 0 }, after;

    rma_init(&argc, &argv);
    connect_all();
    if (argc > 1)
        windows = (int) strtol(argv[1], NULL, 10);
    CHECK(windows > FIRST);
    for (enum flavor f = 0; f < FLAVORS; f++) {
        if (f == SHARED && !rma_one_node())
            continue;
        for (int i = 0; i < windows; i++) {
            if (i == FIRST)
                before = usage();
            one_window(f, i);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        after = usage();
        if (after.descriptors > before.descriptors + FEW
            || after.mappings > before.mappings + MORE_MAPPINGS
            || after.memory > before.memory + GROWTH_KIB) {
            fprintf(stderr, "flavor %d: %d descriptors, %d mappings, %ld KiB; before %d, %d, %ld\n",
                    f, after.descriptors, after.mappings, after.memory, before.descriptors,
                    before.mappings, before.memory);
            CHECK(!"windows leave something");
        }
    }
    MPI_Finalize();
    return 0;
}
