/* gather_shared.c — each process publishes its block in the shared-memory segment and goes on;
 * the root copies the blocks.
 *
 * Cost: w + (p + 1) c n. For small blocks. */
#include "mpi/coll/algo/shared.h"

static int gather_run_chunk(struct coll *x, struct adi3_shmcoll *a, size_t at, size_t len)
{
    int err = adi3_shmcoll_begin(a, x->tag, len, false);

    if (err)
        return err;
    if (x->rank != x->root) {
        shared_put(&x->send, at, adi3_shmcoll_at(a, x->rank), len);
        adi3_shmcoll_signal(a, x->root);
        return MPI_SUCCESS;
    }
    err = adi3_shmcoll_collect(a);
    if (err)
        return err;
    for (int i = 0; i < x->size; i++) {
        struct adi3_data to = coll_block(&x->recv, i);
        if (i != x->root)
            shared_get(&to, at, adi3_shmcoll_at(a, i), len);
    }
    return MPI_SUCCESS;
}

void gather_shared(struct coll *x)
{
    struct adi3_shmcoll *a = coll_shmcoll(x);
    size_t len = coll_size(x->rank == x->root ? x->recv : x->send), most = shared_chunk(a, len);
    int err = MPI_SUCCESS;

    if (x->rank == x->root)
        coll_copy(x, x->send, coll_block(&x->recv, x->root));
    size_t at = 0;
    do { /* without data, too: the root of a barrier waits for it */
        err = gather_run_chunk(x, a, at, len - at < most ? len - at : most);
        at += most;
    } while (at < len && !err);
    coll_error(x, err);
}
