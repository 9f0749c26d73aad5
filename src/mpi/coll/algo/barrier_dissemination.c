/* barrier_dissemination.c — everybody hears, directly or not, from everybody.
 *
 * In round k each process tells the one 2^k ahead of it and hears from the one 2^k behind; what it
 * tells includes all it has heard. No process is special. Cost: ceil(log2 p) a, p log2 p
 * messages. */
#include "algo.h"

void barrier_dissemination(struct coll *x)
{
    struct adi3_data nothing = coll_packed(NULL, 0);

    for (int step = 1; step < x->size; step *= 2)
        coll_exchange(x, nothing, (x->rank + step) % x->size, nothing,
                      (x->rank - step + x->size) % x->size);
}
