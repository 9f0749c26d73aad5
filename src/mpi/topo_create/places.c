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

/* In a communicator of several jobs the key of a node is the first rank of c on it. */
static void number_nodes(const uint64_t *id, int n, int *key)
{
    for (int i = 0; i < n; i++) {
        int first = 0;
        if (i > 0 && id[i - 1] == id[i])
            first = key[(size_t) (i - 1) * MPIR_PLACES];
        while (id[first] != id[i])
            first++;
        key[(size_t) i * MPIR_PLACES] = first;
    }
}

/* The keys of nodes, from what this process knows. */
static int look_at_nodes(const struct adi3_comm *c, int n, int *key)
{
    int err = MPI_SUCCESS;

    for (int i = 0; !err && !c->group->others && i < n; i++)
        err = adi3_node_of(c, i, &key[(size_t) i * MPIR_PLACES]);
    if (!c->group->others)
        return err;
    uint64_t *id = malloc((size_t) c->size * sizeof *id);
    err = id ? adi3_node_ids(c, id) : adi3_no_memory("for the nodes of %d processes", c->size);
    if (!err)
        number_nodes(id, n, key);
    free(id);
    return err;
}

/* Cores on other nodes are not known, but do not change the rank of this process. */
int mpir_places_look(const struct adi3_comm *c, int n, int *key)
{
    bool differ = adi3_node_bound();

    for (int i = 0; i < n; i++)
        look_at_cores(c, i, differ, key + (size_t) i * MPIR_PLACES);
    return look_at_nodes(c, n, key);
}

struct place_keys {
    uint64_t node; /* the same in all processes of a node, whatever their job */
    int key[MPIR_PLACES];
};

/* Bruck's allgather, in log2(n) rounds: all[i] becomes the keys of rank (c->rank + i) % n. */
static int place_keys_allgather(struct adi3_comm *c, int n, struct place_keys *all)
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

int mpir_places_gather(struct adi3_comm *c, int n, int *key)
{
    struct place_keys *all = malloc((size_t) n * (sizeof *all + sizeof(uint64_t)));
    uint64_t *id = (uint64_t *) (all + n);

    if (!all)
        return adi3_no_memory("for the places of %d processes", n);
    memset(all, 0, sizeof *all);
    all[0].node = adi3_node_here();
    all[0].key[0] = adi3_node_leader();
    look_at_cores(c, c->rank, adi3_node_bound(), all[0].key);
    int err = place_keys_allgather(c, n, all);
    for (int i = 0; i < n; i++) { /* now by rank */
        int rank = (c->rank + i) % n;
        memcpy(key + (size_t) rank * MPIR_PLACES, all[i].key, sizeof all[i].key);
        id[rank] = all[i].node;
    }
    if (!err && c->group->others)
        number_nodes(id, n, key);
    free(all);
    return err;
}

bool mpir_places_equal(const int *key, int n)
{
    for (int i = 1; i < n; i++)
        if (memcmp(key, key + (size_t) i * MPIR_PLACES, MPIR_PLACES * sizeof *key))
            return false;
    return true;
}
