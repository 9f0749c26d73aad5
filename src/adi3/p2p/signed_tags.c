/* signed_tags.c — tags of collective messages: the number of a call and its signature.
 *
 * Messages of a call are matched by the call's number. Then signatures are compared: when a message
 * arrives, and when a receive finds an unexpected one. If they differ, the collective check asks
 * the sender which call it has made (p2p_mismatch). So each communicator remembers its last
 * calls. */
#include "adi3/p2p/p2p_impl.h"

const struct p2p_mismatch *p2p_mismatch;

/* ---- the last calls -------------------------------------------------------------------------- */

struct adi3_call_record *call_record_of_number(const struct adi3_comm *c, int form, uint32_t number)
{
    struct adi3_call_history *calls = c->calls[form];
    struct adi3_call_record *call = calls ? &calls->call[number % ADI3_CALLS_KEPT] : NULL;

    return call && call->name && call->number == number ? call : NULL;
}

struct adi3_call_record *call_record_of_tag(const struct adi3_comm *c, int tag)
{
    int form = tag_form(tag);
    const struct adi3_call_history *calls = c->calls[form];

    if (!calls)
        return NULL;
    int newest = call_record_of_number(c, form, calls->newest)->tag;
    int back = newest / (ADI3_SIGNATURE + 1) - tag / (ADI3_SIGNATURE + 1);
    struct adi3_call_record *call = call_record_of_number(
        c, form, calls->newest - (uint32_t) (back < 0 ? back + ADI3_NUMBERS : back));
    return call && tag_number(call->tag) == tag_number(tag) ? call : NULL;
}

bool call_has_begun(const struct adi3_comm *c, int form, uint32_t number)
{
    const struct adi3_call_history *calls = c->calls[form];

    return calls && (int32_t) (calls->newest - number) >= 0;
}

int call_error(const struct adi3_comm *c, int tag)
{
    const struct adi3_call_record *call = call_record_of_tag(c, tag);

    return call ? call->err : MPI_SUCCESS;
}

/* ---- messages -------------------------------------------------------------------------------- */

bool tag_is_compatible(int a, int b)
{
    unsigned x = (unsigned) a & ADI3_SIGNATURE, y = (unsigned) b & ADI3_SIGNATURE, differ = x ^ y;

    if (!x || !y)
        return true;
    return !(differ & ADI3_SIGN_WHAT)
           && (!(differ & ADI3_SIGN_LEN) || !(x & ADI3_SIGN_LEN) || !(y & ADI3_SIGN_LEN))
           && (!(differ & ADI3_SIGN_TYPE) || !(x & ADI3_SIGN_TYPE) || !(y & ADI3_SIGN_TYPE));
}

static void rank_query_call(struct adi3_comm *c, int rank, const struct adi3_call_record *call)
{
    if (p2p_mismatch)
        p2p_mismatch->ask(c, rank, call);
}

bool tag_differs(struct adi3_queues *q, struct match_message *u, int tag)
{
    assert(adi3_lock_held());
    if (tag_is_compatible(tag_of_message(u), tag))
        return false;
    const struct adi3_call_record *call = call_record_of_tag(q->comm, tag);
    if (call && !call->err && !(u->pkt.flags & PKT_QUERIED))
        rank_query_call(q->comm, u->pkt.rank, call);
    u->pkt.flags |= PKT_QUERIED;
    return true;
}

struct match_message *tag_unexpected(struct adi3_queues *q, int source, int tag)
{
    if (!tag_is_signed(tag))
        return match_unexpected(q, source, tag);
    struct match_message *u = match_unexpected(q, source, tag_number(tag));
    return u && !tag_differs(q, u, tag) ? u : NULL;
}

int tag_to_match(const struct adi3_queues *q, const struct dev_pkt *pkt)
{
    if (!q || !q->comm || !tag_is_signed(pkt->tag))
        return 0;
    const struct adi3_call_record *call = call_record_of_tag(q->comm, pkt->tag);
    if (!call || call->tag == pkt->tag)
        return 0;
    if (tag_is_compatible(call->tag, pkt->tag))
        return call->tag;
    if (!call->err)
        rank_query_call(q->comm, pkt->rank, call);
    return 0;
}
