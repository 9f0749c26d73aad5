"""C functions that Fortran programs call: mpi_x_ calls MPI_x, pmpi_x_ calls PMPI_x."""


def lines(header):
    """The lines of the file."""
    del header
    yield '/* Made by gen_fortran.py from mpi.h. */'
