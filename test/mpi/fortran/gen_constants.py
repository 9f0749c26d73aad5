#!/usr/bin/env python3
"""Writes a program that compares each constant of a module with the one of mpi.h.

Usage: gen_constants.py TOOLS MPI_H MODULE OUT_F90 OUT_C"""
import re
import sys

sys.dont_write_bytecode = True      # no __pycache__ in tools/
tools, mpi_h, module, out_f90, out_c = sys.argv[1:]
sys.path[:0] = f'{tools}/fortran', f'{tools}/generate'
from mpi_h import Header

F08 = module == 'mpi_f08'
# Not in Fortran. In Fortran, one less: no terminator; one more: C's key is odd.
ONLY_C = re.compile(r'MPI_T_(?!ERR_)|MPI_F_')
LESS = re.compile(r'MPI_MAX_\w+')
MORE = set('MPI_TAG_UB MPI_HOST MPI_IO MPI_WTIME_IS_GLOBAL MPI_UNIVERSE_SIZE MPI_LASTUSEDCODE MPI_APPNUM '
           'MPI_WIN_BASE MPI_WIN_SIZE MPI_WIN_DISP_UNIT MPI_WIN_CREATE_FLAVOR MPI_WIN_MODEL'.split())
ONLY_FORTRAN = [('MPI_STATUS_SIZE', 'sizeof(MPI_Status) / sizeof(MPI_Fint)')] + [
    (name, f'offsetof(MPI_Status, {name}) / sizeof(MPI_Fint) + 1')
    for name in ('MPI_SOURCE', 'MPI_TAG', 'MPI_ERROR')] + [
    ('MPI_ADDRESS_KIND', 'sizeof(MPI_Aint)'), ('MPI_COUNT_KIND', 'sizeof(MPI_Count)'),
    ('MPI_OFFSET_KIND', 'sizeof(MPI_Offset)'), ('MPI_INTEGER_KIND', 'sizeof(MPI_Fint)')]


def rows(header):
    """(name in Fortran, its value as C says, as an expression, whether it is a handle)."""
    for c in header.constants:
        if c.ctype.endswith(('*', '_function')) or ONLY_C.match(c.name):
            continue
        handle = c.ctype in header.handles | header.pointers
        add = -1 if LESS.fullmatch(c.name) else c.name in MORE
        yield c.name, f'(long) {c.name} + {int(add)}', handle
    for name, value in ONLY_FORTRAN:
        yield name, f'(long) ({value})', False


def fortran(header):
    """The program. Each constant is used as one: where no variable may stand."""
    yield 'MODULE values'
    yield f'  USE {module}'
    yield '  IMPLICIT NONE'
    for n, (name, _, handle) in enumerate(rows(header)):
        if handle and F08:
            yield f'  INTEGER, PARAMETER :: v{n} = {name}%MPI_VAL'
        else:
            yield f'  INTEGER(KIND=8), PARAMETER :: v{n} = {name}'
    yield 'END MODULE values'
    yield 'PROGRAM constants'
    yield f'  USE {module}'
    yield '  USE values'
    yield '  IMPLICIT NONE'
    yield '  INTEGER :: bad = 0'
    for n, (name, _, _) in enumerate(rows(header)):
        yield f"  CALL check('{name}', INT(v{n}, 8), {n})"
    for name in ('MPI_SUBARRAYS_SUPPORTED', 'MPI_ASYNC_PROTECTS_NONBLOCKING'):
        wrong = '.NOT. ' if F08 else ''
        yield f"  IF ({wrong}{name}) CALL check('{name}', 1_8, -1)"
    yield '  IF (bad /= 0) STOP 1'
    yield 'CONTAINS'
    yield '  SUBROUTINE check(name, value, n)'
    yield '    CHARACTER(LEN=*), INTENT(IN) :: name'
    yield '    INTEGER(KIND=8), INTENT(IN) :: value'
    yield '    INTEGER, INTENT(IN) :: n'
    yield '    INTEGER(KIND=8), EXTERNAL :: c_value'
    yield '    IF (value == c_value(n)) RETURN'
    yield "    PRINT *, name, ' is ', value, ', and in C ', c_value(n)"
    yield '    bad = bad + 1'
    yield '  END SUBROUTINE check'
    yield 'END PROGRAM constants'


def c_code(header):
    """The values in C."""
    yield from ('#include <stddef.h>', '#include "mpi.h"', 'long c_value_(const int *n);',
                'long c_value_(const int *n)', '{', '    static const long values[] = {')
    yield from (f'        {value},' for _, value, _ in rows(header))
    yield from ('    };', '    return *n < 0 ? 0 : values[*n];', '}')


h = Header(mpi_h)
for path, text in ((out_f90, fortran(h)), (out_c, c_code(h))):
    with open(path, 'w', encoding='utf-8') as f:
        print('\n'.join(text), file=f)
