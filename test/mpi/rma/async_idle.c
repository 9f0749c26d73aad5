/* async_idle.c — the thread that serves windows is there only where a window needs it, and sleeps
 * while there is nothing to serve: while the program computes, while it sleeps in a call, and when
 * the last window is free.
 *
 * Only for Starling, by /proc. Argument: how many threads a window makes. */
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "rma_test.h"

enum { TIME_MS = 600, SWITCHES = 12 }; /* two looks for failures, and what else may wake it */

static void *nothing(void *p) { return p; }

/* A sanitizer starts a thread of its own with the first one: it is not counted. */
static void first_thread(void)
{
    pthread_t t;

    CHECK(!pthread_create(&t, NULL, nothing, NULL) && !pthread_join(t, NULL));
}

/* Calls use() for each thread of this process but the main one. Returns how many have been. */
static int threads(void (*use)(const char *id))
{
    DIR *d = opendir("/proc/self/task");
    int n = 0;

    CHECK(d != NULL);
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.' && atoi(e->d_name) != getpid()) {
            use(e->d_name);
            n++;
        }
    (void) closedir(d);
    return n;
}

static long switches;

static void count_switches(const char *id)
{
    char path[64], line[256];
    long n;

    (void) snprintf(path, sizeof path, "/proc/self/task/%s/status", id);
    FILE *f = fopen(path, "r");
    CHECK(f != NULL);
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "voluntary_ctxt_switches: %ld", &n) == 1)
            switches += n;
    (void) fclose(f);
}

static int count(void)
{
    switches = 0;
    return threads(count_switches);
}

static double now_ms(void)
{
    struct timespec t;

    (void) clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

static void compute(double ms)
{
    volatile double x = 1;

    for (double end = now_ms() + ms; now_ms() < end;)
        x = x * 0.999 + 0.001;
}

/* Computes, and then waits in a call for rank 0, which computes longer. */
static void idle(int rank)
{
    for (int part = 0; part < 2; part++) {
        compute(20);
        (void) count();
        long before = switches;
        if (part == 0 || rank == 0)
            compute(TIME_MS);
        if (part == 1)
            MPI_Barrier(MPI_COMM_WORLD);
        (void) count();
        if (part == 0 || rank != 0)
            CHECK(switches - before <= SWITCHES + 20 * part); /* it dozes before it rests */
    }
}

static void set_no_locks(MPI_Win w, const char *value)
{
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", value);
    CHECK(MPI_Win_set_info(w, info) == MPI_SUCCESS);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    int rank, before, wanted = argc > 1 ? atoi(argv[1]) : 0;
    MPI_Info info;
    MPI_Win w[3];
    long *memory;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    first_thread();
    before = count();
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "true");
    MPI_Win_allocate(8, 8, info, MPI_COMM_WORLD, &memory, &w[0]);
    MPI_Info_free(&info);
    CHECK_INT(count(), before + wanted); /* it may be locked all the same */
    set_no_locks(w[0], "false");
    CHECK_INT(count(), before + wanted);
    for (int i = 1; i < 3; i++)
        MPI_Win_allocate(8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &w[i]);
    CHECK_INT(count(), before + wanted);
    idle(rank);
    for (int i = 0; i < 3; i++)
        MPI_Win_free(&w[i]);
    idle(rank);
    MPI_Win_allocate(8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &w[0]);
    CHECK_INT(count(), before + wanted);
    MPI_Win_free(&w[0]);
    MPI_Finalize();
    return 0;
}
