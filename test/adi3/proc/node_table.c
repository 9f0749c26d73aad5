/* node_table.c — the nodes of all processes are found once for all processes of a node: also when
 * one dies while it does so, when the launcher has no lists, and when it does not know a node. The
 * processes are children, which have the segment, its lock and the lists in common. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "fake.h"
#include "adi3/proc/node_segment.h"

enum { CHILDREN = 4 };

static const char *lists;  /* "": the launcher has none */
static _Atomic int *asked; /* of the launcher, by all children */
static _Atomic int *begun; /* children that have begun to ask for the map */
static bool dies;

static char *give_lists(void)
{
    int times = atomic_fetch_add(asked, 1) + 1;

    if (dies && times == 1) {
        while (atomic_load(begun) < CHILDREN)
            os_yield();
        _exit(0);
    }
    return *lists ? strdup(lists) : NULL;
}

/* Begins anew: no process has asked. */
static void start(const char *what)
{
    lists = what;
    atomic_store(asked, 0);
    atomic_store(begun, 0);
    atomic_store(&segment_own.head->nodes, 0);
    node_table_leave();
}

static void check_map(int nodes, const int *node, const int *ranks)
{
    const struct adi3_node_map *map;

    CHECK(!adi3_node_map_find(&map));
    CHECK(map->count == nodes && map->mine == 0 && (map->node != NULL) == (nodes < FAKE_SIZE));
    for (int r = 0, leader; r < FAKE_SIZE; r++) {
        int first = r;
        for (int i = r; i >= 0; i--)
            first = node[i] == node[r] ? i : first;
        CHECK(!adi3_node_of(&adi3_world, r, &leader) && leader == first);
        CHECK(adi3_node_map_leader(map, node[r]) == first);
        CHECK(!map->node || (map->node[r] == node[r] && map->ranks[r] == ranks[r]));
    }
    for (int k = 0; map->node && k < nodes; k++)
        CHECK(node[map->ranks[map->first[k]]] == k && map->first[k] < map->first[k + 1]);
}

/* All children find the same, and so many ask the launcher. */
static void check_children(const char *what, int nodes, const int *node, const int *ranks, int most)
{
    start(what);
    for (int i = 0; i < CHILDREN; i++) {
        pid_t pid = fork();
        CHECK(pid >= 0);
        if (!pid) {
            (void) atomic_fetch_add(begun, 1);
            check_map(nodes, node, ranks);
            _exit(0);
        }
    }
    for (int i = 0, status; i < CHILDREN; i++)
        CHECK(wait(&status) > 0 && status == 0);
    CHECK(atomic_load(asked) == most);
}

static void once_for_a_node(void)
{
    static const int alone[] = { 0, 1, 2 }, two[] = { 0, 1, 1 }, apart[] = { 0, 1, 0 };
    static const int in_order[] = { 0, 1, 2 }, not_in_order[] = { 0, 2, 1 };

    check_children("0;1-2;", 2, two, in_order, 1);
    check_children("1-2;0;", 2, two, in_order, 1);
    check_children("2,1;0;", 2, two, in_order, 1);
    check_children("0;1;2;", 3, alone, in_order, 1);
    check_children("1;2;", 3, alone, in_order, 1);
    check_children("", 3, alone, in_order, 1); /* by business cards */
    check_children("0;", 3, alone, in_order, 1);
    check_children("0,2;1;", 2, apart, not_in_order, 1);
}

static void a_process_dies_that_asks(void)
{
    static const int two[] = { 0, 1, 1 }, in_order[] = { 0, 1, 2 };

    dies = true;
    check_children("0;1-2;", 2, two, in_order, 2);
    dies = false;
}

/* Then the next call asks again. */
static void an_error_is_not_kept(void)
{
    static const int two[] = { 0, 1, 1 }, in_order[] = { 0, 1, 2 };
    const struct adi3_node_map *map;
    int leader;

    start("0;1-3;");
    int err = adi3_node_map_find(&map);
    CHECK(err && !map && strstr(adi3_error_text(err), "'1-3;'"));
    CHECK(adi3_node_of(&adi3_world, 1, &leader));
    CHECK(!adi3_node_of(&adi3_world, 0, &leader) && leader == 0); /* of this node */
    lists = "0;1-2;";
    check_map(2, two, in_order);
}

static void ranks_of_this_node(void)
{
    CHECK(node_local(FAKE_RANK) == adi3_node.index);
    CHECK(node_local(1) == -1 && node_local(2) == -1);
    CHECK(node_local(-1) == -1 && node_local(FAKE_SIZE) == -1);
    node_local_enter(1, MAX_SLOTS - 1); /* one that came when all had been counted */
    CHECK(node_local(1) == -1);
}

int main(void)
{
    CHECK((asked = os_map(os_memfd("asked", 2 * sizeof *asked), 2 * sizeof *asked)));
    begun = asked + 1;
    lists = "";
    fake_lists = give_lists;
    CHECK(!fake_join());
    once_for_a_node();
    a_process_dies_that_asks();
    an_error_is_not_kept();
    ranks_of_this_node();
    return 0;
}
