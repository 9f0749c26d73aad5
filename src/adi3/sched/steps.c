/* steps.c — how steps are added to a schedule. */
#include <stdlib.h>
#include "adi3/sched/schedule_impl.h"

enum { STEPS = 8 }; /* a schedule has room for, at first */

void adi3_sched_tag(struct adi3_sched *s, int tag) { s->tag = tag; }
void adi3_sched_serve(struct adi3_sched *s) { s->serves = true; }
void adi3_sched_widen(struct adi3_sched *s, unsigned n) { s->most = n > s->most ? n : s->most; }

void schedule_first_error(struct adi3_sched *s, int err)
{
    s->err = err;
    if (s->owner.whole)
        (void) adi3_collchk_failed(s->owner.whole->comm, s->tag, err, false);
}

/* ---- adding steps ---------------------------------------------------------------------------- */

static void hold_type(struct adi3_type *t, int refs)
{
    if (t && refs > 0)
        t->refs++;
    else if (t)
        adi3_type_release(t);
}

void step_hold_references(const struct step *x, int refs)
{
    if (x->kind == SEND || x->kind == RECV)
        hold_type(x->data.type, refs);
    if (x->kind != WORK)
        return;
    hold_type(x->work.from.type, refs);
    hold_type(x->work.to.type, refs);
    if (x->work.op && refs > 0)
        x->work.op->refs++;
    else if (x->work.op)
        adi3_op_release(x->work.op);
}

static void schedule_add_step(struct adi3_sched *s, struct step step)
{
    if (s->steps == s->room) {
        unsigned room = s->room ? 2 * s->room : STEPS;
        struct step *more = realloc(s->step, room * sizeof *more);
        if (!more) {
            schedule_note_error(s, adi3_no_memory("for %u steps of a collective operation", room));
            return;
        }
        s->step = more;
        s->room = room;
    }
    step_hold_references(&step, 1);
    s->step[s->steps++] = step;
}

void adi3_sched_send(struct adi3_sched *s, struct adi3_comm *c, struct adi3_data d, int dest)
{
    schedule_add_step(
        s, (struct step) { .kind = SEND, .comm = c, .data = d, .peer = dest, .tag = s->tag });
}

void adi3_sched_recv(struct adi3_sched *s, struct adi3_comm *c, struct adi3_data d, int source)
{
    schedule_add_step(
        s, (struct step) { .kind = RECV, .comm = c, .data = d, .peer = source, .tag = s->tag });
}

void adi3_sched_request(struct adi3_sched *s, int (*start)(void *arg, MPI_Request *request),
                        void *arg)
{
    schedule_add_step(s, (struct step) { .kind = REQUEST, .start = start, .start_arg = arg });
}

void adi3_sched_call(struct adi3_sched *s, int (*work)(void *arg, int err), void *arg)
{
    unsigned before = s->steps;

    schedule_add_step(s, (struct step) { .kind = CALL, .call = work, .arg = arg });
    if (s->steps == before)
        (void) work(arg, s->err);
}

void adi3_sched_fence(struct adi3_sched *s)
{
    schedule_add_step(s, (struct step) { .kind = FENCE });
}

void adi3_sched_await(struct adi3_sched *s, unsigned n)
{
    for (unsigned i = 1; i <= n && i <= s->steps; i++)
        s->step[s->steps - i].awaited = true;
    schedule_add_step(s, (struct step) { .kind = AWAIT });
}

void adi3_sched_work(struct adi3_sched *s, const struct adi3_work *w)
{
    schedule_add_step(s, (struct step) { .kind = WORK, .work = *w });
}

void *adi3_sched_bytes(struct adi3_sched *s, size_t len)
{
    struct scratch *m = malloc(sizeof *m + len);

    if (!m) {
        schedule_note_error(s, adi3_no_memory("for %zu bytes of a collective operation", len));
        return NULL;
    }
    m->next = s->scratch;
    s->scratch = m;
    return m->bytes;
}
