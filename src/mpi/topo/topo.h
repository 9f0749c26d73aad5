/* topo.h — process topologies as data: what a communicator stores of one, and the neighbors of a
 * process in it. The folder topo_create creates them. */
#ifndef TOPO_H
#define TOPO_H

#include "mpi/mpir.h"

struct mpir_topology { /* constant; communicators may share it */
    int refs;
    int kind; /* MPI_CART, MPI_GRAPH or MPI_DIST_GRAPH */
    union {
        struct {
            int ndims;
            int *dims, *periods;
            int *neighbors; /* of this process: 2 in each dimension, the negative one first */
        } cart;
        struct {
            int nnodes;
            int *index, *edges; /* as in MPI_Graph_create */
            bool symmetric;     /* as many edges from a to b as from b to a, for all a and b */
        } graph;
        struct mpir_neighbors { /* of this process */
            bool weighted;
            int indegree, outdegree;
            int *sources, *destinations;
            int *sourceweights, *destweights; /* NULL when not weighted */
        } dist;
    };
    int data[]; /* the arrays */
};

/* A new topology with room for so many ints and one reference; NULL without memory. hold adds a
 * reference, release drops one; both take NULL. */
struct mpir_topology *mpir_topology_new(int kind, size_t ints);
struct mpir_topology *mpir_topology_hold(struct mpir_topology *t);
void mpir_topology_release(struct mpir_topology *t);

/* ---- arguments (args.c) ---------------------------------------------------------------------- */

/* The communicator, with a topology of this kind. */
int mpir_topology_arg(struct mpir_call *call, MPI_Comm h, int kind, struct adi3_comm **c);
int mpir_member_arg(const struct adi3_comm *c, int rank);
int mpir_not_negative_arg(int n, const char *what); /* MPI_ERR_ARG */

/* ---- neighbors (neighbors.c) ----------------------------------------------------------------- */

/* The sources and destinations of neighborhood collectives in a communicator with a topology, in
 * the order of the blocks in memory: their numbers, and their ranks, which may be MPI_PROC_NULL
 * (§7.6). */
void mpir_degrees(const struct adi3_comm *c, int *sources, int *destinations);
const int *mpir_sources(const struct adi3_comm *c);
const int *mpir_destinations(const struct adi3_comm *c);

#endif /* TOPO_H */
