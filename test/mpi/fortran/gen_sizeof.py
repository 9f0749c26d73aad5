#!/usr/bin/env python3
"""Writes a program that asks MPI_SIZEOF for variables of all types, kinds and ranks.

Usage: gen_sizeof.py MODULE OUT KIND...          KIND: further ones of REAL, which exist here"""
import sys

module, out, *more = sys.argv[1:]
reals = ['4', '8', *more]
TYPES = [f'INTEGER(KIND={k})' for k in (1, 2, 4, 8)] + [f'LOGICAL(KIND={k})' for k in (1, 2, 4, 8)] \
    + [f'{t}(KIND={k})' for t in ('REAL', 'COMPLEX') for k in reals] \
    + ['CHARACTER(LEN=1)', 'CHARACTER(LEN=7)']
RANKS = range(16)


def lines():
    """The program: the compiler says how many bits an element has."""
    yield 'PROGRAM sizes'
    yield f'  USE {module}'
    yield '  IMPLICIT NONE'
    yield '  INTEGER :: bad = 0, size, ierror'
    for n, text in enumerate(TYPES):
        for r in RANKS:
            yield f'  {text} :: v{n}_{r}' + (f'({", ".join(["2"] + ["1"] * (r - 1))})' if r else '')
        yield f'  {text}, ALLOCATABLE :: a{n}(:, :)'
    for n, text in enumerate(TYPES):
        yield f'  ALLOCATE (a{n}(3, 2))'
        variables = [f'v{n}_{r}' for r in RANKS] + [f'a{n}', f'a{n}(1:3:2, :)', f'a{n}(2, 1)']
        for n_call, v in enumerate(variables):
            p = 'P' if n_call % 2 else ''
            yield f'  CALL {p}MPI_Sizeof({v}, size, ierror)'
            yield f"  CALL check('{text} {v}', STORAGE_SIZE({v}) / 8)"
        yield f'  DEALLOCATE (a{n})'
    yield '  IF (bad /= 0) STOP 1'
    yield 'CONTAINS'
    yield '  SUBROUTINE check(what, expected)'
    yield '    CHARACTER(LEN=*), INTENT(IN) :: what'
    yield '    INTEGER, INTENT(IN) :: expected'
    yield '    IF (size == expected .AND. ierror == MPI_SUCCESS) RETURN'
    yield "    PRINT *, what, ': ', size, ', not ', expected"
    yield '    bad = bad + 1'
    yield '  END SUBROUTINE check'
    yield 'END PROGRAM sizes'


with open(out, 'w', encoding='utf-8') as f:
    print('\n'.join(lines()), file=f)
