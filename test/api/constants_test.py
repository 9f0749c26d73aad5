#!/usr/bin/env python3
"""Compares mpi.h with the facts of the MPICH ABI and of the standard.

Usage: constants_test.py MPI_H FACTS_DIR [COMPILER [FLAG ...]]

FACTS_DIR holds constants.tsv and functions.tsv.  Every constant, type and prototype becomes a line
of a C program that must compile; nothing is run, so COMPILER (default cc) may be a cross compiler.
The prototypes must also stand in mpi.h literally, one per line: tools read them there."""
import os
import re
import subprocess
import sys
import tempfile

# Intended differences from the table.
OURS = {
    # MPICH 4.0.2 is MPI 4.0; Starling is 3.1 until it has all of 4.0
    'MPI_VERSION': '3',
    'MPI_SUBVERSION': '1',
}

# The same type, spelled so that gcc does not warn about MPI_STATUSES_IGNORE: see mpi.h.
SPELLING = ('MPI_Status array_of_statuses[]', 'MPI_Status *array_of_statuses')

NOT_IN_C = {'fortran-only', 'info-key', 'info-value', 'datarep-name'}

DATA = {                            # data symbols, which must not be macros: their types
    'MPI_UNWEIGHTED': 'int *const',
    'MPI_WEIGHTS_EMPTY': 'int *const',
    'MPI_F_STATUS_IGNORE': 'MPI_Fint *',
    'MPI_F_STATUSES_IGNORE': 'MPI_Fint *',
    'MPI_F08_STATUS_IGNORE': 'MPI_F08_status *',
    'MPI_F08_STATUSES_IGNORE': 'MPI_F08_status *',
    'MPI_T_PVAR_ALL_HANDLES': 'MPI_T_pvar_handle const',
}

LAYOUT = '''
#define FIELDS(t) HAS(sizeof(t) == 20 && offsetof(t, count_lo) == 0); \\
    HAS(offsetof(t, count_hi_and_cancelled) == 4 && offsetof(t, MPI_SOURCE) == 8); \\
    HAS(offsetof(t, MPI_TAG) == 12 && offsetof(t, MPI_ERROR) == 16)
FIELDS(MPI_Status);
FIELDS(MPI_F08_status);
'''

PROGRAM = '''#include <stddef.h>
#include <stdint.h>
#include "mpi.h"
#define HAS(x) _Static_assert(x, #x)
#define IS(x, t) _Static_assert(_Generic((x), t: 1, default: 0), #x " is not of type " #t)
'''


def rows(path):
    """The lines of a table, as lists of columns."""
    with open(path, encoding='utf-8') as f:
        return [line.rstrip('\n').split('\t') for line in f if not line.startswith('#')]


def function_type(text):
    """'int (MPI_Comm, int*)' as the type of a pointer to such a function."""
    return text.replace(' (', ' (*)(', 1)


def handle_check(name, value):
    """A type of handles: 'int, 4 bytes' or 'struct MPIR_T_enum_s* , 8 bytes (...)'."""
    ctype, size = re.match(r'(int|struct \w+\*) ?, (\d) bytes', value).groups()
    return f'IS(({name}) 0, {ctype}); HAS(sizeof({name}) == {size});'


def type_check(name, value):
    """An integer type: 'long, 8 bytes (LP64)'."""
    ctype, size = re.match(r'(int|long), (\d) bytes', value).groups()
    return f'IS(({name}) 0, {ctype}); HAS(sizeof({name}) == {size});'


def value_check(name, ctype, value):
    """A constant.  Macros, so that #ifdef finds them; the value as the bits of a pointer or int."""
    defined = f'#ifndef {name}\n#error "{name} is not a macro"\n#endif\n'
    ctype = re.sub(r'\*+$', lambda m: ' ' + m.group(), ctype)
    if value.startswith('symbol MPIR_Dup_fn'):
        return f'{defined}IS({name}, {ctype}); {ctype} use_{name}(void);' \
               f' {ctype} use_{name}(void) {{ return {name}; }}'
    number = int(value, 0)
    if '*' in ctype or ctype == 'MPI_File' or ctype.startswith('MPI_T_'):
        # Not a constant expression for _Static_assert: the size of an array may still depend on it.
        return f'{defined}IS({name}, {ctype}); ' \
               f'extern char value_of_{name}[(uintptr_t) {name} == {number}u ? 1 : -1];'
    return f'{defined}IS({name}, {ctype}); HAS((long) {name} == (long) ({ctype}) {number});'


def constant_checks(facts):
    """C lines for every row of constants.tsv; a row of an unknown kind is an error."""
    for name, kind, ctype, value, *_ in facts:
        value = OURS.get(name, value)
        if kind in NOT_IN_C:
            continue
        if kind.startswith('callback-typedef'):
            want = f'{name[:-2]}function *' if ctype.startswith('alias') else function_type(ctype)
            yield f'IS(({name} *) 0, {want});'
        elif name in DATA:
            yield f'#ifdef {name}\n#error "{name} is a macro"\n#endif'
            yield f'IS(&{name}, {DATA[name]} *);'
        elif name in ('MPI_Status', 'MPI_F08_status'):
            continue                # see LAYOUT
        elif kind == 'c-type':
            yield type_check(name, value)
        elif kind == 'c-handle':
            yield handle_check(name, value)
        elif value == '-':
            yield f'#ifdef {name}\n#error "{name} should not exist"\n#endif'
        else:
            yield value_check(name, ctype, value)


def prototypes(functions):
    """'int MPI_x(...);' and its PMPI_ twin for every row of functions.tsv."""
    for name, _, _, prototype, *_ in functions:
        yield prototype + ';'
        yield prototype.replace(name + '(', 'P' + name + '(', 1) + ';'


def text_problems(header, functions):
    """Checks what the compiler does not: names of parameters, one line each, nothing else
    declared."""
    with open(header, encoding='utf-8') as f:
        lines = f.read().split('\n')
    want = {line.replace(*SPELLING) for line in prototypes(functions)}
    found = [line for line in lines if re.match(r'\w+ P?MPI_\w+\(', line)]
    for line in sorted(want - set(found)):
        yield f'mpi.h lacks the line: {line}'
    for line in found:
        if line not in want:
            yield f'mpi.h has an unknown prototype: {line}'
        elif found.count(line) > 1:
            yield f'mpi.h repeats: {line}'


def main(header, facts, *compiler):
    """Exit code 0 when mpi.h agrees with both tables."""
    functions = rows(os.path.join(facts, 'functions.tsv'))
    constants = rows(os.path.join(facts, 'constants.tsv'))
    body = [PROGRAM, LAYOUT, *constant_checks(constants), *prototypes(functions)]
    bad = list(text_problems(header, functions))
    with tempfile.TemporaryDirectory() as d:
        source = os.path.join(d, 'check.c')
        with open(source, 'w', encoding='utf-8') as f:
            f.write('\n'.join(body) + '\n')
        run = subprocess.run([*(compiler or ['cc']), '-std=c11', '-w', '-fsyntax-only',
                              '-I', os.path.dirname(os.path.abspath(header)), source],
                             capture_output=True, text=True, check=False)
    if run.returncode:
        bad.append(run.stderr)
    print('\n'.join(bad) or f'mpi.h ok: {len(constants)} constants, {len(functions)} functions')
    return bool(bad)


if __name__ == '__main__':
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
