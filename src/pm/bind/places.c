/* places.c — which CPUs each rank of a host is bound to.
 *
 * The objects that ranks are mapped by get a rank each in turn. A rank gets the next objects to
 * bind to that are within its object, as on a circle: after the last one follows the first. Only
 * allowed CPUs count, and objects without one are left out. */
#include <errno.h>
#include <stdlib.h>
#include "pm/bind/bind_impl.h"

struct places {
    struct pm_objects to, by;
    int *next;   /* of each object that ranks are mapped by: where the next rank begins within it */
    int *within; /* numbers of the objects to bind to that are within one of those */
    int count;   /* objects to bind to for each rank */
};

static bool is_usable(const struct pm_topology *t, enum pm_level level)
{
    for (int i = 0; i < t->level[level].count; i++)
        if (pm_cpus_intersect(&t->level[level].object[i], &t->allowed))
            return true;
    return false;
}

enum pm_level pm_bind_level(const struct pm_topology *t, enum pm_level level)
{
    enum pm_level best = PM_MACHINE;

    if (is_usable(t, level))
        return level;
    for (int above = PM_PACKAGE; above < (int) level; above++)
        if (is_usable(t, above) && t->level[above].count >= t->level[best].count)
            best = above;
    return best;
}

static bool has_cpu_set(const struct pm_objects *p, const struct pm_cpus *set)
{
    for (int i = 0; i < p->count; i++)
        if (pm_cpus_equal(&p->object[i], set))
            return true;
    return false;
}

/* The allowed CPUs of the objects of a kind. Two NUMA nodes, of different memory, may have the same
 * CPUs: they are one place. */
static int usable_objects(const struct pm_topology *t, enum pm_level level,
                          struct pm_objects *usable)
{
    const struct pm_objects *all = &t->level[pm_bind_level(t, level)];

    usable->object = malloc((size_t) all->count * sizeof *usable->object);
    if (!usable->object)
        return -ENOMEM;
    for (int i = 0; i < all->count; i++) {
        struct pm_cpus set = pm_cpus_both(&all->object[i], &t->allowed);
        if (pm_cpus_next(&set, 0) >= 0 && !has_cpu_set(usable, &set))
            usable->object[usable->count++] = set;
    }
    return 0;
}

/* Each allowed CPU by itself, by their numbers. */
static int single_cpus(const struct pm_topology *t, struct pm_objects *single)
{
    single->object = calloc((size_t) pm_cpus_count(&t->allowed), sizeof *single->object);
    if (!single->object)
        return -ENOMEM;
    for (int cpu = -1; (cpu = pm_cpus_next(&t->allowed, cpu + 1)) >= 0;)
        single->object[single->count++].bits[cpu / 64] = 1ull << cpu % 64;
    return 0;
}

/* Puts every `stride`th object first, then those that follow these, and so on. */
static int cpu_sets_spread(struct pm_objects *p, int stride)
{
    struct pm_cpus *object = malloc((size_t) p->count * sizeof *object);
    int n = 0;

    if (!object)
        return -ENOMEM;
    for (int first = 0; first < stride; first++)
        for (int i = first; i < p->count; i += stride)
            object[n++] = p->object[i];
    free(p->object);
    p->object = object;
    return 0;
}

/* What ranks are mapped by. Without a choice, or when that is what a rank is bound to, all objects
 * to bind to are taken one after the other, as if they were within one object. */
static enum pm_level map_level(const struct pm_bind *b)
{
    bool same = b->to == b->by && b->stride <= b->count && !b->in_a_row;

    return b->how == PM_BIND_OBJECTS && b->map == PM_MAP_OBJECTS && !same ? b->by : PM_MACHINE;
}

static int find_places(const struct pm_bind *b, const struct pm_topology *t, struct places *p)
{
    bool single = b->how == PM_BIND_RR;
    int err = single ? single_cpus(t, &p->to) : usable_objects(t, b->to, &p->to);

    p->count = single ? 1 : b->count;
    if (!err)
        err = usable_objects(t, map_level(b), &p->by);
    if (err)
        return err;
    if (map_level(b) != PM_MACHINE && cpu_sets_spread(&p->by, b->stride))
        return -ENOMEM;
    p->next = calloc((size_t) p->by.count, sizeof *p->next);
    p->within = calloc((size_t) p->to.count, sizeof *p->within);
    return p->next && p->within ? 0 : -ENOMEM;
}

/* Whether a rank has enough with this number of objects and the CPUs of this set. */
static bool is_enough(const struct places *p, int objects, int least, const struct pm_cpus *set)
{
    return objects >= p->count && pm_cpus_count(set) >= least;
}

/* Adds the objects behind those within an object, which may have none. */
static void add_neighbors(const struct places *p, int within, int least, struct pm_cpus *set)
{
    int last = within ? p->within[within - 1] : p->to.count - 1;

    for (int i = 1; i <= p->to.count && !is_enough(p, within, least, set); i++) {
        const struct pm_cpus *next = &p->to.object[(last + i) % p->to.count];
        if (!pm_cpus_contain(set, next)) {
            pm_cpus_add(set, next);
            within++;
        }
    }
}

/* The CPUs of the next rank in object number `by`. */
static void rank_take_cpus(struct places *p, int by, int least, struct pm_cpus *set)
{
    int within = 0, taken = 0;

    *set = (struct pm_cpus) { { 0 } };
    for (int i = 0; i < p->to.count; i++)
        if (pm_cpus_intersect(&p->to.object[i], &p->by.object[by]))
            p->within[within++] = i;
    for (; taken < within && !is_enough(p, taken, least, set); taken++)
        pm_cpus_add(set, &p->to.object[p->within[(p->next[by] + taken) % within]]);
    if (within)
        p->next[by] = (p->next[by] + taken) % within;
    if (taken == within)
        add_neighbors(p, within, least, set);
}

static int bind_objects(const struct pm_bind *b, const struct pm_topology *t, const int *least,
                        int ranks, struct pm_cpus *set)
{
    struct places p = { .count = 0 };
    int err = find_places(b, t, &p);
    int in_a_row = b->map == PM_MAP_OBJECTS && b->in_a_row ? b->in_a_row : 1;

    for (int i = 0; !err && i < ranks; i++) {
        rank_take_cpus(&p, i / in_a_row % p.by.count, least[i], &set[i]);
        if (pm_cpus_count(&set[i]) < least[i]) /* not all CPUs need be in an object of this kind */
            set[i] = t->allowed;
    }
    free(p.to.object);
    free(p.by.object);
    free(p.next);
    free(p.within);
    return err;
}

/* The kernel, too, leaves out the CPUs that are not allowed, unless none is. */
static void take_users(const struct pm_bind *b, const struct pm_topology *t, int rank,
                       struct pm_cpus *set)
{
    (void) pm_user_set(b->user, rank, set); /* the list has been read before */
    if (t && pm_cpus_intersect(set, &t->allowed))
        *set = pm_cpus_both(set, &t->allowed);
}

int pm_bind_places(const struct pm_bind *b, const struct pm_topology *t, const int *least,
                   int ranks, struct pm_cpus *set)
{
    switch (b->how) {
    case PM_BIND_DEFAULT:
    case PM_BIND_NONE:
        for (int i = 0; i < ranks; i++)
            set[i] = t->allowed;
        return 0;
    case PM_BIND_USER:
        for (int i = 0; i < ranks; i++)
            take_users(b, t, i, &set[i]);
        return 0;
    case PM_BIND_OBJECTS:
    case PM_BIND_RR:
        break;
    }
    return bind_objects(b, t, least, ranks, set);
}
