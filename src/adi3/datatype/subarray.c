/* subarray.c — MPI_Type_create_subarray: a block of an array (§4.1.3). */
#include <stdlib.h>
#include "datatype_impl.h"

int subarray_lower(const struct adi3_contents *r, struct adi3_type **lowered)
{
    const int n = r->ints[0], *size = r->ints + 1, *subsize = size + n, *start = subsize + n;
    bool c_order = start[n] == MPI_ORDER_C;
    struct array_dim *dim = malloc((size_t) n * sizeof *dim);

    if (!dim)
        return type_no_memory();
    for (int i = 0; i < n; i++)
        dim[c_order ? n - 1 - i : i] = (struct array_dim) {
            .size = size[i], .start = start[i], .count = 1, .blocklen = subsize[i]
        };
    int err = array_lower(dim, n, r->types[0], lowered);
    free(dim);
    return err;
}
