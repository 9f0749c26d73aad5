"""The constants of Fortran with a value, for mpif.h and both modules: made from those of mpi.h.

Not here: what is known by its address (MPI_BOTTOM and its kin), and predefined callbacks."""
import collections
import re

# ctype: 'INTEGER' or 'LOGICAL'; the kind of an INTEGER, such as 'MPI_OFFSET_KIND'; or the type of a
# handle, such as 'MPI_Comm': an INTEGER in mpif.h, in module mpi also.
# value: a number, or a bool.
Constant = collections.namedtuple('Constant', 'name ctype value')

# Of the tool interface Fortran has the error classes alone; the status has other indices there.
C_ONLY = re.compile(r'MPI_T_(?!ERR_)\w+|MPI_F_(STATUS_SIZE|SOURCE|TAG|ERROR)')
# In Fortran a string has no terminator.
STRING_SIZE = re.compile(r'MPI_MAX_\w+')
# Keys of predefined attributes: C's plus 1, so that the library knows which of the two asks.
ATTRIBUTE_KEY = re.compile(r'MPI_(TAG_UB|HOST|IO|WTIME_IS_GLOBAL|UNIVERSE_SIZE|LASTUSEDCODE|APPNUM|'
                           r'WIN_(BASE|SIZE|DISP_UNIT|CREATE_FLAVOR|MODEL))')

# What C does not have. Indices of a status count from 1, and are those of the fields in mpi.h.
KINDS = [Constant(f'MPI_{name}_KIND', 'INTEGER', size)
         for name, size in (('ADDRESS', 8), ('COUNT', 8), ('INTEGER', 4), ('OFFSET', 8))]
STATUS = [Constant('MPI_STATUS_SIZE', 'INTEGER', 5), Constant('MPI_SOURCE', 'INTEGER', 3),
          Constant('MPI_TAG', 'INTEGER', 4), Constant('MPI_ERROR', 'INTEGER', 5)]


def signed(value):
    """The value that an INTEGER of 4 bytes with the same bits has."""
    return value - 2**32 if value >= 2**31 else value


def of_c(header):
    """The constants that C has, too."""
    for c in header.constants:
        if c.ctype.endswith('*') or c.ctype.endswith('_function') or C_ONLY.fullmatch(c.name):
            continue
        if c.ctype == 'MPI_Offset':
            yield Constant(c.name, 'MPI_OFFSET_KIND', c.value)
        elif STRING_SIZE.fullmatch(c.name):
            yield Constant(c.name, 'INTEGER', c.value - 1)
        elif ATTRIBUTE_KEY.fullmatch(c.name):
            yield Constant(c.name, 'INTEGER', c.value + 1)
        else:
            yield Constant(c.name, c.ctype or 'INTEGER', signed(c.value))


def constants(header, f08=False):
    """All of them, kinds first: the declarations of others use them. f08: as mpi_f08 has them, where
    calls take sections of arrays, and the compiler is told what is accessed later."""
    yield from KINDS
    yield from STATUS
    yield Constant('MPI_SUBARRAYS_SUPPORTED', 'LOGICAL', f08)
    yield Constant('MPI_ASYNC_PROTECTS_NONBLOCKING', 'LOGICAL', f08)
    yield from of_c(header)
