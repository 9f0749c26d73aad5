/* chaos.c — a device that surrounds another one and does to ADI3 all that the contract permits.
 *
 * Packets that come are handed on late, payloads torn at any byte, peers in any order. inject() is
 * refused for a while; ops are held back; reads, writes and atomic operations on a peer's memory
 * fail, and all but reads are held back and change places. Each poll lets some of what is held go
 * on. As long as anything is held, poll() returns true, so that the process does not sleep.
 *
 * Its random numbers follow from CHAOS_SEED and the rank. What happens follows from them and from
 * the moments at which packets come: the same seed gives the same frequencies, not the same run. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "devices/chaos/arrivals.h"
#include "devices/chaos/chance.h"
#include "devices/chaos/sends.h"
#include "platform/setting.h"

extern const struct dev_ops dev_chaos;

enum { LAYERS = 3, MOST = 95 /* percent */ };

static const struct setting settings[] = {
    { "CHAOS_SEED", SETTING_INT, &chaos_seed, "1",
      "The number that the chaos device's random numbers begin with." },
    { "CHAOS_DELAY", SETTING_INT, &chaos_delay, "10",
      "How often the chaos device holds packets of a peer up for some polls, percent, at most "
      "95." },
    { "CHAOS_REFUSE", SETTING_INT, &chaos_again, "10",
      "How often the chaos device begins to refuse packets for some polls, percent, at most 95." },
    { "CHAOS_SPLIT", SETTING_INT, &chaos_tear, "30",
      "How many payloads the chaos device hands on in several parts, percent." },
    { "CHAOS_FAIL_GET", SETTING_INT, &chaos_no_get, "30",
      "How often reading a peer's memory fails over the chaos device, percent." },
    { "CHAOS_FAIL_PUT", SETTING_INT, &chaos_no_put, "10",
      "How often writing to a peer's memory, or an atomic operation on it, fails over the chaos "
      "device, percent." },
    { "CHAOS_DROP_PEER", SETTING_INT, &chaos_drop_peer, "-1",
      "The rank in MPI_COMM_WORLD that the chaos device cuts off from all others; -1: none." },
    { "CHAOS_DROP_AFTER", SETTING_INT, &chaos_drop_after, "100",
      "Packets that one of two such processes has got from the other when they are cut off." },
    { "CHAOS_AGAIN", SETTING_RENAMED, NULL, "CHAOS_REFUSE", "" },
    { "CHAOS_TEAR", SETTING_RENAMED, NULL, "CHAOS_SPLIT", "" },
    { "CHAOS_NO_GET", SETTING_RENAMED, NULL, "CHAOS_FAIL_GET", "" },
    { 0 }
};

/* ---- the end of a peer ----------------------------------------------------------------------- */

/* Makes the inner device forget the peer, and ends all that is under way. Not to be called in an
 * upcall of the inner device. */
static void end_peer(struct chaos_peer *p, int err)
{
    p->over = true;
    p->lost = err;
    p->device->inner->del_peer(&p->inner);
    chaos_end_arrivals(p, err);
    chaos_end_sends(p, err);
    chaos_end_puts(p, err);
    chaos_end_atomics(p, err);
}

/* The peer is lost, and all that came from it has been handed on. */
static void peer_report_loss(struct chaos_peer *p)
{
    end_peer(p, p->lost);
    p->device->env->up->peer_lost(p->outer, p->lost);
}

static void inner_lost(struct dev_peer *peer, int err)
{
    struct chaos_peer *p = (struct chaos_peer *) peer; /* its first member */

    if (!p->lost)
        p->lost = err;
}

static void del_peer(struct dev_peer *peer)
{
    struct chaos_peer *p = peer->priv;

    if (!p->over)
        end_peer(p, -ECONNRESET);
}

static void forget_peer(struct dev_peer *peer)
{
    struct chaos_peer *p = peer->priv, **at = &p->device->peers;

    del_peer(peer);
    if (p->device->inner->forget_peer)
        p->device->inner->forget_peer(&p->inner);
    chaos_end_arrivals(p, -ECONNRESET);
    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    p->device->npeers--;
    free(p);
    peer->priv = NULL;
}

/* ---- progress -------------------------------------------------------------------------------- */

/* Cuts the peer off: tells it so, behind all that was sent. From then on it is lost. */
static void peer_cut_off(struct chaos_peer *p)
{
    const struct dev_pkt gone = { .type = CHAOS_GONE };

    if (p->device->inner->inject(&p->inner, &gone, NULL) == DEV_AGAIN)
        return;
    p->lost = p->refused ? p->refused : -ECONNRESET;
    chaos_counts.dropped++;
}

/* True if anything moved or is held back: then there is a reason to poll again. */
static bool peer_advance(struct chaos_peer *p)
{
    if (p->over)
        return false;
    bool moved = chaos_push(p) || p->refusal, lost = p->lost != 0;
    p->refusal -= p->refusal != 0;
    moved |= chaos_push_puts(p);
    moved |= chaos_push_atomics(p);
    moved |= chaos_hand_on(p);
    if (p->dropping && !p->lost)
        peer_cut_off(p);
    if (lost)
        peer_report_loss(p);
    else if (p->lost)
        moved = true; /* lose it in the next poll: what came before is handed on first */
    return moved || p->dropping || p->out || p->puts || p->atomics || chaos_holds_arrivals(p);
}

/* Polls the inner device, then serves all peers, beginning with a random one. */
static bool poll_layer(struct chaos *c)
{
    bool moved = c->inner->poll && c->inner->poll();
    unsigned skip = c->npeers > 1 ? chaos_random(c->npeers) : 0, n = 0;
    struct chaos_peer *first = c->peers, *stop;

    chaos_counts.reordered += skip != 0;
    for (; n < skip; n++)
        first = first->next;
    stop = first;
    for (struct chaos_peer *p = first; p; p = p->next)
        moved |= peer_advance(p);
    for (struct chaos_peer *p = c->peers; p != stop; p = p->next)
        moved |= peer_advance(p);
    return moved;
}

/* Reads, or fails: then the message comes in packets. */
static void inner_get(struct dev_peer *from, struct dev_get *op)
{
    struct chaos_peer *p = from->priv;

    if (p->over) {
        op->done(op, p->lost);
    } else if (chaos_happens(chaos_no_get)) {
        chaos_counts.not_got++;
        op->done(op, -EAGAIN);
    } else {
        p->device->inner->get(&p->inner, op);
    }
}

/* ---- functions that are passed on ------------------------------------------------------------ */

static int inner_expose(struct dev_peer *to, const struct iovec *mem, uint64_t *addr, uint64_t *key,
                        void **handle)
{
    struct chaos_peer *p = to->priv;

    return p->over ? p->lost : p->device->inner->expose(&p->inner, mem, addr, key, handle);
}

static const struct dev_memory *outer_memory(struct dev_peer *to, uint64_t key)
{
    const struct chaos_peer *p = (struct chaos_peer *) to; /* its first member */

    return p->device->env->up->memory(p->outer, key);
}

static void inner_watch(struct dev_peer *peer)
{
    struct chaos_peer *p = peer->priv;

    if (!p->over)
        p->device->inner->watch(&p->inner);
}

static void inner_describe(const struct dev_peer *peer, char *text, size_t len)
{
    const struct chaos_peer *p = peer->priv;

    p->device->inner->describe(&p->inner, text, len);
}

/* ---- life ------------------------------------------------------------------------------------ */

static int open_layer(struct chaos *c, const struct dev_env *env, char *endpoint)
{
    chaos_delay =
        chaos_delay < MOST ? chaos_delay : MOST; /* with more, nothing would get through */
    chaos_again = chaos_again < MOST ? chaos_again : MOST;
    chaos_begin(env->rank);
    c->env = env;
    c->up.job = env->up->job;
    c->inner_env = *env;
    c->inner_env.up = &c->up;
    int err = c->inner->open(&c->inner_env, endpoint);
    if (err)
        c->env = NULL;
    return err;
}

static void close_layer(struct chaos *c)
{
    c->inner->close();
    for (struct chaos_peer *p = c->peers, *next; p; p = next) {
        next = p->next;
        chaos_end_arrivals(p, -ECONNRESET);
        free(p);
    }
    c->peers = NULL;
    c->npeers = 0;
    c->env = NULL;
}

static struct chaos_peer *outer_peer_find(struct chaos *c, const struct dev_peer *outer)
{
    struct chaos_peer *p = c->peers;

    while (p && p->outer != outer)
        p = p->next;
    return p;
}

/* The inner device may refer to a peer until it is closed: a deleted peer is kept, and used
 * again if it is added again. */
static int add_peer(struct chaos *c, struct dev_peer *outer)
{
    struct chaos_peer *old = outer_peer_find(c, outer), *p = old ? old : calloc(1, sizeof *p);

    if (!p)
        return -ENOMEM;
    *p = (struct chaos_peer) { .inner = *outer, .outer = outer, .device = c, .next = p->next };
    p->in_end = &p->in;
    p->out_end = &p->out;
    int err = c->inner->add_peer(&p->inner);
    if (err && !old) {
        free(p);
        return err;
    }
    p->over = err;
    p->lost = err;
    outer->can_get = p->inner.can_get;
    outer->can_put = p->inner.can_put;
    outer->priv = p;
    if (!old) {
        p->next = c->peers;
        c->peers = p;
        c->npeers++;
    }
    return err;
}

/* The inner device has a packet from this peer, or asks for it. */
static struct dev_peer *peer_of(struct chaos *c, const struct dev_peer *outer)
{
    struct chaos_peer *p = outer ? outer_peer_find(c, outer) : NULL;

    return p && !p->over ? &p->inner : NULL;
}

/* Some functions of the contract get no argument that tells the layer: so a layer has a set of
 * functions. */
#define LAYER(n)                                                                                   \
    static struct chaos layer_##n;                                                                 \
    static int open_##n(const struct dev_env *env, char endpoint[DEV_ENDPOINT_MAX])                \
    {                                                                                              \
        return open_layer(&layer_##n, env, endpoint);                                              \
    }                                                                                              \
    static int widen_##n(char endpoint[DEV_ENDPOINT_MAX])                                          \
    {                                                                                              \
        return layer_##n.inner->widen(endpoint);                                                   \
    }                                                                                              \
    static void close_##n(void) { close_layer(&layer_##n); }                                       \
    static int add_##n(struct dev_peer *peer) { return add_peer(&layer_##n, peer); }               \
    static bool poll_##n(void) { return poll_layer(&layer_##n); }                                  \
    static struct dev_peer *peer_##n(const struct dev_job *job, int rank)                          \
    {                                                                                              \
        return peer_of(&layer_##n, layer_##n.env->up->peer(job, rank));                            \
    }                                                                                              \
    static struct dev_peer *here_##n(int index)                                                    \
    {                                                                                              \
        return peer_of(&layer_##n, layer_##n.env->up->peer_here(index));                           \
    }
LAYER(0)
LAYER(1)
LAYER(2)

#define ROW(n)                                                                                     \
    {                                                                                              \
        &layer_##n, open_##n, widen_##n, close_##n, add_##n, poll_##n, peer_##n, here_##n          \
    }
static const struct {
    struct chaos *c;
    int (*open)(const struct dev_env *env, char endpoint[DEV_ENDPOINT_MAX]);
    int (*widen)(char endpoint[DEV_ENDPOINT_MAX]);
    void (*close)(void);
    int (*add_peer)(struct dev_peer *peer);
    bool (*poll)(void);
    struct dev_peer *(*peer)(const struct dev_job *job, int rank);
    struct dev_peer *(*here)(int index);
} layer[LAYERS] = { ROW(0), ROW(1), ROW(2) };

/* NULL asks why a device could not be opened. */
static const char *inner_why(const struct dev_peer *peer)
{
    const struct chaos_peer *p = peer ? peer->priv : NULL;
    const char *words = p ? p->device->inner->why(&p->inner) : NULL;

    for (int i = 0; i < LAYERS && !peer && !words; i++) {
        const struct dev_ops *inner = layer[i].c->inner;
        words = inner && inner->why ? inner->why(NULL) : NULL;
    }
    return words;
}

static const struct dev_ops *layer_build_ops(struct chaos *c, int n)
{
    const struct dev_ops *inner = c->inner;
    size_t len = strlen(inner->name);

    if (len > sizeof c->name - sizeof "chaos:")
        return NULL;
    memcpy(c->name, "chaos:", 6);
    memcpy(c->name + 6, inner->name, len + 1);
    c->up = (struct dev_upcalls) { .recv = chaos_recv,
                                   .recv_begin = chaos_recv_begin,
                                   .recv_end = chaos_recv_end,
                                   .peer_lost = inner_lost,
                                   .peer = layer[n].peer,
                                   .peer_here = layer[n].here,
                                   .memory = outer_memory };
    c->ops = (struct dev_ops) {
        .name = c->name,
        .abi = DEV_ABI,
        .settings = settings,
        .counters = chaos_counters,
        .query = inner->query,
        .open = layer[n].open,
        .widen = inner->widen ? layer[n].widen : NULL,
        .close = layer[n].close,
        .cost = inner->cost,
        .add_peer = layer[n].add_peer,
        .del_peer = del_peer,
        .forget_peer = forget_peer,
        .forget_job = inner->forget_job,
        .inject = chaos_inject,
        .send = chaos_send,
        .poll = layer[n].poll,
        .wait_fd = inner->wait_fd,
        .may_sleep = inner->may_sleep,
        .get = inner->get ? inner_get : NULL,
        .expose = inner->expose ? inner_expose : NULL,
        .unexpose = inner->unexpose,
        .put = inner->put ? chaos_put : NULL,
        .register_memory = inner->register_memory,
        .deregister_memory = inner->deregister_memory,
        .atomic = inner->atomic ? chaos_atomic : NULL,
        .atomic_room = inner->atomic_room,
        .alloc_mem = inner->alloc_mem,
        .free_mem = inner->free_mem,
        .watch = inner->watch ? inner_watch : NULL,
        .describe = inner->describe ? inner_describe : NULL,
        .why = inner->why ? inner_why : NULL,
        .inject_plain = inner->inject_plain ? chaos_inject_plain : NULL,
    };
    return &c->ops;
}

static const struct dev_ops *layer_wrap(const struct dev_ops *inner)
{
    for (int i = 0; i < LAYERS; i++) {
        struct chaos *c = layer[i].c;
        if (c->inner == inner)
            return &c->ops;
        if (!c->inner) {
            c->inner = inner;
            return layer_build_ops(c, i);
        }
    }
    return NULL;
}

const struct dev_ops dev_chaos = {
    .name = "chaos",
    .abi = DEV_ABI,
    .settings = settings,
    .counters = chaos_counters,
    .wrap = layer_wrap,
};
