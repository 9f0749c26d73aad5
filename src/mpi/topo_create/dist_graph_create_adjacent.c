#include <string.h>
#include "mpi/info/info.h"
#include "mpi/topo_create/topo_create.h"

/* The edges of one process, from its arguments. */
struct adjacent {
    int indegree, outdegree;
    const int *sources, *sourceweights, *destinations, *destweights;
    bool weighted;
};

/* A process has weights when the lists that are not empty have; when both are, any array means
 * weights, and MPI_UNWEIGHTED none. */
static int weighted_arg(struct adjacent *a)
{
    bool in = a->sourceweights != MPI_UNWEIGHTED, out = a->destweights != MPI_UNWEIGHTED;

    if (mpir_checking() && a->indegree > 0 && a->outdegree > 0 && in != out)
        return mpir_error(MPI_ERR_TOPOLOGY, "%s is MPI_UNWEIGHTED, and %s is not",
                          in ? "destweights" : "sourceweights",
                          in ? "sourceweights" : "destweights");
    a->weighted = a->indegree > 0 ? in : a->outdegree > 0 ? out : in && out;
    return MPI_SUCCESS;
}

static void ints_copy(int *to, const int *from, int n)
{
    if (n > 0)
        memcpy(to, from, (size_t) n * sizeof *to);
}

static int adjacent_graph_make(struct adi3_comm *c, const struct adjacent *a, bool reorder,
                               MPI_Comm *newcomm)
{
    struct mpir_topology *t = mpir_dist_new(a->indegree, a->outdegree, a->weighted);

    if (!t)
        return adi3_no_memory("for %d and %d edges", a->indegree, a->outdegree);
    ints_copy(t->dist.sources, a->sources, a->indegree);
    ints_copy(t->dist.destinations, a->destinations, a->outdegree);
    if (a->weighted) {
        ints_copy(t->dist.sourceweights, a->sourceweights, a->indegree);
        ints_copy(t->dist.destweights, a->destweights, a->outdegree);
    }
    return mpir_dist_make(c, t, reorder, newcomm);
}

/* Creates a communicator with a distributed graph topology, of which each process gives the edges
 * into and out of itself (§7.5.4). They have weights or MPI_UNWEIGHTED. With reorder ranks may
 * change so that neighbors are near each other. Collective.
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_RANK, MPI_ERR_INFO, MPI_ERR_TOPOLOGY when some have
 * weights and some have not, MPI_ERR_NO_MEM. */
int PMPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[],
                                    const int sourceweights[], int outdegree,
                                    const int destinations[], const int destweights[],
                                    MPI_Info info, int reorder, MPI_Comm *comm_dist_graph)
{
    ENTER("MPI_Dist_graph_create_adjacent", comm_old, indegree, sources, sourceweights, outdegree,
          destinations, destweights, info, reorder, comm_dist_graph);
    struct adjacent a = { .indegree = indegree,
                          .outdegree = outdegree,
                          .sources = sources,
                          .sourceweights = sourceweights,
                          .destinations = destinations,
                          .destweights = destweights };
    struct mpir_info *unused; /* no key is known */
    struct adi3_comm *c;

    TRY(mpir_intra_arg(&call, comm_old, &c));
    TRY(mpir_not_negative_arg(indegree, "indegree"));
    TRY(mpir_vertices_arg(c, indegree, sources, "sources"));
    TRY(mpir_weights_arg(indegree, sourceweights, "sourceweights"));
    TRY(mpir_not_negative_arg(outdegree, "outdegree"));
    TRY(mpir_vertices_arg(c, outdegree, destinations, "destinations"));
    TRY(mpir_weights_arg(outdegree, destweights, "destweights"));
    TRY(weighted_arg(&a));
    TRY(mpir_info_or_null_arg(info, &unused));
    TRY(mpir_out_arg(comm_dist_graph, "comm_dist_graph"));
    TRY(adjacent_graph_make(c, &a, reorder, comm_dist_graph));
    return mpir_leave(&call);
}
MPIR_WEAK(Dist_graph_create_adjacent);
