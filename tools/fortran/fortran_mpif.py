"""Writes mpif.h, valid in fixed and in free form: statements in columns 7 to 72, no continuation.

It has no interfaces: so a program may declare a procedure EXTERNAL, and a tool may define it. What
programs pass with several types to the same procedure is an error for gfortran 10 and later then,
unless it has the option -fallow-argument-mismatch, which mpifort gives it."""
import fortran_args as args
from fortran_c import PREDEFINED
from fortran_constants import constants

ADDRESSED = """\
      INTEGER MPI_BOTTOM, MPI_IN_PLACE
      INTEGER MPI_STATUS_IGNORE(MPI_STATUS_SIZE)
      INTEGER MPI_STATUSES_IGNORE(MPI_STATUS_SIZE,1)
      INTEGER MPI_ERRCODES_IGNORE(1)
      INTEGER MPI_UNWEIGHTED(1), MPI_WEIGHTS_EMPTY(1)
      CHARACTER*1 MPI_ARGVS_NULL(1,1), MPI_ARGV_NULL(1)
      COMMON /MPIPRIV1/ MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE
      COMMON /MPIPRIV2/ MPI_STATUSES_IGNORE, MPI_ERRCODES_IGNORE
      COMMON /MPIPRIVC/ MPI_ARGVS_NULL, MPI_ARGV_NULL
      COMMON /MPIFCMB5/ MPI_UNWEIGHTED
      COMMON /MPIFCMB9/ MPI_WEIGHTS_EMPTY
      SAVE /MPIPRIV1/, /MPIPRIV2/, /MPIPRIVC/, /MPIFCMB5/, /MPIFCMB9/
""".splitlines()


def constant(c):
    """A PARAMETER."""
    if c.ctype == 'LOGICAL':
        ctype, value = c.ctype, '.TRUE.' if c.value else '.FALSE.'
    else:
        ctype = f'INTEGER(KIND={c.ctype})' if c.ctype.endswith('_KIND') else 'INTEGER'
        # The least INTEGER is no literal.
        value = '-2147483647-1' if c.value == -2**31 else c.value
    yield f'      {ctype} {c.name}'
    yield f'      PARAMETER ({c.name}={value})'


def functions(header):
    """The functions. They are EXTERNAL for procedures inside of the one with the INCLUDE line; so a
    program may not declare them again, with any MPI."""
    for function in args.functions(header):
        if function.name in args.FUNCTIONS:
            ctype = ('DOUBLE PRECISION' if function.result == 'double'
                     else 'INTEGER(KIND=MPI_ADDRESS_KIND)')
            for name in (function.name.upper(), 'P' + function.name.upper()):
                yield f'      {ctype} {name}'
                yield f'      EXTERNAL {name}'


def lines(header):
    """The lines of the file."""
    yield '! mpif.h, made by tools/fortran/fortran_mpif.py: the constants of MPI.'
    yield '!'
    yield '! Modules mpi and mpi_f08 tell the compiler more: it then finds'
    yield '! arguments of a wrong type.'
    for c in constants(header):
        yield from constant(c)
    yield from ADDRESSED
    for name, _, _ in PREDEFINED:
        yield f'      EXTERNAL MPI_{name.upper()}'
    yield from functions(header)
