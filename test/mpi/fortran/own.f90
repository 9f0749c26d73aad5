! own.f90: what programs declare themselves beside mpif.h, and a tool that takes the place of a
! procedure. mpif.h is included in a module, in procedures, and in both.
MODULE own
  IMPLICIT NONE
  INCLUDE 'mpif.h'
CONTAINS
  DOUBLE PRECISION FUNCTION now()
    now = MPI_WTIME()
  END FUNCTION now
  SUBROUTINE again(n)
    INCLUDE 'mpif.h'
    INTEGER :: n, e
    CALL MPI_COMM_SIZE(MPI_COMM_WORLD, n, e)
  END SUBROUTINE again
END MODULE own

SUBROUTINE MPI_SEND(buf, count, type, dest, tag, comm, e)
  IMPLICIT NONE
  INCLUDE 'mpif.h'
  INTEGER :: buf(*), count, type, dest, tag, comm, e, sent
  COMMON /counts/ sent
  sent = sent + 1
  CALL PMPI_SEND(buf, count, type, dest, tag, comm, e)
END SUBROUTINE MPI_SEND

! Calls what it is given.
SUBROUTINE through(send, value, type)
  IMPLICIT NONE
  INCLUDE 'mpif.h'
  EXTERNAL :: send
  INTEGER :: value, type, e
  CALL send(value, 1, type, 0, 0, MPI_COMM_SELF, e)
END SUBROUTINE through

PROGRAM owner
  IMPLICIT NONE
  INCLUDE 'mpif.h'
  EXTERNAL :: MPI_SEND, through
  INTEGER :: e, sent, r, n
  REAL :: x
  DOUBLE PRECISION :: t
  COMMON /counts/ sent
  sent = 0
  CALL MPI_INIT(e)
  t = MPI_WTIME()
  CALL MPI_IRECV(n, 1, MPI_INTEGER, 0, 0, MPI_COMM_SELF, r, e)
  CALL through(MPI_SEND, 5, MPI_INTEGER)
  CALL MPI_WAIT(r, MPI_STATUS_IGNORE, e)
  CALL MPI_IRECV(x, 1, MPI_REAL, 0, 0, MPI_COMM_SELF, r, e)
  CALL MPI_SEND(2.5, 1, MPI_REAL, 0, 0, MPI_COMM_SELF, e)
  CALL MPI_WAIT(r, MPI_STATUS_IGNORE, e)
  CALL CHECK('sent', n == 5 .AND. x == 2.5)
  CALL CHECK('the tool saw both', sent == 2)
  CALL inside(t)
  CALL DONE()
CONTAINS
  SUBROUTINE inside(since)
    USE own, ONLY: now, again
    DOUBLE PRECISION :: since
    CALL CHECK('time', now() >= since .AND. MPI_WTIME() >= since .AND. MPI_WTICK() > 0)
    CALL again(n)
    CALL CHECK('size', n == 1)
    CALL MPI_SEND(n, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_SELF, e)
    CALL CHECK('inside', sent == 3)
  END SUBROUTINE inside
END PROGRAM owner
