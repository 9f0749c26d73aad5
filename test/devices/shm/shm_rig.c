/* shm_rig.c — a node for the shm device, with processes of one job or of two. */
#include <stdlib.h>
#include <string.h>
#include "shm_rig.h"

extern const struct dev_ops dev_shm;

struct rig_shared *rig;
int rig_given;
struct dev_upcalls rig_upcalls;

static struct side { /* a job: its memory, and its processes as peers of this one */
    int segment;
    struct rig_shared *shared;
    int count;
    struct dev_job job;
    struct dev_peer peers[RIG_MOST];
} sides[2];
static struct side *own = &sides[0], *other = &sides[1];
static struct dev_env env;

/* ---- struct dev_node ------------------------------------------------------------------------- */

static struct side *side_of(const struct dev_node *n)
{
    return n->base == (char *) sides[0].shared ? &sides[0] : &sides[1];
}

static _Atomic uint32_t *asleep(const struct dev_node *n, int index)
{
    return &side_of(n)->shared->slot[index].asleep;
}

static bool alive(const struct dev_node *n, int index)
{
    return os_byte_locked(side_of(n)->segment, (size_t) index);
}

static int guest(const struct dev_node *n, const struct dev_job *job, int rank)
{
    return job == &other->job ? side_of(n)->count + rank : -1;
}

static void wake(const struct dev_node *n, int index)
{
    atomic_store(asleep(n, index), DEV_AWAKE);
    atomic_fetch_add(&rig->wakes, 1);
    os_futex_wake(asleep(n, index), 1);
}

static void wake_side(const struct dev_node *n, int count)
{
    for (int i = 0; i < count; i++)
        if (atomic_load(asleep(n, i)) != DEV_AWAKE)
            wake(n, i);
}

/* All processes of the other job are guests, which sleep in their own memory. */
static void wake_all(const struct dev_node *n)
{
    wake_side(n, n->count);
    if (other->shared)
        wake_side(&rig_other_node, other->count);
}

static size_t take(const struct dev_node *n, size_t len, const char **why)
{
    size_t whole = (len + 4095) / 4096 * 4096,
           at = atomic_fetch_add(&side_of(n)->shared->used, whole);

    *why = "the rig has no more";
    return at + whole <= RIG_MEMORY ? at : 0;
}

/* What has been given back is not lent again: a test may look at it. */
static void give(const struct dev_node *n, size_t offset, size_t len)
{
    struct side *s = side_of(n);

    CHECK(offset && offset + len <= RIG_MEMORY);
    rig_given++;
    memset((char *) s->shared + offset, 0xee, len);
}

#define FUNCTIONS                                                                                  \
    .asleep = asleep, .wake = wake, .wake_all = wake_all, .alive = alive, .take = take,            \
    .guest = guest, .lend = take, .give = give
struct dev_node rig_node = { FUNCTIONS }, rig_other_node = { FUNCTIONS };

static void make(struct side *s, int count)
{
    CHECK((s->segment = os_memfd("rig", RIG_MEMORY)) >= 0);
    CHECK((s->shared = os_map(s->segment, RIG_MEMORY)));
    atomic_store(&s->shared->used, (sizeof *rig + 4095) / 4096 * 4096);
    s->count = count;
    s->job = (struct dev_job) { .id = 1 + (uint64_t) (s - sides), .size = count };
}

void rig_make(int count)
{
    make(&sides[0], count);
    rig = sides[0].shared;
    rig_node.base = (char *) rig;
    rig_node.count = count;
}

void rig_make_other(int count) { make(&sides[1], count); }

void rig_drop(void)
{
    for (int i = 0; i < 2; i++)
        if (sides[i].shared) {
            os_unmap(sides[i].shared, RIG_MEMORY);
            (void) close(sides[i].segment);
            sides[i].shared = NULL;
        }
}

static struct dev_peer *peer_here_up(int index)
{
    return index < own->count ? rig_peer(index) : rig_other_peer(index - own->count);
}

/* Behind the processes of a job in its memory come those of the other one, as guests. */
static void join(int index)
{
    rig_node.base = (char *) own->shared;
    rig_node.count = own->count;
    rig_node.index = index;
    rig_upcalls.peer_here = peer_here_up;
    if (other->shared) {
        rig_other_node.base = (char *) other->shared;
        rig_other_node.count = other->count;
        rig_other_node.index = other->count + index;
        CHECK(!os_lock_byte(other->segment, (size_t) rig_other_node.index));
    }
    env =
        (struct dev_env) { .up = &rig_upcalls, .job = &own->job, .rank = index, .node = &rig_node };
    CHECK(!os_lock_byte(own->segment, (size_t) index));
    CHECK(!dev_shm.open(&env, own->shared->endpoint[index]));
    atomic_fetch_add(&rig->ready, 1);
}

void rig_join(int index) { join(index); }

void rig_join_other(int index)
{
    own = &sides[1];
    other = &sides[0];
    join(index);
}

void rig_leave(void)
{
    dev_shm.close();
    for (int i = 0; i < 2; i++)
        memset(sides[i].peers, 0, sizeof sides[i].peers);
}

void rig_wait_ready(uint32_t count)
{
    while (atomic_load(&rig->ready) < count)
        os_yield();
}

static struct dev_peer *peer_in(struct side *s, const struct dev_node *node, int index)
{
    struct dev_peer *p = &s->peers[index];

    if (!p->priv) {
        *p = (struct dev_peer) {
            .job = &s->job,
            .rank = index,
            .local = (int16_t) index,
            .node = node,
            .endpoint = s->shared->endpoint[index],
        };
        CHECK(dev_shm.cost(p) >= 0 && !dev_shm.add_peer(p));
    }
    return p;
}

struct dev_peer *rig_peer(int index) { return peer_in(own, &rig_node, index); }
struct dev_peer *rig_other_peer(int index) { return peer_in(other, &rig_other_node, index); }

/* ---- payload --------------------------------------------------------------------------------- */

static uint64_t word_at(size_t i, uint32_t seed)
{
    const struct dev_pkt pkt = { .flags = i & 1 };
    enum shm_kind kind = (enum shm_kind)(SHM_PLAIN + (i + seed) % 5);

    return i % 7 == 6 ? seed : shm_word(kind, &pkt, (seed * 31 + i * 8) % 64);
}

void rig_fill(void *buf, size_t len, uint32_t seed)
{
    for (size_t at = 0; at < len; at += 8) {
        uint64_t w = word_at(at / 8, seed);
        memcpy((char *) buf + at, &w, len - at < 8 ? len - at : 8);
    }
}

bool rig_is_filled(const void *buf, size_t len, uint32_t seed)
{
    for (size_t at = 0; at < len; at += 8) {
        uint64_t w = word_at(at / 8, seed);
        if (memcmp((const char *) buf + at, &w, len - at < 8 ? len - at : 8))
            return false;
    }
    return true;
}
