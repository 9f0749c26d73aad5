/* wait.c — waiting in an area, and what ends that: another operation in another process, or
 * its death. */
#include <errno.h>
#include "collchk_impl.h"
#include "shmcoll_impl.h"

enum {
    LOOKS = 16,     /* turns of a wait, between looks at what others do */
    PREPARE = 2048, /* bytes */
    SPIN = 400,     /* looks at a word before messages are looked for */
};

/* ---- errors ---------------------------------------------------------------------------------- */

void area_wake_all(const struct adi3_area *a)
{
    for (int i = 0; i < a->size; i++)
        if (atomic_load_explicit(a->peer[i].asleep, memory_order_relaxed) != DEV_AWAKE
            && i != a->rank)
            adi3_node.wake(a->peer[i].index);
}

/* From now on operations end with an error here, in all processes. */
int adi3_area_fails(struct adi3_area *a, int err)
{
    a->err = a->err ? a->err : err;
    a->broken = true;
    atomic_store(&a->head->broken, 1);
    area_wake_all(a);
    return err;
}

/* Another process may know of a death that we have not noticed yet. */
static int who_died(const struct adi3_area *a)
{
    int err = proc_any_lost ? pt2pt_gone(MPI_ANY_SOURCE, a->comm) : MPI_SUCCESS;
    int lost = (int) atomic_load(&a->head->lost) - 1;

    if (!err && lost >= 0 && lost < a->size)
        err = proc_error(a->comm->proc[lost], -ECONNRESET);
    for (int i = 0; i < a->size && !err; i++)
        if (i != a->rank && !adi3_node.alive(a->peer[i].index))
            err = proc_error(a->comm->proc[i], -ECONNRESET);
    return err;
}

/* Whoever broke it tells us why, if calls differ. */
int area_is_broken(struct adi3_area *a, int tag)
{
    int err = a->err ? a->err : who_died(a);

    if (!err)
        err = agree_told(a->comm, tag);
    if (!err)
        err = adi3_error(MPI_ERR_OTHER, "a collective operation of this communicator has failed");
    return adi3_area_fails(a, err);
}

/* A process shows something of another operation in this step, or of the same with another legal
 * signature. */
static int differs(struct adi3_area *a, int rank, const struct area_line *l)
{
    int err = l->tag == a->tag ? MPI_SUCCESS : adi3_agree_compare(a->comm, rank, a->tag, l->tag);

    if (!err && l->past != a->past)
        err = adi3_agree_compare_before(a->comm, rank, a->tag);
    if (!err && l->len != a->says)
        err =
            adi3_agree_unequal(a->comm, rank, a->tag, l->len & ~AREA_MEETS, a->says & ~AREA_MEETS);
    return err ? adi3_area_fails(a, err) : MPI_SUCCESS;
}

int area_check(struct adi3_area *a, int rank)
{
    const struct area_line *l = &a->peer[rank].line[a->step % AREA_LINES];

    if (__builtin_expect(l->tag != a->tag || l->past != a->past || l->len != a->says, 0))
        return differs(a, rank, l);
    return MPI_SUCCESS;
}

/* Also those are looked at whom we do not wait for. */
static int look_around(struct adi3_area *a)
{
    int err = MPI_SUCCESS;

    for (int i = 0; i < a->size && !err; i++) {
        const struct area_line *l = &a->peer[i].line[a->step % AREA_LINES];
        uint32_t step = atomic_load_explicit(&l->step, memory_order_acquire);
        if (step == a->step || step == (a->step ^ AREA_WAITS))
            err = area_check(a, i);
    }
    return err;
}

static int trouble(struct adi3_area *a)
{
    int err = proc_any_lost ? pt2pt_gone(MPI_ANY_SOURCE, a->comm) : MPI_SUCCESS;

    if (err)
        return adi3_area_fails(a, err);
    if (atomic_load_explicit(&a->head->broken, memory_order_relaxed))
        return area_is_broken(a, a->tag);
    if ((err = adi3_agree_wait(a->comm, a->tag)))
        return adi3_area_fails(a, err);
    return ++a->looks % LOOKS == 0 ? look_around(a) : MPI_SUCCESS;
}

/* ---- waiting --------------------------------------------------------------------------------- */

struct area_waiting { /* until *word == value */
    struct adi3_wait w;
    const _Atomic uint32_t *word;
    uint32_t value;
    bool told;
    struct area_waiting *next;
};

struct area_waiting *area_waits; /* of all threads */

static bool over(const struct area_waiting *x)
{
    return atomic_load_explicit(x->word, memory_order_acquire) == x->value;
}

/* Nobody sleeps after something has come that a thread waits for; it is told once. */
bool area_poll(void)
{
    bool any = false;

    for (struct area_waiting *x = area_waits; x; x = x->next)
        if (!x->told && over(x)) {
            x->told = any = true;
            thread_call(&x->w);
        }
    return any;
}

__attribute__((noinline)) static int wait_long(struct adi3_area *a, const _Atomic uint32_t *word,
                                               uint32_t value)
{
    struct area_waiting x = {
        .w.copied = a->bytes, .word = word, .value = value, .next = area_waits
    };
    int err = MPI_SUCCESS;

    area_waits = &x;
    area_note(a, true);
    while (!over(&x) && !err) {
        adi3_wait_turn(&x.w);
        err = over(&x) ? MPI_SUCCESS : trouble(a);
    }
    struct area_waiting **at = &area_waits;
    while (*at != &x)
        at = &(*at)->next;
    *at = x.next;
    adi3_wait_end(&x.w);
    return err;
}

/* While there is nothing else to do: where our next step will write, if it is like this one. */
static void prepare(const struct adi3_area *a)
{
    const struct area_line *line = a->peer[a->rank].line;
    size_t size = a->end - a->at, begin = a->end + size > a->ring ? 0 : a->end;

    os_will_write(&line[(a->step + 1) % AREA_LINES]);
    if (a->bytes <= AREA_SHORT)
        return;
    for (size_t i = 0; i < size && i < PREPARE; i += OS_LINE)
        os_will_write((const char *) (line + AREA_LINES) + begin + i);
}

int area_wait(struct adi3_area *a, const _Atomic uint32_t *word, uint32_t value)
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
