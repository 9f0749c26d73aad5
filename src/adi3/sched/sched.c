/* sched.c — schedules: how they run.
 *
 * A send, receive or request of a schedule that is under way is owned by it. When such a request is
 * done it calls owned_done(). A schedule that can go on then is put into a list, `ready`, and goes
 * on in the next poll: a request may be done in the middle of other work. */
#include <stdlib.h>
#include "adi3/sched/schedule.h"
#include "adi3/sched/schedule_impl.h"

enum { AT_ONCE = 64 }; /* requests of a schedule that are under way, at most */

/* Schedules that can go on. The source is wanted while the list is not empty; the source of the
 * program also while starts are in flag blocks. */
struct ready {
    struct adi3_sched *first, **end;
    struct progress_source source;
};
static struct ready of_program, of_library; /* of_library: schedules that serve */
static struct adi3_sched
    *offloaded; /* started in their flag blocks, and not complete; of_program */

static void owned_done(struct request_owner *owner, struct adi3_request *r);

struct adi3_sched *adi3_sched_new(int tag)
{
    struct adi3_sched *s = calloc(1, sizeof *s);

    if (s) {
        s->tag = tag;
        s->most = AT_ONCE;
        s->owner.owned_done = owned_done;
    }
    return s;
}

static void remove_offloaded(const struct adi3_sched *s)
{
    struct adi3_sched **at = &offloaded;

    while (*at && *at != s)
        at = &(*at)->next;
    if (*at)
        *at = s->next;
}

void adi3_sched_free(struct adi3_sched *s)
{
    assert(adi3_lock_held());
    if (!s)
        return;
    for (struct scratch *m = s->scratch, *next; m; m = next) {
        next = m->next;
        free(m);
    }
    for (unsigned i = 0; i < s->steps; i++)
        step_hold_references(&s->step[i], -1);
    free(s->step);
    remove_offloaded(s);
    flag_block_end(s->block);
    free(s);
}

/* ---- running --------------------------------------------------------------------------------- */

static int step_start_request(const struct step *x, MPI_Request *h)
{
    if (x->kind == REQUEST)
        return x->start(x->start_arg, h);
    if (x->kind == SEND)
        return adi3_isend(&x->data, x->peer, x->tag, x->comm, ADI3_COLL, h);
    return adi3_irecv(&x->data, x->peer, x->tag, x->comm, ADI3_COLL, h);
}

static void step_begin_request(struct adi3_sched *s, const struct step *x)
{
    MPI_Request h = MPI_REQUEST_NULL;
    int err = step_start_request(x, &h);

    schedule_note_error(s, err);
    struct adi3_request *r = err ? NULL : adi3_request_get(h);
    if (!r) /* it has failed, or was complete at once */
        return;
    if (r->state == ADI3_DONE) {
        schedule_note_error(s, adi3_request_finish(r, MPI_STATUS_IGNORE));
        return;
    }
    r->flags |= REQUEST_OWNED;
    r->owner = &s->owner;
    r->index = x->awaited;
    s->under_way++;
    s->awaited += x->awaited;
}

/* Begins a step. False: it has to wait for requests that are under way. */
static bool has_step_begun(struct adi3_sched *s, const struct step *x)
{
    switch (x->kind) {
    case SEND:
    case RECV:
    case REQUEST:
        if (s->under_way >= s->most)
            return false;
        step_begin_request(s, x);
        return true;
    case CALL:
        schedule_note_error(s, x->call(x->arg, s->err));
        return true;
    case WORK:
        schedule_note_error(s, x->work.run(&x->work));
        return true;
    case AWAIT:
        return s->awaited == 0;
    case FENCE:
        break;
    }
    return s->under_way == 0;
}

/* All steps are done. */
static void schedule_finish(struct adi3_sched *s)
{
    struct adi3_comm *c = s->owner.whole->comm;

    assert(s->under_way == 0 && s->awaited == 0 && !s->listed
           && s->owner.whole->state == ADI3_ACTIVE);
    if (__builtin_expect(s->err, 0))
        (void) adi3_collchk_failed(c, s->tag, s->err, s->filled != MPI_SUCCESS);
    if (__builtin_expect(c->differs || c->local, 0))
        s->err = adi3_collchk_end(c, s->err);
    s->owner.whole->error = s->err;
    request_done(s->owner.whole);
}

/* Begins the steps that can begin. Meanwhile other schedules may begin and end, but not s. */
static void schedule_run(struct adi3_sched *s)
{
    s->runs = true;
    while (s->at < s->steps && has_step_begun(s, &s->step[s->at]))
        s->at++;
    s->runs = false;
    if (s->at == s->steps && !s->under_way)
        schedule_finish(s);
}

/* Looks at a start in a flag block. False: it is not complete. */
static bool test_offloaded(struct adi3_sched *s)
{
    int err = flag_block_test(s->block);

    if (err == DEV_AGAIN)
        return false;
    remove_offloaded(s); /* other threads may poll while the result is taken */
    if (err == FLAG_BLOCK_LOST) {
        schedule_run(s);
        return true;
    }
    if (!err)
        flag_block_take(s->block);
    schedule_note_error(s, err);
    schedule_finish(s);
    return true;
}

static bool poll_flag_blocks(void)
{
    bool moved = false;

    for (struct adi3_sched *s = offloaded; s;) {
        bool complete = test_offloaded(s);
        s = complete ? offloaded : s->next;
        moved |= complete;
    }
    return moved;
}

static bool run_ready(struct ready *l)
{
    bool moved = l->first != NULL;

    while (l->first) {
        struct adi3_sched *s = l->first;
        if (!(l->first = s->next))
            l->end = &l->first;
        s->listed = false;
        schedule_run(s);
    }
    return moved;
}

static bool poll_of_program(void)
{
    bool moved = poll_flag_blocks();

    moved |= run_ready(&of_program);
    if (!offloaded)
        progress_unwant(&of_program.source);
    return moved;
}

static bool poll_of_library(void)
{
    bool moved = run_ready(&of_library);

    progress_unwant(&of_library.source);
    return moved;
}

static struct ready of_program = { .end = &of_program.first,
                                   .source = { .name = "schedules",
                                               .poll = poll_of_program,
                                               .calls_program = true } },
                    of_library = { .end = &of_library.first,
                                   .source = { .name = "schedules that serve",
                                               .poll = poll_of_library } };

static bool must_wait(const struct adi3_sched *s)
{
    switch (s->at < s->steps ? s->step[s->at].kind : FENCE) {
    case AWAIT:
        return s->awaited > 0;
    case SEND:
    case RECV:
    case REQUEST:
        return s->under_way >= s->most;
    case CALL:
    case WORK:
    case FENCE:
        break;
    }
    return s->under_way > 0;
}

static void owned_done(struct request_owner *owner, struct adi3_request *r)
{
    struct adi3_sched *s = OS_OWNER(owner, struct adi3_sched, owner);

    assert(adi3_lock_held() && s->under_way > 0 && s->awaited >= (unsigned) r->index);
    s->awaited -= (unsigned) r->index;
    schedule_note_error(s, adi3_request_finish(r, MPI_STATUS_IGNORE));
    s->under_way--;
    if (must_wait(s) || s->listed || s->runs)
        return;
    struct ready *l = s->serves ? &of_library : &of_program;
    s->listed = true;
    s->next = NULL;
    *l->end = s;
    l->end = &s->next;
    progress_want(&l->source);
}

/* Frees a schedule; steps that call a function and have not begun do so now, with an error. */
static void end_steps(struct adi3_sched *s)
{
    for (; s->at < s->steps; s->at++) {
        if (s->step[s->at].kind != CALL)
            continue;
        schedule_note_error(
            s, s->err ? 0 : adi3_error(MPI_ERR_OTHER, "the operation was not completed"));
        (void) s->step[s->at].call(s->step[s->at].arg, s->err);
    }
    if (s->needs)
        async_unneed();
    adi3_sched_free(s);
}

/* Makes the request that stands for s; without memory it is NULL, and s is freed. */
static struct adi3_request *make_request(struct adi3_sched *s, struct adi3_comm *c, uint16_t flags,
                                         MPI_Request *request)
{
    struct adi3_request *r = request_new(ADI3_SCHEDULE, c, MPI_ANY_SOURCE, MPI_ANY_TAG);

    if (!r) {
        end_steps(s);
        return NULL;
    }
    r->flags = flags;
    r->state = ADI3_INIT;
    r->len = 0;
    r->schedule = s;
    s->owner.whole = r;
    s->filled = s->err;
    *request = request_user_acquire(r);
    return r;
}

static int schedule_start(struct adi3_request *r)
{
    struct adi3_sched *s = r->schedule;

    assert(adi3_lock_held() && r->state == ADI3_INIT && s->under_way == 0 && !s->listed);
    r->state = ADI3_ACTIVE;
    s->at = 0;
    s->err = s->filled;
    if (s->serves && !s->needs) {
        async_need();
        s->needs = true;
    }
    if (!s->block || !flag_block_start(s->block)) {
        schedule_run(s);
        return MPI_SUCCESS;
    }
    s->next = offloaded;
    offloaded = s;
    progress_want(&of_program.source);
    (void) test_offloaded(s);
    return MPI_SUCCESS;
}

int adi3_sched_start(struct adi3_sched *s, struct adi3_comm *c, MPI_Request *request)
{
    struct adi3_request *r = make_request(s, c, REQUEST_SCHEDULE, request);

    return r ? schedule_start(r) : adi3_no_memory("for a request");
}

int adi3_sched_offload(struct adi3_sched *s, struct adi3_comm *c, const struct adi3_offload *m)
{
    return flag_block_new(c, s->tag, m, &s->block);
}

int adi3_sched_init(struct adi3_sched *s, struct adi3_comm *c, MPI_Request *request)
{
    struct adi3_request *r = make_request(s, c, REQUEST_SCHEDULE | REQUEST_PERSISTENT, request);

    return r ? MPI_SUCCESS : adi3_no_memory("for a request");
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int schedule_cancel(struct adi3_request *r)
{
    (void) r;
    return adi3_error(MPI_ERR_REQUEST, "a collective operation cannot be cancelled");
}

static void schedule_end(struct adi3_request *r) { end_steps(r->schedule); }

int sched_init(void)
{
    static const struct request_kind kind = { .name = "a collective operation",
                                              .start = schedule_start,
                                              .cancel = schedule_cancel,
                                              .end = schedule_end,
                                              .must_complete = true };
    int err = request_kind_add(ADI3_SCHEDULE, &kind);

    if (!err)
        err = progress_source_add(&of_program.source);
    if (!err)
        err = progress_source_add(&of_library.source);
    return err;
}
