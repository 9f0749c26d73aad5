/* shm_rig.c — a node for the shm device. */
#include <stdlib.h>
#include <string.h>
#include "shm_rig.h"

extern const struct dev_ops dev_shm;

struct rig_shared *rig;
struct dev_upcalls rig_upcalls;

static int segment = -1;
static struct dev_peer peers[RIG_MOST];
static struct dev_env env;
static struct dev_job job;

/* ---- struct dev_node ------------------------------------------------------------------------- */

static _Atomic uint32_t *asleep(const struct dev_node *n, int index)
{
    (void) n;
    return &rig->slot[index].asleep;
}

static bool alive(const struct dev_node *n, int index)
{
    (void) n;
    return os_byte_locked(segment, (size_t) index);
}

static void wake(const struct dev_node *n, int index)
{
    (void) n;
    atomic_store(&rig->slot[index].asleep, DEV_AWAKE);
    atomic_fetch_add(&rig->wakes, 1);
    os_futex_wake(&rig->slot[index].asleep, 1);
}

static void wake_all(const struct dev_node *n)
{
    for (int i = 0; i < n->count; i++)
        if (atomic_load(&rig->slot[i].asleep) != DEV_AWAKE)
            wake(n, i);
}

static size_t take(const struct dev_node *n, size_t len, const char **why)
{
    (void) n;
    size_t whole = (len + 4095) / 4096 * 4096, at = atomic_fetch_add(&rig->used, whole);

    *why = "the rig has no more";
    return at + whole <= RIG_MEMORY ? at : 0;
}

struct dev_node rig_node = {
    .asleep = asleep, .wake = wake, .wake_all = wake_all, .alive = alive, .take = take
};

void rig_make(int count)
{
    CHECK((segment = os_memfd("rig", RIG_MEMORY)) >= 0);
    CHECK((rig = os_map(segment, RIG_MEMORY)));
    atomic_store(&rig->used, (sizeof *rig + 4095) / 4096 * 4096);
    rig_node.base = (char *) rig;
    rig_node.count = count;
}

void rig_drop(void)
{
    os_unmap(rig, RIG_MEMORY);
    (void) close(segment);
}

static struct dev_peer *peer_here_up(int index) { return rig_peer(index); }

void rig_join(int index)
{
    rig_node.index = index;
    rig_upcalls.peer_here = peer_here_up;
    job.size = rig_node.count;
    env = (struct dev_env) { .up = &rig_upcalls, .job = &job, .rank = index, .node = &rig_node };
    CHECK(!os_lock_byte(segment, (size_t) index));
    CHECK(!dev_shm.open(&env, rig->endpoint[index]));
    atomic_fetch_add(&rig->ready, 1);
}

void rig_leave(void)
{
    dev_shm.close();
    memset(peers, 0, sizeof peers);
}

void rig_wait_ready(uint32_t count)
{
    while (atomic_load(&rig->ready) < count)
        os_yield();
}

struct dev_peer *rig_peer(int index)
{
    struct dev_peer *p = &peers[index];

    if (!p->priv) {
        *p = (struct dev_peer) {
            .job = &job,
            .rank = index,
            .local = (int16_t) index,
            .node = &rig_node,
            .endpoint = rig->endpoint[index],
        };
        CHECK(dev_shm.cost(p) >= 0 && !dev_shm.add_peer(p));
    }
    return p;
}

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
