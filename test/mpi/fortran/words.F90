! words.F90: what C gets of commands, lists of arguments and port names (10.3, 10.4), by mpif.h, mpi or
! mpi_f08 as METHOD says. No process is started: words_c.c stands before the functions of C.
#if METHOD == 8
#define HANDLE(NAME) TYPE(NAME)
#else
#define HANDLE(NAME) INTEGER
#endif
PROGRAM words
#if METHOD == 8
  USE mpi_f08
#elif METHOD == 90
  USE mpi
#endif
  IMPLICIT NONE
#if METHOD == 77
  INCLUDE 'mpif.h'
#endif
  CHARACTER(LEN=12) :: argv(4), commands(2), argvs(2, 4)
  CHARACTER(LEN=MPI_MAX_PORT_NAME) :: port
  HANDLE(MPI_Comm) :: inter
  HANDLE(MPI_Info) :: infos(2)
  INTEGER :: codes(5), maxprocs(2), e
  EXTERNAL :: c_expect, c_done

  CALL MPI_Init(e)
  argv = [CHARACTER(LEN=12) :: ' -a', 'b c  ', '', 'behind']
  codes = 7
  CALL c_expect('prog 3 [-a] [b c]')
  CALL MPI_Comm_spawn('  prog  ', argv, 3, MPI_INFO_NULL, 0, MPI_COMM_WORLD, inter, codes, e)
  CALL CHECK('codes', ALL(codes == [0, 1, 2, 7, 7]))
  CALL CHECK('COMM_NULL', inter == MPI_COMM_NULL)
  CALL c_expect('my prog 2 null ignored')
  CALL MPI_Comm_spawn('my prog', MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, inter, &
                      MPI_ERRCODES_IGNORE, e)
  argv = ' '
  CALL c_expect(' 1 ignored')
  CALL MPI_Comm_spawn(' ', argv, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, inter, MPI_ERRCODES_IGNORE, e)
  CALL c_expect('123456789abc 1 [full length.] ignored')
  argv(1:2) = [CHARACTER(LEN=12) :: 'full length.', '']
  CALL MPI_Comm_spawn('123456789abc', argv, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, inter, &
                      MPI_ERRCODES_IGNORE, e)

  ! Not at root: whatever is there is not looked at, here a list without an end.
  argv = 'endless'
  CALL c_expect('no 0 null ignored')
  CALL MPI_Comm_spawn('no', argv, 0, MPI_INFO_NULL, 1, MPI_COMM_SELF, inter, MPI_ERRCODES_IGNORE, e)

  commands = [CHARACTER(LEN=12) :: ' one', 'the other ']
  maxprocs = [2, 3]
  infos = MPI_INFO_NULL
  argvs(1, :) = [CHARACTER(LEN=12) :: 'x', ' y z ', '', 'behind']
  argvs(2, :) = [CHARACTER(LEN=12) :: '', 'behind', '', '']
  codes = 7
  CALL c_expect('one 2 [x] [y z];the other 3')
  CALL MPI_Comm_spawn_multiple(2, commands, argvs, maxprocs, infos, 0, MPI_COMM_WORLD, inter, codes, e)
  CALL CHECK('all codes', ALL(codes == [0, 1, 2, 3, 4]))
  CALL c_expect('one 2 null ignored;the other 3 null ignored')
  CALL MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, maxprocs, infos, 0, MPI_COMM_WORLD, inter, &
                               MPI_ERRCODES_IGNORE, e)

  port = 'old'
  CALL c_expect('open')
  CALL MPI_Open_port(MPI_INFO_NULL, port, e)
  CALL CHECK('a port', port == 'a$port' .AND. port(MPI_MAX_PORT_NAME:) == ' ')
  CALL c_expect('publish ocean [a$port]')
  CALL MPI_Publish_name('ocean  ', MPI_INFO_NULL, port, e)
  port = 'old'
  CALL c_expect('lookup  air mass')
  CALL MPI_Lookup_name(' air mass ', MPI_INFO_NULL, port, e)
  CALL CHECK('the port found', port == 'port of it')
  CALL c_expect('close [port of it]')
  CALL MPI_Close_port(port, e)
  CALL c_done()
  CALL DONE()
END PROGRAM words
