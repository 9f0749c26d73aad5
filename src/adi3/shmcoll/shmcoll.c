/* shmcoll.c — memory that the processes of a communicator share, for collective operations: see
 * adi3_shmcoll.h.
 *
 * For each process there is a desk: lines, which tell what it shows and hold what is short, and a
 * ring of bytes for what is not. Step s uses line s % LINES, and bytes of the rings at the same
 * place on each desk. Who has come to meeting m has done with all steps before m: their lines and
 * bytes are free then, for whoever has seen all others there. */
#include "shmcoll_impl.h"

size_t adi3_shmcoll_room(const struct adi3_shmcoll *a) { return a->ring; }
bool adi3_shmcoll_last_works(const struct adi3_shmcoll *a) { return a->last_works; }

static void wake(const struct adi3_shmcoll *a, int rank)
{
    if (atomic_load_explicit(a->peer[rank].asleep, memory_order_relaxed) != DEV_AWAKE)
        adi3_node.wake(a->peer[rank].index);
}

/* ---- steps ----------------------------------------------------------------------------------- */

void *adi3_shmcoll_at(const struct adi3_shmcoll *a, int rank)
{
    const struct shmcoll_peer *p = &a->peer[rank];

    if (a->bytes <= SHMCOLL_SHORT)
        return p->line[a->step % SHMCOLL_LINES].data;
    return (char *) (p->line + SHMCOLL_LINES) + a->at;
}

void adi3_shmcoll_publish(struct adi3_shmcoll *a)
{
    shmcoll_note(a, false);
    shmcoll_fence();
    shmcoll_wake_all(a);
}

int adi3_shmcoll_await(struct adi3_shmcoll *a, int rank)
{
    int err = shmcoll_wait(a, &a->peer[rank].line[a->step % SHMCOLL_LINES].step, a->step);

    return err ? err : shmcoll_check(a, rank);
}

static int see_all(struct adi3_shmcoll *a)
{
    int err = MPI_SUCCESS;

    for (int i = 0; i < a->size && !err; i++)
        if (i != a->rank)
            err = adi3_shmcoll_await(a, i);
    return err;
}

static struct shmcoll_counter *counter(const struct adi3_shmcoll *a)
{
    return &a->head->count[a->step % SHMCOLL_LINES];
}

void adi3_shmcoll_signal(struct adi3_shmcoll *a, int root)
{
    shmcoll_note(a, false);
    if (a->last_works && atomic_fetch_add(&counter(a)->here, 1) + 1 < (uint32_t) a->size - 1)
        return; /* others are still to come */
    shmcoll_fence();
    wake(a, root);
}

int adi3_shmcoll_collect(struct adi3_shmcoll *a)
{
    int err = MPI_SUCCESS;

    if (a->last_works) {
        err = shmcoll_wait(a, &counter(a)->here, (uint32_t) a->size - 1);
        atomic_store_explicit(&counter(a)->here, 0, memory_order_relaxed);
    }
    return err ? err : see_all(a);
}

/* All have come to this meeting. */
static void have_met(struct adi3_shmcoll *a)
{
    a->met = a->step;
    a->used = a->bytes > SHMCOLL_SHORT ? a->end - a->at : 0;
}

void adi3_shmcoll_release(struct adi3_shmcoll *a)
{
    struct shmcoll_counter *n = counter(a);

    atomic_store_explicit(&n->here, 0, memory_order_relaxed);
    atomic_store_explicit(&n->released, a->step, memory_order_release);
    shmcoll_fence();
    shmcoll_wake_all(a);
}

static int arrive_counted(struct adi3_shmcoll *a, bool *last)
{
    struct shmcoll_counter *n = counter(a);

    shmcoll_note(a, false);
    if (atomic_fetch_add(&n->here, 1) + 1 < (uint32_t) a->size)
        return shmcoll_wait(a, &n->released, a->step);
    *last = true;
    return see_all(a);
}

int adi3_shmcoll_arrive(struct adi3_shmcoll *a, bool *last)
{
    int err;

    *last = false;
    if (a->last_works) {
        err = arrive_counted(a, last);
    } else {
        adi3_shmcoll_publish(a);
        err = see_all(a);
    }
    have_met(a);
    return err;
}

int adi3_shmcoll_barrier(struct adi3_shmcoll *a)
{
    bool last;
    int err = adi3_shmcoll_arrive(a, &last);

    if (last && !err)
        adi3_shmcoll_release(a);
    return err;
}

static int next_step(struct adi3_shmcoll *a, int tag, size_t len)
{
    if (__builtin_expect(a->broken || atomic_load_explicit(&a->head->broken, memory_order_relaxed),
                         0))
        return shmcoll_is_broken(a, tag);
    a->step++;
    a->tag = tag;
    a->past = (a->past ^ (uint32_t) (tag & ~ADI3_SIGN_MAY_DIFFER)) * 16777619u;
    a->mine = &a->peer[a->rank].line[a->step % SHMCOLL_LINES];
    a->bytes = len;
    a->says = (uint32_t) len;
    return MPI_SUCCESS;
}

/* All meet for the sake of room, for so many bytes: who gives less to an operation than another one
 * may have room, and then they see that. */
__attribute__((noinline)) static int make_room(struct adi3_shmcoll *a, int tag, size_t len)
{
    int err = next_step(a, tag, 0);

    a->says = (uint32_t) len | SHMCOLL_BARRIER;
    if (!err)
        err = adi3_shmcoll_barrier(a);
    a->end = 0;
    return err;
}

/* The last line is for a meeting, which makes room. */
static bool has_room(const struct adi3_shmcoll *a, size_t size, bool meets)
{
    size_t skip = a->end + size > a->ring ? a->ring - a->end : 0;

    if (!meets && a->step + 1 - a->met == SHMCOLL_LINES - 1)
        return false;
    return size == 0 || a->used + skip + size <= a->ring;
}

/* What is short is in lines. */
static size_t in_ring(size_t len)
{
    return len <= SHMCOLL_SHORT ? 0 : (len + OS_LINE - 1) & ~(size_t) (OS_LINE - 1);
}

static void place(struct adi3_shmcoll *a, size_t size)
{
    if (a->end + size > a->ring) {
        a->used += a->ring - a->end;
        a->end = 0;
    }
    a->at = a->end;
    a->end += size;
    a->used += size;
}

int adi3_shmcoll_begin(struct adi3_shmcoll *a, int tag, size_t len, bool meets)
{
    size_t size = in_ring(len);
    int err = has_room(a, size, meets) ? MPI_SUCCESS : make_room(a, tag, len);

    if (err || (err = next_step(a, tag, len)))
        return err;
    a->before_end = a->end;
    a->before_used = a->used;
    place(a, size);
    return MPI_SUCCESS;
}

int adi3_shmcoll_await_length(struct adi3_shmcoll *a, int rank, size_t *len)
{
    const struct shmcoll_line *l = &a->peer[rank].line[a->step % SHMCOLL_LINES];
    int err = shmcoll_wait(a, &l->step, a->step);

    if (!err && l->len != a->says && l->len <= a->ring) {
        a->bytes = a->says = l->len;
        a->end = a->before_end;
        a->used = a->before_used;
        place(a, in_ring(l->len));
    }
    *len = a->bytes;
    return err ? err : shmcoll_check(a, rank);
}

/* ---- reading each other's memory ------------------------------------------------------------- */

static bool reads_all(const struct adi3_shmcoll *a)
{
    bool all = true;

    for (int i = 0; i < a->size && all; i++) {
        struct adi3_proc *p = a->comm->proc[i];
        if (i != a->rank)
            all = (p->dev || !proc_add(p)) && p->peer.can_get && !proc_device(p)->expose;
    }
    return all;
}

int adi3_shmcoll_direct(struct adi3_shmcoll *a, int tag, bool *direct)
{
    if (!a->asked) {
        int err = adi3_shmcoll_begin(a, tag, 0, true);
        if (err)
            return err;
        if (!reads_all(a))
            atomic_fetch_add(&a->head->unreadable, 1);
        if ((err = adi3_shmcoll_barrier(a)))
            return err;
        a->direct = atomic_load(&a->head->unreadable) == 0;
        a->asked = true;
    }
    *direct = a->direct;
    return MPI_SUCCESS;
}

struct reading {
    struct dev_get get;
    _Atomic uint32_t done;
    int err;
};

static void was_read(struct dev_get *get, int err)
{
    struct reading *r = OS_OWNER(get, struct reading, get);

    p2p_reading--;
    r->err = err;
    atomic_store_explicit(&r->done, 1, memory_order_relaxed);
}

int adi3_shmcoll_read(struct adi3_shmcoll *a, int rank, uint64_t from, void *to, size_t len,
                      bool busy)
{
    struct adi3_proc *p = a->comm->proc[rank];
    struct reading r = {
        .get = { .to = to, .addr = from, .len = len, .alone = busy, .done = was_read }
    };
    struct adi3_wait w = { .bytes = len, .peer = &p->peer, .what = "a read of its memory" };

    if (p->lost)
        return adi3_shmcoll_fail(a, proc_error(p, p->lost));
    p2p_reading++;
    proc_device(p)->get(&p->peer, &r.get);
    while (!r.done)
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
    if (!r.err)
        return MPI_SUCCESS;
    atomic_store(&a->head->lost, (uint32_t) rank + 1);
    return adi3_shmcoll_fail(a, proc_error(p, r.err));
}
