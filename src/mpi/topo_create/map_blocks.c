/* map_blocks.c — distributes a grid, or a box in it, in blocks of one size. */
#include <stdlib.h>
#include <string.h>
#include "mpi/topo_create/map.h"

struct box { /* the box that the places of a set fill, and the blocks it is cut into */
    const struct map_grid *grid;
    int *low, *len; /* of each dimension */
    int *block, *best;
    int64_t least; /* links between blocks in the best cut; -1: no cut yet */
};

static void place_coordinates(const struct map_grid *grid, int place, int *at)
{
    for (int d = grid->ndims - 1; d >= 0; d--) {
        at[d] = place % grid->dims[d];
        place /= grid->dims[d];
    }
}

/* Finds the box around all places; false when other places are in it. at: room for coordinates. */
static bool find_box(struct box *b, const struct map_set *s, int *at)
{
    int64_t volume = 1;

    place_coordinates(b->grid, s->place[0], b->low);
    memcpy(b->len, b->low, (size_t) b->grid->ndims * sizeof *at);
    for (int i = 1; i < s->n; i++) {
        place_coordinates(b->grid, s->place[i], at);
        for (int d = 0; d < b->grid->ndims; d++) {
            b->low[d] = at[d] < b->low[d] ? at[d] : b->low[d];
            b->len[d] = at[d] > b->len[d] ? at[d] : b->len[d];
        }
    }
    for (int d = 0; d < b->grid->ndims; d++) {
        b->len[d] += 1 - b->low[d];
        volume *= b->len[d]; /* no overflow: it is a part of the grid */
    }
    return volume == s->n;
}

/* The number of links between blocks along one dimension, in each line of places. */
static int box_cut_links(const struct box *b, int d)
{
    int blocks = b->len[d] / b->block[d];

    if (blocks == 1)
        return 0;
    return blocks - 1 + (b->grid->periods[d] && b->len[d] == b->grid->dims[d]);
}

static void box_judge_blocks(struct box *b, int n)
{
    int64_t cost = 0;

    for (int d = 0; d < b->grid->ndims; d++)
        cost += (int64_t) box_cut_links(b, d) * (n / b->len[d]);
    if (b->least >= 0 && cost >= b->least)
        return;
    b->least = cost;
    memcpy(b->best, b->block, (size_t) b->grid->ndims * sizeof *b->best);
}

/* Tries all blocks of `size` places in the dimensions from d on. */
static void try_blocks(struct box *b, int d, int size, int n)
{
    if (d == b->grid->ndims) {
        if (size == 1)
            box_judge_blocks(b, n);
        return;
    }
    for (int len = 1; len <= b->len[d] && len <= size; len++) {
        if (b->len[d] % len || size % len)
            continue;
        b->block[d] = len;
        try_blocks(b, d + 1, size / len, n);
    }
}

static void box_deal_places(const struct box *b, const struct map_set *s, int *at, int *part)
{
    for (int i = 0; i < s->n; i++) {
        int k = 0;
        place_coordinates(b->grid, s->place[i], at);
        for (int d = 0; d < b->grid->ndims; d++)
            k = k * (b->len[d] / b->best[d]) + (at[d] - b->low[d]) / b->best[d];
        part[s->place[i]] = k;
    }
}

bool map_blocks(const struct map_set *s, int *part)
{
    const struct map_grid *grid = s->p->grid;

    for (int k = 1; k < s->parts; k++)
        if (s->size[k] != s->size[0])
            return false;
    if (!grid || grid->ndims == 0)
        return false;
    size_t ndims = (size_t) grid->ndims;
    int *at = malloc(5 * ndims * sizeof *at);

    if (!at)
        return false;
    struct box b = { grid, at + ndims, at + 2 * ndims, at + 3 * ndims, at + 4 * ndims, -1 };
    if (find_box(&b, s, at))
        try_blocks(&b, 0, s->size[0], s->n);
    if (b.least >= 0)
        box_deal_places(&b, s, at, part);
    free(at);
    return b.least >= 0;
}
