"""Module mpi_f08: types, constants and interfaces.

Its parts are modules with the names that MPICH's have, since their procedures are in the ABI."""
from fortran_args import DEPRECATED, REMOVED, arguments, functions
from fortran_constants import KINDS, constants
from fortran_interfaces import (CALLBACKS, HANDLES, NO_IERROR, PREDEFINED, RESULT, callback,
                                comparison, kind_type, name_of, old_callbacks, old_declaration,
                                old_procedure, operators, parameter, procedure, sizeof, status_conversions, types,
                                wrapped)

# Known by their addresses; the names are MPICH's, and the same for all compilers.
SENTINELS = '''\
MODULE mpi_f08_link_constants
  USE, INTRINSIC :: iso_c_binding, ONLY: C_CHAR, C_INT
  USE mpi_f08_types, ONLY: MPI_Status
  IMPLICIT NONE
  PRIVATE :: C_CHAR, C_INT, MPI_Status
  INTEGER(C_INT), TARGET, BIND(C, NAME='MPIR_F08_MPI_BOTTOM') :: MPI_BOTTOM
  INTEGER(C_INT), TARGET, BIND(C, NAME='MPIR_F08_MPI_IN_PLACE') :: MPI_IN_PLACE
  TYPE(MPI_Status), TARGET, BIND(C, NAME='MPIR_F08_MPI_STATUS_IGNORE_OBJ') :: MPI_STATUS_IGNORE
  TYPE(MPI_Status), TARGET, BIND(C, NAME='MPIR_F08_MPI_STATUSES_IGNORE_OBJ') :: &
      MPI_STATUSES_IGNORE(1)
  INTEGER(C_INT), TARGET, BIND(C, NAME='__mpi_f08_link_constants_MOD_mpi_errcodes_ignore') :: &
      MPI_ERRCODES_IGNORE(1)
  INTEGER(C_INT), TARGET, BIND(C, NAME='__mpi_f08_link_constants_MOD_mpi_unweighted') :: &
      MPI_UNWEIGHTED(1)
  INTEGER(C_INT), TARGET, BIND(C, NAME='__mpi_f08_link_constants_MOD_mpi_weights_empty') :: &
      MPI_WEIGHTS_EMPTY(1)
  CHARACTER(KIND=C_CHAR), TARGET, BIND(C, NAME='__mpi_f08_link_constants_MOD_mpi_argv_null') :: &
      MPI_ARGV_NULL(1)
  CHARACTER(KIND=C_CHAR), TARGET, BIND(C, NAME='__mpi_f08_link_constants_MOD_mpi_argvs_null') :: &
      MPI_ARGVS_NULL(1, 1)
END MODULE mpi_f08_link_constants'''
# MPICH's, of the handles that are INTEGERs in C as well.
C_HANDLE = '''\
  INTEGER FUNCTION MPI_{0}_f2c(x)
    INTEGER, VALUE :: x
    MPI_{0}_f2c = x
  END FUNCTION MPI_{0}_f2c
  INTEGER FUNCTION MPI_{0}_c2f(x)
    INTEGER, VALUE :: x
    MPI_{0}_c2f = x
  END FUNCTION MPI_{0}_c2f'''
# Of MPI_File, which is a pointer in C, they are C's functions.
C_FILE = '''\
  INTERFACE
    INTEGER(C_INTPTR_T) FUNCTION MPI_File_f2c(x) BIND(C, NAME='MPI_File_f2c')
      IMPORT :: C_INT, C_INTPTR_T
      INTEGER(C_INT), VALUE :: x
    END FUNCTION MPI_File_f2c
    INTEGER(C_INT) FUNCTION MPI_File_c2f(x) BIND(C, NAME='MPI_File_c2f')
      IMPORT :: C_INT, C_INTPTR_T
      INTEGER(C_INTPTR_T), VALUE :: x
    END FUNCTION MPI_File_c2f
  END INTERFACE'''
# Arguments for which the standard allows a constant without a value, beside buffers and statuses.
NO_INTENT = {'MPI_Dist_graph_neighbors': {'sourceweights', 'destweights'},
             'MPI_Comm_spawn': {'array_of_errcodes'},
             'MPI_Comm_spawn_multiple': {'array_of_errcodes'}}


# A later call writes to what these only name.
WRITTEN = {'MPI_Get_address', 'MPI_Buffer_attach', 'MPI_Win_create', 'MPI_Win_attach',
           'MPI_Win_detach'}
# The lengths of strings that calls write; of others '*'.
LENGTHS = {'MPI_Comm_get_name': 'MPI_MAX_OBJECT_NAME', 'MPI_Type_get_name': 'MPI_MAX_OBJECT_NAME',
           'MPI_Win_get_name': 'MPI_MAX_OBJECT_NAME', 'MPI_Error_string': 'MPI_MAX_ERROR_STRING',
           'MPI_Get_processor_name': 'MPI_MAX_PROCESSOR_NAME',
           'MPI_Get_library_version': 'MPI_MAX_LIBRARY_VERSION_STRING',
           'MPI_Open_port': 'MPI_MAX_PORT_NAME', 'MPI_Lookup_name': 'MPI_MAX_PORT_NAME',
           'MPI_Info_get': 'valuelen'}


def comparisons(handle):
    """For == and /=: (suffix of the procedure's name, left argument, right argument)."""
    typed, integer = f'TYPE(MPI_{handle})', 'INTEGER'
    return [('{}', ('x', typed), ('y', typed)),
            ('f08_{}_f', ('f08', typed), ('f', integer)),
            ('f_{}_f08', ('f', integer), ('f08', typed))]


def operator_names(name):
    """Of == or /=."""
    return [f'MPI_{handle}_{suffix.format(name)}'
            for handle in HANDLES for suffix, _, _ in comparisons(handle)]


def types_module():
    """Module mpi_f08_types."""
    yield 'MODULE mpi_f08_types'
    yield '  USE, INTRINSIC :: iso_c_binding, ONLY: C_INT, C_INTPTR_T'
    yield '  IMPLICIT NONE'
    yield '  PRIVATE :: C_INT, C_INTPTR_T'
    yield from types()
    yield from operators(operator_names)
    yield from sizeof()
    yield C_FILE
    yield 'CONTAINS'
    for handle in HANDLES:
        for suffix, left, right in comparisons(handle):
            for operator, name in (('==', 'eq'), ('/=', 'neq')):
                yield from comparison(f'MPI_{handle}_{suffix.format(name)}', operator, left, right)
        if handle != 'File':
            yield C_HANDLE.format(handle)
    yield from status_conversions(True)
    yield 'END MODULE mpi_f08_types'


def constants_module(header):
    """Module mpi_f08_compile_constants."""
    yield 'MODULE mpi_f08_compile_constants'
    yield '  USE mpi_f08_types'
    yield '  IMPLICIT NONE'
    yield '  PRIVATE :: ' + ', '.join(f'MPI_{handle}' for handle in HANDLES)
    for c in constants(header, f08=True):
        yield from wrapped(parameter(c, True), 2)
    yield 'END MODULE mpi_f08_compile_constants'


def callbacks_module():
    """Module mpi_f08_callbacks."""
    yield 'MODULE mpi_f08_callbacks'
    yield '  USE, INTRINSIC :: iso_c_binding, ONLY: C_PTR'
    yield '  USE mpi_f08_types'
    yield from wrapped('USE mpi_f08_compile_constants, ONLY: '
                       + ', '.join(c.name for c in KINDS), 2)
    yield '  IMPLICIT NONE'
    yield '  PRIVATE :: C_PTR'
    yield '  ABSTRACT INTERFACE'
    for function in CALLBACKS:
        yield from callback(function, function, True)
    yield '  END INTERFACE'
    yield '  INTERFACE'
    for name, function in PREDEFINED.items():
        yield from callback(name, function, True)
    yield from old_callbacks()
    yield '  END INTERFACE'
    yield 'END MODULE mpi_f08_callbacks'


def f08_type(function, a):
    """The type of an argument."""
    if a.kind == 'logical':
        return 'LOGICAL'
    if a.kind in ('string', 'strings'):
        length = LENGTHS.get(function.name, '*') if a.intent == 'out' else '*'
        return f'CHARACTER(LEN={length})'
    if a.kind in ('handle', 'file', 'status'):
        return f'TYPE({a.ctype})'
    if a.kind == 'buffer':
        return 'TYPE(*), DIMENSION(..)'
    if a.kind == 'address':
        return 'TYPE(C_PTR)'
    return 'INTEGER(KIND=MPI_ADDRESS_KIND)' if a.kind in ('attr', 'extra') else kind_type(a.ctype)


def f08_intent(function, a):
    """The INTENT of an argument, or None: what the call writes, where a constant may stand instead
    that is known by its address, has none (17.1.2)."""
    if a.name in NO_INTENT.get(function.name, ()):
        return None
    if a.kind == 'buffer':
        return 'IN' if a.intent == 'in' and function.name not in WRITTEN else None
    if a.kind == 'status' and a.intent == 'out':
        return None
    return a.intent.upper()


def f08_declaration(function, a):
    """The declaration of an argument."""
    if a.kind == 'callback':
        return f'PROCEDURE({a.ctype}) :: {name_of(a)}'
    intent = f08_intent(function, a)
    attributes = [f08_type(function, a)] + [f'INTENT({intent})'] * bool(intent) \
        + ['ASYNCHRONOUS'] * a.asynchronous
    dims = f'({a.dims.replace(",", ", ")})' if a.dims else ''
    return f'{", ".join(attributes)} :: {name_of(a)}{dims}'


def specific_name(args, function, prefix):
    """The name of the procedure for the linker (17.1.5); a tool's and the library's own."""
    name = ('PMPIR_' if prefix else 'MPI_') + function.name[4:]
    return name + ('_f08ts' if any(a.kind == 'buffer' for a in args) else '_f08')


def f08_interface(header, function, prefix):
    """The generic interface of a function."""
    args = arguments(header, function)
    names = [name_of(a) for a in args]
    declarations = [f08_declaration(function, a) for a in args]
    if function.result == 'int' and function.name not in NO_IERROR:
        names.append('ierror')
        declarations.append('INTEGER, OPTIONAL, INTENT(OUT) :: ierror')
    yield f'  INTERFACE {prefix}{function.name}'
    yield from procedure(specific_name(args, function, prefix), names, declarations,
                         RESULT.get(function.result))
    yield '  END INTERFACE'


def deprecated_interface(header, function, prefix):
    """The interface of a deprecated function: that of module mpi, by scheme 2A of 17.1.5. The
    standard defines none for mpi_f08, and a program that relies on an implicit one passes a handle
    of mpi_f08: a typed handle is taken, too."""
    args = arguments(header, function)
    yield f'  INTERFACE {prefix}{function.name}'
    yield from old_procedure(header, function, prefix + function.name)
    if any(a.kind == 'handle' for a in args):
        declarations = [line for a in args
                        for line in ([f08_declaration(function, a)] if a.kind == 'handle'
                                     else old_declaration(function, a, False))]
        yield from procedure(specific_name(args, function, prefix),
                             [name_of(a) for a in args] + ['ierror'],
                             declarations + ['INTEGER, OPTIONAL, INTENT(OUT) :: ierror'])
    yield '  END INTERFACE'


def procedures_module(header, module, prefix):
    """Module mpi_f08 or pmpi_f08."""
    yield f'MODULE {module}'
    yield '  USE, INTRINSIC :: iso_c_binding, ONLY: C_PTR'
    yield from (f'  USE mpi_f08_{part}'
                for part in ('types', 'compile_constants', 'link_constants', 'callbacks'))
    if not prefix:
        yield '  USE pmpi_f08'
    yield '  IMPLICIT NONE'
    yield '  PRIVATE :: C_PTR'
    current = [f for f in functions(header) if f.name not in REMOVED]
    for f in current:
        if f.name not in DEPRECATED:
            yield from f08_interface(header, f, prefix)
    yield f'  INTERFACE {prefix}MPI_F_sync_reg'
    yield from procedure(('PMPIR' if prefix else 'MPI') + '_F_sync_reg_f08ts', ['buf'],
                         ['TYPE(*), DIMENSION(..), ASYNCHRONOUS :: buf'])
    yield '  END INTERFACE'
    for f in current:
        if f.name in DEPRECATED:
            yield from deprecated_interface(header, f, prefix)
    yield f'END MODULE {module}'


def lines(header):
    """The lines of the file."""
    yield '! Made by gen_fortran.py from mpi.h.'
    yield from types_module()
    yield from constants_module(header)
    yield SENTINELS
    yield from callbacks_module()
    yield from procedures_module(header, 'pmpi_f08', 'P')
    yield from procedures_module(header, 'mpi_f08', '')
