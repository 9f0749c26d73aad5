/* wait.c — waiting in an area, and what ends that: another operation in another process, or
 * its death. */
#include <errno.h>
#include "shmcoll_impl.h"

enum {
    LOOKS = 16,     /* turns of a wait, between looks at what others do */
    PREPARE = 2048, /* bytes */
    SPIN = 400,     /* looks at a word before messages are looked for */
};

/* ---- errors ---------------------------------------------------------------------------------- */

void shmcoll_wake_all(const struct adi3_shmcoll *a)
{
    for (int i = 0; i < a->size; i++)
        if (atomic_load_explicit(a->peer[i].asleep, memory_order_relaxed) != DEV_AWAKE
            && i != a->rank)
            adi3_node.wake(a->peer[i].index);
}

/* From now on operations end with an error here, in all processes. */
int adi3_shmcoll_fail(struct adi3_shmcoll *a, int err)
{
    a->err = a->err ? a->err : err;
    a->broken = true;
    atomic_store(&a->head->broken, 1);
    shmcoll_wake_all(a);
    return err;
}

/* Another process may know of a death that we have not noticed yet. */
static int who_died(const struct adi3_shmcoll *a)
{
    int err = proc_any_lost ? proc_lost_error(a->comm, MPI_ANY_SOURCE) : MPI_SUCCESS;
    int lost = (int) atomic_load(&a->head->lost) - 1;

    if (!err && lost >= 0 && lost < a->size)
        err = proc_error(a->comm->proc[lost], -ECONNRESET);
    for (int i = 0; i < a->size && !err; i++)
        if (i != a->rank && !adi3_node.alive(a->peer[i].index))
            err = proc_error(a->comm->proc[i], -ECONNRESET);
    return err;
}

/* Whoever broke it tells us why, if calls differ. */
int shmcoll_is_broken(struct adi3_shmcoll *a, int tag)
{
    int err = a->err ? a->err : who_died(a);

    if (!err)
        err = collchk_await_report(a->comm, tag);
    if (!err)
        err = adi3_error(MPI_ERR_OTHER, "a collective operation of this communicator has failed");
    return adi3_shmcoll_fail(a, err);
}

/* A process shows something of another operation in this step, or of the same with another legal
 * signature. */
static int differs(struct adi3_shmcoll *a, int rank, const struct shmcoll_line *l)
{
    int err = l->tag == a->tag ? MPI_SUCCESS : collchk_compare(a->comm, rank, a->tag, l->tag);

    if (!err && l->past != a->past)
        err = collchk_compare_before(a->comm, rank, a->tag);
    if (!err && l->len != a->says)
        err = adi3_collchk_unequal(a->comm, rank, a->tag, l->len & ~SHMCOLL_BARRIER,
                                   a->says & ~SHMCOLL_BARRIER);
    return err ? adi3_shmcoll_fail(a, err) : MPI_SUCCESS;
}

int shmcoll_check(struct adi3_shmcoll *a, int rank)
{
    const struct shmcoll_line *l = &a->peer[rank].line[a->step % SHMCOLL_LINES];

    if (__builtin_expect(l->tag != a->tag || l->past != a->past || l->len != a->says, 0))
        return differs(a, rank, l);
    return MPI_SUCCESS;
}

/* Also those are looked at whom we do not wait for. */
static int look_around(struct adi3_shmcoll *a)
{
    int err = MPI_SUCCESS;

    for (int i = 0; i < a->size && !err; i++) {
        const struct shmcoll_line *l = &a->peer[i].line[a->step % SHMCOLL_LINES];
        uint32_t step = atomic_load_explicit(&l->step, memory_order_acquire);
        if (step == a->step || step == (a->step ^ SHMCOLL_WAITS))
            err = shmcoll_check(a, i);
    }
    return err;
}

static int trouble(struct adi3_shmcoll *a)
{
    int err = proc_any_lost ? proc_lost_error(a->comm, MPI_ANY_SOURCE) : MPI_SUCCESS;

    if (err)
        return adi3_shmcoll_fail(a, err);
    if (atomic_load_explicit(&a->head->broken, memory_order_relaxed))
        return shmcoll_is_broken(a, a->tag);
    if ((err = collchk_wait(a->comm, a->tag)))
        return adi3_shmcoll_fail(a, err);
    return ++a->looks % LOOKS == 0 ? look_around(a) : MPI_SUCCESS;
}

/* ---- waiting --------------------------------------------------------------------------------- */

struct shmcoll_waiter { /* until *word == value */
    struct adi3_wait w;
    const _Atomic uint32_t *word;
    uint32_t value;
    bool told;
    struct shmcoll_waiter *next;
};

static struct shmcoll_waiter *shmcoll_waiters; /* of all threads */

static bool over(const struct shmcoll_waiter *x)
{
    return atomic_load_explicit(x->word, memory_order_acquire) == x->value;
}

/* Nobody sleeps after something has come that a thread waits for; it is told once. */
static bool poll_waiters(void)
{
    bool any = false;

    for (struct shmcoll_waiter *x = shmcoll_waiters; x; x = x->next)
        if (!x->told && over(x)) {
            x->told = any = true;
            thread_wake_waiter(&x->w);
        }
    return any;
}

struct progress_source shmcoll_source = { .name = "shmcoll", .poll = poll_waiters };

__attribute__((noinline)) static int wait_long(struct adi3_shmcoll *a, const _Atomic uint32_t *word,
                                               uint32_t value)
{
    struct shmcoll_waiter x = { .w.bytes = a->bytes,
                                .w.what = "a collective operation",
                                .word = word,
                                .value = value,
                                .next = shmcoll_waiters };
    int err = MPI_SUCCESS;

    shmcoll_waiters = &x;
    progress_want(&shmcoll_source);
    shmcoll_note(a, true);
    while (!over(&x) && !err) {
        adi3_wait_turn(&x.w);
        err = over(&x) ? MPI_SUCCESS : trouble(a);
    }
    struct shmcoll_waiter **at = &shmcoll_waiters;
    while (*at != &x)
        at = &(*at)->next;
    *at = x.next;
    if (!shmcoll_waiters)
        progress_unwant(&shmcoll_source);
    adi3_wait_end(&x.w);
    return err;
}

/* While there is nothing else to do: where our next step will write, if it is like this one. */
static void prepare(const struct adi3_shmcoll *a)
{
    const struct shmcoll_line *line = a->peer[a->rank].line;
    size_t size = a->end - a->at, begin = a->end + size > a->ring ? 0 : a->end;

    os_will_write(&line[(a->step + 1) % SHMCOLL_LINES]);
    if (a->bytes <= SHMCOLL_SHORT)
        return;
    for (size_t i = 0; i < size && i < PREPARE; i += OS_LINE)
        os_will_write((const char *) (line + SHMCOLL_LINES) + begin + i);
}

int shmcoll_wait(struct adi3_shmcoll *a, const _Atomic uint32_t *word, uint32_t value)
{
    int looks = a->last_works || adi3_threads ? 1 : SPIN;

    if (atomic_load_explicit(word, memory_order_acquire) == value)
        return MPI_SUCCESS;
    if (looks > 1)
        prepare(a);
    for (int i = 0; i < looks; i++)
        if (atomic_load_explicit(word, memory_order_acquire) == value)
            return MPI_SUCCESS;
    return wait_long(a, word, value);
}
