/* exscan_doubling.c — as scan_doubling.c, but each process also keeps the result of the ranks
 * before its own.
 *
 * The first message received is that result. Each later one is combined with it, and with the
 * run of ranks that this process sends on, as long as there is a receiver for it. Cost:
 * ceil(log2 p) (a + n b + 2 n g). */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/scan.h"

void exscan_doubling(struct coll *x)
{
    struct adi3_data run = x->send, before = x->recv;

    if (x->rank > 0 && x->rank + 1 < x->size) {
        run.buf = coll_elements(x, run.count, run.type);
        coll_copy(x, x->send, run); /* before recvbuf is written, which may be the send buffer */
    }
    for (int bit = 1; bit < x->size; bit *= 2) {
        if (bit == 2 && x->rank >= bit)
            before.buf = coll_elements(x, before.count, before.type);
        scan_shift(x, run, before, bit);
        if (x->rank >= bit && bit > 1)
            coll_apply(x, before.buf, x->recv.buf, before.count);
        if (x->rank >= bit && x->rank + 2 * bit < x->size)
            coll_apply(x, before.buf, run.buf, run.count);
    }
}
