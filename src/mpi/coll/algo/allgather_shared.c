/* allgather_shared.c — each process publishes its block in the shared-memory segment and copies
 * the blocks of all.
 *
 * Cost: w + (p + 1) c n. For small data. */
#include "mpi/coll/algo/shared.h"

static int allgather_run_chunk(struct coll *x, struct adi3_shmcoll *a, size_t at, size_t len)
{
    int err = adi3_shmcoll_begin(a, x->tag, len, true);

    if (err)
        return err;
    shared_put(&x->send, at, adi3_shmcoll_at(a, x->rank), len);
    err = adi3_shmcoll_barrier(a);
    if (err)
        return err;
    for (int i = 0; i < x->size; i++) {
        struct adi3_data to = coll_block(&x->recv, i);
        if (i != x->rank)
            shared_get(&to, at, adi3_shmcoll_at(a, i), len);
    }
    return MPI_SUCCESS;
}

void allgather_shared(struct coll *x)
{
    struct adi3_shmcoll *a = coll_shmcoll(x);
    size_t len = coll_size(x->recv), most = shared_half_ring(a);
    int err = coll_size(x->send) == len ? MPI_SUCCESS : shared_wrong_length(x);

    coll_copy(x, x->send, coll_block(&x->recv, x->rank));
    for (size_t at = 0; at < len && !err; at += most)
        err = allgather_run_chunk(x, a, at, len - at < most ? len - at : most);
    coll_error(x, err);
}
