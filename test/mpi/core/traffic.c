/* traffic.c — the number of messages and bytes that cross between nodes: the limits that the phases
 * of collective operations promise, counted in the schedules of all processes. */
#include <stdlib.h>
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/nodes.h"
#include "unit.h"

enum { MOST = 12, BLOCK = 1000 };

struct layout {
    int size, count, node[MOST]; /* processes; nodes; of each rank */
};

static const struct layout layouts[] = {
    { 6, 3, { 0, 0, 1, 1, 2, 2 } }, { 6, 3, { 0, 1, 2, 0, 1, 2 } },
    { 6, 3, { 0, 1, 1, 2, 1, 2 } }, { 12, 4, { 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3 } },
    { 3, 2, { 0, 1, 1 } },
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static struct {
    const struct layout *layout;
    int rank;
    size_t sends, recvs, bytes; /* to and from other nodes; bytes: sent */
} now;

void __real_adi3_sched_send(struct adi3_sched *s, struct adi3_comm *c, struct adi3_data d,
                            int dest);
void __real_adi3_sched_recv(struct adi3_sched *s, struct adi3_comm *c, struct adi3_data d,
                            int source);
void __wrap_adi3_sched_send(struct adi3_sched *s, struct adi3_comm *c, struct adi3_data d,
                            int dest);
void __wrap_adi3_sched_recv(struct adi3_sched *s, struct adi3_comm *c, struct adi3_data d,
                            int source);

void __wrap_adi3_sched_send(struct adi3_sched *s, struct adi3_comm *c, struct adi3_data d, int dest)
{
    bool far = now.layout->node[dest] != now.layout->node[now.rank];

    now.sends += far;
    now.bytes += far ? coll_size(d) : 0;
    __real_adi3_sched_send(s, c, d, dest);
}

void __wrap_adi3_sched_recv(struct adi3_sched *s, struct adi3_comm *c, struct adi3_data d,
                            int source)
{
    now.recvs += now.layout->node[source] != now.layout->node[now.rank];
    __real_adi3_sched_recv(s, c, d, source);
}

/* The same as in nodes.c. */
static struct coll_nodes *nodes_of(const struct layout *l, int rank)
{
    struct coll_nodes *n = calloc(1, sizeof *n + (3 * MOST + 1) * sizeof(int));
    int *leader = (int *) (n + 1), *ranks = leader + MOST, *first = ranks + MOST;

    adi3_node_map_sort(l->node, l->size, l->count, ranks, first);
    for (int k = 0; k < l->count; k++)
        leader[k] = ranks[first[k]];
    *n = (struct coll_nodes) { .count = l->count,
                               .mine = l->node[rank],
                               .node = l->node,
                               .leader = leader,
                               .ranks = ranks,
                               .first = first,
                               .in_order = true };
    for (int i = 0; i < l->size; i++)
        n->in_order = n->in_order && ranks[i] == i;
    n->me = coll_nodes_place(n, rank);
    return n;
}

static size_t in_node(const struct layout *l, int node)
{
    size_t n = 0;

    for (int r = 0; r < l->size; r++)
        n += l->node[r] == node;
    return n;
}

/* Fills the schedules of all processes. A block is BLOCK bytes. */
static void count(const struct layout *l, void (*algorithm)(struct coll *x), int root)
{
    static char out[MOST * BLOCK], in[MOST * BLOCK];

    now.layout = l;
    now.sends = now.recvs = now.bytes = 0;
    for (int rank = 0; rank < l->size; rank++) {
        struct adi3_comm c = { .rank = rank, .size = l->size, .peers = l->size };
        struct coll x;

        c.nodes = nodes_of(l, rank);
        now.rank = rank;
        coll_begin(&x, &c);
        x.root = root;
        x.op = adi3_op_builtin(MPI_BXOR);
        x.send = coll_packed(out, BLOCK);
        x.recv = coll_packed(in, BLOCK);
        x.sched = adi3_sched_new(1);
        algorithm(&x);
        coll_finish(&x);
        assert_int_equal(x.err, MPI_SUCCESS);
        adi3_sched_free(x.sched);
        free(c.nodes);
    }
    assert_int_equal(now.recvs, now.sends);
}

static void each(void (*algorithm)(struct coll *x), size_t (*sends)(const struct layout *, int),
                 size_t (*bytes)(const struct layout *, int))
{
    for (int i = 0; i < LAYOUTS; i++)
        for (int root = 0; root < layouts[i].size; root++) {
            count(&layouts[i], algorithm, root);
            assert_int_equal(now.sends, sends(&layouts[i], root));
            assert_int_equal(now.bytes, bytes(&layouts[i], root));
        }
}

/* To or from each node but the root's; between all pairs of nodes. */
static size_t once(const struct layout *l, int root)
{
    (void) root;
    return (size_t) l->count - 1;
}

static size_t pairs(const struct layout *l, int root)
{
    (void) root;
    return (size_t) (l->count * (l->count - 1));
}

static size_t block_each(const struct layout *l, int root) { return once(l, root) * BLOCK; }

static size_t far_blocks(const struct layout *l, int root)
{
    return ((size_t) l->size - in_node(l, l->node[root])) * BLOCK;
}

static size_t all_to_each(const struct layout *l, int root)
{
    return once(l, root) * (size_t) l->size * BLOCK;
}

static size_t all_pairs(const struct layout *l, int root)
{
    size_t n = (size_t) (l->size * l->size);

    (void) root;
    for (int k = 0; k < l->count; k++)
        n -= in_node(l, k) * in_node(l, k);
    return n * BLOCK;
}

/* By dissemination, and by doubling, among leaders alone. */
static size_t rounds_of_all(const struct layout *l, int root)
{
    size_t n = 0;

    (void) root;
    for (int step = 1; step < l->count; step *= 2)
        n += (size_t) l->count;
    return n;
}

/* Small operands: in groups of four, each of which sends to three others, and a pair at the end. */
static size_t multiplying(const struct layout *l, int root)
{
    int power = coll_power(l->count), rounds = 0;

    (void) root;
    while (1 << rounds < power)
        rounds++;
    return (size_t) (power * (rounds / 2 * 3 + rounds % 2) + 2 * (l->count - power));
}

static size_t multiplying_bytes(const struct layout *l, int root)
{
    return multiplying(l, root) * BLOCK;
}

static size_t nothing(const struct layout *l, int root)
{
    (void) l;
    (void) root;
    return 0;
}

static void rooted(void **state)
{
    (void) state;
    each(bcast_nodes, once, block_each);
    each(reduce_nodes, once, block_each);
    each(gather_nodes, once, far_blocks);
    each(scatter_nodes, once, far_blocks);
}

static void of_all(void **state)
{
    (void) state;
    each(barrier_nodes, rounds_of_all, nothing);
    each(allreduce_nodes, multiplying, multiplying_bytes);
    each(allgather_nodes, pairs, all_to_each);
    each(alltoall_nodes, pairs, all_pairs);
}

/* The traffic of the same operations without phases, for comparison. */
static void without_phases(void **state)
{
    (void) state;
    for (int i = 0; i < LAYOUTS; i++) {
        count(&layouts[i], allgather_ring, 0);
        assert_true(now.bytes >= all_to_each(&layouts[i], 0));
        count(&layouts[i], gather_linear, 0);
        assert_int_equal(now.sends, far_blocks(&layouts[i], 0) / BLOCK);
        count(&layouts[i], alltoall_spread, 0);
        assert_int_equal(now.sends, all_pairs(&layouts[i], 0) / BLOCK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rooted),
        cmocka_unit_test(of_all),
        cmocka_unit_test(without_phases),
    };

    return UNIT_RUN(tests);
}
