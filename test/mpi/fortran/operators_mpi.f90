! Handles with types in module mpi, and the conversion of a status (17.1.3, 17.2.5).
PROGRAM operators_mpi
  USE mpi
  IMPLICIT NONE
  TYPE(MPI_Status) :: typed
  INTEGER :: old(MPI_STATUS_SIZE), again(MPI_STATUS_SIZE), i, ierror
  LOGICAL :: ok(10)

  ok = [MPI_Comm(1) == MPI_Comm(1), MPI_Datatype(1) == MPI_Datatype(1), &
        MPI_Errhandler(1) == MPI_Errhandler(1), MPI_File(1) == MPI_File(1), &
        MPI_Group(1) == MPI_Group(1), MPI_Info(1) == MPI_Info(1), &
        MPI_Message(1) == MPI_Message(1), MPI_Op(1) == MPI_Op(1), &
        MPI_Request(1) == MPI_Request(1), MPI_Win(1) == MPI_Win(1)]
  CALL check(ALL(ok), '==')
  ok = [MPI_Comm(1) == MPI_Comm(2), MPI_Datatype(1) == MPI_Datatype(2), &
        MPI_Errhandler(1) .EQ. MPI_Errhandler(2), MPI_File(1) == MPI_File(2), &
        MPI_Group(1) == MPI_Group(2), MPI_Info(1) == MPI_Info(2), &
        MPI_Message(1) == MPI_Message(2), MPI_Op(1) == MPI_Op(2), &
        MPI_Request(1) == MPI_Request(2), MPI_Win(1) .EQ. MPI_Win(2)]
  CALL check(.NOT. ANY(ok), '== of others')
  ok = [MPI_Comm(1) /= MPI_Comm(2), MPI_Datatype(1) /= MPI_Datatype(2), &
        MPI_Errhandler(1) .NE. MPI_Errhandler(2), MPI_File(1) /= MPI_File(2), &
        MPI_Group(1) /= MPI_Group(2), MPI_Info(1) /= MPI_Info(2), &
        MPI_Message(1) /= MPI_Message(2), MPI_Op(1) /= MPI_Op(2), &
        MPI_Request(1) /= MPI_Request(2), MPI_Win(1) .NE. MPI_Win(2)]
  CALL check(ALL(ok), '/=')
  ok = [MPI_Comm(1) /= MPI_Comm(1), MPI_Datatype(1) /= MPI_Datatype(1), &
        MPI_Errhandler(1) /= MPI_Errhandler(1), MPI_File(1) /= MPI_File(1), &
        MPI_Group(1) /= MPI_Group(1), MPI_Info(1) /= MPI_Info(1), &
        MPI_Message(1) /= MPI_Message(1), MPI_Op(1) /= MPI_Op(1), &
        MPI_Request(1) /= MPI_Request(1), MPI_Win(1) /= MPI_Win(1)]
  CALL check(.NOT. ANY(ok), '/= of the same')

  old = [(10 * i, i = 1, MPI_STATUS_SIZE)]
  ierror = 1
  CALL MPI_Status_f2f08(old, typed, ierror)
  CALL check(ierror == MPI_SUCCESS, 'ierror of MPI_Status_f2f08')
  CALL check(typed%MPI_SOURCE == old(MPI_SOURCE), 'MPI_SOURCE')
  CALL check(typed%MPI_TAG == old(MPI_TAG), 'MPI_TAG')
  CALL check(typed%MPI_ERROR == old(MPI_ERROR), 'MPI_ERROR')
  CALL check(ALL(TRANSFER(typed, old) == old), 'the layout of a status')
  ierror = 1
  CALL PMPI_Status_f082f(typed, again, ierror)
  CALL check(ierror == MPI_SUCCESS .AND. ALL(again == old), 'PMPI_Status_f082f')
CONTAINS
  SUBROUTINE check(true, what)
    LOGICAL, INTENT(IN) :: true
    CHARACTER(LEN=*), INTENT(IN) :: what
    IF (true) RETURN
    PRINT *, 'wrong: ', what
    STOP 1
  END SUBROUTINE check
END PROGRAM operators_mpi
