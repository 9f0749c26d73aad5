/* batch.c — accumulates by CMA that are done together.
 *
 * A call of the kernel costs more than an operation on a few elements. So operations without a
 * result wait in a batch of their target, with a copy of their data, until a flush, the end of the
 * epoch, another accumulate operation, or until the batch is full. Then the bytes of all are read
 * by one call, the operations are done in their order, and the bytes are written by another one,
 * all under their stripes. */
#include <stdlib.h>
#include <string.h>
#include "adi3/rma/shared/atomic.h"

enum {
    OPERATIONS = 256,
    BYTES = 32768, /* of all operations */
    EACH = 1024,   /* of one, at most */
};

struct operation {
    char *at;        /* an address of the target */
    uint32_t len;    /* bytes there, and ... */
    uint32_t packed; /* ... from here on in the batch */
    uint32_t place;  /* in the bytes of all, while the batch runs */
    const struct adi3_op *op;
    const struct adi3_type *basic;
};

struct rma_batch {
    int n;
    uint32_t used;
    struct operation x[OPERATIONS];
    char packed[BYTES];
};

/* ---- adding ---------------------------------------------------------------------------------- */

/* What lies behind the last operation in memory goes with it. */
static bool batch_extend(struct rma_batch *b, const struct operation *x)
{
    struct operation *last = b->n > 0 ? &b->x[b->n - 1] : NULL;

    if (!last || last->at + last->len != x->at || last->op != x->op || last->basic != x->basic)
        return false;
    last->len += x->len;
    return true;
}

static struct rma_batch *batch_of(struct rma_target *t)
{
    if (!t->batch && (t->batch = malloc(sizeof *t->batch))) {
        t->batch->n = 0;
        t->batch->used = 0;
    }
    return t->batch;
}

int rma_batch_add(struct adi3_win *w, struct rma_target *t, const struct adi3_rma *x,
                  const struct adi3_data *there, bool *added)
{
    const char *at = x->type->basic->contig ? adi3_one_range(there) : NULL;
    size_t len = there->count * there->type->size;
    int err = MPI_SUCCESS;

    *added = false;
    if (x->kind != ADI3_ACCUMULATE || t->control->offset || !at || len > EACH)
        return rma_batch_run(w, t);
    struct rma_batch *b = batch_of(t);
    if (!b)
        return MPI_SUCCESS;
    if (b->n == OPERATIONS || b->used + len > BYTES)
        err = rma_batch_run(w, t);
    struct operation new = { (char *) (uintptr_t) at, (uint32_t) len, b->used, 0, x->op,
                             x->type->basic };
    if (err)
        return err;
    adi3_pack(&x->origin, 0, b->packed + b->used, len);
    b->used += (uint32_t) len;
    if (!batch_extend(b, &new))
        b->x[b->n++] = new;
    *added = true;
    return MPI_SUCCESS;
}

/* ---- running --------------------------------------------------------------------------------- */

static struct { /* the bytes of all operations, each once; under the lock of ADI3 */
    struct iovec there[OPERATIONS];
    int n;
    uint64_t stripes;
    size_t len;
    char bytes[BYTES];
} all;

/* Operations are often in the order of addresses already. */
static void batch_sort(const struct rma_batch *b, uint16_t order[OPERATIONS])
{
    for (int i = 0; i < b->n; i++) {
        int to = i;
        for (; to > 0 && b->x[order[to - 1]].at > b->x[i].at; to--)
            order[to] = order[to - 1];
        order[to] = (uint16_t) i;
    }
}

static void add_range(char *at, size_t len)
{
    struct iovec *last = all.n > 0 ? &all.there[all.n - 1] : NULL;

    if (last && (char *) last->iov_base + last->iov_len >= at) {
        size_t end = (size_t) (at - (char *) last->iov_base) + len;
        size_t more = end > last->iov_len ? end - last->iov_len : 0;
        last->iov_len += more;
        all.len += more;
        return;
    }
    all.there[all.n++] = (struct iovec) { at, len };
    all.len += len;
}

/* Finds the ranges of all operations, which may overlap, and where each is in their bytes. */
static void batch_find_ranges(struct rma_batch *b, const struct rma_control *owner)
{
    uint16_t order[OPERATIONS];

    batch_sort(b, order);
    all.n = 0;
    all.len = 0;
    all.stripes = 0;
    for (int i = 0; i < b->n; i++) {
        struct operation *x = &b->x[order[i]];
        add_range(x->at, x->len);
        const struct iovec *r = &all.there[all.n - 1];
        x->place = (uint32_t) (all.len - (size_t) ((char *) r->iov_base + r->iov_len - x->at));
        all.stripes |= rma_stripes(owner, (uint64_t) (uintptr_t) x->at - owner->base, x->len);
    }
}

static int batch_move(const struct rma_control *owner, bool back)
{
    struct iovec v[OPERATIONS], mine = { all.bytes, all.len };
    struct os_iov here = { &mine, 1 }, there = { v, all.n };

    memcpy(v, all.there, (size_t) all.n * sizeof *v);
    int err = back ? os_cma_writev(owner->pid, here, there) : os_cma_readv(owner->pid, here, there);
    return err ? rma_cma_error(owner, err) : MPI_SUCCESS;
}

static bool is_batch_reading(const struct rma_batch *b)
{
    for (int i = 0; i < b->n; i++)
        if (b->x[i].op->handle != MPI_REPLACE)
            return true;
    return false;
}

static void batch_combine(const struct rma_batch *b)
{
    for (int i = 0; i < b->n; i++) {
        const struct operation *x = &b->x[i];
        if (x->op->handle == MPI_REPLACE)
            memcpy(all.bytes + x->place, b->packed + x->packed, x->len);
        else
            adi3_reduce(x->op, b->packed + x->packed, all.bytes + x->place, x->len / x->basic->size,
                        x->basic);
    }
}

static int batch_run(const struct rma_place *p, struct rma_batch *b)
{
    batch_find_ranges(b, p->owner);
    int err = rma_stripes_take(p, all.stripes);
    if (err)
        return err;
    if (is_batch_reading(b))
        err = batch_move(p->owner, false);
    if (!err) {
        batch_combine(b);
        err = batch_move(p->owner, true);
    }
    rma_stripes_release(p, all.stripes);
    return err;
}

int rma_batch_run(const struct adi3_win *w, struct rma_target *t)
{
    const struct rma_place place = { w->memory, t->control, false };
    struct rma_batch *b = t->batch;

    assert(adi3_lock_held());
    if (!b || b->n == 0)
        return MPI_SUCCESS;
    int err = batch_run(&place, b);
    b->n = 0;
    b->used = 0;
    atomic_thread_fence(memory_order_seq_cst);
    return err;
}

static void batch_free(struct rma_target *t)
{
    free(t->batch);
    t->batch = NULL;
}

const struct rma_hooks rma_batch_hooks = { .name = "batches", .target_free = batch_free };
