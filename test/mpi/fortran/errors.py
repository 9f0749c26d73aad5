"""The texts of fatal errors are those of C, with the arguments of the Fortran call.

Usage: errors.py C_PROGRAM MPIF_PROGRAM MPI_PROGRAM F08_PROGRAM
Each program takes a word, and makes the wrong call of that name."""
import re
import subprocess
import sys
import tempfile

WORDS = ('count type comm rank bottom keyval tag_ub request waitall waitsome waitany key get handler '
         'grid op real file open early waits info late').split()
ADDRESS = re.compile(r'=0x[0-9a-f]{9,}')
# Errors of sections that C finds: the word for the same call without gaps.
GAPS = {'countgap': 'count', 'rankgap': 'rank', 'lategap': 'late'}
# Others: what there must be.
LITERAL = {
    'recvgap': 'MPI_Recv(buf=*, count=4, MPI_REAL, source=99, tag=0, MPI_COMM_WORLD, '
               'MPI_STATUS_IGNORE): source 99 is outside 0..0 (MPI_ERR_RANK)',
    'putgap': 'MPI_Put(origin_addr=*, origin_count=4, MPI_REAL, target_rank=0, target_disp=0, '
              'target_count=1, MPI_REAL, MPI_WIN_NULL): the window is MPI_WIN_NULL (MPI_ERR_WIN)',
    'toomany': 'MPI_Irecv(buf=*, count=6, MPI_REAL, source=0, tag=0, MPI_COMM_WORLD, request=*): '
               '6 elements',
    'split': 'MPI_File_write_all_begin(fh=0x90000000, buf=*, count=1, datatype=0x8c000005): ',
    'later': 'MPI_Recv_init(buf=*, count=1, datatype=0x8c000005, source=0, tag=0, MPI_COMM_WORLD, '
             'request=*): ',
}
EXTENT = 'MPI_Type_extent(datatype=0x8c000005, extent=*): 3000000000 does not fit an INTEGER: use ' \
         'MPI_TYPE_GET_EXTENT (MPI_ERR_ARG)'
failed = []


def text_of(program, word):
    """The fatal error text, without rank and addresses."""
    with tempfile.TemporaryDirectory() as folder:  # a program that ends by an error leaves its file
        run = subprocess.run([program, word], capture_output=True, text=True, timeout=30, check=False,
                             cwd=folder)
    lines = [line for line in run.stderr.splitlines() if line.startswith('starling: rank ')]
    if not lines or run.returncode == 0:
        return f'exit code {run.returncode}, {run.stdout}{run.stderr}'
    return ADDRESS.sub('=*', lines[0].split(': ', 2)[2])


def check(program, word, text, good):
    """Says what is wrong."""
    if not good:
        failed.append(word)
        print(f'{program} {word}: {text}')


def main():
    """Compares all."""
    c, *others = sys.argv[1:]
    of_c = {word: text_of(c, word) for word in WORDS}
    for word, text in of_c.items():
        check(c, word, text, text.startswith('MPI_'))
        for program in others:
            other = text_of(program, word)
            check(program, word, f'{other}\n    in C: {text}', other == text)
    f08 = others[-1]
    for word, same in GAPS.items():
        text = text_of(f08, word)
        check(f08, word, text, text == of_c[same])
    for word, literal in LITERAL.items():
        text = text_of(f08, word)
        check(f08, word, text, text.startswith(literal))
    for program in others[:-1]:
        text = text_of(program, 'extent')
        check(program, 'extent', text, text == EXTENT)
    sys.exit(1 if failed else 0)


main()
