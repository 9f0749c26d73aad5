#include "mpi/coll/coll.h"
#include "mpi/core/large.h"

/* MPI_Alltoallv with counts and displacements of 64 bits. */
int mpir_alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                     MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                     const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    ENTER("MPI_Alltoallv_c", sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
          recvtype, comm);
    const struct coll_args a = { .sendbuf = sendbuf,
                                 .sendcounts.wide = sendcounts,
                                 .sdispls.wide = sdispls,
                                 .sendtype = sendtype,
                                 .recvbuf = recvbuf,
                                 .recvcounts.wide = recvcounts,
                                 .rdispls.wide = rdispls,
                                 .recvtype = recvtype,
                                 .comm = comm };

    TRY(coll_call(&call, &coll_alltoallv, &a));
    return mpir_leave(&call);
}
