! methods.f90: mpif.h, mpi and mpi_f08 in one program (semantics.md L01); types by precision (L04); types
! made in one language and used in the other (L12); memory by TYPE(C_PTR) (L14).
! MPICH's module mpi has no interface of MPI_Send, and so no keywords.
SUBROUTINE by_mpif(comm, datatype, x, request)
  IMPLICIT NONE
  INCLUDE 'mpif.h'
  INTEGER :: comm, datatype, request, e
  DOUBLE PRECISION :: x(*)
  CALL MPI_IRECV(x, 3, datatype, 0, 1, comm, request, e)
END SUBROUTINE by_mpif

SUBROUTINE by_mpi(comm, datatype, x)
  USE mpi
  IMPLICIT NONE
  INTEGER :: comm, datatype, ierror
  DOUBLE PRECISION :: x(*)
  INTEGER, PARAMETER :: names(2) = [MPI_INTEGER, MPI_DOUBLE_PRECISION]
  CALL CHECK('a constant', names(2) == MPI_DOUBLE_PRECISION)
  CALL MPI_Send(x, 3, datatype, tag=1, dest=0, comm=comm, ierror=ierror)
END SUBROUTINE by_mpi

PROGRAM methods
  USE mpi_f08
  USE, INTRINSIC :: iso_c_binding
  IMPLICIT NONE (TYPE)
  TYPE(MPI_Datatype), PARAMETER :: types(2) = [MPI_INTEGER, MPI_DOUBLE_PRECISION]
  TYPE(MPI_Comm) :: comm = MPI_COMM_SELF
  TYPE, BIND(C) :: pair
    INTEGER(C_INT) :: i = 0
    REAL(C_DOUBLE) :: d = 0
  END TYPE pair
  INTEGER :: size, wanted
  DOUBLE PRECISION :: x(3) = [1, 2, 3], y(3) = 0
  TYPE(MPI_Request) :: request
  TYPE(MPI_Status) :: status
  TYPE(MPI_Datatype) :: f90, again, made
  TYPE(pair), TARGET :: pairs(2), got(2)
  TYPE(C_PTR) :: memory
  DOUBLE PRECISION, POINTER :: a(:)
  INTEGER(KIND=MPI_ADDRESS_KIND) :: at(3)
  INTERFACE
    SUBROUTINE c_make(datatype) BIND(C)
      IMPORT :: C_INT
      INTEGER(C_INT) :: datatype
    END SUBROUTINE c_make
    INTEGER(C_INT) FUNCTION c_receive(datatype) BIND(C)
      IMPORT :: C_INT
      INTEGER(C_INT), VALUE :: datatype
    END FUNCTION c_receive
  END INTERFACE

  CALL MPI_Init()
  CALL MPI_Type_create_f90_real(15, 307, f90)
  CALL MPI_Type_create_f90_real(15, 307, again)
  CALL MPI_Type_size(f90, size)
  CALL CHECK('REAL of 15 digits', f90 == again .AND. size == STORAGE_SIZE(x) / 8)
  CALL by_mpif(comm%MPI_VAL, f90%MPI_VAL, y, request%MPI_VAL)
  CALL by_mpi(comm%MPI_VAL, f90%MPI_VAL, x)
  CALL MPI_Wait(request, status)
  CALL MPI_Get_count(status, f90, size)
  CALL CHECK('three methods', ALL(x == y) .AND. size == 3 .AND. types(1) == MPI_INTEGER)
  CALL MPI_Type_create_f90_integer(5, f90)
  CALL MPI_Type_size(f90, size)
  wanted = STORAGE_SIZE(INT(1, SELECTED_INT_KIND(5))) / 8
  CALL CHECK('INTEGER of 5 digits', size == wanted)
  CALL MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, f90)
  CALL MPI_Type_size(f90, size)
  CALL CHECK('REAL of 8 bytes', size == 8)

  ! C makes the datatype.
  pairs = [pair(1, 1.5d0), pair(2, 2.5d0)]
  CALL c_make(made%MPI_VAL)
  CALL MPI_Sendrecv(pairs, 2, made, 0, 0, got, 2, made, 0, 0, comm, status)
  CALL CHECK('datatype of C', ALL(got%i == pairs%i) .AND. ALL(got%d == pairs%d))
  CALL MPI_Type_free(made)
  ! Fortran makes it, C receives with it.
  CALL MPI_Get_address(pairs(1)%i, at(1))
  CALL MPI_Get_address(pairs(1)%d, at(2))
  CALL MPI_Get_address(pairs(2), at(3))
  CALL MPI_Type_create_struct(2, [1, 1], at(1:2) - at(1), types, again)
  CALL MPI_Type_create_resized(again, 0_MPI_ADDRESS_KIND, MPI_Aint_diff(at(3), at(1)), made)
  CALL MPI_Type_commit(made)
  CALL MPI_Isend(pairs, 2, made, 0, 2, comm, request)
  CALL CHECK('datatype of Fortran', c_receive(made%MPI_VAL) == 1)
  CALL MPI_Wait(request, MPI_STATUS_IGNORE)
  CALL MPI_Type_free(again)
  CALL MPI_Type_free(made)

  CALL MPI_Alloc_mem(24_MPI_ADDRESS_KIND, MPI_INFO_NULL, memory)
  CALL C_F_POINTER(memory, a, [3])
  a = x
  CALL MPI_F_sync_reg(a)
  CALL MPI_Allreduce(MPI_IN_PLACE, a, 3, MPI_DOUBLE_PRECISION, MPI_SUM, comm)
  CALL CHECK('allocated memory', ALL(a == x))
  CALL MPI_Free_mem(a)
  CALL DONE()
END PROGRAM methods
