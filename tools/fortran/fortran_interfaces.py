"""Interface bodies of MPI's procedures as modules mpi and mpi_f08 write them, and parts of both."""
import re
from fortran_args import DEPRECATED, REMOVED, arguments

WIDTH = 98      # of a line; Fortran allows 132
KIND = {'MPI_Aint': 'MPI_ADDRESS_KIND', 'MPI_Count': 'MPI_COUNT_KIND',
        'MPI_Offset': 'MPI_OFFSET_KIND'}
HANDLES = ('Comm Datatype Errhandler File Group Info Message Op Request Win').split()
# The names of C that are others in Fortran, where no function of C is in the way.
NAMES = {'indx': 'index'}
# Their last argument is no error code.
NO_IERROR = {'MPI_Pcontrol'}
# The result of a function.
RESULT = {'double': 'DOUBLE PRECISION', 'MPI_Aint': 'INTEGER(KIND=MPI_ADDRESS_KIND)'}

# Arguments of callbacks: 'name type', type as in ARGUMENT below. The names are those of the standard.
COPY = 'old{0} {1}, {2}_keyval int, extra_state aint, attribute_val_in aint, ' \
       'attribute_val_out aint, flag logical, ierror int'
DELETE = '{0} {1}, {2}_keyval int, attribute_val aint, extra_state aint, ierror int'
DATATYPE = 'MPI_Datatype'
CALLBACKS = {
    'MPI_User_function': 'invec ptr, inoutvec ptr, len int, datatype MPI_Datatype',
    'MPI_Comm_copy_attr_function': COPY.format('comm', 'MPI_Comm', 'comm'),
    'MPI_Comm_delete_attr_function': DELETE.format('comm', 'MPI_Comm', 'comm'),
    'MPI_Win_copy_attr_function': COPY.format('win', 'MPI_Win', 'win'),
    'MPI_Win_delete_attr_function': DELETE.format('win', 'MPI_Win', 'win'),
    'MPI_Type_copy_attr_function': COPY.format('type', DATATYPE, 'type'),
    'MPI_Type_delete_attr_function': DELETE.format('datatype', DATATYPE, 'type'),
    'MPI_Comm_errhandler_function': 'comm MPI_Comm, error_code int',
    'MPI_Win_errhandler_function': 'win MPI_Win, error_code int',
    'MPI_File_errhandler_function': 'file MPI_File, error_code int',
    'MPI_Grequest_query_function': 'extra_state aint, status MPI_Status, ierror int',
    'MPI_Grequest_free_function': 'extra_state aint, ierror int',
    'MPI_Grequest_cancel_function': 'extra_state aint, complete logical, ierror int',
    'MPI_Datarep_extent_function': 'datatype MPI_Datatype, extent aint, extra_state aint, ierror int',
    'MPI_Datarep_conversion_function':
        'userbuf ptr, datatype MPI_Datatype, count int, filebuf ptr, position offset, '
        'extra_state aint, ierror int',
}
# The predefined ones, and what they are. In all methods they are the same external procedures.
PREDEFINED = {f'MPI_{what}_{name}': f'MPI_{what}_{function}_attr_function'
              for what in ('Comm', 'Win', 'Type')
              for name, function in (('NULL_COPY_FN', 'copy'), ('DUP_FN', 'copy'),
                                     ('NULL_DELETE_FN', 'delete'))}
PREDEFINED = {name.upper(): function for name, function in PREDEFINED.items()}
PREDEFINED['MPI_CONVERSION_FN_NULL'] = 'MPI_Datarep_conversion_function'
# Those of deprecated calls, where attributes are INTEGERs.
OLD_CALLBACKS = {
    'MPI_NULL_COPY_FN': 'oldcomm, keyval, extra_state, attribute_val_in, attribute_val_out, flag, '
                        'ierr',
    'MPI_DUP_FN': 'oldcomm, keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierr',
    'MPI_NULL_DELETE_FN': 'comm, keyval, attribute_val, extra_state, ierr',
}
# What an interface body takes from its module.
IMPORTED = re.compile(r'MPI_\w+_KIND|MPI_STATUS_SIZE|MPI_MAX_\w+|(?<=TYPE\()\w+|(?<=PROCEDURE\()\w+')


def wrapped(text, indent):
    """A statement, continued on further lines where it is too long."""
    line = ' ' * indent
    for word in text.split(' '):
        if len(line) + len(word) + 2 > WIDTH and line.strip():
            yield line + '&'
            line = ' ' * (indent + 4)
        line += word + ' '
    yield line.rstrip()


def kind_type(ctype):
    """The type of an INTEGER that is a ctype in C."""
    return f'INTEGER(KIND={KIND[ctype]})' if ctype in KIND else 'INTEGER'


def name_of(a):
    """The name of an argument, which is its keyword."""
    return NAMES.get(a.name, a.name)


def procedure(name, names, declarations, result=None):
    """An interface body. names: of the arguments; declarations: 'type :: names', and directives;
    result: the type of a function's."""
    what = 'FUNCTION' if result else 'SUBROUTINE'
    if result:
        declarations = declarations + [f'{result} :: {name}']
    used = sorted(set(IMPORTED.findall(' '.join(declarations))))
    yield from wrapped(f'{what} {name}({", ".join(names)})', 4)
    if used:
        yield from wrapped('IMPORT :: ' + ', '.join(used), 6)
    for declaration in declarations:
        yield from [declaration] if declaration[0] == '!' else wrapped(declaration, 6)
    yield f'    END {what} {name}'


def callback(name, function, f08):
    """The body of a procedure that is a callback of a function type. f08: handles and statuses have
    types of their own."""
    types = {'int': 'INTEGER', 'aint': 'INTEGER(KIND=MPI_ADDRESS_KIND)', 'logical': 'LOGICAL',
             'offset': 'INTEGER(KIND=MPI_OFFSET_KIND)', 'ptr': 'TYPE(C_PTR), VALUE'}
    names, declarations = [], []
    for text in CALLBACKS[function].split(', '):
        n, t = text.split()
        names.append(n)
        if t == 'ptr' and not f08:
            declarations += choice(n)
        else:
            declarations.append(f'{types.get(t, f"TYPE({t})" if f08 else "INTEGER")} :: {n}')
    yield from procedure(name, names, declarations)


def old_callbacks():
    """The predefined callbacks of the deprecated calls."""
    for name, names in OLD_CALLBACKS.items():
        names = names.split(', ')
        yield from procedure(name, names, [('LOGICAL' if n == 'flag' else 'INTEGER') + f' :: {n}'
                                           for n in names])


# ---- as module mpi has them, and mpi_f08 the deprecated ones ------------------------------------


def choice(name):
    """A choice buffer without a descriptor. The compiler copies sections of arrays; the directives,
    of which each compiler knows one, make it ignore type, kind and rank."""
    return [f'!GCC$ ATTRIBUTES NO_ARG_CHECK :: {name}', f'!DIR$ IGNORE_TKR {name}',
            f'TYPE(*), DIMENSION(*) :: {name}']


def old_type(function, a, cptr):
    """The type of an argument. cptr: in the form whose addresses are TYPE(C_PTR)."""
    old = function.name in DEPRECATED or function.name in REMOVED
    if a.kind == 'logical':
        return 'LOGICAL'
    if a.kind in ('string', 'strings'):
        return 'CHARACTER(LEN=*)'
    if a.kind == 'address':
        return 'TYPE(C_PTR)' if cptr else 'INTEGER(KIND=MPI_ADDRESS_KIND)'
    if a.kind in ('attr', 'extra') and not old:
        return 'INTEGER(KIND=MPI_ADDRESS_KIND)'
    return 'INTEGER' if old or a.kind in ('handle', 'file', 'index') else kind_type(a.ctype)


def old_dims(a):
    """The bounds of an argument. The last is free, so that too long an array is none too short."""
    if a.kind == 'status':
        return '(MPI_STATUS_SIZE, *)' if a.dims else '(MPI_STATUS_SIZE)'
    return '(' + ', '.join(a.dims.split(',')[:-1] + ['*']) + ')' if a.dims else ''


def old_declaration(function, a, cptr):
    """The lines that declare an argument."""
    if a.kind == 'callback':
        return [f'EXTERNAL :: {name_of(a)}']
    if a.kind == 'buffer' or a.kind == 'address' and function.name == 'MPI_Buffer_detach':
        return choice(name_of(a))
    # INTENT(OUT) would let the compiler forget what a call leaves as it was (17.1.3).
    intent = 'IN' if a.intent == 'in' else 'INOUT'
    return [f'{old_type(function, a, cptr)}, INTENT({intent}) :: {name_of(a)}{old_dims(a)}']


def old_procedure(header, function, name, cptr=False):
    """The body of a function under this name."""
    args = arguments(header, function)
    names = [name_of(a) for a in args]
    declarations = [line for a in args for line in old_declaration(function, a, cptr)]
    if function.result != 'int':
        yield from procedure(name, names, declarations, RESULT[function.result])
        return
    if function.name not in NO_IERROR:
        names.append('ierror')
        declarations.append('INTEGER, INTENT(OUT) :: ierror')
    yield from procedure(name, names, declarations)


# ---- types --------------------------------------------------------------------------------------


def types():
    """The types of handles and of a status, with C's layout; C_INT is the kind of an INTEGER."""
    for name in HANDLES:
        yield from (f'  TYPE, BIND(C) :: MPI_{name}', '    INTEGER(C_INT) :: MPI_VAL',
                    f'  END TYPE MPI_{name}')
    yield from ('  TYPE, BIND(C) :: MPI_Status',
                '    INTEGER(C_INT) :: count_lo, count_hi_and_cancelled, MPI_SOURCE, MPI_TAG, '
                'MPI_ERROR',
                '  END TYPE MPI_Status')


def operators(specific):
    """Generic operators. specific: from an operator's name, 'eq' or 'neq', to its procedures."""
    # .EQ. and .NE. are the same operators.
    for operator, name in (('==', 'eq'), ('/=', 'neq')):
        yield f'  INTERFACE OPERATOR ({operator})'
        for text in specific(name):
            yield f'    MODULE PROCEDURE {text}'
        yield '  END INTERFACE'


def comparison(name, operator, left, right):
    """A function that compares two handles. left, right: (name, type); a type of no handle is an
    INTEGER."""
    values = [n + ('%MPI_VAL' if t.startswith('TYPE') else '') for n, t in (left, right)]
    yield f'  ELEMENTAL LOGICAL FUNCTION {name}({left[0]}, {right[0]})'
    for n, t in (left, right):
        yield f'    {t}, INTENT(IN) :: {n}'
    yield f'    {name} = {values[0]} {operator} {values[1]}'
    yield f'  END FUNCTION {name}'


CONVERSIONS = '''\
  SUBROUTINE {0}_Status_f2f08(f_status, f08_status, ierror)
    INTEGER, INTENT(IN) :: f_status(5)
    TYPE(MPI_Status), INTENT(OUT) :: f08_status
    INTEGER, {1}INTENT(OUT) :: ierror
    f08_status%count_lo = f_status(1)
    f08_status%count_hi_and_cancelled = f_status(2)
    f08_status%MPI_SOURCE = f_status(3)
    f08_status%MPI_TAG = f_status(4)
    f08_status%MPI_ERROR = f_status(5)
    {2}ierror = 0
  END SUBROUTINE {0}_Status_f2f08
  SUBROUTINE {0}_Status_f082f(f08_status, f_status, ierror)
    TYPE(MPI_Status), INTENT(IN) :: f08_status
    INTEGER, INTENT(OUT) :: f_status(5)
    INTEGER, {1}INTENT(OUT) :: ierror
    f_status(1) = f08_status%count_lo
    f_status(2) = f08_status%count_hi_and_cancelled
    f_status(3) = f08_status%MPI_SOURCE
    f_status(4) = f08_status%MPI_TAG
    f_status(5) = f08_status%MPI_ERROR
    {2}ierror = 0
  END SUBROUTINE {0}_Status_f082f'''


def status_conversions(optional):
    """MPI_Status_f2f08 and MPI_Status_f082f, and the same with PMPI_. optional: ierror is."""
    for prefix in ('MPI', 'PMPI'):
        yield CONVERSIONS.format(prefix, *(('OPTIONAL, ', 'IF (PRESENT(ierror)) ') if optional
                                           else ('', '')))


def sizeof():
    """MPI_SIZEOF for each type, kind and rank: the element's size is in the descriptor."""
    yield '  INTERFACE MPI_Sizeof'
    yield "    SUBROUTINE MPIR_Sizeof(x, size, ierror) BIND(C, NAME='MPIR_Sizeof')"
    yield '      IMPORT :: C_INT'
    yield '      TYPE(*), DIMENSION(..), INTENT(IN) :: x'
    yield '      INTEGER(C_INT), INTENT(OUT) :: size'
    yield '      INTEGER(C_INT), OPTIONAL, INTENT(OUT) :: ierror'
    yield '    END SUBROUTINE MPIR_Sizeof'
    yield '  END INTERFACE'
    yield '  INTERFACE PMPI_Sizeof'
    yield '    PROCEDURE MPIR_Sizeof'
    yield '  END INTERFACE'


def parameter(c, typed):
    """A constant. typed: handles have types of their own."""
    value = {True: '.TRUE.', False: '.FALSE.'}[c.value] if c.ctype == 'LOGICAL' else c.value
    if c.ctype.endswith('_KIND'):
        return f'INTEGER(KIND={c.ctype}), PARAMETER :: {c.name} = {value}'
    if c.ctype in ('INTEGER', 'LOGICAL') or not typed:
        return f'{"LOGICAL" if c.ctype == "LOGICAL" else "INTEGER"}, PARAMETER :: {c.name} = {value}'
    return f'TYPE({c.ctype}), PARAMETER :: {c.name} = {c.ctype}({value})'
