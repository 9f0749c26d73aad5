/* coll.c — runs a collective operation: the algorithm that was asked for, or the one that is
 * best. */
#include "coll.h"

/* Field by field: small is large, and need not be cleared. */
void coll_begin(struct coll *x, struct adi3_comm *c)
{
    x->comm = c;
    x->rank = c->rank;
    x->size = c->size;
    x->tag = 0;
    x->root = 0;
    x->send = x->recv = (struct adi3_data) { 0 };
    x->sendcounts = x->sdispls = x->recvcounts = x->rdispls = NULL;
    x->sendtypes = x->recvtypes = NULL;
    x->soffsets = x->roffsets = NULL;
    x->op = NULL;
    x->in_place = false;
    x->err = MPI_SUCCESS;
    x->stopped = false;
    x->started = x->finished = 0;
    x->chunks = NULL;
    x->used = 0;
}

static bool fits(const struct coll_algorithm *a, const struct coll *x)
{
    return a && (!a->fits || a->fits(x));
}

int coll_run(const struct coll_operation *o, struct coll *x)
{
    if (__builtin_expect(x->comm->remote != NULL, 0))
        return mpir_error(MPI_ERR_COMM, "this operation is for intracommunicators");
    const struct coll_algorithm *a = fits(o->forced, x) ? o->forced : o->choose(x);

    x->tag = o->tag;
    a->run(x);
    coll_finish(x);
    coll_free_scratch(x);
    return x->err;
}
