/* remote_lock.c — the lock of a process of another node, which is asked for by packets: the origin.
 *
 * MPI_Win_lock sends nothing. The lock is due: the first operation carries the request if it is
 * small, and an unlock behind it can be in the same packet. At the target it then waits for the
 * lock like for an operation before it. Without an operation nothing is asked for.
 *
 * One lock at most is due. Before this process takes another one, of any window, it asks for that
 * and waits: so locks are taken in the order of the program, and two processes that take two locks
 * in one order do not wait for each other. */
#include "adi3/rma/messages/wire.h"

static struct {
    struct adi3_win *win;
    struct rma_target *target; /* NULL: none is due */
} due;

int rma_lock_denied(const struct adi3_win *w, int rank)
{
    char title[RMA_TITLE];

    return adi3_error(MPI_ERR_OTHER,
                      "a process on the node of %s ended while it held or waited for a lock",
                      rma_title(w, rank, title));
}

static int remote_lock_request(struct adi3_win *w, struct rma_target *t, enum rma_kind kind)
{
    const struct rma_sync_fields fields = { .value = kind };
    struct adi3_wait wait = { .on = w, .what = "a lock of a window" };

    t->granted = false;
    int err = rma_sync_send(w, t->rank, RMA_SYNC_LOCK, &fields);
    while (!t->granted && !err)
        err = rma_wait_turn(w, &wait, t->rank);
    adi3_wait_end(&wait);
    if (err || !t->err)
        return err;
    t->err = MPI_SUCCESS;
    return rma_lock_denied(w, t->rank);
}

uint32_t remote_lock_take(struct rma_target *t, bool fetches)
{
    uint32_t kind = t->lock_due;

    t->lock_due = 0;
    if (!kind)
        return 0;
    due.target = NULL;
    t->granted = false;
    t->awaits_lock = fetches ? RMA_BY_DATA : RMA_BY_SYNC;
    return kind;
}

bool remote_lock_drop(struct rma_target *t)
{
    bool was_due = remote_lock_take(t, false);

    t->awaits_lock = RMA_BY_NOTHING;
    return was_due;
}

void remote_lock_settle(void)
{
    struct adi3_win *w = due.win;
    struct rma_target *t = due.target;

    if (!t)
        return;
    uint32_t kind = remote_lock_take(t, false);
    int err = remote_lock_request(w, t, (enum rma_kind)(kind - 1));
    t->awaits_lock = err ? RMA_DENIED : RMA_BY_NOTHING;
    if (err && !t->err)
        t->err = err;
}

int remote_lock_begin(struct adi3_win *w, struct rma_target *t, enum rma_kind kind)
{
    assert(adi3_lock_held());
    if (adi3_threads) /* the order of the program is that of each thread */
        return remote_lock_request(w, t, kind);
    remote_lock_settle();
    t->lock_due = (uint8_t) (kind + 1);
    due.win = w;
    due.target = t;
    return MPI_SUCCESS;
}

int remote_lock_ready(struct adi3_win *w, struct rma_target *t, bool small)
{
    struct adi3_wait wait = { .on = w, .what = "a lock of a window" };
    int err = MPI_SUCCESS;

    if (t->lock_due) {
        if (!small)
            remote_lock_settle();
        return t->awaits_lock == RMA_DENIED ? rma_lock_denied(w, t->rank) : MPI_SUCCESS;
    }
    if (t->awaits_lock == RMA_DENIED)
        return rma_lock_denied(w, t->rank);
    while (!err && (t->awaits_lock == RMA_BY_DATA ? t->pending > 0 : !t->granted))
        err = rma_wait_turn(w, &wait, t->rank);
    adi3_wait_end(&wait);
    t->awaits_lock = RMA_BY_NOTHING;
    return err;
}

void remote_lock_forget(const struct adi3_win *w)
{
    if (due.target && due.win == w)
        due.target = NULL;
}

static int locked_comes(struct adi3_win *w, struct rma_target *t, const struct rma_sync_fields *f)
{
    t->granted = true;
    if (f->errclass && !t->err)
        t->err = wire_error(w, t->rank, f->errclass, 0, 0);
    return MPI_SUCCESS;
}

const struct rma_sync_row rma_locked_sync = { .name = "LOCKED", .come = locked_comes };
