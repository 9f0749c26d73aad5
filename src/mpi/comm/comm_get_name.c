#include <string.h>
#include "mpi/mpir.h"

static const char *name_of(const struct adi3_comm *c)
{
    if (c->name)
        return c->name;
    return c == &adi3_world ? "MPI_COMM_WORLD" : c == &adi3_self ? "MPI_COMM_SELF" : "";
}

/* Returns the name of a communicator (§6.8). It is empty when the communicator has none; comm_name
 * has room for MPI_MAX_OBJECT_NAME characters, and resultlen does not count the null character.
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG. */
int PMPI_Comm_get_name(MPI_Comm comm, char *comm_name, int *resultlen)
{
    ENTER("MPI_Comm_get_name", comm, comm_name, resultlen);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_out_arg(comm_name, "comm_name"));
    TRY(mpir_out_arg(resultlen, "resultlen"));
    const char *name = name_of(c);
    *resultlen = (int) strlen(name);
    memcpy(comm_name, name, (size_t) *resultlen + 1);
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_get_name);
