/* topo.c — communicators with random topologies, and the neighbors of each process. */
#include "property.h"

enum { MAX_DIMS = 3, MAX_EDGES = 64 };

static struct place start(int size)
{
    struct place p = { .size = { size, size } };

    p.nodes = mpitest_memory((size_t) size * sizeof *p.nodes);
    for (int r = 0; r < size; r++) {
        struct node *n = &p.nodes[r];
        n->ins = n->outs = 0;
        n->in = mpitest_memory(MAX_EDGES * sizeof *n->in);
        n->out = mpitest_memory(MAX_EDGES * sizeof *n->out);
    }
    return p;
}

void topo_free(struct place *p)
{
    for (int r = 0; r < p->size[0]; r++) {
        free(p->nodes[r].in);
        free(p->nodes[r].out);
    }
    free(p->nodes);
}

static void finish(struct place *p)
{
    if (p->comm != MPI_COMM_NULL)
        MPI_Comm_rank(p->comm, &p->rank);
}

/* The rank that is step away in a dimension; stride: the product of the later dimensions. */
static int shifted(int rank, int dim, int stride, int periodic, int step)
{
    int at = rank / stride % dim, to = at + step;

    if (!periodic && (to < 0 || to >= dim))
        return -1;
    return rank + ((to + dim) % dim - at) * stride;
}

/* T08: each dimension has the negative neighbor, then the positive one. A block that is sent to
 * the positive neighbor arrives there as the block from its negative one. */
static void cart_edges(struct place *p, int n, const int *dims, const int *periods)
{
    for (int r = 0; r < p->size[0]; r++) {
        int stride = p->size[0];
        for (int d = 0; d < n; d++) {
            stride /= dims[d];
            for (int side = 0; side < 2; side++) {
                int peer = shifted(r, dims[d], stride, periods[d], side ? 1 : -1);
                int slot = 2 * d + side;
                p->nodes[r].in[slot] = p->nodes[r].out[slot] =
                    (struct edge) { peer, 2 * d + 1 - side };
            }
        }
        p->nodes[r].ins = p->nodes[r].outs = 2 * n;
    }
}

/* Dimensions of 1 and 2 processes are frequent. */
struct place topo_cart(struct dice *d)
{
    int world, n = roll(d, MAX_DIMS + 1), size = 1, dims[MAX_DIMS], periods[MAX_DIMS];

    MPI_Comm_size(MPI_COMM_WORLD, &world);
    for (int i = 0; i < n; i++) {
        int most = world / size;
        dims[i] = 1 + roll(d, roll(d, 2) && most > 2 ? 2 : most);
        periods[i] = roll(d, 3) > 0;
        size *= dims[i];
    }
    struct place p = start(size);
    snprintf(p.name, sizeof p.name, "cart of %d:", n);
    for (int i = 0; i < n; i++) {
        size_t len = strlen(p.name);
        snprintf(p.name + len, sizeof p.name - len, " %d%s", dims[i], periods[i] ? "p" : "");
    }
    cart_edges(&p, n, dims, periods);
    MPI_Cart_create(MPI_COMM_WORLD, n, dims, periods, 0, &p.comm);
    finish(&p);
    return p;
}

static void put(struct place *p, int from, int to)
{
    struct node *a = &p->nodes[from], *b = &p->nodes[to];

    a->out[a->outs++] = (struct edge) { .rank = to };
    b->in[b->ins++] = (struct edge) { .rank = from };
}

/* Numbers the blocks at the other end of each edge: the k-th of several edges between the same
 * two processes. */
static void number(struct place *p)
{
    for (int r = 0; r < p->size[0]; r++)
        for (int i = 0; i < p->nodes[r].ins; i++) {
            struct edge *e = &p->nodes[r].in[i];
            const struct node *peer = &p->nodes[e->rank];
            int before = 0, k = 0;
            for (int j = 0; j < i; j++)
                before += p->nodes[r].in[j].rank == e->rank;
            while (peer->out[k].rank != r || before-- > 0)
                k++;
            e->block = k;
        }
}

static void mix(struct dice *d, struct edge *e, int n)
{
    for (int i = n - 1; i > 0; i--) {
        int j = roll(d, i + 1);
        struct edge x = e[i];
        e[i] = e[j];
        e[j] = x;
    }
}

/* A symmetric graph, with some edges from a process to itself, made by MPI_Graph_create. */
struct place topo_graph(struct dice *d)
{
    int world, n = 0, index[64], edges[64 * 8];

    MPI_Comm_size(MPI_COMM_WORLD, &world);
    struct place p = start(world);
    snprintf(p.name, sizeof p.name, "graph");
    for (int a = 0; a < world; a++)
        for (int b = a; b < world; b++)
            if (roll(d, 2) && p.nodes[a].outs < 7 && p.nodes[b].outs < 7) {
                put(&p, a, b);
                if (a != b)
                    put(&p, b, a);
            }
    CHECK(world <= 64);
    for (int r = 0; r < world; r++) {
        struct node *v = &p.nodes[r];
        mix(d, v->out, v->outs);
        memcpy(v->in, v->out, (size_t) v->outs * sizeof *v->in);
        for (int i = 0; i < v->outs; i++)
            edges[n++] = v->out[i].rank;
        index[r] = n;
    }
    number(&p);
    MPI_Graph_create(MPI_COMM_WORLD, world, index, edges, 0, &p.comm);
    finish(&p);
    return p;
}

/* A directed graph with several edges between the same two processes, and from processes to
 * themselves. */
struct place topo_adjacent(struct dice *d)
{
    int world, me, in[MAX_EDGES], out[MAX_EDGES];

    MPI_Comm_size(MPI_COMM_WORLD, &world);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    struct place p = start(world);
    int edges = roll(d, 3 * world + 1);
    snprintf(p.name, sizeof p.name, "dist_graph with %d edges", edges);
    for (int i = 0; i < edges; i++) {
        int from = roll(d, world), to = roll(d, roll(d, 4) ? world : 1);
        if (p.nodes[from].outs < MAX_EDGES && p.nodes[to].ins < MAX_EDGES)
            put(&p, from, to);
    }
    for (int r = 0; r < world; r++) {
        mix(d, p.nodes[r].in, p.nodes[r].ins);
        mix(d, p.nodes[r].out, p.nodes[r].outs);
    }
    number(&p);
    const struct node *mine = &p.nodes[me];
    for (int i = 0; i < mine->ins; i++)
        in[i] = mine->in[i].rank;
    for (int i = 0; i < mine->outs; i++)
        out[i] = mine->out[i].rank;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, mine->ins, in, MPI_UNWEIGHTED, mine->outs, out,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &p.comm);
    finish(&p);
    return p;
}
