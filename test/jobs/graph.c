/* graph.c — random graphs of jobs: they connect, duplicate, merge and split communicators, make
 * windows and files, send messages, and let all of it go in random order. A process is linked with
 * those that a model says, at each moment, and has nothing more when all is let go than in the
 * beginning.
 *
 * graph SEED STEPS: each process computes the same random steps, and takes part in those that are
 * its own. JOBS_SIZES are the numbers of processes of the jobs, JOBS_SIDE is this one; JOBS_NAME
 * begins the names of the sockets by which they find each other, JOBS_FILE those of files. */
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include "graph_use.h"
#include "mpitest.h"
#include "settled.h"
#include "world.h"

enum { PATIENCE_S = 250, CYCLES = 3 };
enum { SLEEPERS = 2 }; /* descriptors that a process gets when it sleeps for the first time */

static void check_links(void)
{
    struct graph_links must = graph_links(&graph);
    struct world_known is = world_known();

    CHECK_INT(is.linked, must.processes);
    CHECK_INT(is.jobs, must.jobs);
}

/* ---- sockets --------------------------------------------------------------------------------- */

/* A path, or an abstract name: which hosts made of namespaces do not share. */
static socklen_t address_of_step(struct sockaddr_un *a)
{
    const char *name = getenv("JOBS_NAME");
    int at = name[0] != '/', room = (int) sizeof a->sun_path - at;

    memset(a, 0, sizeof *a);
    a->sun_family = AF_UNIX;
    int n = snprintf(a->sun_path + at, (size_t) room, "%s-%d", name, graph.step);
    CHECK(n < room);
    return (socklen_t) (offsetof(struct sockaddr_un, sun_path) + (size_t) (at + n));
}

static void make_progress(double end)
{
    int flag;

    MPI_Iprobe(0, 0, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    CHECK(MPI_Wtime() < end);
    (void) usleep(100);
}

/* One end of a socket between two leaders. */
static int meet(bool accepts)
{
    struct sockaddr_un a;
    socklen_t len = address_of_step(&a);
    double end = MPI_Wtime() + PATIENCE_S;
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), c;

    if (!accepts) {
        while (connect(s, (struct sockaddr *) &a, len))
            make_progress(end);
        return s;
    }
    CHECK(!bind(s, (struct sockaddr *) &a, len) && !listen(s, 1));
    CHECK(!fcntl(s, F_SETFL, O_NONBLOCK));
    while ((c = accept(s, NULL, NULL)) < 0)
        make_progress(end);
    (void) close(s);
    if (a.sun_path[0])
        (void) unlink(a.sun_path);
    return c;
}

/* ---- what makes objects ---------------------------------------------------------------------- */

/* A side of a connection: members of a communicator, or of a job. Returns it in its members. */
static MPI_Comm choose_side(struct graph_group *members)
{
    int at = graph.objects ? graph_draw(&graph, 2 * graph.objects) : 0, job, rank;

    if (at < graph.objects && graph.object[at]->kind == GRAPH_INTRA) {
        *members = graph.object[at]->group[0];
        return graph.object[at]->comm;
    }
    job = graph_draw(&graph, graph.jobs);
    graph_job(&graph, job, members);
    if (graph_draw(&graph, 2))
        return MPI_COMM_WORLD;
    rank = graph_draw(&graph, members->size);
    *members = (struct graph_group) { 1, { members->member[rank] } };
    return MPI_COMM_SELF;
}

static void connect_groups(const struct graph_group g[2], const MPI_Comm comm[2])
{
    struct graph_object *o = graph_add(&graph, GRAPH_INTER, &g[0], &g[1]);
    int side = graph_side(&graph, o), s = -1;
    char why[MPI_MAX_ERROR_STRING];

    if (side < 0)
        return;
    graph_tell("connect", o);
    if (g[side].member[0] == graph.me)
        s = meet(side == 0);
    if (world_connect(comm[side], s, &o->comm, why)) {
        fprintf(stderr, "graph: process %d, step %d: %s\n", graph.me, graph.step, why);
        CHECK(!"connected");
    }
    if (s >= 0)
        (void) close(s);
}

static void connect_any(void)
{
    struct graph_group g[2];
    MPI_Comm comm[2];

    for (int tries = 0; tries < 8; tries++) {
        comm[0] = choose_side(&g[0]);
        comm[1] = choose_side(&g[1]);
        if (g[0].size + g[1].size <= GRAPH_MEMBERS && graph_disjoint(&g[0], &g[1])) {
            connect_groups(g, comm);
            return;
        }
    }
}

static void let_all_go(bool frees)
{
    for (; graph.objects; graph.step++) {
        graph_let_go(graph_draw(&graph, graph.objects), frees);
        check_links();
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* The more objects there are the more of them are let go. */
static void one_step(bool frees)
{
    if (!graph.objects || graph_draw(&graph, 4) == 0) {
        if (graph.objects < GRAPH_OBJECTS)
            connect_any();
    } else {
        int at = graph_draw(&graph, graph.objects);
        if (graph.objects > GRAPH_OBJECTS - 2 || graph_draw(&graph, GRAPH_OBJECTS) < graph.objects)
            graph_let_go(at, frees);
        else
            graph_use_or_make(graph.object[at]);
    }
    check_links();
}

/* Each process has been connected, has sent and received, and has had a window. */
static void warm_up(void)
{
    const MPI_Comm world[2] = { MPI_COMM_WORLD, MPI_COMM_WORLD };
    struct graph_group g[2];

    for (int job = 0; job < graph.jobs - 1; job++, graph.step++) {
        graph_job(&graph, job, &g[0]);
        graph_job(&graph, job + 1, &g[1]);
        connect_groups(g, world);
        graph_use(graph.object[0]);
        graph_merge(graph.object[0]);
        graph_window(graph.object[1]);
        let_all_go(false);
    }
}

/* The provider of libfabric keeps a connection with each process that it has met. */
static bool fds_stay(void)
{
    const char *devices = getenv("STARLING_DEVICES");

    return devices && strcmp(devices, "libfabric") == 0;
}

int main(int argc, char **argv)
{
    int steps = argc > 2 ? atoi(argv[2]) : test_size(150, 10000), rank, fds, maps;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(argc > 1);
    graph_begin(&graph, strtoull(argv[1], NULL, 10), rank);
    graph_use_begin();
    warm_up();
    fds = held_fds() + SLEEPERS;
    maps = held_maps("memfd");
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        for (int i = 0; i < steps / CYCLES; i++, graph.step++)
            one_step(cycle == CYCLES - 1);
        let_all_go(cycle == CYCLES - 1);
        if (cycle == CYCLES - 1)
            break;
        CHECK_INT(world_known().processes, 0);
        CHECK(fds_stay() || settled_fds(fds, 10) <= fds);
        CHECK_INT(held_maps("memfd"), maps);
    }
    free(graph.data);
    MPI_Finalize();
    return 0;
}
