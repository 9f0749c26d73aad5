/* group_sets.c — groups made of other groups, comparisons, and translation of ranks.
 *
 * All of it takes as many steps as there are members. The rank of a process is computed when the
 * group has no list of members. A list gets an index at the first look-up. The index stays, since
 * groups never change and programs often translate one rank at a time. */
#include <stdlib.h>
#include <string.h>
#include "adi3/comm/comm_impl.h"
#include "platform/golden_ratio.h"

/* ---- the index ------------------------------------------------------------------------------- */

/* A table by world rank where the members' ranks lie close together, else hashed by world rank:
 * multiples of the golden ratio, which spread numbers of any stride. */
struct adi3_places {
    unsigned low, span; /* all members are low <= process < low + span; 0: the table is hashed */
    unsigned shift;     /* from 32 bits of hash to a slot */
    size_t mask;        /* slots - 1 */
    int rank[];         /* by slot: the rank + 1; 0: free */
};

static size_t slot_of(const struct adi3_places *t, int process)
{
    return (uint32_t) process * GOLDEN_RATIO_32 >> t->shift;
}

/* An empty index with at least two slots for each member. */
static struct adi3_places *new_places(int size)
{
    unsigned bits = 2;

    while (bits < 31 && (size_t) 1 << bits < 2 * (size_t) size)
        bits++;
    size_t slots = (size_t) 1 << bits;
    struct adi3_places *t = calloc(1, sizeof *t + slots * sizeof *t->rank);
    if (t) {
        t->mask = slots - 1;
        t->shift = 32 - bits;
    }
    return t;
}

static void find_bounds(const struct adi3_group *g, struct adi3_places *t)
{
    int low = g->member[0], high = low;

    for (int i = 1; i < g->size; i++) {
        low = g->member[i] < low ? g->member[i] : low;
        high = g->member[i] > high ? g->member[i] : high;
    }
    t->low = (unsigned) low;
    t->span = (unsigned) (high - low) <= t->mask ? (unsigned) (high - low) + 1 : 0;
}

/* Makes the index if the group needs one: must have returned true before group_find_rank(). */
static bool index_members(struct adi3_group *g)
{
    if (!g->member || g->at)
        return true;
    struct adi3_places *t = new_places(g->size);
    if (!t)
        return false;
    find_bounds(g, t);
    for (int i = 0; i < g->size; i++) {
        size_t s = t->span ? (unsigned) g->member[i] - t->low : slot_of(t, g->member[i]);
        while (t->rank[s])
            s = (s + 1) & t->mask;
        t->rank[s] = i + 1;
    }
    g->at = t;
    return true;
}

static int find_hashed(const struct adi3_group *g, int process)
{
    const struct adi3_places *t = g->at;
    size_t s = slot_of(t, process);

    while (t->rank[s] && g->member[t->rank[s] - 1] != process)
        s = (s + 1) & t->mask;
    return t->rank[s] ? t->rank[s] - 1 : MPI_UNDEFINED;
}

/* The rank of a process, or MPI_UNDEFINED. */
static inline int group_find_rank(const struct adi3_group *g, int process)
{
    const struct adi3_places *t = g->at;

    if (!g->member)
        return group_rank_in_row(g, process);
    if (!t->span)
        return find_hashed(g, process);
    unsigned s = (unsigned) process - t->low;
    return s < t->span && t->rank[s] ? t->rank[s] - 1 : MPI_UNDEFINED;
}

int adi3_group_translate(const struct adi3_group *from, int n, const int *ranks,
                         struct adi3_group *to, int *result)
{
    if (!index_members(to))
        return adi3_no_memory("for an index of %d processes", to->size);
    for (int i = 0; i < n; i++)
        result[i] = ranks[i] == MPI_PROC_NULL
                        ? MPI_PROC_NULL
                        : group_find_rank(to, adi3_group_process(from, ranks[i]));
    return MPI_SUCCESS;
}

/* ---- equality -------------------------------------------------------------------------------- */

static bool has_same_order(const struct adi3_group *a, const struct adi3_group *b)
{
    int i = 0;

    while (i < a->size && adi3_group_process(a, i) == adi3_group_process(b, i))
        i++;
    return i == a->size;
}

static bool all_in(const struct adi3_group *a, const struct adi3_group *b)
{
    int i = 0;

    while (i < a->size && group_find_rank(b, adi3_group_process(a, i)) >= 0)
        i++;
    return i == a->size;
}

int adi3_group_compare(struct adi3_group *a, struct adi3_group *b, int *result)
{
    struct adi3_group *searched = a->member ? b : a, *other = a->member ? a : b;

    if (a->size != b->size)
        *result = MPI_UNEQUAL;
    else if (has_same_order(a, b))
        *result = MPI_IDENT;
    else if (!index_members(searched))
        return adi3_no_memory("for an index of %d processes", searched->size);
    else
        *result = all_in(other, searched) ? MPI_SIMILAR : MPI_UNEQUAL;
    return MPI_SUCCESS;
}

/* ---- sets ------------------------------------------------------------------------------------ */

static int *new_list(size_t size) { return malloc((size ? size : 1) * sizeof(int)); }

/* Makes a group of a list that may be longer than size. */
static struct adi3_group *make_from(int size, int *list)
{
    int *shorter = realloc(list, (size_t) (size ? size : 1) * sizeof *list);

    return adi3_group_make(size, shorter ? shorter : list);
}

/* Lists the members of g that are in `other` (in: true), or that are not. Returns the length of the
 * list. */
static int list_members(const struct adi3_group *g, const struct adi3_group *other, bool in,
                        int *list)
{
    int n = 0;

    for (int i = 0; i < g->size; i++) {
        list[n] = adi3_group_process(g, i);
        n += (group_find_rank(other, list[n]) >= 0) == in;
    }
    return n;
}

static struct adi3_group *group_filter(struct adi3_group *a, struct adi3_group *b, bool in)
{
    int *list = index_members(b) ? new_list((size_t) a->size) : NULL;

    return list ? make_from(list_members(a, b, in, list), list) : NULL;
}

struct adi3_group *adi3_group_intersection(struct adi3_group *a, struct adi3_group *b)
{
    return group_filter(a, b, true);
}

struct adi3_group *adi3_group_difference(struct adi3_group *a, struct adi3_group *b)
{
    return group_filter(a, b, false);
}

struct adi3_group *adi3_group_union(struct adi3_group *a, struct adi3_group *b)
{
    int *list = index_members(a) ? new_list((size_t) a->size + (size_t) b->size) : NULL;

    if (!list)
        return NULL;
    for (int i = 0; i < a->size; i++)
        list[i] = adi3_group_process(a, i);
    return make_from(a->size + list_members(b, a, false, list + a->size), list);
}

/* ---- by ranks -------------------------------------------------------------------------------- */

/* Makes a group of a list of ranks in g; the list becomes the new group's. */
static struct adi3_group *group_include(const struct adi3_group *g, int n, int *list)
{
    for (int i = 0; i < n; i++)
        list[i] = adi3_group_process(g, list[i]);
    return adi3_group_make(n, list);
}

struct adi3_group *adi3_group_incl(const struct adi3_group *g, int n, const int *ranks)
{
    int *list = new_list((size_t) n);

    if (!list)
        return NULL;
    if (n > 0)
        memcpy(list, ranks, (size_t) n * sizeof *list);
    return group_include(g, n, list);
}

struct adi3_group *adi3_group_excl(const struct adi3_group *g, int n, const int *ranks)
{
    bool *out = calloc((size_t) g->size + 1, sizeof *out);
    int *list = out ? new_list((size_t) g->size) : NULL, m = 0;

    for (int i = 0; list && i < n; i++)
        out[ranks[i]] = true;
    for (int i = 0; list && i < g->size; i++) {
        list[m] = adi3_group_process(g, i);
        m += !out[i];
    }
    free(out);
    return list ? make_from(m, list) : NULL;
}

/* How many ranks a range has. 64 bits, since its ends may be as far apart as integers can be. */
static int ranks_of(const int *range)
{
    return (int) (((int64_t) range[1] - range[0]) / range[2]) + 1;
}

/* Lists all ranks of n ranges, in order; NULL without memory. */
static int *ranges_expand(int n, int (*ranges)[3], int *count)
{
    int total = 0, *list, *to;

    for (int i = 0; i < n; i++)
        total += ranks_of(ranges[i]);
    if (!(list = to = new_list((size_t) total)))
        return NULL;
    for (int i = 0; i < n; i++)
        for (int k = 0, of = ranks_of(ranges[i]); k < of; k++)
            *to++ = ranges[i][0] + k * ranges[i][2];
    *count = total;
    return list;
}

struct adi3_group *adi3_group_range_incl(const struct adi3_group *g, int n, int (*ranges)[3])
{
    int count, *list = ranges_expand(n, ranges, &count);

    return list ? group_include(g, count, list) : NULL;
}

struct adi3_group *adi3_group_range_excl(const struct adi3_group *g, int n, int (*ranges)[3])
{
    int count, *list = ranges_expand(n, ranges, &count);
    struct adi3_group *made = list ? adi3_group_excl(g, count, list) : NULL;

    free(list);
    return made;
}
