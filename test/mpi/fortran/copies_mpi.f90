! In module mpi the compiler makes a copy of a section, so that a blocking call gets contiguous
! elements, and what it writes comes back. copies_mpi_c.c stands in for the library.
PROGRAM copies_mpi
  USE mpi
  IMPLICIT NONE
  TYPE pair
    INTEGER :: key
    REAL :: value
  END TYPE pair
  REAL :: x(12), m(4, 5), y
  REAL, TARGET :: t(10)
  REAL, POINTER :: p(:)
  REAL, ALLOCATABLE :: a(:, :)
  DOUBLE PRECISION :: d(3)
  COMPLEX :: c(2)
  TYPE(pair) :: pairs(3)
  CHARACTER(LEN=8) :: text
  INTEGER :: i, ierror, status(MPI_STATUS_SIZE)
  REAL, EXTERNAL :: seen

  x = [(REAL(i), i = 1, 12)]
  CALL MPI_Send(x(1:12:3), 4, MPI_REAL, 0, 0, MPI_COMM_WORLD, ierror)
  CALL check([1., 4., 7., 10.], 'a stride')
  CALL MPI_Send(x(12:1:-4), 3, MPI_REAL, 0, 0, MPI_COMM_WORLD, ierror)
  CALL check([12., 8., 4.], 'a negative stride')
  CALL MPI_Send(x([5, 2, 9]), 3, MPI_REAL, 0, 0, MPI_COMM_WORLD, ierror)
  CALL check([5., 2., 9.], 'an array of indices')
  m = RESHAPE([(REAL(i), i = 1, 20)], [4, 5])
  CALL MPI_Send(m(2, :), 5, MPI_REAL, 0, 0, MPI_COMM_WORLD, ierror)
  CALL check([2., 6., 10., 14., 18.], 'a row')
  CALL MPI_Send(m(2:3, 4:5), 4, MPI_REAL, 0, 0, MPI_COMM_WORLD, ierror)
  CALL check([14., 15., 18., 19.], 'a block')
  t = x(1:10)
  p => t(2:10:4)
  CALL MPI_Send(p, 3, MPI_REAL, 0, 0, MPI_COMM_WORLD, ierror)
  CALL check([2., 6., 10.], 'a pointer')
  CALL assumed(x(2:12:5))
  ALLOCATE (a(2, 2))
  a(:, :) = m(3:4, 1:2)
  CALL MPI_Send(a, 4, MPI_REAL, 0, 0, MPI_COMM_WORLD, ierror)
  CALL check([3., 4., 7., 8.], 'an allocatable array')
  DEALLOCATE (a)
  pairs%value = [7., 8., 9.]
  CALL MPI_Send(pairs%value, 3, MPI_REAL, 0, 0, MPI_COMM_WORLD, ierror)
  CALL check([7., 8., 9.], 'components')
  y = 3.5
  CALL MPI_Send(y, 1, MPI_REAL, 0, 0, MPI_COMM_WORLD, ierror)
  CALL check([3.5], 'a scalar')
  CALL MPI_Send(x(7), 3, MPI_REAL, 0, 0, MPI_COMM_WORLD, ierror)
  CALL check([7., 8., 9.], 'from an element on')
  CALL MPI_Send(x + 1, 2, MPI_REAL, 0, 0, MPI_COMM_WORLD, ierror)
  CALL check([2., 3.], 'an expression')
  ! Any type and kind.
  CALL MPI_Send(d, 0, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, ierror)
  CALL MPI_Send(c, 0, MPI_COMPLEX, 0, 0, MPI_COMM_WORLD, ierror)
  CALL MPI_Send(pairs(1), 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD, ierror)
  CALL MPI_Send(text, 0, MPI_CHARACTER, 0, 0, MPI_COMM_WORLD, ierror)
  CALL MPI_Send(text(2:3), 0, MPI_CHARACTER, 0, 0, MPI_COMM_WORLD, ierror)
  CALL MPI_Send(.TRUE., 0, MPI_LOGICAL, 0, 0, MPI_COMM_WORLD, ierror)
  CALL MPI_Send(MPI_BOTTOM, 0, MPI_REAL, 0, 0, MPI_COMM_WORLD, ierror)

  ! The call writes 100, 101, ...
  CALL MPI_Recv(x(2:12:5), 3, MPI_REAL, 0, 0, MPI_COMM_WORLD, status, ierror)
  IF (ANY(NINT(x(2:12:5)) /= [100, 101, 102]) .OR. NINT(x(3)) /= 3) CALL wrong('a received stride')
  CALL MPI_Recv(m(4, 1:5:2), 3, MPI_REAL, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  IF (ANY(NINT(m(4, 1:5:2)) /= [100, 101, 102]) .OR. NINT(m(4, 2)) /= 8) CALL wrong('a received row')
CONTAINS
  SUBROUTINE assumed(z)
    REAL, INTENT(IN) :: z(:)
    CALL MPI_Send(z, 3, MPI_REAL, 0, 0, MPI_COMM_WORLD, ierror)
    CALL check([2., 7., 12.], 'assumed shape')
  END SUBROUTINE assumed
  SUBROUTINE check(expected, what)
    REAL, INTENT(IN) :: expected(:)
    CHARACTER(LEN=*), INTENT(IN) :: what
    INTEGER :: k
    DO k = 1, SIZE(expected)
      IF (NINT(2 * seen(k)) /= NINT(2 * expected(k))) CALL wrong(what)
    END DO
  END SUBROUTINE check
  SUBROUTINE wrong(what)
    CHARACTER(LEN=*), INTENT(IN) :: what
    PRINT *, 'wrong: ', what
    STOP 1
  END SUBROUTINE wrong
END PROGRAM copies_mpi
