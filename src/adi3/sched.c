/* sched.c — schedules under way. A part, which is a send or a receive, that is over tells its
 * schedule; what may go on then does so when messages have moved. */
#include <stdlib.h>
#include "adi3_impl.h"

enum { STEPS = 8 }; /* at first */

enum kind { SEND, RECV, CALL, FENCE };

struct step {
    enum kind kind;
    int peer;
    struct adi3_comm *comm;
    struct adi3_data data;
    int (*work)(void *arg, int err);
    void *arg;
};

struct scratch {
    struct scratch *next;
    _Alignas(16) char bytes[];
};

struct adi3_sched {
    struct adi3_request *request;
    struct step *step;
    unsigned steps, room, at; /* steps before at have begun */
    unsigned parts;           /* begun and not over */
    int tag, err;             /* the first error */
    bool listed, runs;
    struct adi3_sched *next; /* that may go on */
    struct scratch *scratch;
};

static struct adi3_sched *ready, **ready_end = &ready;

struct adi3_sched *adi3_sched_new(int tag)
{
    struct adi3_sched *s = calloc(1, sizeof *s);

    if (s)
        s->tag = tag;
    return s;
}

static void note(struct adi3_sched *s, int err)
{
    if (err && !s->err)
        s->err = err;
}

/* ---- filling --------------------------------------------------------------------------------- */

static void add(struct adi3_sched *s, struct step step)
{
    if (s->steps == s->room) {
        unsigned room = s->room ? 2 * s->room : STEPS;
        struct step *more = realloc(s->step, room * sizeof *more);
        if (!more) {
            note(s, request_no_memory());
            return;
        }
        s->step = more;
        s->room = room;
    }
    if (step.kind == SEND || step.kind == RECV)
        step.data.type->refs++;
    s->step[s->steps++] = step;
}

void adi3_sched_send(struct adi3_sched *s, struct adi3_comm *c, struct adi3_data d, int dest)
{
    add(s, (struct step) { .kind = SEND, .comm = c, .data = d, .peer = dest });
}

void adi3_sched_recv(struct adi3_sched *s, struct adi3_comm *c, struct adi3_data d, int source)
{
    add(s, (struct step) { .kind = RECV, .comm = c, .data = d, .peer = source });
}

void adi3_sched_call(struct adi3_sched *s, int (*work)(void *arg, int err), void *arg)
{
    unsigned before = s->steps;

    add(s, (struct step) { .kind = CALL, .work = work, .arg = arg });
    if (s->steps == before)
        (void) work(arg, s->err);
}

void adi3_sched_fence(struct adi3_sched *s) { add(s, (struct step) { .kind = FENCE }); }

void *adi3_sched_bytes(struct adi3_sched *s, size_t len)
{
    struct scratch *m = malloc(sizeof *m + len);

    if (!m) {
        note(s, request_no_memory());
        return NULL;
    }
    m->next = s->scratch;
    s->scratch = m;
    return m->bytes;
}

void adi3_sched_free(struct adi3_sched *s)
{
    if (!s)
        return;
    for (struct scratch *m = s->scratch, *next; m; m = next) {
        next = m->next;
        free(m);
    }
    for (unsigned i = 0; i < s->steps; i++)
        if (s->step[i].kind == SEND || s->step[i].kind == RECV)
            adi3_type_release(s->step[i].data.type);
    free(s->step);
    free(s);
}

/* ---- running --------------------------------------------------------------------------------- */

static void begin_part(struct adi3_sched *s, const struct step *x)
{
    MPI_Request h;
    int err = x->kind == SEND ? adi3_isend(&x->data, x->peer, s->tag, x->comm, ADI3_COLL, &h)
                              : adi3_irecv(&x->data, x->peer, s->tag, x->comm, ADI3_COLL, &h);

    note(s, err);
    if (err || h == ADI3_REQUEST_COMPLETE)
        return;
    struct adi3_request *r = adi3_request_get(h);
    if (r->state == ADI3_DONE) {
        note(s, adi3_request_finish(r, MPI_STATUS_IGNORE));
        return;
    }
    r->odd |= REQUEST_PART;
    r->owner = s;
    s->parts++;
}

/* Begins what may begin; a step may begin and end others, but not this schedule. */
static void run(struct adi3_sched *s)
{
    s->runs = true;
    for (; s->at < s->steps; s->at++) {
        const struct step *x = &s->step[s->at];
        if (x->kind == FENCE && s->parts)
            break;
        if (x->kind == SEND || x->kind == RECV)
            begin_part(s, x);
        if (x->kind == CALL)
            note(s, x->work(x->arg, s->err));
    }
    s->runs = false;
    if (s->at < s->steps || s->parts)
        return;
    s->request->error = s->err;
    request_done(s->request);
}

bool sched_poll(void)
{
    bool moved = ready != NULL;

    while (ready) {
        struct adi3_sched *s = ready;
        if (!(ready = s->next))
            ready_end = &ready;
        s->listed = false;
        run(s);
    }
    return moved;
}

void sched_part_over(struct adi3_request *r)
{
    struct adi3_sched *s = r->owner;

    r->odd &= (uint8_t) ~REQUEST_PART;
    note(s, adi3_request_finish(r, MPI_STATUS_IGNORE));
    if (--s->parts || s->listed || s->runs)
        return;
    s->listed = true;
    s->next = NULL;
    *ready_end = s;
    ready_end = &s->next;
}

int adi3_sched_start(struct adi3_sched *s, struct adi3_comm *c, MPI_Request *request)
{
    struct adi3_request *r = request_new(ADI3_SCHEDULE, c, MPI_ANY_SOURCE, MPI_ANY_TAG);

    if (!r) {
        sched_end(s);
        return request_no_memory();
    }
    r->state = ADI3_ACTIVE;
    r->odd = REQUEST_SCHEDULE;
    r->len = 0;
    r->schedule = s;
    s->request = r;
    *request = request_hand_out(r);
    open_poll_schedules();
    run(s);
    return MPI_SUCCESS;
}

/* Steps that were never begun: those that call still do. */
void sched_end(struct adi3_sched *s)
{
    note(s, s->at < s->steps ? adi3_error(MPI_ERR_OTHER, "the operation was not completed") : 0);
    for (; s->at < s->steps; s->at++)
        if (s->step[s->at].kind == CALL)
            (void) s->step[s->at].work(s->step[s->at].arg, s->err);
    adi3_sched_free(s);
}
