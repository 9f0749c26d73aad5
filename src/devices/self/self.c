/* self.c — the device for messages of a process to itself: memcpy. */
#include <string.h>
#include "devices/device.h"
#include "devices/iov.h"

enum { CHUNK = 16384 }; /* bytes that are copied at a time: they stay in the cache */

static const struct dev_env *env;

static int self_limits(struct dev_limits *out)
{
    *out = (struct dev_limits) { .inject_max = 16384, .eager_max = 16384, .node_only = true };
    return 0;
}

static int open_self(const struct dev_env *e, char endpoint[DEV_ENDPOINT_MAX])
{
    env = e;
    endpoint[0] = '\0';
    return 0;
}

static void close_self(void) {}
static int self_cost(const struct dev_peer *peer)
{
    return peer->job == env->job && peer->rank == env->rank ? 0 : -1;
}

static int add_peer(struct dev_peer *peer)
{
    peer->can_get = true;
    return 0;
}

static void del_peer(struct dev_peer *peer) { (void) peer; }

static int self_inject(struct dev_peer *to, const struct dev_pkt *pkt, const void *data)
{
    int rc = env->up->recv(to, pkt, data);

    return rc < 0 ? rc : 0;
}

/* Copies from the noncontiguous memory of an op to that of a target. */
static int send_noncontig(struct dev_peer *to, struct dev_send *op)
{
    struct dev_target target = { .iovcnt = 0 };
    size_t len = (size_t) op->pkt.payload;
    char chunk[CHUNK];
    int rc = env->up->recv_begin(to, &op->pkt, &target);

    if (rc)
        return rc;
    bool unlocked = env->unlock && env->unlock(len);
    for (size_t at = 0, n; at < len; at += n) {
        n = len - at < CHUNK ? len - at : CHUNK;
        iov_gather(op, at, chunk, n);
        iov_scatter(&target, at, chunk, n);
    }
    if (unlocked)
        env->lock();
    env->up->recv_end(&target, 0);
    return 0;
}

static void send_self(struct dev_peer *to, struct dev_send *op)
{
    bool whole = (op->iovcnt <= 1 && !op->memory) || !op->pkt.payload;

    op->done(op, whole ? self_inject(to, &op->pkt, op->iov[0].iov_base) : send_noncontig(to, op));
}

static void self_get(struct dev_peer *from, struct dev_get *op)
{
    (void) from;
    bool unlocked = env->unlock && env->unlock(op->len);
    if (op->memory)
        op->memory->scatter(op->memory, 0, (const void *) (uintptr_t) op->addr, op->len);
    else
        memmove(op->to, (const void *) (uintptr_t) op->addr, op->len);
    if (unlocked)
        env->lock();
    op->done(op, 0);
}

const struct dev_ops dev_self = {
    .name = "self",
    .abi = DEV_ABI,
    .query = self_limits,
    .open = open_self,
    .close = close_self,
    .cost = self_cost,
    .add_peer = add_peer,
    .del_peer = del_peer,
    .inject = self_inject,
    .send = send_self,
    .get = self_get,
};
