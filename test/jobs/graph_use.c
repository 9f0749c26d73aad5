/* graph_use.c — what random graphs and trees of jobs do with communicators, windows and files: they
 * use, make and let go of them. The processes of an object call this at the same step. */
#include <stdio.h>
#include <string.h>
#include "graph_use.h"
#include "mpitest.h"

enum { LARGE = 100000 };

struct graph graph;

void graph_use_begin(void)
{
    graph.tells = getenv("JOBS_TELL");
    graph.data = mpitest_memory(2 * LARGE);
}

void graph_tell(const char *what, const struct graph_object *o)
{
    if (!graph.tells || graph_side(&graph, o) < 0)
        return;
    printf("%d: step %d: %s kind %d", graph.me, graph.step, what, o->kind);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < o->group[side].size; i++)
            printf("%s%d", i ? "," : " ", o->group[side].member[i]);
    printf("\n");
    (void) fflush(stdout);
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
    return bytes[0] == (char) (process + graph.step) && bytes[LARGE - 1] == bytes[0];
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

    CHECK(from == MPI_PROC_NULL || is_of(graph.data + LARGE, g->member[from]));
}

static void talk(const struct graph_object *o)
{
    int to, from, sum = -1,
                  must = sum_of(&o->group[o->kind == GRAPH_INTER && !graph_side(&graph, o)]);

    MPI_Allreduce(&graph.me, &sum, 1, MPI_INT, MPI_SUM, o->comm);
    CHECK_INT(sum, must);
    neighbors(o, &to, &from);
    memset(graph.data, graph.me + graph.step, LARGE);
    MPI_Sendrecv(graph.data, LARGE, MPI_CHAR, to, 1, graph.data + LARGE, LARGE, MPI_CHAR, from, 1,
                 o->comm, MPI_STATUS_IGNORE);
    check_received(o, from);
}

static void put(const struct graph_object *o)
{
    int to, from;

    neighbors(o, &to, &from);
    memset(graph.data, graph.me + graph.step, LARGE);
    MPI_Win_fence(0, o->win);
    MPI_Put(graph.data, LARGE, MPI_CHAR, to, 0, LARGE, MPI_CHAR, o->win);
    MPI_Win_fence(0, o->win);
    CHECK(is_of(o->memory, o->group[0].member[from]));
}

static void write_and_read(const struct graph_object *o)
{
    int rank = graph_rank(&o->group[0], graph.me), got = -1, word = graph.me + graph.step;
    MPI_Offset at = (MPI_Offset) sizeof word * rank;

    CHECK_INT(MPI_File_write_at_all(o->file, at, &word, 1, MPI_INT, MPI_STATUS_IGNORE),
              MPI_SUCCESS);
    CHECK_INT(MPI_File_read_at_all(o->file, at, &got, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS);
    CHECK_INT(got, word);
}

void graph_use(const struct graph_object *o)
{
    if (graph_side(&graph, o) < 0)
        return;
    graph_tell("use", o);
    if (o->kind == GRAPH_WINDOW)
        put(o);
    else if (o->kind == GRAPH_FILE)
        write_and_read(o);
    else
        talk(o);
}

/* ---- what makes objects ---------------------------------------------------------------------- */

static void duplicate(const struct graph_object *o)
{
    struct graph_object *made = graph_add(&graph, o->kind, &o->group[0], &o->group[1]);

    graph_tell("dup", o);
    if (graph_side(&graph, o) >= 0)
        MPI_Comm_dup(o->comm, &made->comm);
}

void graph_merge(const struct graph_object *o)
{
    int high = graph_draw(&graph, 2), side = graph_side(&graph, o);
    struct graph_group all = o->group[high];

    for (int i = 0; i < o->group[!high].size; i++)
        all.member[all.size++] = o->group[!high].member[i];
    struct graph_object *made = graph_add(&graph, GRAPH_INTRA, &all, NULL);
    graph_tell("merge", o);
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
    graph_tell("split", o);
    if (graph_side(&graph, o) >= 0)
        MPI_Comm_split(o->comm, mine, 0, &got);
    if (mine != MPI_UNDEFINED)
        made[mine]->comm = got;
}

void graph_window(const struct graph_object *o)
{
    struct graph_object *made = graph_add(&graph, GRAPH_WINDOW, &o->group[0], NULL);

    graph_tell("window", o);
    if (graph_side(&graph, o) < 0)
        return;
    made->memory = mpitest_memory(LARGE);
    MPI_Win_create(made->memory, LARGE, 1, MPI_INFO_NULL, o->comm, &made->win);
    graph_use(made);
}

static void make_file(const struct graph_object *o)
{
    struct graph_object *made = graph_add(&graph, GRAPH_FILE, &o->group[0], NULL);
    char name[256];

    graph_tell("file", o);
    if (graph_side(&graph, o) < 0)
        return;
    CHECK(snprintf(name, sizeof name, "%s-%d", getenv("JOBS_FILE"), graph.step)
          < (int) sizeof name);
    CHECK_INT(MPI_File_open(o->comm, name,
                            MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                            MPI_INFO_NULL, &made->file),
              MPI_SUCCESS);
    graph_use(made);
}

void graph_use_or_make(const struct graph_object *o)
{
    int what = graph_draw(&graph, 10);

    if (what < 4 || o->kind >= GRAPH_WINDOW)
        graph_use(o);
    else if (what < 6)
        duplicate(o);
    else if (o->kind == GRAPH_INTER)
        graph_merge(o);
    else if (what < 8)
        split(o);
    else if (what < 9)
        graph_window(o);
    else
        make_file(o);
}

/* ---- letting go ------------------------------------------------------------------------------ */

/* Half of the communicators have large messages under way. */
static void let_go_comm(struct graph_object *o, bool busy)
{
    MPI_Request r[2] = { MPI_REQUEST_NULL, MPI_REQUEST_NULL };
    int to, from;

    neighbors(o, &to, &from);
    if (busy) {
        memset(graph.data, graph.me + graph.step, LARGE);
        MPI_Irecv(graph.data + LARGE, LARGE, MPI_CHAR, from, 2, o->comm, &r[0]);
        MPI_Isend(graph.data, LARGE, MPI_CHAR, to, 2, o->comm, &r[1]);
    }
    CHECK_INT(MPI_Comm_disconnect(&o->comm), MPI_SUCCESS);
    if (busy) {
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        check_received(o, from);
    }
}

bool graph_let_go(int at, bool frees)
{
    struct graph_object *o = graph.object[at];
    bool busy = graph_draw(&graph, 2), is_comm = o->kind <= GRAPH_INTER;

    frees = frees && is_comm && graph_draw(&graph, 2);
    graph_tell(frees ? "free" : "let go", o);
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
    return frees;
}
