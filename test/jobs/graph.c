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
#include "graph_model.h"
#include "held.h"
#include "mpitest.h"
#include "world.h"

enum { LARGE = 100000, PATIENCE_S = 250, CYCLES = 3 };
enum { SLEEPERS = 2 }; /* descriptors that a process gets when it sleeps for the first time */

static struct graph graph;
static int step;
static bool tells;
static char *data;

static void tell(const char *what, const struct graph_object *o)
{
    if (!tells || graph_side(&graph, o) < 0)
        return;
    printf("%d: step %d: %s kind %d", graph.me, step, what, o->kind);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < o->group[side].size; i++)
            printf("%s%d", i ? "," : " ", o->group[side].member[i]);
    printf("\n");
    (void) fflush(stdout);
}

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
    int n = snprintf(a->sun_path + at, (size_t) room, "%s-%d", name, step);
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

/* ---- what uses an object --------------------------------------------------------------------- */

static int sum_of(const struct graph_group *g)
{
    int sum = 0;

    for (int i = 0; i < g->size; i++)
        sum += g->member[i];
    return sum;
}

static bool is_of(const char *bytes, int process)
{
    return bytes[0] == (char) (process + step) && bytes[LARGE - 1] == bytes[0];
}

/* Where this process sends to, and receives from: with the other group as far as it has a process
 * of this rank, or around the own group. */
static void neighbors(const struct graph_object *o, int *to, int *from)
{
    int side = graph_side(&graph, o), n = o->group[0].size,
        rank = graph_rank(&o->group[side], graph.me);

    *to = (rank + 1) % n;
    *from = (rank + n - 1) % n;
    if (o->kind == GRAPH_INTER)
        *to = *from = rank < o->group[!side].size ? rank : MPI_PROC_NULL;
}

static void check_received(const struct graph_object *o, int from)
{
    const struct graph_group *g = &o->group[o->kind == GRAPH_INTER ? !graph_side(&graph, o) : 0];

    CHECK(from == MPI_PROC_NULL || is_of(data + LARGE, g->member[from]));
}

static void talk(const struct graph_object *o)
{
    int to, from, sum = -1,
                  must = sum_of(&o->group[o->kind == GRAPH_INTER && !graph_side(&graph, o)]);

    MPI_Allreduce(&graph.me, &sum, 1, MPI_INT, MPI_SUM, o->comm);
    CHECK_INT(sum, must);
    neighbors(o, &to, &from);
    memset(data, graph.me + step, LARGE);
    MPI_Sendrecv(data, LARGE, MPI_CHAR, to, 1, data + LARGE, LARGE, MPI_CHAR, from, 1, o->comm,
                 MPI_STATUS_IGNORE);
    check_received(o, from);
}

static void put(const struct graph_object *o)
{
    int to, from;

    neighbors(o, &to, &from);
    memset(data, graph.me + step, LARGE);
    MPI_Win_fence(0, o->win);
    MPI_Put(data, LARGE, MPI_CHAR, to, 0, LARGE, MPI_CHAR, o->win);
    MPI_Win_fence(0, o->win);
    CHECK(is_of(o->memory, o->group[0].member[from]));
}

static void write_and_read(const struct graph_object *o)
{
    int rank = graph_rank(&o->group[0], graph.me), got = -1, word = graph.me + step;
    MPI_Offset at = (MPI_Offset) sizeof word * rank;

    CHECK_INT(MPI_File_write_at_all(o->file, at, &word, 1, MPI_INT, MPI_STATUS_IGNORE),
              MPI_SUCCESS);
    CHECK_INT(MPI_File_read_at_all(o->file, at, &got, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS);
    CHECK_INT(got, word);
}

static void use(const struct graph_object *o)
{
    if (graph_side(&graph, o) < 0)
        return;
    tell("use", o);
    if (o->kind == GRAPH_WINDOW)
        put(o);
    else if (o->kind == GRAPH_FILE)
        write_and_read(o);
    else
        talk(o);
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
    tell("connect", o);
    if (g[side].member[0] == graph.me)
        s = meet(side == 0);
    if (world_connect(comm[side], s, &o->comm, why)) {
        fprintf(stderr, "graph: process %d, step %d: %s\n", graph.me, step, why);
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

static void duplicate(const struct graph_object *o)
{
    struct graph_object *made = graph_add(&graph, o->kind, &o->group[0], &o->group[1]);

    tell("dup", o);
    if (graph_side(&graph, o) >= 0)
        MPI_Comm_dup(o->comm, &made->comm);
}

static void merge(const struct graph_object *o)
{
    int high = graph_draw(&graph, 2), side = graph_side(&graph, o);
    struct graph_group all = o->group[high];

    for (int i = 0; i < o->group[!high].size; i++)
        all.member[all.size++] = o->group[!high].member[i];
    struct graph_object *made = graph_add(&graph, GRAPH_INTRA, &all, NULL);
    tell("merge", o);
    if (side >= 0)
        MPI_Intercomm_merge(o->comm, side != high, &made->comm);
}

/* Into two parts, without those that have neither color. */
static void split(const struct graph_object *o)
{
    struct graph_group part[2] = { { 0 }, { 0 } };
    struct graph_object *made[2] = { NULL, NULL };
    MPI_Comm got = MPI_COMM_NULL;
    int mine = MPI_UNDEFINED;

    for (int i = 0; i < o->group[0].size; i++) {
        int color = graph_draw(&graph, 5) / 2, process = o->group[0].member[i];
        if (color == 2)
            continue;
        part[color].member[part[color].size++] = (int16_t) process;
        if (process == graph.me)
            mine = color;
    }
    for (int color = 0; color < 2; color++)
        if (part[color].size)
            made[color] = graph_add(&graph, GRAPH_INTRA, &part[color], NULL);
    tell("split", o);
    if (graph_side(&graph, o) >= 0)
        MPI_Comm_split(o->comm, mine, 0, &got);
    if (mine != MPI_UNDEFINED)
        made[mine]->comm = got;
}

static void make_window(const struct graph_object *o)
{
    struct graph_object *made = graph_add(&graph, GRAPH_WINDOW, &o->group[0], NULL);

    tell("window", o);
    if (graph_side(&graph, o) < 0)
        return;
    made->memory = mpitest_memory(LARGE);
    MPI_Win_create(made->memory, LARGE, 1, MPI_INFO_NULL, o->comm, &made->win);
    use(made);
}

static void make_file(const struct graph_object *o)
{
    struct graph_object *made = graph_add(&graph, GRAPH_FILE, &o->group[0], NULL);
    char name[256];

    tell("file", o);
    if (graph_side(&graph, o) < 0)
        return;
    CHECK(snprintf(name, sizeof name, "%s-%d", getenv("JOBS_FILE"), step) < (int) sizeof name);
    CHECK_INT(MPI_File_open(o->comm, name,
                            MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                            MPI_INFO_NULL, &made->file),
              MPI_SUCCESS);
    use(made);
}

/* ---- letting go ------------------------------------------------------------------------------ */

/* Half of the communicators have large messages under way. */
static void let_go_comm(struct graph_object *o, bool busy)
{
    MPI_Request r[2] = { MPI_REQUEST_NULL, MPI_REQUEST_NULL };
    int to, from;

    neighbors(o, &to, &from);
    if (busy) {
        memset(data, graph.me + step, LARGE);
        MPI_Irecv(data + LARGE, LARGE, MPI_CHAR, from, 2, o->comm, &r[0]);
        MPI_Isend(data, LARGE, MPI_CHAR, to, 2, o->comm, &r[1]);
    }
    CHECK_INT(world_disconnect(&o->comm), MPI_SUCCESS);
    if (busy) {
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        check_received(o, from);
    }
}

static void let_go(int at, bool frees)
{
    struct graph_object *o = graph.object[at];
    bool busy = graph_draw(&graph, 2), is_comm = o->kind <= GRAPH_INTER;

    frees = frees && is_comm && graph_draw(&graph, 2);
    tell(frees ? "free" : "let go", o);
    if (graph_side(&graph, o) >= 0) {
        if (o->kind == GRAPH_WINDOW)
            MPI_Win_free(&o->win);
        else if (o->kind == GRAPH_FILE)
            MPI_File_close(&o->file);
        else if (frees)
            MPI_Comm_free(&o->comm);
        else
            let_go_comm(o, busy);
    }
    graph_remove(&graph, at, frees);
}

static void let_all_go(bool frees)
{
    for (; graph.objects; step++) {
        let_go(graph_draw(&graph, graph.objects), frees);
        check_links();
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void use_or_make(const struct graph_object *o)
{
    int what = graph_draw(&graph, 10);

    if (what < 4 || o->kind >= GRAPH_WINDOW)
        use(o);
    else if (what < 6)
        duplicate(o);
    else if (o->kind == GRAPH_INTER)
        merge(o);
    else if (what < 8)
        split(o);
    else if (what < 9)
        make_window(o);
    else
        make_file(o);
}

/* The more objects there are the more of them are let go. */
static void one_step(bool frees)
{
    if (!graph.objects || graph_draw(&graph, 4) == 0) {
        if (graph.objects < GRAPH_OBJECTS)
            connect_any();
    } else {
        int at = graph_draw(&graph, graph.objects);
        if (graph.objects > GRAPH_OBJECTS - 2 || graph_draw(&graph, GRAPH_OBJECTS) < graph.objects)
            let_go(at, frees);
        else
            use_or_make(graph.object[at]);
    }
    check_links();
}

/* Each process has been connected, has sent and received, and has had a window. */
static void warm_up(void)
{
    const MPI_Comm world[2] = { MPI_COMM_WORLD, MPI_COMM_WORLD };
    struct graph_group g[2];

    for (int job = 0; job < graph.jobs - 1; job++, step++) {
        graph_job(&graph, job, &g[0]);
        graph_job(&graph, job + 1, &g[1]);
        connect_groups(g, world);
        use(graph.object[0]);
        merge(graph.object[0]);
        make_window(graph.object[1]);
        let_all_go(false);
    }
}

/* At most so many descriptors, once connections that end have ended. */
static int settled_fds(int most)
{
    double end = MPI_Wtime() + 10;
    int flag;

    while (held_fds() > most && MPI_Wtime() < end)
        MPI_Iprobe(0, 0, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    return held_fds();
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
    tells = getenv("JOBS_TELL");
    data = mpitest_memory(2 * LARGE);
    warm_up();
    fds = held_fds() + SLEEPERS;
    maps = held_maps("memfd");
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        for (int i = 0; i < steps / CYCLES; i++, step++)
            one_step(cycle == CYCLES - 1);
        let_all_go(cycle == CYCLES - 1);
        if (cycle == CYCLES - 1)
            break;
        CHECK_INT(world_known().processes, 0);
        CHECK(fds_stay() || settled_fds(fds) <= fds);
        CHECK_INT(held_maps("memfd"), maps);
    }
    free(data);
    MPI_Finalize();
    return 0;
}
