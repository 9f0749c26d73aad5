#!/usr/bin/env python3
"""Writes a Fortran source that calls each procedure of a module once, with keywords.

Usage: gen_calls.py TOOLS MPI_H MODULE OUT       MODULE: mpi or mpi_f08

It is compiled alone. The types of the arguments are written down here a second time."""
import sys

sys.dont_write_bytecode = True      # no __pycache__ in tools/
tools, mpi_h, module, out = sys.argv[1:]
sys.path[:0] = f'{tools}/fortran', f'{tools}/generate'
import fortran_args
from mpi_h import Header

F08 = module == 'mpi_f08'
OLD_FORM = fortran_args.DEPRECATED | fortran_args.REMOVED
INTEGERS = {'int': 'INTEGER', 'MPI_Aint': 'INTEGER(KIND=8)', 'MPI_Count': 'INTEGER(KIND=8)',
            'MPI_Offset': 'INTEGER(KIND=8)'}


def type_of(function, a, cptr):
    """The type of a variable that is passed."""
    f08 = F08 and function.name not in OLD_FORM
    if a.kind == 'address':
        if function.name == 'MPI_Buffer_detach' and not f08:
            return 'REAL'
        return 'TYPE(C_PTR)' if f08 or cptr else 'INTEGER(KIND=8)'
    if a.kind in ('attr', 'extra'):
        return 'INTEGER' if function.name in OLD_FORM else 'INTEGER(KIND=8)'
    if a.kind in ('handle', 'file', 'status') and f08:
        return f'TYPE({a.ctype})'
    if a.kind in ('handle', 'file', 'status', 'index'):
        return 'INTEGER'
    if a.kind in ('string', 'strings'):
        return 'CHARACTER(LEN=9000)'
    if a.kind in ('logical', 'buffer'):
        return {'logical': 'LOGICAL', 'buffer': 'COMPLEX'}[a.kind]
    return 'INTEGER' if function.name in OLD_FORM else INTEGERS[a.ctype]


def shape_of(function, a):
    """Its shape."""
    if a.kind == 'status' and not (F08 and function.name not in OLD_FORM):
        return '(MPI_STATUS_SIZE, 2)' if a.dims else '(MPI_STATUS_SIZE)'
    return {None: '', '3,n': '(3, 2)', 'count,*': '(2, 2)'}.get(a.dims, '(2)')


def call(header, function, prefix, cptr=False):
    """A subroutine with the call."""
    args = fortran_args.arguments(header, function)
    name = f'{prefix}{function.name[4:]}{"_cptr" if cptr else ""}'
    yield f'SUBROUTINE call_{name}'
    for a in args:
        if a.kind != 'callback':
            yield f'  {type_of(function, a, cptr)} :: v_{a.name}{shape_of(function, a)}'
        elif F08 and function.name not in OLD_FORM:
            yield f'  PROCEDURE({a.ctype}) :: v_{a.name}'
        else:
            yield f'  EXTERNAL :: v_{a.name}'
    pairs = [f'{"index" if a.name == "indx" else a.name}=v_{a.name}' for a in args]
    if function.result != 'int':
        result = {'double': 'DOUBLE PRECISION'}.get(function.result, 'INTEGER(KIND=8)')
        yield f'  {result} :: r'
        yield f'  r = {prefix}{function.name}({", ".join(pairs)})'
    else:
        if function.name != 'MPI_Pcontrol':
            yield '  INTEGER :: v_ierror'
            pairs.append('ierror=v_ierror')
        yield f'  CALL {prefix}{function.name}( &'
        # Backwards: keywords decide, not places.
        yield from (f'    {p}, &' for p in pairs[:0:-1])
        yield f'    {pairs[0]})'
        optional = F08 and function.name not in OLD_FORM and function.name != 'MPI_Pcontrol'
        if optional:
            yield f'  CALL {prefix}{function.name}( &'
            yield from (f'    {p}, &' for p in pairs[:-2])
            yield f'    {"".join(pairs[-2:-1])})'
    yield f'END SUBROUTINE call_{name}'


def lines(header):
    """The source: one module, since each USE of a large module takes a while."""
    yield 'MODULE calls'
    yield f'  USE {module}'
    yield '  USE, INTRINSIC :: iso_c_binding, ONLY: C_PTR'
    yield '  IMPLICIT NONE (TYPE, EXTERNAL)'
    yield 'CONTAINS'
    for f in fortran_args.functions(header):
        if F08 and f.name in fortran_args.REMOVED:
            continue
        for prefix in ('', 'P'):
            yield from call(header, f, prefix)
            if not F08 and any(a.kind == 'address' for a in fortran_args.arguments(header, f)) \
                    and f.name != 'MPI_Buffer_detach':
                yield from call(header, f, prefix, cptr=True)
    yield 'END MODULE calls'


with open(out, 'w', encoding='utf-8') as f:
    for line in lines(Header(mpi_h)):
        print(line, file=f)
