/* reduce_scatter_inter.c — between two groups: each group reduces to its rank 0; the ranks 0
 * exchange the results and scatter what they received.
 *
 * A group does not know how the other one divides the result, so the ranks 0 exchange all of it.
 * Cost: that of a reduction, a + n b, and a + n b with p messages at rank 0, in both groups at
 * the same time. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/result_blocks.h"

/* Within our group: scatters the other group's result; x->recv is our block of it. */
static void remote_result_scatter(struct coll *x, struct adi3_data theirs)
{
    if (x->rank > 0)
        coll_recv(x, x->recv, 0);
    for (int i = 1; i < x->size && x->rank == 0; i++)
        coll_start_send(x, result_block_of(x, theirs.buf, i), i);
    if (x->rank == 0)
        coll_copy(x, result_block_of(x, theirs.buf, 0), x->recv);
}

void reduce_scatter_inter(struct coll *x)
{
    const struct adi3_data block = x->recv;
    const struct mpir_counts counts = x->recvcounts;
    struct adi3_data ours = x->send, theirs = x->send;

    ours.buf = x->rank == 0 ? coll_elements(x, ours.count, ours.type) : NULL;
    theirs.buf = x->rank == 0 ? coll_elements(x, ours.count, ours.type) : NULL;
    x->recv = ours;
    x->recvcounts = (struct mpir_counts) { 0 };
    coll_run_in_group(x, &coll_reduce);
    if (x->rank == 0)
        coll_exchange(x, ours, 0, theirs, 0);
    x->recv = block;
    x->recvcounts = counts;
    coll_switch_comm(x);
    remote_result_scatter(x, theirs);
    coll_switch_comm(x);
}
