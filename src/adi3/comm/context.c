/* context.c — context ids, and the queues of each.
 *
 * A context id is picked by the first process of the new communicator from its own numbers and told
 * to the others: no retries, no agreement, any number under way. Ids are even; the odd one above
 * each is for collective operations. A message may come before its communicator is known here: it
 * waits in a queue made for the id, which the communicator then takes over. */
#include <stdlib.h>
#include "adi3_impl.h"

/* ---- queues by context id -------------------------------------------------------------------- */

struct context {
    struct context *next;
    uint32_t ctx;
    struct adi3_queues queues;
};

static struct context **table;
static uint32_t table_size, contexts; /* size: a power of two, */
static unsigned table_shift;          /* from 32 bits of hash */
static bool ending;                   /* the others have left */
struct comm_found comm_found;

/* By all bits of the id: those of one rank's counter may be the same in many. */
static struct context **place(uint32_t ctx) { return &table[ctx * 2654435761u >> table_shift]; }

static bool grow(void)
{
    uint32_t old_size = table_size;
    struct context **old = table, **bigger = calloc(old_size ? 2 * old_size : 64, sizeof *bigger);

    if (!bigger)
        return false;
    table = bigger;
    table_size = old_size ? 2 * old_size : 64;
    table_shift = old_size ? table_shift - 1 : 26;
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

void context_lose(struct adi3_queues *q, struct match_message *u)
{
    match_take(q, u);
    if (!u->complete)
        return;
    if (u->pkt.type == PKT_EAGER && !ending)
        proto_taken(proc_of(u->from), u->pkt.len);
    unexpected_free(u);
}

/* What nobody received is lost with its communicator. */
void context_drop(uint32_t ctx)
{
    struct context *c = find(ctx), **p = place(ctx);

    if (!c)
        return;
    while (c->queues.nunexpected)
        context_lose(&c->queues, OS_OWNER(c->queues.unexpected.next, struct match_message, all));
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
uint32_t adi3_context_pick(void)
{
    uint32_t mask = (1u << counter_bits) - 1, id;

    do {
        counter = (counter + 1) & mask;
        id = ((uint32_t) adi3_job.rank << counter_bits | counter) << 1;
    } while (find(id) || find(id + 1) || (id >> 1 & mask) < 2); /* 0 and 1 are world's and self's */
    return id;
}

int context_init(void)
{
    uint32_t rank_bits = 0;

    ending = false;
    if (!grow())
        return request_no_memory();
    while (1u << rank_bits < (uint32_t) adi3_job.size)
        rank_bits++;
    counter_bits = 31 - rank_bits;
    return MPI_SUCCESS;
}

/* What goes down the tree: the id, and what the subgroups of all must have in common. */
struct notice {
    uint32_t ctx, digest;
};

static int differs(int from)
{
    return adi3_error(MPI_ERR_GROUP, "process %d of the communicator gave another group", from);
}

/* What whoever could not hear of an id tells the others instead. */
static int lost(int from)
{
    return adi3_error(MPI_ERR_OTHER, "process %d of the communicator had no id to tell", from);
}

/* Down a binomial tree, also after an error: the others are not left waiting. */
int adi3_context_agree(struct adi3_comm *c, const struct adi3_subgroup *t, int tag, uint32_t *ctx)
{
    struct notice n = { t->me ? 0 : adi3_context_pick(), t->digest };
    struct adi3_data d = { &n, sizeof n, adi3_type_builtin(MPI_BYTE) };
    int bit = 1, err = MPI_SUCCESS;

    while (bit < t->size && !(t->me & bit))
        bit <<= 1;
    if (t->me) {
        int from = adi3_subgroup_rank(t, t->me - bit);
        err = adi3_recv(&d, from, tag, c, ADI3_COLL, MPI_STATUS_IGNORE);
        if (!err && !n.ctx)
            err = lost(from);
        else if (!err && n.digest != t->digest)
            err = differs(from);
    }
    while (bit >>= 1) {
        if (t->me + bit >= t->size)
            continue;
        int sent = adi3_send(&d, adi3_subgroup_rank(t, t->me + bit), tag, c, ADI3_COLL);
        err = err ? err : sent;
    }
    *ctx = n.ctx;
    return err;
}

void queues_forget_exposed(void)
{
    for (uint32_t i = 0; i < table_size; i++)
        for (struct context *c = table[i]; c; c = c->next) {
            struct match_link *end = &c->queues.unexpected;
            for (struct match_link *l = end->next; l != end; l = l->next)
                OS_OWNER(l, struct match_message, all)->pkt.addr = 0;
        }
    for (struct adi3_request *r = NULL; (r = adi3_next(&adi3_requests, r));)
        if (r->kind == ADI3_MESSAGE && r->message)
            r->message->pkt.addr = 0;
}

void context_ends(void) { ending = true; }

void context_finalize(void)
{
    for (uint32_t i = 0; i < table_size; i++)
        while (table[i])
            context_drop(table[i]->ctx);
    free(table);
    table = NULL;
    table_size = contexts = 0;
}
