/* bcast_direct.c — all read the root's data where it is.
 *
 * Cost: 2 w + c n. For large data. */
#include "direct.h"

static int read_it(struct coll *x, struct direct_place p)
{
    size_t len = coll_size(x->recv);

    if (p.len != len)
        return shared_differs(x, x->root, p.len, len);
    return direct_read(x, x->root, p.at, x->recv, false);
}

void bcast_direct(struct coll *x)
{
    struct direct_place p = direct_place(x->recv, 1);
    bool usable = false;
    int err = direct_look(x, &p, &usable);

    if (!err && !usable) {
        bcast_shared(x);
        return;
    }
    if (!err && x->rank != x->root)
        err = read_it(x, p);
    coll_error(x, err);
    coll_error(x, direct_end_of_root(x));
}
