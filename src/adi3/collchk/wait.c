/* wait.c — collective calls that wait long: the processes they wait for are asked which call they
 * have made.
 *
 * Twice a second a process looks at what its calls wait for. It asks at the first look, and then
 * ever more seldom, so that a process that computes for an hour does not find hundreds of
 * queries. */
#include "adi3/collchk/collchk_impl.h"
#include "adi3/match/match.h"

enum { ANSWER_TICKS = 3, ANSWER_MS = 1000 }; /* the time that a process has for an answer */

static uint32_t ticks = 1;

/* True after 0, 1, 3, 7, ... ticks of waiting. */
static bool is_due(struct adi3_call_record *call)
{
    if (!call->since)
        call->since = ticks;
    uint32_t age = ticks - call->since;
    return (age & (age + 1)) == 0;
}

/* The error when a process has sent what differs and does not answer: its call is not known, only
 * which part of the signature differs. */
static int unanswered_error(const struct adi3_comm *c, const struct adi3_call_record *call,
                            int rank, int theirs)
{
    bool what = (call->tag ^ theirs) & ADI3_SIGN_WHAT, len = (call->tag ^ theirs) & ADI3_SIGN_LEN;
    char ours[COLLCHK_DESCRIPTION];

    collchk_describe(call, ours, sizeof ours);
    return adi3_error(what  ? MPI_ERR_OTHER
                      : len ? MPI_ERR_TRUNCATE
                            : MPI_ERR_TYPE,
                      "rank %d called %s, while rank %d has made another call, with %s, as "
                      "operation %u of this communicator",
                      c->rank, ours, rank,
                      what  ? "another operation, root or reduction"
                      : len ? "data of another length"
                            : "another datatype",
                      (unsigned) call->number + 1);
}

/* The sender of a message that r does not take, because signatures differ, has had its time for an
 * answer: ends the call without one. True when it did. */
static bool in_vain(const struct adi3_request *r, struct adi3_call_record *call)
{
    if (r->kind != ADI3_RECV || !tag_is_signed(call->tag) || ticks - call->since < ANSWER_TICKS)
        return false;
    const struct match_message *u =
        match_unexpected(r->queue, r->posted.rank, tag_number(call->tag));
    if (!u)
        return false;
    collchk_fail(r->comm, call, unanswered_error(r->comm, call, r->posted.rank, tag_of_message(u)));
    return true;
}

/* The call that r belongs to, if r waits for another process to do its part in it; else NULL. */
static struct adi3_call_record *waiting_call_record(const struct adi3_request *r)
{
    const struct adi3_comm *c = r->comm;

    if (r->state != ADI3_STARTED || r->kind > ADI3_RECV || r->posted.rank < 0)
        return NULL;
    if (r->kind == ADI3_RECV ? r->queue != c->queue[1]
                             : r->awaits != PKT_CTS || !(r->op.pkt.ctx & ADI3_COLL))
        return NULL;
    return call_record_of_tag(c, r->posted.tag);
}

/* Does this process stay in the call that r belongs to until that is complete? */
static bool is_blocked(const struct adi3_request *r, const struct adi3_call_record *call)
{
    const struct adi3_request *whole = r->flags & REQUEST_OWNED ? r->owner->whole : NULL;

    return !adi3_threads
           && (tag_form(call->tag) == ADI3_FORM_BLOCKING || (whole && whole == request_awaited));
}

/* The call that waits in a segment; comm NULL: none does. */
static struct {
    const struct adi3_comm *comm;
    struct adi3_call_record *call;
} in_segment;

struct adi3_call_record *call_that_blocks(const struct adi3_comm *c)
{
    struct adi3_call_record *call;

    if (in_segment.comm == c && !adi3_threads)
        return in_segment.call;
    for (struct adi3_request *r = NULL; (r = adi3_next(&adi3_requests, r));)
        if (r->comm == c && (call = waiting_call_record(r)) && is_blocked(r, call))
            return call;
    return NULL;
}

/* Asks rank about the call that this process is blocked in, and begins no other call meanwhile. */
static void ask_blocked(struct adi3_comm *c, int rank, const struct adi3_call_record *call)
{
    struct adi3_call_record now = *call;
    const struct adi3_comm *inter = c->local ? c : collchk_sibling(c);

    if (tag_form(call->tag) == ADI3_FORM_BEGUN) /* there may have been blocking ones meanwhile */
        now.others[0] = (inter ? inter : c)->begun[ADI3_FORM_BLOCKING];
    report_send(c, rank, REPORT_ASK_BLOCKED, &now);
}

void collchk_tick(void)
{
    assert(adi3_lock_held());
    ticks += 1 + (ticks == UINT32_MAX);
    for (struct adi3_request *r = NULL; (r = adi3_next(&adi3_requests, r));) {
        struct adi3_call_record *call = waiting_call_record(r);
        if (!call || call->err)
            continue;
        if (is_due(call) && is_blocked(r, call))
            ask_blocked(r->comm, r->posted.rank, call);
        else if (is_due(call))
            mismatch_ask(r->comm, r->posted.rank, call);
        if (in_vain(r, call))
            return; /* other requests, and the next one too, may have ended with the call */
    }
}

static void ask_all(struct adi3_comm *c, const struct adi3_call_record *call)
{
    for (int rank = 0; rank < c->size; rank++)
        if (rank != c->rank)
            mismatch_ask(c, rank, call);
}

int collchk_wait(struct adi3_comm *c, int tag, enum collchk_due *due)
{
    struct adi3_call_record *call = call_record_of_tag(c, tag);

    assert(adi3_lock_held());
    *due = COLLCHK_NOTHING;
    if (!call || call->err)
        return call ? call->err : MPI_SUCCESS;
    if (call->since && call->asked != ticks)
        *due = is_due(call) ? COLLCHK_ASK : COLLCHK_COMPARE;
    call->since = call->since ? call->since : ticks;
    call->asked = ticks;
    in_segment.comm = c;
    in_segment.call = call;
    return MPI_SUCCESS;
}

void collchk_wait_end(void) { in_segment.comm = NULL; }

void collchk_ask(struct adi3_comm *c, int rank, int tag)
{
    const struct adi3_call_record *call = call_record_of_tag(c, tag);

    assert(adi3_lock_held());
    if (call && rank != c->rank && adi3_threads)
        mismatch_ask(c, rank, call);
    else if (call && rank != c->rank)
        ask_blocked(c, rank, call);
}

/* Reports that came before the communicator was known here are lost: so it asks. */
int collchk_await_report(struct adi3_comm *c, int tag)
{
    const struct adi3_call_record *call = call_record_of_tag(c, tag);
    struct adi3_wait w = { .on = NULL };
    uint64_t begin = os_time_ns();

    assert(adi3_lock_held());
    if (!call)
        return MPI_SUCCESS;
    if (!call->err && !c->failed)
        ask_all(c, call);
    while (!call->err && !c->failed && os_time_ns() - begin < ANSWER_MS * 1000000ull)
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
    int err = call->err;
    if (!err)
        err = c->failed;
    return err;
}

int collchk_compare(struct adi3_comm *c, int rank, int ours, int theirs)
{
    struct adi3_call_record *call = call_record_of_tag(c, ours);
    bool same_call = tag_number(ours) == tag_number(theirs);

    assert(adi3_lock_held());
    if (same_call && tag_is_compatible(ours, theirs))
        return MPI_SUCCESS;
    if (!call)
        return adi3_error(MPI_ERR_OTHER, "rank %d has made another call than rank %d", rank,
                          c->rank);
    mismatch_ask(c, rank, call);
    int err = collchk_await_report(c, ours);
    if (!err)
        collchk_fail(c, call, unanswered_error(c, call, rank, same_call ? theirs : ~ours));
    if (!err)
        err = call->err;
    return err;
}

int collchk_compare_before(struct adi3_comm *c, int rank, int tag)
{
    const struct adi3_call_record *call = call_record_of_tag(c, tag), *before;
    uint32_t number = call ? call->number : 0;

    assert(adi3_lock_held());
    for (uint32_t i = 1; i < ADI3_CALLS_KEPT; i++)
        if (call && (before = call_record_of_number(c, ADI3_FORM_BLOCKING, number - i)))
            mismatch_ask(c, rank, before);
    int err = collchk_await_report(c, tag);
    if (!err)
        err = adi3_error(MPI_ERR_OTHER,
                         "rank %d has made other collective calls than rank %d before operation "
                         "%u of this communicator",
                         rank, c->rank, (unsigned) number + 1);
    return err;
}
