/* random.c — G01: long random chains of group calls give the same result as lists of ranks, made in
 * the simplest way. All processes make the same groups, and different ones. */
#include "group_test.h"

enum { POOL = 8, STEPS = 3000 };

struct list {
    int n, member[GROUP_MOST];
};

static struct pair {
    MPI_Group group;
    struct list list;
} pool[POOL];

static unsigned long long state;

static int random_below(int n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int) ((state >> 33) % (unsigned) n);
}

static int place(const struct list *l, int member)
{
    for (int i = 0; i < l->n; i++)
        if (l->member[i] == member)
            return i;
    return MPI_UNDEFINED;
}

static struct list filtered(const struct list *a, const struct list *b, int in)
{
    struct list l = { 0, { 0 } };

    for (int i = 0; i < a->n; i++)
        if ((place(b, a->member[i]) >= 0) == in)
            l.member[l.n++] = a->member[i];
    return l;
}

static struct pair set(const struct pair *a, const struct pair *b)
{
    struct pair p = { .list = { 0, { 0 } } };

    switch (random_below(3)) {
    case 0:
        CHECK(MPI_Group_union(a->group, b->group, &p.group) == MPI_SUCCESS);
        struct list more = filtered(&b->list, &a->list, 0);
        p.list = a->list;
        for (int i = 0; i < more.n; i++)
            p.list.member[p.list.n++] = more.member[i];
        return p;
    case 1:
        CHECK(MPI_Group_intersection(a->group, b->group, &p.group) == MPI_SUCCESS);
        p.list = filtered(&a->list, &b->list, 1);
        return p;
    default:
        CHECK(MPI_Group_difference(a->group, b->group, &p.group) == MPI_SUCCESS);
        p.list = filtered(&a->list, &b->list, 0);
        return p;
    }
}

/* Some ranks of n in any order. */
static struct list some_ranks(int n)
{
    struct list l = { 0, { 0 } };

    for (int i = 0; i < n; i++) {
        int at = random_below(i + 1);
        l.member[i] = l.member[at];
        l.member[at] = i;
    }
    l.n = random_below(n + 1);
    return l;
}

static struct pair chosen(const struct pair *a, const struct list *ranks, int in)
{
    struct pair p = { .list = { 0, { 0 } } };

    for (int i = 0; in && i < ranks->n; i++)
        p.list.member[p.list.n++] = a->list.member[ranks->member[i]];
    for (int i = 0; !in && i < a->list.n; i++)
        if (place(ranks, i) < 0)
            p.list.member[p.list.n++] = a->list.member[i];
    return p;
}

static struct pair by_ranks(const struct pair *a)
{
    struct list ranks = some_ranks(a->list.n);
    int in = random_below(2);
    struct pair p = chosen(a, &ranks, in);

    CHECK((in ? MPI_Group_incl : MPI_Group_excl)(a->group, ranks.n, ranks.member, &p.group)
          == MPI_SUCCESS);
    return p;
}

static struct pair by_ranges(const struct pair *a)
{
    struct list ranks = { 0, { 0 } };
    int ranges[4][3], n = 0, in = random_below(2), size = a->list.n;

    for (int tries = 0; size > 0 && tries < 4; tries++) {
        int first = random_below(size), last = random_below(size), stride = 1 + random_below(3);
        struct list more = ranks;
        int clash = 0;
        stride = first > last ? -stride : stride;
        for (int r = first; stride > 0 ? r <= last : r >= last; r += stride) {
            clash |= place(&more, r) >= 0;
            if (!clash)
                more.member[more.n++] = r;
        }
        if (clash)
            continue;
        ranks = more;
        memcpy(ranges[n++], (int[]) { first, last, stride }, sizeof *ranges);
    }
    struct pair p = chosen(a, &ranks, in);
    CHECK((in ? MPI_Group_range_incl : MPI_Group_range_excl)(a->group, n, ranges, &p.group)
          == MPI_SUCCESS);
    return p;
}

static void questions(const struct pair *a, const struct pair *b)
{
    struct list ranks = some_ranks(a->list.n), both = filtered(&a->list, &b->list, 1);
    int result[GROUP_MOST], rank = -1, equal = -1, size = -1;

    CHECK(MPI_Group_rank(a->group, &rank) == MPI_SUCCESS);
    CHECK_INT(rank, place(&a->list, group_rank));
    CHECK(MPI_Group_size(a->group, &size) == MPI_SUCCESS);
    CHECK_INT(size, a->list.n);
    CHECK_INT(a->group == MPI_GROUP_EMPTY, size == 0);
    CHECK(MPI_Group_translate_ranks(a->group, ranks.n, ranks.member, b->group, result)
          == MPI_SUCCESS);
    for (int i = 0; i < ranks.n; i++)
        CHECK_INT(result[i], place(&b->list, a->list.member[ranks.member[i]]));
    CHECK(MPI_Group_compare(a->group, b->group, &equal) == MPI_SUCCESS);
    if (a->list.n != b->list.n || both.n != a->list.n)
        CHECK_INT(equal, MPI_UNEQUAL);
    else if (memcmp(a->list.member, b->list.member, (size_t) size * sizeof(int)) != 0)
        CHECK_INT(equal, MPI_SIMILAR);
    else
        CHECK_INT(equal, MPI_IDENT);
}

static void chain(unsigned long long seed)
{
    state = seed;
    for (int i = 0; i < POOL; i++) {
        pool[i].list.n = group_size;
        for (int k = 0; k < group_size; k++)
            pool[i].list.member[k] = k;
        pool[i].group = group_of(group_size, pool[i].list.member);
    }
    for (int i = 0; i < STEPS; i++) {
        struct pair *a = &pool[random_below(POOL)], *b = &pool[random_below(POOL)];
        struct pair *to = &pool[random_below(POOL)];
        int what = random_below(5);
        struct pair made = what < 3 ? set(a, b) : what == 3 ? by_ranks(a) : by_ranges(a);
        CHECK(MPI_Group_free(&to->group) == MPI_SUCCESS);
        *to = made;
        questions(to, &pool[random_below(POOL)]);
        questions(&pool[random_below(POOL)], to);
    }
    for (int i = 0; i < POOL; i++)
        group_is(pool[i].group, pool[i].list.n, pool[i].list.member);
}

int main(int argc, char **argv)
{
    group_begin(&argc, &argv);
    chain(1);
    chain(77 + (unsigned) group_rank);
    group_end();
    return 0;
}
