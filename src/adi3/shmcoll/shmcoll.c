/* shmcoll.c — the steps of an operation in a segment, and reads of other processes' memory:
 * adi3_shmcoll.h explains both.
 *
 * Step s uses line s % SHMCOLL_LINES of each control block, and bytes of the rings at the same
 * offset in each. A process that has come to barrier b reads nothing of the steps before b any
 * more: a process that has awaited all others there may overwrite the lines and bytes of these. */
#include "adi3/shmcoll/shmcoll_impl.h"

size_t adi3_shmcoll_room(const struct adi3_shmcoll *s) { return s->ring; }
bool adi3_shmcoll_last_works(const struct adi3_shmcoll *s) { return s->last_works; }

/* ---- steps ----------------------------------------------------------------------------------- */

void *adi3_shmcoll_at(const struct adi3_shmcoll *s, int rank)
{
    const struct shmcoll_peer *p = &s->peer[rank];

    if (s->bytes <= SHMCOLL_SHORT)
        return p->line[s->step % SHMCOLL_LINES].data;
    return (char *) (p->line + SHMCOLL_LINES) + s->at;
}

void adi3_shmcoll_publish(struct adi3_shmcoll *s)
{
    assert(adi3_lock_held());
    shmcoll_write_line(s, false);
    shmcoll_fence();
    shmcoll_wake_all(s);
}

int adi3_shmcoll_await(struct adi3_shmcoll *s, int rank)
{
    int err = shmcoll_wait(s, &s->peer[rank].line[s->step % SHMCOLL_LINES].step, s->step);

    if (!err)
        err = shmcoll_compare_line(s, rank);
    return err;
}

static int await_all(struct adi3_shmcoll *s)
{
    int err = MPI_SUCCESS;

    for (int i = 0; i < s->size && !err; i++)
        if (i != s->rank)
            err = adi3_shmcoll_await(s, i);
    return err;
}

static struct shmcoll_counter *step_counter(const struct adi3_shmcoll *s)
{
    return &s->head->count[s->step % SHMCOLL_LINES];
}

void adi3_shmcoll_signal(struct adi3_shmcoll *s, int root)
{
    assert(adi3_lock_held());
    shmcoll_write_line(s, false);
    if (s->last_works && atomic_fetch_add(&step_counter(s)->here, 1) + 1 < (uint32_t) s->size - 1)
        return; /* the last one to signal wakes root */
    shmcoll_fence();
    if (shmcoll_peer_sleeps(&s->peer[root]))
        shmcoll_peer_wake(&s->peer[root]);
}

int adi3_shmcoll_collect(struct adi3_shmcoll *s)
{
    int err = MPI_SUCCESS;

    assert(adi3_lock_held());
    if (s->last_works) {
        err = shmcoll_wait(s, &step_counter(s)->here, (uint32_t) s->size - 1);
        atomic_store_explicit(&step_counter(s)->here, 0, memory_order_relaxed);
    }
    if (!err)
        err = await_all(s);
    return err;
}

/* All processes have come to this step's barrier: only its own bytes may still be read. */
static void barrier_passed(struct adi3_shmcoll *s)
{
    s->last_barrier = s->step;
    s->used = s->bytes > SHMCOLL_SHORT ? s->end - s->at : 0;
}

void adi3_shmcoll_release(struct adi3_shmcoll *s)
{
    struct shmcoll_counter *n = step_counter(s);

    assert(adi3_lock_held());
    atomic_store_explicit(&n->here, 0, memory_order_relaxed);
    atomic_store_explicit(&n->released, s->step, memory_order_release);
    shmcoll_fence();
    shmcoll_wake_all(s);
}

static int arrive_counted(struct adi3_shmcoll *s, bool *last)
{
    struct shmcoll_counter *n = step_counter(s);

    shmcoll_write_line(s, false);
    if (atomic_fetch_add(&n->here, 1) + 1 < (uint32_t) s->size)
        return shmcoll_wait(s, &n->released, s->step);
    *last = true;
    return await_all(s);
}

int adi3_shmcoll_arrive(struct adi3_shmcoll *s, bool *last)
{
    int err;

    assert(adi3_lock_held());
    *last = false;
    if (s->last_works) {
        err = arrive_counted(s, last);
    } else {
        adi3_shmcoll_publish(s);
        err = await_all(s);
    }
    barrier_passed(s);
    return err;
}

int adi3_shmcoll_barrier(struct adi3_shmcoll *s)
{
    bool last;
    int err = adi3_shmcoll_arrive(s, &last);

    if (last && !err)
        adi3_shmcoll_release(s);
    return err;
}

static int next_step(struct adi3_shmcoll *s, int tag, size_t len)
{
    /* Another process may have broken the segment in a later operation, and have published its part
     * of this one before: a wait finds out (check_trouble). */
    if (__builtin_expect(s->broken, 0))
        return shmcoll_broken_error(s, tag);
    s->step++;
    assert(s->step - s->last_barrier < SHMCOLL_LINES);
    s->tag = tag;
    s->past = (s->past ^ (uint32_t) (tag & ~ADI3_SIGN_MAY_DIFFER)) * 16777619u;
    s->own_line = &s->peer[s->rank].line[s->step % SHMCOLL_LINES];
    s->bytes = len;
    s->line_len = (uint32_t) len;
    return MPI_SUCCESS;
}

/* An extra barrier, which frees the lines and bytes of all steps before, for a step of len bytes.
 * Its line says len: a process that gives less to the operation than another one may have had
 * room, and gone on without this barrier; then the lines of both differ, which is found. */
__attribute__((noinline)) static int barrier_for_room(struct adi3_shmcoll *s, int tag, size_t len)
{
    int err = next_step(s, tag, 0);

    s->line_len = (uint32_t) len | SHMCOLL_BARRIER;
    if (!err)
        err = adi3_shmcoll_barrier(s);
    s->end = 0;
    return err;
}

/* Has the next step a line and size bytes of the rings? The last line is for the extra barrier. */
static bool has_room(const struct adi3_shmcoll *s, size_t size, bool barrier)
{
    size_t skip = shmcoll_next_at(s, size) == s->end ? 0 : s->ring - s->end;

    if (!barrier && s->step + 1 - s->last_barrier == SHMCOLL_LINES - 1)
        return false;
    return size == 0 || s->used + skip + size <= s->ring;
}

/* Bytes of the rings that a step with so much room takes; 0: it is in the line. */
static size_t ring_bytes(size_t len)
{
    return len <= SHMCOLL_SHORT ? 0 : (len + OS_LINE - 1) & ~(size_t) (OS_LINE - 1);
}

static void place_data(struct adi3_shmcoll *s, size_t size)
{
    s->at = shmcoll_next_at(s, size);
    if (s->at != s->end)
        s->used += s->ring - s->end;
    s->end = s->at;
    s->end += size;
    s->used += size;
}

int adi3_shmcoll_begin(struct adi3_shmcoll *s, int tag, size_t len, bool barrier)
{
    size_t size = ring_bytes(len);
    int err = has_room(s, size, barrier) ? MPI_SUCCESS : barrier_for_room(s, tag, len);

    assert(adi3_lock_held() && size <= s->ring);
    if (!err)
        err = next_step(s, tag, len);
    if (err)
        return err;
    s->before_end = s->end;
    s->before_used = s->used;
    place_data(s, size);
    return MPI_SUCCESS;
}

int adi3_shmcoll_await_length(struct adi3_shmcoll *s, int rank, size_t *len)
{
    const struct shmcoll_line *l = &s->peer[rank].line[s->step % SHMCOLL_LINES];
    int err = shmcoll_wait(s, &l->step, s->step);

    if (!err && l->len != s->line_len && l->len <= s->ring) {
        s->bytes = s->line_len = l->len;
        s->end = s->before_end;
        s->used = s->before_used;
        place_data(s, ring_bytes(l->len));
    }
    *len = s->bytes;
    if (!err)
        err = shmcoll_compare_line(s, rank);
    return err;
}

/* ---- other processes' memory ----------------------------------------------------------------- */

static bool can_reach_all(const struct adi3_shmcoll *s)
{
    bool all = true;

    for (int i = 0; i < s->size && all; i++) {
        struct adi3_proc *p = shmcoll_proc(s, i);
        if (i != s->rank)
            all = (p->dev || !proc_add(p)) && p->peer.can_get && p->peer.can_put
                  && !proc_device(p)->expose;
    }
    return all;
}

int adi3_shmcoll_direct(struct adi3_shmcoll *s, int tag, bool *direct)
{
    assert(adi3_lock_held());
    if (!s->direct_known) {
        int err = adi3_shmcoll_begin(s, tag, 0, true);
        if (err)
            return err;
        if (!can_reach_all(s))
            atomic_fetch_add(&s->head->unreachable, 1);
        err = adi3_shmcoll_barrier(s);
        if (err)
            return err;
        s->direct = atomic_load(&s->head->unreachable) == 0;
        s->direct_known = true;
    }
    *direct = s->direct;
    return MPI_SUCCESS;
}

struct copying {
    union {
        struct dev_get get;
        struct dev_put put;
    };
    _Atomic uint32_t done;
    int err;
};

static void copying_end(struct copying *c, int err)
{
    c->err = err;
    atomic_store_explicit(&c->done, 1, memory_order_relaxed);
}

static void read_done(struct dev_get *get, int err)
{
    p2p_reading--;
    copying_end(OS_OWNER(get, struct copying, get), err);
}

static void write_done(struct dev_put *put, int err)
{
    p2p_lend(-1);
    copying_end(OS_OWNER(put, struct copying, put), err);
}

/* Waits for a copy that has been given to the device. */
static int copying_await(struct adi3_shmcoll *s, int rank, struct copying *c, struct adi3_wait w)
{
    struct adi3_proc *p = shmcoll_proc(s, rank);

    while (!c->done)
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
    if (!c->err)
        return MPI_SUCCESS;
    atomic_store(&s->head->lost, (uint32_t) rank + 1);
    return adi3_shmcoll_fail(s, proc_error(p, c->err));
}

int adi3_shmcoll_read(struct adi3_shmcoll *s, int rank, uint64_t from, void *to, size_t len,
                      bool busy)
{
    struct adi3_proc *p = shmcoll_proc(s, rank);
    struct copying c = {
        .get = { .to = to, .addr = from, .len = len, .alone = busy, .done = read_done }
    };
    struct adi3_wait w = { .bytes = len, .peer = &p->peer, .what = "a read of its memory" };

    assert(adi3_lock_held());
    if (p->lost)
        return adi3_shmcoll_fail(s, proc_error(p, p->lost));
    p2p_reading++;
    proc_device(p)->get(&p->peer, &c.get);
    return copying_await(s, rank, &c, w);
}

int adi3_shmcoll_write(struct adi3_shmcoll *s, int rank, uint64_t to, const void *from, size_t len)
{
    struct adi3_proc *p = shmcoll_proc(s, rank);
    struct copying c = { .put = { .from = from, .addr = to, .len = len, .done = write_done } };
    struct adi3_wait w = { .bytes = len, .peer = &p->peer, .what = "a write to its memory" };

    assert(adi3_lock_held());
    if (p->lost)
        return adi3_shmcoll_fail(s, proc_error(p, p->lost));
    p2p_lend(1);
    proc_device(p)->put(&p->peer, &c.put);
    return copying_await(s, rank, &c, w);
}
