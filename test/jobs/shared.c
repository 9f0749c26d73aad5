/* shared.c — collective operations of a communicator of several jobs on one node go through shared
 * memory: those of MPI_COMM_WORLD, of its duplicates and of its parts, whatever the order in which
 * they are freed. Where a process may not share memory, or cannot, all use messages.
 *
 * shared forbidden: the setting of job 0 forbids it. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "held.h"
#include "mpitest.h"

enum { LARGE = 300000, MANY = 40, MOST = 16 };
static const char maps_name[] = "memfd:starling-share";

static char *data;
static bool forbidden;

static void reduce(MPI_Comm c, int factor)
{
    int rank, size, sum = 0;

    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    rank *= factor;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, c);
    CHECK_INT(sum, factor * size * (size - 1) / 2);
}

static void start_often(MPI_Comm c)
{
    int rank, size, mine, sum;
    MPI_Request r;

    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, c, MPI_INFO_NULL, &r);
    for (int i = 0; i < 20; i++) {
        mine = i + rank;
        MPI_Start(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        CHECK_INT(sum, size * i + size * (size - 1) / 2);
    }
    MPI_Request_free(&r);
}

/* Short and long data, and requests. */
static void use(MPI_Comm c, bool shared)
{
    int rank, size, to[MOST], from[MOST];

    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    MPI_Barrier(c);
    CHECK_INT(world_has_segment(c), shared && size > 1);
    for (int root = 0; root < size; root++) {
        memset(data, rank == root ? root + 1 : 0, LARGE);
        MPI_Bcast(data, LARGE, MPI_CHAR, root, c);
        CHECK(data[0] == root + 1 && data[LARGE - 1] == root + 1);
    }
    for (int i = 0; i < size; i++)
        to[i] = rank * size + i;
    MPI_Alltoall(to, 1, MPI_INT, from, 1, MPI_INT, c);
    for (int i = 0; i < size; i++)
        CHECK_INT(from[i], i * size + rank);
    for (int i = 0; i < 100; i++)
        reduce(c, i);
    start_often(c);
}

/* Duplicates and parts, which are freed in another order in each round; the last one is left when
 * that which it was made of is no more. */
static void free_in_any_order(int round)
{
    MPI_Comm c[3], part;
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &c[0]);
    /* Of those parts rank 0 decides: where job 0 forbids it, one of job 0. */
    MPI_Comm_split(c[0], rank % 2, forbidden ? rank : -rank, &c[1]);
    MPI_Comm_dup(c[0], &c[2]);
    for (int i = 0; i < 3; i++)
        use(c[i], !forbidden);
    MPI_Comm_free(&c[round % 3]);
    use(c[(round + 1) % 3], !forbidden);
    MPI_Comm_free(&c[(round + 1) % 3]);
    MPI_Comm_split(c[(round + 2) % 3], 0, rank, &part);
    MPI_Comm_free(&c[(round + 2) % 3]);
    use(part, !forbidden);
    MPI_Comm_free(&part);
}

/* More communicators than there is memory for: the others use messages, the same in all
 * processes. */
static void use_many(void)
{
    int shared = 0, first;
    MPI_Comm c[MANY];

    for (int i = 0; i < MANY; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &c[i]);
        reduce(c[i], 1);
        shared += world_has_segment(c[i]);
    }
    CHECK(forbidden ? shared == 0 : shared > 4 && shared < MANY);
    first = shared;
    MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);
    CHECK_INT(shared, first);
    for (int i = 0; i < MANY; i++)
        reduce(c[i], i);
    for (int i = 0; i < MANY; i++)
        MPI_Comm_free(&c[i]);
}

/* One process has no descriptor for the memory: none has it. */
static void without_descriptors(int rank)
{
    struct rlimit before, none;
    MPI_Comm c;
    int me;

    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    CHECK(!getrlimit(RLIMIT_NOFILE, &before));
    none = before;
    none.rlim_cur = 0;
    MPI_Barrier(MPI_COMM_WORLD); /* no descriptor is needed from here on but for the memory */
    if (me == rank)
        CHECK(!setrlimit(RLIMIT_NOFILE, &none));
    reduce(c, 1);
    if (me == rank)
        CHECK(!setrlimit(RLIMIT_NOFILE, &before));
    use(c, false);
    MPI_Comm_free(&c);
}

int main(int argc, char **argv)
{
    int size;

    forbidden = argc > 1 && !strcmp(argv[1], "forbidden");
    if (forbidden && !strcmp(getenv("JOBS_SIDE"), "0"))
        CHECK(!setenv("STARLING_SHARED_COLLECTIVES", "no", 1));
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(size <= MOST);
    data = mpitest_memory(LARGE);
    use(MPI_COMM_WORLD, !forbidden);
    int maps = held_maps(maps_name), fds = held_fds();
    for (int round = 0; round < 6; round++)
        free_in_any_order(round);
    use_many();
    without_descriptors(0);
    without_descriptors(size - 1);
    free_in_any_order(0);
    CHECK_INT(held_maps(maps_name), maps);
    CHECK(held_fds() <= fds + 2); /* a process that sleeps for the first time gets two */
    free(data);
    MPI_Finalize();
    return 0;
}
