/* subarray.c — MPI_Type_create_subarray: a block of an array (§4.1.3). */
#include <stdlib.h>
#include "adi3/datatype/datatype_impl.h"

int subarray_lower(const struct adi3_contents *r, struct adi3_type **lowered)
{
    const int n = r->ints[0], order = r->ints[r->nints - 1];
    size_t size = r->ncounts ? 0 : 1, subsize = size + (size_t) n, start = subsize + (size_t) n;
    struct array_dim *dim = malloc((size_t) n * sizeof *dim);

    if (!dim)
        return adi3_no_memory("for a datatype");
    for (int i = 0; i < n; i++)
        dim[order == MPI_ORDER_C ? n - 1 - i : i] =
            (struct array_dim) { .size = contents_number(r, size++),
                                 .start = contents_number(r, start++),
                                 .count = 1,
                                 .blocklen = contents_number(r, subsize++) };
    int err = array_lower(dim, n, r->types[0], lowered);
    free(dim);
    return err;
}
