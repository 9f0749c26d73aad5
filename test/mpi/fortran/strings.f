! strings.f: CHARACTER arguments: blanks, too short, empty, long.
! MPICH cuts leading blanks of names, too, and fails where MPI_INFO_GET
! has to cut a value.
      PROGRAM STRINGS
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER E
      CALL MPI_INIT(E)
      CALL NAMES()
      CALL INFOS()
      CALL TEXTS()
      CALL DONE()
      END

      SUBROUTINE NAMES()
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      CHARACTER*(MPI_MAX_OBJECT_NAME) NAME
      CHARACTER*3 SHORT
      INTEGER E, LENGTH, C_NAME_IS
      EXTERNAL C_NAME_IS
      CALL MPI_COMM_SET_NAME(MPI_COMM_WORLD, '  lead  ', E)
      CALL CHECK('trailing blanks are cut, leading stay',               &
     &  C_NAME_IS(MPI_COMM_WORLD, 1) .EQ. 1)
      NAME = 'x'
      CALL MPI_COMM_GET_NAME(MPI_COMM_WORLD, NAME, LENGTH, E)
      CALL CHECK('a name', NAME .EQ. '  lead' .AND. LENGTH .EQ. 6)
      CALL CHECK('filled', NAME(MPI_MAX_OBJECT_NAME:) .EQ. ' ')
      CALL MPI_COMM_GET_NAME(MPI_COMM_WORLD, SHORT, LENGTH, E)
      CALL CHECK('a short name', SHORT .EQ. '  l')
      CALL CHECK('its length', LENGTH .EQ. 3)
      CALL MPI_COMM_SET_NAME(MPI_COMM_WORLD, '    ', E)
      CALL CHECK('blanks', C_NAME_IS(MPI_COMM_WORLD, 2) .EQ. 1)
      CALL MPI_COMM_SET_NAME(MPI_COMM_WORLD, 'x', E)
      CALL MPI_COMM_SET_NAME(MPI_COMM_WORLD, '', E)
      CALL CHECK('empty', C_NAME_IS(MPI_COMM_WORLD, 2) .EQ. 1)
      CALL MPI_COMM_GET_NAME(MPI_COMM_WORLD, NAME, LENGTH, E)
      CALL CHECK('empty out', NAME .EQ. ' ' .AND. LENGTH .EQ. 0)
      CALL MPI_TYPE_GET_NAME(MPI_INTEGER, NAME, LENGTH, E)
      CALL CHECK('MPI_INTEGER', NAME .EQ. 'MPI_INTEGER')
      CALL CHECK('11', LENGTH .EQ. 11)
      END

      SUBROUTINE INFOS()
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      CHARACTER*300 LONG, VALUE
      CHARACTER*2 SHORT
      INTEGER E, INFO, N, C_INFO_IS
      LOGICAL FLAG
      EXTERNAL C_INFO_IS
      LONG(1:150) = 'a'
      LONG(150:300) = 'b'
      LONG(300:) = 'z'
      CALL MPI_INFO_CREATE(INFO, E)
      CALL MPI_INFO_SET(INFO, '  key ', '  v w ', E)
      CALL CHECK('stripped', C_INFO_IS(INFO, 1) .EQ. 1)
      CALL MPI_INFO_SET(INFO, 'long', LONG, E)
      CALL CHECK('long', C_INFO_IS(INFO, 2) .EQ. 1)
      CALL MPI_INFO_GET(INFO, 'long ', 300, VALUE, FLAG, E)
      CALL CHECK('long out', FLAG .AND. VALUE .EQ. LONG)
      VALUE = 'old'
      CALL MPI_INFO_GET(INFO, ' key', 300, VALUE, FLAG, E)
      CALL CHECK('out', FLAG .AND. VALUE .EQ. 'v w')
      CALL MPI_INFO_GET(INFO, 'key', 1, VALUE, FLAG, E)
      CALL CHECK('valuelen', FLAG .AND. VALUE .EQ. 'v')
      CALL MPI_INFO_GET(INFO, 'key', 300, SHORT, FLAG, E)
      CALL CHECK('short', FLAG .AND. SHORT .EQ. 'v ')
      CALL MPI_INFO_GET(INFO, 'long', 2, VALUE(2:5), FLAG, E)
      CALL CHECK('in the middle', VALUE .EQ. 'va')
      VALUE = 'old'
      CALL MPI_INFO_GET(INFO, 'none', 300, VALUE, FLAG, E)
      CALL CHECK('unset', .NOT. FLAG .AND. VALUE .EQ. 'old')
      CALL MPI_INFO_GET_VALUELEN(INFO, 'key ', N, FLAG, E)
      CALL CHECK('its length', FLAG .AND. N .EQ. 3)
      CALL MPI_INFO_GET_NTHKEY(INFO, 0, VALUE, E)
      CALL CHECK('the first key', VALUE .EQ. 'key')
      CALL MPI_INFO_DELETE(INFO, ' key ', E)
      CALL MPI_INFO_GET_NKEYS(INFO, N, E)
      CALL CHECK('deleted', N .EQ. 1)
      CALL MPI_INFO_FREE(INFO, E)
      END

      SUBROUTINE TEXTS()
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      CHARACTER*(MPI_MAX_ERROR_STRING) TEXT
      CHARACTER*(MPI_MAX_PROCESSOR_NAME) HOST
      CHARACTER*(MPI_MAX_LIBRARY_VERSION_STRING) VERSION
      CHARACTER*4 SHORT
      INTEGER E, N, CODE
      CALL MPI_ERROR_STRING(MPI_ERR_RANK, TEXT, N, E)
      CALL MPI_ERROR_STRING(MPI_ERR_RANK, SHORT, N, E)
      CALL CHECK('a cut text', TEXT(1:4) .EQ. SHORT .AND. N .EQ. 4)
      CALL MPI_ADD_ERROR_CODE(MPI_ERR_RANK, CODE, E)
      CALL MPI_ADD_ERROR_STRING(CODE, 'mine   ', E)
      CALL MPI_ERROR_STRING(CODE, TEXT, N, E)
      CALL CHECK('my text', TEXT .EQ. 'mine')
      CALL MPI_GET_PROCESSOR_NAME(HOST, N, E)
      CALL CHECK('host', N .GT. 0 .AND. LEN_TRIM(HOST) .EQ. N)
      CALL MPI_GET_LIBRARY_VERSION(VERSION, N, E)
      CALL CHECK('version', N .GT. 10 .AND. N .LE. LEN(VERSION))
      END
