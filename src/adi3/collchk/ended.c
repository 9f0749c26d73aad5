/* ended.c — communicators that have been freed: what is kept of the last of them, for queries about
 * calls on them, and for the comparison in MPI_Finalize. */
#include <stdlib.h>
#include "adi3/collchk/collchk_impl.h"
#include "platform/golden_ratio.h"

static struct ended_comm kept[64];
static unsigned next;
static bool closed; /* nothing more is kept */

/* How many kept communicators have each hash of their context id. A communicator that ends has
 * mostly an id that none of them has: one look says so. */
enum { HASH_BITS = 8 };
static uint8_t with_hash[1 << HASH_BITS];

static uint8_t *count_of(uint32_t ctx)
{
    return &with_hash[ctx * GOLDEN_RATIO_32 >> (32 - HASH_BITS)];
}

static void forget_comm(struct ended_comm *e)
{
    if (e->whose)
        --*count_of(e->ctx);
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
    struct ended_comm *e = NULL;

    if (!*count_of(ctx))
        return NULL;
    while ((e = ended_next(e)) && e->ctx != ctx)
        ;
    return e;
}

void ended_add(struct adi3_comm *c)
{
    struct ended_comm *e = ended_find(c->recv_ctx); /* an earlier one with this context id */

    assert(adi3_lock_held());
    e = e ? e : &kept[next++ % (sizeof kept / sizeof *kept)];
    forget_comm(e);
    *e = (struct ended_comm) { .ctx = c->recv_ctx,
                               .us = sender_in(c),
                               .whose = group_suffix(c),
                               .first = comm_is_compared(c) ? c->proc[0] : NULL,
                               .err = c->failed };
    ++*count_of(e->ctx);
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
