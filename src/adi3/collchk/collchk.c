/* collchk.c — the last collective calls on a communicator, and what others have sent of theirs.
 *
 * Messages of a call are matched by its number, and then their signatures are compared: when one
 * arrives, when a receive finds one that came before, and when a call begins. Who finds that
 * another's call differs asks for its words (letter.c), so that the error shows both. The call then
 * ends in that error: nothing waits any more, and nothing is taken into the user's memory. */
#include <stdlib.h>
#include "collchk_impl.h"

enum { FRONT = 8 }; /* messages that came before a call and that it looks at */

void (*adi3_collchk_describe)(const struct adi3_call_record *call, char *text, size_t len);

/* ---- the last calls -------------------------------------------------------------------------- */

struct adi3_call_record *call_record_of_number(const struct adi3_comm *c, bool init,
                                               uint32_t number)
{
    struct adi3_call_history *calls = c->calls[init];
    struct adi3_call_record *call = calls ? &calls->call[number % ADI3_CALLS_KEPT] : NULL;

    return call && call->name && call->number == number ? call : NULL;
}

struct adi3_call_record *call_record_of_tag(const struct adi3_comm *c, int tag)
{
    bool init = tag >= ADI3_TAG_INIT;
    const struct adi3_call_history *calls = c->calls[init];

    if (!calls)
        return NULL;
    int newest = call_record_of_number(c, init, calls->newest)->tag;
    int back = newest / (ADI3_SIGNATURE + 1) - tag / (ADI3_SIGNATURE + 1);
    struct adi3_call_record *call = call_record_of_number(
        c, init, calls->newest - (uint32_t) (back < 0 ? back + ADI3_NUMBERS : back));
    return call && collchk_number(call->tag) == collchk_number(tag) ? call : NULL;
}

bool call_has_begun(const struct adi3_comm *c, bool init, uint32_t number)
{
    const struct adi3_call_history *calls = c->calls[init];

    return calls && (int32_t) (calls->newest - number) >= 0;
}

struct adi3_call_history *adi3_collchk_history(struct adi3_comm *c, bool init)
{
    return c->calls[init] = calloc(1, sizeof *c->calls[init]);
}

/* What came before the call, and what was asked about it. A call that is over may have been another
 * one than others', too. */
__attribute__((noinline)) static void look(struct adi3_comm *c, struct adi3_call_record *call)
{
    struct adi3_queues *q = c->queue[1];
    int n = 0;

    for (struct match_link *l = q->unexpected.next; l != &q->unexpected && n < FRONT; l = l->next) {
        struct match_message *u = OS_OWNER(l, struct match_message, all);
        const struct adi3_call_record *ours = call_record_of_tag(c, u->pkt.tag);
        n++;
        if (ours && ours->tag != collchk_saved_tag(u) && collchk_is_signed(u->pkt.tag))
            (void) collchk_differs(q, u, ours->tag);
    }
    if (c->asked)
        mismatch_call_begun(c, call);
}

void adi3_collchk_begin(struct adi3_comm *c, struct adi3_call_record *call)
{
    if (__builtin_expect(c->failed, 0))
        collchk_fail(c, call, c->failed); /* whoever has asked is told of what failed first */
    else if (__builtin_expect(c->queue[1]->nunexpected || c->asked, 0))
        look(c, call);
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Asks its sender, once, when a message that was kept is of another call than ours with this
 * tag. */
bool collchk_differs(struct adi3_queues *q, struct match_message *u, int tag)
{
    if (collchk_same(collchk_saved_tag(u), tag))
        return false;
    const struct adi3_call_record *call = call_record_of_tag(q->comm, tag);
    if (call && !call->err && !(u->pkt.flags & PKT_DOUBTED))
        mismatch_ask(q->comm, u->pkt.rank, call);
    u->pkt.flags |= PKT_DOUBTED;
    return true;
}

struct match_message *collchk_unexpected(struct adi3_queues *q, int source, int tag)
{
    if (!collchk_is_signed(tag))
        return match_unexpected(q, source, tag);
    struct match_message *u = match_unexpected(q, source, collchk_number(tag));
    return u && !collchk_differs(q, u, tag) ? u : NULL;
}

int collchk_arrives(const struct adi3_queues *q, const struct dev_pkt *pkt)
{
    if (!q || !q->comm || !collchk_is_signed(pkt->tag))
        return 0;
    const struct adi3_call_record *call = call_record_of_tag(q->comm, pkt->tag);
    if (!call || call->tag == pkt->tag)
        return 0;
    if (collchk_same(call->tag, pkt->tag))
        return call->tag;
    if (!call->err)
        mismatch_ask(q->comm, pkt->rank, call);
    return 0;
}

int adi3_collchk_length(struct adi3_comm *c, int rank, int tag, size_t theirs, size_t ours)
{
    struct adi3_call_record *call = call_record_of_tag(c, tag);
    char words[COLLCHK_DESCRIPTION];

    if (!call || call->err)
        return call ? call->err : MPI_SUCCESS;
    collchk_describe(call, words, sizeof words);
    int err =
        adi3_error(MPI_ERR_TRUNCATE,
                   "rank %d called %s, while rank %d%s called the same with data of another "
                   "length, %zu bytes of it instead of %zu, as %soperation %u of this "
                   "communicator",
                   c->rank, words, rank, c->remote ? " of the other group" : "", theirs, ours,
                   call->tag >= ADI3_TAG_INIT ? "persistent " : "", (unsigned) call->number + 1);
    if (theirs < ours || call->what.shows != ADI3_SHOWS_NOTHING)
        mismatch_fail(c, call, err);
    return err;
}

int adi3_collchk_unequal(struct adi3_comm *c, int rank, int tag, size_t theirs, size_t ours)
{
    int err = adi3_collchk_length(c, rank, tag, theirs, ours);

    return err ? err
               : adi3_error(theirs > ours ? MPI_ERR_TRUNCATE : MPI_ERR_OTHER,
                            "process %d of the communicator gave %zu bytes to this operation, and "
                            "we %zu",
                            rank, theirs, ours);
}

/* ---- the end of a call that differs ---------------------------------------------------------- */

/* Ends what waits for another: a receive, or a send that its receiver has to ask for. */
static bool end(struct adi3_request *r, const struct adi3_comm *c, int number, int err)
{
    if (r->state != ADI3_STARTED || collchk_number(r->posted.tag) != number)
        return false;
    if (r->kind == ADI3_RECV && r->queue == c->queue[1]) {
        match_unpost(r->queue, &r->posted);
        r->error = err;
        request_done(r);
        return true;
    }
    if (r->kind != ADI3_SEND || r->awaits != PKT_CTS || r->op.pkt.ctx != c->send_ctx + 1)
        return false;
    r->error = err;
    (void) adi3_cancel(r);
    return true;
}

/* What differs and is all here goes; an announced one is taken back by its sender. */
static void drop(struct adi3_queues *q, int tag)
{
    struct match_link *next;

    for (struct match_link *l = q->unexpected.next; l != &q->unexpected; l = next) {
        struct match_message *u = OS_OWNER(l, struct match_message, all);
        next = l->next;
        if (u->pkt.tag == collchk_number(tag) && !collchk_same(collchk_saved_tag(u), tag)
            && u->complete && u->pkt.type == PKT_EAGER)
            context_lose(q, u);
    }
}

struct adi3_comm *collchk_sibling(const struct adi3_comm *c)
{
    struct adi3_comm *other = c->local;

    while (!c->local && (other = adi3_next(&adi3_comms, other)) && other->local != c)
        ;
    return other;
}

void collchk_fail(struct adi3_comm *c, struct adi3_call_record *call, int err)
{
    struct adi3_request *next;
    bool told = false;

    if (call->err)
        return;
    call->err = c->failed = err;
    pt2pt_may_fail = true;
    for (struct adi3_request *r = adi3_next(&adi3_requests, NULL); r; r = next) {
        next = adi3_next(&adi3_requests, r);
        if (r->comm == c)
            told |= end(r, c, collchk_number(call->tag), err);
    }
    if (!told)
        c->differs = err; /* of the call between two steps, or of the next one */
    if (collchk_is_signed(call->tag))
        drop(c->queue[1], call->tag);
    mismatch_answer(c, call);
    /* Whoever has failed takes part in no later call: ours that have begun would wait for it. */
    struct adi3_call_record *later =
        call_record_of_number(c, call->tag >= ADI3_TAG_INIT, call->number + 1);
    if (later)
        collchk_fail(c, later, err);
    struct adi3_comm *other = collchk_sibling(c);
    call = other ? call_record_of_number(other, call->tag >= ADI3_TAG_INIT, call->number) : NULL;
    if (call)
        collchk_fail(other, call, err);
}

int collchk_error(const struct adi3_comm *c, int tag)
{
    const struct adi3_call_record *call = call_record_of_tag(c, tag);

    return call ? call->err : MPI_SUCCESS;
}

int adi3_collchk_failed(struct adi3_comm *c, int tag, int err, bool stopped)
{
    struct adi3_call_record *call = call_record_of_tag(c, tag);

    if (call && !call->err && (stopped || (proc_any_lost && pt2pt_gone(MPI_ANY_SOURCE, c))))
        mismatch_fail(c, call, err);
    return err;
}

int adi3_collchk_end(struct adi3_comm *c, int err)
{
    err = err ? err : c->differs;
    c->differs = MPI_SUCCESS;
    return c->local ? adi3_collchk_end(c->local, err) : err;
}

int adi3_collchk_refuse(struct adi3_comm *c, int tag)
{
    struct adi3_call_record *call = call_record_of_tag(c, tag);

    if (call)
        collchk_fail(c, call, c->failed);
    return adi3_collchk_end(c, c->failed);
}

/* A call that is over, and of which nobody has been told that it differed. */
void collchk_comm_ends(struct adi3_comm *c)
{
    const char *text = c->differs ? adi3_error_text(c->differs) : NULL;

    if (text && adi3_warn)
        adi3_warn(text);
    c->differs = MPI_SUCCESS;
    if (c->queue[1])
        mismatch_comm_ends(c);
    mismatch_forget(c);
    for (int i = 0; i < 2; i++) {
        free(c->calls[i]);
        c->calls[i] = NULL;
    }
}
