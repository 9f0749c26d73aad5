/* topo_create.h — creating communicators with a topology. */
#ifndef TOPO_CREATE_H
#define TOPO_CREATE_H

#include "mpi/comm/comm.h"
#include "mpi/topo_create/map.h"
#include "mpi/topo/topo.h"

/* ---- arguments (args.c) --------------------------------------------------------------- */

/* ndims and dims of a grid in c. Sets the number of its processes. */
int mpir_ndims_arg(int ndims);
int mpir_dims_arg(const struct adi3_comm *c, int ndims, const int *dims, int *processes);
/* nnodes, index and edges. */
int mpir_nnodes_arg(const struct adi3_comm *c, int nnodes);
int mpir_index_arg(int nnodes, const int *index);
int mpir_edges_arg(int nnodes, const int *index, const int *edges);
/* Ranks of c, and the weights of edges with them, which may be MPI_UNWEIGHTED. */
int mpir_vertices_arg(const struct adi3_comm *c, int n, const int *ranks, const char *what);
int mpir_weights_arg(int n, const int *weights, const char *what);

/* ---- creating communicators (make.c, shape.c) ---------------------------------------------- */

/* Creates the communicator of a subgroup of c with this topology. Takes the reference to t, also
 * when it fails. Errors: MPI_ERR_TOPOLOGY when the digests of the subgroup differ, which means that
 * processes gave different topologies. */
int mpir_topology_make(struct adi3_comm *c, const struct adi3_subgroup *subgroup,
                       struct mpir_topology *t, MPI_Comm *newcomm);
uint32_t mpir_digest(uint32_t digest, const int *v, int n); /* adds n ints; the first digest is 0 */

/* A topology that each process knows completely: a grid, or else index and edges as in
 * MPI_Graph_create. */
struct mpir_shape {
    int n; /* number of processes: the first ones of a communicator, only they take part */
    struct map_grid grid;
    const int *index, *edges; /* NULL: a grid */
    bool reorder;
};
int mpir_shape_make(struct adi3_comm *c, const struct mpir_shape *s, MPI_Comm *newcomm);
/* The rank that this process would get with reorder; sends nothing. */
int mpir_shape_rank(const struct adi3_comm *c, const struct mpir_shape *s, int *newrank);

/* ---- where processes are (places.c) ---------------------------------------------------------- */

enum {
    MPIR_PLACES = 1 + ADI3_PU
}; /* keys of a process, for map.h: its node, ..., its hardware thread */

/* Sets the keys of the first n processes: from what this process knows, or exchanged with them. */
int mpir_places_look(const struct adi3_comm *c, int n, int *key);
int mpir_places_gather(struct adi3_comm *c, int n, int *key);
/* Whether all keys are the same. Then no order of ranks is better than another. */
bool mpir_places_equal(const int *key, int n);

/* ---- distributed graphs (dist.c) ------------------------------------------------------------- */

/* A topology with room for the edges of one process; NULL without memory. */
struct mpir_topology *mpir_dist_new(int indegree, int outdegree, bool weighted);
/* Creates the communicator of all processes of c. t has the edges of the calling process; its
 * reference is taken, also after an error. With reorder the rank of this process may change:
 * then it gets the edges of its new rank. */
int mpir_dist_make(struct adi3_comm *c, struct mpir_topology *t, bool reorder, MPI_Comm *newcomm);

#endif /* TOPO_CREATE_H */
