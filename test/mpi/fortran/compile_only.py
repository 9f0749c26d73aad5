#!/usr/bin/env python3
"""Compiles the modules, and programs that use them, with one compiler.

Usage: compile_only.py COMPILER TOOLS MPI_H MPI_F90 MPI_F08_F90

Fails unless each line of bad_mpi.f90 and bad_f08.f90 with BAD has an error, no other line has one,
and the rest of these programs compiles; and unless all procedures can be called by keywords."""
import os
import re
import subprocess
import sys
import tempfile

compiler, tools, mpi_h, mpi_f90, f08_f90 = sys.argv[1:]
HERE = os.path.dirname(os.path.abspath(__file__))
VERSION = subprocess.run([compiler, '--version'], capture_output=True, text=True, check=True).stdout
FAMILY = 'flang' if 'flang' in VERSION else 'gfortran'
# A position, and that the message is an error.
ERROR = {'flang': r'{}:(\d+):\d+: error:', 'gfortran': r'{}:(\d+):\d+:\n(?:(?!.*:\d+:\d+:$).*\n)*?Error:'}
failures = []


def compile_it(source, *options):
    """The messages of a compilation, and whether it succeeded."""
    done = subprocess.run([compiler, *options, '-I.', source], capture_output=True, text=True,
                          check=False)
    return done.stderr, done.returncode == 0


def must_compile(what, source, *options):
    """Records it as a failure when a source does not compile."""
    text, ok = compile_it(source, *options)
    if not ok:
        failures.append(f'{what} does not compile:\n{text[:2000]}')


def is_bad(line):
    """Whether this line must have an error with this compiler."""
    m = re.search(r'! BAD( \w+)?:', line)
    return bool(m) and m.group(1) in (None, ' ' + FAMILY)


def bad_lines(name):
    """Compares the lines with errors with those that are marked."""
    source = os.path.join(HERE, name)
    with open(source, encoding='utf-8') as f:
        text = f.read().split('\n')
    marked = {n for n, line in enumerate(text, 1) if is_bad(line)}
    if len(marked) < 30:
        failures.append(f'{name}: only {len(marked)} lines are marked')
    messages, _ = compile_it(source, '-fsyntax-only')
    found = {int(n) for n in re.findall(ERROR[FAMILY].format(re.escape(name)), messages, re.M)}
    failures.extend(f'{name}:{n}: compiles: {text[n - 1].strip()}' for n in sorted(marked - found))
    failures.extend(f'{name}:{n}: does not compile: {text[n - 1].strip()}'
                    for n in sorted(found - marked))
    good = 'good_' + name[4:]
    with open(good, 'w', encoding='utf-8') as f:
        f.write('\n'.join('' if '! BAD' in line else line for line in text))
    must_compile(good, good, '-fsyntax-only')


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for module_source in (mpi_f90, f08_f90):
        must_compile(module_source, module_source, '-c')
    if not failures:
        bad_lines('bad_mpi.f90')
        bad_lines('bad_f08.f90')
        for module in ('mpi', 'mpi_f08'):
            calls = f'calls_{module}.f90'
            subprocess.run([sys.executable, '-B', os.path.join(HERE, 'gen_calls.py'), tools, mpi_h,
                            module, calls], check=True)
            must_compile(calls, calls, '-fsyntax-only')
if failures:
    print('\n'.join(failures))
sys.exit(bool(failures))
