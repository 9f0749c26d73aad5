/* wait.c — waiting in a segment, and what ends a wait: the value that is waited for, another
 * operation in another process, or a process's death.
 *
 * A wait looks at its word some hundred times. Then it runs the progress engine between looks, so
 * that messages move and the process may sleep, and it looks for trouble. */
#include <errno.h>
#include "adi3/shmcoll/shmcoll_impl.h"

enum {
    TURNS_PER_CHECK = 16, /* turns of a wait, between looks at the lines of all others; */
    FEW_LINES = 32,       /* of more others only twice a second: each look is a page */
    PREPARE = 2048,       /* bytes of the next step that are fetched for writing, at most */
    ASKED_MOST = 8,       /* processes that are asked about their call at once, at most */
    SPINS = 1200,         /* looks at a word before messages are looked for */
};

/* ---- errors ---------------------------------------------------------------------------------- */

void shmcoll_wake_all(const struct adi3_shmcoll *s)
{
    for (int i = 0; i < s->size; i++)
        if (shmcoll_peer_sleeps(&s->peer[i]) && i != s->rank)
            shmcoll_peer_wake(&s->peer[i]);
}

int adi3_shmcoll_fail(struct adi3_shmcoll *s, int err)
{
    assert(adi3_lock_held());
    if (!s->err)
        s->err = err;
    s->broken = true;
    atomic_store(&s->head->broken, 1);
    shmcoll_wake_all(s);
    return err;
}

/* The error when a process of the communicator has died, or MPI_SUCCESS. Another process may have
 * noticed a death, and said so in the head, before the devices of this one do. */
static int death_error(const struct adi3_shmcoll *s)
{
    int err = proc_any_lost ? proc_lost_error(s->comm, MPI_ANY_SOURCE) : MPI_SUCCESS;
    int lost = (int) atomic_load(&s->head->lost) - 1;

    if (!err && lost >= 0 && lost < s->size)
        err = proc_error(shmcoll_proc(s, lost), -ECONNRESET);
    for (int i = 0; i < s->size && !err; i++)
        if (i != s->rank && !s->peer[i].node->alive(s->peer[i].node, s->peer[i].index))
            err = proc_error(shmcoll_proc(s, i), -ECONNRESET);
    return err;
}

/* If calls differ, the process that broke the segment sends a mismatch report. */
int shmcoll_broken_error(struct adi3_shmcoll *s, int tag)
{
    int err = s->err;

    if (!err)
        err = death_error(s);
    if (!err)
        err = collchk_await_report(s->comm, tag);
    if (!err)
        err = adi3_error(MPI_ERR_OTHER, "a collective operation of this communicator has failed");
    return adi3_shmcoll_fail(s, err);
}

/* A process has published another operation in this step, or the same with another signature,
 * which may be legal. */
static int line_mismatch_error(struct adi3_shmcoll *s, int member, const struct shmcoll_line *l)
{
    int rank = s->peer[member].rank;
    int err = l->tag == s->tag ? MPI_SUCCESS : collchk_compare(s->comm, rank, s->tag, l->tag);

    if (!err && l->past != s->past)
        err = collchk_compare_before(s->comm, rank, s->tag);
    if (!err && l->len != s->line_len)
        err = adi3_collchk_unequal(s->comm, rank, s->tag, l->len & ~SHMCOLL_BARRIER,
                                   s->line_len & ~SHMCOLL_BARRIER);
    return err ? adi3_shmcoll_fail(s, err) : MPI_SUCCESS;
}

int shmcoll_compare_line(struct adi3_shmcoll *s, int rank)
{
    const struct shmcoll_line *l = &s->peer[rank].line[s->step % SHMCOLL_LINES];

    if (__builtin_expect(l->tag != s->tag || l->past != s->past || l->len != s->line_len, 0))
        return line_mismatch_error(s, rank, l);
    return MPI_SUCCESS;
}

/* Whether a rank has come to this step: then the line of the rank shows its call. */
static bool is_here(const struct adi3_shmcoll *s, int rank)
{
    const struct shmcoll_line *l = &s->peer[rank].line[s->step % SHMCOLL_LINES];
    uint32_t step = atomic_load_explicit(&l->step, memory_order_acquire);

    return step == s->step || step == (s->step ^ SHMCOLL_WAITS);
}

/* Compares the lines of all ranks that have come to this step, even if this call does not wait for
 * the rank: after a different call a rank may never set the word that is waited for. */
static int compare_all(struct adi3_shmcoll *s)
{
    int err = MPI_SUCCESS;

    for (int i = 0; i < s->size && !err; i++)
        if (is_here(s, i))
            err = shmcoll_compare_line(s, i);
    return err;
}

/* Only processes that are not here are asked, and of many the next ones: each process sends a few
 * queries, not one to each other process. */
static void ask_the_absent(const struct adi3_shmcoll *s)
{
    for (int i = 1, asked = 0; i < s->size && asked < ASKED_MOST; i++) {
        int rank = (s->rank + i) % s->size;
        if (is_here(s, rank))
            continue;
        collchk_ask(s->comm, s->peer[rank].rank, s->tag);
        asked++;
    }
}

/* ---- waiting --------------------------------------------------------------------------------- */

struct shmcoll_waiter { /* until *word == value */
    struct adi3_wait w;
    const _Atomic uint32_t *word;
    uint32_t value;
    bool woken; /* by poll_waiters() */
    struct shmcoll_waiter *next;
};

static struct shmcoll_waiter *shmcoll_waiters; /* of all threads */

static bool has_value(const struct shmcoll_waiter *x)
{
    return atomic_load_explicit(x->word, memory_order_acquire) == x->value;
}

/* Wakes each thread whose value has come, once. True when there was one: then the thread that
 * polls does not sleep. */
static bool poll_waiters(void)
{
    bool any = false;

    for (struct shmcoll_waiter *x = shmcoll_waiters; x; x = x->next)
        if (!x->woken && has_value(x)) {
            x->woken = any = true;
            thread_wake_waiter(&x->w);
        }
    return any;
}

struct progress_source shmcoll_source = { .name = "shmcoll", .poll = poll_waiters };

/* The error that ends a wait, or MPI_SUCCESS. A process that breaks the segment in a later
 * operation, or dies there, has published its part of this one before: so once more the value
 * counts first. */
static int check_trouble(struct adi3_shmcoll *s, const struct shmcoll_waiter *x)
{
    int err = proc_any_lost ? proc_lost_error(s->comm, MPI_ANY_SOURCE) : MPI_SUCCESS;
    bool broken = atomic_load_explicit(&s->head->broken, memory_order_acquire);
    enum collchk_due due;

    if ((err || broken) && has_value(x))
        return MPI_SUCCESS;
    if (err)
        return adi3_shmcoll_fail(s, err);
    if (broken)
        return shmcoll_broken_error(s, s->tag);
    err = collchk_wait(s->comm, s->tag, &due);
    if (err)
        return adi3_shmcoll_fail(s, err);
    if (due == COLLCHK_ASK)
        ask_the_absent(s);
    bool soon = s->size <= FEW_LINES && ++s->looks % TURNS_PER_CHECK == 0;
    return soon || due ? compare_all(s) : MPI_SUCCESS;
}

__attribute__((noinline)) static int wait_long(struct adi3_shmcoll *s, const _Atomic uint32_t *word,
                                               uint32_t value)
{
    struct shmcoll_waiter x = { .w.bytes = s->bytes,
                                .w.what = "a collective operation",
                                .word = word,
                                .value = value,
                                .next = shmcoll_waiters };
    int err = MPI_SUCCESS;

    shmcoll_waiters = &x;
    progress_want(&shmcoll_source);
    shmcoll_write_line(s, true);
    while (!has_value(&x) && !err) {
        adi3_wait_turn(&x.w);
        err = has_value(&x) ? MPI_SUCCESS : check_trouble(s, &x);
    }
    struct shmcoll_waiter **at = &shmcoll_waiters;
    while (*at != &x)
        at = &(*at)->next;
    *at = x.next;
    if (!shmcoll_waiters)
        progress_unwant(&shmcoll_source);
    collchk_wait_end();
    adi3_wait_end(&x.w);
    return err;
}

/* Fetches, for writing, the memory that our next step will write if it is like this one. Called
 * while this process has nothing else to do. */
static void next_step_prefetch(const struct adi3_shmcoll *s)
{
    const struct shmcoll_line *line = s->peer[s->rank].line;
    size_t size = s->end - s->at, begin = shmcoll_next_at(s, size);

    os_will_write(&line[(s->step + 1) % SHMCOLL_LINES]);
    if (s->bytes <= SHMCOLL_SHORT)
        return;
    for (size_t i = 0; i < size && i < PREPARE; i += OS_LINE)
        os_will_write((const char *) (line + SHMCOLL_LINES) + begin + i);
}

int shmcoll_wait(struct adi3_shmcoll *s, const _Atomic uint32_t *word, uint32_t value)
{
    int looks = s->last_works || adi3_threads ? 1 : SPINS;

    assert(adi3_lock_held());
    if (atomic_load_explicit(word, memory_order_acquire) == value)
        return MPI_SUCCESS;
    if (looks > 1)
        next_step_prefetch(s);
    for (int i = 0; i < looks; i++)
        if (atomic_load_explicit(word, memory_order_acquire) == value)
            return MPI_SUCCESS;
    return wait_long(s, word, value);
}
