/* darray.c — MPI_Type_create_darray: the part of an array that a process of a grid has (§4.1.4). */
#include <stdlib.h>
#include "datatype_impl.h"

/* The elements in a block. */
static int block_size(int distribution, int darg, int size, int processes)
{
    if (distribution == MPI_DISTRIBUTE_NONE)
        return size;
    if (darg != MPI_DISTRIBUTE_DFLT_DARG)
        return darg;
    return distribution == MPI_DISTRIBUTE_CYCLIC ? 1 : (size - 1) / processes + 1;
}

/* The part of the process at this coordinate in a dimension with blocks in round-robin order. */
static struct array_dim deal(int block, int size, int processes, int coordinate)
{
    int64_t start = (int64_t) coordinate * block, stride = (int64_t) processes * block;

    if (start >= size)
        return (struct array_dim) { .size = size };
    int blocks = (int) ((size - start - 1) / stride) + 1;
    int64_t last_at = (blocks - 1) * stride;
    int last = size - start - last_at < block ? (int) (size - start - last_at) : block;
    struct array_dim d = { .size = size, .start = (int) start, .stride = stride };
    d.count = last == block || blocks == 1 ? blocks : blocks - 1;
    d.blocklen = blocks == 1 ? last : block;
    d.rest = d.count < blocks ? last : 0;
    d.rest_at = last_at;
    return d;
}

int darray_lower(const struct adi3_contents *r, struct adi3_type **lowered)
{
    const int n = r->ints[2], *size = r->ints + 3, *distribution = size + n;
    const int *darg = distribution + n, *processes = darg + n;
    bool c_order = processes[n] == MPI_ORDER_C;
    struct array_dim *dim = malloc((size_t) n * sizeof *dim);
    int rank = r->ints[1];

    if (!dim)
        return type_no_memory();
    for (int i = n - 1; i >= 0; i--) { /* the grid is row-major in both orders of the array */
        int block = block_size(distribution[i], darg[i], size[i], processes[i]);
        dim[c_order ? n - 1 - i : i] = deal(block, size[i], processes[i], rank % processes[i]);
        rank /= processes[i];
    }
    int err = array_lower(dim, n, r->types[0], lowered);
    free(dim);
    return err;
}
