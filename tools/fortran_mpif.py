"""mpif.h: constants, and what is a function."""


def lines(header):
    """The lines of the file."""
    del header
    yield '! Made by gen_fortran.py from mpi.h.'
