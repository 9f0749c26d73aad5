/* scatter_direct.c — each process reads its block where it is.
 *
 * Cost: 2 w + c n. For large blocks. */
#include "mpi/coll/algo/direct.h"

static int read_data(struct coll *x, struct direct_region p)
{
    size_t len = coll_size(x->recv), theirs = p.len / (size_t) x->size;

    if (theirs != len)
        return shared_differs(x, x->root, theirs, len);
    return direct_read(x, x->root, p.at + (uint64_t) x->rank * len, x->recv, false);
}

void scatter_direct(struct coll *x)
{
    bool root = x->rank == x->root, usable = false;
    struct direct_region p = { 0 };

    if (root)
        p = direct_region(x->send, (size_t) x->size);
    int err = direct_get_root(x, &p, &usable);
    if (!err && !usable) {
        scatter_shared(x);
        return;
    }
    if (!err && root)
        coll_copy(x, coll_block(&x->send, x->root), x->recv);
    else if (!err)
        err = read_data(x, p);
    if (!err)
        err = direct_end_of_root(x);
    coll_error(x, err);
}
