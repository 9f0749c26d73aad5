/* wait.c — collective calls that wait long: whoever they wait for is asked what it has called.
 *
 * Twice a second a process looks what its calls wait for. It asks at the first look, and then ever
 * more seldom, so that who computes for an hour finds no heap of letters. */
#include "collchk_impl.h"
#include "match.h"

enum { ANSWER_TICKS = 3, ANSWER_MS = 1000 }; /* what a process has to answer in */

static uint32_t ticks = 1;

/* True after 0, 1, 3, 7, ... ticks of waiting. */
static bool due(struct adi3_call_record *call)
{
    if (!call->since)
        call->since = ticks;
    uint32_t age = ticks - call->since;
    return (age & (age + 1)) == 0;
}

/* A process has sent what differs, and does not answer: then its call is not known in words. */
static int unanswered(const struct adi3_comm *c, const struct adi3_call_record *call, int rank,
                      int theirs)
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

/* What the sender of the message that r does not take has called is not going to be known. */
static bool in_vain(const struct adi3_request *r, struct adi3_call_record *call)
{
    if (r->kind != ADI3_RECV || !tag_is_signed(call->tag) || ticks - call->since < ANSWER_TICKS)
        return false;
    const struct match_message *u =
        match_unexpected(r->queue, r->posted.rank, tag_number(call->tag));
    if (!u)
        return false;
    collchk_fail(r->comm, call, unanswered(r->comm, call, r->posted.rank, tag_of_message(u)));
    return true;
}

/* The call that r belongs to, when it waits for another process's part in it. */
static struct adi3_call_record *waits(const struct adi3_request *r)
{
    const struct adi3_comm *c = r->comm;

    if (r->state != ADI3_STARTED || r->kind > ADI3_RECV || r->posted.rank < 0)
        return NULL;
    if (r->kind == ADI3_RECV ? r->queue != c->queue[1]
                             : r->awaits != PKT_CTS || !(r->op.pkt.ctx & ADI3_COLL))
        return NULL;
    return call_record_of_tag(c, r->posted.tag);
}

void collchk_tick(void)
{
    ticks += 1 + (ticks == UINT32_MAX);
    for (struct adi3_request *r = NULL; (r = adi3_next(&adi3_requests, r));) {
        struct adi3_call_record *call = waits(r);
        if (!call || call->err)
            continue;
        if (due(call))
            mismatch_ask(r->comm, r->posted.rank, call);
        if (in_vain(r, call))
            return; /* it may have ended the next ones, too */
    }
}

static void ask_all(struct adi3_comm *c, const struct adi3_call_record *call)
{
    for (int rank = 0; rank < c->size; rank++)
        if (rank != c->rank)
            mismatch_ask(c, rank, call);
}

int collchk_wait(struct adi3_comm *c, int tag)
{
    struct adi3_call_record *call = call_record_of_tag(c, tag);

    if (!call || call->err)
        return call ? call->err : MPI_SUCCESS;
    if (call->since && call->asked != ticks && due(call))
        ask_all(c, call);
    call->since = call->since ? call->since : ticks;
    call->asked = ticks;
    return MPI_SUCCESS;
}

/* What the others told before the communicator was known here is lost: they are asked. */
int collchk_await_report(struct adi3_comm *c, int tag)
{
    const struct adi3_call_record *call = call_record_of_tag(c, tag);
    struct adi3_wait w = { .on = NULL };
    uint64_t begin = os_time_ns();

    if (!call)
        return MPI_SUCCESS;
    if (!call->err && !c->failed)
        ask_all(c, call);
    while (!call->err && !c->failed && os_time_ns() - begin < ANSWER_MS * 1000000ull)
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
    return call->err ? call->err : c->failed;
}

int collchk_compare(struct adi3_comm *c, int rank, int ours, int theirs)
{
    struct adi3_call_record *call = call_record_of_tag(c, ours);
    bool same_call = tag_number(ours) == tag_number(theirs);

    if (same_call && tag_agrees(ours, theirs))
        return MPI_SUCCESS;
    if (!call)
        return adi3_error(MPI_ERR_OTHER, "rank %d has made another call than rank %d", rank,
                          c->rank);
    mismatch_ask(c, rank, call);
    int err = collchk_await_report(c, ours);
    if (!err)
        collchk_fail(c, call, unanswered(c, call, rank, same_call ? theirs : ~ours));
    return err ? err : call->err;
}

int collchk_compare_before(struct adi3_comm *c, int rank, int tag)
{
    const struct adi3_call_record *call = call_record_of_tag(c, tag), *before;
    uint32_t number = call ? call->number : 0;

    for (uint32_t i = 1; i < ADI3_CALLS_KEPT; i++)
        if (call && (before = call_record_of_number(c, false, number - i)))
            mismatch_ask(c, rank, before);
    int err = collchk_await_report(c, tag);
    return err ? err
               : adi3_error(MPI_ERR_OTHER,
                            "rank %d has made other collective calls than rank %d before operation "
                            "%u of this communicator",
                            rank, c->rank, (unsigned) number + 1);
}
