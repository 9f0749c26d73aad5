/* scatter_shared.c — the root publishes all blocks in the shared-memory segment and goes on;
 * each process copies its block.
 *
 * Cost: w + (p + 1) c n. For small blocks. */
#include "mpi/coll/algo/shared.h"

static int scatter_run_chunk(struct coll *x, struct adi3_shmcoll *a, size_t at, size_t len)
{
    int err = adi3_shmcoll_begin(a, x->tag, len * (size_t) x->size, false);

    if (err)
        return err;
    char *room = adi3_shmcoll_at(a, x->root);
    if (x->rank != x->root) {
        err = adi3_shmcoll_await(a, x->root);
        if (!err)
            shared_get(&x->recv, at, room + (size_t) x->rank * len, len);
        return err;
    }
    for (int i = 0; i < x->size; i++) {
        struct adi3_data from = coll_block(&x->send, i);
        if (i != x->root)
            shared_put(&from, at, room + (size_t) i * len, len);
    }
    adi3_shmcoll_publish(a);
    return MPI_SUCCESS;
}

void scatter_shared(struct coll *x)
{
    struct adi3_shmcoll *a = coll_shmcoll(x);
    size_t len = coll_size(x->rank == x->root ? x->send : x->recv), size = (size_t) x->size,
           most = shared_units(shared_chunk(a, len * size), len, size);
    int err = MPI_SUCCESS;

    for (size_t at = 0; at < len && !err; at += most)
        err = scatter_run_chunk(x, a, at, len - at < most ? len - at : most);
    if (x->rank == x->root)
        coll_copy(x, coll_block(&x->send, x->root), x->recv);
    coll_error(x, err);
}
