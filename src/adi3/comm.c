/* comm.c — communicators and their context ids.
 *
 * A context id is picked by the first process of the new communicator from its own numbers and told
 * to the others: no retries, no agreement, any number under way. Ids are even; the odd one above
 * each is for collective operations. A message may come before its communicator is known here: it
 * waits in a queue made for the id, which the communicator then takes over. */
#include <stdlib.h>
#include <string.h>
#include "adi3_impl.h"

struct adi3_pool adi3_comms = ADI3_POOL(ADI3_COMM, struct adi3_comm);
struct adi3_comm adi3_world, adi3_self;

enum { CONTEXT_TAG = 0x3fffff00, WORLD_CTX = 0, SELF_CTX = 2 };

/* ---- queues by context id -------------------------------------------------------------------- */

struct context {
    struct context *next;
    uint32_t ctx;
    struct adi3_queues queues;
};

static struct context **table;
static uint32_t table_size, contexts; /* size: a power of two */
struct comm_found comm_found;

static struct context **place(uint32_t ctx)
{
    return &table[(ctx * 2654435761u) & (table_size - 1)];
}

static bool grow(void)
{
    uint32_t old_size = table_size;
    struct context **old = table, **bigger = calloc(old_size ? 2 * old_size : 64, sizeof *bigger);

    if (!bigger)
        return false;
    table = bigger;
    table_size = old_size ? 2 * old_size : 64;
    for (uint32_t i = 0; i < old_size; i++) {
        for (struct context *c = old[i], *next; c; c = next) {
            struct context **p = place(c->ctx);
            next = c->next;
            c->next = *p;
            *p = c;
        }
    }
    free(old);
    return true;
}

static struct context *find(uint32_t ctx)
{
    struct context *c = *place(ctx);
    while (c && c->ctx != ctx)
        c = c->next;
    return c;
}

struct adi3_queues *comm_known_queues(uint32_t ctx)
{
    struct context *c = find(ctx);

    return c ? &c->queues : NULL;
}

struct adi3_queues *comm_find_queues(uint32_t ctx)
{
    struct context *c = find(ctx);

    if (c) {
        comm_found = (struct comm_found) { ctx, &c->queues };
        return &c->queues;
    }
    if (contexts >= table_size)
        (void) grow(); /* without memory the rings are longer */
    if (!(c = malloc(sizeof *c)))
        return NULL;
    c->ctx = ctx;
    match_init(&c->queues);
    struct context **p = place(ctx);
    c->next = *p;
    *p = c;
    contexts++;
    return &c->queues;
}

/* What nobody received is lost with its communicator. */
static void drop_queues(uint32_t ctx)
{
    struct context *c = find(ctx), **p = place(ctx);

    if (!c)
        return;
    while (c->queues.nunexpected) {
        struct match_unex *u = OS_OWNER(c->queues.unexpected.next, struct match_unex, all);
        match_take(&c->queues, u);
        if (u->complete)
            unex_free(u); /* else when the rest has come: see end_unexpected() */
    }
    match_fini(&c->queues);
    while (*p != c)
        p = &(*p)->next;
    *p = c->next;
    contexts--;
    comm_found.queues = NULL;
    free(c);
}

/* ---- context ids ----------------------------------------------------------------------------- */

static uint32_t counter, counter_bits;

/* The leader's rank in the high bits, its counter in the low ones, once shifted for the even id. */
static uint32_t pick_ctx(void)
{
    uint32_t mask = (1u << counter_bits) - 1, id;

    do {
        counter = (counter + 1) & mask;
        id = ((uint32_t) adi3_job.rank << counter_bits | counter) << 1;
    } while (find(id) || find(id + 1) || (id >> 1 & mask) < 2); /* 0 and 1 are world's and self's */
    return id;
}

static void count_bits(void)
{
    uint32_t rank_bits = 0;

    while (1u << rank_bits < (uint32_t) adi3_job.size)
        rank_bits++;
    counter_bits = 31 - rank_bits;
}

/* Tells the id down a binomial tree of the new ranks, in the old communicator. */
static int spread_ctx(struct adi3_comm *c, int size, const int *ranks, int me, uint32_t *ctx)
{
    struct adi3_data d = { ctx, sizeof *ctx, adi3_type_builtin(MPI_BYTE) };
    int bit = 1, err = MPI_SUCCESS;

    while (bit < size && !(me & bit))
        bit <<= 1;
    if (me)
        err = adi3_recv(&d, ranks[me - bit], CONTEXT_TAG, c, ADI3_COLL, MPI_STATUS_IGNORE);
    while (!err && (bit >>= 1))
        if (me + bit < size)
            err = adi3_send(&d, ranks[me + bit], CONTEXT_TAG, c, ADI3_COLL);
    return err;
}

/* ---- communicators --------------------------------------------------------------------------- */

static int no_memory(int size)
{
    return adi3_error(MPI_ERR_NO_MEM, "out of memory for a communicator of %d processes", size);
}

/* What came before the communicator was known is looked at now: is each from whom it says? */
static void take_over(struct adi3_queues *q, const struct adi3_comm *c)
{
    struct match_link *next;

    q->comm = c;
    for (struct match_link *l = q->unexpected.next; l != &q->unexpected; l = next) {
        struct match_unex *u = OS_OWNER(l, struct match_unex, all);
        next = l->next;
        if (comm_has_sender(c, u->pkt.rank, u->from))
            continue;
        match_take(q, u);
        if (u->complete)
            unex_free(u);
    }
}

/* Takes the group over, also on error. */
static int set_up(struct adi3_comm *c, struct adi3_group *g, uint32_t ctx)
{
    c->refs = 1;
    c->rank = g->rank;
    c->size = g->size;
    c->recv_ctx = c->send_ctx = ctx;
    c->queue[0] = comm_queues(ctx);
    c->queue[1] = comm_queues(ctx + 1);
    c->group = g;
    c->freed = false;
    c->errhandler = MPI_ERRORS_ARE_FATAL;
    c->proc = malloc((size_t) g->size * sizeof *c->proc);
    c->crowded = adi3_node.crowded;
    for (int i = 0; c->proc && i < g->size; i++) {
        c->proc[i] = &adi3_procs[g->world[i]];
        c->crowded = c->crowded && c->proc[i]->peer.local >= 0;
    }
    if (!c->proc || !c->queue[0] || !c->queue[1])
        return no_memory(g->size);
    take_over(c->queue[0], c);
    take_over(c->queue[1], c);
    return MPI_SUCCESS;
}

static void tear_down(struct adi3_comm *c)
{
    drop_queues(c->recv_ctx);
    drop_queues(c->recv_ctx + 1);
    free(c->proc);
    adi3_group_release(c->group);
}

int adi3_comm_new(struct adi3_comm *c, int size, const int *ranks, int me, struct adi3_comm **made)
{
    struct adi3_group *g = adi3_group_new(size);
    MPI_Comm handle;
    uint32_t ctx = me == 0 ? pick_ctx() : 0;
    int err = spread_ctx(c, size, ranks, me, &ctx);

    if (!g)
        return err ? err : no_memory(size);
    struct adi3_comm *n = err ? NULL : adi3_new(&adi3_comms, &handle);
    if (!n) {
        adi3_group_release(g);
        return err ? err : no_memory(size);
    }
    for (int i = 0; i < size; i++)
        g->world[i] = c->group->world[ranks[i]];
    g->rank = me;
    n->handle = handle;
    if ((err = set_up(n, g, ctx))) {
        tear_down(n);
        adi3_free(&adi3_comms, n);
        return err;
    }
    n->errhandler = c->errhandler;
    *made = n;
    return MPI_SUCCESS;
}

void adi3_comm_release(struct adi3_comm *c)
{
    if (--c->refs)
        return;
    tear_down(c);
    adi3_free(&adi3_comms, c);
}

static int set_up_builtin(struct adi3_comm *c, MPI_Comm handle, int size, uint32_t ctx)
{
    struct adi3_group *g = adi3_group_new(size);

    if (!g)
        return no_memory(size);
    for (int i = 0; i < size; i++)
        g->world[i] = size > 1 ? i : adi3_job.rank;
    g->rank = size > 1 ? adi3_job.rank : 0;
    c->handle = handle;
    return set_up(c, g, ctx);
}

int comm_init(void)
{
    if (!grow())
        return no_memory(adi3_job.size);
    count_bits();
    int err = set_up_builtin(&adi3_world, MPI_COMM_WORLD, adi3_job.size, WORLD_CTX);
    return err ? err : set_up_builtin(&adi3_self, MPI_COMM_SELF, 1, SELF_CTX);
}

void comm_forget_offers(void)
{
    for (uint32_t i = 0; i < table_size; i++)
        for (struct context *c = table[i]; c; c = c->next) {
            struct match_link *end = &c->queues.unexpected;
            for (struct match_link *l = end->next; l != end; l = l->next)
                OS_OWNER(l, struct match_unex, all)->pkt.addr = 0;
        }
    for (struct adi3_request *r = NULL; (r = adi3_next(&adi3_requests, r));)
        if (r->kind == ADI3_MESSAGE && r->message)
            r->message->pkt.addr = 0;
}

void comm_finalize(void)
{
    struct adi3_comm *next;

    for (struct adi3_comm *c = adi3_next(&adi3_comms, NULL); c; c = next) {
        next = adi3_next(&adi3_comms, c);
        c->refs = 1;
        adi3_comm_release(c);
    }
    tear_down(&adi3_world);
    tear_down(&adi3_self);
    for (uint32_t i = 0; i < table_size; i++)
        while (table[i])
            drop_queues(table[i]->ctx);
    free(table);
    table = NULL;
    table_size = contexts = 0;
}
