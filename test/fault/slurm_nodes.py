#!/usr/bin/env python3
"""Allocations of Slurm on hosts made of namespaces: what works, and hosts that fall silent or lose their link.

Usage: slurm_nodes.py MPIEXEC DIRECTORY [TEST...]"""
import contextlib, os, subprocess, sys, tempfile, time
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../pm/pmix'))
import faults, nodes, slurm
from cluster import OURS, Cluster, ip
from faults import *

LIMIT = 60


class SlurmHosts(nodes.Hosts):
    """Hosts with a slurmd, and no sshd. salloc runs outside of them, as on a login node."""

    def __enter__(self):
        if slurm.reason():
            raise Skip(slurm.reason())
        self.stack = contextlib.ExitStack()
        self.directory = self.stack.enter_context(tempfile.TemporaryDirectory())
        os.chmod(self.directory, 0o755)
        Cluster.__enter__(self)
        words = ('nsenter', '-m', '-u', '-i', '-n', '-p', '-t')
        there = [slurm.Node(h.name, h.name, nodes.address(i), (*words, str(h.pid))) for i, h in enumerate(self.hosts)]
        try:
            self.stack.enter_context(slurm.cluster(there, OURS))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        Cluster.__exit__(self)
        self.stack.close()

    def allocated(self, *words):
        return Job(['salloc', '-Q', '-N', str(self.count), '-n', str(2 * self.count), *map(str, words)])


def held(c, *options):
    """A job that runs for ever, on all hosts."""
    job = c.allocated(faults.MPIEXEC, *options, program('exchange'), 0)
    for i in range(c.count):
        c.await_ranks(i, True, job)
    time.sleep(0.3)
    return job


def slurm_on_three_hosts():
    with SlurmHosts(3) as c:
        job = c.allocated(faults.MPIEXEC, '-l', 'hostname').finish(LIMIT)
        want = [f'[{r}] node{r // 2}' for r in range(6)]
        assert job.code == 0 and sorted(job.out.splitlines()) == want and job.err == '', job
        job = c.allocated(faults.MPIEXEC, program('exchange'), 3).finish(LIMIT)
        assert job.code == 0, job
        for protocol in 'pmi2', 'pmix':
            job = c.allocated('srun', f'--mpi={protocol}', program('exchange'), 3).finish(LIMIT)
            assert job.code == 0, (protocol, job)
        c.write('script', f'#!/bin/sh\n{faults.MPIEXEC} -l hostname\n{faults.MPIEXEC} {program("exchange")} 3\n')
        words = ['sbatch', '-Q', '-W', '-N', '3', '-n', '6', '-o', f'{c.directory}/out', f'{c.directory}/script']
        done = subprocess.run(words, timeout=LIMIT, capture_output=True, text=True)
        with open(f'{c.directory}/out') as f:  # mpiexec is on the first host
            assert done.returncode == 0 and sorted(f.read().splitlines())[:6] == want, done
        c.nothing_left(range(3))


def lost(change):
    """All others end within two seconds of the limit for an answer, although srun waits for the lost host."""
    with SlurmHosts(3) as c:
        job = held(c, '-node-timeout', 2)
        ip(f'link set ctl2 {change}')
        begin = time.monotonic()
        job.finish(15)
        assert job.code and time.monotonic() - begin < 5, job
        assert 'mpiexec: host node1: its proxy has not answered for 2' in job.err, job
        c.nothing_left([0, 2])
        c.await_ranks(1, False)


def slurm_host_falls_silent():
    lost('nomaster')


def slurm_link_is_cut():
    lost('down')


TESTS = [slurm_on_three_hosts, slurm_host_falls_silent, slurm_link_is_cut]

if __name__ == '__main__':
    sys.exit(main(TESTS, sys.argv[1:]))
