/* fake.c — the device of the fake job, and what the other processes do. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "adi3/adi3_connect.h"
#include "fake.h"
#include "devices/iov.h"
#include "platform/setting.h"

struct fake fake;
int fake_size = FAKE_SIZE;
static struct fake_packet *sent, **last = &sent;

/* ---- the device ------------------------------------------------------------------------------ */

static int query(struct dev_limits *out)
{
    *out = (struct dev_limits) { .inject_max = FAKE_INJECT_MAX, .eager_max = FAKE_EAGER_MAX };
    return 0;
}

static bool on_request(void) { return fake.asks++, fake.on_request; }

static int open_fake(const struct dev_env *env, char endpoint[DEV_ENDPOINT_MAX])
{
    assert_int_equal(env->job->size, fake_size);
    memcpy(endpoint, "here", 5);
    return 0;
}

static void close_fake(void) {}

static bool is_self(const struct dev_peer *peer)
{
    return peer->job == &proc_own_job.dev && peer->rank == FAKE_RANK;
}

static int cost(const struct dev_peer *peer)
{
    (void) snprintf(fake.endpoint, sizeof fake.endpoint, "%s", peer->endpoint);
    if (fake.nowhere || (is_self(peer) && !fake.self))
        return -1;
    return 5;
}

static int add_peer(struct dev_peer *peer)
{
    fake.adds++;
    if (fake.no_peer) {
        fake.no_peer--;
        return -ENOMEM;
    }
    peer->can_get = !fake.cannot_get;
    peer->priv = &fake;
    return 0;
}

/* Done with an error, those that are still ours. */
static void fail_ops(int number)
{
    for (struct fake_packet *p = sent; p; p = p->next) {
        struct dev_send *op = p->op;
        if (op && (number < 0 || p->to == number)) {
            p->op = NULL;
            op->done(op, -ECONNRESET);
        }
    }
}

static void del_peer(struct dev_peer *peer)
{
    fake.dels++;
    fail_ops(proc_number(proc_of(peer)));
}

/* The bytes behind the tag of a plain packet are not valid, and may have any values. */
struct dev_pkt fake_plain(struct dev_pkt pkt)
{
    pkt.flags |= DEV_PLAIN;
    memset((char *) &pkt + offsetof(struct dev_pkt, len), 0xdb,
           sizeof pkt - offsetof(struct dev_pkt, len));
    return pkt;
}

static struct dev_pkt on_the_wire(const struct dev_pkt *pkt)
{
    return pkt->flags & DEV_PLAIN ? fake_plain(*pkt) : *pkt;
}

static struct fake_packet *keep(struct dev_peer *to, const struct dev_pkt *pkt)
{
    struct fake_packet *p = malloc(sizeof *p + pkt->payload);

    assert_true(p && to->priv == &fake); /* it was added */
    *p = (struct fake_packet) { .to = proc_number(proc_of(to)), .pkt = on_the_wire(pkt) };
    last = &(*last = p)->next;
    return p;
}

static int inject(struct dev_peer *to, const struct dev_pkt *pkt, const void *data)
{
    assert_true(pkt->payload <= FAKE_INJECT_MAX);
    if (is_self(to)) {
        const struct dev_pkt p = on_the_wire(pkt);
        return p2p_upcalls.recv(to, &p, data);
    }
    if (fake.loses)
        return -ECONNRESET;
    if (fake.again) {
        fake.again -= fake.again > 0;
        return DEV_AGAIN;
    }
    struct fake_packet *p = keep(to, pkt);
    if (pkt->payload)
        memcpy(p->payload, data, pkt->payload);
    return 0;
}

static void send_fake(struct dev_peer *to, struct dev_send *op)
{
    assert_int_equal(op->sent, 0);
    if (is_self(to)) {
        const struct dev_pkt p = on_the_wire(&op->pkt);
        char *payload = calloc(1, p.payload + 1);
        iov_gather(op, 0, payload, p.payload);
        op->done(op, p2p_upcalls.recv(to, &p, payload));
        free(payload);
        return;
    }
    if (fake.loses) {
        op->done(op, -ECONNRESET);
        return;
    }
    struct fake_packet *p = keep(to, &op->pkt);
    iov_gather(op, 0, p->payload, op->pkt.payload);
    if (fake.holds)
        p->op = op;
    else
        op->done(op, 0);
}

static bool poll_fake(void) { return fake.poll && fake.poll(); }

static void get(struct dev_peer *from, struct dev_get *op)
{
    (void) from;
    fake.gets++;
    assert_false(fake.cannot_get);
    if (fake.get_late) {
        assert_null(fake.late);
        fake.late = op;
        return;
    }
    const void *at = (const void *) (uintptr_t) op->addr;
    if (op->memory && !fake.get_fails)
        op->memory->scatter(op->memory, 0, at, op->len);
    else if (!fake.get_fails)
        memcpy(op->to, at, op->len);
    op->done(op, fake.get_fails ? -EPERM : 0);
}

struct dev_ops fake_ops = {
    .name = "fake",
    .abi = DEV_ABI,
    .query = query,
    .on_request = on_request,
    .open = open_fake,
    .close = close_fake,
    .cost = cost,
    .add_peer = add_peer,
    .del_peer = del_peer,
    .inject = inject,
    .send = send_fake,
    .poll = poll_fake,
    .get = get,
};

static int query_absent(struct dev_limits *out) { return (void) out, -ENODEV; }
struct dev_ops fake_rival = { .name = "rival", .query = query_absent };
const struct dev_ops *const dev_table[] = { &fake_ops, &fake_rival, NULL };

/* ---- life ------------------------------------------------------------------------------------ */

static void complain(const char *line) { fail_msg("%s", line); }

int fake_join(void)
{
    setting_load(adi3_settings(), NULL, NULL, complain);
    return adi3_init(false);
}

void fake_start(void)
{
    fake_reset();
    assert_int_equal(fake_join(), MPI_SUCCESS);
    for (int rank = 1; rank < FAKE_SIZE; rank++)
        assert_non_null(p2p_upcalls.peer(&proc_own_job.dev, rank)); /* as if we had talked */
}

void fake_reset(void)
{
    fake = (struct fake) { .again = 0 };
    fake_ops.get = get;
}

void fake_without_get(void) { fake_ops.get = NULL; }
void fake_with_get(void) { fake_ops.get = get; }

/* The others come to MPI_Finalize when we do: they take all, and join the finalize barrier. */
bool fake_join_barrier(void)
{
    struct adi3_queues *q = adi3_world.queue[1];
    bool moved = sent || q->nposted;

    while (sent) {
        struct fake_packet *p = fake_take();
        const struct dev_pkt cts = { .type = PKT_CTS, .sreq = p->pkt.sreq };
        if (p->pkt.type == PKT_RTS)
            assert_int_equal(fake_arrive(p->to, cts, NULL, FAKE_WHOLE), 0);
        free(p);
    }
    if (q->nposted) {
        const struct match_entry *e = OS_OWNER(q->posted.next, struct match_entry, all);
        struct dev_pkt pkt = fake_eager(e->rank, e->tag, 0);
        pkt.ctx = adi3_world.recv_ctx + ADI3_COLL;
        assert_true(fake_arrive(e->rank, pkt, NULL, FAKE_WHOLE) >= 0);
    }
    return moved;
}

void fake_let_go(struct adi3_comm *c)
{
    adi3_comm_unlink(c);
    adi3_comm_release(c);
}

void fake_stop(void)
{
    assert_int_equal(fake_requests(), 0); /* leaving would wait for them */
    fake_leave();
}

void fake_leave(void)
{
    fake_reset();
    fake.poll = fake_join_barrier;
    assert_int_equal(adi3_finalize(), MPI_SUCCESS);
    fake_drop();
}

int fake_settled(void **state)
{
    (void) state;
    assert_int_equal(fake_waiting(), 0);
    assert_int_equal(fake_requests(), 0);
    assert_true(p2p_with_devices() == 0);
    assert_int_equal(adi3_world.queue[0]->nposted, 0);
    assert_int_equal(adi3_world.queue[0]->nunexpected, 0);
    fake_reset();
    return 0;
}

int fake_setup(void **state)
{
    (void) state;
    fake_start();
    return 0;
}

int fake_teardown(void **state)
{
    (void) state;
    fake_stop();
    return 0;
}

/* ---- packets that were sent ------------------------------------------------------------------ */

struct fake_packet *fake_take(void)
{
    struct fake_packet *p = sent;

    assert_non_null(p);
    assert_null(p->op);
    if (!(sent = p->next))
        last = &sent;
    return p;
}

struct dev_pkt fake_sent(int to, enum adi3_pkt_type type)
{
    struct fake_packet *p = fake_take();
    struct dev_pkt pkt = p->pkt;

    assert_int_equal(p->to, to);
    assert_int_equal(pkt.type, type);
    free(p);
    return pkt;
}

int fake_waiting(void)
{
    int n = 0;

    for (struct fake_packet *p = sent; p; p = p->next)
        n++;
    return n;
}

bool fake_holds_first(void) { return sent && sent->op; }

void fake_drop(void)
{
    while (sent)
        free(fake_take());
}

void fake_finish(int err)
{
    for (struct fake_packet *p = sent; p; p = p->next) {
        struct dev_send *op = p->op;
        p->op = NULL;
        if (op)
            op->done(op, err);
    }
}

/* ---- packets that arrive --------------------------------------------------------------------- */

static struct dev_peer *peer(int rank)
{
    struct dev_peer *p = p2p_upcalls.peer(&proc_own_job.dev, rank);

    assert_true(p && p->rank == rank);
    return p;
}

int fake_begin(int from, struct dev_pkt pkt, struct dev_target *target)
{
    *target = (struct dev_target) { .iovcnt = 0 };
    int rc = p2p_upcalls.recv_begin(peer(from), &pkt, target);
    assert_true(rc == 0 || (rc < 0 && target->iovcnt == 0 && !target->cookie));
    return rc;
}

/* As a device does: into the target's pieces as far as they go, the rest nowhere. */
void fake_pour(struct dev_target *target, const void *payload, size_t len)
{
    size_t *done = &target->iov[DEV_IOV_MAX - 1].iov_len; /* a piece that ADI3 does not use */

    assert_true(target->iovcnt < DEV_IOV_MAX);
    iov_scatter(target, *done, payload, len);
    *done += len;
}

void fake_end(struct dev_target *target, int err) { p2p_upcalls.recv_end(target, err); }

static void read_now(void)
{
    while (!fake.reads_later && proto_reads)
        (void) read_source.poll();
}

int fake_arrive(int from, struct dev_pkt pkt, const void *payload, int pieces)
{
    struct dev_target target;

    if (pieces == FAKE_WHOLE) {
        char *copy = malloc(pkt.payload + 1); /* the device's own, freed when recv() returns */
        assert_non_null(copy);
        if (pkt.payload)
            memcpy(copy, payload, pkt.payload);
        int rc = p2p_upcalls.recv(peer(from), &pkt, copy);
        free(copy);
        read_now();
        return rc;
    }
    int rc = fake_begin(from, pkt, &target);
    if (rc)
        return rc;
    size_t done = 0;
    for (int i = 1; i <= pieces; i++) {
        size_t left = pkt.payload - done;
        size_t n = i == pieces ? left : unit_random((uint32_t) left + 1);
        fake_pour(&target, (const char *) payload + done, n);
        done += n;
    }
    fake_end(&target, 0);
    return 0;
}

void fake_lose(int rank)
{
    fail_ops(rank);
    p2p_upcalls.peer_lost(peer(rank), -ECONNRESET);
}

struct dev_pkt fake_eager(int rank, int tag, size_t len)
{
    return (struct dev_pkt) {
        .payload = len,
        .type = PKT_EAGER,
        .ctx = adi3_world.recv_ctx,
        .rank = rank,
        .tag = tag,
        .len = len,
    };
}

struct dev_pkt fake_rts(int rank, int tag, size_t len, uint32_t sreq, const void *addr)
{
    return (struct dev_pkt) { .type = PKT_RTS,
                              .ctx = adi3_world.recv_ctx,
                              .rank = rank,
                              .tag = tag,
                              .len = len,
                              .sreq = sreq,
                              .addr = (uintptr_t) addr };
}

/* ---- requests -------------------------------------------------------------------------------- */

struct adi3_data fake_bytes(const void *buf, size_t len)
{
    return (struct adi3_data) { (void *) (uintptr_t) buf, len, adi3_type_builtin(MPI_BYTE) };
}

static struct adi3_request *request(MPI_Request handle)
{
    struct adi3_request *r = adi3_request_get(handle);

    assert_non_null(r);
    return r;
}

struct adi3_request *fake_isend(const void *buf, size_t len, int dest, int tag, int mode)
{
    struct adi3_data d = fake_bytes(buf, len);
    MPI_Request h = 0;

    assert_int_equal(adi3_isend(&d, dest, tag, &adi3_world, mode, &h), MPI_SUCCESS);
    return h == ADI3_REQUEST_COMPLETE ? NULL : request(h);
}

struct adi3_request *fake_irecv(void *buf, size_t len, int source, int tag)
{
    struct adi3_data d = fake_bytes(buf, len);
    MPI_Request h = 0;

    assert_int_equal(adi3_irecv(&d, source, tag, &adi3_world, ADI3_STANDARD, &h), MPI_SUCCESS);
    read_now();
    return request(h);
}

int fake_class(int err) { return err & ADI3_CLASS_MASK; }

uint64_t fake_counter(const char *name)
{
    const struct counter *c = counter_find(adi3_counters(), name);

    assert_non_null(c);
    return counter_value(c, NULL);
}

int fake_requests(void)
{
    int n = 0;

    for (void *r = adi3_next(&adi3_requests, NULL); r; r = adi3_next(&adi3_requests, r))
        n++;
    return n;
}

bool fake_done(struct adi3_request *r) { return !r || adi3_request_done(r); }

int fake_result(struct adi3_request *r, MPI_Status *status)
{
    assert_true(fake_done(r));
    return r ? adi3_request_finish(r, status) : MPI_SUCCESS;
}
