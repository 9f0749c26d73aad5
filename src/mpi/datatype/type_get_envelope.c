#include "mpi/datatype/make.h"

/* Returns which call created a datatype, and the numbers of arguments that MPI_Type_get_contents
 * returns (§4.1.13).
 * Errors: MPI_ERR_TYPE, MPI_ERR_ARG. */
int PMPI_Type_get_envelope(MPI_Datatype datatype, int *num_integers, int *num_addresses,
                           int *num_datatypes, int *combiner)
{
    ENTER("MPI_Type_get_envelope", datatype, num_integers, num_addresses, num_datatypes, combiner);
    static const struct adi3_contents named = { .combiner = MPI_COMBINER_NAMED };
    struct adi3_type *t;

    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_out_arg(num_integers, "num_integers"));
    TRY(mpir_out_arg(num_addresses, "num_addresses"));
    TRY(mpir_out_arg(num_datatypes, "num_datatypes"));
    TRY(mpir_out_arg(combiner, "combiner"));
    const struct adi3_contents *r = t->contents ? t->contents : &named;
    TRY(type_int_contents_arg(r));
    *num_integers = (int) r->nints;
    *num_addresses = (int) r->naddrs;
    *num_datatypes = (int) r->ntypes;
    *combiner = r->combiner;
    return mpir_leave(&call);
}
MPIR_WEAK(Type_get_envelope);
