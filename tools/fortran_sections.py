"""C functions of mpi_f08 with choice buffers: mpi_x_f08ts_ takes descriptors of arrays."""


def lines(header):
    """The lines of the file."""
    del header
    yield '/* Made by gen_fortran.py from mpi.h. */'
