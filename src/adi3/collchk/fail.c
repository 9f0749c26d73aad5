/* fail.c — what becomes of a collective call that differs from another process's, or that fails
 * there: it ends in an error. Nothing of it waits any more, and nothing is taken into the memory of
 * the program. */
#include "adi3/collchk/collchk_impl.h"

/* Discards the messages that differ from the call with this tag and have come whole. The sender of
 * an announced one takes it back itself. */
static void drop_messages(struct adi3_queues *q, int tag)
{
    struct match_link *next;

    for (struct match_link *l = q->unexpected.next; l != &q->unexpected; l = next) {
        struct match_message *u = OS_OWNER(l, struct match_message, all);
        next = l->next;
        if (u->pkt.tag == tag_number(tag) && !tag_is_compatible(tag_of_message(u), tag)
            && u->complete && u->pkt.type == PKT_EAGER)
            queues_discard(q, u);
    }
}

struct adi3_comm *collchk_sibling(const struct adi3_comm *c)
{
    struct adi3_comm *other = c->local;

    while (!c->local && (other = adi3_next(&adi3_comms, other)) && other->local != c)
        ;
    return other;
}

/* Ends the requests of this call. True when there was one: its error is then the call's. */
static bool end_requests(struct adi3_comm *c, const struct adi3_call_record *call, int err)
{
    struct adi3_request *next;
    bool ended = false;

    for (struct adi3_request *r = adi3_next(&adi3_requests, NULL); r; r = next) {
        next = adi3_next(&adi3_requests, r);
        if (r->comm == c)
            ended |= p2p_fail_request(r, c, tag_number(call->tag), err);
    }
    return ended;
}

/* A process whose call has failed takes part in no later call: calls of ours that have begun since
 * would wait for it. */
static void fail_later(struct adi3_comm *c, const struct adi3_call_record *call, int err)
{
    int form = tag_form(call->tag), other = adi3_other_form(form, 0);
    struct adi3_call_record *later = call_record_of_number(c, form, call->number + 1);

    if (later)
        collchk_fail(c, later, err);
    if (form != ADI3_FORM_INIT && (later = call_record_of_number(c, other, call->others[0])))
        collchk_fail(c, later, err);
}

void collchk_fail(struct adi3_comm *c, struct adi3_call_record *call, int err)
{
    assert(adi3_lock_held() && err);
    if (call->err)
        return;
    call->err = c->failed = err;
    proc_may_fail = true;
    if (!end_requests(c, call, err))
        c->differs = err; /* the call is between two steps, or has returned */
    if (tag_is_signed(call->tag))
        drop_messages(c->queue[1], call->tag);
    query_answer(c, call);
    fail_later(c, call, err);
    struct adi3_comm *other = collchk_sibling(c);
    call = other ? call_record_of_number(other, tag_form(call->tag), call->number) : NULL;
    if (call)
        collchk_fail(other, call, err);
}
