/* nodes.c — calls that depend on nodes, in a communicator of several jobs: all processes agree
 * which processes are on one node, whatever their jobs. */
#include <stdbool.h>
#include <string.h>
#include "mpitest.h"

enum { MOST = 16 };

struct place {
    char host[MPI_MAX_PROCESSOR_NAME];
    int job;
};

/* Collective operations have a phase in each node, with the processes of all jobs there, through
 * their shared memory. */
static void check_phases(const struct place *all, int size, int rank)
{
    int hosts = 0, here = 0, node[MOST];

    for (int i = 0; i < size; i++) {
        int first = 0;
        while (strcmp(all[first].host, all[i].host) != 0)
            first++;
        hosts += first == i;
        here += !strcmp(all[i].host, all[rank].host);
    }
    bool phases = hosts > 1 && hosts < size;
    CHECK_INT(world_nodes(MPI_COMM_WORLD, node), phases ? hosts : 0);
    for (int i = 0; phases && i < size; i++)
        for (int j = 0; j < i; j++)
            CHECK((node[i] == node[j]) == !strcmp(all[i].host, all[j].host));
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(world_has_segment(MPI_COMM_WORLD), here > 1 && hosts < size);
}

/* The node's processes have a shared window, in which each finds what the others have written. */
static void check_shared_window(MPI_Comm node)
{
    int size, rank, unit, *mine, *other;
    MPI_Aint len;
    MPI_Win win;

    MPI_Comm_size(node, &size);
    MPI_Comm_rank(node, &rank);
    MPI_Win_allocate_shared(sizeof *mine, sizeof *mine, MPI_INFO_NULL, node, &mine, &win);
    MPI_Win_fence(0, win);
    *mine = rank;
    MPI_Win_fence(0, win);
    for (int i = 0; i < size; i++) {
        MPI_Win_shared_query(win, i, &len, &unit, &other);
        CHECK_INT(*other, i);
    }
    MPI_Win_free(&win);
}

/* The processes of each host are together, in an intercommunicator of the first one and all others,
 * too. */
static void check_split(const struct place *all, int size, int rank)
{
    int here = 0, others = 0, len, remote, first[MOST];
    MPI_Comm node, part, inter;
    struct place found[MOST];

    for (int i = 0; i < size; i++)
        here += !strcmp(all[i].host, all[rank].host);
    for (int i = 1; i < size; i++)
        others += !strcmp(all[i].host, all[0].host);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &len);
    CHECK_INT(len, here);
    MPI_Allgather(&all[rank], sizeof *all, MPI_BYTE, found, sizeof *all, MPI_BYTE, node);
    for (int i = 0; i < len; i++)
        CHECK(!strcmp(found[i].host, all[rank].host));
    check_shared_window(node);
    MPI_Comm_free(&node);

    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &part);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, rank == 0, 7, &inter);
    MPI_Comm_split_type(inter, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    bool together = others > 0 && !strcmp(all[rank].host, all[0].host);
    CHECK((node != MPI_COMM_NULL) == together);
    if (together) {
        MPI_Comm_remote_size(node, &remote);
        CHECK_INT(remote, rank ? 1 : others);
        MPI_Allgather(&rank, 1, MPI_INT, first, 1, MPI_INT, node);
        CHECK(rank ? first[0] == 0 : first[0] > 0);
        MPI_Comm_free(&node);
    }
    MPI_Comm_free(&inter);
    MPI_Comm_free(&part);
}

/* In a ring that may be reordered the processes of each host follow each other. */
static void check_ring(const struct place *all, int size, int rank)
{
    int ranks[MOST], periods[1] = { 1 }, hosts = 0, crossings = 0;
    MPI_Comm ring;

    for (int i = 0; i < size; i++) {
        int first = 0;
        while (strcmp(all[first].host, all[i].host) != 0)
            first++;
        hosts += first == i;
    }
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, periods, 1, &ring);
    MPI_Allgather(&rank, 1, MPI_INT, ranks, 1, MPI_INT, ring);
    for (int i = 0; i < size; i++)
        crossings += strcmp(all[ranks[i]].host, all[ranks[(i + 1) % size]].host) != 0;
    CHECK_INT(crossings, hosts > 1 ? hosts : 0);
    MPI_Comm_free(&ring);
}

int main(int argc, char **argv)
{
    struct place mine = { .job = atoi(getenv("JOBS_SIDE")) }, all[MOST];
    int size, rank, len;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(size <= MOST);
    MPI_Get_processor_name(mine.host, &len);
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
    check_phases(all, size, rank);
    check_split(all, size, rank);
    check_ring(all, size, rank);
    MPI_Finalize();
    return 0;
}
