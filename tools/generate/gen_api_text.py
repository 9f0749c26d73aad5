#!/usr/bin/env python3
"""Writes a C string with the names and types of mpi.h that the fatal error text needs.

Usage: gen_api_text.py MPI_H LARGE_H OUT.c

LARGE_H has the functions with MPI_Count that mpi.h does not have yet.
The first word of a line is its key; words KEY=VALUE follow:
    MPI_Send buf=* count=int datatype=MPI_Datatype dest=int tag=int comm=MPI_Comm
    MPI_Datatype 0x4c000405=MPI_INT ...         the named values of a type
    source -2=MPI_ANY_SOURCE -1=MPI_PROC_NULL   the named values of a parameter
A type tells src/mpi/core/show.c how to fetch the argument.  A pointer has a type only when it has
named values.  A pointer through which a call returns a handle is *NULL_HANDLE, as in
newcomm=*0x4000000: the value after a failed call.
One string, unlike a table of pointers, needs no relocation: a program without errors never reads
it."""
import re
import sys

sys.dont_write_bytecode = True      # no __pycache__ in tools/
from mpi_h import Header, large_functions

# Parameters that have named values: (parameters, constants).  The constants are a regular expression
# for names in mpi.h.
NAMED = [
    ('source', 'MPI_ANY_SOURCE|MPI_PROC_NULL'),
    ('dest|target_rank|rank', 'MPI_PROC_NULL'),
    ('root', 'MPI_ROOT|MPI_PROC_NULL'),
    ('tag|sendtag|recvtag', 'MPI_ANY_TAG'),
    ('color', 'MPI_UNDEFINED'),
    ('split_type', 'MPI_UNDEFINED|MPI_COMM_TYPE_SHARED'),
    ('p|r', 'MPI_UNDEFINED'),
    ('buf|buffer|sendbuf|recvbuf|inbuf|inoutbuf|outbuf|origin_addr|result_addr|compare_addr',
     'MPI_BOTTOM|MPI_IN_PLACE'),
    ('array_of_statuses', 'MPI_STATUSES_IGNORE'),
    ('array_of_errcodes', 'MPI_ERRCODES_IGNORE'),
    ('comm_keyval|keyval', 'MPI_TAG_UB|MPI_IO|MPI_HOST|MPI_WTIME_IS_GLOBAL|MPI_APPNUM|'
                           'MPI_LASTUSEDCODE|MPI_UNIVERSE_SIZE|MPI_KEYVAL_INVALID'),
    ('win_keyval', 'MPI_WIN_(BASE|SIZE|DISP_UNIT|CREATE_FLAVOR|MODEL)|MPI_KEYVAL_INVALID'),
    ('type_keyval', 'MPI_KEYVAL_INVALID'),
    ('lock_type', 'MPI_LOCK_.*'),
    ('order', 'MPI_ORDER_.*'),
    ('typeclass', 'MPI_TYPECLASS_.*'),
    ('whence', 'MPI_SEEK_.*'),
    ('required', 'MPI_THREAD_.*'),
    ('var_class', 'MPI_T_PVAR_CLASS_.*'),
]

# Pointers to handles that a call reads.  All other pointers to handles are outputs.
TAKES_HANDLE = re.compile(r'MPI_(\w+_free|\w+_free_keyval|\w+_disconnect|File_close|Type_commit|'
                          r'Wait|Test|Start|Cancel) \w+|MPI_(Mrecv|Imrecv) message')
GIVES_KEYVAL = re.compile(r'MPI_(\w+_create_keyval|Keyval_create)')

WIDE = {'MPI_Aint', 'MPI_Count', 'MPI_Offset', 'double', 'long long'}


def shown(kind, value):
    """A value as show.c writes it; kind is pointer, handle or number."""
    if kind == 'pointer':
        return f'0x{value & 0xffffffffffffffff:x}' if value else 'NULL'
    return f'0x{value & 0xffffffff:x}' if kind == 'handle' else str(value)


class Api:
    """The lines of the string, from the functions and constants of mpi.h."""

    def __init__(self, header, large):
        self.mpi_h = header
        self.functions = header.functions | dict(large)
        self.null = {cast: shown('pointer' if cast in header.pointers else 'handle', value)
                     for name, cast, value in header.constants
                     if name.endswith('_NULL') and cast in header.handles | header.pointers}
        self.null['keyval'] = next(shown('handle', value) for name, _, value in header.constants
                                   if name == 'MPI_KEYVAL_INVALID')

    def null_result(self, call, p):
        """The null handle of an output, or '' when parameter p is none or no handle."""
        if p.stars != 1 or p.const or p.array or TAKES_HANDLE.fullmatch(f'{call} {p.name}'):
            return ''
        if GIVES_KEYVAL.fullmatch(call) and p.ctype == 'int' and p.name.endswith('keyval'):
            return self.null['keyval']
        return self.null.get(p.ctype, '')

    def word(self, call, p):
        """The type as a word; an error when show.c could not fetch such an argument."""
        if p.stars or p.array:
            return 'MPI_Status*' if p.ctype == 'MPI_Status' else '*' + self.null_result(call, p)
        if p.ctype in self.mpi_h.pointers:
            return p.ctype + '*'
        if p.ctype in ('int', 'MPI_Fint'):
            return 'int'
        if p.ctype in self.mpi_h.handles | WIDE:
            return p.ctype.replace(' ', '_')
        sys.exit(f'{call}: parameter {p.name} has the type {p.ctype}, which show.c cannot fetch')

    def call_lines(self):
        """One line for each function."""
        for call, f in self.functions.items():
            words = [f'{p.name}={self.word(call, p)}' for p in f.parameters]
            if words:
                yield ' '.join([call] + words)

    def type_lines(self):
        """The named values of handles and special pointers; the first name of a value is used."""
        pointers = self.mpi_h.pointers
        kinds = dict.fromkeys(self.mpi_h.handles, 'handle') | dict.fromkeys(pointers, 'pointer')
        kinds |= {'MPI_Status*': 'pointer', 'MPI_Offset': 'number'}
        for ctype, kind in sorted(kinds.items()):
            words = {}
            for name, cast, value in self.mpi_h.constants:
                if cast == ctype:
                    words.setdefault(shown(kind, value), name)
            if words:
                word = ctype + '*' * (ctype in pointers)
                yield ' '.join([word] + [f'{k}={v}' for k, v in words.items()])

    def parameter_lines(self):
        """The named values of parameters; an error for a row of NAMED that matches nothing."""
        names = {p.name for f in self.mpi_h.functions.values() for p in f.parameters}
        for params, pattern in NAMED:
            words = [shown('pointer' if '*' in cast else 'number', value) + '=' + name
                     for name, cast, value in self.mpi_h.constants if re.fullmatch(pattern, name)]
            for param in params.split('|'):
                if param not in names or not words:
                    sys.exit(f'NAMED: nothing in mpi.h matches {param}: {pattern}')
                yield ' '.join([param] + words)


def main(header, large, out):
    """Reads mpi.h and large.h, writes the C file."""
    api = Api(Header(header), large_functions(large))
    body = [*api.call_lines(), *api.type_lines(), *api.parameter_lines()]
    with open(out, 'w', encoding='utf-8') as f:
        f.write('/* Made by gen_api_text.py from mpi.h. */\n'
                'extern const char mpir_api[];\nconst char mpir_api[] =\n')
        f.write('\n'.join(f'    "{line}\\n"' for line in body) + ';\n')


if __name__ == '__main__':
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
