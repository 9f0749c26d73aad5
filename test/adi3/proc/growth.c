/* growth.c — what a process has touched of memory when MPI_Init of a large job returns, and what
 * talking to a few processes adds. */
#include <stdlib.h>
#include <string.h>
#include "fake.h"

enum { RANKS = 1 << 20, SLACK = 2 << 20 };

/* Bytes of private memory that this process has touched, the page of zeros not counted. */
static size_t touched(void)
{
    char line[128];
    size_t sum = 0, kb;
    FILE *f = fopen("/proc/self/smaps_rollup", "r");

    CHECK(f);
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "Private_Dirty: %zu kB", &kb) == 1
            || sscanf(line, "Private_Clean: %zu kB", &kb) == 1)
            sum += kb << 10;
    (void) fclose(f);
    return sum;
}

int main(void)
{
    fake_size = RANKS;
    fake_reset();
    size_t before = touched();
    CHECK(!fake_join());
    size_t joined = touched();
    CHECK(joined - before <= 8ul * RANKS + SLACK);
    for (int far = 1; far < RANKS; far *= 2)
        CHECK(p2p_upcalls.peer(&proc_own_job.dev, far)->rank == far);
    CHECK(touched() - joined < SLACK);
    _exit(0); /* no other process comes to MPI_Finalize */
}
