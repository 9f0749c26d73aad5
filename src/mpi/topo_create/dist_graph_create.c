/* dist_graph_create.c — a distributed graph whose edges may come from any process.
 *
 * The processes count the edges for each destination, and exchange the counts. Then an edge is sent
 * to both ends directly, so a process gets only its own edges. */
#include <limits.h>
#include <stdlib.h>
#include "mpi/coll/coll.h"
#include "mpi/info/info.h"
#include "mpi/topo_create/topo_create.h"

struct edge_list { /* the edges that this process gives */
    int n;         /* of sources */
    const int *sources, *degrees, *destinations, *weights;
    bool weighted, reorder;
};

struct edge_end { /* an edge, for the process at one end */
    int other, weight;
};

struct edge_counts { /* what one process sends to another */
    int out, in;     /* edges out of and into the receiver; those out are sent first */
    int weighted, reorder;
};

struct exchange {
    struct adi3_comm *c;
    struct edge_counts *to, *from; /* by process */
    size_t *out_at, *in_at;        /* by process: the index in sent of its next edge */
    struct edge_end *sent, *received;
};

/* Calls f for each edge in the arguments of this process. */
typedef void each_edge(struct exchange *x, int from, int to, int weight);

static void for_each_edge(struct exchange *x, const struct edge_list *g, each_edge *f)
{
    size_t k = 0;

    for (int i = 0; i < g->n; i++)
        for (int j = 0; j < g->degrees[i]; j++, k++)
            f(x, g->sources[i], g->destinations[k], g->weighted ? g->weights[k] : 1);
}

static void edge_ends_count(struct exchange *x, int from, int to, int weight)
{
    (void) weight;
    x->to[from].out++;
    x->to[to].in++;
}

static int exchange_counts(struct exchange *x, const struct edge_list *g)
{
    const size_t ints = sizeof *x->to / sizeof(int);
    struct adi3_type *type = adi3_type_builtin(MPI_INT);
    struct coll all;

    for (int r = 0; r < x->c->size; r++)
        x->to[r] = (struct edge_counts) { 0, 0, g->weighted, g->reorder };
    for_each_edge(x, g, edge_ends_count);
    coll_begin(&all, x->c);
    all.send = (struct adi3_data) { x->to, ints, type };
    all.recv = (struct adi3_data) { x->from, ints, type };
    return coll_run(&coll_alltoall, &all);
}

/* Each process has the flags of all, so all get the same error. */
static int check_flags(const struct exchange *x)
{
    for (int r = 1; r < x->c->size; r++) {
        if (x->from[r].weighted != x->from[0].weighted)
            return mpir_error(MPI_ERR_TOPOLOGY,
                              "process %d gave MPI_UNWEIGHTED, process %d weights",
                              x->from[r].weighted ? 0 : r, x->from[r].weighted ? r : 0);
        if (x->from[r].reorder != x->from[0].reorder)
            return mpir_error(MPI_ERR_ARG, "process %d wants to reorder, process %d does not",
                              x->from[r].reorder ? r : 0, x->from[r].reorder ? 0 : r);
    }
    return MPI_SUCCESS;
}

static size_t edge_ends(const struct edge_counts *t) { return (size_t) t->out + (size_t) t->in; }

static size_t all_edge_ends(const struct exchange *x, const struct edge_counts *t)
{
    size_t sum = 0;

    for (int r = 0; r < x->c->size; r++)
        sum += edge_ends(&t[r]);
    return sum;
}

static void edge_ends_put(struct exchange *x, int from, int to, int weight)
{
    x->sent[x->out_at[from]++] = (struct edge_end) { to, weight };
    x->sent[x->in_at[to]++] = (struct edge_end) { from, weight };
}

static void fill_sent(struct exchange *x, const struct edge_list *g)
{
    size_t at = 0;

    for (int r = 0; r < x->c->size; r++) {
        x->out_at[r] = at;
        x->in_at[r] = at + (size_t) x->to[r].out;
        at += edge_ends(&x->to[r]);
    }
    for_each_edge(x, g, edge_ends_put);
}

static struct adi3_data edge_ends_data(const struct edge_end *h, size_t count)
{
    return coll_packed(h, count * sizeof *h);
}

/* In n rounds: in round i each process sends to rank me + i and receives from rank me - i. So a
 * process that waits for an operation of a round waits for one that is in that round or will
 * come to it. */
static int exchange_edges(struct exchange *x)
{
    int n = x->c->size, me = x->c->rank;
    size_t *received_at = x->in_at, at = 0;
    struct coll all;

    coll_begin(&all, x->c);
    for (int r = 0; r < n; at += edge_ends(&x->from[r++]))
        received_at[r] = at;
    for (int i = 0; i < n; i++) {
        int to = (me + i) % n, from = (me - i + n) % n;
        size_t out = edge_ends(&x->to[to]), in = edge_ends(&x->from[from]);
        /* out_at is at the end of the edges out, before those in */
        struct adi3_data send = edge_ends_data(x->sent + x->out_at[to] - x->to[to].out, out);
        struct adi3_data recv = edge_ends_data(x->received + received_at[from], in);
        if (i == 0) {
            coll_copy(&all, send, recv);
            continue;
        }
        if (in)
            coll_start_recv(&all, recv, from);
        if (out)
            coll_start_send(&all, send, to);
    }
    coll_finish(&all);
    coll_free_scratch(&all);
    return all.err;
}

static void edge_ends_take(const struct edge_end *h, int n, int *others, int *weights)
{
    for (int i = 0; i < n; i++) {
        others[i] = h[i].other;
        if (weights)
            weights[i] = h[i].weight;
    }
}

/* The neighbors of this process, in the order of the processes that sent them. */
static struct mpir_topology *received_neighbors(const struct exchange *x, bool weighted)
{
    size_t out = 0, in = 0;

    for (int r = 0; r < x->c->size; r++) {
        out += (size_t) x->from[r].out;
        in += (size_t) x->from[r].in;
    }
    struct mpir_topology *t =
        out > INT_MAX || in > INT_MAX ? NULL : mpir_dist_new((int) in, (int) out, weighted);
    if (!t)
        return NULL;
    struct mpir_neighbors d = t->dist;
    const struct edge_end *h = x->received;
    for (int r = 0; r < x->c->size; r++) {
        int n = x->from[r].out, m = x->from[r].in;
        edge_ends_take(h, n, d.destinations, d.destweights);
        edge_ends_take(h + n, m, d.sources, d.sourceweights);
        h += edge_ends(&x->from[r]);
        d.destinations += n;
        d.sources += m;
        if (weighted) {
            d.destweights += n;
            d.sourceweights += m;
        }
    }
    return t;
}

static int exchange_all(struct exchange *x, const struct edge_list *g, struct mpir_topology **t)
{
    int err = exchange_counts(x, g);

    if (!err)
        err = check_flags(x);
    if (err)
        return err;
    x->sent = malloc((all_edge_ends(x, x->to) + 1) * sizeof *x->sent);
    x->received = malloc((all_edge_ends(x, x->from) + 1) * sizeof *x->received);
    if (!x->sent || !x->received)
        return adi3_no_memory("for a graph of %d processes", x->c->size);
    fill_sent(x, g);
    err = exchange_edges(x);
    if (err)
        return err;
    *t = received_neighbors(x, g->weighted);
    return *t ? MPI_SUCCESS : adi3_no_memory("for a graph of %d processes", x->c->size);
}

static int dist_graph_make(struct adi3_comm *c, const struct edge_list *g, MPI_Comm *newcomm)
{
    size_t n = (size_t) c->size;
    struct edge_counts *counts = malloc(2 * n * sizeof *counts);
    size_t *at = malloc(2 * n * sizeof *at);
    struct exchange x = { .c = c, .to = counts, .out_at = at };
    struct mpir_topology *t = NULL;
    int err = counts && at ? MPI_SUCCESS : adi3_no_memory("for a graph of %d processes", c->size);

    if (!err) {
        x.from = counts + n;
        x.in_at = at + n;
        err = exchange_all(&x, g, &t);
    }
    free(x.received);
    free(x.sent);
    free(at);
    free(counts);
    if (!err)
        err = mpir_dist_make(c, t, g->reorder, newcomm);
    return err;
}

/* total: of all edges. */
static int degrees_arg(int n, const int *degrees, int *total)
{
    long long sum = 0;
    int err = mpir_array_arg(degrees, n, "degrees");

    for (int i = 0; !err && i < n; sum += degrees[i++])
        if (degrees[i] < 0)
            err = mpir_error(MPI_ERR_ARG, "degrees[%d] is negative: %d", i, degrees[i]);
    if (!err && sum > INT_MAX)
        err = mpir_error(MPI_ERR_ARG, "the degrees are %lld edges, more than %d", sum, INT_MAX);
    *total = err ? 0 : (int) sum;
    return err;
}

/* Creates a communicator with a distributed graph topology, of which each process may give any
 * edges (§7.5.4). It gives degrees[i] edges from sources[i], to as many entries of destinations,
 * with weights or MPI_UNWEIGHTED. With reorder ranks may change so that neighbors are near each
 * other. Collective.
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_RANK, MPI_ERR_INFO, MPI_ERR_TOPOLOGY when some have
 * weights and some have not, MPI_ERR_NO_MEM. */
int PMPI_Dist_graph_create(MPI_Comm comm_old, int n, const int sources[], const int degrees[],
                           const int destinations[], const int weights[], MPI_Info info,
                           int reorder, MPI_Comm *comm_dist_graph)
{
    ENTER("MPI_Dist_graph_create", comm_old, n, sources, degrees, destinations, weights, info,
          reorder, comm_dist_graph);
    const struct edge_list g = { .n = n,
                                 .sources = sources,
                                 .degrees = degrees,
                                 .destinations = destinations,
                                 .weights = weights,
                                 .weighted = weights != MPI_UNWEIGHTED,
                                 .reorder = reorder };
    struct mpir_info *unused; /* no key is known */
    struct adi3_comm *c;
    int edges;

    TRY(mpir_intra_arg(&call, comm_old, &c));
    TRY(mpir_not_negative_arg(n, "n"));
    TRY(mpir_vertices_arg(c, n, sources, "sources"));
    TRY(degrees_arg(n, degrees, &edges));
    TRY(mpir_vertices_arg(c, edges, destinations, "destinations"));
    TRY(mpir_weights_arg(edges, weights, "weights"));
    TRY(mpir_info_or_null_arg(info, &unused));
    TRY(mpir_out_arg(comm_dist_graph, "comm_dist_graph"));
    TRY(dist_graph_make(c, &g, comm_dist_graph));
    return mpir_leave(&call);
}
MPIR_WEAK(Dist_graph_create);
