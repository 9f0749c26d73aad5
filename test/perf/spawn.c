/* spawn.c — processes that are spawned or that connect: the time of a spawn and of a connect, and
 * that of messages and collective operations of such processes.
 *
 *   spawn_4            a spawn of 4 processes by all ranks, a barrier, and leaving them
 *   connect            two halves of the ranks connect by a port, and leave each other
 *   child_latency      half a round trip between rank 0 and a child
 *   merged_barrier, merged_allreduce
 *                      of the ranks and as many children in one communicator
 * Compare the last three with perf_latency and perf_collectives of as many ranks in one job. */
#include <stdlib.h>
#include <string.h>
#include "perf.h"

enum order { ORDER_LATENCY, ORDER_BARRIER, ORDER_ALLREDUCE, ORDER_END };

static MPI_Comm children = MPI_COMM_NULL, merged = MPI_COMM_NULL;
static char *program, *buffer;

/* ---- what parents and children do alike ------------------------------------------------------ */

static void exchange(int first, MPI_Comm c, size_t size, int iters)
{
    for (int i = 0; i < iters; i++) {
        if (first)
            MPI_Send(buffer, (int) size, MPI_BYTE, 0, 0, c);
        MPI_Recv(buffer, (int) size, MPI_BYTE, 0, 0, c, MPI_STATUS_IGNORE);
        if (!first)
            MPI_Send(buffer, (int) size, MPI_BYTE, 0, 0, c);
    }
}

static void obey(enum order what, size_t size, int iters)
{
    for (int i = 0; i < iters && what == ORDER_BARRIER; i++)
        MPI_Barrier(merged);
    for (int i = 0; i < iters && what == ORDER_ALLREDUCE; i++)
        MPI_Allreduce(MPI_IN_PLACE, buffer, (int) size, MPI_BYTE, MPI_BOR, merged);
}

/* ---- a child --------------------------------------------------------------------------------- */

static void serve(MPI_Comm parents)
{
    long order[3];
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Intercomm_merge(parents, 1, &merged);
    buffer = perf_buffer(1 << 20);
    for (;;) {
        MPI_Bcast(order, 3, MPI_LONG, 0, merged);
        if (order[0] == ORDER_END)
            break;
        if (order[0] == ORDER_LATENCY && rank == 0)
            exchange(0, parents, (size_t) order[1], (int) order[2]);
        obey((enum order) order[0], (size_t) order[1], (int) order[2]);
    }
    MPI_Comm_free(&merged);
    free(buffer);
}

static int child(char *role)
{
    MPI_Comm parents;

    MPI_Init(NULL, NULL);
    MPI_Comm_get_parent(&parents);
    if (!strcmp(role, "short"))
        MPI_Barrier(parents);
    else
        serve(parents);
    MPI_Comm_disconnect(&parents);
    MPI_Finalize();
    return 0;
}

/* ---- parents --------------------------------------------------------------------------------- */

static MPI_Comm spawn_children(char *role, int n)
{
    char *args[] = { role, NULL };
    MPI_Comm made;

    MPI_Comm_spawn(program, args, n, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &made, MPI_ERRCODES_IGNORE);
    return made;
}

static void spawn_4(size_t size, int iters)
{
    (void) size;
    for (int i = 0; i < iters; i++) {
        MPI_Comm c = spawn_children("short", 4);
        MPI_Barrier(c);
        MPI_Comm_disconnect(&c);
    }
}

static void connect_halves(size_t size, int iters)
{
    char port[MPI_MAX_PORT_NAME];
    int upper = perf.rank >= perf.size / 2;
    MPI_Comm half, c;

    (void) size;
    MPI_Comm_split(MPI_COMM_WORLD, upper, 0, &half);
    if (perf.rank == 0)
        MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; i < iters; i++) {
        if (upper)
            MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &c);
        else
            MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &c);
        MPI_Comm_disconnect(&c);
    }
    if (perf.rank == 0)
        MPI_Close_port(port);
    MPI_Comm_free(&half);
}

static void command(enum order what, size_t size, int iters)
{
    long order[3] = { what, (long) size, iters };

    MPI_Bcast(order, 3, MPI_LONG, 0, merged);
    obey(what, size, iters);
}

static void child_latency(size_t size, int iters)
{
    command(ORDER_LATENCY, size, iters);
    if (perf.rank == 0)
        exchange(1, children, size, iters);
}

static void merged_barrier(size_t size, int iters) { command(ORDER_BARRIER, size, iters); }
static void merged_allreduce(size_t size, int iters) { command(ORDER_ALLREDUCE, size, iters); }

static const struct perf_case of_children[] = {
    { "child_latency", "us", child_latency, perf_us_half },
    { "merged_barrier", "us", merged_barrier, perf_us_each },
    { "merged_allreduce", "us", merged_allreduce, perf_us_each },
};
enum { OF_CHILDREN = sizeof of_children / sizeof *of_children };

static bool any_wanted(void)
{
    int i = 0;

    while (i < OF_CHILDREN && !perf_wanted(of_children[i].name))
        i++;
    return i < OF_CHILDREN;
}

static void with_children(void)
{
    children = spawn_children("long", perf.size);
    MPI_Intercomm_merge(children, 0, &merged);
    buffer = perf_buffer(1 << 20);
    for (int i = 0; i < OF_CHILDREN; i++)
        perf_run(&of_children[i]);
    command(ORDER_END, 0, 0);
    MPI_Comm_free(&merged);
    MPI_Comm_disconnect(&children);
    free(buffer);
}

int main(int argc, char **argv)
{
    static const struct perf_case spawns = { "spawn_4", "us", spawn_4, perf_us_each },
                                  connects = { "connect", "us", connect_halves, perf_us_each };
    const struct perf_start start = { 1, "8", NULL, NULL };

    if (argc == 2 && (!strcmp(argv[1], "short") || !strcmp(argv[1], "long")))
        return child(argv[1]);
    program = argv[0];
    perf_begin(argc, argv, &start);
    perf_run(&spawns);
    if (perf.size > 1)
        perf_run(&connects);
    if (any_wanted())
        with_children();
    return perf_end();
}
