/* operation.c — an operation: by which way it goes. */
#include "atomic.h"

enum { POLLS = 1024 }; /* between yields: one costs about 100, a time slice is 100000 */

int adi3_rma(struct adi3_win *w, const struct adi3_rma *x, MPI_Request *request)
{
    struct rma_target *t = rma_target(w, x->target);
    int err = t ? rma_access(w, t) : rma_no_target(w, x->target);

    assert(adi3_lock_held());
    if (err)
        return err;
    if (request)
        *request = ADI3_REQUEST_COMPLETE;
    if (x->count == 0 || x->type->size == 0)
        return MPI_SUCCESS;
    if (__builtin_expect(adi3_check == ADI3_CHECK_STRICT, 0))
        rma_check_overlap(w, t, x);
    switch ((enum rma_path) t->path) {
    case RMA_DIRECT:
        return rma_direct(w, t, x);
    case RMA_CMA:
        return rma_cma(w, t, x);
    case RMA_MESSAGES:
        return rma_send(w, t, x, request);
    }
    return MPI_SUCCESS;
}

struct adi3_rma_how adi3_rma_how(const struct adi3_op *op, const struct adi3_type *type)
{
    return (struct adi3_rma_how) { type, op, op ? rma_elements_for(op, type) : NULL };
}

bool adi3_rma_element(struct adi3_win *w, int target, MPI_Aint disp, const struct adi3_rma_how *how,
                      const struct adi3_rma_element *e)
{
    char *at = adi3_rma_direct(w, target, disp, how->type->size);

    assert(adi3_lock_held());
    if (!at)
        return false;
    const struct rma_place p = { w->memory, adi3_rma_touched(w, target)->control, true };
    if (!rma_by_instructions(&p, how->type, at) || rma_single_begin(&p))
        return false;
    if (how->change)
        how->change(at, e->origin, e->result, 1, how->op, how->type);
    else
        rma_swap_element(at, how->type->size, e->origin, e->compare, e->result);
    rma_busy_end(&p);
    return true;
}

void adi3_win_give_way(void)
{
    static unsigned polls;

    if (++polls % POLLS == 0)
        os_yield();
}
