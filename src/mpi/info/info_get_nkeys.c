#include "mpi/info/info.h"

/* Returns the number of keys of an info object (§9). It may change before the next call when
 * another thread changes info.
 * Errors: MPI_ERR_INFO, MPI_ERR_ARG. */
int PMPI_Info_get_nkeys(MPI_Info info, int *nkeys)
{
    ENTER("MPI_Info_get_nkeys", info, nkeys);
    struct mpir_info *i;

    TRY(mpir_info_arg(info, &i));
    TRY(mpir_out_arg(nkeys, "nkeys"));
    *nkeys = i->n;
    return mpir_leave(&call);
}
MPIR_WEAK(Info_get_nkeys);
