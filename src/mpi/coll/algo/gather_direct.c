/* gather_direct.c — each process writes its block where it goes.
 *
 * No process waits for the root to copy, and the root copies only its own block. Cost: 2 w + c n.
 * For large blocks. */
#include "mpi/coll/algo/direct.h"

static int write_data(struct coll *x, struct direct_region p)
{
    size_t len = coll_size(x->send), theirs = p.len / (size_t) x->size;

    if (theirs != len)
        return shared_differs(x, x->root, theirs, len);
    return direct_write(x, x->root, p.at + (uint64_t) x->rank * len, x->send);
}

void gather_direct(struct coll *x)
{
    bool root = x->rank == x->root, usable = false;
    struct direct_region p = { 0 };

    if (root)
        p = direct_region(x->recv, (size_t) x->size);
    int err = direct_get_root(x, &p, &usable);
    if (!err && !usable) {
        gather_linear(x);
        return;
    }
    if (!err && root)
        coll_copy(x, x->send, coll_block(&x->recv, x->root));
    else if (!err)
        err = write_data(x, p);
    if (!err)
        err = direct_end_of_root(x);
    coll_error(x, err);
}
