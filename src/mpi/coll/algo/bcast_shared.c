/* bcast_shared.c — the root publishes its data in the shared-memory segment, chunk by chunk, and
 * does not wait for the readers.
 *
 * Cost: w + 2 c n; root and readers copy different chunks at the same time. For small data, or
 * where processes may not read each other's memory. */
#include "mpi/coll/algo/shared.h"

/* All data is one chunk, whose length is compared with the root's. */
static int bcast_single_chunk(struct coll *x, struct adi3_shmcoll *a, size_t len)
{
    int err = adi3_shmcoll_begin(a, x->tag, len, false);
    size_t theirs;

    if (err)
        return err;
    if (x->rank == x->root) {
        shared_put(&x->recv, 0, adi3_shmcoll_at(a, x->root), len);
        adi3_shmcoll_publish(a);
        return MPI_SUCCESS;
    }
    err = adi3_shmcoll_await_length(a, x->root, &theirs);
    if (err)
        return err;
    if (theirs != len)
        return shared_differs(x, x->root, theirs, len);
    shared_get(&x->recv, 0, adi3_shmcoll_at(a, x->root), len);
    return MPI_SUCCESS;
}

static int next_chunk(struct coll *x, struct adi3_shmcoll *a, size_t at, size_t len)
{
    int err = adi3_shmcoll_begin(a, x->tag, len, false);

    if (err)
        return err;
    if (x->rank == x->root) {
        shared_put(&x->recv, at, adi3_shmcoll_at(a, x->root), len);
        adi3_shmcoll_publish(a);
        return MPI_SUCCESS;
    }
    err = adi3_shmcoll_await(a, x->root);
    if (!err)
        shared_get(&x->recv, at, adi3_shmcoll_at(a, x->root), len);
    return err;
}

void bcast_shared(struct coll *x)
{
    struct adi3_shmcoll *a = coll_shmcoll(x);
    size_t len = coll_size(x->recv), most = shared_chunk(a, len);
    int err = len <= most ? bcast_single_chunk(x, a, len) : MPI_SUCCESS;

    for (size_t at = 0; at < len && len > most && !err; at += most)
        err = next_chunk(x, a, at, len - at < most ? len - at : most);
    coll_error(x, err);
}
