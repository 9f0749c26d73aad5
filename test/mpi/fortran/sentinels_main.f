! sentinels_main.f: a program whose COMMON blocks are elsewhere, too.
      PROGRAM MAIN
      IMPLICIT NONE
      INTEGER E
      CALL MPI_INIT(E)
      CALL SENTINELS()
      CALL MPI_FINALIZE(E)
      END

      SUBROUTINE CHECK(WHAT, CONDITION)
      IMPLICIT NONE
      CHARACTER*(*) WHAT
      LOGICAL CONDITION
      IF (.NOT. CONDITION) THEN
        PRINT *, 'not so: ', WHAT
        STOP 1
      END IF
      END
