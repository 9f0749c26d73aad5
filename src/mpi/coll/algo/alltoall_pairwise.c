/* alltoall_pairwise.c — in round i each process sends to the rank i behind it and receives from
 * the rank i before it.
 *
 * Each byte moves once, and each process has one message each way at a time, which is easy on
 * memory and network: for large blocks, also of different sizes and types. Cost: (p - 1) (a + n
 * b). */
#include "mpi/coll/algo/algo.h"

void alltoall_pairwise(struct coll *x)
{
    coll_copy(x, coll_send_block(x, x->rank), coll_recv_block(x, x->rank));
    for (int i = 1; i < x->size; i++) {
        int to = (x->rank + i) % x->size, from = (x->rank - i + x->size) % x->size;
        coll_exchange(x, coll_send_block(x, to), to, coll_recv_block(x, from), from);
    }
}
