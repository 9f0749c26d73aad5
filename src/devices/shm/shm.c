/* shm.c — the device for processes of the same node, through shared memory.
 *
 * peer.h names the files of the device and their order. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "devices/shm/cma.h"
#include "devices/shm/coop_copy.h"
#include "devices/shm/fifo.h"
#include "devices/shm/put.h"
#include "devices/shm/ring.h"
#include "devices/shm/rx.h"
#include "devices/shm/tx.h"
#include "platform/counter.h"
#include "platform/setting.h"

static size_t eager_max;

static const struct setting settings[] = {
    { "SHM_EAGER_MAX", SETTING_SIZE, &eager_max, "16k",
      "Largest message sent through shared memory before it is asked for, in bytes." },
    { "SHM_CMA", SETTING_BOOL, &shm_use_cma, "yes",
      "Whether large messages are read from the sender's memory where the kernel permits it." },
    { 0 }
};

static const struct counter counters[] = {
    COUNTER_ROW("shm_polls", COUNTER_EVENTS, shm_polls, "polls",
                "How often this process has polled its rings and its receive FIFO."),
    COUNTER_ROW("shm_fifo_cells", COUNTER_EVENTS, shm_fifo_head, "cells",
                "How many cells of the receive FIFO this process has read."),
    COUNTER_ROW("shm_rings", COUNTER_LEVEL, shm_nrings, "rings",
                "How many processes send to this one through a ring of their own."),
    COUNTER_ROW("shm_rings_refused", COUNTER_LEVEL, shm_refused, "rings",
                "To how many processes this one sends without a ring, since there is no memory."),
    { 0 }
};

static int shared_memory_limits(struct dev_limits *out)
{
    *out = (struct dev_limits) { .inject_max = eager_max < SHM_FRAG_MAX ? eager_max : SHM_FRAG_MAX,
                                 .eager_max = eager_max,
                                 .get_least = shm_use_cma ? SHM_GET_LEAST : 0,
                                 .node_only = true };
    return 0;
}

/* The endpoint is the offset of the receive FIFO in the segment, in hexadecimal digits. */
static void write_endpoint(char endpoint[DEV_ENDPOINT_MAX], uint64_t offset)
{
    int n = 0;

    for (int shift = 60; shift >= 0; shift -= 4)
        endpoint[n++] = "0123456789abcdef"[offset >> shift & 15];
    endpoint[n] = '\0';
}

/* 0: it is none. */
static uint64_t read_endpoint(const char *endpoint)
{
    char *end;
    uint64_t offset = strtoull(endpoint, &end, 16);

    return *end ? 0 : offset;
}

static int open_shm(const struct dev_env *env, char endpoint[DEV_ENDPOINT_MAX])
{
    const char *why;
    size_t offset = env->node->take(env->node, sizeof *shm_own_fifo, &why);

    if (!offset)
        return -ENOMEM;
    shm_env = env;
    shm_own_fifo = (struct shm_fifo *) (void *) (env->node->base + offset);
    shm_fifo_init(shm_own_fifo);
    shm_cma_init(shm_own_fifo);
    write_endpoint(endpoint, offset);
    return 0;
}

static void close_shm(void)
{
    shm_peers_free();
    shm_refused = 0;
    shm_coop_close();
}

static int shared_memory_cost(const struct dev_peer *peer)
{
    return peer->node && peer->endpoint && read_endpoint(peer->endpoint) ? 1 : -1;
}

static int add_peer(struct dev_peer *peer)
{
    struct shm_peer *p = shm_peer_new(peer);

    if (!p)
        return -ENOMEM;
    shm_ring_size(shm_env->node->count);
    p->tx.fifo = (struct shm_fifo *) (void *) (peer->node->base + read_endpoint(peer->endpoint));
    p->no_cma = shm_cma_refusal(p->tx.fifo);
    peer->can_get = peer->can_put = !p->no_cma;
    peer->priv = p;
    return 0;
}

static void del_peer(struct dev_peer *peer)
{
    struct shm_peer *p = peer->priv;

    p->gone = true;
    shm_peer_end_receive(p);
    shm_peer_drop_ops(p, -ECONNRESET);
}

static void forget_peer(struct dev_peer *peer)
{
    struct shm_peer *p = peer->priv;

    shm_sending_drop(p);
    shm_coop_drop(p);
    shm_set_refused(&p->tx, false);
    if (p->rx.memory)
        shm_ring_give(p->rx.memory, p->rx.lines);
    shm_peer_forget(p);
    peer->priv = NULL;
}

__attribute__((noinline)) static bool poll_unfinished(void)
{
    bool moved = shm_coop_active && shm_coop_poll();

    moved |= shm_put_poll();
    if (shm_sending)
        moved |= shm_flush();
    shm_unfinished = shm_coop_active || shm_putting || shm_sending;
    return moved;
}

static bool poll_shm(void)
{
    bool moved = shm_rx_poll_rings();

    shm_polls++;
    moved |= shm_rx_poll_fifo();
    if (__builtin_expect(shm_unfinished, 0))
        moved |= poll_unfinished();
    return moved;
}

const struct dev_ops dev_shm = {
    .name = "shm",
    .abi = DEV_ABI,
    .settings = settings,
    .counters = counters,
    .query = shared_memory_limits,
    .open = open_shm,
    .close = close_shm,
    .cost = shared_memory_cost,
    .add_peer = add_peer,
    .del_peer = del_peer,
    .forget_peer = forget_peer,
    .inject = shm_inject,
    .inject_plain = shm_inject_plain,
    .send = shm_send,
    .poll = poll_shm,
    .get = shm_get,
    .put = shm_put,
    .describe = shm_describe,
};
