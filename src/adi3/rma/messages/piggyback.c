/* piggyback.c — the last small operation, which is not sent yet: the flush, unlock or complete
 * behind it goes with it in one packet. It is sent before the next operation by messages, and in
 * the next poll.
 *
 * Its data has been copied, so it is complete here. */
#include <stdlib.h>
#include <string.h>
#include "adi3/rma/messages/wire.h"

static struct {
    struct adi3_win *win; /* NULL: none is held */
    struct rma_target *target;
    struct dev_pkt pkt;
    char payload[WIRE_HELD];
} held;

static bool poll_held(void);
static struct progress_source source = { .name = "rma held", .poll = poll_held };

int held_init(void) { return progress_source_add(&source); }

static void delayed_op_send(struct adi3_win *w, struct rma_target *t)
{
    size_t len = held.pkt.payload;
    const struct wire_part part = { .target = t, .buffer = malloc(len + 1) };
    struct adi3_request *r = part.buffer ? part_new(w, t->rank, &part) : NULL;

    if (r) {
        memcpy(r->bytes, held.payload, len);
        part_send(r, &held.pkt, len);
    } else if (!t->err) {
        t->err = adi3_no_memory("for a one-sided operation");
    }
}

void held_send(void)
{
    struct adi3_win *w = held.win;
    struct rma_target *t = held.target;

    assert(adi3_lock_held());
    if (!w)
        return;
    held.win = NULL;
    t->packet_held = false;
    progress_unwant(&source);
    int rc = part_inject(w, t->rank, &held.pkt, held.payload);
    if (rc == DEV_AGAIN)
        delayed_op_send(w, t);
    else if (rc && !t->err)
        t->err = proc_error(w->comm->proc[t->rank], rc);
}

static bool poll_held(void)
{
    held_send();
    return true;
}

void held_keep(struct adi3_win *w, struct rma_target *t, const struct dev_pkt *pkt,
               const struct adi3_data *d, size_t at)
{
    assert(pkt->payload <= WIRE_HELD);
    held_send(); /* of another thread */
    adi3_pack(d, at, held.payload, pkt->payload);
    held.win = w;
    held.target = t;
    held.pkt = *pkt;
    t->packet_held = true;
    progress_want(&source);
}

bool held_take_note(const struct adi3_win *w, int rank, enum rma_note note, uint32_t number)
{
    struct wire_op f;

    if (!wire_goes_with(note) || held.win != w || held.target->rank != rank)
        return false;
    p2p_get_fields(&held.pkt, &f, sizeof f);
    f.request = number;
    p2p_put_fields(&held.pkt, &f, sizeof f);
    held.pkt.tag |= (int32_t) note << 16;
    held_send();
    return true;
}
