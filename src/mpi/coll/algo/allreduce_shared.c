/* allreduce_shared.c — each process publishes its operand in the shared-memory segment. Then
 * each process combines all operands for itself; or, where cores are shared, the last process to
 * arrive combines them once for all.
 *
 * Operands are combined from the last rank's down, element by element: the bits are the same
 * however data is cut into chunks. Cost: w + p n (c + g), and c n. For small data. */
#include "mpi/coll/algo/shared.h"

/* As shared_combine(), but each operand is copied first. */
static void combine_copies(struct coll *x, const struct adi3_shmcoll *a, size_t count, void *to,
                           void *spare)
{
    size_t len = count * x->recv.type->size;

    memcpy(to, adi3_shmcoll_at(a, x->size - 1), len);
    for (int i = x->size - 2; i >= 0; i--)
        coll_apply(x, memcpy(spare, adi3_shmcoll_at(a, i), len), to, count);
}

static int allreduce_run_chunk(struct coll *x, struct adi3_shmcoll *a, size_t first, size_t count,
                               void *spare)
{
    size_t len = count * x->recv.type->size;
    char *to = coll_range(x->recv.buf, first, count, x->recv.type).buf;
    bool last;
    int err = adi3_shmcoll_begin(a, x->tag, len, true);

    if (err)
        return err;
    shared_put(&x->send, first * x->recv.type->size, adi3_shmcoll_at(a, x->rank), len);
    err = adi3_shmcoll_arrive(a, &last);
    if (err)
        return err;
    if (!adi3_shmcoll_last_works(a)) {
        if (spare)
            combine_copies(x, a, count, to, spare);
        else
            shared_combine(x, a, 0, count, to, NULL);
        return MPI_SUCCESS;
    }
    void *result = adi3_shmcoll_at(a, x->size);
    if (last) {
        shared_combine(x, a, 0, count, result, NULL);
        adi3_shmcoll_release(a);
    }
    memcpy(to, result, len);
    return MPI_SUCCESS;
}

void allreduce_shared(struct coll *x)
{
    struct adi3_shmcoll *a = coll_shmcoll(x);
    size_t count = x->recv.count,
           most = shared_units(shared_half_ring(a), count, x->recv.type->size);
    void *spare = NULL; /* for copies of operands that other processes read, too */
    int err = MPI_SUCCESS;

    if (shared_needs_copies(x) && !adi3_shmcoll_last_works(a))
        spare = coll_bytes(x, most * x->recv.type->size);
    if (x->stopped)
        err = adi3_shmcoll_fail(a, x->err);
    for (size_t first = 0; first < count && !err; first += most)
        err = allreduce_run_chunk(x, a, first, count - first < most ? count - first : most, spare);
    coll_error(x, err);
}
