/* mailbox.c — the example of doc/devices.md: a device for the processes of one node.
 *
 * Each pair has a mailbox for each direction, with room for one fragment of a packet. The reader
 * allocates it in the node's memory. The device is slow, but complete. */
#include <errno.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "devices/device.h"
#include "devices/iov.h"
#include "platform/os.h"

extern const struct dev_ops dev_mailbox;

enum { ROOM = 4096 };

struct box {
    _Atomic uint32_t full;
    uint32_t bytes;     /* in this fragment */
    uint64_t at;        /* where in the payload it belongs */
    struct dev_pkt pkt; /* of each fragment */
    char data[ROOM];
};

struct proof { /* beside the boxes of a process: is it the one that its pid names here? */
    int32_t pid;
    uint64_t number, at;  /* a random number, and its address in that process */
    _Atomic int32_t busy; /* 1 + index of the process that does an atomic operation there; or 0 */
};

struct pair { /* the state of a peer */
    struct dev_peer *peer;
    struct box *out;
    struct dev_send *first, **last; /* ops that wait for room */
    struct dev_target target;
    uint64_t got; /* bytes of a payload under way, 0 when there is none */
    struct proof *proof;
    struct dev_atomic *atomics; /* that wait for `busy` */
    bool gone;
};

static const struct dev_env *env;
static struct box *boxes;  /* of this process, by the writer's rank */
static struct pair *pairs; /* by rank */
static uint64_t number;    /* see struct proof */

/* Wakes the peer if it sleeps. Where a fence is needed it stands between the write that the peer
 * may wait for and the look at asleep(). */
static void wake(const struct dev_peer *peer)
{
    const struct dev_node *n = peer->node;

    if (env->node->fences)
        atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(n->asleep(n, peer->local), memory_order_relaxed) != DEV_AWAKE)
        n->wake(n, peer->local);
}

/* ---- sending --------------------------------------------------------------------------------- */

/* Writes the fragment that begins at op->sent: returns its bytes, or -1 when the mailbox is
 * full. */
static ptrdiff_t write_box(struct pair *p, const struct dev_send *op)
{
    struct box *b = p->out;
    size_t left = op->pkt.payload - op->sent;

    if (atomic_load_explicit(&b->full, memory_order_acquire))
        return -1;
    b->pkt = op->pkt;
    b->at = op->sent;
    b->bytes = (uint32_t) (left < ROOM ? left : ROOM);
    iov_gather(op, op->sent, b->data, b->bytes);
    atomic_store_explicit(&b->full, 1, memory_order_release);
    wake(p->peer);
    return b->bytes;
}

static int inject(struct dev_peer *to, const struct dev_pkt *pkt, const void *data)
{
    struct pair *p = to->priv;
    const struct dev_send op = { .pkt = *pkt,
                                 .iov[0] = { (void *) data, pkt->payload },
                                 .iovcnt = 1 };

    if (p->gone)
        return -ECONNRESET;
    return p->first || write_box(p, &op) < 0 ? DEV_AGAIN : 0;
}

static bool push(struct pair *p)
{
    bool moved = false;

    for (ptrdiff_t n; p->first && (n = write_box(p, p->first)) >= 0; moved = true) {
        struct dev_send *op = p->first;
        if ((op->sent += (size_t) n) < op->pkt.payload)
            continue;
        if (!(p->first = op->next))
            p->last = &p->first;
        op->done(op, 0); /* done() may send, so the queue is updated first */
    }
    return moved;
}

static void send_op(struct dev_peer *to, struct dev_send *op)
{
    struct pair *p = to->priv;

    if (p->gone) {
        op->done(op, -ECONNRESET);
        return;
    }
    op->next = NULL;
    *p->last = op;
    p->last = &op->next;
    (void) push(p);
}

/* ---- writing to a peer's memory -------------------------------------------------------------- */

static bool can_put(const struct proof *proof)
{
    uint64_t found = 0;

    return proof->pid
           && !os_cma_read(proof->pid, &found, (void *) (uintptr_t) proof->at, sizeof found)
           && found == proof->number;
}

/* The bytes are there when this returns, so done() is called at once. Noncontiguous memory goes
 * through a buffer. */
static void put(struct dev_peer *to, struct dev_put *op)
{
    const struct pair *p = to->priv;
    int err = p->gone ? -ECONNRESET : to->can_put ? 0 : -EOPNOTSUPP;
    char room[ROOM];

    for (size_t at = 0, n; !err && at < op->len; at += n) {
        const char *from = op->memory ? room : (const char *) op->from + at;
        n = op->len - at;
        if (op->memory && n > ROOM)
            n = ROOM;
        if (op->memory)
            op->memory->gather(op->memory, at, room, n);
        err = os_cma_write(p->proof->pid, from, (void *) (uintptr_t) (op->addr + at), n);
    }
    op->done(op, err);
}

/* ---- atomic operations -----------------------------------------------------------------------
 *
 * A word beside the boxes of the target is the lock of its memory. Its holder reads, changes and
 * writes one element, and waits for nothing meanwhile. */

/* Takes the lock of a peer's memory, also from a process that died with it. */
static bool lock_memory(struct pair *p)
{
    int32_t holder = 0, own = 1 + env->node->index;

    if (atomic_compare_exchange_strong(&p->proof->busy, &holder, own))
        return true;
    return !env->node->alive(env->node, holder - 1)
           && atomic_compare_exchange_strong(&p->proof->busy, &holder, own);
}

static uint64_t changed(const struct dev_atomic *op, uint64_t there)
{
    uint64_t o = op->origin ? *(const uint64_t *) op->origin : 0;

    if (op->op == DEV_CAS)
        return there == *(const uint64_t *) op->compare ? o : there;
    return op->op == DEV_SUM ? there + o : op->op == DEV_REPLACE ? o : there;
}

static int change(const struct pair *p, const struct dev_atomic *op)
{
    void *at = (void *) (uintptr_t) op->addr;
    uint64_t before, after;
    int err = os_cma_read(p->proof->pid, &before, at, sizeof before);

    after = changed(op, before);
    if (!err && op->op != DEV_READ)
        err = os_cma_write(p->proof->pid, &after, at, sizeof after);
    if (!err && op->result)
        *(uint64_t *) op->result = before;
    return err;
}

/* Does the first operation in the queue. True when there are more, or when the memory is busy. */
static bool push_atomic(struct pair *p)
{
    struct dev_atomic *op = p->atomics;

    if (!op || !lock_memory(p))
        return op;
    int err = change(p, op);
    atomic_store(&p->proof->busy, 0);
    p->atomics = op->next;
    op->done(op, err);
    return true;
}

static void atomic_op(struct dev_peer *to, struct dev_atomic *op)
{
    struct pair *p = to->priv;

    if (p->gone || !to->can_put) {
        op->done(op, p->gone ? -ECONNRESET : -EOPNOTSUPP);
        return;
    }
    op->next = p->atomics;
    p->atomics = op;
    (void) push_atomic(p);
}

static size_t atomic_room(enum dev_type type, enum dev_op op, bool fetches)
{
    if (type != DEV_INT64 && type != DEV_UINT64)
        return 0;
    switch (op) {
    case DEV_SUM:
    case DEV_REPLACE:
        return 1;
    case DEV_READ:
    case DEV_CAS:
        return fetches;
    default:
        return 0;
    }
}

/* ---- receiving ------------------------------------------------------------------------------- */

/* Completes what is under way in both directions with an error. */
static void end(struct pair *p)
{
    p->gone = true;
    if (p->got)
        env->up->recv_end(&p->target, -ECONNRESET);
    p->got = 0;
    for (struct dev_send *op; (op = p->first);) {
        p->first = op->next;
        op->done(op, -ECONNRESET);
    }
    for (struct dev_atomic *op; (op = p->atomics);) {
        p->atomics = op->next;
        op->done(op, -ECONNRESET);
    }
}

/* Gives the fragment in the box to ADI3: 0, or why it is refused. Its header is not trusted. */
static int open_box(struct pair *p, struct box *b)
{
    struct dev_pkt pkt = b->pkt;
    uint32_t bytes = b->bytes;
    int rc = 0;

    if (bytes > ROOM || b->at != p->got || bytes > pkt.payload - p->got || (!bytes && pkt.payload))
        return -EPROTO;
    if (bytes == pkt.payload)
        return env->up->recv(p->peer, &pkt, b->data);
    if (!p->got)
        p->target = (struct dev_target) { .iovcnt = 0 };
    if (!p->got && (rc = env->up->recv_begin(p->peer, &pkt, &p->target)) < 0)
        return rc;
    iov_scatter(&p->target, p->got, b->data, bytes);
    if ((p->got += bytes) < pkt.payload)
        return 0;
    p->got = 0;
    env->up->recv_end(&p->target, 0);
    return 0;
}

static bool look(int rank)
{
    struct pair *p = &pairs[rank];
    struct box *b = &boxes[rank];

    if (p->gone || !atomic_load_explicit(&b->full, memory_order_acquire))
        return false;
    if (!p->peer
        && !env->up->peer(env->job, rank)) /* at the first packet of a peer; peer() adds it */
        return false;
    int rc = open_box(p, b);
    atomic_store_explicit(&b->full, 0, memory_order_release);
    wake(p->peer); /* the writer may wait for room */
    if (rc < 0) {
        end(p);
        env->up->peer_lost(p->peer, rc);
    }
    return true;
}

static bool poll_boxes(void)
{
    bool moved = false;

    for (int rank = 0; rank < env->job->size; rank++) {
        moved |= look(rank);
        moved |= push(&pairs[rank]);
        moved |= push_atomic(&pairs[rank]);
    }
    return moved;
}

/* ---- opening and closing --------------------------------------------------------------------- */

static int query(struct dev_limits *out)
{
    *out = (struct dev_limits) { .inject_max = ROOM, .eager_max = 16384, .node_only = true };
    return 0;
}

/* The endpoint is the offset of the boxes of this process. */
static int open_boxes(const struct dev_env *e, char endpoint[DEV_ENDPOINT_MAX])
{
    const char *why;
    size_t bytes = (size_t) e->job->size * sizeof *boxes;
    size_t offset = e->node->take(e->node, bytes + sizeof(struct proof), &why);

    if (!offset || !(pairs = calloc((size_t) e->job->size, sizeof *pairs)))
        return -ENOMEM;
    env = e;
    boxes = (struct box *) (void *) (e->node->base + offset);
    struct proof *own = (struct proof *) (void *) ((char *) boxes + bytes);
    if (!os_random(&number, sizeof number)) {
        (void) prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
        *own = (struct proof) { .pid = (int32_t) getpid(), .number = number };
        own->at = (uintptr_t) &number;
    }
    for (int i = 0; i < 16; i++)
        endpoint[i] = "0123456789abcdef"[offset >> (60 - 4 * i) & 15];
    endpoint[16] = '\0';
    return 0;
}

static void close_boxes(void)
{
    free(pairs);
    pairs = NULL;
}

static int cost(const struct dev_peer *peer)
{
    return peer->node == env->node && peer->endpoint ? 2 : -1;
}

static int add_peer(struct dev_peer *peer)
{
    struct pair *p = &pairs[peer->rank];
    size_t offset = strtoull(peer->endpoint, NULL, 16);

    *p = (struct pair) { .peer = peer };
    p->last = &p->first;
    p->out = (struct box *) (void *) (env->node->base + offset) + env->rank;
    p->proof = (struct proof *) (void *) (env->node->base + offset
                                          + (size_t) env->job->size * sizeof *boxes);
    peer->can_put = can_put(p->proof);
    peer->priv = p;
    return 0;
}

static void del_peer(struct dev_peer *peer) { end(peer->priv); }

const struct dev_ops dev_mailbox = {
    .name = "mailbox",
    .abi = DEV_ABI,
    .query = query,
    .open = open_boxes,
    .close = close_boxes,
    .cost = cost,
    .add_peer = add_peer,
    .del_peer = del_peer,
    .inject = inject,
    .send = send_op,
    .poll = poll_boxes,
    .put = put,
    .atomic = atomic_op,
    .atomic_room = atomic_room,
};
