/* collchk.c — the last collective calls on a communicator, and what others have sent of theirs.
 *
 * Messages of a call are matched by its number, and then their signatures are compared: when one
 * arrives, when a receive finds one that came before, and when a call begins. Who finds that
 * another's call differs asks for its words (letter.c), so that the error shows both. The call then
 * ends in that error: nothing waits any more, and nothing is taken into the user's memory. */
#include <stdlib.h>
#include "collchk_impl.h"

enum { FRONT = 8 }; /* messages that came before a call and that it looks at */

void (*adi3_agree_words)(const struct adi3_called *call, char *text, size_t len);

/* ---- the last calls -------------------------------------------------------------------------- */

struct adi3_called *agree_call(const struct adi3_comm *c, bool init, uint32_t number)
{
    struct adi3_calls *calls = c->calls[init];
    struct adi3_called *call = calls ? &calls->call[number % ADI3_CALLS] : NULL;

    return call && call->name && call->number == number ? call : NULL;
}

struct adi3_called *agree_tagged(const struct adi3_comm *c, int tag)
{
    bool init = tag >= ADI3_TAG_INIT;
    const struct adi3_calls *calls = c->calls[init];

    if (!calls)
        return NULL;
    int newest = agree_call(c, init, calls->newest)->tag;
    int back = newest / (ADI3_SIGNATURE + 1) - tag / (ADI3_SIGNATURE + 1);
    struct adi3_called *call =
        agree_call(c, init, calls->newest - (uint32_t) (back < 0 ? back + ADI3_NUMBERS : back));
    return call && agree_number(call->tag) == agree_number(tag) ? call : NULL;
}

bool agree_begun(const struct adi3_comm *c, bool init, uint32_t number)
{
    const struct adi3_calls *calls = c->calls[init];

    return calls && (int32_t) (calls->newest - number) >= 0;
}

struct adi3_calls *adi3_agree_calls(struct adi3_comm *c, bool init)
{
    return c->calls[init] = calloc(1, sizeof *c->calls[init]);
}

/* What came before the call, and what was asked about it. A call that is over may have been another
 * one than others', too. */
__attribute__((noinline)) static void look(struct adi3_comm *c, struct adi3_called *call)
{
    struct adi3_queues *q = c->queue[1];
    int n = 0;

    for (struct match_link *l = q->unexpected.next; l != &q->unexpected && n < FRONT; l = l->next) {
        struct match_unex *u = OS_OWNER(l, struct match_unex, all);
        const struct adi3_called *ours = agree_tagged(c, u->pkt.tag);
        n++;
        if (ours && ours->tag != agree_kept(u) && agree_signed(u->pkt.tag))
            (void) agree_differs(q, u, ours->tag);
    }
    if (c->asked)
        letter_begun(c, call);
}

void adi3_agree_begin(struct adi3_comm *c, struct adi3_called *call)
{
    if (__builtin_expect(c->failed, 0))
        agree_break(c, call, c->failed); /* whoever has asked is told of what failed first */
    else if (__builtin_expect(c->queue[1]->nunexpected || c->asked, 0))
        look(c, call);
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Asks its sender, once, when a message that was kept is of another call than ours with this
 * tag. */
bool agree_differs(struct adi3_queues *q, struct match_unex *u, int tag)
{
    if (agree_same(agree_kept(u), tag))
        return false;
    const struct adi3_called *call = agree_tagged(q->comm, tag);
    if (call && !call->err && !(u->pkt.flags & PKT_DOUBTED))
        letter_ask(q->comm, u->pkt.rank, call);
    u->pkt.flags |= PKT_DOUBTED;
    return true;
}

struct match_unex *agree_unexpected(struct adi3_queues *q, int source, int tag)
{
    if (!agree_signed(tag))
        return match_unexpected(q, source, tag);
    struct match_unex *u = match_unexpected(q, source, agree_number(tag));
    return u && !agree_differs(q, u, tag) ? u : NULL;
}

int agree_arrives(const struct adi3_queues *q, const struct dev_pkt *pkt)
{
    if (!q || !q->comm || !agree_signed(pkt->tag))
        return 0;
    const struct adi3_called *call = agree_tagged(q->comm, pkt->tag);
    if (!call || call->tag == pkt->tag)
        return 0;
    if (agree_same(call->tag, pkt->tag))
        return call->tag;
    if (!call->err)
        letter_ask(q->comm, pkt->rank, call);
    return 0;
}

int adi3_agree_length(struct adi3_comm *c, int rank, int tag, size_t theirs, size_t ours)
{
    struct adi3_called *call = agree_tagged(c, tag);
    char words[AGREE_WORDS];

    if (!call || call->err)
        return call ? call->err : MPI_SUCCESS;
    agree_write(call, words, sizeof words);
    int err =
        adi3_error(MPI_ERR_TRUNCATE,
                   "rank %d called %s, while rank %d%s called the same with data of another "
                   "length, %zu bytes of it instead of %zu, as %soperation %u of this "
                   "communicator",
                   c->rank, words, rank, c->remote ? " of the other group" : "", theirs, ours,
                   call->tag >= ADI3_TAG_INIT ? "persistent " : "", (unsigned) call->number + 1);
    if (theirs < ours || call->what.shows != ADI3_SHOWS_NOTHING)
        letter_fails(c, call, err);
    return err;
}

int adi3_agree_unequal(struct adi3_comm *c, int rank, int tag, size_t theirs, size_t ours)
{
    int err = adi3_agree_length(c, rank, tag, theirs, ours);

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
    if (r->state != ADI3_STARTED || agree_number(r->posted.tag) != number)
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
        struct match_unex *u = OS_OWNER(l, struct match_unex, all);
        next = l->next;
        if (u->pkt.tag == agree_number(tag) && !agree_same(agree_kept(u), tag) && u->complete
            && u->pkt.type == PKT_EAGER)
            context_lose(q, u);
    }
}

struct adi3_comm *agree_other(const struct adi3_comm *c)
{
    struct adi3_comm *other = c->local;

    while (!c->local && (other = adi3_next(&adi3_comms, other)) && other->local != c)
        ;
    return other;
}

void agree_break(struct adi3_comm *c, struct adi3_called *call, int err)
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
            told |= end(r, c, agree_number(call->tag), err);
    }
    if (!told)
        c->differs = err; /* of the call between two steps, or of the next one */
    if (agree_signed(call->tag))
        drop(c->queue[1], call->tag);
    letter_broken(c, call);
    /* Whoever has failed takes part in no later call: ours that have begun would wait for it. */
    struct adi3_called *later = agree_call(c, call->tag >= ADI3_TAG_INIT, call->number + 1);
    if (later)
        agree_break(c, later, err);
    struct adi3_comm *other = agree_other(c);
    call = other ? agree_call(other, call->tag >= ADI3_TAG_INIT, call->number) : NULL;
    if (call)
        agree_break(other, call, err);
}

int agree_error(const struct adi3_comm *c, int tag)
{
    const struct adi3_called *call = agree_tagged(c, tag);

    return call ? call->err : MPI_SUCCESS;
}

int adi3_agree_failed(struct adi3_comm *c, int tag, int err, bool stopped)
{
    struct adi3_called *call = agree_tagged(c, tag);

    if (call && !call->err && (stopped || (proc_any_lost && pt2pt_gone(MPI_ANY_SOURCE, c))))
        letter_fails(c, call, err);
    return err;
}

int adi3_agree_end(struct adi3_comm *c, int err)
{
    err = err ? err : c->differs;
    c->differs = MPI_SUCCESS;
    return c->local ? adi3_agree_end(c->local, err) : err;
}

int adi3_agree_refuse(struct adi3_comm *c, int tag)
{
    struct adi3_called *call = agree_tagged(c, tag);

    if (call)
        agree_break(c, call, c->failed);
    return adi3_agree_end(c, c->failed);
}

/* A call that is over, and of which nobody has been told that it differed. */
void agree_finish(struct adi3_comm *c)
{
    const char *text = c->differs ? adi3_error_text(c->differs) : NULL;

    if (text && adi3_warn)
        adi3_warn(text);
    c->differs = MPI_SUCCESS;
    if (c->queue[1])
        letter_gone(c);
    letter_forget(c);
    for (int i = 0; i < 2; i++) {
        free(c->calls[i]);
        c->calls[i] = NULL;
    }
}
