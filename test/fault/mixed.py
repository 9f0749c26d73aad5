#!/usr/bin/env python3
"""Several devices in one job: shm within a host, sockets between hosts, self within a process; and
what STARLING_VERBOSE prints about it.

Usage: mixed.py MPIEXEC DIRECTORY [TEST...]"""
import re, sys
from cluster import Cluster
from faults import *

SLOTS = [2, 2, 2], [1, 2, 3]
TELL = {'STARLING_VERBOSE': '2'}


def well(job):
    job.finish(50)
    assert job.code == 0, job
    return job


def ranks_in(text):
    """'0-2,5' as a set."""
    found = set()
    for part in text.split(','):
        first, _, last = part.partition('-')
        found |= set(range(int(first), int(last or first) + 1))
    return found


def devices_of(job):
    """{rank: (its host, {peer: (device, how)})} from the output of all ranks."""
    table = {}
    for line in job.err.splitlines():
        m = re.fullmatch(r'starling: rank (\d+) of \d+ on (\S+): (.*)', line)
        assert m, job
        peers = {}
        for group in m[3].split('; '):
            device, ranks, *how = group.split(' ', 2)
            if not device.startswith('STARLING_'):
                peers.update((r, (device, how[0] if how else '')) for r in ranks_in(ranks))
        table[int(m[1])] = m[2], peers
    return table


def each_its_device():
    """Each rank prints which peers it reaches, by which device and address."""
    for slots in SLOTS:
        place = [host for host, n in enumerate(slots) for _ in range(n)]
        with Cluster(3) as c:
            table = devices_of(well(c.run(slots, program('mixed'), 'any', environment=TELL)))
        assert sorted(table) == list(range(sum(slots))), table
        for rank, (host, peers) in table.items():
            assert host == f'node{place[rank]}' and len(peers) == len(place), (rank, table)
            for peer, (device, how) in peers.items():
                at = f'on node{place[peer]} '
                want = (('self', '') if peer == rank else
                        ('shm', at + '(reads by CMA)') if place[peer] == place[rank] else
                        ('sockets', at + f'(10.77.0.{place[peer] + 1})'))
                assert (device, how) == want, (rank, peer, device, how)


def any_source():
    for slots in SLOTS:
        with Cluster(3) as c:
            for _ in range(3):
                job = well(c.run(slots, program('mixed'), 'any'))
                assert not job.err, job  # without STARLING_VERBOSE nothing is printed


def wake_ups():
    for slots in SLOTS:
        with Cluster(3) as c:
            job = well(c.run(slots, program('mixed'), 'wake',
                             environment={'STARLING_REPORT_MISSED_WAKEUPS': 'yes'}))
            slept, _, late = sleeps(job, sum(slots))
            assert slept > 0 and late == 0, job


def waiting_is_free():
    """A process that waits for peers of both kinds sleeps until one of them sends."""
    with Cluster(3) as c:
        jobs = [c.run([2, 2, 2], program('idle'), way, 3)
                for way in ('recv', 'any', 'probe', 'waitall', 'barrier')]
        for job in jobs:
            well(job)


def one_network():
    """Hosts that share a network, as containers may, are one node of one kernel and share memory.
    But a process cannot read the memory of a peer whose pid belongs to another namespace."""
    with Cluster(2, one_network=True) as c:
        table = devices_of(well(c.run([2, 2], program('mixed'), 'any', environment=TELL)))
    for rank, (_, peers) in table.items():
        for peer, (device, how) in peers.items():
            assert device == 'self' if peer == rank else device == 'shm', (rank, peer, device)
            if peer != rank:
                near = peer // 2 == rank // 2
                assert ('reads by CMA' if near else 'another pid namespace') in how, (rank, peer, how)


def cma_switched_off():
    for environment in {'STARLING_VERBOSE': '1'}, TELL:
        job = well(mpiexec(3, program('mixed'), 'any',
                           environment={**environment, 'STARLING_SHM_CMA': 'no'}))
        ranks = [0, 1, 2] if environment is TELL else [0]
        table = devices_of(job)
        assert sorted(table) == ranks, job
        for rank, (_, peers) in table.items():
            assert all('(copies: STARLING_SHM_CMA=no here)' in how
                       for peer, (_, how) in peers.items() if peer != rank), job


def cma_refused():
    job = mpiexec(2, program('refuse'), program('mixed'), 'any', environment=TELL).finish()
    if job.code == SKIPPED:
        raise Skip('this kernel has no filters of system calls')
    assert job.code == 0, job
    for rank, (_, peers) in devices_of(job).items():
        device, how = peers[1 - rank]
        assert device == 'shm' and 'CMA is not permitted' in how and 'seccomp' in how, job


if __name__ == '__main__':
    sys.exit(main([each_its_device, any_source, wake_ups, waiting_is_free, one_network,
                   cma_switched_off, cma_refused], sys.argv[1:]))
