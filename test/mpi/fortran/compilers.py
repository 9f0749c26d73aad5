#!/usr/bin/env python3
"""Compiles the modules, and programs that use them, with one compiler.

Usage: compilers.py COMPILER CC SOURCE_DIR MPI_F90 MPI_F08_F90

Fails unless each line of bad_mpi.f90 and bad_f08.f90 with BAD has an error, no other line has one,
and the rest of these programs compiles; unless all procedures can be called by keywords; and unless
the programs that need no library beside the modules run."""
import os
import re
import subprocess
import sys
import tempfile

compiler, cc, project, mpi_f90, f08_f90 = sys.argv[1:]
HERE = os.path.dirname(os.path.abspath(__file__))
VERSION = subprocess.run([compiler, '--version'], capture_output=True, text=True, check=True).stdout
FAMILY = 'flang' if 'flang' in VERSION else 'gfortran'
# What mpifort gives this compiler.
OPTIONS = ['-fallow-argument-mismatch'] if FAMILY == 'gfortran' else []
# A position, and that the message is an error.
ERROR = {'flang': r'{}:(\d+):\d+: error:', 'gfortran': r'{}:(\d+):\d+:\n(?:(?!.*:\d+:\d+:$).*\n)*?Error:'}
failures = []


def compile_it(source, *options):
    """The messages of a compilation, and whether it succeeded."""
    done = subprocess.run([compiler, *OPTIONS, *options, '-I.', source], capture_output=True, text=True,
                          check=False)
    return done.stderr, done.returncode == 0


def must_compile(what, source, *options):
    """Records it as a failure when a source does not compile."""
    text, ok = compile_it(source, *options)
    if not ok:
        failures.append(f'{what} does not compile:\n{text[:2000]}')


def must_run(program, module_object, *sources):
    """Records it as a failure when a program of these sources does not compile or run."""
    objects = []
    for source in sources:
        objects.append(os.path.basename(source) + '.o')
        if source.endswith('.c'):
            subprocess.run([cc, f'-I{project}/include', '-c', source, '-o', objects[-1]], check=True)
        else:
            must_compile(source, source, '-c', '-o', objects[-1])
    linked = subprocess.run([compiler, '-o', program, *objects, module_object],
                            capture_output=True, text=True, check=False)
    if linked.returncode:
        failures.append(f'{program}: {linked.stderr[:2000]}')
        return
    done = subprocess.run([os.path.join('.', program)], capture_output=True, text=True, check=False)
    if done.returncode:
        failures.append(f'{program}: {done.stdout}{done.stderr}')


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
        must_compile('callbacks', os.path.join(HERE, 'callbacks_types.f90'), '-fsyntax-only')
        for module, module_object in (('mpi', 'mpi.o'), ('mpi_f08', 'mpi_f08.o')):
            calls = f'calls_{module}.f90'
            subprocess.run([sys.executable, '-B', os.path.join(HERE, 'gen_calls.py'),
                            f'{project}/tools', f'{project}/include/mpi.h', module, calls],
                           check=True)
            must_compile(calls, calls, '-fsyntax-only')
            operators = f'operators_{module.replace("mpi_f", "f")}'
            must_run(operators, module_object, os.path.join(HERE, f'{operators}.f90'))
            sizes = f'sizeof_{module}.f90'
            subprocess.run([sys.executable, '-B', os.path.join(HERE, 'gen_sizeof.py'), module, sizes],
                           check=True)
            must_run(f'sizeof_{module}', module_object, sizes, f'{project}/src/mpi/fortran/sizeof.c')
        must_run('copies_mpi', 'mpi.o', os.path.join(HERE, 'copies_mpi.f90'),
                 os.path.join(HERE, 'copies_mpi_c.c'))
if failures:
    print('\n'.join(failures))
sys.exit(bool(failures))
