/* flush.c — flushes: a sync packet that asks whether all operations before it are done, and its
 * answer. */
#include "adi3/rma/messages/wire.h"

void rma_device_wait(struct adi3_win *w, const struct rma_target *t)
{
    struct adi3_wait wait = { .on = w, .what = "one-sided operations" };

    while (t->at_device) /* those of a process that is lost end, too */
        adi3_wait_turn(&wait);
    adi3_wait_end(&wait);
}

/* The answer carries the first error since the last one. */
void flush_answer(struct adi3_win *w, struct rma_target *t, uint32_t number)
{
    struct rma_sync_fields f = t->failed;

    t->failed = (struct rma_sync_fields) { 0 };
    f.number = number;
    (void) rma_sync_send(w, t->rank, RMA_SYNC_FLUSHED, &f); /* an error: it is lost */
}

static int flush_comes(struct adi3_win *w, struct rma_target *t, const struct rma_sync_fields *f)
{
    flush_answer(w, t, f->number);
    return MPI_SUCCESS;
}

const struct rma_sync_row rma_flush_sync = { .name = "FLUSH", .come = flush_comes };

/* It has the number of a flush that has not been answered. */
static bool is_awaited(const struct rma_target *t, const struct rma_sync_fields *f)
{
    return f->number - t->answered - 1 < t->asked - t->answered;
}

static int answer_comes(struct adi3_win *w, struct rma_target *t, const struct rma_sync_fields *f)
{
    t->answered = f->number;
    if (f->errclass && !t->err)
        t->err = f->value ? rma_lock_denied(w, t->rank)
                          : wire_error(w, t->rank, f->errclass, f->disp, f->size);
    return MPI_SUCCESS;
}

const struct rma_sync_row rma_flushed_sync = { .name = "FLUSHED",
                                               .may_come = is_awaited,
                                               .come = answer_comes };

static int target_take_error(struct rma_target *t, int err)
{
    if (!err)
        err = t->err;
    t->err = MPI_SUCCESS;
    return err;
}

int rma_flush_local(struct adi3_win *w, struct rma_target *t)
{
    struct adi3_wait wait = { .on = w, .what = "one-sided operations" };

    assert(adi3_lock_held());
    while (t->pending) /* packet operations with a process that is lost end, too */
        adi3_wait_turn(&wait);
    adi3_wait_end(&wait);
    return target_take_error(t, MPI_SUCCESS);
}

int rma_ask_flush(struct adi3_win *w, struct rma_target *t)
{
    const struct rma_sync_fields f = { .number = t->asked + 1 };
    unsigned operations = t->unflushed;

    assert(adi3_lock_held());
    if (!operations)
        return MPI_SUCCESS;
    t->unflushed = 0;
    t->asked++;
    int err = rma_sync_send(w, t->rank, RMA_SYNC_FLUSH, &f);
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

    if (!err)
        err = rma_await_answer(w, t, "one-sided operations");
    int last = rma_flush_local(w, t);
    if (!err)
        err = last;
    return err;
}
