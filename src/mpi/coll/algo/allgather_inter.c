/* allgather_inter.c — all of each group send their blocks to rank 0 of the other, which broadcasts
 * them there.
 *
 * Each byte crosses once. Cost: a + n b and p messages at rank 0, then a broadcast of n, in both
 * groups at the same time. */
#include "algo.h"

/* Broadcasts in our group what its rank 0 has. */
static void spread(struct coll *x, struct adi3_data all)
{
    x->recv = all;
    x->root = 0;
    coll_run_in_group(x, &coll_bcast);
}

/* Our block goes first: the rank 0 of both groups may wait for one another's. */
void allgather_inter(struct coll *x)
{
    coll_start_send(x, x->send, 0);
    for (int i = 0; i < x->comm->peers && x->rank == 0; i++)
        coll_start_recv(x, coll_recv_block(x, i), i);
    spread(x, coll_part(x->recv.buf, 0, x->recv.count * (size_t) x->comm->peers, x->recv.type));
}

/* Block i of those that are packed one behind the other from *at on, which moves on. */
static struct adi3_data next_packed(const struct coll *x, char **at, int i)
{
    size_t len = coll_size(coll_recv_block(x, i));
    struct adi3_data d = coll_packed(*at, len);

    *at = coll_offset(*at, (MPI_Aint) len);
    return d;
}

/* Only where blocks arrive are the sizes of all known. What lies between them is not to be written:
 * they are broadcast without it. */
void allgatherv_inter(struct coll *x)
{
    const struct adi3_data blocks = x->recv;
    const int *counts = x->recvcounts;
    size_t len = 0;

    for (int i = 0; i < x->comm->peers; i++)
        len += coll_size(coll_recv_block(x, i));
    char *packed = coll_bytes(x, len), *at = packed;
    coll_start_send(x, x->send, 0);
    for (int i = 0; i < x->comm->peers && x->rank == 0; i++)
        coll_start_recv(x, next_packed(x, &at, i), i);
    x->recvcounts = NULL;
    spread(x, coll_packed(packed, len));

    x->recv = blocks;
    x->recvcounts = counts;
    at = packed;
    for (int i = 0; i < x->comm->peers; i++)
        coll_copy(x, next_packed(x, &at, i), coll_recv_block(x, i));
}
