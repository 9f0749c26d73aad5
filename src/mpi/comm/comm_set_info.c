#include "mpi/comm/comm.h"
#include "mpi/info/info.h"

/* Sets new values for hints of a communicator (§6.4.4). Of the keys in info these are known:
 * mpi_assert_no_any_tag, mpi_assert_no_any_source, mpi_assert_exact_length and
 * mpi_assert_allow_overtaking, each true or false. Hints of comm that are not in info keep their
 * values. Collective, but waits for no other process.
 * Errors: MPI_ERR_COMM, MPI_ERR_INFO, MPI_ERR_INFO_VALUE. */
int PMPI_Comm_set_info(MPI_Comm comm, MPI_Info info)
{
    ENTER("MPI_Comm_set_info", comm, info);
    struct adi3_comm *c;
    struct mpir_info *i;
    uint8_t hints;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_info_arg(info, &i));
    hints = c->hints;
    TRY(mpir_hints_read(i, &hints));
    adi3_comm_set_hints(c, hints);
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_set_info);
