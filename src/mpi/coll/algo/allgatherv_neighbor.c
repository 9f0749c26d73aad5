/* allgatherv_neighbor.c — allgather_neighbor.c for blocks of different sizes; each block is a
 * message of its own. For an even p.
 *
 * Cost: p / 2 a + b times all bytes, and p - 1 messages for each process. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/neighbor.h"

void allgatherv_neighbor(struct coll *x)
{
    int twin = neighbor_partner(x, 0);

    coll_copy(x, x->send, coll_recv_block(x, x->rank));
    coll_exchange(x, coll_recv_block(x, x->rank), twin, coll_recv_block(x, twin), twin);
    for (int round = 1; round < x->size / 2; round++) {
        int partner = neighbor_partner(x, round);
        int out = 2 * neighbor_pair(x, round - 1), in = 2 * neighbor_pair(x, round);
        for (int i = 0; i < 2; i++) {
            coll_start_recv(x, coll_recv_block(x, in + i), partner);
            coll_start_send(x, coll_recv_block(x, out + i), partner);
        }
        coll_finish(x);
    }
}
