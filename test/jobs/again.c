/* again.c — two or three jobs that connect and disconnect many times: nothing grows, and the last
 * time is as fast as the first.
 *
 * again ROUNDS: job 0 accepts the others, all leave each other, and so on. The environment is as
 * that of world.c. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "mpitest.h"
#include "settled.h"
#include "world.h"

enum { WARM = 20, LARGE = 100000 };
#ifdef __SANITIZE_ADDRESS__
enum { PAGES = 1 << 16 }; /* what has been freed stays for a while */
#else
enum { PAGES = 256 };
#endif

static int side, jobs;
static char *data;

/* Each process exchanges a small and a large message with each of the other group. */
static void talk(MPI_Comm inter, int round)
{
    int size, word = round, got;

    MPI_Comm_remote_size(inter, &size);
    for (int i = 0; i < size; i++) {
        got = -1;
        MPI_Sendrecv(&word, 1, MPI_INT, i, 1, &got, 1, MPI_INT, i, 1, inter, MPI_STATUS_IGNORE);
        CHECK_INT(got, round);
        memset(data, round, LARGE);
        MPI_Sendrecv(data, LARGE, MPI_CHAR, i, 2, data + LARGE, LARGE, MPI_CHAR, i, 2, inter,
                     MPI_STATUS_IGNORE);
        CHECK(data[LARGE] == (char) round && data[2 * LARGE - 1] == (char) round);
    }
}

/* All jobs in one communicator, as far as they are connected. */
static void talk_all(MPI_Comm all)
{
    int one = 1, sum = 0, size, rank;
    MPI_Request again;

    MPI_Comm_size(all, &size);
    MPI_Comm_rank(all, &rank);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all);
    CHECK_INT(sum, size);
    MPI_Barrier(all);
    memset(data, rank == size - 1 ? size : 0, LARGE);
    MPI_Bcast(data, LARGE, MPI_CHAR, size - 1, all);
    CHECK(data[0] == size && data[LARGE - 1] == size);
    MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, all, MPI_INFO_NULL, &again);
    for (int i = 0; i < 3; i++) {
        sum = 0;
        MPI_Start(&again);
        MPI_Wait(&again, MPI_STATUS_IGNORE);
        CHECK_INT(sum, size);
    }
    MPI_Request_free(&again);
}

/* A window, a file and a communicator are let go, too. */
static void use_others(MPI_Comm all)
{
    MPI_Comm again;
    MPI_File file;
    MPI_Win win;
    int rank, size;

    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &size);
    MPI_Win_create(data, LARGE, 1, MPI_INFO_NULL, all, &win);
    MPI_Win_fence(0, win);
    MPI_Put("x", 1, MPI_CHAR, (rank + 1) % size, rank, 1, MPI_CHAR, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    CHECK(data[(rank + size - 1) % size] == 'x');
    MPI_Comm_dup(all, &again);
    talk_all(again);
    CHECK_INT(world_disconnect(&again), MPI_SUCCESS);
    CHECK_INT(MPI_File_open(all, getenv("JOBS_FILE"), MPI_MODE_CREATE | MPI_MODE_RDWR,
                            MPI_INFO_NULL, &file),
              MPI_SUCCESS);
    MPI_File_close(&file);
}

static void one_round(int round)
{
    MPI_Comm inter[3], all[3] = { MPI_COMM_WORLD };
    int n = 0;

    for (int guest = side ? side : 1; guest < jobs; guest++, n++) {
        inter[n] = world_meet(all[n], guest, guest != side);
        talk(inter[n], round);
        MPI_Intercomm_merge(inter[n], guest == side, &all[n + 1]);
        talk_all(all[n + 1]);
        if (round % 4 == 0)
            use_others(all[n + 1]);
    }
    while (n-- > 0) { /* in the order that suits this process, but the same in all */
        CHECK_INT(world_disconnect(round % 2 ? &inter[n] : &all[n + 1]), MPI_SUCCESS);
        CHECK_INT(world_disconnect(round % 2 ? &all[n + 1] : &inter[n]), MPI_SUCCESS);
    }
}

static long pages(void)
{
    long all, resident;
    FILE *f = fopen("/proc/self/statm", "r");

    CHECK(f && fscanf(f, "%ld %ld", &all, &resident) == 2);
    (void) fclose(f);
    return resident;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : test_size(60, 3000), fds = 0, maps = 0;
    long memory = 0;
    double begin = 0, early = 0;

    MPI_Init(&argc, &argv);
    side = atoi(getenv("JOBS_SIDE"));
    jobs = atoi(getenv("JOBS_COUNT"));
    data = mpitest_memory(2 * LARGE);
    for (int i = 0; i < rounds; i++) {
        if (i == WARM) {
            fds = settled_fds(0, 0.3);
            maps = held_maps("memfd");
            memory = pages();
            begin = MPI_Wtime();
        }
        if (i == WARM + (rounds - WARM) / 4)
            early = MPI_Wtime() - begin;
        if (i == rounds - (rounds - WARM) / 4)
            begin = MPI_Wtime();
        one_round(i);
    }
    double late = MPI_Wtime() - begin;
    CHECK(settled_fds(fds, 10) <= fds);
    CHECK_INT(held_maps("memfd"), maps);
    if (getenv("JOBS_TELL"))
        printf("%d rounds: %ld pages more, %.2f of the time\n", rounds, pages() - memory,
               late / early);
    CHECK(pages() - memory < PAGES);
    free(data);
    MPI_Finalize();
    return 0;
}
