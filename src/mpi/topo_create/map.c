/* map.c — distributes places to processes, level by level. */
#include <stdlib.h>
#include <string.h>
#include "mpi/topo_create/map.h"

struct sort_entry {
    int key, i;
};

struct map {
    const struct map_problem *p;
    int *place, *proc; /* a set is a range in both arrays, each ascending */
    int *group;        /* of the i-th process */
    int *size;         /* of each group of the current set */
    int *part, *trial; /* by place: the group of the place; its group in a trial */
    int *mark, token;  /* by place: the token of its set */
    int *sorted;       /* room for a range */
    struct sort_entry *sort_entries;
};

static int by_key(const void *a, const void *b)
{
    const struct sort_entry *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->i < y->i ? -1 : 1;
}

/* Numbers the keys of the processes in the order in which they appear; returns how many. */
static int find_groups(struct map *m, int level, int first, int n)
{
    int groups = 0;

    for (int i = 0; i < n; i++) {
        int key = m->p->key[(size_t) m->proc[first + i] * (size_t) m->p->levels + (size_t) level];
        m->sort_entries[i] = (struct sort_entry) { key, i };
    }
    qsort(m->sort_entries, (size_t) n, sizeof *m->sort_entries, by_key);
    for (int k = 0; k < n; k++) /* for each entry the first entry with the same key, ... */
        m->sorted[m->sort_entries[k].i] = k && m->sort_entries[k].key == m->sort_entries[k - 1].key
                                              ? m->sorted[m->sort_entries[k - 1].i]
                                              : m->sort_entries[k].i;
    for (int i = 0; i < n; i++) { /* ... whose number is then known */
        bool new = m->sorted[i] == i;
        m->group[first + i] = new ? groups : m->group[first + m->sorted[i]];
        if (new)
            m->size[groups++] = 0;
        m->size[m->group[first + i]]++;
    }
    return groups;
}

static int64_t weight_between(const struct map_set *s, const int *part)
{
    const struct map_graph *g = &s->p->graph;
    int64_t sum = 0;

    for (int i = 0; i < s->n; i++) {
        int at = s->place[i];
        for (size_t k = g->start[at]; k < g->start[at + 1]; k++)
            if (map_in(s, g->end[k].to) && part[g->end[k].to] != part[at])
                sum += g->end[k].weight;
    }
    return sum;
}

/* Uses the trial when it has less weight between parts than the best so far. */
static void take_if_better(struct map *m, const struct map_set *s, int64_t *least)
{
    int64_t weight = weight_between(s, m->trial);

    if (weight >= *least)
        return;
    *least = weight;
    for (int i = 0; i < s->n; i++)
        m->part[s->place[i]] = m->trial[s->place[i]];
}

static bool choose_parts(struct map *m, const struct map_set *s, int first)
{
    for (int i = 0; i < s->n; i++)
        m->part[s->place[i]] = m->group[first + i];
    int64_t least = weight_between(s, m->part);

    if (least == 0 || s->parts == s->n) /* no weight between parts, or the same in any order */
        return true;
    if (map_blocks(s, m->trial))
        take_if_better(m, s, &least);
    if (!map_grow(s, m->trial))
        return false;
    take_if_better(m, s, &least);
    return true;
}

/* Sorts a range by the group of each entry; entries of a group stay in order. */
static void sort_range(struct map *m, int *range, int n, const int *group, int groups)
{
    int *at = m->size, sum = 0;

    for (int g = 0; g < groups; g++) {
        int size = at[g];
        at[g] = sum;
        sum += size;
    }
    for (int i = 0; i < n; i++)
        m->sorted[at[group[i]]++] = range[i];
    memcpy(range, m->sorted, (size_t) n * sizeof *range);
    for (int g = groups - 1; g > 0; g--) /* sizes again */
        at[g] -= at[g - 1];
}

static void sort_set(struct map *m, int first, int n, int groups)
{
    int *group_of_place = m->trial; /* its content is not needed any more */

    sort_range(m, m->proc + first, n, m->group + first, groups);
    for (int i = 0; i < n; i++)
        group_of_place[i] = m->part[m->place[first + i]];
    sort_range(m, m->place + first, n, group_of_place, groups);
}

/* Distributes the places of a range to its processes, from this level on. */
static bool map_deal_range(struct map *m, int level, int first, int n)
{
    if (level == m->p->levels || n == 1)
        return true;
    int groups = find_groups(m, level, first, n);
    if (groups == 1)
        return map_deal_range(m, level + 1, first, n);

    struct map_set s = { m->p, m->place + first, n, m->size, groups, m->mark, ++m->token };
    for (int i = 0; i < n; i++)
        m->mark[s.place[i]] = s.token;
    if (!choose_parts(m, &s, first))
        return false;
    sort_set(m, first, n, groups);
    for (int i = first, end = first + n, next; i < end; i = next) {
        int part = m->part[m->place[i]]; /* ranges behind this one are not sorted yet */
        for (next = i; next < end && m->part[m->place[next]] == part; next++)
            ;
        if (!map_deal_range(m, level + 1, i, next - i))
            return false;
    }
    return true;
}

bool map_processes(const struct map_problem *p, int *place)
{
    size_t n = (size_t) p->graph.n;
    int *ints = calloc(8 * n + 1, sizeof *ints);
    struct sort_entry *sort_entries = malloc((n + 1) * sizeof *sort_entries);
    struct map m = { .p = p, .place = ints, .sort_entries = sort_entries };
    bool memory = ints && sort_entries;

    m.proc = ints + n;
    m.group = ints + 2 * n;
    m.size = ints + 3 * n;
    m.part = ints + 4 * n;
    m.trial = ints + 5 * n;
    m.mark = ints + 6 * n;
    m.sorted = ints + 7 * n;
    for (int i = 0; memory && i < p->graph.n; i++)
        m.place[i] = m.proc[i] = i;
    memory = memory && (n == 0 || map_deal_range(&m, 0, 0, p->graph.n));
    for (size_t i = 0; memory && i < n; i++)
        place[m.proc[i]] = m.place[i];
    free(sort_entries);
    free(ints);
    return memory;
}
