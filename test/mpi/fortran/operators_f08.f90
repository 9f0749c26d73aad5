! Operators of handles in module mpi_f08, between themselves and with the INTEGERs of module mpi, and
! the conversion of a status (17.1.2, 17.2.5).
PROGRAM operators_f08
  USE mpi_f08
  IMPLICIT NONE
  TYPE(MPI_Status) :: typed, copy, statuses(3)
  TYPE(MPI_Request) :: requests(4)
  INTEGER :: old(MPI_STATUS_SIZE), again(MPI_STATUS_SIZE), i, ierror
  LOGICAL :: ok(10)

  ok = [MPI_Comm(1) == MPI_Comm(1), MPI_Datatype(1) == MPI_Datatype(1), &
        MPI_Errhandler(1) == MPI_Errhandler(1), MPI_File(1) == MPI_File(1), &
        MPI_Group(1) == MPI_Group(1), MPI_Info(1) == MPI_Info(1), &
        MPI_Message(1) == MPI_Message(1), MPI_Op(1) == MPI_Op(1), &
        MPI_Request(1) == MPI_Request(1), MPI_Win(1) == MPI_Win(1)]
  CALL check(ALL(ok), '==')
  ok = [MPI_Comm(1) .EQ. MPI_COMM_NULL, MPI_Datatype(1) .EQ. MPI_DATATYPE_NULL, &
        MPI_Errhandler(1) .EQ. MPI_ERRHANDLER_NULL, MPI_File(1) .EQ. MPI_FILE_NULL, &
        MPI_Group(1) .EQ. MPI_GROUP_NULL, MPI_Info(1) .EQ. MPI_INFO_NULL, &
        MPI_Message(1) .EQ. MPI_MESSAGE_NULL, MPI_Op(1) .EQ. MPI_OP_NULL, &
        MPI_Request(1) .EQ. MPI_REQUEST_NULL, MPI_Win(1) .EQ. MPI_WIN_NULL]
  CALL check(.NOT. ANY(ok), '== of others')
  ok = [MPI_Comm(1) /= MPI_COMM_NULL, MPI_Datatype(1) /= MPI_DATATYPE_NULL, &
        MPI_Errhandler(1) /= MPI_ERRHANDLER_NULL, MPI_File(1) /= MPI_FILE_NULL, &
        MPI_Group(1) /= MPI_GROUP_NULL, MPI_Info(1) /= MPI_INFO_NULL, &
        MPI_Message(1) /= MPI_MESSAGE_NULL, MPI_Op(1) /= MPI_OP_NULL, &
        MPI_Request(1) /= MPI_REQUEST_NULL, MPI_Win(1) /= MPI_WIN_NULL]
  CALL check(ALL(ok), '/=')
  ok = [MPI_Comm(1) .NE. MPI_Comm(1), MPI_Datatype(1) .NE. MPI_Datatype(1), &
        MPI_Errhandler(1) .NE. MPI_Errhandler(1), MPI_File(1) .NE. MPI_File(1), &
        MPI_Group(1) .NE. MPI_Group(1), MPI_Info(1) .NE. MPI_Info(1), &
        MPI_Message(1) .NE. MPI_Message(1), MPI_Op(1) .NE. MPI_Op(1), &
        MPI_Request(1) .NE. MPI_Request(1), MPI_Win(1) .NE. MPI_Win(1)]
  CALL check(.NOT. ANY(ok), '/= of the same')
  ok = [MPI_COMM_NULL == MPI_COMM_NULL%MPI_VAL, MPI_DATATYPE_NULL == MPI_DATATYPE_NULL%MPI_VAL, &
        MPI_ERRHANDLER_NULL == MPI_ERRHANDLER_NULL%MPI_VAL, &
        MPI_FILE_NULL == MPI_FILE_NULL%MPI_VAL, MPI_GROUP_NULL == MPI_GROUP_NULL%MPI_VAL, &
        MPI_INFO_NULL == MPI_INFO_NULL%MPI_VAL, MPI_MESSAGE_NULL == MPI_MESSAGE_NULL%MPI_VAL, &
        MPI_OP_NULL == MPI_OP_NULL%MPI_VAL, MPI_REQUEST_NULL == MPI_REQUEST_NULL%MPI_VAL, &
        MPI_WIN_NULL == MPI_WIN_NULL%MPI_VAL]
  CALL check(ALL(ok), '== INTEGER')
  ok = [MPI_COMM_NULL%MPI_VAL == MPI_COMM_NULL, MPI_DATATYPE_NULL%MPI_VAL == MPI_DATATYPE_NULL, &
        MPI_ERRHANDLER_NULL%MPI_VAL == MPI_ERRHANDLER_NULL, &
        MPI_FILE_NULL%MPI_VAL == MPI_FILE_NULL, MPI_GROUP_NULL%MPI_VAL == MPI_GROUP_NULL, &
        MPI_INFO_NULL%MPI_VAL == MPI_INFO_NULL, MPI_MESSAGE_NULL%MPI_VAL == MPI_MESSAGE_NULL, &
        MPI_OP_NULL%MPI_VAL == MPI_OP_NULL, MPI_REQUEST_NULL%MPI_VAL == MPI_REQUEST_NULL, &
        MPI_WIN_NULL%MPI_VAL == MPI_WIN_NULL]
  CALL check(ALL(ok), 'INTEGER ==')
  ok = [MPI_Comm(1) == 2, MPI_Datatype(1) == 2, MPI_Errhandler(1) == 2, MPI_File(1) == 2, &
        MPI_Group(1) == 2, MPI_Info(1) == 2, MPI_Message(1) == 2, MPI_Op(1) == 2, &
        MPI_Request(1) == 2, MPI_Win(1) == 2]
  CALL check(.NOT. ANY(ok), '== another INTEGER')
  ok = [2 == MPI_Comm(1), 2 == MPI_Datatype(1), 2 == MPI_Errhandler(1), 2 == MPI_File(1), &
        2 == MPI_Group(1), 2 == MPI_Info(1), 2 == MPI_Message(1), 2 == MPI_Op(1), &
        2 == MPI_Request(1), 2 == MPI_Win(1)]
  CALL check(.NOT. ANY(ok), 'another INTEGER ==')
  ok = [MPI_Comm(1) /= 2, MPI_Datatype(1) /= 2, MPI_Errhandler(1) /= 2, MPI_File(1) /= 2, &
        MPI_Group(1) /= 2, MPI_Info(1) /= 2, MPI_Message(1) /= 2, MPI_Op(1) /= 2, &
        MPI_Request(1) /= 2, MPI_Win(1) /= 2]
  CALL check(ALL(ok), '/= INTEGER')
  ok = [2 /= MPI_Comm(1), 2 /= MPI_Datatype(1), 2 /= MPI_Errhandler(1), 2 /= MPI_File(1), &
        2 /= MPI_Group(1), 2 /= MPI_Info(1), 2 /= MPI_Message(1), 2 /= MPI_Op(1), &
        2 /= MPI_Request(1), 2 /= MPI_Win(1)]
  CALL check(ALL(ok), 'INTEGER /=')
  ok = [MPI_Comm(1) /= 1, MPI_Datatype(1) /= 1, MPI_Errhandler(1) /= 1, MPI_File(1) /= 1, &
        MPI_Group(1) /= 1, MPI_Info(1) /= 1, MPI_Message(1) /= 1, MPI_Op(1) /= 1, &
        MPI_Request(1) /= 1, MPI_Win(1) /= 1]
  CALL check(.NOT. ANY(ok), '/= the same INTEGER')
  ok = [1 /= MPI_Comm(1), 1 /= MPI_Datatype(1), 1 /= MPI_Errhandler(1), 1 /= MPI_File(1), &
        1 /= MPI_Group(1), 1 /= MPI_Info(1), 1 /= MPI_Message(1), 1 /= MPI_Op(1), &
        1 /= MPI_Request(1), 1 /= MPI_Win(1)]
  CALL check(.NOT. ANY(ok), 'the same INTEGER /=')
  requests = MPI_REQUEST_NULL
  requests(3) = MPI_Request(5)
  CALL check(COUNT(requests == MPI_REQUEST_NULL) == 3, 'an array of handles')

  old = [(10 * i, i = 1, MPI_STATUS_SIZE)]
  ierror = 1
  CALL MPI_Status_f2f08(old, typed, ierror)
  CALL check(ierror == MPI_SUCCESS, 'ierror of MPI_Status_f2f08')
  CALL check(typed%MPI_SOURCE == old(MPI_SOURCE), 'MPI_SOURCE')
  CALL check(typed%MPI_TAG == old(MPI_TAG), 'MPI_TAG')
  CALL check(typed%MPI_ERROR == old(MPI_ERROR), 'MPI_ERROR')
  CALL check(ALL(TRANSFER(typed, old) == old), 'the layout of a status')
  copy = typed
  statuses = copy
  CALL MPI_Status_f082f(statuses(3), again)
  CALL check(ALL(again == old), 'MPI_Status_f082f of a copy')
  CALL PMPI_Status_f2f08(old + 1, typed)
  CALL PMPI_Status_f082f(typed, again)
  CALL check(ALL(again == old + 1), 'PMPI_Status_f082f')
CONTAINS
  SUBROUTINE check(true, what)
    LOGICAL, INTENT(IN) :: true
    CHARACTER(LEN=*), INTENT(IN) :: what
    IF (true) RETURN
    PRINT *, 'wrong: ', what
    STOP 1
  END SUBROUTINE check
END PROGRAM operators_f08
