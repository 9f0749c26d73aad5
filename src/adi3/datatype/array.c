/* array.c — lowers a part of an array to nested vectors, which are types that the user never sees.
 *
 * All strides are in bytes, so that only the outermost type has to be resized. The offsets of all
 * dimensions are added up to one displacement of the whole. */
#include "adi3/datatype/datatype_impl.h"

/* Replaces *t by the type that r makes of it. */
static int array_wrap(struct adi3_type **t, struct adi3_contents r)
{
    struct adi3_type *made;

    r.ntypes = 1;
    r.types = t;
    int err = type_new(&r, r.combiner == MPI_COMBINER_RESIZED ? *t : NULL, &made);
    if (err)
        return err;
    adi3_type_release(*t);
    *t = made;
    return MPI_SUCCESS;
}

/* Replaces *t by n of it, stride bytes apart. */
static int array_repeat(struct adi3_type **t, MPI_Count n, MPI_Aint stride)
{
    if (n == 1)
        return MPI_SUCCESS;
    return array_wrap(t, (struct adi3_contents) { .combiner = MPI_COMBINER_HVECTOR,
                                                  .ncounts = 3,
                                                  .counts = (MPI_Count[]) { n, 1, stride } });
}

/* Adds the elements behind the regular blocks. */
static int add_rest(struct adi3_type **blocks, struct adi3_type *rest, MPI_Aint at)
{
    struct adi3_type *made;
    int err =
        type_new(&(struct adi3_contents) { .combiner = MPI_COMBINER_STRUCT,
                                           .nints = 3,
                                           .naddrs = 2,
                                           .ntypes = 2,
                                           .ints = (int[]) { 2, 1, 1 },
                                           .addrs = (MPI_Aint[]) { 0, at },
                                           .types = (struct adi3_type *[]) { *blocks, rest } },
                 NULL, &made);

    if (err)
        return err;
    adi3_type_release(*blocks);
    *blocks = made;
    return MPI_SUCCESS;
}

/* Replaces *t by a dimension whose elements are *t, pitch bytes apart. */
static int add_dim(struct adi3_type **t, const struct array_dim *d, MPI_Aint pitch)
{
    struct adi3_type *rest = *t;

    rest->refs++;
    int err = array_repeat(t, d->blocklen, pitch);
    if (!err && d->count != 1)
        err = array_repeat(t, d->count, (MPI_Aint) d->stride * pitch);
    if (!err && d->rest)
        err = array_repeat(&rest, d->rest, pitch);
    if (!err && d->rest)
        err = add_rest(t, rest, (MPI_Aint) d->rest_at * pitch);
    adi3_type_release(rest);
    return err;
}

/* Sets the displacement and the bounds of the whole. */
static int array_set_bounds(struct adi3_type **t, MPI_Aint at, MPI_Aint whole)
{
    int err = MPI_SUCCESS;

    if (at)
        err = array_wrap(t, (struct adi3_contents) { .combiner = MPI_COMBINER_HINDEXED,
                                                     .nints = 2,
                                                     .naddrs = 1,
                                                     .ints = (int[]) { 1, 1 },
                                                     .addrs = &at });
    if (!err)
        err = array_wrap(t, (struct adi3_contents) { .combiner = MPI_COMBINER_RESIZED,
                                                     .naddrs = 2,
                                                     .addrs = (MPI_Aint[]) { 0, whole } });
    return err;
}

int array_lower(const struct array_dim dim[], int n, struct adi3_type *old,
                struct adi3_type **lowered)
{
    struct adi3_type *t = old;
    wide pitch = old->extent, at = 0;
    int err = MPI_SUCCESS;

    t->refs++;
    for (int i = 0; i < n && !err; i++) {
        wide whole = pitch * dim[i].size;
        if (whole > LIMIT || whole < -LIMIT)
            err = type_too_large("the whole array");
        else
            err = add_dim(&t, &dim[i], (MPI_Aint) pitch);
        at += pitch * dim[i].start;
        pitch = whole;
    }
    if (!err)
        err = array_set_bounds(&t, (MPI_Aint) at, (MPI_Aint) pitch);
    if (err)
        adi3_type_release(t);
    else
        *lowered = t;
    return err;
}
