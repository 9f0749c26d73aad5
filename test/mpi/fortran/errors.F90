! errors.F90: one wrong call for each word, by mpif.h, mpi or mpi_f08 as METHOD says: errors.py.
#if METHOD == 8
#define HANDLE(NAME) TYPE(NAME)
#define A_STATUS TYPE(MPI_Status)
#define AS_HANDLE(NAME) NAME
#else
#define HANDLE(NAME) INTEGER
#define A_STATUS INTEGER, DIMENSION(MPI_STATUS_SIZE)
#define AS_HANDLE(NAME)
#endif
PROGRAM errors
#if METHOD == 8
  USE mpi_f08
#elif METHOD == 90
  USE mpi
#endif
  IMPLICIT NONE
#if METHOD == 77
  INCLUDE 'mpif.h'
#endif
  CHARACTER(LEN=8) :: word
  INTEGER :: e, n, indices(3)
  INTEGER(KIND=MPI_ADDRESS_KIND) :: address
  INTEGER(KIND=MPI_OFFSET_KIND) :: offset
  LOGICAL :: flag
  REAL :: x(9)
  CHARACTER(LEN=3) :: text
  HANDLE(MPI_Comm) :: comm
  HANDLE(MPI_Request) :: request, requests(3)
  HANDLE(MPI_Datatype) :: column
  HANDLE(MPI_Errhandler) :: errhandler
  HANDLE(MPI_File) :: file
  A_STATUS :: status

  CALL GET_COMMAND_ARGUMENT(1, word)
  x = 0
  requests = MPI_REQUEST_NULL
  SELECT CASE (word)
  CASE ('early')
    CALL MPI_COMM_RANK(MPI_COMM_WORLD, n, e)
  CASE ('waits')
    CALL MPI_WAITALL(3, requests, MPI_STATUSES_IGNORE, e)
  CASE ('info')
    CALL MPI_INFO_SET(MPI_INFO_NULL, 'key', 'value', e)
#if METHOD == 8
  CASE ('earlygap')
    CALL MPI_Send(x(::2), 2, MPI_REAL, 0, 0, MPI_COMM_WORLD)
#endif
  END SELECT
  CALL MPI_INIT(e)
  offset = 0
  requests(2) = AS_HANDLE(MPI_Request)(99)
  request = requests(2)
  errhandler = AS_HANDLE(MPI_Errhandler)(44)
  CALL MPI_FILE_SET_ERRHANDLER(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL, e)
  SELECT CASE (word)
  CASE ('count')
    CALL MPI_SEND(x, -1, MPI_REAL, 0, 0, MPI_COMM_WORLD, e)
  CASE ('type')
    CALL MPI_SEND(x, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD, e)
  CASE ('comm')
    CALL MPI_SEND(x, 1, MPI_REAL, 0, 0, MPI_COMM_NULL, e)
  CASE ('rank')
    CALL MPI_SEND(x, 1, MPI_REAL, 99, 0, MPI_COMM_WORLD, e)
  CASE ('bottom')
    CALL MPI_RECV(MPI_BOTTOM, 1, MPI_REAL, 99, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, e)
  CASE ('keyval')
    CALL MPI_COMM_GET_ATTR(MPI_COMM_WORLD, 12345, address, flag, e)
  CASE ('tag_ub')
    address = 1
    CALL MPI_COMM_SET_ATTR(MPI_COMM_WORLD, MPI_TAG_UB, address, e)
  CASE ('request')
    CALL MPI_WAIT(request, status, e)
  CASE ('waitall')
    CALL MPI_WAITALL(3, requests, MPI_STATUSES_IGNORE, e)
  CASE ('waitsome')
    CALL MPI_WAITSOME(3, requests, n, indices, MPI_STATUSES_IGNORE, e)
  CASE ('waitany')
    CALL MPI_WAITANY(3, requests, n, MPI_STATUS_IGNORE, e)
  CASE ('key')
    CALL MPI_INFO_SET(MPI_INFO_NULL, 'key  ', 'value', e)
  CASE ('get')
    CALL MPI_INFO_GET(MPI_INFO_NULL, 'key  ', 3, text, flag, e)
  CASE ('handler')
    CALL MPI_COMM_SET_ERRHANDLER(MPI_COMM_WORLD, errhandler, e)
  CASE ('grid')
    CALL MPI_CART_CREATE(MPI_COMM_WORLD, 1, [3], [.TRUE.], .TRUE., comm, e)
  CASE ('op')
    CALL MPI_ALLREDUCE(MPI_IN_PLACE, x, 2, MPI_REAL, MPI_OP_NULL, MPI_COMM_WORLD, e)
  CASE ('real')
    CALL MPI_TYPE_CREATE_F90_REAL(200, 20000, column, e)
  CASE ('file')
    CALL MPI_FILE_SEEK(MPI_FILE_NULL, offset, MPI_SEEK_SET, e)
  CASE ('open')
    CALL MPI_FILE_OPEN(MPI_COMM_SELF, 'no/such/file  ', MPI_MODE_RDONLY, MPI_INFO_NULL, file, e)
  CASE ('late')
    CALL MPI_FINALIZE(e)
    CALL MPI_SEND(x, 1, MPI_REAL, 0, 0, MPI_COMM_WORLD, e)
#if METHOD == 8
  CASE ('lategap')
    CALL MPI_Finalize()
    CALL MPI_Send(x(::2), 1, MPI_REAL, 0, 0, MPI_COMM_WORLD)
  CASE ('split')
    CALL MPI_Type_vector(2, 1, 2, MPI_REAL, column)
    CALL MPI_Type_commit(column)
    CALL MPI_File_open(MPI_COMM_SELF, 'fortran_errors', MPI_MODE_CREATE + MPI_MODE_RDWR &
                       + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file)
    CALL MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL)
    CALL MPI_File_write_all_begin(file, x(::2), 1, column)
  CASE ('countgap')
    CALL MPI_Send(x(::2), -1, MPI_REAL, 0, 0, MPI_COMM_WORLD)
  CASE ('rankgap')
    CALL MPI_Send(x(::2), 1, MPI_REAL, 99, 0, MPI_COMM_WORLD)
  CASE ('recvgap')
    CALL MPI_Recv(x(::2), 4, MPI_REAL, 99, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  CASE ('putgap')
    CALL MPI_Put(x(::2), 4, MPI_REAL, 0, 0_MPI_ADDRESS_KIND, 1, MPI_REAL, MPI_WIN_NULL)
  CASE ('toomany')
    CALL MPI_Irecv(x(::2), 6, MPI_REAL, 0, 0, MPI_COMM_WORLD, request)
  CASE ('later')
    CALL MPI_Type_vector(2, 1, 2, MPI_REAL, column)
    CALL MPI_Type_commit(column)
    CALL MPI_Recv_init(x(::2), 1, column, 0, 0, MPI_COMM_WORLD, request)
#else
  CASE ('extent')
    address = 0
    offset = 3000000000_MPI_ADDRESS_KIND
    CALL MPI_TYPE_CREATE_RESIZED(MPI_REAL, address, offset, column, e)
    CALL MPI_TYPE_EXTENT(column, n, e)
#endif
  CASE DEFAULT
    PRINT *, 'no such word: ', word
  END SELECT
END PROGRAM errors
