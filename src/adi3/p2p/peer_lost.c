/* peer_lost.c — when a peer is lost, the requests that wait for it end with an error. */
#include "adi3/p2p/p2p_impl.h"

static bool is_member(const struct adi3_comm *c, const struct adi3_proc *p)
{
    for (int i = 0; i < c->peers; i++)
        if (c->proc[i] == p)
            return true;
    return false;
}

/* Does r wait for something that only p can send? Completions of r that a device has to report are
 * reported by the device. */
static bool depends_on(const struct adi3_request *r, const struct adi3_proc *p)
{
    if (r->state == ADI3_DONE || r->state == ADI3_INIT || r->kind >= ADI3_MESSAGE)
        return false;
    if (r->peer)
        return r->peer == &p->peer && (r->awaits != 0 || r->recalled);
    int rank = r->posted.rank;
    return rank >= 0 ? r->comm->proc[rank] == p : is_member(r->comm, p);
}

/* Ends with the error the completions that only the peer could bring. */
static void lose_send(struct adi3_request *r, int err)
{
    bool awaited = r->awaits != 0, recalled = r->recalled;

    if (r->awaits == PKT_CTS)
        p2p_unexpose(r);
    r->awaits = 0;
    r->recalled = false;
    if (awaited && recalled)
        r->completion_count--;
    proto_sent(r, err);
}

void p2p_peer_lost(struct adi3_proc *p)
{
    struct adi3_request *next;

    assert(adi3_lock_held());
    for (struct adi3_request *r = adi3_next(&adi3_requests, NULL); r; r = next) {
        next = adi3_next(&adi3_requests, r);
        if (!depends_on(r, p))
            continue;
        if (r->kind == ADI3_SEND) {
            lose_send(r, p->lost);
            continue;
        }
        r->awaits = 0;
        if (!r->peer)
            match_unpost(r->queue, &r->posted);
        r->peer = &p->peer;
        proto_finish(r, p->lost);
    }
}
