"""Fortran procedures mpi_x_f08ts, for compilers whose descriptors C cannot read."""


def lines(header):
    """The lines of the file."""
    del header
    yield '! Made by gen_fortran.py from mpi.h.'
