/* scan.h — a round of a scan by doubling. */
#ifndef SCAN_H
#define SCAN_H

#include "coll.h"

/* Gives our run of ranks to the process bit behind us, gets that of the one bit before us. */
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
