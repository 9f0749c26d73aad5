/* passive.c — lock, unlock, flush and sync (§11.5.3).
 *
 * MPI_Win_lock_all takes the lock of this process alone, so that its own loads and stores are safe,
 * and of a shared window those of all its processes. Other locks are taken at the first operation:
 * see rma_access(). */
#include "adi3/rma/epoch/epoch_impl.h"

/* A program may wait in a loop of such calls for what another process writes with our help. */
static inline void help_others(const struct adi3_win *w)
{
    if (__builtin_expect(w->polls, 0))
        (void) adi3_poll();
    adi3_win_polled(w);
}

/* ---- one lock -------------------------------------------------------------------------------- */

/* A reader that has other locks of w, or may have, joins. */
static enum rma_kind kind_of(const struct adi3_win *w, bool exclusive)
{
    if (exclusive)
        return RMA_WRITES;
    return w->access == ADI3_EPOCH_ALL || w->access == ADI3_EPOCH_LOCK ? RMA_JOINS : RMA_READS;
}

static uint8_t access_of(enum rma_kind kind)
{
    static const uint8_t access[] = {
        [RMA_READS] = RMA_SHARED, [RMA_WRITES] = RMA_EXCLUSIVE, [RMA_JOINS] = RMA_JOINED
    };

    return access[kind];
}

static enum rma_kind access_kind(const struct rma_target *t)
{
    return t->quick.access == RMA_EXCLUSIVE ? RMA_WRITES
           : t->quick.access == RMA_JOINED  ? RMA_JOINS
                                            : RMA_READS;
}

static int target_take_lock(struct adi3_win *w, struct rma_target *t, enum rma_kind kind)
{
    if (t->control)
        remote_lock_settle();
    int err = t->control ? rma_lock_wait(w, t->control, kind) : remote_lock_begin(w, t, kind);

    if (!err)
        t->quick.access = access_of(kind);
    return err;
}

/* Two threads may do the first operations with t at once. */
static void await_other_thread(struct adi3_win *w, const struct rma_target *t)
{
    struct adi3_wait wait = { .on = w, .what = "a lock of a window" };

    while (t->taken)
        adi3_wait_turn(&wait);
    adi3_wait_end(&wait);
}

int rma_access_acquire(struct adi3_win *w, struct rma_target *t, bool exclusive)
{
    assert(adi3_lock_held() && !t->quick.access);
    if (w->access == ADI3_EPOCH_ALL && w->unchecked) {
        t->quick.access = RMA_NOCHECK;
        return MPI_SUCCESS;
    }
    if (__builtin_expect(t->taken, 0))
        await_other_thread(w, t);
    if (t->quick.access)
        return MPI_SUCCESS;
    t->taken = true;
    int err = target_take_lock(w, t, kind_of(w, exclusive));
    t->taken = false;
    thread_signal_waiters(w);
    return err;
}

static int target_flush(struct adi3_win *w, struct rma_target *t)
{
    if (t->path == RMA_MESSAGES)
        return rma_flush(w, t);
    return t->batch ? rma_batch_run(w, t) : MPI_SUCCESS;
}

static bool is_locked_remote(const struct rma_target *t)
{
    return !t->control && t->quick.access != RMA_NOCHECK;
}

/* Giving up has two steps: so the locks of many targets need one round trip together. */
static int begin_give_up(struct adi3_win *w, struct rma_target *t)
{
    const struct rma_sync_fields fields = { .number = t->asked + 1 };

    if (!is_locked_remote(t)) {
        if (t->path == RMA_MESSAGES)
            (void) rma_ask_flush(w, t);
        return MPI_SUCCESS;
    }
    if (remote_lock_drop(t))
        return MPI_SUCCESS;
    rma_device_wait(w, t);
    t->asked++;
    t->unflushed = 0;
    return rma_sync_send(w, t->rank, RMA_SYNC_UNLOCK, &fields);
}

/* An answer is that of a flush as well: rma_flush_local() then returns the error in it. */
static int end_give_up(struct adi3_win *w, struct rma_target *t)
{
    int err;

    rma_forget_accesses(t);
    if (is_locked_remote(t)) {
        err = rma_await_answer(w, t, "MPI_Win_unlock");
        if (!err)
            err = rma_flush_local(w, t);
    } else {
        err = target_flush(w, t);
        if (t->quick.access == RMA_NOCHECK)
            atomic_thread_fence(memory_order_seq_cst);
        else /* as a change of the lock, which is sequentially consistent, is a fence */
            rma_lock_drop(w, t->control, access_kind(t));
    }
    t->quick.access = RMA_NO_ACCESS;
    return err;
}

static int give_up(struct adi3_win *w, struct rma_target *t)
{
    assert(adi3_lock_held() && t->quick.access);
    int err = begin_give_up(w, t);

    if (!err)
        return end_give_up(w, t);
    t->quick.access = RMA_NO_ACCESS;
    return err;
}

/* ---- begin ----------------------------------------------------------------------------------- */

/* Whether an epoch of MPI_Win_lock (rank) or MPI_Win_lock_all (-1) may begin now. */
static int check_begin(const struct adi3_win *w, int rank)
{
    switch ((enum adi3_epoch) w->access) {
    case ADI3_EPOCH_FENCE:
        if (w->fence_used)
            return rma_wrong(w, rank,
                             "the epoch of MPI_Win_fence is open; MPI_Win_fence with "
                             "MPI_MODE_NOSUCCEED must come before");
        break;
    case ADI3_EPOCH_START:
        return rma_wrong(w, rank, "MPI_Win_complete for MPI_Win_start must come before");
    case ADI3_EPOCH_ALL:
        return rma_wrong(w, rank, "MPI_Win_unlock_all for MPI_Win_lock_all must come before");
    case ADI3_EPOCH_LOCK:
        if (rank < 0)
            return rma_wrong(w, rank,
                             "MPI_Win_unlock for MPI_Win_lock must come before MPI_Win_lock_all");
        break;
    case ADI3_EPOCH_NONE:
    case ADI3_EPOCH_POST:
        break;
    }
    if (rank == w->comm->rank && w->exposure == ADI3_EPOCH_POST)
        return rma_wrong(w, rank, "MPI_Win_wait for MPI_Win_post must come before");
    return MPI_SUCCESS;
}

static int give_up_all(struct adi3_win *w)
{
    struct rma_target *t;
    int err = MPI_SUCCESS;

    /* Where all targets are reached by loads and stores there is nothing to ask for first. */
    for (int rank = 0; w->defers && (t = rma_next_target(w, &rank));) {
        int bad = t->quick.access ? begin_give_up(w, t) : MPI_SUCCESS;
        if (!err)
            err = bad;
        if (bad)
            t->quick.access = RMA_NO_ACCESS;
    }
    for (int rank = 0; (t = rma_next_target(w, &rank));) {
        int bad = t->quick.access ? end_give_up(w, t) : MPI_SUCCESS;
        if (!err)
            err = bad;
    }
    return err;
}

/* In the order of ranks, as all processes do: so each may line up while it has others. */
static int lock_all(struct adi3_win *w, int assertions)
{
    const struct rma_memory *m = w->memory;
    bool shared = w->flavor == MPI_WIN_FLAVOR_SHARED;
    int err = MPI_SUCCESS, first = shared ? 0 : m->me, last = shared ? m->count - 1 : m->me;

    w->unchecked = assertions & MPI_MODE_NOCHECK;
    for (int i = first; i <= last && !err && !w->unchecked; i++) {
        int rank = m->control[i].rank;
        struct rma_target *t = rma_target(w, rank);
        err = t ? target_take_lock(w, t, RMA_READS) : rma_no_target(w, rank);
    }
    if (err)
        (void) give_up_all(w);
    else
        w->access = ADI3_EPOCH_ALL;
    return err;
}

static int win_lock_rank(struct adi3_win *w, bool exclusive, int rank, int assertions)
{
    struct rma_target *t = rma_target(w, rank);
    int err = t ? MPI_SUCCESS : rma_no_target(w, rank);

    if (err)
        return err;
    if (w->access == ADI3_EPOCH_LOCK && t->quick.access)
        return rma_wrong(w, rank, "MPI_Win_lock has locked it already");
    if (assertions & MPI_MODE_NOCHECK) /* the program knows that no process has the lock */
        t->quick.access = RMA_NOCHECK;
    else
        err = rma_access_acquire(w, t, exclusive);
    if (err)
        return err;
    w->access = ADI3_EPOCH_LOCK;
    w->locked++;
    return MPI_SUCCESS;
}

int adi3_win_lock(struct adi3_win *w, int type, int target, int assertions)
{
    assert(adi3_lock_held());
    int err = check_begin(w, target);
    if (err)
        return err;
    rma_check_locks(w, target);
    return target < 0 ? lock_all(w, assertions)
                      : win_lock_rank(w, type == MPI_LOCK_EXCLUSIVE, target, assertions);
}

/* ---- end ------------------------------------------------------------------------------------- */

static int unlock_all(struct adi3_win *w)
{
    if (w->access != ADI3_EPOCH_ALL)
        return rma_wrong(w, -1, "MPI_Win_unlock_all without MPI_Win_lock_all");
    int err = give_up_all(w);
    help_others(w);
    w->access = ADI3_EPOCH_NONE;
    w->unchecked = false;
    return err;
}

int adi3_win_unlock(struct adi3_win *w, int target)
{
    assert(adi3_lock_held());
    if (target < 0)
        return unlock_all(w);
    struct rma_target *t = adi3_rma_touched(w, target);
    if (w->access == ADI3_EPOCH_ALL)
        return rma_wrong(w, target,
                         "MPI_Win_lock_all has locked it, which MPI_Win_unlock_all ends");
    if (w->access != ADI3_EPOCH_LOCK || !t || !t->quick.access)
        return rma_wrong(w, target, "MPI_Win_unlock without MPI_Win_lock");
    int err = give_up(w, t);
    help_others(w);
    if (--w->locked == 0)
        w->access = ADI3_EPOCH_NONE;
    return err;
}

/* ---- flush, sync ----------------------------------------------------------------------------- */

static int no_epoch(const struct adi3_win *w, int rank)
{
    return rma_wrong(w, rank, "a flush outside an epoch of MPI_Win_lock or MPI_Win_lock_all");
}

static int flush_by(struct adi3_win *w, struct rma_target *t, bool local)
{
    if (local)
        return t->path == RMA_MESSAGES ? rma_flush_local(w, t) : MPI_SUCCESS;
    rma_forget_accesses(t);
    return target_flush(w, t);
}

__attribute__((noinline)) static int flush_all(struct adi3_win *w, bool local)
{
    struct rma_target *t;
    int err = MPI_SUCCESS;

    for (int rank = 0; !local && (t = rma_next_target(w, &rank));)
        if (t->quick.access && t->path == RMA_MESSAGES)
            (void) rma_ask_flush(w, t);
    for (int rank = 0; (t = rma_next_target(w, &rank));) {
        int bad = t->quick.access ? flush_by(w, t, local) : MPI_SUCCESS;
        if (!err)
            err = bad;
    }
    help_others(w);
    return err;
}

int adi3_win_flush(struct adi3_win *w, int target, bool local)
{
    assert(adi3_lock_held());
    if (__builtin_expect(w->access != ADI3_EPOCH_LOCK && w->access != ADI3_EPOCH_ALL, 0))
        return no_epoch(w, target);
    atomic_thread_fence(memory_order_seq_cst);
    if (target < 0)
        return flush_all(w, local);
    struct rma_target *t = adi3_rma_touched(w, target);
    bool by_messages = t && t->quick.access && t->path == RMA_MESSAGES;
    if (by_messages && !local) /* it goes with an operation that is delayed: polls come behind it */
        (void) rma_ask_flush(w, t);
    help_others(w);
    if (__builtin_expect(t && t->quick.access, 1))
        return flush_by(w, t, local);
    return w->access == ADI3_EPOCH_ALL
               ? MPI_SUCCESS
               : rma_wrong(w, target, "a flush without MPI_Win_lock for it");
}

int adi3_win_sync(struct adi3_win *w)
{
    assert(adi3_lock_held());
    atomic_thread_fence(memory_order_seq_cst);
    (void) adi3_poll();
    adi3_win_polled(w);
    return MPI_SUCCESS;
}
