"""Fortran procedures MPI_X_f08ts, for compilers whose descriptors of arrays C cannot read.

They pass buffers as CFI_cdesc_t, which C can read, to C functions that gen_fortran.py makes with
those for gfortran. Arguments of derived types, which have one integer, are integers here."""
import fortran_sections

KINDS = {'MPI_Aint': 'c_intptr_t', 'MPI_Offset': 'c_int64_t', 'MPI_Count': 'c_int64_t'}


def declaration(a, interface):
    """The declaration of an argument, in the procedure or in the interface of the C function."""
    if a.kind == 'buffer':
        return f'type(*), dimension(..), asynchronous :: {a.name}'
    if a.kind == 'string':
        return (f'character(kind=c_char), dimension(*) :: {a.name}' if interface
                else f'character(*) :: {a.name}')
    array = '(*)' if a.dims or a.kind == 'status' else ''
    return f'integer({KINDS.get(a.ctype, "c_int")}) :: {a.name}{array}'


def wrapped(begin, names, end, indent):
    """A line with a list of names, continued where it is long."""
    text = begin
    for i, name in enumerate(names):
        word = name + (', ' if i < len(names) - 1 else '')
        if len(text + word) > 96:
            yield text + '&'
            text = indent + '    '
        text += word
    yield text + end


def interface(args, c_name):
    """The interface of the C function."""
    names = [a.name for a in args] + ['ierror']
    lengths = [f'{a.name}_len' for a in args if a.kind == 'string']
    yield '  interface'
    yield from wrapped(f'    subroutine {c_name}(', names + lengths, ') &', '    ')
    yield f'        bind(C, name="{c_name}")'
    yield '      import'
    for a in args:
        yield '      ' + declaration(a, True)
    yield '      integer(c_int), optional :: ierror'
    for name in lengths:
        yield f'      integer(c_size_t), value :: {name}'
    yield f'    end subroutine {c_name}'
    yield '  end interface'


def procedure(function, args, prefix, c_prefix):
    """One of the two procedures of a function."""
    name = f'{prefix}_{function.name[4:]}_f08ts'
    c_name = f'{c_prefix}_{fortran_sections.short_name(function)}_cdesc'
    names = [a.name for a in args] + ['ierror']
    lengths = [f'len({a.name}, c_size_t)' for a in args if a.kind == 'string']
    yield ''
    yield from wrapped(f'subroutine {name}(', names, ')', '')
    yield '  use, intrinsic :: iso_c_binding'
    yield '  implicit none'
    for a in args:
        yield '  ' + declaration(a, False)
    yield '  integer(c_int), optional :: ierror'
    yield from interface(args, c_name)
    yield from wrapped(f'  call {c_name}(', names + lengths, ')', '  ')
    yield f'end subroutine {name}'


def lines(header):
    """The lines of the file."""
    yield '! Made by gen_fortran.py from mpi.h.'
    for function, args in fortran_sections.functions(header):
        yield from procedure(function, args, 'MPI', 'mpir')
        yield from procedure(function, args, 'PMPIR', 'pmpir')
