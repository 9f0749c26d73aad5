#!/usr/bin/env python3
"""Writes one of the files of the Fortran library from mpi.h.

Usage: gen_fortran.py MPI_H WHAT OUT
WHAT is a key of FILES. How each parameter passes is in fortran_args.py, once for all of them."""
import os
import sys

sys.dont_write_bytecode = True      # no __pycache__ in tools/
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../generate'))
import fortran_c
import fortran_f08
import fortran_mpi
import fortran_mpif
import fortran_sections
import fortran_wrappers
from mpi_h import Header

FILES = {
    'calls': fortran_c,             # C: mpi_x_ and pmpi_x_
    'sections': fortran_sections,   # C: mpi_x_f08ts_, which take sections of arrays
    'mpif': fortran_mpif,           # mpif.h
    'mpi': fortran_mpi,             # module mpi
    'f08': fortran_f08,             # module mpi_f08
    'wrappers': fortran_wrappers,   # Fortran: mpi_x_f08ts_ for other compilers than gfortran
}

if __name__ == '__main__':
    if len(sys.argv) != 4 or sys.argv[2] not in FILES:
        sys.exit(__doc__)
    _, mpi_h, what, out = sys.argv
    with open(out, 'w', encoding='utf-8') as f:
        for line in FILES[what].lines(Header(mpi_h)):
            print(line, file=f)
