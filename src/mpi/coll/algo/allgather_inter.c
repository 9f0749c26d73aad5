/* allgather_inter.c — between two groups: all processes of each group send their blocks to rank
 * 0 of the other group, which broadcasts them there.
 *
 * Each byte crosses between the groups once. Cost: a + n b with p messages at rank 0, then a
 * broadcast of n bytes, in both groups at the same time. */
#include "mpi/coll/algo/algo.h"

/* Broadcasts the data of our group's rank 0 in our group. */
static void local_group_bcast(struct coll *x, struct adi3_data all)
{
    x->recv = all;
    x->root = 0;
    coll_run_in_group(x, &coll_bcast);
}

/* A process starts its send before it receives: the ranks 0 wait for blocks of the other group. */
void allgather_inter(struct coll *x)
{
    coll_start_send(x, x->send, 0);
    for (int i = 0; i < x->comm->peers && x->rank == 0; i++)
        coll_start_recv(x, coll_recv_block(x, i), i);
    local_group_bcast(
        x, coll_range(x->recv.buf, 0, x->recv.count * (size_t) x->comm->peers, x->recv.type));
}

/* Block i of those that are packed in a row; *at is where it begins, and then where it ends. */
static struct adi3_data next_packed(const struct coll *x, char **at, int i)
{
    size_t len = coll_size(coll_recv_block(x, i));
    struct adi3_data d = coll_packed(*at, len);

    *at = coll_offset(*at, (MPI_Aint) len);
    return d;
}

/* Only the receivers know the sizes of all blocks. The gaps between blocks in recvbuf must not
 * be written, so the blocks are broadcast packed, without gaps. */
void allgatherv_inter(struct coll *x)
{
    const struct adi3_data blocks = x->recv;
    const struct mpir_counts counts = x->recvcounts;
    size_t len = 0;

    for (int i = 0; i < x->comm->peers; i++)
        len += coll_size(coll_recv_block(x, i));
    char *packed = coll_bytes(x, len), *at = packed;
    coll_start_send(x, x->send, 0);
    for (int i = 0; i < x->comm->peers && x->rank == 0; i++)
        coll_start_recv(x, next_packed(x, &at, i), i);
    x->recvcounts = (struct mpir_counts) { 0 };
    local_group_bcast(x, coll_packed(packed, len));

    x->recv = blocks;
    x->recvcounts = counts;
    at = packed;
    for (int i = 0; i < x->comm->peers; i++)
        coll_copy(x, next_packed(x, &at, i), coll_recv_block(x, i));
}
