/* places.c — the locations of the processes of a communicator, as keys for map.h. */
#include <stdlib.h>
#include <string.h>
#include "mpi/topo_create/topo_create.h"

/* Sets all keys but the node. hwloc is slow, so it is called only when keys may differ. */
static void look_at_cores(const struct adi3_comm *c, int rank, bool differ, int *key)
{
    struct adi3_place place;
    bool known = differ && adi3_place(c, rank, &place);

    for (int level = 1; level < MPIR_PLACES; level++)
        key[level] = known ? place.at[level - 1] : -1;
}

/* Cores on other nodes are not known, but do not change the rank of this process. */
int mpir_places_look(const struct adi3_comm *c, int n, int *key)
{
    bool differ = adi3_node_bound();
    int err = MPI_SUCCESS;

    for (int i = 0; !err && i < n; i++, key += MPIR_PLACES) {
        err = adi3_node_of(c, i, key);
        look_at_cores(c, i, differ, key);
    }
    return err;
}

/* Bruck's allgather, in log2(n) rounds: all[i] becomes the keys of rank (c->rank + i) % n. */
static int place_keys_allgather(struct adi3_comm *c, int n, int (*all)[MPIR_PLACES])
{
    struct adi3_type *byte = adi3_type_builtin(MPI_BYTE);

    for (int have = 1; have < n; have *= 2) {
        size_t len = (size_t) (have < n - have ? have : n - have) * sizeof *all;
        const struct adi3_exchange x = { .out = { all, len, byte },
                                         .in = { all + have, len, byte },
                                         .dest = (c->rank - have + n) % n,
                                         .source = (c->rank + have) % n };
        int err = adi3_sendrecv(&x, c, ADI3_COLL, MPI_STATUS_IGNORE);

        if (err)
            return err;
    }
    return MPI_SUCCESS;
}

/* Whether two ranks are on one node of one job; leader has the first key of each rank. */
static bool is_same_node(const struct adi3_comm *c, const int *leader, int a, int b)
{
    return leader[a] == leader[b]
           && adi3_group_name(c->group, a).job == adi3_group_name(c->group, b).job;
}

/* The leader of a node is a rank in its job. Where there are several jobs the number of a node is
 * the first rank of c on it instead. */
static int number_nodes(const struct adi3_comm *c, int n, int *key)
{
    int *leader = malloc((size_t) n * sizeof *leader);

    if (!leader)
        return adi3_no_memory("for the nodes of %d processes", n);
    for (int i = 0; i < n; i++)
        leader[i] = key[(size_t) i * MPIR_PLACES];
    for (int i = 0; i < n; i++) {
        int first = 0;
        if (i > 0 && is_same_node(c, leader, i - 1, i))
            first = key[(size_t) (i - 1) * MPIR_PLACES];
        while (!is_same_node(c, leader, first, i))
            first++;
        key[(size_t) i * MPIR_PLACES] = first;
    }
    free(leader);
    return MPI_SUCCESS;
}

int mpir_places_gather(struct adi3_comm *c, int n, int *key)
{
    int(*all)[MPIR_PLACES] = malloc((size_t) n * sizeof *all);

    if (!all)
        return adi3_no_memory("for the places of %d processes", n);
    all[0][0] = adi3_node_leader();
    look_at_cores(c, c->rank, adi3_node_bound(), all[0]);
    int err = place_keys_allgather(c, n, all);
    for (int i = 0; i < n; i++) /* now by rank */
        memcpy(key + (size_t) ((c->rank + i) % n) * MPIR_PLACES, all[i], sizeof *all);
    free(all);
    if (!err && adi3_group_spans(c->group))
        err = number_nodes(c, n, key);
    return err;
}

bool mpir_places_equal(const int *key, int n)
{
    for (int i = 1; i < n; i++)
        if (memcmp(key, key + (size_t) i * MPIR_PLACES, MPIR_PLACES * sizeof *key))
            return false;
    return true;
}
