/* finalize.c — MPI_Finalize that waits for a message which nobody will receive says so.
 *
 * Its receiver has to be in MPI_Finalize, too, or may still receive it. That is asked by a letter
 * about a collective call that is never made: a process answers it as soon as it ends. */
#include <stdlib.h>
#include "job_impl.h"

enum { PATIENCE_S = 10, NEVER = 1 << 30 /* so many calls after the last */ };

static struct adi3_call_record no_call(void)
{
    return (struct adi3_call_record) { .name = "MPI_Finalize",
                                       .number = adi3_world.operations + NEVER,
                                       .others = NEVER,
                                       .what.root = ADI3_NO_ROOT };
}

static void ask(bool *asked, int rank)
{
    const struct adi3_call_record call = no_call();

    if (!asked[rank])
        mismatch_ask(&adi3_world, rank, &call);
    asked[rank] = true;
}

/* A message of the program's that its receiver has not asked for. */
static bool not_received(const struct adi3_request *r)
{
    return r->kind == ADI3_SEND && (r->state == ADI3_STARTED || r->state == ADI3_ACTIVE) && r->peer
           && r->awaits != 0 && !(r->op.pkt.ctx & ADI3_COLL);
}

static void tell(const struct adi3_request *r)
{
    int err = adi3_error(MPI_ERR_OTHER,
                         "rank %d waits in MPI_Finalize: its message of %zu bytes with tag %d is "
                         "not received by rank %d of MPI_COMM_WORLD, which is in MPI_Finalize, too",
                         adi3_world.rank, r->len, r->posted.tag, r->peer->world_rank);

    if (adi3_warn)
        adi3_warn(adi3_error_text(err));
}

void ends_begin(struct ends *e) { *e = (struct ends) { .since = os_time_ns() }; }

void ends_look(struct ends *e)
{
    if (e->told || os_time_ns() - e->since < PATIENCE_S * 1000000000ull)
        return;
    if (!e->asked && !(e->asked = calloc((size_t) adi3_job.size, 1)))
        return;
    for (struct adi3_request *r = NULL; !e->told && (r = adi3_next(&adi3_requests, r));) {
        if (!not_received(r))
            continue;
        ask(e->asked, r->peer->world_rank);
        if ((e->told = mismatch_peer_finalizes(r->peer->world_rank, no_call().number)))
            tell(r);
    }
}

void ends_end(struct ends *e) { free(e->asked); }
