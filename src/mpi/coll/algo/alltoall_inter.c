/* alltoall_inter.c — between two groups: each process sends to all processes of the other group,
 * blocks of any size.
 *
 * As in alltoall_spread.c, each round sends one rank further up and receives one rank further
 * down; the smaller group has nothing to do in some rounds. Cost: a + b times the bytes of a
 * process. */
#include "mpi/coll/algo/algo.h"

void alltoall_inter(struct coll *x)
{
    int peers = x->comm->peers, rounds = x->size > peers ? x->size : peers;

    for (int i = 0; i < rounds; i++) {
        int to = (x->rank + i) % rounds, from = (x->rank - i + rounds) % rounds;
        if (from < peers)
            coll_start_recv(x, coll_recv_block(x, from), from);
        if (to < peers)
            coll_start_send(x, coll_send_block(x, to), to);
    }
}
