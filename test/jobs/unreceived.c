/* unreceived.c — many singletons send small messages to one that does not receive them: what it
 * keeps of them does not grow by what a job of one process takes from each. Then it receives all.
 *
 * The environment is as that of world.c. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "mpitest.h"
#include "world.h"

/* Of a client: 3.6 MB, which a job of one process takes from another one. */
enum { MESSAGES = 900, LEN = 4000, LAST = MESSAGES, ROUNDS = 2, MOST = 64 };
enum { KEPT = 1 << 20 }; /* most bytes of each client at the first time */
#ifdef __SANITIZE_ADDRESS__
enum { FACTOR = 4 };
#else
enum { FACTOR = 1 };
#endif

static char data[MESSAGES][LEN];

static long anonymous_bytes(void)
{
    char line[200];
    long kib = -1;
    FILE *f = fopen("/proc/self/status", "r");

    CHECK(f);
    while (kib < 0 && fgets(line, sizeof line, f))
        (void) sscanf(line, "RssAnon: %ld kB", &kib);
    (void) fclose(f);
    CHECK(kib > 0);
    return kib * 1024;
}

/* The last message comes behind all others, and is received first. */
static void client(MPI_Comm hub, int me)
{
    MPI_Request r[MESSAGES + 1];

    for (int i = 0; i < MESSAGES; i++) {
        memset(data[i], me + i, LEN);
        MPI_Isend(data[i], LEN, MPI_CHAR, 0, i, hub, &r[i]);
    }
    MPI_Isend(NULL, 0, MPI_CHAR, 0, LAST, hub, &r[LAST]);
    MPI_Waitall(MESSAGES + 1, r, MPI_STATUSES_IGNORE);
}

static void receive_all(MPI_Comm from, int number)
{
    for (int i = 0; i < MESSAGES; i++) {
        MPI_Recv(data[0], LEN, MPI_CHAR, 0, i, from, MPI_STATUS_IGNORE);
        CHECK(data[0][0] == (char) (number + i) && data[0][LEN - 1] == (char) (number + i));
    }
}

static void hub(const MPI_Comm *inter, int jobs)
{
    for (int round = 0; round < ROUNDS; round++) {
        long before = anonymous_bytes();
        for (int i = 1; i < jobs; i++)
            MPI_Recv(NULL, 0, MPI_CHAR, 0, LAST, inter[i], MPI_STATUS_IGNORE);
        long more = anonymous_bytes() - before;
        if (getenv("JOBS_TELL"))
            printf("round %d: %ld bytes of each\n", round, more / (jobs - 1));
        CHECK(round || more < (long) FACTOR * KEPT * (jobs - 1));
        for (int i = 1; i < jobs; i++)
            receive_all(inter[i], i);
        for (int i = 1; i < jobs; i++)
            MPI_Send(NULL, 0, MPI_CHAR, 0, 0, inter[i]);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm inter[MOST];

    MPI_Init(&argc, &argv);
    int side = atoi(getenv("JOBS_SIDE")), jobs = atoi(getenv("JOBS_COUNT"));
    CHECK(jobs <= MOST);
    memset(data, 1, sizeof data);
    for (int guest = side ? side : 1; guest < (side ? side + 1 : jobs); guest++)
        inter[guest] = world_meet(MPI_COMM_SELF, guest, !side);
    for (int round = 0; round < ROUNDS && side; round++) {
        client(inter[side], side);
        MPI_Recv(NULL, 0, MPI_CHAR, 0, 0, inter[side], MPI_STATUS_IGNORE);
    }
    if (!side)
        hub(inter, jobs);
    for (int guest = side ? side : 1; guest < (side ? side + 1 : jobs); guest++)
        CHECK_INT(world_disconnect(&inter[guest]), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
