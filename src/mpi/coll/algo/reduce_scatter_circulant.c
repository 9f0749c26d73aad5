/* reduce_scatter_circulant.c — see circulant.h. It is for any p what reduce_scatter_halving.c is
 * for a power of two. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/circulant.h"
#include "mpi/coll/algo/result_blocks.h"

void reduce_scatter_circulant(struct coll *x)
{
    struct circulant c = { .before = result_block_first };

    circulant_reduce(x, &c);
    coll_copy(x, circulant_blocks(x, &c, 0, 1), x->recv);
}
