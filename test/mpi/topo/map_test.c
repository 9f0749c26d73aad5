/* map_test.c — the mapping of processes to places, on synthetic placements: it is a permutation,
 * sends less between nodes where possible, and never more than the identity; the finer levels of
 * one node do not change the mapping on another. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "mpi/topo_create/map.h"
#include "unit.h"

enum { LEVELS = 3, MOST = 600 };

static int key[MOST * LEVELS], place[MOST];

static bool together(int a, int b, int level)
{
    return !memcmp(key + a * LEVELS, key + b * LEVELS, (size_t) (level + 1) * sizeof *key);
}

/* Weight between places whose processes differ at this level or before. */
static int64_t crossing(const struct map_graph *g, const int *of_process, int level)
{
    int process[MOST];
    int64_t sum = 0;

    for (int i = 0; i < g->n; i++)
        process[of_process[i]] = i;
    for (int i = 0; i < g->n; i++)
        for (size_t k = g->start[i]; k < g->start[i + 1]; k++)
            if (!together(process[i], process[g->end[k].to], level))
                sum += g->end[k].weight;
    return sum / 2;
}

/* Maps, compares with the identity level by level, and returns the weight between nodes. */
static int64_t map(const struct map_graph *g, const struct map_grid *grid)
{
    struct map_problem p = { .graph = *g, .grid = grid, .levels = LEVELS, .key = key };
    int identity[MOST], seen[MOST] = { 0 };
    bool better = false;

    assert_true(map_processes(&p, place));
    for (int i = 0; i < g->n; i++) {
        identity[i] = i;
        assert_in_range(place[i], 0, g->n - 1);
        assert_int_equal(seen[place[i]]++, 0);
    }
    for (int level = 0; level < LEVELS && !better; level++) {
        int64_t now = crossing(g, place, level), before = crossing(g, identity, level);
        assert_true(now <= before);
        better = now < before;
    }
    assert_true(better || !memcmp(place, identity, (size_t) g->n * sizeof *place));
    return crossing(g, place, 0);
}

static int64_t map_grid(int ndims, const int *dims, const int *periods)
{
    const struct map_grid grid = { ndims, dims, periods };
    struct map_graph g;
    int n = 1;

    for (int d = 0; d < ndims; d++)
        n *= dims[d];
    assert_true(map_graph_of_grid(&g, &grid, n));
    int64_t cut = map(&g, &grid);
    map_graph_free(&g);
    return cut;
}

/* Nodes of so many processes, in a row or dealt in turn; their processes alternate between two
 * caches, each of which has cores. */
static void nodes(int n, int each, bool in_turn)
{
    int count = (n + each - 1) / each;

    for (int i = 0; i < n; i++) {
        int *k = key + i * LEVELS, node = in_turn ? i % count : i / each;
        k[0] = 1000 - node;
        k[1] = i / (in_turn ? count : 1) % 2;
        k[2] = i;
    }
}

static void test_one_place_is_identity(void **state)
{
    (void) state;
    memset(key, 0, sizeof key);
    map_grid(2, (int[]) { 8, 8 }, (int[]) { 1, 1 });
    for (int i = 0; i < 64; i++)
        assert_int_equal(place[i], i);
}

/* 8 x 8 on nodes of 16: strips of two lines cross 48 links and blocks of 4 x 4 cross 16 of 112. */
static void test_blocks(void **state)
{
    (void) state;
    nodes(64, 16, false);
    assert_int_equal(map_grid(2, (int[]) { 8, 8 }, (int[]) { 0, 0 }), 16);
    nodes(64, 16, true);
    assert_int_equal(map_grid(2, (int[]) { 8, 8 }, (int[]) { 0, 0 }), 16);
    assert_int_equal(map_grid(2, (int[]) { 8, 8 }, (int[]) { 1, 1 }), 32);
    nodes(512, 64, true); /* 8 x 8 x 8 in cubes of 4 */
    assert_int_equal(map_grid(3, (int[]) { 8, 8, 8 }, (int[]) { 0, 0, 0 }), 3 * 64);
}

/* Half of each node's processes has one cache, half the other. */
static void test_caches(void **state)
{
    const struct map_grid grid = { 2, (int[]) { 8, 8 }, (int[]) { 0, 0 } };
    struct map_graph g;

    (void) state;
    nodes(64, 16, true);
    assert_true(map_graph_of_grid(&g, &grid, 64));
    assert_int_equal(map(&g, &grid), 16);
    assert_int_equal(crossing(&g, place, 1), 16 + 4 * 4); /* each 4 x 4 in two */
    map_graph_free(&g);
}

/* An optimal placement stays: a line on nodes in a row. */
static void test_pays(void **state)
{
    (void) state;
    for (int i = 0; i < 40; i++) {
        key[i * LEVELS] = i / 5;
        key[i * LEVELS + 1] = key[i * LEVELS + 2] = -1;
    }
    assert_int_equal(map_grid(1, (int[]) { 40 }, (int[]) { 0 }), 7);
    for (int i = 0; i < 40; i++)
        assert_int_equal(place[i], i);
}

/* Nodes of different sizes: no blocks. A ring in turns crosses nodes at every link; whole arcs do
 * not. */
static void test_uneven(void **state)
{
    (void) state;
    for (int i = 0; i < 50; i++)
        key[i * LEVELS] = i % 7 < 3 ? 0 : i % 7, key[i * LEVELS + 1] = 0, key[i * LEVELS + 2] = 0;
    assert_in_range(map_grid(1, (int[]) { 50 }, (int[]) { 1 }), 5, 8);
}

static struct map_link links[20000];

/* Groups that communicate within themselves, whose members are spread over all nodes: each gets a
 * node. */
static void test_groups(void **state)
{
    struct map_graph g;
    size_t n = 0;

    (void) state;
    nodes(96, 12, true);
    for (int i = 0; i < 96; i++)
        for (int j = 0; j < i; j++)
            if (i / 12 == j / 12)
                links[n++] = (struct map_link) { i, j, 1 };
    assert_true(map_graph_make(&g, 96, links, n));
    assert_int_equal(map(&g, NULL), 0);
    map_graph_free(&g);
}

/* The heavy links stay within the nodes, although there are more light ones. */
static void test_weights(void **state)
{
    struct map_graph g;
    size_t n = 0;

    (void) state;
    nodes(32, 2, false);
    for (int i = 0; i < 16; i++)
        links[n++] = (struct map_link) { i, i + 16, 1000 };
    for (int i = 0; i < 31; i++)
        links[n++] = (struct map_link) { i, i + 1, 1 };
    assert_true(map_graph_make(&g, 32, links, n));
    assert_int_equal(map(&g, NULL), 31);
    map_graph_free(&g);
}

/* Any graph on any placement, with links to oneself and without any. */
static void test_random(void **state)
{
    (void) state;
    for (int round = 0; round < 300; round++) {
        int n = 1 + (int) unit_random(80), count = (int) unit_random(400);
        struct map_graph g;

        for (int i = 0; i < n * LEVELS; i++)
            key[i] = (int) unit_random(4) - 1;
        for (int k = 0; k < count; k++)
            links[k] = (struct map_link) { (int) unit_random((uint32_t) n),
                                           (int) unit_random((uint32_t) n),
                                           (int) unit_random(2) ? (int) unit_random(9) : 1 << 30 };
        assert_true(map_graph_make(&g, n, links, (size_t) count));
        (void) map(&g, NULL);
        map_graph_free(&g);
    }
}

static void test_random_grids(void **state)
{
    (void) state;
    for (int round = 0; round < 300; round++) {
        int dims[3], periods[3];

        for (int d = 0; d < 3; d++) {
            dims[d] = 1 + (int) unit_random(8);
            periods[d] = (int) unit_random(2);
        }
        if (round % 2)
            nodes(MOST, 1 + (int) unit_random(16), round % 4 == 1);
        else
            for (int i = 0; i < MOST * LEVELS; i++)
                key[i] = (int) unit_random(3);
        (void) map_grid(3, dims, periods);
    }
}

/* MPI_Cart_map uses the cores of its own node only: its processes get the same places. */
static void test_other_nodes_cores(void **state)
{
    const struct map_grid grid = { 2, (int[]) { 8, 6 }, (int[]) { 1, 0 } };
    struct map_graph g;
    int known[MOST];

    (void) state;
    assert_true(map_graph_of_grid(&g, &grid, 48));
    nodes(48, 8, true);
    (void) map(&g, &grid);
    memcpy(known, place, sizeof known);
    for (int node = 0; node < 6; node++) {
        nodes(48, 8, true);
        for (int i = 0; i < 48; i++)
            if (i % 6 != node)
                key[i * LEVELS + 1] = key[i * LEVELS + 2] = -1;
        (void) map(&g, &grid);
        for (int i = node; i < 48; i += 6)
            assert_int_equal(place[i], known[i]);
    }
    map_graph_free(&g);
}

/* A ring on many nodes of two processes in turn, or of one: the time does not grow with the
 * square. */
static void test_many(void **state)
{
    enum { MANY = 100000 };
    int *of_node = malloc(MANY * sizeof *of_node), *places = malloc(MANY * sizeof *places);
    struct map_link *ring = malloc(MANY * sizeof *ring);
    struct map_problem p = { .levels = 1, .key = of_node };
    clock_t begin = clock();

    (void) state;
    assert_true(of_node && places && ring);
    for (int nodes = MANY / 2; nodes <= MANY; nodes *= 2) {
        for (int i = 0; i < MANY; i++) {
            of_node[i] = i % nodes;
            ring[i] = (struct map_link) { i, (i + 1) % MANY, 1 };
        }
        assert_true(map_graph_make(&p.graph, MANY, ring, MANY));
        assert_true(map_processes(&p, places));
        map_graph_free(&p.graph);
        for (int i = 0; i < MANY && nodes == MANY / 2; i++) /* the two of a node are neighbors */
            assert_int_equal(places[i] / 2, places[(i + nodes) % MANY] / 2);
    }
    assert_true((double) (clock() - begin) / CLOCKS_PER_SEC < 5);
    free(ring);
    free(places);
    free(of_node);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_place_is_identity),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_caches),
        cmocka_unit_test(test_pays),
        cmocka_unit_test(test_uneven),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_random_grids),
        cmocka_unit_test(test_other_nodes_cores),
        cmocka_unit_test(test_many),
    };

    return UNIT_RUN(tests);
}
