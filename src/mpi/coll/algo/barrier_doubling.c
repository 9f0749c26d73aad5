/* barrier_doubling.c — recursive doubling: pairs exchange a message, then pairs of pairs do.
 *
 * Cost: log2 p a and p log2 p messages, two more rounds when p is not a power of two. Each
 * process has fewer partners than with dissemination, and sends to and receives from the same
 * one. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/fold.h"

void barrier_doubling(struct coll *x)
{
    struct adi3_data nothing = coll_packed(NULL, 0);
    struct fold f = fold_make(x, 0);
    int pair = fold_partner(&f, x->rank);

    if (f.me < 0) {
        coll_send(x, nothing, pair);
        coll_recv(x, nothing, pair);
        return;
    }
    if (pair >= 0)
        coll_recv(x, nothing, pair);
    for (int bit = 1; bit < f.power; bit *= 2) {
        int other = fold_rank(&f, f.me ^ bit);
        coll_exchange(x, nothing, other, nothing, other);
    }
    if (pair >= 0)
        coll_send(x, nothing, pair);
}
