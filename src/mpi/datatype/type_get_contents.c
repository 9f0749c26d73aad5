#include <string.h>
#include "mpi/datatype/make.h"

static int made_arg(const struct adi3_type *t)
{
    if (t->contents)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_TYPE, "%s is predefined: no call created it", t->name);
}

static int room_arg(MPI_Count max, MPI_Count needed, const char *what)
{
    if (mpir_checking() && max < needed)
        return mpir_error(MPI_ERR_ARG, "%s is %lld, there are %lld", what, (long long) max,
                          (long long) needed);
    return MPI_SUCCESS;
}

/* The arrays may be NULL when there are no such arguments. */
static void contents_copy(void *to, const void *from, MPI_Count n, size_t size)
{
    if (n > 0)
        memcpy(to, from, (size_t) n * size);
}

/* Returns the arguments of the call that created a datatype (§4.1.13). Datatypes among them that
 * are not predefined are new handles, which the caller frees, also when the program has freed such
 * a datatype before.
 * Errors: MPI_ERR_TYPE, MPI_ERR_ARG. */
int PMPI_Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses,
                           int max_datatypes, int array_of_integers[],
                           MPI_Aint array_of_addresses[], MPI_Datatype array_of_datatypes[])
{
    ENTER("MPI_Type_get_contents", datatype, max_integers, max_addresses, max_datatypes,
          array_of_integers, array_of_addresses, array_of_datatypes);
    struct adi3_type *t;

    TRY(mpir_type_arg(datatype, &t));
    TRY(made_arg(t));
    const struct adi3_contents *r = t->contents;
    TRY(type_int_contents_arg(r));
    TRY(room_arg(max_integers, r->nints, "max_integers"));
    TRY(room_arg(max_addresses, r->naddrs, "max_addresses"));
    TRY(room_arg(max_datatypes, r->ntypes, "max_datatypes"));
    TRY(mpir_array_arg(array_of_integers, r->nints, "array_of_integers"));
    TRY(mpir_array_arg(array_of_addresses, r->naddrs, "array_of_addresses"));
    TRY(mpir_array_arg(array_of_datatypes, r->ntypes, "array_of_datatypes"));
    contents_copy(array_of_integers, r->ints, r->nints, sizeof *r->ints);
    contents_copy(array_of_addresses, r->addrs, r->naddrs, sizeof *r->addrs);
    for (MPI_Count i = 0; i < r->ntypes; i++)
        array_of_datatypes[i] = adi3_type_user_acquire(r->types[i]);
    return mpir_leave(&call);
}
MPIR_WEAK(Type_get_contents);
