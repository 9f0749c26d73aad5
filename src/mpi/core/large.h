/* large.h — functions whose counts are MPI_Count, and which are not exported: a program that finds
 * one of MPI 4.0's _c functions expects all. They show the form of all, and that nothing below them
 * counts in int. Each is the second door of the function that has its name in mpi.h. */
#ifndef LARGE_H
#define LARGE_H

#include "adi3/adi3_language.h"

int mpir_send_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                MPI_Comm comm);
int mpir_recv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag,
                MPI_Comm comm, MPI_Status *status);
int mpir_get_count_c(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count);
int mpir_pack_c(const void *inbuf, MPI_Count incount, MPI_Datatype datatype, void *outbuf,
                MPI_Count outsize, MPI_Count *position, MPI_Comm comm);
int mpir_type_vector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                       MPI_Datatype oldtype, MPI_Datatype *newtype);
int mpir_alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                     MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                     const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm);
int mpir_op_create_c(adi3_large_function *user_fn, int commute, MPI_Op *op);
int mpir_win_create_c(void *base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm,
                      MPI_Win *win);
int mpir_put_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
               int target_rank, MPI_Aint target_disp, MPI_Count target_count,
               MPI_Datatype target_datatype, MPI_Win win);
int mpir_file_write_at_c(MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count,
                         MPI_Datatype datatype, MPI_Status *status);

#endif /* LARGE_H */
