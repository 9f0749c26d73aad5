! spawn.F90: processes that this program starts, which are itself again, by mpif.h, mpi or mpi_f08 as
! METHOD says. Each child tells how many arguments it has got.
#if METHOD == 8
#define HANDLE(NAME) TYPE(NAME)
#else
#define HANDLE(NAME) INTEGER
#endif
PROGRAM spawn
#if METHOD == 8
  USE mpi_f08
#elif METHOD == 90
  USE mpi
#endif
  IMPLICIT NONE
#if METHOD == 77
  INCLUDE 'mpif.h'
#endif
  CHARACTER(LEN=1000) :: self
  CHARACTER(LEN=1000) :: commands(2)
  CHARACTER(LEN=8) :: argv(3), argvs(2, 2)
  HANDLE(MPI_Comm) :: parent, inter
  HANDLE(MPI_Info) :: infos(2)
  INTEGER :: codes(4), maxprocs(2), rank, n, e

  CALL MPI_Init(e)
  CALL MPI_Comm_get_parent(parent, e)
  IF (parent /= MPI_COMM_NULL) THEN
    n = COMMAND_ARGUMENT_COUNT()
    CALL MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
    CALL MPI_Send(n, 1, MPI_INTEGER, 0, rank, parent, e)
    CALL MPI_Comm_disconnect(parent, e)
    CALL DONE()
    STOP
  END IF
  CALL GET_COMMAND_ARGUMENT(0, self)
  CALL MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, e)
  CALL MPI_Comm_rank(MPI_COMM_WORLD, rank, e)

  argv = [CHARACTER(LEN=8) :: 'one', 'two', '']
  codes = 7
  CALL MPI_Comm_spawn(self, argv, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, inter, codes, e)
  CALL CHECK('two start', e == MPI_SUCCESS .AND. ALL(codes(1:2) == MPI_SUCCESS) .AND. codes(3) == 7)
  CALL told([2, 2])
  CALL MPI_Comm_spawn('  ' // self, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, inter, &
                      MPI_ERRCODES_IGNORE, e)
  CALL told([0])

  commands = self
  maxprocs = [1, 2]
  infos = MPI_INFO_NULL
  argvs(1, :) = [CHARACTER(LEN=8) :: 'one', '']
  argvs(2, :) = ''
  codes = 7
  CALL MPI_Comm_spawn_multiple(2, commands, argvs, maxprocs, infos, 0, MPI_COMM_WORLD, inter, codes, e)
  CALL CHECK('three start', e == MPI_SUCCESS .AND. ALL(codes(1:3) == MPI_SUCCESS) .AND. codes(4) == 7)
  CALL told([1, 0, 0])
  CALL MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, maxprocs, infos, 0, MPI_COMM_WORLD, inter, &
                               MPI_ERRCODES_IGNORE, e)
  CALL told([0, 0, 0])

  codes = 7
  CALL MPI_Comm_spawn('/no/such/program', MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, inter, &
                      codes, e)
  CALL MPI_Error_class(e, n, e)
  CALL CHECK('none starts', n == MPI_ERR_SPAWN .AND. inter == MPI_COMM_NULL)
  CALL MPI_Error_class(codes(2), n, e)
  CALL CHECK('its code', n == MPI_ERR_SPAWN .AND. codes(3) == 7)
  CALL DONE()

CONTAINS
  ! What the children say, in their order, to rank 0; then the end of them.
  SUBROUTINE told(counts)
    INTEGER, INTENT(IN) :: counts(:)
    INTEGER :: i, got
    CALL CHECK('spawned', e == MPI_SUCCESS)
    IF (e /= MPI_SUCCESS) RETURN
    DO i = 1, SIZE(counts)
      IF (rank /= 0) EXIT
      CALL MPI_Recv(got, 1, MPI_INTEGER, i - 1, i - 1, inter, MPI_STATUS_IGNORE, e)
      CALL CHECK('arguments', got == counts(i))
    END DO
    CALL MPI_Comm_disconnect(inter, e)
  END SUBROUTINE told
END PROGRAM spawn
