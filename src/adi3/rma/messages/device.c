/* device.c — puts and gets of large data that the device does: it writes and reads the memory of
 * the target, which copies nothing.
 *
 * An origin asks for the key of a target's memory when it has the first such operation with it. The
 * target registers its memory when it is first asked. Until the answer has come, and whatever the
 * device does not do, goes by messages: as the operation says the same twice, it may also be done
 * by both. A sync packet that says something of all operations before it waits until the device has
 * done them. */
#include <stdlib.h>
#include <string.h>
#include "adi3/rma/messages/wire.h"

struct rma_registered { /* the memory of this process in a window, with one device */
    struct rma_registered *next;
    const struct dev_ops *ops;
    void *handle;
    struct rma_key key;
};

/* ---- the target ------------------------------------------------------------------------------ */

static struct rma_registered *register_with(struct adi3_win *w, const struct adi3_dev *d)
{
    const struct iovec mem = { w->base, (size_t) w->size };
    struct rma_registered *r =
        w->flavor != MPI_WIN_FLAVOR_DYNAMIC && w->size > 0 && (d->ops->put || d->ops->get)
            ? calloc(1, sizeof *r)
            : NULL;

    if (!r)
        return NULL;
    *r = (struct rma_registered) { .next = w->registered,
                                   .ops = d->ops,
                                   .key = { .addr = (uintptr_t) w->base,
                                            .size = mem.iov_len,
                                            .disp_unit = w->disp_unit,
                                            .device = d->place } };
    if (d->ops->register_memory
        && d->ops->register_memory(&mem, &r->key.addr, &r->key.key, &r->handle)) {
        free(r);
        return NULL;
    }
    return w->registered = r;
}

static void key_request_answer(struct adi3_win *w, const struct rma_target *origin)
{
    const struct adi3_proc *p = w->comm->proc[origin->rank];
    const struct rma_key none = { .addr = 0 };
    struct rma_registered *r = w->registered;
    struct rma_sync_fields fields;

    assert(adi3_lock_held());
    while (r && r->ops != p->dev->ops)
        r = r->next;
    if (!r)
        r = register_with(w, p->dev);
    memcpy(&fields, r ? &r->key : &none, sizeof fields);
    (void) rma_sync_send(w, origin->rank, RMA_SYNC_KEY_REPLY, &fields); /* an error: it is lost */
}

static int key_request_comes(struct adi3_win *w, struct rma_target *t,
                             const struct rma_sync_fields *f)
{
    (void) f;
    key_request_answer(w, t);
    return MPI_SUCCESS;
}

const struct rma_sync_row rma_key_request_sync = { .name = "KEY_REQUEST",
                                                   .come = key_request_comes };

void rma_deregister(struct adi3_win *w)
{
    struct rma_registered *r;

    while ((r = w->registered)) {
        w->registered = r->next;
        if (r->ops->deregister_memory)
            r->ops->deregister_memory(r->handle);
        free(r);
    }
}

void rma_devices_end(void)
{
    struct rma_target *t;

    for (struct adi3_win *w = NULL; (w = adi3_next(&adi3_wins, w));) {
        rma_deregister(w);
        for (int rank = 0; (t = rma_next_target(w, &rank));)
            t->key_state = RMA_KEY_UNKNOWN;
    }
}

/* ---- the origin ------------------------------------------------------------------------------ */

void rma_key_received(struct rma_target *t, const struct rma_key *key)
{
    t->key = *key;
    t->key_state = key->addr && key->disp_unit > 0 ? RMA_KEY_KNOWN : RMA_KEY_NONE;
}

static bool key_was_requested(const struct rma_target *t, const struct rma_sync_fields *f)
{
    (void) f;
    return t->key_state == RMA_KEY_REQUESTED;
}

static int key_reply_comes(struct adi3_win *w, struct rma_target *t,
                           const struct rma_sync_fields *f)
{
    (void) w;
    rma_key_received(t, (const void *) f);
    return MPI_SUCCESS;
}

const struct rma_sync_row rma_key_reply_sync = { .name = "KEY_REPLY",
                                                 .may_come = key_was_requested,
                                                 .come = key_reply_comes };

/* The address of the one range that x names in the memory of t; 0: it is none, or not known. */
static uint64_t device_find_address(struct adi3_win *w, struct rma_target *t,
                                    const struct adi3_rma *x, size_t len)
{
    const struct adi3_dev *d = w->comm->proc[t->rank]->dev;
    struct adi3_data there = { NULL, x->count, x->type };
    static const struct rma_sync_fields none;
    MPI_Aint offset;

    if (t->key_state == RMA_KEY_UNKNOWN && !rma_sync_send(w, t->rank, RMA_SYNC_KEY_REQUEST, &none))
        t->key_state = RMA_KEY_REQUESTED;
    if (t->key_state != RMA_KEY_KNOWN || t->key.device != d->place
        || x->count * x->type->size != len
        || rma_range(w, t->rank, x, t->key.disp_unit, t->key.size, &offset))
        return 0;
    there.buf = (void *) (uintptr_t) (t->key.addr + (uint64_t) offset);
    return (uintptr_t) adi3_one_range(&there);
}

static struct adi3_rma *operation_copy(const struct adi3_rma *x)
{
    struct adi3_rma *again = malloc(sizeof *again);

    if (again) {
        *again = *x;
        again->origin.type->refs++;
        again->type->refs++;
    }
    return again;
}

/* An error of the device need not be one of the process. */
static void device_op_done(struct adi3_request *r, int err)
{
    struct packet_op *p = r->own;

    p2p_lend(-1);
    p->target->at_device--;
    if (err && !proc_of(r->peer)->lost) {
        r->error = message_start(p->win, p->target, p->again, p->user_op);
        err = 0;
    }
    packet_op_done(r, err);
}

static void get_done(struct dev_get *op, int err)
{
    device_op_done(OS_OWNER(op, struct adi3_request, get), err);
}

static void put_done(struct dev_put *op, int err)
{
    device_op_done(OS_OWNER(op, struct adi3_request, put), err);
}

/* Gives r to the device: all of the origin's data, at an address of the target. */
static void device_give_op(struct adi3_request *r, const struct adi3_rma *x, uint64_t addr,
                           size_t len)
{
    const struct packet_op *p = r->own;
    const struct dev_ops *ops = proc_of(r->peer)->dev->ops;
    uint64_t key = p->target->key.key;
    char *bytes = adi3_one_range(&x->origin);

    r->state = ADI3_ACTIVE;
    if (!bytes)
        request_data(r, &x->origin);
    const struct dev_memory *memory = bytes ? NULL : &r->memory;
    p->target->at_device++;
    p2p_lend(1);
    if (x->kind == ADI3_PUT) {
        r->put = (struct dev_put) {
            .from = bytes, .memory = memory, .addr = addr, .key = key, .len = len, .done = put_done
        };
        ops->put(r->peer, &r->put);
    } else {
        r->get = (struct dev_get) {
            .to = bytes, .memory = memory, .addr = addr, .key = key, .len = len, .done = get_done
        };
        ops->get(r->peer, &r->get);
    }
}

bool device_start(struct adi3_win *w, struct rma_target *t, const struct adi3_rma *x,
                  struct user_op *user_op)
{
    const struct adi3_proc *p = w->comm->proc[t->rank];
    size_t len = x->origin.type ? x->origin.count * x->origin.type->size : 0;
    uint64_t addr;

    assert(adi3_lock_held());
    if (x->kind > ADI3_GET || len < rma_device_least || !len || p->lost
        || !(x->kind == ADI3_PUT ? p->dev->ops->put && p->peer.can_put
                                 : p->dev->ops->get && p->peer.can_get))
        return false;
    if (!(addr = device_find_address(w, t, x, len)))
        return false;
    const struct packet_op packet_op = { .target = t,
                                         .user_op = user_op,
                                         .again = operation_copy(x) };
    struct adi3_request *r = packet_op.again ? packet_op_new(w, t->rank, &packet_op) : NULL;
    if (r)
        device_give_op(r, x, addr, len);
    return r;
}
