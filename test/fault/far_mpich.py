#!/usr/bin/env python3
"""MPICH and Starling on three hosts: programs that MPICH's mpicc has built under our mpiexec, with MPICH's
library and with ours, and our programs under MPICH's mpiexec.hydra.

Usage: far_mpich.py MPIEXEC DIRECTORY [TEST...]"""
import os, shutil, subprocess, sys, time
import faults
from cluster import HERE, OURS
from faults import *
from sshd import Hosts, address

LIMIT = 2  # seconds, until all are gone
RANKS = 6
WANT = [f'rank {r} of {RANKS}: pi is 3.14159265' for r in range(RANKS)]


class Both(Hosts):
    def __enter__(self):
        if not shutil.which('mpicc.mpich'):
            raise Skip('there is no mpicc.mpich here')
        super().__enter__()
        self.write('hosts', ''.join(f'{address(i)}:2\n' for i in range(self.count)))
        return self

    def build(self, name):
        """Named as the program of fault tests that has this source is."""
        program = f'{self.directory}/fault_{name}'
        common = f'{HERE}/../mpi/common'
        files = f'{HERE}/{name}.c', f'{common}/ticks.c'
        subprocess.run(['mpicc.mpich', '-I', common, *files, '-o', program], check=True, capture_output=True, timeout=60)
        return program

    def ours(self, *command, **environment):
        return self.start(self.all(), '-n', RANKS, *command, environment=environment)

    def hydra(self, *command, **environment):
        env = {'HYDRA_LAUNCHER_EXTRA_ARGS': self.ssh_options(), **environment}
        return hydra(RANKS, *command, options=['-f', f'{self.directory}/hosts', '-localhost', OURS], environment=env)


def programs_of_mpich():
    """With MPICH's library: ranks meet, compute and abort. Its MPI_Finalize is left out: with UCX, as Debian
    builds it, a rank may wait there for others that wait in PMI, under mpiexec.hydra also."""
    with Both(3) as c:
        program = c.build('pi')
        for _ in range(3):
            job = c.ours(program, 7)
            job.process.wait(60)
            c.all_gone(job, time.monotonic(), LIMIT)
            job.finish()
            assert job.code == 7 and sorted(job.out.splitlines()) == WANT, job
            assert job.err.splitlines()[-1].startswith('mpiexec: rank 0 on node0 called MPI_Abort with code 7'), job


def programs_of_mpich_with_our_library():
    """The names of both libraries are the same: a path is all it takes, under both launchers."""
    with Both(3) as c:
        pi, exchange = c.build('pi'), c.build('exchange')
        env = {'LD_LIBRARY_PATH': os.path.dirname(faults.MPIEXEC), 'STARLING_VERBOSE': '1'}
        for launch in c.ours, c.hydra:
            job = launch(pi, **env).finish(60)
            assert job.code == 0 and sorted(job.out.splitlines()) == WANT and 'starling: ' in job.err, job
            job = launch(exchange, 3, **env).finish(60)
            assert job.code == 0 and 'starling: ' in job.err, job


def our_programs_under_hydra():
    with Both(3) as c:
        job = c.hydra(program('pi')).finish(60)
        assert job.code == 0 and sorted(job.out.splitlines()) == WANT and job.err == '', job
        job = c.hydra(program('exchange'), 3).finish(60)
        assert job.code == 0 and job.err == '', job
        job = c.hydra(program('pi'), 7).finish(60)
        assert job.code == 7, job


if __name__ == '__main__':
    sys.exit(main([programs_of_mpich, programs_of_mpich_with_our_library, our_programs_under_hydra], sys.argv[1:]))
