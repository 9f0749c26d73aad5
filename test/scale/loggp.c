/* loggp.c — runs the ranks by events in the order of time. */
#include <stdio.h>
#include <stdlib.h>
#include "loggp.h"
#include "pairs.h"
#include "radix_heap.h"

const struct loggp loggp_usual = {
    .near = { .latency = 40000, .overhead = 40000, .gap = 0, .byte = 100 },
    .far = { .latency = 1200000, .overhead = 250000, .gap = 20000, .byte = 80 },
    .work = 125,
};

enum what {
    GO_ON,  /* a rank can take its next step */
    REACH,  /* a message reaches the adapter of its receiver */
    DELIVER /* a message is there */
};

enum waiting { FOR_NOTHING, FOR_AWAITED, FOR_ALL, ENDED };

struct rank {
    uint64_t clock;
    size_t at; /* its next step */
    uint32_t under_way, awaited;
    enum waiting waiting;
};

struct adapter {
    uint64_t out_free, in_free, out_bytes, in_bytes;
};

struct run {
    const struct recording *steps;
    const struct loggp *model;
    int per_node;
    struct rank *rank;
    struct adapter *adapter; /* one for each node */
    struct pairs pairs;
    struct radix_heap events;
    struct loggp_result result;
};

static void *zeroed(size_t count, size_t size)
{
    void *at = calloc(count, size);

    if (!at) {
        (void) fprintf(stderr, "no memory for %zu ranks\n", count);
        exit(1);
    }
    return at;
}

static void event_add(struct run *m, uint64_t at, enum what what, uint32_t which)
{
    if (!radix_heap_add(&m->events, (struct event) { at, (uint32_t) what, which })) {
        (void) fprintf(stderr, "no memory for events\n");
        exit(1);
    }
}

/* When an adapter that is free then has passed a message that comes at this time. */
static uint64_t adapter_pass(const struct loggp_path *far, uint64_t *is_free, uint64_t at,
                             uint64_t len)
{
    uint64_t begin = *is_free > at ? *is_free : at;

    *is_free = begin + far->gap + len * far->byte;
    return begin;
}

static void send_message(struct run *m, int from, const struct step *s)
{
    struct rank *r = &m->rank[from];
    const struct loggp_path *near = &m->model->near, *far = &m->model->far;
    uint32_t i =
        pairs_make(&m->pairs, (struct pair_item) { .len = s->len, .from = from, .to = s->peer });

    if (from / m->per_node == s->peer / m->per_node) {
        r->clock += near->overhead + s->len * near->byte;
        event_add(m, r->clock + near->latency, DELIVER, i);
        return;
    }
    struct adapter *a = &m->adapter[from / m->per_node];
    r->clock += far->overhead;
    a->out_bytes += s->len;
    m->result.far_sends++;
    event_add(m, adapter_pass(far, &a->out_free, r->clock, s->len) + far->latency, REACH, i);
}

/* The first byte is there. What follows passes as fast as it was sent, when the adapter is free. */
static void reach_adapter(struct run *m, uint64_t now, uint32_t i)
{
    const struct pair_item *x = &m->pairs.item[i];
    struct adapter *a = &m->adapter[x->to / m->per_node];

    (void) adapter_pass(&m->model->far, &a->in_free, now, x->len);
    a->in_bytes += x->len;
    event_add(m, a->in_free, DELIVER, i);
}

static uint64_t recv_overhead(const struct run *m, const struct pair_item *x)
{
    return x->from / m->per_node == x->to / m->per_node ? m->model->near.overhead
                                                        : m->model->far.overhead;
}

/* Both are over. */
static void drop_both(struct run *m, uint32_t message, uint32_t receive)
{
    m->result.mismatched += m->pairs.item[message].len != m->pairs.item[receive].len;
    pairs_drop(&m->pairs, message);
    pairs_drop(&m->pairs, receive);
}

static void post_receive(struct run *m, int to, const struct step *s)
{
    struct rank *r = &m->rank[to];
    uint32_t i = pairs_make(
        &m->pairs,
        (struct pair_item) {
            .len = s->len, .from = s->peer, .to = to, .posted = true, .awaited = s->awaited });
    uint32_t message = pairs_match(&m->pairs, i);

    if (message == PAIRS_NONE) {
        r->under_way++;
        r->awaited += s->awaited;
        return;
    }
    r->clock += recv_overhead(m, &m->pairs.item[i]);
    drop_both(m, message, i);
}

static bool must_wait(const struct rank *r)
{
    return r->waiting == FOR_AWAITED ? r->awaited > 0 : r->under_way > 0;
}

static void deliver_message(struct run *m, uint64_t now, uint32_t i)
{
    uint32_t receive = pairs_match(&m->pairs, i);

    if (receive == PAIRS_NONE)
        return;
    const struct pair_item *x = &m->pairs.item[receive];
    int to = x->to;
    struct rank *r = &m->rank[to];
    r->clock = (r->clock > now ? r->clock : now) + recv_overhead(m, x);
    r->under_way--;
    r->awaited -= x->awaited;
    drop_both(m, i, receive);
    if (r->waiting != FOR_NOTHING && !must_wait(r)) {
        r->waiting = FOR_NOTHING;
        event_add(m, r->clock, GO_ON, (uint32_t) to);
    }
}

/* Waits if there is something to wait for. */
static bool begin_wait(struct rank *r, enum waiting waiting)
{
    r->waiting = waiting;
    if (must_wait(r))
        return true;
    r->waiting = FOR_NOTHING;
    return false;
}

static void rank_end(struct run *m, struct rank *r)
{
    r->waiting = ENDED;
    if (r->clock > m->result.time)
        m->result.time = r->clock;
}

/* Takes steps until the rank waits; or has to send later than now, since ranks of a node share its
 * adapter. */
static void rank_go_on(struct run *m, uint64_t now, int rank)
{
    struct rank *r = &m->rank[rank];
    size_t end = m->steps->first[rank + 1];

    while (r->at < end) {
        size_t next = r->at;
        struct step s = recording_step(m->steps, &next);

        if (s.kind == STEP_SEND && r->clock > now) {
            event_add(m, r->clock, GO_ON, (uint32_t) rank);
            return;
        }
        r->at = next;
        if (s.kind == STEP_SEND)
            send_message(m, rank, &s);
        else if (s.kind == STEP_RECV)
            post_receive(m, rank, &s);
        else if (s.kind == STEP_WORK)
            r->clock += s.len * m->model->work;
        else if (begin_wait(r, s.kind == STEP_AWAIT ? FOR_AWAITED : FOR_ALL))
            return;
    }
    if (!begin_wait(r, FOR_ALL))
        rank_end(m, r);
}

static void run_events(struct run *m)
{
    struct event e;

    while (radix_heap_take(&m->events, &e)) {
        if (e.what == GO_ON)
            rank_go_on(m, e.at, (int) e.which);
        else if (e.what == REACH)
            reach_adapter(m, e.at, e.which);
        else
            deliver_message(m, e.at, e.which);
    }
}

static void find_result(struct run *m, int nodes)
{
    m->result.waiting = -1;
    for (int i = m->steps->ranks - 1; i >= 0; i--)
        if (m->rank[i].waiting != ENDED)
            m->result.waiting = i;
    for (int i = 0; i < nodes; i++) {
        const struct adapter *a = &m->adapter[i];
        uint64_t more = a->out_bytes > a->in_bytes ? a->out_bytes : a->in_bytes;
        if (more > m->result.far_bytes)
            m->result.far_bytes = more;
    }
}

struct loggp_result loggp_run(const struct recording *r, const struct loggp *model, int per_node)
{
    int ranks = r->ranks, nodes = (ranks + per_node - 1) / per_node;
    struct run m = { .steps = r, .model = model, .per_node = per_node };

    m.rank = zeroed((size_t) ranks, sizeof *m.rank);
    m.adapter = zeroed((size_t) nodes, sizeof *m.adapter);
    for (int i = 0; i < ranks; i++) {
        m.rank[i].at = r->first[i];
        event_add(&m, 0, GO_ON, (uint32_t) i);
    }
    run_events(&m);
    find_result(&m, nodes);
    free(m.rank);
    free(m.adapter);
    pairs_free(&m.pairs);
    radix_heap_free(&m.events);
    return m.result;
}
