"""Checks the names of the Fortran library: each procedure of mpif.h in all spellings, and beside what
MPICH's library has, if it is installed, nothing that programs could miss.

Usage: exports.py TOOLS MPI_H LIBRARY"""
import re
import subprocess
import sys

sys.path[:0] = f'{sys.argv[1]}/fortran', f'{sys.argv[1]}/generate'
import fortran_args  # pylint: disable=wrong-import-position
from fortran_c import PREDEFINED  # pylint: disable=wrong-import-position
from mpi_h import Header  # pylint: disable=wrong-import-position

MPICH = '/usr/lib/x86_64-linux-gnu/libmpichfort.so.12'
PROCEDURE = re.compile(r'(P?MPI_[A-Z0-9_]*|p?mpi_\w*|pmpir_\w*)')
# Of MPICH's names: MPI-4's large counts, its own extensions, and the inside of its modules.
OTHERS = re.compile(r'\w+_large_|\w+_c_f08\w*|(p?mpi|pmpir)_delete_error_\w+')


def symbols(library):
    """Defined dynamic symbols and their letters."""
    out = subprocess.run(['nm', '-D', '--defined-only', library], capture_output=True, text=True,
                         check=True).stdout
    return {f[-1]: f[-2] for f in map(str.split, out.splitlines())}


def main(mpi_h, library):
    """Prints what is wrong and returns 1, or returns 0."""
    header, ours, wrong = Header(mpi_h), symbols(library), []
    names = ({f.name.lower() for f in fortran_args.functions(header)} | {'mpi_f_sync_reg'}
             | {f'mpi_{p[0]}' for p in PREDEFINED})
    for name in sorted(names):
        for n in (name, 'p' + name):
            wrong += [f'{s} is missing' for s in (n + '_', n + '__', n, n.upper()) if s not in ours]
        if ours.get(name + '_') != 'W' or ours.get(f'p{name}_') != 'T':
            wrong.append(f'{name}_ has to be weak, p{name}_ has not to be')
    try:
        theirs = symbols(MPICH)
    except subprocess.CalledProcessError:
        theirs = {}
    for name in sorted(set(theirs) - set(ours)):
        base = re.sub(r'_(f08|f08ts)?_{0,2}$', '', name.lower())
        base = re.sub(r'^pmpir?_', 'mpi_', base)
        base = re.sub(r'_f08(ts)?$', '', base)
        if PROCEDURE.fullmatch(name) and base in names and not OTHERS.fullmatch(name):
            wrong.append(f'{name} of MPICH is missing')
    print('\n'.join(wrong), end='\n' if wrong else '')
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main(*sys.argv[2:]))
