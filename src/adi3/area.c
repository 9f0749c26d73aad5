/* area.c — memory that the processes of a communicator share, for collective operations: see
 * adi3_area.h.
 *
 * For each process there is a desk: lines, which tell what it shows and hold what is short, and a
 * ring of bytes for what is not. Step s uses line s % LINES, and bytes of the rings at the same
 * place on each desk. Who has come to meeting m has done with all steps before m: their lines and
 * bytes are free then, for whoever has seen all others there. */
#include <stdlib.h>
#include <string.h>
#include "adi3_impl.h"

bool area_wanted;

enum {
    LINES = 16,
    SHORT = 48, /* bytes that a line has room for */
    EACH = 32 << 10,
    ALL = 1 << 20,   /* bytes of a desk, and of an area, at most */
    LEAST = 4 << 10, /* bytes of a desk that are worth it */
    TAG = 0xffff,    /* below those of operations */
    FEW = 8,         /* processes with cores of their own that look at each other */
    LOOKS = 64,      /* turns of a wait, between looks at what others do */
    SPIN = 48,       /* looks at a word before messages are looked for */
};

struct line {
    OS_ALIGNED _Atomic uint32_t step;
    int32_t tag;
    uint32_t past; /* hash of all tags so far */
    uint32_t len;  /* of the room */
    char data[SHORT];
};

struct count { /* of those who have come in a step */
    OS_ALIGNED _Atomic uint32_t here;
    OS_ALIGNED _Atomic uint32_t released; /* the step */
};

struct area_head {
    OS_ALIGNED _Atomic uint32_t users; /* communicators that have not ended, one in each process */
    OS_ALIGNED _Atomic uint32_t broken;
    _Atomic uint32_t unreadable; /* processes that cannot read all others' memory */
    struct count count[LINES];
};

struct peer {
    struct line *line;
    _Atomic uint32_t *asleep;
    int index;
};

struct adi3_area {
    struct area_head *head;
    const struct adi3_comm *comm;
    size_t offset, len; /* in the node's segment */
    int rank, size;
    bool last_works, broken, asked, direct;
    size_t ring;        /* bytes of each */
    uint32_t step, met; /* the one under way; the last in which all met */
    uint32_t past;
    int tag;
    struct line *mine;
    size_t bytes, at;               /* of this step: its room, and where that is; 0: in the line */
    size_t before_end, before_used; /* as the two below were before this step */
    size_t end, used; /* of the ring: where the next step's room begins; how much may be read */
    uint32_t looks;
    struct peer peer[]; /* size + 1: of the last there is the ring alone */
};

size_t adi3_area_room(const struct adi3_area *a) { return a->ring; }
bool adi3_area_last_works(const struct adi3_area *a) { return a->last_works; }

/* ---- errors ---------------------------------------------------------------------------------- */

static void wake_all(const struct adi3_area *a)
{
    for (int i = 0; i < a->size; i++)
        if (atomic_load_explicit(a->peer[i].asleep, memory_order_relaxed) != DEV_AWAKE
            && i != a->rank)
            adi3_node.wake(a->peer[i].index);
}

/* From now on operations end with an error here, in all processes. */
int adi3_area_fails(struct adi3_area *a, int err)
{
    a->broken = true;
    atomic_store(&a->head->broken, 1);
    wake_all(a);
    return err;
}

static int is_broken(struct adi3_area *a)
{
    int err = proc_any_lost ? pt2pt_gone(MPI_ANY_SOURCE, a->comm) : MPI_SUCCESS;

    if (!err)
        err = adi3_error(MPI_ERR_OTHER, "a collective operation of this communicator has failed");
    return adi3_area_fails(a, err);
}

/* A process shows something of another operation in this step. */
static int differs(struct adi3_area *a, int rank, const struct line *l)
{
    if (l->tag != a->tag)
        return adi3_area_fails(a, adi3_error(MPI_ERR_OTHER,
                                             "process %d of the communicator has called "
                                             "another collective operation: %#x, and we %#x",
                                             rank, (unsigned) l->tag, (unsigned) a->tag));
    if (l->past != a->past)
        return adi3_area_fails(a, adi3_error(MPI_ERR_OTHER,
                                             "process %d of the communicator has called other "
                                             "collective operations before this one",
                                             rank));
    return adi3_area_fails(
        a, adi3_error(l->len > a->bytes ? MPI_ERR_TRUNCATE : MPI_ERR_OTHER,
                      "process %d of the communicator gave %u bytes to this operation, "
                      "and we %zu",
                      rank, (unsigned) l->len, a->bytes));
}

static int check(struct adi3_area *a, int rank)
{
    const struct line *l = &a->peer[rank].line[a->step % LINES];

    if (__builtin_expect(l->tag != a->tag || l->past != a->past || l->len != a->bytes, 0))
        return differs(a, rank, l);
    return MPI_SUCCESS;
}

/* Also those are looked at whom we do not wait for. */
static int look_around(struct adi3_area *a)
{
    int err = MPI_SUCCESS;

    for (int i = 0; i < a->size && !err; i++) {
        const struct line *l = &a->peer[i].line[a->step % LINES];
        if (atomic_load_explicit(&l->step, memory_order_acquire) == a->step)
            err = check(a, i);
    }
    return err;
}

static int trouble(struct adi3_area *a)
{
    int err = proc_any_lost ? pt2pt_gone(MPI_ANY_SOURCE, a->comm) : MPI_SUCCESS;

    if (err)
        return adi3_area_fails(a, err);
    if (atomic_load_explicit(&a->head->broken, memory_order_relaxed))
        return is_broken(a);
    return ++a->looks % LOOKS == 0 ? look_around(a) : MPI_SUCCESS;
}

/* ---- waiting --------------------------------------------------------------------------------- */

struct waiting { /* until *word == value */
    struct adi3_wait w;
    const _Atomic uint32_t *word;
    uint32_t value;
    bool told;
    struct waiting *next;
};

static struct waiting *waits; /* of all threads */

static bool over(const struct waiting *x)
{
    return atomic_load_explicit(x->word, memory_order_acquire) == x->value;
}

/* Nobody sleeps after something has come that a thread waits for; it is told once. */
bool area_poll(void)
{
    bool any = false;

    for (struct waiting *x = waits; x; x = x->next)
        if (!x->told && over(x)) {
            x->told = any = true;
            thread_call(&x->w);
        }
    return any;
}

__attribute__((noinline)) static int wait_long(struct adi3_area *a, const _Atomic uint32_t *word,
                                               uint32_t value)
{
    struct waiting x = { .w.copied = a->bytes, .word = word, .value = value, .next = waits };
    int err = MPI_SUCCESS;

    waits = &x;
    while (!over(&x) && !err) {
        adi3_wait_turn(&x.w);
        err = over(&x) ? MPI_SUCCESS : trouble(a);
    }
    struct waiting **at = &waits;
    while (*at != &x)
        at = &(*at)->next;
    *at = x.next;
    adi3_wait_end(&x.w);
    return err;
}

static int wait_for(struct adi3_area *a, const _Atomic uint32_t *word, uint32_t value)
{
    int looks = a->last_works || adi3_threads ? 1 : SPIN;

    for (int i = 0; i < looks; i++)
        if (atomic_load_explicit(word, memory_order_acquire) == value)
            return MPI_SUCCESS;
    return wait_long(a, word, value);
}

/* Between what was written for others and a look at whether they sleep. */
static void fence(void)
{
    if (__builtin_expect(adi3_node.fences, 0))
        atomic_thread_fence(memory_order_seq_cst);
    else
        atomic_signal_fence(memory_order_seq_cst);
}

static void wake(const struct adi3_area *a, int rank)
{
    if (atomic_load_explicit(a->peer[rank].asleep, memory_order_relaxed) != DEV_AWAKE)
        adi3_node.wake(a->peer[rank].index);
}

/* ---- steps ----------------------------------------------------------------------------------- */

void *adi3_area_at(const struct adi3_area *a, int rank)
{
    const struct peer *p = &a->peer[rank];

    if (a->bytes <= SHORT)
        return p->line[a->step % LINES].data;
    return (char *) (p->line + LINES) + a->at;
}

static void publish(struct adi3_area *a)
{
    a->mine->tag = a->tag;
    a->mine->past = a->past;
    a->mine->len = (uint32_t) a->bytes;
    atomic_store_explicit(&a->mine->step, a->step, memory_order_release);
}

void adi3_area_show(struct adi3_area *a)
{
    publish(a);
    fence();
    wake_all(a);
}

int adi3_area_see(struct adi3_area *a, int rank)
{
    int err = wait_for(a, &a->peer[rank].line[a->step % LINES].step, a->step);

    return err ? err : check(a, rank);
}

static int see_all(struct adi3_area *a)
{
    int err = MPI_SUCCESS;

    for (int i = 0; i < a->size && !err; i++)
        if (i != a->rank)
            err = adi3_area_see(a, i);
    return err;
}

static struct count *counter(const struct adi3_area *a) { return &a->head->count[a->step % LINES]; }

void adi3_area_hand(struct adi3_area *a, int root)
{
    publish(a);
    if (a->last_works && atomic_fetch_add(&counter(a)->here, 1) + 1 < (uint32_t) a->size - 1)
        return; /* others are still to come */
    fence();
    wake(a, root);
}

int adi3_area_collect(struct adi3_area *a)
{
    int err = MPI_SUCCESS;

    if (a->last_works) {
        err = wait_for(a, &counter(a)->here, (uint32_t) a->size - 1);
        atomic_store_explicit(&counter(a)->here, 0, memory_order_relaxed);
    }
    return err ? err : see_all(a);
}

/* All have come to this meeting. */
static void have_met(struct adi3_area *a)
{
    a->met = a->step;
    a->used = a->bytes > SHORT ? a->end - a->at : 0;
}

void adi3_area_release(struct adi3_area *a)
{
    struct count *n = counter(a);

    atomic_store_explicit(&n->here, 0, memory_order_relaxed);
    atomic_store_explicit(&n->released, a->step, memory_order_release);
    fence();
    wake_all(a);
}

static int arrive_counted(struct adi3_area *a, bool *last)
{
    struct count *n = counter(a);

    publish(a);
    if (atomic_fetch_add(&n->here, 1) + 1 < (uint32_t) a->size)
        return wait_for(a, &n->released, a->step);
    *last = true;
    return see_all(a);
}

int adi3_area_arrive(struct adi3_area *a, bool *last)
{
    int err;

    *last = false;
    if (a->last_works) {
        err = arrive_counted(a, last);
    } else {
        adi3_area_show(a);
        err = see_all(a);
    }
    have_met(a);
    return err;
}

int adi3_area_meet(struct adi3_area *a)
{
    bool last;
    int err = adi3_area_arrive(a, &last);

    if (last && !err)
        adi3_area_release(a);
    return err;
}

static int next_step(struct adi3_area *a, int tag, size_t len)
{
    if (__builtin_expect(a->broken || atomic_load_explicit(&a->head->broken, memory_order_relaxed),
                         0))
        return is_broken(a);
    a->step++;
    a->tag = tag;
    a->past = (a->past ^ (uint32_t) tag) * 16777619u;
    a->mine = &a->peer[a->rank].line[a->step % LINES];
    a->bytes = len;
    return MPI_SUCCESS;
}

/* All meet for the sake of room. */
__attribute__((noinline)) static int make_room(struct adi3_area *a, int tag)
{
    int err = next_step(a, tag, 0);

    if (!err)
        err = adi3_area_meet(a);
    a->end = 0;
    return err;
}

/* The last line is for a meeting, which makes room. */
static bool has_room(const struct adi3_area *a, size_t size, bool meets)
{
    size_t skip = a->end + size > a->ring ? a->ring - a->end : 0;

    if (!meets && a->step + 1 - a->met == LINES - 1)
        return false;
    return size == 0 || a->used + skip + size <= a->ring;
}

/* What is short is in lines. */
static size_t in_ring(size_t len)
{
    return len <= SHORT ? 0 : (len + OS_LINE - 1) & ~(size_t) (OS_LINE - 1);
}

static void place(struct adi3_area *a, size_t size)
{
    if (a->end + size > a->ring) {
        a->used += a->ring - a->end;
        a->end = 0;
    }
    a->at = a->end;
    a->end += size;
    a->used += size;
}

int adi3_area_begin(struct adi3_area *a, int tag, size_t len, bool meets)
{
    size_t size = in_ring(len);
    int err = has_room(a, size, meets) ? MPI_SUCCESS : make_room(a, tag);

    if (err || (err = next_step(a, tag, len)))
        return err;
    a->before_end = a->end;
    a->before_used = a->used;
    place(a, size);
    return MPI_SUCCESS;
}

int adi3_area_hear(struct adi3_area *a, int rank, size_t *len)
{
    const struct line *l = &a->peer[rank].line[a->step % LINES];
    int err = wait_for(a, &l->step, a->step);

    if (!err && l->len != a->bytes && l->len <= a->ring) {
        a->bytes = l->len;
        a->end = a->before_end;
        a->used = a->before_used;
        place(a, in_ring(l->len));
    }
    *len = a->bytes;
    return err ? err : check(a, rank);
}

/* ---- reading each other's memory ------------------------------------------------------------- */

static bool reads_all(const struct adi3_area *a)
{
    bool all = true;

    for (int i = 0; i < a->size && all; i++) {
        struct adi3_proc *p = a->comm->proc[i];
        if (i != a->rank)
            all = (p->dev || !proc_add(p)) && p->peer.can_get && !proc_device(p)->expose;
    }
    return all;
}

int adi3_area_direct(struct adi3_area *a, int tag, bool *direct)
{
    if (!a->asked) {
        int err = adi3_area_begin(a, tag, 0, true);
        if (err)
            return err;
        if (!reads_all(a))
            atomic_fetch_add(&a->head->unreadable, 1);
        if ((err = adi3_area_meet(a)))
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

    proto_reading--;
    r->err = err;
    atomic_store_explicit(&r->done, 1, memory_order_relaxed);
}

int adi3_area_read(struct adi3_area *a, int rank, uint64_t from, void *to, size_t len)
{
    struct adi3_proc *p = a->comm->proc[rank];
    struct reading r = { .get = { .to = to, .addr = from, .len = len, .done = was_read } };
    struct adi3_wait w = { .copied = len };

    if (p->lost)
        return adi3_area_fails(a, proc_error(p, p->lost));
    proto_reading++;
    proc_device(p)->get(&p->peer, &r.get);
    while (!r.done)
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
    return r.err ? adi3_area_fails(a, proc_error(p, r.err)) : MPI_SUCCESS;
}

/* ---- life ------------------------------------------------------------------------------------ */

struct offer {        /* to the others, by the first process */
    uint64_t at, len; /* 0: there is no area */
};

/* A power of two, so that memory given back is of use to others. */
static size_t length_for(int size)
{
    size_t len = LEAST;

    while (len < ALL && len < (size_t) size * EACH)
        len *= 2;
    return len;
}

static size_t desk_length(size_t len, int size)
{
    size_t desks = len - sizeof(struct area_head);

    return desks / (size_t) (size + 1) & ~(size_t) (OS_LINE - 1);
}

/* A device of this node, with no other around it that is to see all that goes between processes. */
static bool shared(struct adi3_proc *p)
{
    const struct dev_ops *const *known = dev_table;

    if ((!p->dev && proc_add(p)) || !p->dev->limits.node_only)
        return false;
    while (*known && *known != p->dev->ops)
        known++;
    return *known != NULL;
}

static struct offer make_offer(const struct adi3_comm *c)
{
    struct offer o = { 0, length_for(c->size) };

    if (area_wanted && desk_length(o.len, c->size) >= LEAST && shared(c->proc[1]))
        o.at = node_area(o.len);
    if (!o.at)
        return o;
    struct area_head *head = (struct area_head *) (void *) (adi3_node.base + o.at);
    memset(head, 0, sizeof *head);
    for (int i = 0; i < c->size; i++)
        memset((char *) (head + 1) + (size_t) i * desk_length(o.len, c->size), 0,
               LINES * sizeof(struct line));
    atomic_store(&head->users, (uint32_t) c->size);
    return o;
}

static int tell(struct adi3_comm *c, struct offer *o)
{
    struct adi3_data d = { o, sizeof *o, adi3_type_builtin(MPI_BYTE) };

    if (c->rank)
        return adi3_recv(&d, 0, TAG, c, ADI3_COLL, MPI_STATUS_IGNORE);
    int err = MPI_SUCCESS;
    for (int i = 1; i < c->size; i++) {
        int sent = adi3_send(&d, i, TAG, c, ADI3_COLL);
        err = err ? err : sent;
    }
    return err;
}

static void set_up(struct adi3_area *a, const struct adi3_comm *c, const struct offer *o)
{
    size_t desk = desk_length(o->len, c->size);

    *a = (struct adi3_area) { .head = (struct area_head *) (void *) (adi3_node.base + o->at),
                              .comm = c,
                              .offset = o->at,
                              .len = o->len,
                              .rank = c->rank,
                              .size = c->size,
                              .last_works = adi3_node.crowded || c->size > FEW,
                              .ring = desk - LINES * sizeof(struct line) };
    for (int i = 0; i <= c->size; i++)
        a->peer[i].line = (struct line *) (void *) ((char *) (a->head + 1) + (size_t) i * desk);
    for (int i = 0; i < c->size; i++) {
        a->peer[i].index = c->proc[i]->peer.local;
        a->peer[i].asleep = adi3_node.asleep(a->peer[i].index);
    }
}

static bool all_here(const struct adi3_comm *c)
{
    bool all = c->size > 1 && !c->remote;

    for (int i = 0; i < c->size && all; i++)
        all = c->proc[i]->peer.local >= 0;
    return all;
}

/* Who finds no memory of its own for it breaks it, since the others count on him. */
static struct adi3_area *make(struct adi3_comm *c)
{
    struct offer o = { 0, 0 };
    struct adi3_area *a = malloc(sizeof *a + (size_t) (c->size + 1) * sizeof *a->peer);

    if (c->rank == 0 && a)
        o = make_offer(c);
    int err = tell(c, &o);
    if (o.at && a) {
        set_up(a, c, &o);
        if (err)
            (void) adi3_area_fails(a, err);
        open_poll_areas();
        return a;
    }
    if (o.at)
        atomic_store(&((struct area_head *) (void *) (adi3_node.base + o.at))->broken, 1);
    free(a);
    return NULL;
}

struct adi3_area *adi3_area(struct adi3_comm *c)
{
    if (!c->area_asked) {
        c->area_asked = true;
        c->area = all_here(c) ? make(c) : NULL;
    }
    return c->area;
}

void area_end(struct adi3_comm *c)
{
    struct adi3_area *a = c->area;

    if (a && atomic_fetch_sub(&a->head->users, 1) == 1)
        node_area_back(a->offset, a->len);
    area_forget(c);
}

void area_forget(struct adi3_comm *c)
{
    free(c->area);
    c->area = NULL;
    c->area_asked = false;
}

void area_forget_all(void)
{
    area_forget(&adi3_world);
    area_forget(&adi3_self);
    for (struct adi3_comm *c = NULL; (c = adi3_next(&adi3_comms, c));)
        area_forget(c);
}
