/* reduce_direct.c — each process combines its block of all operands, then the root reads the
 * blocks. Operands and blocks are read where they are.
 *
 * Cost: 3 w + n (2 c + g) (p - 1) / p. For large data. */
#include "mpi/coll/algo/reduce_direct.h"

/* Where our block is written, as the address of a buffer of all elements. */
static void *reduce_result_buffer(struct coll *x)
{
    struct adi3_data block = equal_block(x, NULL, x->rank);

    if (x->rank == x->root)
        return x->recv.buf;
    return coll_offset(coll_bytes(x, coll_size(block)), -(MPI_Aint) (uintptr_t) block.buf);
}

void reduce_direct(struct coll *x)
{
    struct direct d;
    bool usable = false;
    int err = reduce_blocks(x, &d, reduce_result_buffer(x), &usable);

    if (!err && !usable) {
        reduce_shared(x);
        return;
    }
    if (!err && x->rank == x->root)
        err = reduce_fetch(x, &d, x->recv.buf, false);
    if (!err)
        err = direct_end(x);
    coll_error(x, err);
}
