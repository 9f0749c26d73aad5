/* finalize.c — a warning when MPI_Finalize waits for a message that will not be received, and when
 * a receive waits for a message of a process that is in MPI_Finalize.
 *
 * The former is certain when the receiver is in MPI_Finalize too; before, it may still receive. So
 * this process asks the receiver about a collective call that is never made (see mismatch_ask): it
 * answers as soon as it is in MPI_Finalize. */
#include <stdlib.h>
#include "adi3/job/job_impl.h"

enum {
    PATIENCE_S = 10, /* before a receiver is asked */
    TICKS = 10,      /* of half a second, before a sender is */
    NEVER = 1 << 30, /* so many calls after the last one: no process makes that call */
};

static struct adi3_call_record no_call(void)
{
    return (struct adi3_call_record) { .name = "MPI_Finalize",
                                       .number = adi3_world.begun[ADI3_FORM_BLOCKING] + NEVER,
                                       .others = { NEVER, NEVER },
                                       .what.root = ADI3_NO_ROOT };
}

static void peer_query_once(bool *asked, int rank)
{
    const struct adi3_call_record call = no_call();

    if (!asked[rank])
        mismatch_ask(&adi3_world, rank, &call);
    asked[rank] = true;
}

/* Is r a message of the program that its receiver has not received? */
static bool not_received(const struct adi3_request *r)
{
    return r->kind == ADI3_SEND && (r->state == ADI3_STARTED || r->state == ADI3_ACTIVE) && r->peer
           && r->peer->job == &proc_own_job.dev && r->awaits != 0 && !(r->op.pkt.ctx & ADI3_COLL);
}

static void unreceived_warn(const struct adi3_request *r)
{
    int err = adi3_error(MPI_ERR_OTHER,
                         "rank %d waits in MPI_Finalize: its message of %zu bytes with tag %d is "
                         "not received by rank %d of MPI_COMM_WORLD, which is in MPI_Finalize, too",
                         adi3_world.rank, r->len, r->posted.tag, r->peer->rank);

    if (adi3_warn)
        adi3_warn(adi3_error_text(err));
}

void finalize_wait_begin(struct finalize_wait *w)
{
    *w = (struct finalize_wait) { .since = os_time_ns() };
}

void finalize_wait_look(struct finalize_wait *w)
{
    if (w->warned || os_time_ns() - w->since < PATIENCE_S * 1000000000ull)
        return;
    if (!w->asked && !(w->asked = calloc((size_t) proc_count(), 1)))
        return;
    for (struct adi3_request *r = NULL; !w->warned && (r = adi3_next(&adi3_requests, r));) {
        if (!not_received(r))
            continue;
        peer_query_once(w->asked, r->peer->rank);
        if ((w->warned = mismatch_peer_finalizes(r->peer->rank, no_call().number)))
            unreceived_warn(r);
    }
}

void finalize_wait_end(struct finalize_wait *w) { free(w->asked); }

/* ---- receives -------------------------------------------------------------------------------- */

/* The sender answers behind all that it has sent before, so what has not come then never comes. */
static void warn_receive(const struct adi3_request *r, int sender)
{
    int err = adi3_error(MPI_ERR_OTHER,
                         "rank %d waits in %s for a message with tag %d%s of rank %d of "
                         "MPI_COMM_WORLD, which is in MPI_Finalize and has not sent it",
                         adi3_world.rank, adi3_current.call, r->posted.tag,
                         r->posted.tag == MPI_ANY_TAG ? " (MPI_ANY_TAG)" : "", sender);

    if (adi3_warn)
        adi3_warn(adi3_error_text(err));
}

/* Where r, for which a call waits, receives from: a rank in MPI_COMM_WORLD; -1: not from one other
 * process of this job. */
static int sender_of(const struct adi3_request *r)
{
    if (!r || r->kind != ADI3_RECV || r->state != ADI3_STARTED || r->posted.rank < 0
        || r->queue != r->comm->queue[0])
        return -1;
    const struct adi3_proc *p = r->comm->proc[r->posted.rank];
    bool other = proc_job_of(p) == &proc_own_job && proc_rank(p) != adi3_world.rank;
    return other ? proc_rank(p) : -1;
}

static void look_at_receive(void)
{
    static const struct adi3_request *last;
    static struct adi3_call_record call;
    static unsigned age;
    static bool warned;
    int sender = sender_of(request_awaited);

    age = sender >= 0 && request_awaited == last ? age + 1 : 0;
    last = request_awaited;
    if (warned || age < TICKS)
        return;
    if (age == TICKS) {
        call = no_call();
        mismatch_ask(&adi3_world, sender, &call);
    } else if ((warned = mismatch_peer_finalizes(sender, call.number)))
        warn_receive(last, sender);
}

int finalize_init(void)
{
    static struct progress_source source = { .name = "receives", .tick = look_at_receive };

    return progress_source_add(&source);
}
