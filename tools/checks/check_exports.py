#!/usr/bin/env python3
"""Compares what libmpi.so and libmpifort.so export with the lists in test/api/exports.

Usage: check_exports.py [--write] [LIBRARY...]      default: both libraries of the newest build

A program that is linked to a library needs the symbols that were there then: one that vanishes, or
a variable of another size, breaks it, and one that appears must be kept. So each change is one of
the lists, too: --write writes them. What mpi.h and test/api/functions.tsv say does not matter here:
a function that is taken from them and from the library at once is still in the list.

A list has the soname; then, below [spellings], one name on each line, which has all of these
spellings: NAME is MPI_Send's SEND or Send, name its send; last, below [as written], the symbols
that are none of a procedure, those of variables with their bytes."""
import collections
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LISTS = os.path.join(ROOT, 'test', 'api', 'exports')
LIBRARIES = ('libmpi.so', 'libmpifort.so')
# Symbols of the linker, of sanitizers, and those by which gfortran finds the types of a module.
NOT_OURS = r'_init|_fini|_edata|_end|__bss_start|__odr_asan\..*|__\w+_MOD___(copy|vtab|def_init)_\w+'
# The spellings of a procedure, by language; the group is the name.
SPELLINGS = {
    'libmpi.so': [r'P?MPI_(\w+)'],
    'libmpifort.so': [r'P?MPI_([A-Z]\w+)', r'p?mpir?_(\w+)_(?:f08(?:ts)?_|cdesc)',
                      r'p?mpi_(\w+?)_{0,2}'],
}
AS_WRITTEN = 'as written'


def run(*command):
    """The output of a program."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f'check_exports: {done.stderr.strip()}')
    return done.stdout


def exported(library):
    """The soname, and {symbol: bytes of a variable, or None for a function}."""
    soname = re.search(r'SONAME.*\[(.*)\]', run('readelf', '-dW', library))
    symbols = {}
    for line in run('nm', '-D', '--defined-only', '-S', library).splitlines():
        *_, size, kind, name = ['', '', *line.split()]
        if not re.fullmatch(NOT_OURS, name):
            symbols[name] = None if kind in 'TWi' else int(size, 16)
    return soname.group(1) if soname else '', symbols


def spelling_of(m):
    """The spelling of a matched symbol, with NAME or name for the group."""
    start, end = m.span(1)
    return m.string[:start] + ('name' if m.group(1).islower() else 'NAME') + m.string[end:]


def text_of(kind, soname, symbols):
    """The list of a library."""
    forms, plain = collections.defaultdict(list), []
    for symbol, size in sorted(symbols.items()):
        m = next(filter(None, (re.fullmatch(p, symbol) for p in SPELLINGS[kind])), None)
        if m and size is None:
            key = m.group(1) if kind == 'libmpi.so' else m.group(1).lower()
            forms[key].append(spelling_of(m))
        else:
            plain.append(symbol if size is None else f'{symbol} {size}')
    names = collections.defaultdict(list)
    for name, spellings in sorted(forms.items()):
        names[' '.join(spellings)].append(name)
    parts = [f'soname {soname}']
    for spellings, these in sorted(names.items(), key=lambda row: -len(row[1])):
        parts.append('\n'.join([f'[{spellings}]', *these]))
    parts.append('\n'.join([f'[{AS_WRITTEN}]', *plain]))
    return '\n\n'.join(parts) + '\n'


def listed(kind, text):
    """What a list says, as exported() has it."""
    soname, symbols, spellings = '', {}, []
    for line in text.splitlines():
        if line.startswith('soname '):
            soname = line.split()[1]
        elif line.startswith('['):
            spellings = line[1:-1].split(' ') if line != f'[{AS_WRITTEN}]' else []
        elif line:
            name, _, size = line.partition(' ')
            big = name if kind == 'libmpi.so' else name.upper()
            for spelling in spellings or ['name']:
                symbol = spelling.replace('NAME', '{big}').replace('name', '{name}')
                symbols[symbol.format(big=big, name=name)] = int(size) if size else None
    return soname, symbols


def differences(was, now):
    """Lines about what differs between a list and a library."""
    if was[0] != now[0]:
        yield f'the soname is {now[0]}, not {was[0]}'
    for name in sorted(was[1].keys() | now[1].keys()):
        if name not in now[1]:
            yield f'{name} is no longer exported: programs that use it no longer start'
        elif name not in was[1]:
            yield f'{name} is exported and in no list'
        elif was[1][name] != now[1][name]:
            sizes = [f'{s[1][name]} bytes' if s[1][name] is not None else 'a function'
                     for s in (was, now)]
            yield f'{name} was {sizes[0]} and is {sizes[1]}'


def newest():
    """The libraries of the newest build."""
    found = max(glob.glob(os.path.join(ROOT, 'build/*/libmpi.so')), key=os.path.getmtime,
                default=None)
    if not found:
        sys.exit('check_exports: there is no libmpi.so below build/: give its path')
    paths = [os.path.join(os.path.dirname(found), name) for name in LIBRARIES]
    return [path for path in paths if os.path.exists(path)]


def main(*arguments):
    """Exit code 1 when a library and its list differ."""
    write = '--write' in arguments
    bad = []
    for library in [a for a in arguments if a != '--write'] or newest():
        kind = next((k for k in LIBRARIES if os.path.basename(library).startswith(k)), None)
        if not kind:
            sys.exit(__doc__)
        now, path = exported(library), os.path.join(LISTS, kind.replace('.so', '.txt'))
        if write:
            with open(path, 'w', encoding='ascii') as f:
                f.write(text_of(kind, *now))
        with open(path, encoding='ascii') as f:
            shown = os.path.relpath(path, ROOT)
            bad += [f'{shown}: {line}' for line in differences(listed(kind, f.read()), now)]
    if bad:
        bad.append('When this is intended, tools/checks/check_exports.py --write writes the lists; commit '
                   'them with the change.')
        print('\n'.join(bad))
    return bool(bad)


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
