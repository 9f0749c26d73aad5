/* apart.c — processes of a job connect apart from the others of it: what they have in common with
 * these stays as it was, and each pair is linked as long as it should be.
 *
 * Job 0 has two processes, jobs 1 and 2 have one. */
#include <sched.h>
#include <stdbool.h>
#include "mpitest.h"
#include "world.h"

static int side, rank;

static bool is(int job, int of_job) { return side == job && (job || rank == of_job); }

/* Job 0 has a core for each process. It has less with those that one of them has connected with:
 * the choice of algorithms must be the same in both. */
static void take_two_cores(void)
{
    cpu_set_t all, two;
    int n = 0;

    CHECK(!sched_getaffinity(0, sizeof all, &all));
    CPU_ZERO(&two);
    for (int i = 0; i < CPU_SETSIZE && n < 2; i++)
        if (CPU_ISSET(i, &all)) {
            CPU_SET(i, &two);
            n++;
        }
    CHECK(!sched_setaffinity(0, sizeof two, &two));
}

static void exchange(MPI_Comm inter)
{
    int word = 7, got = 0;

    MPI_Sendrecv(&word, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, inter, MPI_STATUS_IGNORE);
    CHECK_INT(got, 7);
}

/* In a new communicator of a job whose processes know different jobs. */
static void use_world(void)
{
    int all[2] = { -1, -1 }, size;
    MPI_Comm again;
    MPI_Request r;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &again);
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, again);
    for (int i = 0; i < size; i++)
        CHECK_INT(all[i], i);
    for (int i = 0; i < 40; i++) {
        MPI_Ibarrier(again, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Barrier(again);
    }
    MPI_Comm_free(&again);
}

static void check_linked(int processes) { CHECK_INT(world_known().linked, processes); }

/* A file of two jobs links them no longer than it is open. */
static void use_file(MPI_Comm inter)
{
    MPI_Comm both;
    MPI_File file;

    MPI_Intercomm_merge(inter, side, &both);
    CHECK_INT(MPI_File_open(both, getenv("JOBS_FILE"), MPI_MODE_CREATE | MPI_MODE_RDWR,
                            MPI_INFO_NULL, &file),
              MPI_SUCCESS);
    CHECK_INT(world_disconnect(&both), MPI_SUCCESS);
    check_linked(1);
    CHECK_INT(MPI_File_close(&file), MPI_SUCCESS);
}

/* Both processes of job 0 connect with job 1, one after the other; the first time is over last. */
static void connect_in_turn(void)
{
    MPI_Comm first, second;

    if (is(0, 0) || side == 1) {
        first = world_meet(MPI_COMM_SELF, 1, side == 0);
        exchange(first);
    }
    if (side == 0)
        use_world();
    if (is(0, 1) || side == 1) {
        second = world_meet(MPI_COMM_SELF, 2, side == 0);
        check_linked(1 + side);
        exchange(second);
        CHECK_INT(world_disconnect(&second), MPI_SUCCESS);
    }
    if (side == 0)
        use_world();
    if (is(0, 0) || side == 1) {
        exchange(first);
        use_file(first);
        CHECK_INT(world_disconnect(&first), MPI_SUCCESS);
    }
    CHECK_INT(world_known().processes, 0);
}

/* An intercommunicator whose one group is of two jobs is freed: they stay linked, too. */
static void free_inter(void)
{
    MPI_Comm pair, both, all;

    if (is(0, 1))
        return;
    if (side < 2) {
        pair = world_meet(MPI_COMM_SELF, 3, side == 0);
        MPI_Intercomm_merge(pair, side, &both);
    }
    all = world_meet(side < 2 ? both : MPI_COMM_SELF, 4, side < 2);
    MPI_Comm_free(&all);
    if (side < 2) {
        CHECK_INT(world_disconnect(&both), MPI_SUCCESS);
        CHECK_INT(world_disconnect(&pair), MPI_SUCCESS);
    }
    check_linked(2);
}

/* Process 0 is in one group with job 1, and process 1 alone in the other. */
static void meet_own_job(void)
{
    bool alone = is(0, 1);
    MPI_Comm pair = MPI_COMM_NULL, both = MPI_COMM_SELF, all;
    int one = 1, sum = 0;

    if (!alone) {
        pair = world_meet(MPI_COMM_SELF, 5, side == 0);
        MPI_Intercomm_merge(pair, side, &both);
    }
    all = world_meet(both, 6, alone);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all);
    CHECK_INT(sum, alone ? 2 : 1);
    CHECK_INT(world_disconnect(&all), MPI_SUCCESS);
    if (!alone) {
        CHECK_INT(world_disconnect(&both), MPI_SUCCESS);
        CHECK_INT(world_disconnect(&pair), MPI_SUCCESS);
    }
    CHECK_INT(world_known().processes, 0);
}

int main(int argc, char **argv)
{
    take_two_cores();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    side = atoi(getenv("JOBS_SIDE"));
    if (side < 2) {
        connect_in_turn();
        meet_own_job();
    }
    free_inter();
    MPI_Finalize();
    return 0;
}
