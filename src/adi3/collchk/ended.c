/* ended.c — communicators that have been freed: what is kept of the last of them, for queries about
 * calls on them, and for the comparison in MPI_Finalize. */
#include <stdlib.h>
#include "adi3/collchk/collchk_impl.h"
#include "platform/golden_ratio.h"

enum { KEPT_BITS = 6 };

static struct ended_comm kept[1 << KEPT_BITS]; /* by a hash of the context id */
static bool closed;                            /* nothing more is kept */

/* Ids that follow each other have different places. */
static struct ended_comm *place_of(uint32_t ctx)
{
    return &kept[ctx * GOLDEN_RATIO_32 >> (32 - KEPT_BITS)];
}

static void forget_comm(struct ended_comm *e)
{
    for (int i = 0; i < ADI3_FORMS; i++)
        free(e->calls[i]);
    *e = (struct ended_comm) { .whose = NULL };
}

struct ended_comm *ended_next(struct ended_comm *e)
{
    for (e = e ? e + 1 : kept; e < kept + sizeof kept / sizeof *kept; e++)
        if (e->whose)
            return e;
    return NULL;
}

struct ended_comm *ended_find(uint32_t ctx)
{
    struct ended_comm *e = place_of(ctx);

    return e->whose && e->ctx == ctx ? e : NULL;
}

void ended_add(struct adi3_comm *c)
{
    struct ended_comm *e = place_of(c->recv_ctx);

    assert(adi3_lock_held());
    forget_comm(e); /* an earlier one with this context id, or another */
    *e = (struct ended_comm) { .ctx = c->recv_ctx,
                               .us = sender_in(c),
                               .whose = group_suffix(c),
                               .first = comm_is_compared(c) ? c->proc[0] : NULL,
                               .err = c->failed };
    for (int i = 0; i < ADI3_FORMS; i++) {
        e->begun[i] = c->calls[i] ? c->calls[i]->newest + 1 : 0;
        e->calls[i] = c->calls[i];
        c->calls[i] = NULL;
    }
    if (closed)
        forget_comm(e);
}

void ended_close(void)
{
    closed = true;
    for (struct ended_comm *e = NULL; (e = ended_next(e));)
        forget_comm(e);
}
