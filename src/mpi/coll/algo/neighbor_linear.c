/* neighbor_linear.c — a message along each edge of a topology, all at the same time: with fewer
 * at a time processes could wait for each other in a circle. Cost: a + b times the bytes of a
 * process.
 *
 * All messages have the same tag, so those between the same two processes match receives in the
 * order in which both were started.
 *
 * In a graph, the k-th edge from a to b is the k-th entry b among a's destinations and the k-th
 * entry a among b's sources. Both are started in the order of the arrays, so they match (§7.6).
 *
 * In a grid, the two slots of dimension d are 2d and 2d + 1. What a sends from slot i goes to
 * its neighbor b in one direction. b receives it from its neighbor in the opposite direction,
 * for slot i ^ 1. So each slot i of a that leads to b belongs to slot i ^ 1 of b, which leads to
 * a. Sends are started for i = 0, 1, ..., and receives for the slots 0 ^ 1, 1 ^ 1, ...: for any
 * two processes both sides go through these pairs of slots in the same order, so they match.
 * This holds also where a periodic dimension has one or two processes, so that both slots lead
 * to the same process. */
#include "mpi/coll/algo/algo.h"
#include "mpi/topo/topo.h"

static void neighbor_start_recvs(struct coll *x)
{
    const int *source = mpir_sources(x->comm);
    int opposite = x->comm->topology->kind == MPI_CART;

    for (int i = 0; i < x->recvs; i++) {
        int slot = i ^ opposite;
        if (source[slot] != MPI_PROC_NULL)
            coll_start_recv(x, coll_recv_block(x, slot), source[slot]);
    }
}

static void neighbor_widen(struct coll *x)
{
    coll_widen(x, (unsigned) x->recvs + (unsigned) x->sends);
}

void neighbor_allgather(struct coll *x)
{
    const int *dest = mpir_destinations(x->comm);

    neighbor_widen(x);
    neighbor_start_recvs(x);
    for (int i = 0; i < x->sends; i++)
        if (dest[i] != MPI_PROC_NULL)
            coll_start_send(x, x->send, dest[i]);
}

void neighbor_alltoall(struct coll *x)
{
    const int *dest = mpir_destinations(x->comm);

    neighbor_widen(x);
    neighbor_start_recvs(x);
    for (int i = 0; i < x->sends; i++)
        if (dest[i] != MPI_PROC_NULL)
            coll_start_send(x, coll_send_block(x, i), dest[i]);
}
