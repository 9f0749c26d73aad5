/* scatter_shared.c — the root publishes all blocks in the shared-memory segment and goes on;
 * each process copies its block.
 *
 * Small blocks are in the root's room together. Larger ones would have to be cut small for that:
 * the root writes each to the room of the process that it is for, which is used by no other one in
 * this step. Cost: w + (p + 1) c n. */
#include "mpi/coll/algo/shared.h"

enum { ROOM_LEAST = 64 }; /* bytes: less might be in a line, which its owner alone may write */

struct chunk { /* of each block */
    size_t at, len;
    bool spread; /* each is in the room of its process */
};

static char *block_room(const struct coll *x, const struct adi3_shmcoll *a, struct chunk c, int i)
{
    if (c.spread)
        return adi3_shmcoll_at(a, i);
    return (char *) adi3_shmcoll_at(a, x->root) + (size_t) i * c.len;
}

static int scatter_run_chunk(struct coll *x, struct adi3_shmcoll *a, struct chunk c)
{
    size_t each = c.len < ROOM_LEAST ? ROOM_LEAST : c.len;
    int err = adi3_shmcoll_begin(a, x->tag, c.spread ? each : c.len * (size_t) x->size, false);

    if (err)
        return err;
    if (x->rank != x->root) {
        err = adi3_shmcoll_await(a, x->root);
        if (!err)
            shared_get(&x->recv, c.at, block_room(x, a, c, x->rank), c.len);
        return err;
    }
    for (int i = 0; i < x->size; i++) {
        struct adi3_data from = coll_block(&x->send, i);
        if (i != x->root)
            shared_put(&from, c.at, block_room(x, a, c, i), c.len);
    }
    adi3_shmcoll_publish(a);
    return MPI_SUCCESS;
}

void scatter_shared(struct coll *x)
{
    struct adi3_shmcoll *a = coll_shmcoll(x);
    size_t len = coll_size(x->rank == x->root ? x->send : x->recv);
    bool spread = !shared_fits_chunk(x, len * (size_t) x->size);
    size_t most = spread ? shared_chunk(a, len) : len;
    int err = MPI_SUCCESS;

    for (size_t at = 0; at < len && !err; at += most)
        err = scatter_run_chunk(x, a,
                                (struct chunk) { at, len - at < most ? len - at : most, spread });
    if (x->rank == x->root)
        coll_copy(x, coll_block(&x->send, x->root), x->recv);
    coll_error(x, err);
}
