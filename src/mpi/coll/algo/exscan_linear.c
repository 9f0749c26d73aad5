/* exscan_linear.c — as scan_linear.c, but each process keeps what it received and sends that
 * combined with its own operand.
 *
 * Cost: (p - 1) (a + n b + n g), and one message for each process but the last. */
#include "mpi/coll/algo/algo.h"

void exscan_linear(struct coll *x)
{
    struct adi3_data upto = x->send; /* with our operand */

    if (x->rank > 0 && x->rank + 1 < x->size) {
        upto.buf = coll_elements(x, upto.count, upto.type);
        coll_copy(x, x->send, upto); /* before recvbuf is written, which may be the send buffer */
    }
    if (x->rank > 0)
        coll_recv(x, x->recv, x->rank - 1);
    if (x->rank + 1 == x->size)
        return;
    if (x->rank > 0)
        coll_apply(x, x->recv.buf, upto.buf, upto.count);
    coll_send(x, upto, x->rank + 1);
}
