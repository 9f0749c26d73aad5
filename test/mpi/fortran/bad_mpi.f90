! What must not compile with module mpi. Each line with BAD has one fault, and the line below it is
! the same call without it. compilers.py expects an error in each of the first, and in no other.
PROGRAM bad_mpi
  USE mpi
  IMPLICIT NONE (TYPE, EXTERNAL)
  INTEGER :: ierror, comm, newcomm, request, n, requests(2), counts(2), ranges(3, 2), group, win
  INTEGER :: status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2), one, ints(4), keyval, op
  INTEGER(KIND=MPI_ADDRESS_KIND) :: address, addresses(2)
  INTEGER(KIND=MPI_OFFSET_KIND) :: offset
  INTEGER(KIND=MPI_COUNT_KIND) :: long
  LOGICAL :: flag, flags(2)
  REAL :: x(4), y
  TYPE(MPI_Comm) :: typed_comm
  TYPE(MPI_Status) :: typed_status

  CALL MPI_Comm_rank(MPI_COMM_WORLD, n)                                  ! BAD: no ierror
  CALL MPI_Comm_rank(MPI_COMM_WORLD, n, ierror)
  CALL MPI_Send(x, 4, MPI_REAL, 0, 0, MPI_COMM_WORLD)                    ! BAD: no ierror, buffer
  CALL MPI_Send(x, 4, MPI_REAL, 0, 0, MPI_COMM_WORLD, ierror)
  CALL MPI_Recv(x, 4, MPI_REAL, 0, 0, MPI_COMM_WORLD, ierror)            ! BAD: no status
  CALL MPI_Recv(x, 4, MPI_REAL, 0, 0, MPI_COMM_WORLD, status, ierror)
  CALL MPI_Barrier(MPI_COMM_WORLD, 0, ierror)                            ! BAD: one too many
  CALL MPI_Barrier(MPI_COMM_WORLD, ierror)
  CALL MPI_Recv(x, 4, MPI_REAL, 0, 0, MPI_COMM_WORLD, one, ierror)       ! BAD: scalar status
  CALL MPI_Recv(x, 4, MPI_REAL, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  CALL MPI_Send(x, 4.0, MPI_REAL, 0, 0, MPI_COMM_WORLD, ierror)          ! BAD: REAL count
  CALL MPI_Send(y, 1, MPI_REAL, 0, 0, MPI_COMM_WORLD, ierror)
  CALL MPI_Send(x, 4, MPI_REAL, 0, 0, typed_comm, ierror)                ! BAD: handle of mpi_f08
  CALL MPI_Send(x, 4, MPI_REAL, 0, 0, typed_comm%MPI_VAL, ierror)
  CALL MPI_Wait(request, typed_status, ierror)                           ! BAD: status of mpi_f08
  CALL MPI_Wait(request, status, ierror)
  CALL MPI_Waitall(2, request, statuses, ierror)                         ! BAD: scalar, not array
  CALL MPI_Waitall(2, requests, statuses, ierror)
  CALL MPI_Wait(requests, status, ierror)                                ! BAD: array, not scalar
  CALL MPI_Wait(requests(2), status, ierror)
  CALL MPI_Test(request, n, status, ierror)                              ! BAD: INTEGER for LOGICAL
  CALL MPI_Test(request, flag, status, ierror)
  CALL MPI_Cart_create(comm, 2, counts, flag, .TRUE., newcomm, ierror)   ! BAD: scalar periods
  CALL MPI_Cart_create(comm, 2, counts, flags, .TRUE., newcomm, ierror)
  CALL MPI_Cart_create(comm, 2, counts, flags, 1, newcomm, ierror)       ! BAD: INTEGER reorder
  CALL MPI_Cart_create(comm, 2, counts, flags, flag, newcomm, ierror)
  CALL MPI_Get_address(x, n, ierror)                                     ! BAD: kind of address
  CALL MPI_Get_address(x, address, ierror)
  CALL MPI_Type_size_x(MPI_REAL, n, ierror)                              ! BAD: kind of size
  CALL MPI_Type_size_x(MPI_REAL, long, ierror)
  CALL MPI_File_seek(n, n, MPI_SEEK_SET, ierror)                         ! BAD: kind of offset
  CALL MPI_File_seek(n, 0_MPI_OFFSET_KIND, MPI_SEEK_SET, ierror)
  CALL MPI_Put(x, 4, MPI_REAL, 0, n, 4, MPI_REAL, win, ierror)           ! BAD: kind of target_disp
  CALL MPI_Put(x, 4, MPI_REAL, 0, 0_MPI_ADDRESS_KIND, 4, MPI_REAL, win, ierror)
  CALL MPI_Comm_set_name(comm, 5, ierror)                                ! BAD: INTEGER for a string
  CALL MPI_Comm_set_name(comm, 'five', ierror)
  CALL MPI_Comm_split(comm, 0, 0, 3, ierror)                             ! BAD: output is a constant
  CALL MPI_Comm_split(comm, 0, 0, newcomm, ierror)
  CALL MPI_Comm_rank(comm, n, MPI_SUCCESS)                               ! BAD: ierror is a constant
  CALL MPI_Comm_rank(comm=comm, rank=n, ierror=ierror)
  CALL MPI_Comm_rank(communicator=comm, rank=n, ierror=ierror)           ! BAD: no such keyword
  CALL MPI_Comm_size(comm=comm, size=n, ierror=ierror)
  CALL MPI_Group_range_incl(group, 2, 3, n, ierror)                      ! BAD: scalar ranges
  CALL MPI_Group_range_incl(group, 2, ranges, n, ierror)
  CALL MPI_Op_create(x, .TRUE., op, ierror)                              ! BAD: no procedure
  CALL MPI_Op_create(user, .TRUE., op, ierror)
  CALL MPI_Comm_get_attr(comm, keyval, n, flag, ierror)                  ! BAD: kind of attribute
  CALL MPI_Comm_get_attr(comm, keyval, address, flag, ierror)
  CALL MPI_Attr_get(comm, keyval, address, flag, ierror)                 ! BAD: an INTEGER since MPI 1
  CALL MPI_Attr_get(comm, keyval, n, flag, ierror)
  CALL MPI_Alloc_mem(8_MPI_ADDRESS_KIND, MPI_INFO_NULL, n, ierror)       ! BAD: kind of baseptr
  CALL MPI_Alloc_mem(8_MPI_ADDRESS_KIND, MPI_INFO_NULL, address, ierror)
  CALL MPI_Type_create_struct(2, counts, ints, counts, n, ierror)        ! BAD: kind of displacements
  CALL MPI_Type_create_struct(2, counts, addresses, counts, n, ierror)
  address = MPI_Aint_add(address, n)                                     ! BAD: kind of disp
  address = MPI_Aint_add(address, address)
  CALL MPI_Sizeof(x, y, ierror)                                          ! BAD: REAL size
  CALL MPI_Sizeof(x, n, ierror)
  flag = typed_comm == MPI_COMM_WORLD                                    ! BAD: type and INTEGER
  flag = typed_comm == MPI_Comm(MPI_COMM_WORLD)
  MPI_COMM_WORLD = n                                                     ! BAD: a constant
  offset = MPI_DISPLACEMENT_CURRENT
  CALL PMPI_Comm_rank(MPI_COMM_WORLD, n)                                 ! BAD: no ierror, PMPI
  CALL PMPI_Comm_rank(MPI_COMM_WORLD, n, ierror)
CONTAINS
  SUBROUTINE user(invec, inoutvec, len, datatype)
    INTEGER :: len, datatype
    REAL :: invec(len), inoutvec(len)
    inoutvec = inoutvec + invec * REAL(datatype)
  END SUBROUTINE user
END PROGRAM bad_mpi
