/* tree.c — random trees of jobs: groups spawn jobs and connect by ports, their communicators are
 * used, made and let go as in graph.c, and jobs end while others live. At each step a process is in
 * the communicators, and linked with the processes, that a model says.
 *
 * tree SEED STEPS [ROOT]: each process computes the same random steps, and takes part in those that
 * are its own. A child gets the model from rank ROOT of its parents. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "graph_use.h"
#include "mpitest.h"
#include "settled.h"
#include "tree_groups.h"
#include "world.h"

enum { MOST = 12, CHILDREN = 3, CYCLES = 3, WARM_UP = 4, PATIENCE_S = 280 };
enum { SLEEPERS = 2 }; /* descriptors that a process gets when it sleeps for the first time */

/* What the processes have in common beside the graph. */
static struct tree {
    uint64_t random;
    int step, jobs, objects; /* of the graph, for children */
    int steps;               /* of each cycle */
    int cycle, left;         /* steps left in this cycle */
    int alive, job[MOST];    /* jobs; the first one lives longest */
    bool tied[MOST];         /* a communicator that was freed connects it with others */
} tree;

struct sent_object {
    enum graph_kind kind;
    struct graph_group group[2];
};

static char *program, *seed;

static int job_size(int job) { return graph.first[job + 1] - graph.first[job]; }

static int processes_alive(void)
{
    int n = 0;

    for (int i = 0; i < tree.alive; i++)
        n += job_size(tree.job[i]);
    return n;
}

static void check_links(void)
{
    struct graph_links must = graph_links(&graph);
    struct world_known is = world_known();

    CHECK_INT(is.linked, must.processes);
    CHECK_INT(is.jobs, must.jobs);
}

/* Members of a communicator, of a job, or one process. Returns it in its members. */
static MPI_Comm choose_side(struct graph_group *members)
{
    int at = graph.objects ? graph_draw(&graph, 2 * graph.objects) : 0;

    if (at < graph.objects && graph.object[at]->kind == GRAPH_INTRA) {
        *members = graph.object[at]->group[0];
        return graph.object[at]->comm;
    }
    graph_job(&graph, tree.job[graph_draw(&graph, tree.alive)], members);
    if (graph_draw(&graph, 2))
        return MPI_COMM_WORLD;
    *members = (struct graph_group) { 1, { members->member[graph_draw(&graph, members->size)] } };
    return MPI_COMM_SELF;
}

/* ---- spawning -------------------------------------------------------------------------------- */

static void send_model(MPI_Comm inter, bool root)
{
    static struct sent_object sent[GRAPH_OBJECTS];
    int from = root ? MPI_ROOT : MPI_PROC_NULL;

    tree.random = graph.random;
    tree.step = graph.step;
    tree.jobs = graph.jobs;
    tree.objects = graph.objects;
    for (int i = 0; i < graph.objects; i++) {
        const struct graph_object *o = graph.object[i];
        sent[i] = (struct sent_object) { o->kind, { o->group[0], o->group[1] } };
    }
    MPI_Bcast(&tree, (int) sizeof tree, MPI_BYTE, from, inter);
    MPI_Bcast(graph.first, graph.jobs + 1, MPI_INT, from, inter);
    MPI_Bcast(sent, graph.objects * (int) sizeof *sent, MPI_BYTE, from, inter);
}

/* The newest job and the newest object are those of this process. */
static void receive_model(MPI_Comm inter, int root, int rank)
{
    static struct sent_object sent[GRAPH_OBJECTS];
    static int first[GRAPH_JOBS + 1];

    MPI_Bcast(&tree, (int) sizeof tree, MPI_BYTE, root, inter);
    MPI_Bcast(first, tree.jobs + 1, MPI_INT, root, inter);
    MPI_Bcast(sent, tree.objects * (int) sizeof *sent, MPI_BYTE, root, inter);
    graph.random = tree.random;
    graph.step = tree.step;
    for (int job = 0; job < tree.jobs; job++)
        graph_add_job(&graph, first[job + 1] - first[job]);
    for (int i = 0; i < tree.objects; i++)
        graph_add(&graph, sent[i].kind, &sent[i].group[0], &sent[i].group[1]);
    graph.object[tree.objects - 1]->comm = inter;
    graph.me = first[tree.jobs - 1] + rank;
}

static void check_spawned(MPI_Comm inter, const int *codes, int n)
{
    int size;

    for (int i = 0; i < n; i++)
        CHECK_INT(codes[i], MPI_SUCCESS);
    MPI_Comm_remote_size(inter, &size);
    CHECK_INT(size, n);
}

/* n processes, the first ones by a command of their own; 0: all by one command. */
static MPI_Comm spawn_job(int root, int first, int n, MPI_Comm comm)
{
    char steps[16], number[16], *args[] = { seed, steps, number, NULL }, **argvs[] = { args, args },
                                *programs[] = { program, program };
    int codes[CHILDREN] = { -1, -1, -1 }, sizes[] = { first, n - first };
    const MPI_Info infos[] = { MPI_INFO_NULL, MPI_INFO_NULL };
    MPI_Comm inter;

    snprintf(steps, sizeof steps, "%d", tree.steps * CYCLES);
    snprintf(number, sizeof number, "%d", root);
    if (first)
        MPI_Comm_spawn_multiple(2, programs, argvs, sizes, infos, root, comm, &inter, codes);
    else
        MPI_Comm_spawn(program, args, n, MPI_INFO_NULL, root, comm, &inter, codes);
    check_spawned(inter, codes, n);
    return inter;
}

static void spawn(const struct graph_group *g, MPI_Comm comm)
{
    int n = 1 + graph_draw(&graph, CHILDREN), root = graph_draw(&graph, g->size),
        first = graph_draw(&graph, n);
    struct graph_group children;

    if (processes_alive() + n > MOST)
        return;
    tree.tied[tree.alive] = false;
    tree.job[tree.alive] = graph_add_job(&graph, n);
    graph_job(&graph, tree.job[tree.alive++], &children);
    struct graph_object *o = graph_add(&graph, GRAPH_INTER, g, &children);
    graph_tell("spawn", o);
    if (graph_side(&graph, o) < 0)
        return;
    o->comm = spawn_job(root, first, n, comm);
    send_model(o->comm, g->member[root] == graph.me);
}

static void spawn_any(void)
{
    struct graph_group g;
    MPI_Comm comm = choose_side(&g);

    spawn(&g, comm);
}

/* ---- ports ----------------------------------------------------------------------------------- */

/* The rank of b in a communicator by which a and b, one of which is this process, can send to each
 * other; -1: there is none. */
static int way_between(int a, int b, MPI_Comm *comm)
{
    int job = graph.job[a];

    *comm = MPI_COMM_WORLD;
    if (graph.job[b] == job)
        return b - graph.first[job];
    for (int i = 0; i < graph.objects; i++) {
        const struct graph_object *o = graph.object[i];
        for (int side = 0; side < 2 && o->comm != MPI_COMM_NULL; side++) {
            int rank = graph_rank(&o->group[o->kind == GRAPH_INTER ? !side : 0], b);
            *comm = o->comm;
            if (graph_rank(&o->group[side], a) >= 0 && rank >= 0)
                return rank;
        }
    }
    return -1;
}

static void find_name(const char *service, char *port)
{
    double end = MPI_Wtime() + PATIENCE_S;

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    while (MPI_Lookup_name(service, MPI_INFO_NULL, port)) {
        CHECK(MPI_Wtime() < end);
        (void) usleep(1000);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

/* The name of a port goes to the other root by a message, or is published where no communicator has
 * both. */
static void accept_group(int me, int other, int root, MPI_Comm comm, MPI_Comm *inter)
{
    char port[MPI_MAX_PORT_NAME] = "", service[32];
    MPI_Comm way;
    int rank = way_between(graph.me, other, &way);

    snprintf(service, sizeof service, "tree %d", graph.step);
    if (me == graph.me) {
        MPI_Open_port(MPI_INFO_NULL, port);
        if (rank >= 0)
            MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, rank, 3, way);
        else
            MPI_Publish_name(service, MPI_INFO_NULL, port);
    }
    MPI_Comm_accept(port, MPI_INFO_NULL, root, comm, inter);
    if (me == graph.me) {
        if (rank < 0)
            MPI_Unpublish_name(service, MPI_INFO_NULL, port);
        MPI_Close_port(port);
    }
}

static void connect_group(int me, int other, int root, MPI_Comm comm, MPI_Comm *inter)
{
    char port[MPI_MAX_PORT_NAME] = "", service[32];
    MPI_Comm way;
    int rank = way_between(graph.me, other, &way);

    snprintf(service, sizeof service, "tree %d", graph.step);
    if (me == graph.me && rank >= 0)
        MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, rank, 3, way, MPI_STATUS_IGNORE);
    else if (me == graph.me)
        find_name(service, port);
    MPI_Comm_connect(port, MPI_INFO_NULL, root, comm, inter);
}

static void connect_any(void)
{
    struct graph_group g[2];
    MPI_Comm comm[2];
    int root[2], member[2];

    for (int side = 0; side < 2; side++) {
        comm[side] = choose_side(&g[side]);
        root[side] = graph_draw(&graph, g[side].size);
        member[side] = g[side].member[root[side]];
    }
    if (!graph_disjoint(&g[0], &g[1]))
        return;
    struct graph_object *o = graph_add(&graph, GRAPH_INTER, &g[0], &g[1]);
    int side = graph_side(&graph, o);
    graph_tell("connect", o);
    if (side == 0)
        accept_group(member[0], member[1], root[0], comm[0], &o->comm);
    else if (side == 1)
        connect_group(member[1], member[0], root[1], comm[1], &o->comm);
}

/* ---- letting go ------------------------------------------------------------------------------ */

static bool has_job(const struct graph_object *o, int job)
{
    bool has = false;

    for (int side = 0; side < 2; side++)
        for (int i = 0; i < o->group[side].size; i++)
            has |= graph.job[o->group[side].member[i]] == job;
    return has;
}

/* A child that lets the communicator of its parents go has no parents. */
static void let_go(int at)
{
    const struct graph_object o = *graph.object[at];
    MPI_Comm parent, after;

    MPI_Comm_get_parent(&parent);
    bool is_parent = parent != MPI_COMM_NULL && o.comm == parent,
         freed = graph_let_go(at, tree.cycle == CYCLES - 1);
    MPI_Comm_get_parent(&after);
    CHECK(after == (is_parent ? MPI_COMM_NULL : parent));
    for (int i = 0; i < tree.alive && freed; i++)
        tree.tied[i] |= has_job(&o, tree.job[i]);
}

static void let_all_go(void)
{
    for (; graph.objects; graph.step++) {
        let_go(graph_draw(&graph, graph.objects));
        check_links();
    }
}

/* All that the job is in is let go by its members. */
static void end_job(int at)
{
    int job = tree.job[at];

    for (int i = graph.objects - 1; i >= 0; i--)
        if (has_job(graph.object[i], job))
            let_go(i);
    if (tree.tied[at])
        return;
    tree.tied[at] = tree.tied[--tree.alive];
    tree.job[at] = tree.job[tree.alive];
    if (graph.job[graph.me] != job)
        return;
    check_links();
    tree_groups_free();
    free(graph.data);
    MPI_Finalize();
    exit(0);
}

static void end_any(void)
{
    int at = graph_draw(&graph, tree.alive);

    if (at && !tree.tied[at])
        end_job(at);
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* What comes once in the life of a process: the first spawn, message, window and so on. */
static void warm_up(void)
{
    struct graph_group g;

    graph_job(&graph, 0, &g);
    if (graph.step == 0)
        spawn(&g, MPI_COMM_WORLD);
    else if (graph.step == 1)
        graph_use(graph.object[0]);
    else if (graph.step == 2)
        graph_merge(graph.object[0]);
    else
        graph_window(graph.object[1]);
}

static void one_step(void)
{
    if (graph.step < WARM_UP)
        warm_up();
    else if (!graph.objects || graph_draw(&graph, 3) == 0) {
        int what = graph_draw(&graph, 5);
        if (what == 0)
            end_any();
        else if (graph.objects == GRAPH_OBJECTS)
            let_go(graph_draw(&graph, graph.objects));
        else if (what < 3)
            spawn_any();
        else
            connect_any();
    } else {
        int at = graph_draw(&graph, graph.objects);
        if (graph.objects > GRAPH_OBJECTS - 2 || graph_draw(&graph, GRAPH_OBJECTS) < graph.objects)
            let_go(at);
        else
            graph_use_or_make(graph.object[at]);
    }
}

static void end_step(void)
{
    check_links();
    tree_groups_check();
    graph.step++;
    tree.left--;
}

/* The first job alone is left, and has what it had after the first cycle. */
static void end_cycle(void)
{
    static int fds, maps;

    let_all_go();
    while (tree.alive > 1)
        end_job(tree.alive - 1);
    tree_groups_free();
    CHECK_INT(world_known().processes, 0);
    if (tree.cycle == 0) {
        fds = held_fds() + SLEEPERS;
        maps = held_maps("memfd");
    }
    CHECK(settled_fds(fds, 10) <= fds);
    CHECK_INT(held_maps("memfd"), maps);
}

int main(int argc, char **argv)
{
    MPI_Comm parent;
    int rank;

    (void) alarm(PATIENCE_S);
    MPI_Init(&argc, &argv);
    CHECK(argc > 1);
    program = argv[0];
    seed = argv[1];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        receive_model(parent, atoi(argv[3]), rank);
    } else {
        graph_begin(&graph, strtoull(seed, NULL, 10), rank);
        tree.steps = (argc > 2 ? atoi(argv[2]) : test_size(30, 8000)) / CYCLES;
        tree.left = tree.steps;
        tree.alive = 1;
    }
    graph_use_begin();
    if (parent != MPI_COMM_NULL)
        end_step(); /* that of the spawn */
    for (;;) {
        while (tree.left > 0) {
            one_step();
            end_step();
        }
        if (tree.cycle == CYCLES - 1)
            break;
        end_cycle();
        tree.cycle++;
        tree.left = tree.steps;
    }
    let_all_go();
    tree_groups_free();
    free(graph.data);
    MPI_Finalize();
    return 0;
}
