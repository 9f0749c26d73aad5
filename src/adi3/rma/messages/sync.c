/* sync.c — notes between the processes of a window: packets without payload, that say something of
 * all operations before them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "adi3/rma/messages/wire.h"

int rma_note(struct adi3_win *w, int rank, enum rma_note note, const struct rma_note_fields *fields)
{
    struct dev_pkt pkt = part_packet(w, PKT_RMA_NOTE, 0);
    int err = part_reach(w, rank);

    assert(adi3_lock_held());
    if (err)
        return err;
    if (held_take_note(w, rank, note, fields->number))
        return MPI_SUCCESS;
    pkt.tag = (int32_t) note;
    p2p_put_fields(&pkt, fields, sizeof *fields);
    int rc = p2p_control(&w->comm->proc[rank]->peer, &pkt);
    return rc ? proc_error(w->comm->proc[rank], rc) : MPI_SUCCESS;
}

/* ---- what has come --------------------------------------------------------------------------- */

static const struct rma_note_row *rows[RMA_NOTES];

int rma_note_add(enum rma_note note, const struct rma_note_row *row)
{
    assert(adi3_lock_held() && note > 0 && note < RMA_NOTES && row->name && row->come);
    if (rows[note] == row)
        return MPI_SUCCESS;
    if (rows[note])
        return adi3_error(MPI_ERR_INTERN, "two kinds of notes have the number %d: %s and %s",
                          (int) note, rows[note]->name, row->name);
    for (int i = 0; i < RMA_NOTES; i++)
        if (rows[i] && !strcmp(rows[i]->name, row->name))
            return adi3_error(MPI_ERR_INTERN, "two kinds of notes have the name '%s'", row->name);
    rows[note] = row;
    return MPI_SUCCESS;
}

/* Whether t may say this now. */
static bool may_come(const struct rma_target *t, int32_t note, const struct rma_note_fields *f)
{
    return note > 0 && note < RMA_NOTES && rows[note]
           && (!rows[note]->may_come || rows[note]->may_come(t, f));
}

void rma_noted(struct adi3_win *w, struct rma_target *from, enum rma_note note,
               const struct rma_note_fields *fields)
{
    if (rows[note]->come(w, from, fields))
        proc_lost(w->comm->proc[from->rank], -EPROTO);
    thread_signal_waiters(w);
}

struct noted {
    struct rma_pending pending;
    enum rma_note note;
    struct rma_note_fields fields;
};

static void sync_packet_run(struct rma_pending *x)
{
    const struct noted *n = OS_OWNER(x, const struct noted, pending);

    rma_noted(x->win, x->origin, n->note, &n->fields);
}

static int sync_packet_whole(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    struct rma_note_fields fields;
    struct adi3_win *w;
    struct rma_target *t;

    (void) payload;
    p2p_get_fields(pkt, &fields, sizeof fields);
    if (!wire_origin(from, pkt, &w, &t) || !may_come(t, pkt->tag, &fields))
        return p2p_refuse(from, pkt);
    /* Other notes say nothing of operations, and one may be what an operation there waits for. */
    if (!t->after || !wire_goes_with((uint32_t) pkt->tag)) {
        rma_noted(w, t, (enum rma_note) pkt->tag, &fields);
        return proc_of(from)->lost;
    }
    struct noted *n = malloc(sizeof *n);
    if (!n)
        return -ENOMEM;
    *n = (struct noted) { { .arrived = true, .win = w, .origin = t, .run = sync_packet_run },
                          (enum rma_note) pkt->tag,
                          fields };
    pending_add(&n->pending);
    return 0;
}

const struct p2p_packet rma_note_packet = { .name = "RMA_NOTE", .whole = sync_packet_whole };
