/* exscan_doubling.c — scan_doubling.c, which also keeps what came before our operand.
 *
 * The first message is that already; what is put before it later is put before the run of ranks
 * that we hand on as well, as long as somebody wants that.
 * Cost: ceil(log2 p) (a + n b + 2 n g). */
#include "algo.h"
#include "scan.h"

void exscan_doubling(struct coll *x)
{
    struct adi3_data run = x->send, before = x->recv;

    if (x->rank > 0 && x->rank + 1 < x->size) {
        run.buf = coll_elements(x, run.count, run.type);
        coll_copy(x, x->send, run); /* before recvbuf is written, where it may be */
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
