#!/usr/bin/env python3
"""MPI_Finalize lists the objects that left.c leaves, with the calls that made them, when it is set
to.

Usage: left.py RANKS MPIEXEC PROGRAM CONFIG"""
import os, subprocess, sys

LEFT = """1 communicator of MPI_Comm_dup
1 communicator of MPI_Comm_idup
1 communicator of MPI_Comm_split
1 group of MPI_Comm_group
1 datatype of MPI_Type_dup
1 datatype of MPI_Type_get_contents
1 file of MPI_File_open
1 operation of MPI_Op_create
2 requests of MPI_Irecv
1 request of MPI_Issend
1 request of MPI_Mprobe
1 request of MPI_Send_init
1 request of MPI_Recv_init
1 request of MPI_Grequest_start
1 request of MPI_Comm_idup
1 attached buffer of MPI_Buffer_attach
2 allocations of MPI_Alloc_mem
1 info object of MPI_Info_create
1 attribute key of MPI_Comm_create_keyval
1 error handler of MPI_Comm_create_errhandler"""


UNRECEIVED = ('starling: rank {0}: the program has not received 2 messages; the first has 4 bytes '
              'and tag 98, and is from rank {0} of MPI_COMM_WORLD')


def run(ranks, command, value, **settings):
    """The exit code and the lines about objects that were left, in order."""
    env = {name: v for name, v in os.environ.items() if name != 'STARLING_CHECK_LEAKS'}
    env.update(settings)
    env['ASAN_OPTIONS'] = 'detect_leaks=0'     # which would report the same
    if value is not None:
        env['STARLING_CHECK_LEAKS'] = value
    done = subprocess.run([command[0], '-n', ranks, *command[1:]], env=env, text=True,
                          capture_output=True, timeout=20, check=False)
    lines = [line for line in done.stderr.split('\n') if line.startswith('starling: ')]
    return done.returncode, sorted(lines)


def main(ranks, mpiexec, program, config):
    """Exit code 0 when all checks hold."""
    messages = [UNRECEIVED.format(rank) for rank in range(int(ranks))]
    wanted = sorted([f'starling: rank {rank}: the program has left {what}'
                     for rank in range(int(ranks)) for what in LEFT.split('\n')] + messages)
    for value, code, lines in (('1', 0, wanted), ('yes', 0, wanted), ('fail', 1, wanted),
                               ('0', 0, []), ('no', 0, []),
                               (None, 0, wanted if config == 'Debug' else [])):
        got = run(ranks, [mpiexec, program], value)
        assert got == (code, lines), f'{value}: {got}'
        got = run(ranks, [mpiexec, program, 'nothing'], value)
        assert got == (0, []), f'{value}: {got}'
    assert run(ranks, [mpiexec, program], 'no', STARLING_CHECK='strict') == (0, messages)


if __name__ == '__main__':
    main(*sys.argv[1:])
