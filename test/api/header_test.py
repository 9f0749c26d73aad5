#!/usr/bin/env python3
"""Compiles mpi.h alone, and the programs beside this script, in each language standard.

Usage: header_test.py INCLUDE_DIR C_COMPILER CXX_COMPILER

Every warning is an error, those of the optimizer too.  Nothing is linked or run."""
import glob
import os
import subprocess
import sys

WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Wstrict-prototypes', '-Werror']
STANDARDS = {
    '.c': ['c99', 'c11', 'c17'],
    '.cpp': ['c++11', 'c++14', 'c++17'],
}


def compile_one(compiler, std, suffix, source, include):
    """Returns the output of the compiler; source is a file, or None for mpi.h alone."""
    flags = [f for f in WARNINGS if suffix == '.c' or f != '-Wstrict-prototypes']
    command = [*compiler.split(), f'-std={std}', *flags, '-O1', '-c', '-o', os.devnull,
               '-I', include, '-x', 'c' if suffix == '.c' else 'c++', source or '-']
    run = subprocess.run(command, input='' if source else '#include "mpi.h"\nint not_empty;\n',
                         capture_output=True, text=True, check=False)
    return f'{" ".join(command)}\n{run.stderr}' if run.returncode else ''


def main(include, cc, cxx):
    """Exit code 0 when everything compiles without output."""
    here = os.path.dirname(os.path.abspath(__file__))
    bad, done = [], 0
    for suffix, compiler in (('.c', cc), ('.cpp', cxx)):
        programs = sorted(glob.glob(os.path.join(here, 'programs', '*' + suffix)))
        if not programs:
            bad.append(f'no programs/*{suffix} beside {here}')
        for std in STANDARDS[suffix]:
            for source in [None] + programs:
                bad.append(compile_one(compiler, std, suffix, source, include))
                done += 1
    bad = [b for b in bad if b]
    print('\n'.join(bad) or f'header ok: {done} compilations')
    return bool(bad)


if __name__ == '__main__':
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
