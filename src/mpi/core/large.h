/* large.h — functions whose counts are MPI_Count, and which are not exported: a program that finds
 * one of MPI 4.0's _c functions expects all. They show that nothing below them counts in int. */
#ifndef LARGE_H
#define LARGE_H

#include "mpi.h"

int mpir_send_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                MPI_Comm comm);
int mpir_alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                     MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                     const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm);
int mpir_type_vector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                       MPI_Datatype oldtype, MPI_Datatype *newtype);

#endif /* LARGE_H */
