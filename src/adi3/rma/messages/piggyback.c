/* piggyback.c — the last small operation, which is not sent yet: the flush, unlock or complete
 * behind it goes with it in one packet. It is sent before the next operation by messages, and in
 * the next poll.
 *
 * Its data has been copied, so it is complete here. */
#include <stdlib.h>
#include <string.h>
#include "adi3/rma/messages/wire.h"

static struct {
    struct adi3_win *win; /* NULL: none is delayed */
    struct rma_target *target;
    struct dev_pkt pkt;
    char payload[WIRE_PIGGYBACK];
} delayed;

static bool piggyback_poll(void);
static struct progress_source source = { .name = "rma piggyback", .poll = piggyback_poll };

int piggyback_init(void) { return progress_source_add(&source); }

static void delayed_op_send(struct adi3_win *w, struct rma_target *t)
{
    size_t len = delayed.pkt.payload;
    const struct packet_op packet_op = { .target = t, .buffer = malloc(len + 1) };
    struct adi3_request *r = packet_op.buffer ? packet_op_new(w, t->rank, &packet_op) : NULL;

    if (r) {
        memcpy(r->bytes, delayed.payload, len);
        packet_op_send(r, &delayed.pkt, len);
    } else if (!t->err) {
        t->err = adi3_no_memory("for a one-sided operation");
    }
}

void piggyback_send(void)
{
    struct adi3_win *w = delayed.win;
    struct rma_target *t = delayed.target;

    assert(adi3_lock_held());
    if (!w)
        return;
    delayed.win = NULL;
    t->op_delayed = false;
    progress_unwant(&source);
    int rc = packet_op_inject(w, t->rank, &delayed.pkt, delayed.payload);
    if (rc == DEV_AGAIN)
        delayed_op_send(w, t);
    else if (rc && !t->err)
        t->err = proc_error(w->comm->proc[t->rank], rc);
}

static bool piggyback_poll(void)
{
    piggyback_send();
    return true;
}

void piggyback_keep(struct adi3_win *w, struct rma_target *t, const struct dev_pkt *pkt,
                    const struct adi3_data *d, size_t at)
{
    assert(pkt->payload <= WIRE_PIGGYBACK);
    piggyback_send(); /* of another thread */
    adi3_pack(d, at, delayed.payload, pkt->payload);
    delayed.win = w;
    delayed.target = t;
    delayed.pkt = *pkt;
    t->op_delayed = true;
    progress_want(&source);
}

bool piggyback_take_sync(const struct adi3_win *w, int rank, enum rma_sync sync, uint32_t number)
{
    struct wire_op f;

    if (!wire_goes_with(sync) || delayed.win != w || delayed.target->rank != rank)
        return false;
    p2p_get_fields(&delayed.pkt, &f, sizeof f);
    f.request = number;
    p2p_put_fields(&delayed.pkt, &f, sizeof f);
    delayed.pkt.tag |= (int32_t) sync << WIRE_SYNC_SHIFT;
    piggyback_send();
    return true;
}
