#!/usr/bin/env python3
"""MPI_Finalize names a message that will not be received, after 10 s, in one line; it prints nothing
while the receiver computes.

Usage: unreceived.py MPIEXEC PROGRAM DEVICES"""
import os, subprocess, sys, threading

LINE = ('starling: rank {0} waits in MPI_Finalize: its message of 1048576 bytes with tag {2} is not '
        'received by rank {1} of MPI_COMM_WORLD, which is in MPI_Finalize, too')
CASES = {'one': [LINE.format(0, 1, 77)],
         'mutual': [LINE.format(0, 1, 77), LINE.format(1, 0, 78)],
         'computes': []}
wrong = []


def check(mpiexec, program, devices, way):
    """A job of three; where it cannot end mpiexec ends it. Libfabric may take 2 s to open and to close."""
    limit = '17' if CASES[way] else '30'
    env = dict(os.environ, STARLING_DEVICES=devices)
    done = subprocess.run([mpiexec, '-n', '3', '-timeout', limit, program, way], env=env, text=True,
                          capture_output=True, timeout=40, check=False)
    got = sorted(line for line in done.stderr.split('\n') if 'MPI_Finalize' in line)
    if got != CASES[way] or (done.returncode == 0) != (way == 'computes'):
        wrong.append(f'{devices}, {way}: exit code {done.returncode}: {done.stderr}')


def main(mpiexec, program, devices):
    """All cases at the same time, since they wait."""
    threads = [threading.Thread(target=check, args=(mpiexec, program, d, way))
               for d in devices.split(';') for way in CASES]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    sys.exit('\n'.join(wrong) or 0)


main(*sys.argv[1:])
