! tools_f08.f90: a tool in Fortran over mpi_f08, one in C beneath it, and the addresses by which both
! languages know MPI_BOTTOM and its kin. Each call is seen once. (With MPICH, whose mpi_f08 calls some of
! C's functions as PMPI_, C's tool does not see them.)
SUBROUTINE MPI_Send_f08ts(buf, count, datatype, dest, tag, comm, ierror)
  USE mpi_f08, ONLY: MPI_Datatype, MPI_Comm, PMPI_Send
  IMPLICIT NONE
  TYPE(*), DIMENSION(..), INTENT(IN) :: buf
  INTEGER, INTENT(IN) :: count, dest, tag
  TYPE(MPI_Datatype), INTENT(IN) :: datatype
  TYPE(MPI_Comm), INTENT(IN) :: comm
  INTEGER, OPTIONAL, INTENT(OUT) :: ierror
  INTEGER :: sends, ranks
  COMMON /seen/ sends, ranks
  sends = sends + 1
  CALL PMPI_Send(buf, count, datatype, dest, tag, comm, ierror)
END SUBROUTINE MPI_Send_f08ts

SUBROUTINE MPI_Comm_rank_f08(comm, rank, ierror)
  USE mpi_f08, ONLY: MPI_Comm, PMPI_Comm_rank
  IMPLICIT NONE
  TYPE(MPI_Comm), INTENT(IN) :: comm
  INTEGER, INTENT(OUT) :: rank
  INTEGER, OPTIONAL, INTENT(OUT) :: ierror
  INTEGER :: sends, ranks
  COMMON /seen/ sends, ranks
  ranks = ranks + 1
  CALL PMPI_Comm_rank(comm, rank, ierror)
END SUBROUTINE MPI_Comm_rank_f08

PROGRAM tools_f08
  USE mpi_f08
  USE, INTRINSIC :: iso_c_binding
  IMPLICIT NONE
  INTEGER :: sends, ranks, rank, size, i, x(9), y(9)
  TYPE(MPI_Request) :: request
  COMMON /seen/ sends, ranks
  INTERFACE
    ! How often C's tool has seen a call of that name.
    INTEGER(C_INT) FUNCTION c_seen(name) BIND(C)
      IMPORT :: C_INT, C_CHAR
      CHARACTER(KIND=C_CHAR), INTENT(IN) :: name(*)
    END FUNCTION c_seen
    INTEGER(C_INT) FUNCTION c_same(bottom, in_place, status, statuses) BIND(C)
      IMPORT :: C_INT, C_PTR
      TYPE(C_PTR), VALUE :: bottom, in_place, status, statuses
    END FUNCTION c_same
  END INTERFACE
  sends = 0
  ranks = 0
  CALL MPI_Init()
  CALL CHECK('one address', c_same(C_LOC(MPI_BOTTOM), C_LOC(MPI_IN_PLACE), C_LOC(MPI_STATUS_IGNORE), &
                                   C_LOC(MPI_STATUSES_IGNORE)) == 1)
  CALL MPI_Comm_rank(MPI_COMM_SELF, rank)
  CALL MPI_Comm_size(MPI_COMM_SELF, size)
  CALL CHECK('results', rank == 0 .AND. size == 1)
  CALL CHECK('Fortran sees MPI_Comm_rank', ranks == 1 .AND. c_seen('MPI_Comm_rank'//C_NULL_CHAR) == 0)
  CALL CHECK('C sees MPI_Comm_size', c_seen('MPI_Comm_size'//C_NULL_CHAR) == 1)

  x = [(i, i = 1, 9)]
  y = 0
  CALL MPI_Irecv(y, 9, MPI_INTEGER, 0, 1, MPI_COMM_SELF, request)
  CALL MPI_Send(x, 9, MPI_INTEGER, 0, 1, MPI_COMM_SELF)
  CALL MPI_Wait(request, MPI_STATUS_IGNORE)
  CALL CHECK('an array', ALL(x == y))
  y = 0
  CALL MPI_Irecv(y(9:1:-2), 5, MPI_INTEGER, 0, 1, MPI_COMM_SELF, request)
  CALL MPI_Send(x(1:9:2), 5, MPI_INTEGER, 0, 1, MPI_COMM_SELF)
  CALL MPI_Wait(request, MPI_STATUS_IGNORE)
  CALL CHECK('sections', ALL(y == [9, 0, 7, 0, 5, 0, 3, 0, 1]))
  CALL CHECK('Fortran sees MPI_Send', sends == 2 .AND. c_seen('MPI_Send'//C_NULL_CHAR) == 0)
  CALL CHECK('C sees MPI_Irecv', c_seen('MPI_Irecv'//C_NULL_CHAR) == 2)
  CALL CHECK('C sees MPI_Wait', c_seen('MPI_Wait'//C_NULL_CHAR) == 2)
  CALL PMPI_Comm_size(MPI_COMM_SELF, size)
  CALL PMPI_Irecv(y(1:9:2), 5, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_SELF, request)
  CALL PMPI_Wait(request, MPI_STATUS_IGNORE)
  CALL CHECK('C sees none of PMPI', c_seen('MPI_Irecv'//C_NULL_CHAR) == 2 &
             .AND. c_seen('MPI_Wait'//C_NULL_CHAR) == 2 .AND. c_seen('MPI_Comm_size'//C_NULL_CHAR) == 1)
  CALL DONE()
END PROGRAM tools_f08
