! values.f: truth values, indices, statuses, files and what MPI-3.0
! removed, as both languages see them. Two processes.
      PROGRAM VALUES
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER E
      CALL MPI_INIT(E)
      CALL TRUTHS()
      CALL INDICES()
      CALL STATUSES()
      CALL FILES()
      CALL REMOVED()
      CALL MEMORY()
      CALL DONE()
      END

      SUBROUTINE TRUTHS()
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER E, CART, SUB, D(2), C(2), N, BITS, C_PERIODS
      LOGICAL FLAG, P(2), Q(3), KEEP(2)
      EXTERNAL C_PERIODS
      FLAG = .FALSE.
      CALL MPI_INITIALIZED(FLAG, E)
      CALL CHECK('initialized', FLAG)
      CALL CHECK('.TRUE. as gfortran has it', TRANSFER(FLAG, 0) .EQ. 1)
      CALL MPI_FINALIZED(FLAG, E)
      CALL CHECK('finalized', TRANSFER(FLAG, 0) .EQ. 0)
      FLAG = .TRUE.
      CALL MPI_IPROBE(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, FLAG,         &
     &  MPI_STATUS_IGNORE, E)
      CALL CHECK('nothing is there', .NOT. FLAG)
      CALL MPI_OP_COMMUTATIVE(MPI_SUM, FLAG, E)
      CALL CHECK('MPI_SUM commutes', FLAG)
      D(1) = 2
      D(2) = 1
      P(1) = .FALSE.
      P(2) = .TRUE.
      CALL MPI_CART_CREATE(MPI_COMM_WORLD, 2, D, P, .FALSE., CART, E)
      CALL CHECK('periods in C', C_PERIODS(CART) .EQ. 1)
! Another true value, as other compilers have it.
      BITS = -1
      Q(1) = .TRUE.
      Q(3) = .FALSE.
      CALL MPI_CART_GET(CART, 3, D, Q, C, E)
      CALL CHECK('periods', .NOT. Q(1) .AND. Q(2) .AND. .NOT. Q(3))
      CALL CHECK('periods are .TRUE.', TRANSFER(Q(2), 0) .EQ. 1)
      KEEP(1) = .TRUE.
      KEEP(2) = .FALSE.
      CALL MPI_CART_SUB(CART, KEEP, SUB, E)
      CALL MPI_CARTDIM_GET(SUB, N, E)
      CALL MPI_CART_GET(SUB, 1, D, Q, C, E)
      CALL CHECK('one dimension', N .EQ. 1 .AND. D(1) .EQ. 2)
      CALL MPI_COMM_FREE(SUB, E)
      CALL MPI_COMM_FREE(CART, E)
      CALL CHECK('no communicator', CART .EQ. MPI_COMM_NULL)
      CALL MPI_CART_CREATE(MPI_COMM_WORLD, 1, 2, TRANSFER(BITS, .TRUE.),&
     &  .FALSE., CART, E)
      CALL MPI_CART_GET(CART, 1, D, Q, C, E)
      CALL CHECK('true comes back .TRUE.', TRANSFER(Q(1), 0) .EQ. 1)
      CALL MPI_COMM_FREE(CART, E)
      END

      SUBROUTINE INDICES()
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER E, R(3), I, J(3), N, X(3), ST(MPI_STATUS_SIZE)
      INTEGER STS(MPI_STATUS_SIZE,3)
      LOGICAL FLAG
      R = MPI_REQUEST_NULL
      I = 77
      CALL MPI_WAITANY(3, R, I, ST, E)
      CALL CHECK('WAITANY without', I .EQ. MPI_UNDEFINED)
      I = 77
      CALL MPI_TESTANY(3, R, I, FLAG, ST, E)
      CALL CHECK('TESTANY without', I .EQ. MPI_UNDEFINED .AND. FLAG)
      CALL MPI_WAITSOME(3, R, N, J, STS, E)
      CALL CHECK('WAITSOME without', N .EQ. MPI_UNDEFINED)
      CALL MPI_IRECV(X(3), 1, MPI_INTEGER, 0, 5, MPI_COMM_SELF, R(3), E)
      N = 77
      CALL MPI_TESTSOME(3, R, N, J, MPI_STATUSES_IGNORE, E)
      CALL CHECK('TESTSOME none', N .EQ. 0)
      I = 77
      CALL MPI_TESTANY(3, R, I, FLAG, ST, E)
      CALL CHECK('TESTANY none', I .EQ. MPI_UNDEFINED .AND. .NOT. FLAG)
      CALL MPI_SEND(4, 1, MPI_INTEGER, 0, 5, MPI_COMM_SELF, E)
      CALL MPI_WAITANY(3, R, I, ST, E)
      CALL CHECK('WAITANY', I .EQ. 3 .AND. X(3) .EQ. 4)
      CALL CHECK('its tag', ST(MPI_TAG) .EQ. 5)
      CALL MPI_IRECV(X(1), 1, MPI_INTEGER, 0, 6, MPI_COMM_SELF, R(1), E)
      CALL MPI_IRECV(X(3), 1, MPI_INTEGER, 0, 7, MPI_COMM_SELF, R(3), E)
      CALL MPI_SEND(4, 1, MPI_INTEGER, 0, 7, MPI_COMM_SELF, E)
      J = 77
      CALL MPI_WAITSOME(3, R, N, J, STS, E)
      CALL CHECK('WAITSOME', N .EQ. 1 .AND. J(1) .EQ. 3)
      CALL CHECK('one index', J(2) .EQ. 77 .AND. STS(MPI_TAG,1) .EQ. 7)
      CALL MPI_SEND(4, 1, MPI_INTEGER, 0, 6, MPI_COMM_SELF, E)
      N = 0
      DO WHILE (N .EQ. 0)
        CALL MPI_TESTSOME(3, R, N, J, STS, E)
      END DO
      CALL CHECK('TESTSOME', N .EQ. 1 .AND. J(1) .EQ. 1)
      CALL TOO_LONG(R(2))
      END

! A request that fails has its index, too.
      SUBROUTINE TOO_LONG(R)
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER E, R(1), X(2), I, CLASS, Y
      CALL MPI_COMM_SET_ERRHANDLER(MPI_COMM_SELF, MPI_ERRORS_RETURN, E)
      CALL MPI_IRECV(Y, 1, MPI_INTEGER, 0, 8, MPI_COMM_SELF, R, E)
      X = 1
      CALL MPI_SEND(X, 2, MPI_INTEGER, 0, 8, MPI_COMM_SELF, E)
      I = 77
      CALL MPI_WAITANY(1, R, I, MPI_STATUS_IGNORE, E)
      CALL MPI_ERROR_CLASS(E, CLASS, Y)
      CALL CHECK('truncated', CLASS .EQ. MPI_ERR_TRUNCATE)
      CALL CHECK('its index', I .EQ. 1)
      CALL MPI_COMM_SET_ERRHANDLER(MPI_COMM_WORLD,                      &
     &  MPI_ERRORS_RETURN, E)
      I = 77
      CALL MPI_WAITANY(-1, R, I, MPI_STATUS_IGNORE, E)
      CALL CHECK('a wrong call', E .NE. MPI_SUCCESS .AND. I .EQ. 77)
      CALL MPI_COMM_SET_ERRHANDLER(MPI_COMM_SELF,                       &
     &  MPI_ERRORS_ARE_FATAL, E)
      END

      SUBROUTINE STATUSES()
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER E, RANK, X(3), ST(MPI_STATUS_SIZE), N, C_STATUS
      EXTERNAL C_STATUS
      X = 1
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, E)
      ST(MPI_ERROR) = 12345
      CALL MPI_SENDRECV(X, 2, MPI_INTEGER, 1 - RANK, 3, X(2), 2,        &
     &  MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, ST, E)
      CALL CHECK('source', ST(MPI_SOURCE) .EQ. 1 - RANK)
      CALL CHECK('tag', ST(MPI_TAG) .EQ. 3)
      CALL CHECK('error is not touched', ST(MPI_ERROR) .EQ. 12345)
      CALL MPI_GET_COUNT(ST, MPI_INTEGER, N, E)
      CALL CHECK('count', N .EQ. 2)
      CALL CHECK('in C', C_STATUS(ST, 1 - RANK) .EQ. 1)
      CALL CHECK('made in C', ST(MPI_SOURCE) .EQ. 8 .AND.               &
     &  ST(MPI_TAG) .EQ. 9 .AND. ST(MPI_ERROR) .EQ. MPI_ERR_TAG)
      CALL MPI_GET_COUNT(ST, MPI_INTEGER, N, E)
      CALL CHECK('count made in C', N .EQ. 6)
      CALL MPI_STATUS_SET_ELEMENTS(ST, MPI_INTEGER, 5, E)
      CALL MPI_GET_ELEMENTS(ST, MPI_INTEGER, N, E)
      CALL CHECK('elements', N .EQ. 5)
      END

      SUBROUTINE FILES()
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER E, FH, X(3), ST(MPI_STATUS_SIZE), N, RANK, C_FILE
      INTEGER CLASS
      INTEGER (KIND=MPI_OFFSET_KIND) OFFSET
      LOGICAL FLAG
      CHARACTER*20 NAME
      EXTERNAL C_FILE
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, E)
      WRITE(NAME, '(A,I1)') 'fortran_values_', RANK
      CALL MPI_FILE_OPEN(MPI_COMM_SELF, NAME, MPI_MODE_CREATE +         &
     &  MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, FH, E)
      CALL CHECK('a file', E .EQ. MPI_SUCCESS)
      X = 5
      OFFSET = 8
      CALL MPI_FILE_WRITE_AT(FH, OFFSET, X, 3, MPI_INTEGER, ST, E)
      CALL MPI_GET_COUNT(ST, MPI_INTEGER, N, E)
      CALL CHECK('written', N .EQ. 3)
      CALL MPI_FILE_GET_SIZE(FH, OFFSET, E)
      CALL CHECK('its size', OFFSET .EQ. 20)
      CALL CHECK('in C', C_FILE(FH) .EQ. 20)
      CALL MPI_FILE_GET_ATOMICITY(FH, FLAG, E)
      CALL CHECK('not atomic', .NOT. FLAG)
      CALL MPI_FILE_SET_ATOMICITY(FH, .TRUE., E)
      CALL MPI_FILE_GET_ATOMICITY(FH, FLAG, E)
      CALL CHECK('atomic', FLAG)
      CALL MPI_FILE_CLOSE(FH, E)
      CALL CHECK('closed', FH .EQ. MPI_FILE_NULL)
      FH = 99
      CALL MPI_FILE_OPEN(MPI_COMM_SELF, 'no/such/file',                 &
     &  MPI_MODE_RDONLY, MPI_INFO_NULL, FH, E)
      CALL MPI_ERROR_CLASS(E, CLASS, N)
      CALL CHECK('no such file', CLASS .EQ. MPI_ERR_NO_SUCH_FILE)
      CALL CHECK('none', FH .EQ. MPI_FILE_NULL)
      END

      SUBROUTINE REMOVED()
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER E, T, U, D(2), LENGTHS(2), TYPES(2), N, A, CLASS
      INTEGER (KIND=MPI_ADDRESS_KIND) REAL_ADDRESS, BIG, LB
      INTEGER, TARGET :: X
      CALL MPI_ERRHANDLER_SET(MPI_COMM_WORLD, MPI_ERRORS_RETURN, E)
      CALL MPI_ERRHANDLER_GET(MPI_COMM_WORLD, N, E)
      CALL CHECK('errhandler', N .EQ. MPI_ERRORS_RETURN)
      CALL MPI_TYPE_HVECTOR(2, 1, -12, MPI_INTEGER, T, E)
      CALL MPI_TYPE_EXTENT(T, N, E)
      CALL CHECK('extent', N .EQ. 16)
      CALL MPI_TYPE_LB(T, N, E)
      CALL CHECK('lb', N .EQ. -12)
      CALL MPI_TYPE_UB(T, N, E)
      CALL CHECK('ub', N .EQ. 4)
      CALL MPI_TYPE_FREE(T, E)
      LENGTHS = 1
      D(1) = -4
      D(2) = 8
      TYPES(1) = MPI_INTEGER
      TYPES(2) = MPI_REAL
      CALL MPI_TYPE_STRUCT(2, LENGTHS, D, TYPES, T, E)
      CALL MPI_TYPE_EXTENT(T, N, E)
      CALL CHECK('struct', N .EQ. 16)
      CALL MPI_TYPE_HINDEXED(2, LENGTHS, D, MPI_INTEGER, U, E)
      CALL MPI_TYPE_LB(U, N, E)
      CALL CHECK('hindexed', N .EQ. -4)
      CALL MPI_TYPE_FREE(U, E)
      LB = 0
      BIG = 3000000000_MPI_ADDRESS_KIND
      CALL MPI_TYPE_CREATE_RESIZED(MPI_INTEGER, LB, BIG, U, E)
      N = 77
      CALL MPI_TYPE_EXTENT(U, N, E)
      CALL MPI_ERROR_CLASS(E, CLASS, A)
      CALL CHECK('too big', CLASS .EQ. MPI_ERR_ARG .AND. N .EQ. 77)
      CALL MPI_TYPE_FREE(U, E)
      CALL MPI_TYPE_FREE(T, E)
      CALL MPI_GET_ADDRESS(X, REAL_ADDRESS, E)
      CALL MPI_ADDRESS(X, A, E)
      CALL MPI_ERROR_CLASS(E, CLASS, N)
      IF (REAL_ADDRESS .GT. HUGE(A)) THEN
        CALL CHECK('an address', CLASS .EQ. MPI_ERR_ARG)
      ELSE
        CALL CHECK('a small address', A .EQ. REAL_ADDRESS)
      END IF
      CALL MPI_ADDRESS(MPI_BOTTOM, A, E)
      CALL CHECK('no address', E .EQ. MPI_SUCCESS .AND. A .EQ. 0)
      CALL MPI_ERRHANDLER_SET(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, E)
      END

      SUBROUTINE MEMORY()
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER (KIND=MPI_ADDRESS_KIND) P, Q, SIZE
      INTEGER E, N, BUFFER(100)
      DOUBLE PRECISION T
      T = MPI_WTIME()
      CALL CHECK('time', MPI_WTIME() .GE. T .AND. MPI_WTICK() .GT. 0)
      SIZE = 64
      P = 0
      CALL MPI_ALLOC_MEM(SIZE, MPI_INFO_NULL, P, E)
      CALL CHECK('memory', P .NE. 0)
      Q = MPI_AINT_ADD(P, SIZE)
      CALL CHECK('added', Q .EQ. P + 64)
      CALL CHECK('subtracted', MPI_AINT_DIFF(P, Q) .EQ. -64)
      CALL C_FREE(P)
      CALL MPI_BUFFER_ATTACH(BUFFER, 400, E)
      Q = 5
      CALL MPI_BUFFER_DETACH(Q, N, E)
      CALL CHECK('the argument is unused', Q .EQ. 5 .AND. N .EQ. 400)
      END
