/* unexpected.c — memory for unexpected messages, and how a packet becomes one. */
#include <stdlib.h>
#include "adi3/p2p/p2p_impl.h"

/* Messages of up to SMALL bytes are used again: up to KEEP free ones are in a list. */
enum { SMALL = 128, KEEP = 1024 };

static struct match_message *free_messages;
static int nfree;

static struct match_message *new_unexpected(size_t len)
{
    struct match_message *u = free_messages;

    if (len > SIZE_MAX / 2)
        return NULL;
    if (len > SMALL || !u)
        return malloc(sizeof *u + (len > SMALL ? len : SMALL));
    free_messages = (struct match_message *) (void *) u->all.next;
    nfree--;
    return u;
}

void unexpected_free(struct match_message *u)
{
    if (u->pkt.payload > SMALL || nfree == KEEP) {
        free(u);
        return;
    }
    u->all.next = (struct match_link *) (void *) free_messages;
    free_messages = u;
    nfree++;
}

void unexpected_finalize(void)
{
    for (struct match_message *u; (u = free_messages);) {
        free_messages = (struct match_message *) (void *) u->all.next;
        free(u);
    }
    nfree = 0;
}

struct match_message *unexpected_enqueue(struct adi3_queues *q, struct dev_peer *from,
                                         const struct dev_pkt *pkt, bool complete)
{
    struct match_message *u = q ? new_unexpected(pkt->payload) : NULL;

    assert(adi3_lock_held());
    if (!u)
        return NULL;
    u->from = from;
    u->pkt = *pkt;
    if (pkt->flags & DEV_PLAIN) {
        u->pkt.len = pkt->payload;
        u->pkt.sreq = 0;
    }
    u->pkt.pad = 0;
    if (pkt->ctx & ADI3_COLL && tag_is_signed(pkt->tag)) {
        u->pkt.pad = (uint16_t) (pkt->tag & ADI3_SIGNATURE);
        u->pkt.tag = tag_number(pkt->tag);
    }
    u->complete = complete;
    u->claimed = NULL;
    match_enqueue(q, u);
    if (__builtin_expect(u->pkt.flags & PKT_READY, 0))
        check_not_ready(&u->pkt);
    thread_signal_waiters(NULL);
    return u;
}
