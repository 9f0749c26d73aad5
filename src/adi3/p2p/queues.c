/* queues.c — the posted and unexpected queues of each context, found by the context's id.
 *
 * A message may come before its communicator is known here. Then queues are made for its context
 * id, and the communicator takes them over when it is made. */
#include <stdlib.h>
#include "adi3/p2p/p2p_impl.h"
#include "platform/golden_ratio.h"

struct context {
    struct context *next;
    uint32_t ctx;
    struct adi3_queues queues;
};

static struct context **table;
static uint32_t table_size;  /* buckets, a power of two */
static unsigned table_shift; /* from 32 bits of hash to buckets */
static bool ending;          /* the other processes have left */
uint32_t queues_contexts;
struct queues_found queues_found;

/* Hashed by all bits of the id: ids of several ranks may have the same counter in the low bits. */
static struct context **bucket_of(uint32_t ctx)
{
    return &table[ctx * GOLDEN_RATIO_32 >> table_shift];
}

static bool context_table_grow(void)
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
            struct context **p = bucket_of(c->ctx);
            next = c->next;
            c->next = *p;
            *p = c;
        }
    }
    free(old);
    return true;
}

static struct context *context_find(uint32_t ctx)
{
    struct context *c = *bucket_of(ctx);
    while (c && c->ctx != ctx)
        c = c->next;
    return c;
}

struct adi3_queues *queues_find(uint32_t ctx)
{
    struct context *c = context_find(ctx);

    return c ? &c->queues : NULL;
}

struct adi3_queues *queues_make(uint32_t ctx)
{
    struct context *c = context_find(ctx);

    assert(adi3_lock_held());
    if (c) {
        queues_found = (struct queues_found) { ctx, &c->queues };
        return &c->queues;
    }
    if (queues_contexts >= table_size)
        (void) context_table_grow(); /* without memory the lists of the buckets get longer */
    if (!(c = malloc(sizeof *c)))
        return NULL;
    c->ctx = ctx;
    match_init(&c->queues);
    struct context **p = bucket_of(ctx);
    c->next = *p;
    *p = c;
    queues_contexts++;
    return &c->queues;
}

void queues_discard(struct adi3_queues *q, struct match_message *u)
{
    assert(adi3_lock_held() && u->all.next && !u->claimed); /* not discarded before */
    match_take(q, u);
    if (!u->complete)
        return;
    if (u->pkt.type == PKT_EAGER && !ending)
        proto_return_credit(proc_of(u->from), u->pkt.len);
    unexpected_free(u);
}

/* Messages of the program that are dropped because it has not received them. */
static struct {
    bool excused; /* not all of them are a mistake of the program */
    unsigned n;
    struct dev_pkt first;
    bool world;
} unreceived;

static void note_unreceived(const struct context *c)
{
    const struct adi3_queues *q = &c->queues;

    if (c->ctx & ADI3_COLL || !q->nunexpected)
        return;
    if (!unreceived.n) {
        unreceived.first = OS_OWNER(q->unexpected.next, struct match_message, all)->pkt;
        unreceived.world = q->comm == &adi3_world;
    }
    unreceived.n += q->nunexpected;
}

int adi3_unreceived(void)
{
    const struct dev_pkt *first = &unreceived.first;
    unsigned n = unreceived.excused ? 0 : unreceived.n;

    return n ? adi3_error(MPI_ERR_OTHER,
                          "the program has not received %u message%s; the first has %zu bytes and "
                          "tag %d, and is from rank %d of %s",
                          n, n > 1 ? "s" : "", (size_t) first->len, first->tag, first->rank,
                          unreceived.world ? "MPI_COMM_WORLD" : "another communicator")
             : MPI_SUCCESS;
}

void queues_excuse(void) { unreceived.excused = true; }

void queues_drop(uint32_t ctx)
{
    struct context *c = context_find(ctx), **p = bucket_of(ctx);

    assert(adi3_lock_held());
    if (!c)
        return;
    assert(c->queues.nposted == 0);
    note_unreceived(c);
    while (c->queues.nunexpected)
        queues_discard(&c->queues, OS_OWNER(c->queues.unexpected.next, struct match_message, all));
    match_fini(&c->queues);
    while (*p != c)
        p = &(*p)->next;
    *p = c->next;
    queues_contexts--;
    queues_found.queues = NULL;
    free(c);
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

int queues_init(void)
{
    ending = false;
    return context_table_grow() ? MPI_SUCCESS : adi3_no_memory("for the table of matching queues");
}

void queues_ending(void) { ending = true; }

void queues_finalize(void)
{
    for (uint32_t i = 0; i < table_size; i++)
        while (table[i])
            queues_drop(table[i]->ctx);
    free(table);
    table = NULL;
    table_size = queues_contexts = 0;
}
