! loose.f: buffers of several types and ranks in one program, without
! a flag of the user's; sections of arrays.
      PROGRAM LOOSE
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER E, RANK, I, N(4), REQ, REQS(2), ST(MPI_STATUS_SIZE)
      INTEGER STS(2*MPI_STATUS_SIZE)
      REAL R, X(9), Y(3,3)
      DOUBLE PRECISION D(2)
      COMPLEX Z
      CHARACTER*5 C
      LOGICAL L
      CALL MPI_INIT(E)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, E)
      IF (RANK .EQ. 0) THEN
        X = (/ 1., 2., 3., 4., 5., 6., 7., 8., 9. /)
        Y = RESHAPE(X, (/ 3, 3 /))
        CALL MPI_SEND(1.5, 1, MPI_REAL, 1, 1, MPI_COMM_WORLD, E)
        CALL MPI_SEND(7, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, E)
        CALL MPI_SEND('hello', 5, MPI_CHARACTER, 1, 3,                  &
     &    MPI_COMM_WORLD, E)
        CALL MPI_SEND(X(1:9:4), 3, MPI_REAL, 1, 4, MPI_COMM_WORLD, E)
        CALL MPI_SEND(Y(2,:), 3, MPI_REAL, 1, 5, MPI_COMM_WORLD, E)
        CALL MPI_SEND(X(9), 1, MPI_REAL, 1, 6, MPI_COMM_WORLD, E)
        CALL MPI_SEND((1.,2.), 1, MPI_COMPLEX, 1, 7,                    &
     &    MPI_COMM_WORLD, E)
        CALL MPI_SEND(.TRUE., 1, MPI_LOGICAL, 1, 8, MPI_COMM_WORLD, E)
        CALL MPI_SEND(2.5D0, 1, MPI_DOUBLE_PRECISION, 1, 9,             &
     &    MPI_COMM_WORLD, E)
      ELSE
        CALL MPI_RECV(R, 1, MPI_REAL, 0, 1, MPI_COMM_WORLD, ST, E)
        CALL CHECK('REAL', R .EQ. 1.5)
        CALL MPI_RECV(I, 1, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, ST, E)
        CALL CHECK('INTEGER', I .EQ. 7)
        CALL MPI_RECV(C, 5, MPI_CHARACTER, 0, 3, MPI_COMM_WORLD,        &
     &    ST, E)
        CALL CHECK('CHARACTER', C .EQ. 'hello')
        X = 0
        CALL MPI_RECV(X(2:8:3), 3, MPI_REAL, 0, 4, MPI_COMM_WORLD,      &
     &    MPI_STATUS_IGNORE, E)
        CALL CHECK('sections', ALL(X .EQ. (/ 0.,1.,0.,0.,5.,0.,0.,      &
     &    9.,0. /)))
        Y = 0
        CALL MPI_RECV(Y(:,3), 3, MPI_REAL, 0, 5, MPI_COMM_WORLD,        &
     &    MPI_STATUS_IGNORE, E)
        CALL CHECK('rows', Y(1,3) .EQ. 2. .AND. Y(3,3) .EQ. 8.)
        CALL MPI_IRECV(X, 1, MPI_REAL, 0, 6, MPI_COMM_WORLD, REQ, E)
        CALL MPI_WAITALL(1, REQ, ST, E)
        CALL CHECK('an element', X(1) .EQ. 9.)
        CALL MPI_IRECV(Z, 1, MPI_COMPLEX, 0, 7, MPI_COMM_WORLD,         &
     &    REQS(1), E)
        CALL MPI_IRECV(L, 1, MPI_LOGICAL, 0, 8, MPI_COMM_WORLD,         &
     &    REQS(2), E)
        CALL MPI_WAITALL(2, REQS, STS, E)
        CALL CHECK('COMPLEX, LOGICAL', L .AND. Z .EQ. (1.,2.))
        CALL CHECK('tag', STS(MPI_STATUS_SIZE+MPI_TAG) .EQ. 8)
        CALL MPI_IRECV(D(2), 1, MPI_DOUBLE_PRECISION, 0, 9,             &
     &    MPI_COMM_WORLD, REQ, E)
        CALL MPI_WAITALL(1, REQ, MPI_STATUSES_IGNORE, E)
        CALL CHECK('DOUBLE PRECISION', D(2) .EQ. 2.5D0)
      END IF
      N = RANK
      CALL MPI_BCAST(N(1:4:3), 2, MPI_INTEGER, 1, MPI_COMM_WORLD, E)
      CALL CHECK('a section out', ALL(N .EQ. (/ 1,RANK,RANK,1 /)))
      CALL DONE()
      END
