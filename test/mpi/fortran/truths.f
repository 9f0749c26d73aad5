! truths.f: truth values that are not those of gfortran. A tool in C
! gives other true values, and looks at those that it is given.
! MPICH calls past the tool, and takes arrays that are too short.
      PROGRAM TRUTHS
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER E
      CALL MPI_INIT(E)
      CALL FROM_C()
      CALL ARRAYS()
      CALL TO_C(-1)
      CALL TO_C(256)
      CALL TO_C(1)
      CALL DONE()
      END

! What C calls true becomes .TRUE.
      SUBROUTINE FROM_C()
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER E, INFO, N
      INTEGER (KIND=MPI_ADDRESS_KIND) A
      LOGICAL FLAG
      CHARACTER*8 VALUE
      CALL C_TRUE(6)
      CALL MPI_INITIALIZED(FLAG, E)
      CALL CHECK('initialized', TRANSFER(FLAG, 0) .EQ. 1)
      CALL MPI_COMM_GET_ATTR(MPI_COMM_WORLD, MPI_TAG_UB, A, FLAG, E)
      CALL CHECK('attribute', TRANSFER(FLAG, 0) .EQ. 1)
      CALL MPI_ATTR_GET(MPI_COMM_WORLD, MPI_TAG_UB, N, FLAG, E)
      CALL CHECK('old attribute', TRANSFER(FLAG, 0) .EQ. 1)
      CALL MPI_INFO_CREATE(INFO, E)
      CALL MPI_INFO_SET(INFO, 'key', 'value', E)
      CALL MPI_INFO_GET(INFO, 'key', 8, VALUE, FLAG, E)
      CALL CHECK('info', TRANSFER(FLAG, 0) .EQ. 1)
      CALL MPI_INFO_FREE(INFO, E)
      CALL C_TRUE(1)
      END

! As many truth values as there are dimensions, and no more.
      SUBROUTINE ARRAYS()
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER E, CART, SUB, D(4), C(4), N, BITS(4)
      LOGICAL P(4)
      EQUIVALENCE (P, BITS)
      D = 1
      BITS = (/ -1, 0, 512, -1 /)
      CALL MPI_CART_CREATE(MPI_COMM_SELF, 3, D, P, .FALSE., CART, E)
      BITS = 77
      D = 77
      C = 77
      CALL C_TRUE(6)
      CALL MPI_CART_GET(CART, 4, D, P, C, E)
      CALL CHECK('.TRUE., .FALSE., .TRUE.', BITS(1) .EQ. 1 .AND.        &
     &  BITS(2) .EQ. 0 .AND. BITS(3) .EQ. 1)
      CALL CHECK('fourth is not there', BITS(4) .EQ. 77 .AND.           &
     &  D(4) .EQ. 77 .AND. C(4) .EQ. 77)
! Too short arrays are an error, and stay as they were.
      CALL MPI_COMM_SET_ERRHANDLER(CART, MPI_ERRORS_RETURN, E)
      BITS = 77
      CALL MPI_CART_GET(CART, 2, D, P, C, E)
      CALL C_TRUE(1)
      CALL CHECK('too short', E .NE. MPI_SUCCESS .AND. BITS(1) .EQ. 77)
      BITS = (/ -1, 0, 256, 1 /)
      CALL MPI_CART_SUB(CART, P, SUB, E)
      CALL MPI_CARTDIM_GET(SUB, N, E)
      CALL CHECK('two remain', N .EQ. 2)
      CALL MPI_COMM_FREE(SUB, E)
      CALL MPI_COMM_FREE(CART, E)
      END

! C is given 1 for all that is true: some tools compare.
      SUBROUTINE TO_C(VALUE)
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER VALUE, BITS, E, OP, COMM, C_SAW, FH, I(1)
      INTEGER ST(MPI_STATUS_SIZE)
      LOGICAL TRUE, FLAG
      EXTERNAL C_SAW, NOTHING
      EQUIVALENCE (TRUE, BITS)
      BITS = VALUE
      CALL MPI_OP_CREATE(NOTHING, TRUE, OP, E)
      CALL CHECK('commutes in C', C_SAW() .EQ. 1)
      CALL MPI_OP_FREE(OP, E)
      CALL MPI_OP_CREATE(NOTHING, .FALSE., OP, E)
      CALL CHECK('does not', C_SAW() .EQ. 0)
      CALL MPI_OP_FREE(OP, E)
      I = 1
      CALL MPI_CART_CREATE(MPI_COMM_SELF, 1, I, TRUE, TRUE, COMM, E)
      CALL CHECK('reorders in C', C_SAW() .EQ. 1)
      CALL MPI_COMM_FREE(COMM, E)
      I = 0
      CALL MPI_GRAPH_CREATE(MPI_COMM_SELF, 1, I, I, TRUE, COMM, E)
      CALL CHECK('a graph, too', C_SAW() .EQ. 1)
      CALL MPI_COMM_FREE(COMM, E)
      CALL MPI_STATUS_SET_CANCELLED(ST, TRUE, E)
      CALL MPI_TEST_CANCELLED(ST, FLAG, E)
      CALL CHECK('cancelled', TRANSFER(FLAG, 0) .EQ. 1)
      CALL MPI_STATUS_SET_CANCELLED(ST, .FALSE., E)
      CALL MPI_TEST_CANCELLED(ST, FLAG, E)
      CALL CHECK('not cancelled', TRANSFER(FLAG, 0) .EQ. 0)
      CALL MPI_FILE_OPEN(MPI_COMM_SELF, 'fortran_truths',               &
     &  MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE,     &
     &  MPI_INFO_NULL, FH, E)
      CALL MPI_FILE_SET_ATOMICITY(FH, TRUE, E)
      CALL MPI_FILE_GET_ATOMICITY(FH, FLAG, E)
      CALL CHECK('atomic', TRANSFER(FLAG, 0) .EQ. 1)
      CALL MPI_FILE_CLOSE(FH, E)
      END

      SUBROUTINE NOTHING(IN, INOUT, N, TYPE)
      INTEGER N, IN(N), INOUT(N), TYPE
      END
