/* note.c — notes between the processes of a window: packets without payload, that say something of
 * all operations before them; and waiting for them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "wire.h"

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

static void run(struct rma_pending *x)
{
    const struct noted *n = OS_OWNER(x, const struct noted, pending);

    rma_noted(x->win, x->origin, n->note, &n->fields);
}

static int whole(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
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
    *n = (struct noted) { { .arrived = true, .win = w, .origin = t, .run = run },
                          (enum rma_note) pkt->tag,
                          fields };
    pending_add(&n->pending);
    return 0;
}

const struct p2p_packet rma_note_packet = { .name = "RMA_NOTE", .whole = whole };

/* ---- flushing -------------------------------------------------------------------------------- */

/* The answer carries the first error since the last one. */
void flush_answer(struct adi3_win *w, struct rma_target *t, uint32_t number)
{
    struct rma_note_fields f = t->failed;

    t->failed = (struct rma_note_fields) { 0 };
    f.number = number;
    (void) rma_note(w, t->rank, RMA_NOTE_FLUSHED, &f); /* an error: it is lost */
}

static int flush_comes(struct adi3_win *w, struct rma_target *t, const struct rma_note_fields *f)
{
    flush_answer(w, t, f->number);
    return MPI_SUCCESS;
}

const struct rma_note_row rma_flush_note = { .name = "FLUSH", .come = flush_comes };

/* It has the number of a flush that has not been answered. */
static bool is_awaited(const struct rma_target *t, const struct rma_note_fields *f)
{
    return f->number - t->answered - 1 < t->asked - t->answered;
}

static int answer_comes(struct adi3_win *w, struct rma_target *t, const struct rma_note_fields *f)
{
    t->answered = f->number;
    if (f->errclass && !t->err)
        t->err = f->value ? rma_lock_denied(w, t->rank)
                          : wire_error(w, t->rank, f->errclass, f->disp, f->size);
    return MPI_SUCCESS;
}

const struct rma_note_row rma_flushed_note = { .name = "FLUSHED",
                                               .may_come = is_awaited,
                                               .come = answer_comes };

static int reported(struct rma_target *t, int err)
{
    int first = err ? err : t->err;

    t->err = MPI_SUCCESS;
    return first;
}

int rma_flush_local(struct adi3_win *w, struct rma_target *t)
{
    struct adi3_wait wait = { .on = w, .what = "one-sided operations" };

    assert(adi3_lock_held());
    while (t->pending) /* parts of a process that is lost end, too */
        adi3_wait_turn(&wait);
    adi3_wait_end(&wait);
    return reported(t, MPI_SUCCESS);
}

int rma_ask_flush(struct adi3_win *w, struct rma_target *t)
{
    const struct rma_note_fields f = { .number = t->asked + 1 };
    unsigned operations = t->unflushed;

    assert(adi3_lock_held());
    if (!operations)
        return MPI_SUCCESS;
    t->unflushed = 0;
    t->asked++;
    int err = rma_note(w, t->rank, RMA_NOTE_FLUSH, &f);
    if (err) {
        t->asked--;
        t->unflushed += operations;
    }
    return err;
}

/* Another thread may have asked for a part of the operations: its answer is waited for as well. */
int rma_await_answer(struct adi3_win *w, const struct rma_target *t, const char *what)
{
    struct adi3_wait wait = { .on = w, .what = what };
    uint32_t last_asked = t->asked;
    int err = MPI_SUCCESS;

    while (!err && (int32_t) (t->answered - last_asked) < 0)
        err = rma_wait_turn(w, &wait, t->rank);
    adi3_wait_end(&wait);
    return err;
}

int rma_flush(struct adi3_win *w, struct rma_target *t)
{
    rma_device_wait(w, t); /* what it cannot do goes by messages */
    int err = rma_ask_flush(w, t);

    err = err ? err : rma_await_answer(w, t, "one-sided operations");
    int last = rma_flush_local(w, t);
    return err ? err : last;
}
