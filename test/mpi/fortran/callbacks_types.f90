! Callbacks as the standard declares them for mpi_f08 (A.1.3), and the predefined ones where each may
! stand. Compiled alone.
MODULE callbacks_types
  USE mpi_f08
  USE, INTRINSIC :: iso_c_binding, ONLY: C_PTR
  IMPLICIT NONE (TYPE, EXTERNAL)
  INTEGER, PARAMETER :: ADDRESS = MPI_ADDRESS_KIND
CONTAINS
  SUBROUTINE create(keyval, op, errhandler, request)
    INTEGER :: keyval, ierror
    TYPE(MPI_Op) :: op
    TYPE(MPI_Errhandler) :: errhandler
    TYPE(MPI_Request) :: request
    CALL MPI_Op_create(reduce, .FALSE., op)
    CALL MPI_Comm_create_keyval(comm_copy, comm_delete, keyval, 1_ADDRESS)
    CALL MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, comm_delete, keyval, 1_ADDRESS)
    CALL MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, 1_ADDRESS)
    CALL MPI_Win_create_keyval(win_copy, win_delete, keyval, 1_ADDRESS)
    CALL MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, win_delete, keyval, 1_ADDRESS)
    CALL MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, keyval, 1_ADDRESS)
    CALL MPI_Type_create_keyval(type_copy, type_delete, keyval, 1_ADDRESS)
    CALL MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, type_delete, keyval, 1_ADDRESS)
    CALL MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, keyval, 1_ADDRESS)
    CALL MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, keyval, 1, ierror)
    CALL MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, keyval, 1, ierror)
    CALL MPI_Comm_create_errhandler(comm_error, errhandler)
    CALL MPI_Win_create_errhandler(win_error, errhandler)
    CALL MPI_File_create_errhandler(file_error, errhandler)
    CALL MPI_Grequest_start(query, release, cancel, 1_ADDRESS, request)
    CALL MPI_Register_datarep('own', convert, convert, extent_of, 1_ADDRESS)
    CALL MPI_Register_datarep('native', MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent_of, &
                              1_ADDRESS)
  END SUBROUTINE create
  SUBROUTINE reduce(invec, inoutvec, len, datatype)
    TYPE(C_PTR), VALUE :: invec, inoutvec
    INTEGER :: len
    TYPE(MPI_Datatype) :: datatype
  END SUBROUTINE reduce
  SUBROUTINE comm_copy(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, flag, &
                       ierror)
    TYPE(MPI_Comm) :: oldcomm
    INTEGER :: comm_keyval, ierror
    INTEGER(KIND=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    LOGICAL :: flag
    CALL MPI_COMM_DUP_FN(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, &
                         flag, ierror)
  END SUBROUTINE comm_copy
  SUBROUTINE comm_delete(comm, comm_keyval, attribute_val, extra_state, ierror)
    TYPE(MPI_Comm) :: comm
    INTEGER :: comm_keyval, ierror
    INTEGER(KIND=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    CALL MPI_COMM_NULL_DELETE_FN(comm, comm_keyval, attribute_val, extra_state, ierror)
  END SUBROUTINE comm_delete
  SUBROUTINE win_copy(oldwin, win_keyval, extra_state, attribute_val_in, attribute_val_out, flag, &
                      ierror)
    TYPE(MPI_Win) :: oldwin
    INTEGER :: win_keyval, ierror
    INTEGER(KIND=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    LOGICAL :: flag
    CALL MPI_WIN_NULL_COPY_FN(oldwin, win_keyval, extra_state, attribute_val_in, attribute_val_out, &
                              flag, ierror)
  END SUBROUTINE win_copy
  SUBROUTINE win_delete(win, win_keyval, attribute_val, extra_state, ierror)
    TYPE(MPI_Win) :: win
    INTEGER :: win_keyval, ierror
    INTEGER(KIND=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    CALL MPI_WIN_NULL_DELETE_FN(win, win_keyval, attribute_val, extra_state, ierror)
  END SUBROUTINE win_delete
  SUBROUTINE type_copy(oldtype, type_keyval, extra_state, attribute_val_in, attribute_val_out, flag, &
                       ierror)
    TYPE(MPI_Datatype) :: oldtype
    INTEGER :: type_keyval, ierror
    INTEGER(KIND=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    LOGICAL :: flag
    CALL MPI_TYPE_DUP_FN(oldtype, type_keyval, extra_state, attribute_val_in, attribute_val_out, &
                         flag, ierror)
  END SUBROUTINE type_copy
  SUBROUTINE type_delete(datatype, type_keyval, attribute_val, extra_state, ierror)
    TYPE(MPI_Datatype) :: datatype
    INTEGER :: type_keyval, ierror
    INTEGER(KIND=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    CALL MPI_TYPE_NULL_DELETE_FN(datatype, type_keyval, attribute_val, extra_state, ierror)
  END SUBROUTINE type_delete
  SUBROUTINE comm_error(comm, error_code)
    TYPE(MPI_Comm) :: comm
    INTEGER :: error_code
  END SUBROUTINE comm_error
  SUBROUTINE win_error(win, error_code)
    TYPE(MPI_Win) :: win
    INTEGER :: error_code
  END SUBROUTINE win_error
  SUBROUTINE file_error(file, error_code)
    TYPE(MPI_File) :: file
    INTEGER :: error_code
  END SUBROUTINE file_error
  SUBROUTINE query(extra_state, status, ierror)
    TYPE(MPI_Status) :: status
    INTEGER :: ierror
    INTEGER(KIND=MPI_ADDRESS_KIND) :: extra_state
  END SUBROUTINE query
  SUBROUTINE release(extra_state, ierror)
    INTEGER :: ierror
    INTEGER(KIND=MPI_ADDRESS_KIND) :: extra_state
  END SUBROUTINE release
  SUBROUTINE cancel(extra_state, complete, ierror)
    INTEGER :: ierror
    INTEGER(KIND=MPI_ADDRESS_KIND) :: extra_state
    LOGICAL :: complete
  END SUBROUTINE cancel
  SUBROUTINE extent_of(datatype, extent, extra_state, ierror)
    TYPE(MPI_Datatype) :: datatype
    INTEGER(KIND=MPI_ADDRESS_KIND) :: extent, extra_state
    INTEGER :: ierror
  END SUBROUTINE extent_of
  SUBROUTINE convert(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    TYPE(C_PTR), VALUE :: userbuf, filebuf
    TYPE(MPI_Datatype) :: datatype
    INTEGER :: count, ierror
    INTEGER(KIND=MPI_OFFSET_KIND) :: position
    INTEGER(KIND=MPI_ADDRESS_KIND) :: extra_state
  END SUBROUTINE convert
END MODULE callbacks_types
