#!/usr/bin/env python3
"""Our programs under Slurm's srun, by each protocol that it has.

Usage: slurm.py slurm_test.py MPIEXEC DIR [TEST...]     DIR has the programs member and probe.
Prints nothing when all tests pass."""
import os, subprocess, sys
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../mpiexec'))
from harness import *

LIMIT = 60
PROTOCOLS = ('pmi2', 'pmix')


def member():
    return os.path.join(os.path.dirname(probe()), 'member')


def srun(protocol, n, *args):
    command = ['srun', f'--mpi={protocol}', '--overcommit', '-n', str(n), *map(str, args)]
    r = finish(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE), limit=LIMIT)
    check_nothing_left()
    return r


def check_members(r, n, jobs=1):
    lines = sorted(f'member {i} of {n}' for i in range(n)) * jobs
    assert r.code == 0 and sorted(r.out.splitlines()) == sorted(lines), r


def ranks_and_messages():
    for protocol in PROTOCOLS:
        for n in (1, 2, 4):
            check_members(srun(protocol, n, member()), n)


def store_and_barriers():
    for protocol in PROTOCOLS:
        r = srun(protocol, 4, probe())
        assert r.code == 0 and r.out.count(' of 4, ') == 4, r


def abort():
    r = srun('pmix', 3, member(), 'abort', 7)
    assert r.code == 7 and 'member' not in r.out and 'called MPI_Abort with code 7' in r.err, r
    r = srun('pmi2', 3, member(), 'abort', 7)  # that protocol of srun drops the code
    assert r.code and 'member' not in r.out, r


def errors_are_named():
    for protocol in PROTOCOLS:
        r = srun(protocol, 2, member(), 'error')
        assert r.code and 'rank 1 of 2 on ' in r.err and 'MPI_Send' in r.err, r


def death_ends_the_job():
    for protocol in PROTOCOLS:
        for args in (('exit', 3), ('kill',), ('segv',)):
            r = srun(protocol, 3, member(), *args)
            assert r.code and 'member' not in r.out, r


def without_protocol():
    """Two processes would both be rank 0 of 1: that is an error. One is a job of its own."""
    r = srun('none', 2, member())
    assert r.code and 'MPI_Init' in r.err and 'srun --mpi=pmi2 or --mpi=pmix' in r.err, r
    check_members(srun('none', 1, member()), 1)


def mpiexec_in_srun():
    for protocol in PROTOCOLS:
        check_members(srun(protocol, 2, mpiexec(), '-n', 3, member()), 3, 2)


TESTS = [
    ranks_and_messages, store_and_barriers, abort, errors_are_named, death_ends_the_job, without_protocol,
    mpiexec_in_srun,
]


if __name__ == '__main__':
    sys.exit(main(TESTS, sys.argv[1:]))
