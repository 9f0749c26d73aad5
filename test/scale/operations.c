/* operations.c — the operations, with arguments as a program gives them. Root is rank 0. */
#include <stdlib.h>
#include <string.h>
#include "made_job.h"
#include "adi3/job/job_impl.h"

static void *send_memory, *recv_memory; /* for addresses only */

static struct adi3_data type_data(const struct coll *x, void *buf, size_t len)
{
    struct adi3_type *t = adi3_type_builtin(x->op ? MPI_DOUBLE : MPI_BYTE);

    return (struct adi3_data) { buf, len / t->size, t };
}

static void set_nothing(struct coll *x, size_t len)
{
    (void) x;
    (void) len;
}

static void set_recv(struct coll *x, size_t len) { x->recv = type_data(x, recv_memory, len); }

static void set_both(struct coll *x, size_t len)
{
    x->send = type_data(x, send_memory, len);
    x->recv = type_data(x, recv_memory, len);
}

static void set_for_root(struct coll *x, size_t len)
{
    set_both(x, len);
    if (x->rank != x->root)
        x->recv.buf = NULL;
}

static void set_to_root(struct coll *x, size_t len)
{
    x->send = type_data(x, send_memory, len);
    if (x->rank == x->root)
        set_recv(x, len);
}

static void set_from_root(struct coll *x, size_t len)
{
    set_recv(x, len);
    if (x->rank == x->root)
        x->send = type_data(x, send_memory, len);
}

static void set_parts(struct coll *x, size_t len)
{
    set_both(x, len);
    x->send.count *= (size_t) x->size;
}

/* Of equal blocks, as arrays. */
static void set_blocks(struct coll *x, size_t len)
{
    static MPI_Count *counts, *displs;
    static int ranks;
    static size_t filled;

    set_both(x, len);
    if (ranks != x->size || filled != len) {
        size_t bytes = (size_t) x->size * sizeof *counts;
        counts = realloc(counts, bytes);
        displs = realloc(displs, bytes);
        for (int i = 0; counts && displs && i < x->size; i++) {
            counts[i] = (MPI_Count) len;
            displs[i] = i * (MPI_Count) len;
        }
        ranks = x->size;
        filled = len;
    }
    x->recvcounts = mpir_wide(counts);
    x->rdispls = mpir_wide(displs);
}

/* What MPI_Comm_dup sends: the context id. */
static void record_dup(void)
{
    const struct adi3_subgroup all = { .size = adi3_world.size,
                                       .me = adi3_world.rank,
                                       .digest = RECEIVED_BYTE * 0x01010101u };
    uint32_t ctx;

    (void) adi3_context_distribute(&adi3_world, &all, ADI3_TAG_COMM, &ctx);
}

/* What the leaders of nodes exchange in the first barrier of MPI_Finalize. The other processes
 * count themselves in the memory of their node. */
static void record_finalize(void)
{
    struct finalize_brought b = { 0 };
    const struct adi3_node_map *map;

    if (adi3_world.rank % made_job_per_node() == 0 && !adi3_node_map_find(&map))
        finalize_exchange(map, &b);
}

const struct operation operations[] = {
    { "barrier", &coll_barrier, .set = set_nothing },
    { "bcast", &coll_bcast, .set = set_recv },
    { "reduce", &coll_reduce, .reduces = true, .set = set_for_root },
    { "allreduce", &coll_allreduce, .reduces = true, .set = set_both },
    { "gather", &coll_gather, .set = set_to_root },
    { "scatter", &coll_scatter, .set = set_from_root },
    { "allgather", &coll_allgather, .set = set_both },
    { "allgatherv", &coll_allgatherv, .set = set_blocks },
    { "alltoall", &coll_alltoall, .set = set_both },
    { "reduce_scatter_block", &coll_reduce_scatter_block, .reduces = true, .set = set_parts },
    { "scan", &coll_scan, .reduces = true, .set = set_both },
    { "exscan", &coll_exscan, .reduces = true, .set = set_both },
    { "comm_dup", .record = record_dup },
    { "finalize", .record = record_finalize },
    { .name = NULL },
};

const struct operation *operation_find(const char *name)
{
    for (const struct operation *o = operations; o->name; o++)
        if (strcmp(o->name, name) == 0)
            return o;
    return NULL;
}

/* The call of the rank that asks. */
static void operation_begin(struct coll *x, const struct operation *o, size_t len)
{
    if (!send_memory) {
        send_memory = wrapped_reserve();
        recv_memory = wrapped_reserve();
    }
    coll_begin(x, &adi3_world);
    x->tag = 1;
    if (o->reduces)
        x->op = adi3_op_builtin(MPI_SUM);
    o->set(x, len);
    x->sched = adi3_sched_new(x->tag);
}

const struct coll_algorithm *operation_choice(const struct operation *o, size_t len)
{
    struct coll x;

    if (!o->coll)
        return NULL;
    made_job_be(0);
    operation_begin(&x, o, len);
    if (made_job_blocking())
        x.sched = NULL;
    return coll_choose(o->coll, &x);
}

bool operation_fits(const struct operation *o, const struct coll_algorithm *a, size_t len)
{
    struct coll x;

    made_job_be(0);
    operation_begin(&x, o, len);
    return !a->fits || a->fits(&x);
}

static void record_rank(struct recording *r, const struct operation *o,
                        const struct coll_algorithm *a, size_t len)
{
    struct coll x;

    recording_begin_rank(r);
    wrapped_record(r);
    if (a) {
        operation_begin(&x, o, len);
        a->run(&x);
    } else {
        o->record();
    }
    if (wrapped_memory() > r->most_memory)
        r->most_memory = wrapped_memory();
    recording_end_rank(r);
}

/* How many steps all ranks have, by those of a few, from the first to the last: the one with the
 * most may be the only one of its kind. */
static uint64_t steps_estimate(const struct operation *o, const struct coll_algorithm *a,
                               size_t len)
{
    enum { ASKED = 16 };
    struct recording few;
    int ranks = adi3_world.size, asked = ranks < ASKED ? ranks : ASKED;

    if (asked < 2)
        return 0;
    recording_open(&few, asked);
    for (int i = 0; i < asked; i++) {
        made_job_be((int) ((long) i * (ranks - 1) / (asked - 1)));
        record_rank(&few, o, a, len);
    }
    uint64_t others = (few.steps - few.most_steps) / (uint64_t) (asked - 1);
    uint64_t estimate = few.most_steps + others * (uint64_t) (ranks - 1);
    recording_close(&few);
    return estimate;
}

bool operation_record(struct recording *r, const struct operation *o,
                      const struct coll_algorithm *a, size_t len, uint64_t most)
{
    if (steps_estimate(o, a, len) > most)
        return false;
    recording_open(r, adi3_world.size);
    for (int rank = 0; rank < adi3_world.size && r->steps <= most; rank++) {
        made_job_be(rank);
        record_rank(r, o, a, len);
    }
    if (r->steps <= most)
        return true;
    recording_close(r);
    return false;
}
