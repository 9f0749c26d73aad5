/* bcast_direct.c — all processes read the root's data where it is.
 *
 * Cost: 2 w + c n. For large data. */
#include "mpi/coll/algo/direct.h"

static int read_data(struct coll *x, struct direct_region p)
{
    size_t len = coll_size(x->recv);

    if (p.len != len)
        return shared_differs(x, x->root, p.len, len);
    return direct_read(x, x->root, p.at, x->recv, false);
}

void bcast_direct(struct coll *x)
{
    struct direct_region p = direct_region(x->recv, 1);
    bool usable = false;
    int err = direct_get_root(x, &p, &usable);

    if (!err && !usable) {
        bcast_shared(x);
        return;
    }
    if (!err && x->rank != x->root)
        err = read_data(x, p);
    coll_error(x, err);
    coll_error(x, direct_end_of_root(x));
}
