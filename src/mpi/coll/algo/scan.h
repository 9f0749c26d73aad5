/* scan.h — one round of a scan by doubling. */
#ifndef SCAN_H
#define SCAN_H

#include "mpi/coll/coll.h"

/* Sends our run of ranks to the rank bit behind ours, and receives that of the rank bit before
 * ours. */
static inline void scan_shift(struct coll *x, struct adi3_data run, struct adi3_data before,
                              int bit)
{
    bool gives = x->rank + bit < x->size, gets = x->rank >= bit;

    if (gives && gets)
        coll_exchange(x, run, x->rank + bit, before, x->rank - bit);
    else if (gives)
        coll_send(x, run, x->rank + bit);
    else if (gets)
        coll_recv(x, before, x->rank - bit);
}

#endif /* SCAN_H */
