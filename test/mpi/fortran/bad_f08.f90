! What must not compile with module mpi_f08. Each line with BAD has one fault, and the line below it
! is the same call without it. compilers.py expects an error in each of the first, and in no other.
PROGRAM bad_f08
  USE mpi_f08
  USE, INTRINSIC :: iso_c_binding, ONLY: C_PTR
  IMPLICIT NONE (TYPE, EXTERNAL)
  TYPE(MPI_Comm) :: comm, newcomm
  TYPE(MPI_Request) :: request, requests(2)
  TYPE(MPI_Status) :: status, statuses(2)
  TYPE(MPI_Group) :: group, newgroup
  TYPE(MPI_Datatype) :: newtype
  TYPE(MPI_Win) :: win
  TYPE(MPI_Op) :: op
  TYPE(MPI_File) :: fh
  TYPE(C_PTR) :: ptr
  INTEGER :: n, ierror, old_status(MPI_STATUS_SIZE), counts(2), ranges(3, 2), keyval
  INTEGER(KIND=MPI_ADDRESS_KIND) :: address
  INTEGER(KIND=MPI_COUNT_KIND) :: long
  LOGICAL :: flag, flags(2)
  REAL :: x(4), y
  CHARACTER(LEN=MPI_MAX_PROCESSOR_NAME) :: name
  CHARACTER(LEN=3) :: short

  CALL MPI_Comm_rank(0, n)                                          ! BAD: INTEGER for a handle
  CALL MPI_Comm_rank(MPI_COMM_WORLD, n)
  CALL MPI_Send(x, 4, MPI_COMM_WORLD, 0, 0, MPI_REAL)               ! BAD: two handles exchanged
  CALL MPI_Send(x, 4, MPI_REAL, 0, 0, MPI_COMM_WORLD)
  CALL MPI_Send(x, MPI_REAL, 4, 0, 0, MPI_COMM_WORLD)               ! BAD: count and datatype
  CALL MPI_Send(y, 1, MPI_REAL, 0, 0, MPI_COMM_WORLD, ierror)
  CALL MPI_Send(x, 4, MPI_REAL, 0, 0)                               ! BAD: no comm
  CALL MPI_Send('text', 4, MPI_CHARACTER, 0, 0, comm)
  CALL MPI_Send(x, 4, MPI_REAL, 0, 0, comm, status, ierror)         ! BAD: one too many
  CALL MPI_Send(x(1:4:2), 2, MPI_REAL, 0, 0, comm, ierror)
  CALL MPI_Recv(x, 4, MPI_REAL, 0, 0, comm, old_status)             ! BAD: status of module mpi
  CALL MPI_Recv(x, 4, MPI_REAL, 0, 0, comm, status)
  CALL MPI_Recv(x, 4, MPI_REAL, 0, 0, comm, statuses)               ! BAD: array, not scalar
  CALL MPI_Recv(x, 4, MPI_REAL, 0, 0, comm, MPI_STATUS_IGNORE)
  CALL MPI_Recv(x, 4, MPI_REAL, 0, 0, comm)                         ! BAD: no status
  CALL MPI_Recv(x(2), 4, MPI_REAL, 0, 0, comm, statuses(2))
  CALL MPI_Waitall(2, request, statuses)                            ! BAD: scalar, not array
  CALL MPI_Waitall(2, requests, statuses)
  CALL MPI_Waitall(2, requests, status)                             ! BAD: scalar, not array
  CALL MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  CALL MPI_Wait(MPI_REQUEST_NULL, status)                           ! BAD: a constant is changed
  CALL MPI_Wait(request, status)
  CALL MPI_Test(request, n, status)                                 ! BAD: INTEGER for LOGICAL
  CALL MPI_Test(request, flag, status)
  CALL MPI_Comm_split(comm, 0, 0.5, newcomm)                        ! BAD: REAL key
  CALL MPI_Comm_split(comm, 0, 0, newcomm)
  CALL MPI_Comm_split(comm, 0, 0, newgroup)                         ! BAD: handle of another kind
  CALL MPI_Comm_group(comm, group)
  CALL MPI_Comm_split(comm, 0, 0, MPI_COMM_NULL)                    ! BAD: output is a constant
  CALL MPI_Comm_dup(comm, newcomm)
  CALL MPI_Cart_create(comm, 2, counts, flag, .TRUE., newcomm)      ! BAD: scalar periods
  CALL MPI_Cart_create(comm, 2, counts, flags, .TRUE., newcomm)
  CALL MPI_Get_address(x, n)                                        ! BAD: kind of address
  CALL MPI_Get_address(x, address)
  CALL MPI_Type_size_x(MPI_REAL, n)                                 ! BAD: kind of size
  CALL MPI_Type_size_x(MPI_REAL, long)
  CALL MPI_Put(x, 4, MPI_REAL, 0, n, 4, MPI_REAL, win)              ! BAD: kind of target_disp
  CALL MPI_Put(x, 4, MPI_REAL, 0, 0_MPI_ADDRESS_KIND, 4, MPI_REAL, win)
  CALL MPI_File_seek(fh, n, MPI_SEEK_SET)                           ! BAD: kind of offset
  CALL MPI_File_seek(fh, 0_MPI_OFFSET_KIND, MPI_SEEK_SET)
  CALL MPI_Op_create(no_user, .TRUE., op)                           ! BAD: callback's arguments
  CALL MPI_Op_create(user, .TRUE., op)
  CALL MPI_Comm_create_keyval(MPI_WIN_DUP_FN, MPI_COMM_NULL_DELETE_FN, n, address) ! BAD: of windows
  CALL MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, n, address)
  CALL MPI_Alloc_mem(8_MPI_ADDRESS_KIND, MPI_INFO_NULL, address)    ! BAD: no TYPE(C_PTR)
  CALL MPI_Alloc_mem(8_MPI_ADDRESS_KIND, MPI_INFO_NULL, ptr)
  CALL MPI_Group_range_incl(group, 2, 3, newgroup)                  ! BAD: scalar ranges
  CALL MPI_Group_range_incl(group, 2, ranges, newgroup)
  CALL MPI_Comm_size(communicator=comm, size=n)                     ! BAD: no such keyword
  CALL MPI_Comm_size(size=n, comm=comm)
  CALL MPI_Get_processor_name(short, n)                             ! BAD gfortran: too short
  CALL MPI_Get_processor_name(name, n)
  CALL MPI_Type_extent(MPI_REAL, address, ierror)                   ! BAD: removed in MPI 3.0
  CALL MPI_Type_get_extent(MPI_REAL, address, address)
  CALL MPI_Attr_get(group, keyval, n, flag, ierror)                 ! BAD: wrong handle
  CALL MPI_Attr_get(comm, keyval, n, flag, ierror)
  CALL MPI_Attr_get(comm, keyval, address, flag, ierror)            ! BAD: an INTEGER since MPI 1
  CALL MPI_Attr_get(comm%MPI_VAL, keyval, n, flag, ierror)
  flag = comm == group                                              ! BAD: different handles
  flag = comm == newcomm
  newtype = n                                                       ! BAD: INTEGER into a handle
  newtype%MPI_VAL = MPI_REAL%MPI_VAL
  MPI_COMM_WORLD = comm                                             ! BAD: a constant
  comm = MPI_COMM_WORLD
  CALL PMPI_Comm_rank(group, n)                                     ! BAD: wrong handle, PMPI
  CALL PMPI_Comm_rank(comm, n)
CONTAINS
  SUBROUTINE user(invec, inoutvec, len, datatype)
    TYPE(C_PTR), VALUE :: invec, inoutvec
    INTEGER :: len
    TYPE(MPI_Datatype) :: datatype
  END SUBROUTINE user
  SUBROUTINE no_user(invec, inoutvec, len, datatype)
    TYPE(C_PTR), VALUE :: invec, inoutvec
    INTEGER :: len, datatype
  END SUBROUTINE no_user
END PROGRAM bad_f08
