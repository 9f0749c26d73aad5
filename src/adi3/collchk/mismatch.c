/* mismatch.c — comparing a call of this process with the report of another one, and what follows.
 *
 *   ASK, our call ------>  the same call there:  the query is saved, in case that the call fails
 *                          not begun there yet:  the query is saved until it is
 *                          another call there:   it fails there,  <------ DIFFERS, their call
 *                          failed before:                         <------ DIFFERS, the error
 *                          will never be made:                    <------ DIFFERS, the error
 *
 * A process asks the sender of a message that differs, and the processes that a call waits for
 * long. After DIFFERS the call fails here, too. */
#include <stdlib.h>
#include <string.h>
#include "adi3/collchk/collchk_impl.h"

enum { MANY = 256 }; /* processes: more are not sent a report each */

/* ---- comparing ------------------------------------------------------------------------------- */

/* Can our root and that of another process not belong to one operation? Between two groups, the
 * group of the root gives MPI_ROOT in the root itself and MPI_PROC_NULL in all others; the other
 * group gives the root's rank. */
static bool roots_differ(const struct adi3_comm *c, int ours, int rank, int theirs)
{
    if (!c->remote || ours == ADI3_NO_ROOT)
        return ours >= 0 || theirs >= 0 ? ours != theirs : ours == MPI_ROOT && theirs == MPI_ROOT;
    if (ours >= 0)
        return theirs != (rank == ours ? MPI_ROOT : MPI_PROC_NULL);
    return ours == MPI_ROOT ? theirs != c->rank : theirs < 0 || theirs == c->rank;
}

/* The error class of the first argument that differs; MPI_SUCCESS when all match. */
static int class_of(const struct adi3_comm *c, const struct adi3_call_record *ours, int rank,
                    const struct mismatch_report *theirs)
{
    const struct adi3_what *a = &ours->what, *b = &theirs->what;
    int differ = ours->tag ^ theirs->tag;

    if (a->kind != b->kind || a->form != b->form)
        return MPI_ERR_OTHER;
    if (roots_differ(c, a->root, rank, b->root))
        return MPI_ERR_ROOT;
    if (a->op != b->op)
        return MPI_ERR_OP;
    if (!tag_is_compatible(ours->tag, theirs->tag))
        return differ & ADI3_SIGN_WHAT  ? MPI_ERR_OTHER
               : differ & ADI3_SIGN_LEN ? MPI_ERR_TRUNCATE
                                        : MPI_ERR_TYPE;
    bool lens = ours->tag & ADI3_SIGN_LEN && theirs->tag & ADI3_SIGN_LEN;
    return lens && ours->len != theirs->len ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
}

/* The error that shows both calls, or the relayed error. */
static int mismatch_error(const struct adi3_comm *c, const struct adi3_call_record *call, int rank,
                          const struct mismatch_report *r)
{
    char ours[COLLCHK_DESCRIPTION];

    if (r->relays)
        return adi3_error(r->relays, "%s", r->text);
    collchk_describe(call, ours, sizeof ours);
    return adi3_error(class_of(c, call, rank, r),
                      "rank %d called %s, while rank %d%s called %.*s, as %soperation %u of this "
                      "communicator%s",
                      c->rank, ours, rank, group_suffix(c), COLLCHK_DESCRIPTION, r->text,
                      form_word(r->form), (unsigned) call->number + 1,
                      adi3_collchk_total(c->size, call->len, r->len));
}

/* Reports the error also to processes that have not asked: one may wait for a message that never
 * comes, or take what we have sent for right. Not where there are many, which would all report to
 * all at once. */
static void broadcast_error(struct adi3_comm *c, const struct adi3_call_record *call)
{
    for (int rank = 0; c->peers <= MANY && rank < c->peers; rank++)
        if (rank != c->rank || c->remote)
            report_send(c, rank, REPORT_ERROR, call);
}

void mismatch_fail(struct adi3_comm *c, struct adi3_call_record *call, int err)
{
    int form = tag_form(call->tag);

    assert(adi3_lock_held());
    collchk_fail(c, call, err);
    broadcast_error(c, call);
    struct adi3_comm *other = collchk_sibling(c);
    if (other && (call = call_record_of_number(other, form, call->number)))
        broadcast_error(other, call);
}

/* Compares a report with our call, and acts. False when both match and neither has failed: then
 * nothing has been done. */
bool mismatch_compare(struct adi3_comm *c, struct adi3_call_record *call, int rank,
                      const struct mismatch_report *r)
{
    bool same = class_of(c, call, rank, r) == MPI_SUCCESS;

    if (same && !call->err && !r->relays)
        return false;
    int err = same && !r->relays ? MPI_SUCCESS : mismatch_error(c, call, rank, r);
    if (r->asks)
        report_send(c, rank, same ? REPORT_ERROR : REPORT_CALL, call);
    if (!err || call->err)
        return true;
    if (r->relays)
        collchk_fail(c, call, err);
    else
        mismatch_fail(c, call, err);
    return true;
}

void mismatch_call_begun(struct adi3_comm *c, struct adi3_call_record *call)
{
    struct mismatch_query *again = NULL;

    for (struct mismatch_query *a; (a = query_take(c, call));) {
        if (a->report.number == call->number && !mismatch_compare(c, call, a->rank, &a->report)) {
            a->next = again;
            again = a;
            continue;
        }
        free(a);
    }
    for (struct mismatch_query *a; (a = again);) {
        again = a->next;
        a->next = c->asked;
        c->asked = a;
    }
}

/* ---- calls that will never be made ----------------------------------------------------------- */

const char mismatch_ends[] = "called MPI_Finalize";
static const char FREES[] = "has freed the communicator";
bool mismatch_at_end;

void mismatch_refuse(struct adi3_proc *to, struct sender us, const struct mismatch_report *r,
                     int err)
{
    const struct adi3_call_record none = {
        .number = r->number, .tag = r->tag, .what = r->what, .err = err
    };

    report_post(to, us, REPORT_ERROR, &none);
}

int mismatch_instead(const char *did, int us, int rank, const char *whose,
                     const struct mismatch_report *r)
{
    return adi3_error(MPI_ERR_OTHER,
                      "rank %d %s, while rank %d%s called %.*s, as %soperation %u of this "
                      "communicator",
                      us, did, rank, whose, COLLCHK_DESCRIPTION, r->text, form_word(r->form),
                      (unsigned) r->number + 1);
}

/* Answers all queries about calls that this process has not begun, and will not. */
static void answer_queries(struct adi3_comm *c, const char *did)
{
    for (struct mismatch_query *a = c->asked; a; a = a->next)
        if (a->report.asks && !call_has_begun(c, a->report.form, a->report.number))
            mismatch_refuse(c->proc[a->rank], sender_in(c), &a->report,
                            mismatch_instead(did, c->rank, a->rank, group_suffix(c), &a->report));
}

void mismatch_comm_ends(struct adi3_comm *c)
{
    assert(adi3_lock_held());
    if (c->queue[1] && !mismatch_at_end)
        answer_queries(c, FREES);
    ended_add(c);
}

/* Answers a query about a call on a communicator that has been freed here. A call that was begun
 * here has ended: it is shown when it differs, unless c->failed was set. */
void mismatch_answer_freed(struct dev_peer *from, int rank, uint32_t ctx,
                           const struct mismatch_report *r)
{
    const struct ended_comm *e = ended_find(ctx - ADI3_COLL);
    const struct adi3_call_history *h = e ? e->calls[r->form] : NULL;
    const struct adi3_call_record *call = h ? &h->call[r->number % ADI3_CALLS_KEPT] : NULL;

    if (!e)
        return;
    if (e->err)
        mismatch_refuse(proc_of(from), e->us, r, e->err);
    else if ((int32_t) (e->begun[r->form] - r->number) <= 0)
        mismatch_refuse(proc_of(from), e->us, r,
                        mismatch_instead(FREES, e->us.rank, rank, e->whose, r));
    else if (call->number == r->number && !tag_is_compatible(call->tag, r->tag))
        report_post(proc_of(from), e->us, REPORT_CALL, call);
}

bool mismatch_peer_finalizes(int rank, uint32_t number)
{
    const struct mismatch_query *a = adi3_world.asked;

    while (a && a->rank != rank)
        a = a->next;
    return a && a->report.relays && a->report.number == number;
}

static void finalize_comm(struct adi3_comm *c)
{
    if (mismatch_at_end)
        answer_queries(c, mismatch_ends);
    else
        query_forget(c);
}

void mismatch_finalizing(bool on)
{
    assert(adi3_lock_held());
    mismatch_at_end = on;
    if (!on)
        ended_close();
    finalize_comm(&adi3_world);
    for (struct adi3_comm *c = NULL; (c = adi3_next(&adi3_comms, c));)
        finalize_comm(c);
}
