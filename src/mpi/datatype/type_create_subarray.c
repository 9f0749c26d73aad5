#include "mpi/datatype/make.h"

static int subsizes_arg(struct mpir_counts subsizes, struct mpir_counts sizes, int n)
{
    int err = type_sizes_arg(subsizes, n, 1, "array_of_subsizes");

    for (int i = 0; mpir_checking() && i < n && !err; i++)
        if (mpir_count(&subsizes, i) > mpir_count(&sizes, i))
            err = mpir_error(
                MPI_ERR_ARG, "array_of_subsizes[%d] is %lld, more than array_of_sizes[%d], %lld", i,
                (long long) mpir_count(&subsizes, i), i, (long long) mpir_count(&sizes, i));
    return err;
}

static int starts_arg(struct mpir_counts starts, struct mpir_counts subsizes,
                      struct mpir_counts sizes, int n)
{
    int err = type_sizes_arg(starts, n, 0, "array_of_starts");

    for (int i = 0; mpir_checking() && i < n && !err; i++)
        if (mpir_count(&starts, i) > mpir_count(&sizes, i) - mpir_count(&subsizes, i))
            err = mpir_error(
                MPI_ERR_ARG, "array_of_starts[%d] is %lld: %lld elements end behind %lld", i,
                (long long) mpir_count(&starts, i), (long long) mpir_count(&subsizes, i),
                (long long) mpir_count(&sizes, i));
    return err;
}

/* Creates a datatype for a subarray of an array of ndims dimensions (§4.1.3). Its bounds are those
 * of the whole array.
 * Errors: MPI_ERR_ARG, MPI_ERR_TYPE, MPI_ERR_COUNT, MPI_ERR_NO_MEM. */
int PMPI_Type_create_subarray(int ndims, const int array_of_sizes[], const int array_of_subsizes[],
                              const int array_of_starts[], int order, MPI_Datatype oldtype,
                              MPI_Datatype *newtype)
{
    ENTER("MPI_Type_create_subarray", ndims, array_of_sizes, array_of_subsizes, array_of_starts,
          order, oldtype, newtype);
    const struct mpir_counts sizes = mpir_ints(array_of_sizes),
                             subsizes = mpir_ints(array_of_subsizes),
                             starts = mpir_ints(array_of_starts);
    const struct type_list list[] = { { mpir_ints(&ndims), 1 },
                                      { sizes, ndims },
                                      { subsizes, ndims },
                                      { starts, ndims },
                                      { mpir_ints(&order), 1 } };
    struct adi3_type *old;

    TRY(type_dims_arg(ndims));
    TRY(type_sizes_arg(sizes, ndims, 1, "array_of_sizes"));
    TRY(subsizes_arg(subsizes, sizes, ndims));
    TRY(starts_arg(starts, subsizes, sizes, ndims));
    TRY(type_order_arg(order));
    TRY(mpir_type_arg(oldtype, &old));
    TRY(mpir_out_arg(newtype, "newtype"));
    TRY(type_make(
        (struct adi3_contents) { .combiner = MPI_COMBINER_SUBARRAY, .ntypes = 1, .types = &old },
        list, 5, false, newtype));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_create_subarray);
