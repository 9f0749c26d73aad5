/* polls.c — a loop of polls in vain gives up a core that another process of the node needs; one
 * with a core of its own never does. With two processes both are on one core. */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include "mpi/init/init.h"
#include "platform/counter.h"

enum { MOST = 100000000, ALONE = 20000, TAG = 1, GO = 2 };

static MPI_Request never[2]; /* receives that no message comes for */
static MPI_Win win;
static int peer;

static void check(bool good, const char *what)
{
    if (good)
        return;
    printf("%s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void poll_test(int *flag) { MPI_Test(&never[0], flag, MPI_STATUS_IGNORE); }
static void poll_testall(int *flag) { MPI_Testall(2, never, flag, MPI_STATUSES_IGNORE); }

static void poll_testany(int *flag)
{
    int index;

    MPI_Testany(2, never, &index, flag, MPI_STATUS_IGNORE);
}

static void poll_testsome(int *flag)
{
    int indices[2];

    MPI_Testsome(2, never, flag, indices, MPI_STATUSES_IGNORE);
}

static void poll_get_status(int *flag)
{
    MPI_Request_get_status(never[0], flag, MPI_STATUS_IGNORE);
}

static void poll_iprobe(int *flag)
{
    MPI_Iprobe(peer, TAG, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE);
}

static void poll_improbe(int *flag)
{
    MPI_Message message;

    MPI_Improbe(peer, TAG, MPI_COMM_WORLD, flag, &message, MPI_STATUS_IGNORE);
}

static void poll_win_test(int *flag) { MPI_Win_test(win, flag); }

static void poll_win_sync(int *flag)
{
    *flag = 0;
    MPI_Win_sync(win);
}

static const struct {
    const char *name;
    void (*poll)(int *flag);
} polls[] = {
    { "MPI_Test", poll_test },         { "MPI_Testall", poll_testall },
    { "MPI_Testany", poll_testany },   { "MPI_Testsome", poll_testsome },
    { "MPI_Iprobe", poll_iprobe },     { "MPI_Improbe", poll_improbe },
    { "MPI_Win_test", poll_win_test }, { "MPI_Request_get_status", poll_get_status },
    { "MPI_Win_sync", poll_win_sync },
};

/* Polls until it has yielded, or this often. */
static bool yields_within(void (*poll)(int *flag), int most)
{
    const struct counter *const *all, *row;

    check(!mpir_counters(&all) && (row = counter_find(all, "progress_poll_yields")), "no counter");
    uint64_t before = counter_value(row, NULL);

    for (int i = 0; i < most; i++) {
        int flag = 0;
        poll(&flag);
        check(!flag, "a poll found what nobody has sent");
        if (counter_value(row, NULL) != before)
            return true;
    }
    return false;
}

static void share_one_core(void)
{
    cpu_set_t all, one;
    int cpu = 0;

    check(!sched_getaffinity(0, sizeof all, &all), "sched_getaffinity fails");
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    check(!sched_setaffinity(0, sizeof one, &one), "sched_setaffinity fails");
}

/* The peer waits in a receive meanwhile. */
static void poll_in_vain(int size)
{
    for (int i = 0; i < 2; i++)
        MPI_Irecv(NULL, 0, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &never[i]);
    for (size_t i = 0; i < sizeof polls / sizeof *polls; i++)
        check(yields_within(polls[i].poll, size > 1 ? MOST : ALONE) == (size > 1), polls[i].name);
    for (int i = 0; i < 2; i++) {
        MPI_Cancel(&never[i]);
        MPI_Wait(&never[i], MPI_STATUS_IGNORE);
    }
}

/* What the peer's MPI_Win_test was waiting for. */
static void access_peer(MPI_Group group)
{
    MPI_Win_start(group, 0, win);
    MPI_Win_complete(win);
}

int main(int argc, char **argv)
{
    MPI_Group all, group;
    int rank, size;

    share_one_core();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    peer = size - 1 - rank;
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &peer, &group);
    if (rank == 0) {
        MPI_Win_post(group, 0, win);
        poll_in_vain(size);
        MPI_Send(NULL, 0, MPI_BYTE, peer, GO, MPI_COMM_WORLD);
    }
    if (rank == size - 1) {
        MPI_Recv(NULL, 0, MPI_BYTE, size - 1 - rank, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        access_peer(group);
    }
    if (rank == 0)
        MPI_Win_wait(win);
    MPI_Group_free(&group);
    MPI_Group_free(&all);
    MPI_Win_free(&win);
    return MPI_Finalize();
}
