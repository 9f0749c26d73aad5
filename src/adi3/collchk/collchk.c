/* collchk.c — the begin and end of collective calls, and what the collective check registers.
 *
 * Messages of a call are matched by the call's number, and then their signatures are compared: when
 * a message arrives, when a receive finds an unexpected one, and when a call begins. If they
 * differ, this process asks the sender which call it has made (report.c, mismatch.c), so that the
 * error shows both calls. The call then ends in that error (fail.c). */
#include <stdlib.h>
#include "adi3/collchk/collchk_impl.h"

enum { FRONT = 8 }; /* unexpected messages that are compared when a call begins, at most */

/* ---- the begin of a call --------------------------------------------------------------------- */

struct adi3_call_history *adi3_collchk_history(struct adi3_comm *c, int form)
{
    assert(adi3_lock_held());
    return c->calls[form] = calloc(1, sizeof *c->calls[form]);
}

/* Compares the call with the unexpected messages that came before it, and with saved queries. The
 * messages may be of earlier calls of other processes, which are compared with ours of that
 * number. */
__attribute__((noinline)) static void compare_before(struct adi3_comm *c,
                                                     struct adi3_call_record *call)
{
    struct adi3_queues *q = c->queue[1];
    int n = 0;

    for (struct match_link *r = q->unexpected.next; r != &q->unexpected && n < FRONT; r = r->next) {
        struct match_message *u = OS_OWNER(r, struct match_message, all);
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
    assert(adi3_lock_held());
    if (__builtin_expect(c->failed, 0))
        collchk_fail(c, call, c->failed); /* answers queries with the error that came first */
    else if (__builtin_expect(c->queue[1]->nunexpected || c->asked, 0))
        compare_before(c, call);
}

/* ---- messages -------------------------------------------------------------------------------- */

int collchk_length(struct adi3_comm *c, int rank, int tag, size_t theirs, size_t ours)
{
    struct adi3_call_record *call = call_record_of_tag(c, tag);
    char words[COLLCHK_DESCRIPTION];

    assert(adi3_lock_held());
    if (!call || call->err)
        return call ? call->err : MPI_SUCCESS;
    collchk_describe(call, words, sizeof words);
    int err = adi3_error(MPI_ERR_TRUNCATE,
                         "rank %d called %s, while rank %d%s called the same with data of another "
                         "length, %zu bytes of it instead of %zu, as %soperation %u of this "
                         "communicator%s",
                         c->rank, words, rank, c->remote ? " of the other group" : "", theirs, ours,
                         form_word(tag_form(call->tag)), (unsigned) call->number + 1,
                         adi3_collchk_total(c->size, theirs, ours));
    if (theirs < ours || call->what.shows != ADI3_SHOWS_NOTHING)
        mismatch_fail(c, call, err);
    return err;
}

int adi3_collchk_unequal(struct adi3_comm *c, int rank, int tag, size_t theirs, size_t ours)
{
    int err = collchk_length(c, rank, tag, theirs, ours);

    if (!err)
        err = adi3_error(theirs > ours ? MPI_ERR_TRUNCATE : MPI_ERR_OTHER,
                         "process %d of the communicator gave %zu bytes to this operation, and "
                         "we %zu%s",
                         rank, theirs, ours, adi3_collchk_total(c->size, theirs, ours));
    return err;
}

/* ---- the end of a call ----------------------------------------------------------------------- */

int adi3_collchk_failed(struct adi3_comm *c, int tag, int err, bool stopped)
{
    struct adi3_call_record *call = call_record_of_tag(c, tag);

    assert(adi3_lock_held());
    if (call && !call->err && (stopped || (proc_any_lost && proc_lost_error(c, MPI_ANY_SOURCE))))
        mismatch_fail(c, call, err);
    return err;
}

int adi3_collchk_end(struct adi3_comm *c, int err)
{
    assert(adi3_lock_held());
    if (!err)
        err = c->differs;
    c->differs = MPI_SUCCESS;
    return c->local ? adi3_collchk_end(c->local, err) : err;
}

int adi3_collchk_refuse(struct adi3_comm *c, int tag)
{
    struct adi3_call_record *call = call_record_of_tag(c, tag);

    assert(adi3_lock_held());
    if (call)
        collchk_fail(c, call, c->failed);
    return adi3_collchk_end(c, c->failed);
}

/* Warns of a call that has returned before it was known to differ, when no later call has returned
 * that error. */
static void comm_ends(struct adi3_comm *c)
{
    const char *text = c->differs ? adi3_error_text(c->differs) : NULL;

    assert(adi3_lock_held());
    if (text && adi3_warn)
        adi3_warn(text);
    c->differs = MPI_SUCCESS;
    last_comm_ends(c);
    mismatch_comm_ends(c);
    query_forget(c);
}

/* ---- rows ------------------------------------------------------------------------------------ */

int collchk_init(void)
{
    static const struct p2p_mismatch mismatch = { .ask = mismatch_ask, .length = collchk_length };
    static struct progress_source source = { .name = "collchk", .tick = collchk_tick };
    static const struct base_hooks hooks = { .name = "collchk", .comm_ends = comm_ends };

    p2p_mismatch = &mismatch;
    int err = packets_add();
    if (!err)
        err = progress_source_add(&source);
    if (!err)
        err = base_hooks_add(&hooks);
    return err;
}
