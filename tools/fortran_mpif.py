"""Writes mpif.h, valid in fixed and in free form: statements in columns 7 to 72, no continuation.

Procedures that programs call with arguments of different types have interfaces, whose directives turn
the checks of compilers off: without them gfortran 10 and later refuse such programs. Names of
arguments have one letter, so that each statement is one line."""
import string

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


def is_loose(arguments):
    """Whether programs pass one of the arguments with several types or ranks."""
    return any(a.dims or a.kind in ('buffer', 'status', 'address') for a in arguments)


def interface(name, arguments):
    """An interface that checks the number of arguments, and which of them are CHARACTER."""
    letters = string.ascii_lowercase[:len(arguments) + 1]
    texts = [x for x, a in zip(letters, arguments) if a.kind == 'string']
    others = ','.join(x for x in letters if x not in texts)
    yield f'      SUBROUTINE {name}({",".join(letters)})'
    # Arrays of any type: sections are copied, and scalars taken, by each compiler.
    yield f'      TYPE(*), DIMENSION(*) :: {others}'
    if texts:
        yield f'      CHARACTER*(*) {",".join(texts)}'
    yield f'!GCC$ ATTRIBUTES NO_ARG_CHECK :: {others}'
    yield f'!DIR$ IGNORE_TKR {others}'
    yield f'      END SUBROUTINE {name}'


def functions(header):
    """The types of functions."""
    for function in args.functions(header):
        if function.name in args.FUNCTIONS:
            ctype = ('DOUBLE PRECISION' if function.result == 'double'
                     else 'INTEGER(KIND=MPI_ADDRESS_KIND)')
            for name in (function.name.upper(), 'P' + function.name.upper()):
                yield f'      {ctype} {name}'
                yield f'      EXTERNAL {name}'


def lines(header):
    """The lines of the file."""
    yield '! mpif.h, made by tools/fortran_mpif.py: the constants of MPI.'
    yield '!'
    yield '! Modules mpi and mpi_f08 tell the compiler more: it then finds'
    yield '! arguments of a wrong type.'
    for c in constants(header):
        yield from constant(c)
    yield from ADDRESSED
    for name, _, _ in PREDEFINED:
        yield f'      EXTERNAL MPI_{name.upper()}'
    yield from functions(header)
    yield '      INTERFACE'
    for function in args.functions(header):
        arguments = args.arguments(header, function)
        if is_loose(arguments):
            for prefix in ('', 'P'):
                yield from interface(prefix + function.name.upper(), arguments)
    yield '      END INTERFACE'
