/* bcast_direct.c — all read the root's data where it is.
 *
 * Cost: 2 w + c n. For large data. */
#include "direct.h"

/* Who has less room takes what fits. */
static int read_it(struct coll *x, struct direct_place p)
{
    size_t room = coll_size(x->recv);
    int err;

    if (p.len >= room) {
        err = direct_read(x, x->root, p.at, x->recv, false);
        return err || p.len == room ? err : shared_other_length(p.len, room);
    }
    char *part = coll_bytes(x, p.len);
    err = direct_read(x, x->root, p.at, coll_packed(part, p.len), false);
    if (!err)
        shared_get(&x->recv, 0, part, p.len);
    return err;
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
