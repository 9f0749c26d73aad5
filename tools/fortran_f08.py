"""Module mpi_f08: types, constants and interfaces."""


def lines(header):
    """The lines of the file."""
    del header
    yield '! Made by gen_fortran.py from mpi.h.'
