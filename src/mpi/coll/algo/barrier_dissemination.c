/* barrier_dissemination.c — each process learns, directly or through others, that all have
 * entered.
 *
 * In round k each process signals the rank 2^k ahead of it and waits for the rank 2^k behind it;
 * a signal stands for all processes that its sender has heard of. No process has a special role.
 * Cost: ceil(log2 p) a, p log2 p messages. */
#include "mpi/coll/algo/algo.h"

void barrier_dissemination(struct coll *x)
{
    struct adi3_data nothing = coll_packed(NULL, 0);

    for (int step = 1; step < x->size; step *= 2)
        coll_exchange(x, nothing, (x->rank + step) % x->size, nothing,
                      (x->rank - step + x->size) % x->size);
}
