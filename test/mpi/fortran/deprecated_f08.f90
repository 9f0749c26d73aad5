! The deprecated functions of attributes with module mpi_f08: a communicator is an INTEGER, as
! scheme 2A of 17.1.5 says, or a typed handle, as programs pass that rely on an implicit interface.
PROGRAM deprecated_f08
  USE mpi_f08
  IMPLICIT NONE
  INTEGER :: keyval, value, ierror
  LOGICAL :: flag

  CALL MPI_Init()
  CALL MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, keyval, 0, ierror)
  CALL MPI_Attr_put(MPI_COMM_WORLD, keyval, 17, ierror)
  CALL check(ierror == MPI_SUCCESS, 'put by a typed handle')
  CALL MPI_Attr_get(MPI_COMM_WORLD%MPI_VAL, keyval, value, flag, ierror)
  CALL check(flag .AND. value == 17 .AND. ierror == MPI_SUCCESS, 'got by an INTEGER')
  CALL MPI_Attr_put(MPI_COMM_WORLD%MPI_VAL, keyval, -3, ierror)
  CALL PMPI_Attr_get(MPI_COMM_WORLD, keyval, value, flag, ierror)
  CALL check(flag .AND. value == -3, 'got by a typed handle, PMPI')
  CALL MPI_Attr_delete(MPI_COMM_WORLD, keyval)
  CALL MPI_Attr_get(MPI_COMM_WORLD, keyval, value, flag)
  CALL check(.NOT. flag, 'deleted, without ierror')
  CALL MPI_Attr_put(MPI_COMM_WORLD, keyval, 1)
  CALL PMPI_Attr_delete(MPI_COMM_WORLD%MPI_VAL, keyval, ierror)
  CALL MPI_Attr_get(MPI_COMM_WORLD, keyval, value, flag, ierror)
  CALL check(.NOT. flag, 'deleted by an INTEGER')
  CALL MPI_Keyval_free(keyval, ierror)
  CALL check(keyval == MPI_KEYVAL_INVALID, 'freed')
  CALL MPI_Finalize()
CONTAINS
  SUBROUTINE check(good, what)
    LOGICAL, INTENT(IN) :: good
    CHARACTER(*), INTENT(IN) :: what

    IF (.NOT. good) THEN
      PRINT *, 'deprecated_f08: ', what
      ERROR STOP 1
    END IF
  END SUBROUTINE check
END PROGRAM deprecated_f08
