"""Module mpi: constants, types, and interfaces that catch wrong arguments.

Its parts are modules with the names that MPICH's have, since their procedures are in the ABI."""
from fortran_args import functions
from fortran_constants import constants
from fortran_interfaces import (HANDLES, PREDEFINED, callback, choice, comparison, old_callbacks,
                                old_procedure, operators, parameter, procedure, sizeof,
                                status_conversions, types, wrapped)

# Known by their addresses: the COMMON blocks of mpif.h.
SENTINELS = '''\
  INTEGER :: MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE(MPI_STATUS_SIZE)
  INTEGER :: MPI_STATUSES_IGNORE(MPI_STATUS_SIZE, 1), MPI_ERRCODES_IGNORE(1)
  CHARACTER(LEN=1) :: MPI_ARGVS_NULL(1, 1), MPI_ARGV_NULL(1)
  INTEGER :: MPI_UNWEIGHTED(1), MPI_WEIGHTS_EMPTY(1)
  COMMON /MPIPRIV1/ MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE
  COMMON /MPIPRIV2/ MPI_STATUSES_IGNORE, MPI_ERRCODES_IGNORE
  COMMON /MPIPRIVC/ MPI_ARGVS_NULL, MPI_ARGV_NULL
  COMMON /MPIFCMB5/ MPI_UNWEIGHTED
  COMMON /MPIFCMB9/ MPI_WEIGHTS_EMPTY
  SAVE /MPIPRIV1/, /MPIPRIV2/, /MPIPRIVC/, /MPIFCMB5/, /MPIFCMB9/'''
# These exist with addresses that are integers, and with TYPE(C_PTR).
OVERLOADED = {'MPI_' + name for name in 'Alloc_mem Win_allocate Win_allocate_shared '
                                        'Win_shared_query'.split()}


def operator_names(name):
    """Of == or /=."""
    return [handle.lower() + name for handle in HANDLES]


def hidden_operators():
    """These names do not begin with MPI_: programs may have the same."""
    yield from wrapped('PRIVATE :: ' + ', '.join(operator_names('eq') + operator_names('neq')), 2)


def constants_module(header):
    """Module mpi_constants."""
    yield 'MODULE mpi_constants'
    yield '  USE, INTRINSIC :: iso_c_binding, ONLY: C_INT'
    yield '  IMPLICIT NONE'
    yield '  PRIVATE :: C_INT'
    for c in constants(header):
        yield from wrapped(parameter(c, False), 2)
    yield SENTINELS
    yield from types()
    yield from operators(operator_names)
    yield 'CONTAINS'
    for handle in HANDLES:
        left, right = (('lhs', f'TYPE(MPI_{handle})'), ('rhs', f'TYPE(MPI_{handle})'))
        yield from comparison(f'{handle.lower()}eq', '==', left, right)
        yield from comparison(f'{handle.lower()}neq', '/=', left, right)
    yield from status_conversions(False)
    yield 'END MODULE mpi_constants'


def sizeofs_module():
    """Module mpi_sizeofs."""
    yield 'MODULE mpi_sizeofs'
    yield '  USE, INTRINSIC :: iso_c_binding, ONLY: C_INT'
    yield '  IMPLICIT NONE'
    yield '  PRIVATE :: C_INT'
    yield from sizeof()
    yield 'END MODULE mpi_sizeofs'


def base_module(header):
    """Module mpi_base: the procedures."""
    yield 'MODULE mpi_base'
    yield '  USE, INTRINSIC :: iso_c_binding, ONLY: C_PTR'
    yield '  USE mpi_constants'
    yield '  IMPLICIT NONE'
    yield '  PRIVATE :: C_PTR'
    yield from hidden_operators()
    for prefix in ('', 'P'):
        yield '  INTERFACE'
        for f in functions(header):
            if f.name not in OVERLOADED:
                yield from old_procedure(header, f, prefix + f.name)
        yield from procedure(prefix + 'MPI_F_sync_reg', ['buf'], choice('buf'))
        yield '  END INTERFACE'
        for f in functions(header):
            if f.name in OVERLOADED:
                yield f'  INTERFACE {prefix}{f.name}'
                yield from old_procedure(header, f, prefix + f.name)
                yield from old_procedure(header, f, f'{prefix}{f.name}_cptr', cptr=True)
                yield '  END INTERFACE'
    yield '  INTERFACE'
    for name, function in PREDEFINED.items():
        yield from callback(name, function, False)
    yield from old_callbacks()
    yield '  END INTERFACE'
    yield 'END MODULE mpi_base'


def lines(header):
    """The lines of the file."""
    yield '! Made by gen_fortran.py from mpi.h.'
    yield from constants_module(header)
    yield from sizeofs_module()
    yield from base_module(header)
    yield from ('MODULE mpi', '  USE mpi_constants', '  USE mpi_sizeofs', '  USE mpi_base')
    yield from hidden_operators()
    yield 'END MODULE mpi'
