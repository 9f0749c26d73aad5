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
        if (ours && ours->tag != tag_of_message(u) && tag_is_signed(u->pkt.tag))
            (void) tag_differs(q, u, ours->tag);
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

int collchk_length(struct adi3_comm *c, int rank, int tag, size_t theirs, size_t ours)
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
    int err = collchk_length(c, rank, tag, theirs, ours);

    return err ? err
               : adi3_error(theirs > ours ? MPI_ERR_TRUNCATE : MPI_ERR_OTHER,
                            "process %d of the communicator gave %zu bytes to this operation, and "
                            "we %zu",
                            rank, theirs, ours);
}

/* ---- the end of a call that differs ---------------------------------------------------------- */

/* What differs and is all here goes; an announced one is taken back by its sender. */
static void drop(struct adi3_queues *q, int tag)
{
    struct match_link *next;

    for (struct match_link *l = q->unexpected.next; l != &q->unexpected; l = next) {
        struct match_message *u = OS_OWNER(l, struct match_message, all);
        next = l->next;
        if (u->pkt.tag == tag_number(tag) && !tag_agrees(tag_of_message(u), tag) && u->complete
            && u->pkt.type == PKT_EAGER)
            queues_lose(q, u);
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
    proc_may_fail = true;
    for (struct adi3_request *r = adi3_next(&adi3_requests, NULL); r; r = next) {
        next = adi3_next(&adi3_requests, r);
        if (r->comm == c)
            told |= p2p_fail_request(r, c, tag_number(call->tag), err);
    }
    if (!told)
        c->differs = err; /* of the call between two steps, or of the next one */
    if (tag_is_signed(call->tag))
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

int adi3_collchk_failed(struct adi3_comm *c, int tag, int err, bool stopped)
{
    struct adi3_call_record *call = call_record_of_tag(c, tag);

    if (call && !call->err && (stopped || (proc_any_lost && proc_lost_error(c, MPI_ANY_SOURCE))))
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
static void comm_ends(struct adi3_comm *c)
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

/* ---- rows ------------------------------------------------------------------------------------ */

static int add_packets(void)
{
    int err = p2p_packet_add(PKT_ASK, &ask_packet);

    return err ? err : p2p_packet_add(PKT_DIFFERS, &differs_packet);
}

int collchk_init(void)
{
    static const struct p2p_mismatch mismatch = { .ask = mismatch_ask, .length = collchk_length };
    static struct progress_source source = { .name = "collchk", .tick = collchk_tick };
    static const struct base_hooks hooks = { .name = "collchk", .comm_ends = comm_ends };

    p2p_mismatch = &mismatch;
    int err = add_packets();
    err = err ? err : progress_source_add(&source);
    return err ? err : base_hooks_add(&hooks);
}
