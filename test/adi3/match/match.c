/* match.c — the queues find what a plain search through two lists would find, in MPI's order, also
 * when they are long, change between list and tables, or get no memory for tables (P01, P02). */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "adi3/match/match.h"
#include "unit.h"

enum { STEPS = 100000, RANKS = 4, TAGS = 5, MOST = 4096, DEEP = 100000, MANY = 60 };

/* ---- memory that runs out -------------------------------------------------------------------- */

static uint32_t failures_in_100; /* of malloc, in the code under test */
static int refused;

void *__real_malloc(size_t len);
void *__wrap_malloc(size_t len);

void *__wrap_malloc(size_t len)
{
    if (failures_in_100 && unit_random(100) < failures_in_100) {
        refused++;
        return NULL;
    }
    return __real_malloc(len);
}

/* ---- the model ------------------------------------------------------------------------------- */

static struct model { /* both lists in order */
    struct adi3_queues q;
    struct match_entry *posted[MOST];
    struct match_message *kept[MOST];
    int nposted, nkept;
} models[2];

static bool fits(int rank, int tag, int from, int with)
{
    return (rank == MPI_ANY_SOURCE || rank == from) && (tag == MPI_ANY_TAG || tag == with);
}

static void drop(void *list, int *n, int at)
{
    void **l = list;

    memmove(l + at, l + at + 1, (size_t) (--*n - at) * sizeof *l);
}

static void same_size(const struct model *m)
{
    assert_int_equal(m->q.nposted, m->nposted);
    assert_int_equal(m->q.nunexpected, m->nkept);
}

static void arrival(struct model *m, int rank, int tag)
{
    int i = 0;

    while (i < m->nposted && !fits(m->posted[i]->rank, m->posted[i]->tag, rank, tag))
        i++;
    struct match_entry *e = match_posted(&m->q, rank, tag);
    if (i < m->nposted) {
        assert_ptr_equal(e, m->posted[i]);
        drop(m->posted, &m->nposted, i);
        free(e);
    } else if (m->nkept < MOST) {
        assert_null(e);
        struct match_message *u = calloc(1, sizeof *u);
        assert_non_null(u);
        u->pkt = (struct dev_pkt) { .rank = rank, .tag = tag };
        match_enqueue(&m->q, m->kept[m->nkept++] = u);
    }
}

/* A probe, and what a receive does: take a message or wait for one. */
static void receive(struct model *m, int rank, int tag, bool only_probe)
{
    int i = 0;

    while (i < m->nkept && !fits(rank, tag, m->kept[i]->pkt.rank, m->kept[i]->pkt.tag))
        i++;
    struct match_message *u = match_unexpected(&m->q, rank, tag);
    assert_ptr_equal(u, i < m->nkept ? m->kept[i] : NULL);
    if (only_probe)
        return;
    if (u) {
        match_take(&m->q, u);
        drop(m->kept, &m->nkept, i);
        free(u);
    } else if (m->nposted < MOST) {
        struct match_entry *e = calloc(1, sizeof *e);
        assert_non_null(e);
        e->rank = rank;
        e->tag = tag;
        match_post(&m->q, m->posted[m->nposted++] = e);
    }
}

/* P23: a receive that is given up no longer takes part. */
static void cancel(struct model *m)
{
    if (!m->nposted)
        return;
    int i = (int) unit_random((uint32_t) m->nposted);
    match_unpost(&m->q, m->posted[i]);
    free(m->posted[i]);
    drop(m->posted, &m->nposted, i);
}

/* As when a message is lost: out of order. */
static void lose(struct model *m)
{
    if (!m->nkept)
        return;
    int i = (int) unit_random((uint32_t) m->nkept);
    match_take(&m->q, m->kept[i]);
    free(m->kept[i]);
    drop(m->kept, &m->nkept, i);
}

static void clear(struct model *m)
{
    while (m->nposted)
        cancel(m);
    while (m->nkept)
        lose(m);
    same_size(m);
    match_fini(&m->q);
}

/* In turn the queues grow to about this length and are emptied again. */
static void like_the_model(int length)
{
    for (int i = 0; i < 2; i++)
        match_init(&models[i].q);
    for (int i = 0; i < STEPS; i++) {
        struct model *m = &models[unit_random(2)];
        int rank = (int) unit_random(RANKS), tag = (int) unit_random(TAGS);
        bool sends = i / (length * 8) % 2, tame = i / (length * 16) % 2;
        uint32_t what = unit_random(100), wild = unit_random(tame ? 1 : 4);
        int any_rank = wild & 1 ? MPI_ANY_SOURCE : rank, any_tag = wild & 2 ? MPI_ANY_TAG : tag;
        if (what < 4)
            cancel(m);
        else if (what < 8)
            lose(m);
        else if (what < 12)
            receive(m, any_rank, any_tag, true);
        else if (what < 13) /* it may not be kept */
            match_set_hints(&m->q, (int) unit_random(MATCH_SHAPES));
        else if (what < (sends ? 70 : 40))
            arrival(m, rank, tag);
        else
            receive(m, any_rank, any_tag, false);
        same_size(m);
    }
    for (int i = 0; i < 2; i++)
        clear(&models[i]);
}

static void short_queues(void **state)
{
    (void) state;
    like_the_model(2);
    like_the_model(25); /* around the length at which tables are made */
}

static void long_queues(void **state)
{
    (void) state;
    like_the_model(150);
}

static void without_memory(void **state)
{
    (void) state;
    for (uint32_t percent = 20; percent <= 100; percent += 40) {
        refused = 0;
        failures_in_100 = percent;
        like_the_model(100);
        like_the_model(600); /* also when tables should grow */
        failures_in_100 = 0;
        assert_true(refused > 0);
    }
}

/* ---- order, said plainly --------------------------------------------------------------------- */

static void oldest_of_all_shapes_wins(void **state)
{
    static const int shape[4][2] = {
        { 1, 2 }, { MPI_ANY_SOURCE, 2 }, { 1, MPI_ANY_TAG }, { MPI_ANY_SOURCE, MPI_ANY_TAG }
    };
    struct match_entry e[4] = { 0 }, filler[MANY] = { 0 };
    struct adi3_queues q;

    (void) state;
    for (int perm = 0; perm < 256; perm++) {
        match_init(&q);
        for (int i = 0; i < perm % MANY; i++) { /* both as a list and in tables */
            filler[i].rank = 3;
            match_post(&q, &filler[i]);
        }
        for (int i = 0; i < 4; i++) {
            e[i].rank = shape[perm >> 2 * i & 3][0];
            e[i].tag = shape[perm >> 2 * i & 3][1];
            match_post(&q, &e[i]);
        }
        for (int i = 0; i < 4; i++)
            assert_ptr_equal(match_posted(&q, 1, 2), &e[i]);
        assert_null(match_posted(&q, 1, 2));
        for (int i = 0; i < perm % MANY; i++)
            match_unpost(&q, &filler[i]);
        match_fini(&q);
    }
}

/* ---- depth ----------------------------------------------------------------------------------- */

static struct match_entry *entries;
static struct match_message *messages;

static double cpu_seconds(void)
{
    struct timespec t;

    (void) clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

static int prepare(void **state)
{
    (void) state;
    entries = calloc(DEEP, sizeof *entries);
    messages = calloc(DEEP, sizeof *messages);
    return !entries || !messages;
}

static int release(void **state)
{
    (void) state;
    free(entries);
    free(messages);
    return 0;
}

/* Which receive or message is the i-th to go: from the front, the back, or anywhere. */
static int turn(int order, int i)
{
    return order == 0 ? i : order == 1 ? DEEP - 1 - i : (int) ((int64_t) i * 7919 % DEEP);
}

enum { ORDERS = 3, LIMIT = 2 }; /* seconds for all; a quadratic search takes minutes */

static void deep_posted(void **state)
{
    struct adi3_queues q;
    double begin = cpu_seconds();

    (void) state;
    for (int order = 0; order < 2 * ORDERS; order++) {
        match_init(&q);
        for (int i = 0; i < DEEP; i++) {
            entries[i].rank = order % 2 ? 0 : i;
            entries[i].tag = order % 2 ? i : 0;
            match_post(&q, &entries[i]);
        }
        for (int i = 0; i < DEEP; i++) {
            int n = turn(order % ORDERS, i);
            if (order < ORDERS)
                assert_ptr_equal(match_posted(&q, entries[n].rank, entries[n].tag), &entries[n]);
            else
                match_unpost(&q, &entries[n]);
        }
        assert_int_equal(q.nposted, 0);
        match_fini(&q);
    }
    assert_true(cpu_seconds() - begin < LIMIT);
}

static void deep_unexpected(void **state)
{
    struct adi3_queues q;
    double begin = cpu_seconds();

    (void) state;
    for (int order = 0; order < 2 * ORDERS; order++) {
        match_init(&q);
        for (int i = 0; i < DEEP; i++) {
            messages[i].pkt = (struct dev_pkt) { .rank = i % 3, .tag = i };
            match_enqueue(&q, &messages[i]);
            if (i == MANY) /* the tables are made early, and grow */
                assert_ptr_equal(match_unexpected(&q, MPI_ANY_SOURCE, 48), &messages[48]);
            if (i == MANY)
                assert_ptr_equal(match_unexpected(&q, 0, 48), &messages[48]);
        }
        for (int i = 0; i < DEEP; i++) {
            int n = turn(order % ORDERS, i), rank = order < ORDERS ? n % 3 : MPI_ANY_SOURCE;
            assert_ptr_equal(match_unexpected(&q, rank, n), &messages[n]);
            match_take(&q, &messages[n]);
        }
        assert_int_equal(q.nunexpected, 0);
        match_fini(&q);
    }
    assert_true(cpu_seconds() - begin < LIMIT);
}

/* All alike, and asked for in every shape. */
static void deep_and_alike(void **state)
{
    struct adi3_queues q;
    double begin = cpu_seconds();

    (void) state;
    match_init(&q);
    for (int i = 0; i < DEEP; i++) {
        messages[i].pkt = (struct dev_pkt) { .rank = 5, .tag = 5 };
        match_enqueue(&q, &messages[i]);
        entries[i].rank = entries[i].tag = 7;
        match_post(&q, &entries[i]);
    }
    for (int i = 0; i < DEEP; i++) {
        int rank = i & 1 ? MPI_ANY_SOURCE : 5, tag = i & 2 ? MPI_ANY_TAG : 5;
        assert_ptr_equal(match_unexpected(&q, rank, tag), &messages[i]);
        match_take(&q, &messages[i]);
        assert_ptr_equal(match_posted(&q, 7, 7), &entries[i]);
    }
    match_fini(&q);
    assert_true(cpu_seconds() - begin < LIMIT);
}

/* Tags that are far apart, as some programs make them of a counter and a kind. */
static void deep_with_odd_tags(void **state)
{
    struct adi3_queues q;
    double begin = cpu_seconds();

    (void) state;
    for (int shift = 4; shift <= 12; shift += 4) {
        match_init(&q);
        for (int i = 0; i < DEEP; i++) {
            entries[i].rank = 1 + (i & 1);
            entries[i].tag = i << shift;
            match_post(&q, &entries[i]);
        }
        for (int i = DEEP - 1; i >= 0; i--)
            assert_ptr_equal(match_posted(&q, 1 + (i & 1), i << shift), &entries[i]);
        match_fini(&q);
    }
    assert_true(cpu_seconds() - begin < LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_queues),
        cmocka_unit_test(long_queues),
        cmocka_unit_test(without_memory),
        cmocka_unit_test(oldest_of_all_shapes_wins),
        cmocka_unit_test_setup_teardown(deep_posted, prepare, release),
        cmocka_unit_test_setup_teardown(deep_unexpected, prepare, release),
        cmocka_unit_test_setup_teardown(deep_and_alike, prepare, release),
        cmocka_unit_test_setup_teardown(deep_with_odd_tags, prepare, release),
    };

    return UNIT_RUN(tests);
}
