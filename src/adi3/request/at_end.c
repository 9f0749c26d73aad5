/* at_end.c — functions that run when a request completes. Requests that have some are rare: those
 * of Fortran's sections that had to be copied. */
#include <stdlib.h>
#include "adi3/request/request_impl.h"

struct request_end {
    struct request_end *next;
    void (*end)(void *arg);
    void *arg;
};

int adi3_request_at_end(struct adi3_request *r, void (*end)(void *arg), void *arg)
{
    assert(adi3_lock_held() && !(r->flags & REQUEST_PERSISTENT) && r->kind != ADI3_GENERALIZED);
    if (r->state == ADI3_DONE) {
        end(arg);
        return MPI_SUCCESS;
    }
    struct request_end *e = malloc(sizeof *e);
    if (!e)
        return adi3_no_memory("for a request");
    *e = (struct request_end) { r->flags & REQUEST_ENDS ? r->ends : NULL, end, arg };
    r->flags |= REQUEST_ENDS;
    r->ends = e;
    return MPI_SUCCESS;
}

void request_run_ends(struct adi3_request *r)
{
    assert(adi3_lock_held() && r->state == ADI3_DONE);
    r->flags &= (uint16_t) ~REQUEST_ENDS;
    for (struct request_end *e = r->ends, *next; e; e = next) {
        next = e->next;
        e->end(e->arg);
        free(e);
    }
}
