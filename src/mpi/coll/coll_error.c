/* coll_error.c — the first error of a collective operation. */
#include "mpi/coll/coll.h"

void coll_first_error(struct coll *x, int err)
{
    x->err = err;
    if (!x->sched)
        (void) adi3_collchk_failed(x->comm, x->tag, err, false);
}
