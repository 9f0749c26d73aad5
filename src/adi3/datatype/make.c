/* make.c — makes datatypes of constructor calls. */
#include "adi3/datatype/datatype_impl.h"

/* Sets *inner, with a reference, to the type whose elements a new type has at the same places. NULL
 * when the new type has places of its own. */
static int inner_of(const struct adi3_contents *r, struct adi3_type **inner)
{
    *inner = NULL;
    switch (r->combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
        *inner = r->types[0];
        (*inner)->refs++;
        return MPI_SUCCESS;
    case MPI_COMBINER_SUBARRAY:
        return subarray_lower(r, inner);
    case MPI_COMBINER_DARRAY:
        return darray_lower(r, inner);
    }
    return MPI_SUCCESS;
}

int adi3_type_make(const struct adi3_contents *r, struct adi3_type **made)
{
    struct adi3_type *inner;
    int err = inner_of(r, &inner);

    assert(adi3_lock_held());
    if (err)
        return err;
    err = type_new(r, inner, made);
    if (inner)
        adi3_type_release(inner);
    return err;
}

int adi3_type_hvector(int count, int blocklen, MPI_Aint stride, struct adi3_type *old,
                      struct adi3_type **made)
{
    return adi3_type_make(&(struct adi3_contents) { .combiner = MPI_COMBINER_HVECTOR,
                                                    .nints = 2,
                                                    .naddrs = 1,
                                                    .ntypes = 1,
                                                    .ints = (int[]) { count, blocklen },
                                                    .addrs = &stride,
                                                    .types = &old },
                          made);
}

int adi3_type_dup(struct adi3_type *old, struct adi3_type **made)
{
    int err = adi3_type_make(
        &(struct adi3_contents) { .combiner = MPI_COMBINER_DUP, .ntypes = 1, .types = &old }, made);

    if (err || !old->committed)
        return err;
    err = adi3_type_commit(*made);
    if (err)
        adi3_type_release(*made);
    return err;
}
