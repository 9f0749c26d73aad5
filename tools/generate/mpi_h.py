"""mpi.h as data, for all programs that make files from it: functions, constants and types.

The header has one prototype and one constant on each line, which the test api_constants checks, so
that regular expressions can read it."""
import collections
import functools
import os
import re

# ctype is the type without const and stars; array is '[]', '[][3]' or ''.
Parameter = collections.namedtuple('Parameter', 'declaration name ctype stars const array')
# variadic: further arguments may follow the parameters.
Function = collections.namedtuple('Function', 'name result parameters variadic')
# ctype is the type of the value without blanks, such as 'void*', or '' for a plain number.
Constant = collections.namedtuple('Constant', 'name ctype value')

PARAMETER = re.compile(r'(const )?([\w ]+) (\**)(\w+)((?:\[\w*\])*)')


def parameters(text):
    """The parameters in the parentheses of a prototype."""
    for declaration in text.split(', '):
        m = PARAMETER.fullmatch(declaration)
        if m:
            const, ctype, stars, name, array = m.groups()
            yield Parameter(declaration, name, ctype, len(stars), bool(const), array)
        elif declaration not in ('void', '...'):
            raise ValueError(f'mpi.h: the parameter "{declaration}" is of no known form')


def functions_of(text):
    """All functions whose names begin with MPI_."""
    for result, name, args in re.findall(r'^(?!typedef)(\w+) (MPI_\w+)\(([^;]*)\);', text, re.M):
        yield Function(name, result, list(parameters(args)), args.endswith('...'))


def constants_of(text):
    """Each #define of a number, which may have a cast."""
    for name, cast, value in re.findall(
            r'^#define (MPI_\w+) +\(*(?:([\w *]+)\) )?(-?(?:0x[0-9a-f]+|\d+))\)*$', text, re.M):
        yield Constant(name, cast.replace(' ', ''), int(value, 0))


# The three doors of a collective operation: coll_doors.h makes them.
DOORS = re.compile(r'^COLL_DOORS\(\w+, (\w+),\s+(\w+),\s+(\w+)\);', re.M)


def defined_in(text):
    """The MPI_ functions that the text of a source defines."""
    names = re.findall(r'^\w[\w *]*\bPMPI_(\w+)\(', text, re.M)
    return {'MPI_' + name for name in [*names, *(n for m in DOORS.findall(text) for n in m)]}


def large_functions(path):
    """(MPI_x_c, Function) of each mpir_x_c in the header with the doors that are not exported."""
    with open(path, encoding='utf-8') as f:
        text = re.sub(r'\s+', ' ', f.read())
    for name, args in re.findall(r'int mpir_(\w+_c)\(([^;]*)\);', text):
        name = 'MPI_' + name[0].upper() + name[1:]
        yield name, Function(name, 'int', list(parameters(args)), False)


def to_come():
    """The functions that the library has in name only: a call of them is an error."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../src/mpi/comm/missing.c')
    if not os.path.exists(path):
        return set()
    with open(path, encoding='utf-8') as f:
        return {'MPI_' + name for name in re.findall(r'^(?:MISSING|NO_TOOL)\((\w+)', f.read(), re.M)}


class Header:
    """What mpi.h declares, in its order."""

    def __init__(self, path):
        with open(path, encoding='utf-8') as f:
            self.text = text = f.read()
        self.functions = {f.name: f for f in functions_of(text)}
        self.constants = list(constants_of(text))
        self.handles = set(re.findall(r'^typedef int (MPI_\w+);', text, re.M)) - {'MPI_Fint'}
        self.pointers = set(re.findall(r'^typedef struct \w+ \*(MPI_\w+);', text, re.M))
        self.version = re.search(r'STARLING_VERSION\s+"(.*?)"', text).group(1)

    @functools.cached_property
    def names(self):
        """All names with MPI_, also those in comments."""
        return set(re.findall(r'\bMPI_\w+', self.text))
