/* memory.c — memory of the ranks after some traffic. Prints the mean over the ranks, in KiB:
 *   memory_rss, memory_pss, memory_private
 * and "memory_ready"; with -w FILE the ranks then stay as they are while FILE exists, so that
 * other programs can examine them (a minute at most).
 *   -t none       no traffic after MPI_Init          -t halo   with 8 partners of a ring (default)
 *   -t alltoall   each rank with each other */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "perf.h"

enum { FIELDS = 3, LOOKS = 1200 };

static const char *watched, *traffic = "halo";
static char *out, *in;

static void own_option(int letter, const char *value)
{
    if (letter == 'w')
        watched = value;
    else
        traffic = value;
}

static void talk(int to, int from, int len)
{
    MPI_Sendrecv(out, len, MPI_BYTE, to, 1, in, len, MPI_BYTE, from, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

/* Often enough that a library has taken all memory that it takes for a pair that communicates. */
static void make_traffic(void)
{
    int reach = !strcmp(traffic, "halo") ? 4 : !strcmp(traffic, "alltoall") ? perf.size - 1 : 0;

    for (int z = 0; z < perf.nsizes; z++)
        for (int i = 0; i < 20; i++)
            for (int k = 1; k <= reach; k++) {
                int right = (perf.rank + k) % perf.size;
                int left = (perf.rank - k % perf.size + perf.size) % perf.size;
                talk(right, left, (int) perf.sizes[z]);
                talk(left, right, (int) perf.sizes[z]);
            }
}

static void read_memory(double kib[FIELDS])
{
    static const char *const field[FIELDS] = { "Rss:", "Pss:", "Private_Dirty:" };
    char line[256];
    FILE *f = fopen("/proc/self/smaps_rollup", "re");

    if (!f)
        perf_fail("cannot read /proc/self/smaps_rollup");
    while (fgets(line, sizeof line, f))
        for (int i = 0; i < FIELDS; i++)
            if (!strncmp(line, field[i], strlen(field[i])))
                kib[i] = strtod(line + strlen(field[i]), NULL);
    (void) fclose(f);
}

static void report(void)
{
    static const char *const name[FIELDS] = { "memory_rss", "memory_pss", "memory_private" };
    double kib[FIELDS] = { 0 }, sum[FIELDS] = { 0 };

    perf_gate(); /* all ranks are here, and none has begun to leave */
    read_memory(kib);
    perf_gate();
    MPI_Reduce(kib, sum, FIELDS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    for (int i = 0; i < FIELDS; i++)
        perf_print(name[i], perf.max_size, sum[i] / perf.size, "KiB");
}

int main(int argc, char **argv)
{
    const struct perf_start start = { 1, "1024", "w:t:", own_option };
    const struct timespec nap = { .tv_nsec = 50000000 };

    perf_begin(argc, argv, &start);
    out = perf_buffer(perf.max_size);
    in = perf_buffer(perf.max_size);
    make_traffic();
    report();
    perf_gate();
    perf_print("memory_ready", perf.max_size, perf.size, "ranks");
    for (int i = 0; i < LOOKS && watched && access(watched, F_OK) == 0; i++)
        (void) nanosleep(&nap, NULL);
    return perf_end();
}
