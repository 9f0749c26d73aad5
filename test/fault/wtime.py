#!/usr/bin/env python3
"""STARLING_WTIME_GLOBAL: one clock on hosts whose clocks differ by days, as exact as it claims.

Usage: wtime.py MPIEXEC DIRECTORY [TEST...]"""
import re, sys
import cluster
from faults import *

GLOBAL = {'STARLING_WTIME_GLOBAL': 'yes', 'STARLING_VERBOSE': '1'}
SLACK = 0.01  # us: MPI_Wtime is a double


def result(job):
    """What the program and the library report; None when the library reports nothing."""
    assert job.code == 0, job
    is_global, worst = re.search(r'global (\d) worst ([\d.]+)', job.out).groups()
    said = re.search(r'is global: clocks: (\d+)(?:, of which two differed by ([\d.]+) us at most, '
                     r'and have drifted apart by ([\d.]+) us)?', job.err)
    return int(is_global), float(worst), said and tuple(float(x or 0) for x in said.groups())


def exact(job, clocks, most):
    """No message proves a larger error than the library reports, and the reported error is
    small."""
    is_global, worst, said = result(job)
    assert is_global == 1 and said and said[0] == clocks, job
    assert worst <= said[1] + said[2] + SLACK and said[1] <= most, job


def one_clock():
    """On one node all ranks have the same clock, and nothing is measured."""
    for ranks in 1, 2, 4:
        exact(mpiexec(ranks, program('wtime'), environment=GLOBAL).finish(), 1, 0)
        is_global, worst, said = result(mpiexec(ranks, program('wtime')).finish())
        assert (is_global, said) == (0, None) and worst <= SLACK, worst


def clocks_apart():
    with cluster.Cluster(3, clocks=[100, 90000, 0]) as c:
        for slots in [1, 1], [2, 2, 2], [1, 3, 2]:
            is_global, worst, said = result(c.run(slots, program('wtime')).finish())
            assert is_global == 0 and worst > 80e9 and not said, worst
            for device in 'sockets', 'self,shm,sockets':
                job = c.run(slots, program('wtime'), environment={**GLOBAL,
                                                                  'STARLING_DEVICES': device})
                exact(job.finish(), len(slots), 500000)


def threads_and_odd_clocks():
    """Also where processes that share a network have different clocks, and where a progress thread
    moves messages."""
    with cluster.Cluster(2, one_network=True, clocks=[0, 5000]) as c:
        exact(c.run([2, 2], program('wtime'), 'multiple', environment=GLOBAL).finish(), 3, 500000)
        env = {**GLOBAL, 'STARLING_ASYNC_PROGRESS': 'yes'}
        exact(c.run([2, 2], program('wtime'), environment=env).finish(), 3, 500000)


if __name__ == '__main__':
    sys.exit(main([one_clock, clocks_apart, threads_and_odd_clocks], sys.argv[1:]))
