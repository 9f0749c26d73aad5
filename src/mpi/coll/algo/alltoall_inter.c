/* alltoall_inter.c — between two groups: all send to all of the other, blocks of any size.
 *
 * In each round whom we send to is one further, and whom we receive from one before, as in
 * alltoall_spread.c; the smaller group has ranks too few for some rounds. Cost: a + b times the
 * bytes of a process. */
#include "algo.h"

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
