/* map_grow.c — distributes the places of any graph by greedy growth. Each part starts with a
 * place at the edge of the remaining ones, and always grows by the place that adds least to the
 * weight between the part and the others. */
#include <stdlib.h>
#include "mpi/topo_create/map.h"

struct entry {
    int64_t cost; /* when it was pushed */
    int place;
};

struct heap { /* least cost first, then lowest place; entries may be outdated */
    struct entry *entry;
    size_t n;
};

enum { NO_PART = -1 };

struct growth {
    const struct map_set *set;
    int *part;
    int64_t *in,
        *out; /* of a remaining place: weight to the growing part, to other remaining ones */
    struct heap near;  /* places with weight to the growing part, by growth_cost() */
    struct heap seeds; /* all remaining places, by out */
};

static bool entry_is_before(struct entry a, struct entry b)
{
    return a.cost != b.cost ? a.cost < b.cost : a.place < b.place;
}

static void heap_push(struct heap *h, struct entry e)
{
    size_t i = h->n++;

    for (; i > 0 && entry_is_before(e, h->entry[(i - 1) / 2]); i = (i - 1) / 2)
        h->entry[i] = h->entry[(i - 1) / 2];
    h->entry[i] = e;
}

static struct entry heap_pop(struct heap *h)
{
    struct entry top = h->entry[0], last = h->entry[--h->n];
    size_t i = 0;

    for (size_t child; (child = 2 * i + 1) < h->n; i = child) {
        if (child + 1 < h->n && entry_is_before(h->entry[child + 1], h->entry[child]))
            child++;
        if (!entry_is_before(h->entry[child], last))
            break;
        h->entry[i] = h->entry[child];
    }
    h->entry[i] = last;
    return top;
}

/* The change of the weight that leaves the part when the place joins it. */
static int64_t growth_cost(const struct growth *g, int place)
{
    return g->out[place] - g->in[place];
}

static bool is_place_left(const struct growth *g, int place)
{
    return map_in(g->set, place) && g->part[place] == NO_PART;
}

/* The remaining place with the least weight to other remaining ones. */
static int growth_seed_place(struct growth *g)
{
    struct entry e;

    do
        e = heap_pop(&g->seeds);
    while (!is_place_left(g, e.place) || e.cost != g->out[e.place]);
    return e.place;
}

static int growth_next_place(struct growth *g)
{
    while (g->near.n > 0) {
        struct entry e = heap_pop(&g->near);
        if (is_place_left(g, e.place) && e.cost == growth_cost(g, e.place))
            return e.place;
    }
    return growth_seed_place(g);
}

static void growth_join_place(struct growth *g, int place, int part)
{
    const struct map_graph *graph = &g->set->p->graph;

    g->part[place] = part;
    for (size_t k = graph->start[place]; k < graph->start[place + 1]; k++) {
        struct map_end e = graph->end[k];
        if (!is_place_left(g, e.to))
            continue;
        g->in[e.to] += e.weight;
        g->out[e.to] -= e.weight;
        heap_push(&g->near, (struct entry) { growth_cost(g, e.to), e.to });
        heap_push(&g->seeds, (struct entry) { g->out[e.to], e.to });
    }
}

static void growth_begin(struct growth *g)
{
    const struct map_graph *graph = &g->set->p->graph;

    for (int i = 0; i < g->set->n; i++)
        g->part[g->set->place[i]] = NO_PART;
    for (int i = 0; i < g->set->n; i++) {
        int place = g->set->place[i];
        g->in[place] = g->out[place] = 0;
        for (size_t k = graph->start[place]; k < graph->start[place + 1]; k++)
            if (map_in(g->set, graph->end[k].to))
                g->out[place] += graph->end[k].weight;
        heap_push(&g->seeds, (struct entry) { g->out[place], place });
    }
}

static void growth_run(struct growth *g)
{
    growth_begin(g);
    for (int part = 0; part < g->set->parts; part++) {
        for (int n = 0; n < g->set->size[part]; n++)
            growth_join_place(g, n ? growth_next_place(g) : growth_seed_place(g), part);
        while (g->near.n > 0) /* remaining places with weight to the part */
            g->in[g->near.entry[--g->near.n].place] = 0;
    }
}

bool map_grow(const struct map_set *s, int *part)
{
    const struct map_graph *graph = &s->p->graph;
    size_t n = (size_t) graph->n, ends = graph->start[n];
    struct growth g = { .set = s,
                        .part = part,
                        .in = malloc(n * sizeof *g.in),
                        .out = malloc(n * sizeof *g.out),
                        .near.entry = malloc((ends + 1) * sizeof *g.near.entry),
                        .seeds.entry = malloc((n + ends) * sizeof *g.seeds.entry) };
    bool memory = g.in && g.out && g.near.entry && g.seeds.entry;

    if (memory)
        growth_run(&g);
    free(g.seeds.entry);
    free(g.near.entry);
    free(g.out);
    free(g.in);
    return memory;
}
