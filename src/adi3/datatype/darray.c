/* darray.c — MPI_Type_create_darray: the part of an array that a process of a grid has (§4.1.4). */
#include <stdlib.h>
#include "adi3/datatype/datatype_impl.h"

/* The elements in a block. */
static MPI_Count block_size(int distribution, int darg, MPI_Count size, int processes)
{
    if (distribution == MPI_DISTRIBUTE_NONE)
        return size;
    if (darg != MPI_DISTRIBUTE_DFLT_DARG)
        return darg;
    return distribution == MPI_DISTRIBUTE_CYCLIC ? 1 : (size - 1) / processes + 1;
}

/* The part of the process at this coordinate in a dimension with blocks in round-robin order. */
static struct array_dim dim_block_cyclic(MPI_Count block, MPI_Count size, int processes,
                                         int coordinate)
{
    wide start = (wide) coordinate * block, stride = (wide) processes * block;

    if (start >= size)
        return (struct array_dim) { .size = size };
    MPI_Count blocks = (MPI_Count) ((size - start - 1) / stride) + 1;
    MPI_Count last_at = (MPI_Count) ((blocks - 1) * stride);
    MPI_Count last = size - start - last_at < block ? (MPI_Count) (size - start - last_at) : block;
    struct array_dim d = { .size = size, .start = (MPI_Count) start, .stride = (MPI_Count) stride };
    d.count = last == block || blocks == 1 ? blocks : blocks - 1;
    d.blocklen = blocks == 1 ? last : block;
    d.rest = d.count < blocks ? last : 0;
    d.rest_at = last_at;
    return d;
}

int darray_lower(const struct adi3_contents *r, struct adi3_type **lowered)
{
    const int n = r->ints[2], *distribution = r->ints + 3 + (r->ncounts ? 0 : n);
    const int *darg = distribution + n, *processes = darg + n;
    bool c_order = processes[n] == MPI_ORDER_C;
    struct array_dim *dim = malloc((size_t) n * sizeof *dim);
    int rank = r->ints[1];

    if (!dim)
        return adi3_no_memory("for a datatype");
    for (int i = n - 1; i >= 0; i--) { /* the grid is row-major in both orders of the array */
        MPI_Count size = r->ncounts ? r->counts[i] : r->ints[3 + i];
        MPI_Count block = block_size(distribution[i], darg[i], size, processes[i]);
        dim[c_order ? n - 1 - i : i] =
            dim_block_cyclic(block, size, processes[i], rank % processes[i]);
        rank /= processes[i];
    }
    int err = array_lower(dim, n, r->types[0], lowered);
    free(dim);
    return err;
}
