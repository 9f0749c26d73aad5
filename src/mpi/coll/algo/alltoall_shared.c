/* alltoall_shared.c — each process publishes all its blocks in the shared-memory segment and
 * copies the blocks for itself.
 *
 * Cost: w + 2 p c n. For small blocks. */
#include "mpi/coll/algo/shared.h"

static int alltoall_run_chunk(struct coll *x, struct adi3_shmcoll *a, size_t at, size_t len)
{
    int err = adi3_shmcoll_begin(a, x->tag, len * (size_t) x->size, true);

    if (err)
        return err;
    for (int i = 0; i < x->size; i++) {
        struct adi3_data from = coll_block(&x->send, i);
        if (i != x->rank)
            shared_put(&from, at, (char *) adi3_shmcoll_at(a, x->rank) + (size_t) i * len, len);
    }
    err = adi3_shmcoll_barrier(a);
    if (err)
        return err;
    for (int i = 0; i < x->size; i++) {
        struct adi3_data to = coll_block(&x->recv, i);
        if (i != x->rank)
            shared_get(&to, at, (char *) adi3_shmcoll_at(a, i) + (size_t) x->rank * len, len);
    }
    return MPI_SUCCESS;
}

void alltoall_shared(struct coll *x)
{
    struct adi3_shmcoll *a = coll_shmcoll(x);
    size_t len = coll_size(x->recv),
           most = shared_units(shared_half_ring(a), len, (size_t) x->size);
    int err = coll_size(x->send) == len ? MPI_SUCCESS : shared_wrong_length(x);

    coll_copy(x, coll_block(&x->send, x->rank), coll_block(&x->recv, x->rank));
    for (size_t at = 0; at < len && !err; at += most)
        err = alltoall_run_chunk(x, a, at, len - at < most ? len - at : most);
    coll_error(x, err);
}
