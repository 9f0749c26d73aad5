#!/usr/bin/env python3
"""Writes a C string with the names and types of mpi.h that the fatal error text needs.

Usage: gen_api_text.py MPI_H OUT.c

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


def parameters(text):
    """(function, [(parameter, type, how)]) for each MPI_ prototype; how: 'value', 'pointer', or
    'one' for a pointer through which the call may write one object."""
    for call, args in re.findall(r'^(?!typedef)\w+ (MPI_\w+)\(([^;]*)\);', text, re.M):
        params = []
        for arg in args.split(','):
            m = re.match(r'\s*(const )?(.*?)(\w+)((?:\[\w*\])*)$', arg)
            if m and m.group(2):                # not "void" or "..."
                const, ctype, name, array = m.groups()
                how = 'pointer' if '*' in ctype or array else 'value'
                if ctype.count('*') == 1 and not const and not array:
                    how = 'one'
                params.append((name, ctype.strip().rstrip('* '), how))
        yield call, params


def constants(text):
    """(name, type or '', value) for each #define of a number."""
    for name, cast, value in re.findall(
            r'^#define (MPI_\w+) +\(*(?:([\w *]+)\) )?(-?(?:0x[0-9a-f]+|\d+))\)*$', text, re.M):
        yield name, cast.replace(' ', ''), int(value, 0)


def shown(kind, value):
    """A value as show.c writes it; kind is pointer, handle or number."""
    if kind == 'pointer':
        return f'0x{value & 0xffffffffffffffff:x}' if value else 'NULL'
    return f'0x{value & 0xffffffff:x}' if kind == 'handle' else str(value)


class Api:
    """The functions and constants of mpi.h."""

    def __init__(self, text):
        self.calls = dict(parameters(text))
        self.constants = list(constants(text))
        self.handles = set(re.findall(r'^typedef int (MPI_\w+);', text, re.M)) - {'MPI_Fint'}
        self.pointers = set(re.findall(r'^typedef struct \w+ \*(MPI_\w+);', text, re.M))
        self.null = {cast: shown('pointer' if cast in self.pointers else 'handle', value)
                     for name, cast, value in self.constants
                     if name.endswith('_NULL') and cast in self.handles | self.pointers}
        self.null['keyval'] = next(shown('handle', value) for name, _, value in self.constants
                                   if name == 'MPI_KEYVAL_INVALID')

    def null_result(self, call, name, ctype):
        """The null handle of an output of type ctype, or '' when it is no handle."""
        if GIVES_KEYVAL.fullmatch(call) and ctype == 'int' and name.endswith('keyval'):
            return self.null['keyval']
        return '' if TAKES_HANDLE.fullmatch(f'{call} {name}') else self.null.get(ctype, '')

    def word(self, call, name, ctype, how):
        """The type as a word; an error when show.c could not fetch such an argument."""
        if how != 'value':
            null = self.null_result(call, name, ctype) if how == 'one' else ''
            return 'MPI_Status*' if ctype == 'MPI_Status' else '*' + null
        if ctype in self.pointers:
            return ctype + '*'
        if ctype in ('int', 'MPI_Fint'):
            return 'int'
        if ctype in self.handles | WIDE:
            return ctype.replace(' ', '_')
        sys.exit(f'{call}: parameter {name} has the type {ctype}, which show.c cannot fetch')

    def call_lines(self):
        """One line for each function.  When there is a large-count version its types are used."""
        for call, params in self.calls.items():
            words = [f'{name}={self.word(call, name, ctype, how)}'
                     for name, ctype, how in self.calls.get(call + '_c', params)]
            if words:
                yield ' '.join([call] + words)

    def type_lines(self):
        """The named values of handles and special pointers; the first name of a value is used."""
        kinds = dict.fromkeys(self.handles, 'handle') | dict.fromkeys(self.pointers, 'pointer')
        kinds |= {'MPI_Status*': 'pointer', 'MPI_Offset': 'number'}
        for ctype, kind in sorted(kinds.items()):
            words = {}
            for name, cast, value in self.constants:
                if cast == ctype:
                    words.setdefault(shown(kind, value), name)
            if words:
                word = ctype + '*' * (ctype in self.pointers)
                yield ' '.join([word] + [f'{k}={v}' for k, v in words.items()])

    def parameter_lines(self):
        """The named values of parameters; an error for a row of NAMED that matches nothing."""
        names = {name for params in self.calls.values() for name, _, _ in params}
        for params, pattern in NAMED:
            words = [shown('pointer' if '*' in cast else 'number', value) + '=' + name
                     for name, cast, value in self.constants if re.fullmatch(pattern, name)]
            for param in params.split('|'):
                if param not in names or not words:
                    sys.exit(f'NAMED: nothing in mpi.h matches {param}: {pattern}')
                yield ' '.join([param] + words)


def main(header, out):
    """Reads mpi.h, writes the C file."""
    with open(header, encoding='utf-8') as f:
        api = Api(f.read())
    body = [*api.call_lines(), *api.type_lines(), *api.parameter_lines()]
    with open(out, 'w', encoding='utf-8') as f:
        f.write('/* Made by gen_api_text.py from mpi.h. */\n'
                'extern const char mpir_api[];\nconst char mpir_api[] =\n')
        f.write('\n'.join(f'    "{line}\\n"' for line in body) + ';\n')


if __name__ == '__main__':
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
