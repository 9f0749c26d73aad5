/* allgatherv_doubling.c — allgather_doubling.c for blocks of different sizes; each block is a
 * message of its own. For p a power of two.
 *
 * Cost: log2 p a + b times all bytes, and p - 1 messages for each process. */
#include "mpi/coll/algo/algo.h"

void allgatherv_doubling(struct coll *x)
{
    coll_copy(x, x->send, coll_recv_block(x, x->rank));
    for (int bit = 1; bit < x->size; bit *= 2) {
        int partner = x->rank ^ bit, ours = x->rank & -bit, theirs = partner & -bit;
        for (int i = 0; i < bit; i++) {
            coll_start_recv(x, coll_recv_block(x, theirs + i), partner);
            coll_start_send(x, coll_recv_block(x, ours + i), partner);
        }
        coll_finish(x);
    }
}
