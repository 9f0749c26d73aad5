/* nodes.c — calls that depend on nodes, in a communicator of several jobs: all processes agree
 * which processes are on one node. In collective operations those of different jobs there are
 * together; the others keep them apart. */
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

int main(int argc, char **argv)
{
    struct place mine = { .job = atoi(getenv("JOBS_SIDE")) }, all[MOST];
    int size, rank, together = 0, len, ranks[MOST] = { 0 }, dims[1], periods[1] = { 1 };
    MPI_Comm node, ring;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(size <= MOST);
    MPI_Get_processor_name(mine.host, &len);
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        together += all[i].job == mine.job && !strcmp(all[i].host, mine.host);
    check_phases(all, size, rank);

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &len);
    CHECK_INT(len, together);
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, node);
    for (int i = 0; i < len; i++)
        CHECK(all[i].job == mine.job && !strcmp(all[i].host, mine.host));
    MPI_Comm_free(&node);

    dims[0] = size;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &ring);
    MPI_Comm_rank(ring, &rank);
    ranks[rank] = 1;
    MPI_Allreduce(MPI_IN_PLACE, ranks, size, MPI_INT, MPI_SUM, ring);
    for (int i = 0; i < size; i++)
        CHECK_INT(ranks[i], 1);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
