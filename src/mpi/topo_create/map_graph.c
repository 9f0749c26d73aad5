/* map_graph.c — the graph of a topology: links by place. */
#include <stdlib.h>
#include "mpi/topo_create/map.h"

/* Counts the links of each place; start[i] becomes the end of those of i. */
static void count_ends(struct map_graph *g, const struct map_link *link, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (link[k].from == link[k].to)
            continue;
        g->start[link[k].from]++;
        g->start[link[k].to]++;
    }
    for (int i = 0; i < g->n; i++)
        g->start[i + 1] += g->start[i];
}

bool map_graph_make(struct map_graph *g, int n, const struct map_link *link, size_t count)
{
    g->n = n;
    g->start = calloc((size_t) n + 1, sizeof *g->start);
    g->end = malloc((2 * count + 1) * sizeof *g->end);
    if (!g->start || !g->end) {
        map_graph_free(g);
        return false;
    }
    count_ends(g, link, count);
    for (size_t k = count; k-- > 0;) { /* downwards: start[i] becomes the beginning */
        struct map_link l = link[k];
        if (l.from == l.to)
            continue;
        g->end[--g->start[l.from]] = (struct map_end) { l.to, l.weight };
        g->end[--g->start[l.to]] = (struct map_end) { l.from, l.weight };
    }
    return true;
}

void map_graph_free(struct map_graph *g)
{
    free(g->start);
    free(g->end);
    g->start = NULL;
    g->end = NULL;
}

bool map_graph_of_grid(struct map_graph *g, const struct map_grid *grid, int n)
{
    size_t count = 0, room = (size_t) n * (size_t) grid->ndims;
    struct map_link *link = malloc((room + 1) * sizeof *link);

    for (int i = 0; link && i < n; i++) {
        int stride = 1;
        for (int d = grid->ndims - 1; d >= 0; stride *= grid->dims[d--]) {
            int at = i / stride % grid->dims[d], next = at + 1 < grid->dims[d] ? 1 : -at;
            if (next > 0 || grid->periods[d])
                link[count++] = (struct map_link) { i, i + next * stride, 1 };
        }
    }
    bool made = link && map_graph_make(g, n, link, count);
    free(link);
    return made;
}
