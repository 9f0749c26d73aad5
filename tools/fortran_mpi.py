"""Module mpi: constants and interfaces that catch wrong arguments."""


def lines(header):
    """The lines of the file."""
    del header
    yield '! Made by gen_fortran.py from mpi.h.'
