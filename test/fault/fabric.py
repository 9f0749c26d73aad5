#!/usr/bin/env python3
"""Jobs over libfabric: idle jobs, processes that vanish, and settings that cannot be satisfied.

Usage: fabric.py MPIEXEC DIRECTORY [TEST...]"""
import random, re, sys
import faults
from cluster import Cluster
from faults import *

FABRIC = {'STARLING_DEVICES': 'libfabric', 'STARLING_OFI_PROVIDER': 'tcp'}


def handshakes_over_libfabric():
    for ranks in 2, 4:
        run(ranks, program('handshake'), 5000, limit=60, environment=FABRIC)


def idle_over_libfabric():
    """A waiting rank sleeps in the completion queue, or for short times where the provider cannot
    wake it."""
    jobs = [mpiexec(2, program('idle'), way, 3, environment={**FABRIC, 'STARLING_OFI_PROVIDER': p})
            for way in ('recv', 'probe', 'barrier') for p in ('tcp', 'shm')]
    for job in jobs:
        job.finish()
        assert job.code == 0, job


def vanish_over_libfabric():
    for way in 'eager', 'large', 'taker', 'recv', 'any':
        job = hydra(3, program('vanish'), way, random.randrange(60000), environment=FABRIC,
                    options=['-disable-auto-cleanup']).finish(20)
        assert job.out.count('ok') == 2, job
        nothing_left()


def between_hosts():
    """shm within each of three hosts, libfabric between them; also when a process is killed."""
    there = {**FABRIC, 'STARLING_DEVICES': 'self,shm,libfabric', 'STARLING_VERBOSE': '1'}
    with Cluster(3) as c:
        job = c.run([2, 2, 2], program('exchange'), 2, 1 << 20, environment=there).finish(30)
        assert job.code == 0 and 'libfabric' in job.err and 'shm' in job.err, job
    for way in 'recv', 'large':
        with Cluster(3) as c:
            job = c.run([1, 1, 1], program('vanish'), way, 20000, environment=there,
                        options=['-disable-auto-cleanup']).finish(30)
        assert job.out.count('ok') == 2, job


def nothing_in_dev_shm():
    """Only Starling's device: the provider shm leaves files when a process is killed."""
    own_mounts('512m')
    before = files()
    for provider in 'tcp', 'shm':
        run(4, program('exchange'), 2, 1 << 20,
            environment={**FABRIC, 'STARLING_OFI_PROVIDER': provider})
        assert files() == before, files() - before


def stale_memory():
    """A process has the pid of a killed process, whose memory the provider shm finds."""
    own_mounts('512m')
    there = {**FABRIC, 'STARLING_OFI_PROVIDER': 'shm'}
    same_pids = ['unshare', '-pf', '--kill-child']
    if subprocess.run([*same_pids, 'true'], capture_output=True).returncode:
        raise Skip('no pid namespace may be made')
    same_pids += [faults.MPIEXEC, '-n', '2', program('exchange')]
    job = Job([*same_pids, '0'], environment=there)
    end = time.monotonic() + 20
    while len(os.listdir('/dev/shm')) < 2 and time.monotonic() < end:
        time.sleep(.01)
    job.process.kill()
    job.finish()
    assert len(os.listdir('/dev/shm')) == 2
    job = Job([*same_pids, '2'], environment=there).finish()
    assert job.code == 0, job


# ---- settings that cannot be satisfied -----------------------------------------------------------

def refused(*words, limit=20, **settings):
    """A job that ends with one clear line, which has all these words."""
    environment = {**FABRIC, **{'STARLING_' + name: value for name, value in settings.items()}}
    job = mpiexec(2, program('handshake'), 10, environment=environment).finish(limit)
    assert job.code != 0, job
    lines = [line for line in job.err.splitlines() if all(word in line for word in words)]
    assert lines, job
    nothing_left()


def unknown_provider():
    refused('device libfabric: ', 'OFI_PROVIDER=nosuch', 'tcp;ofi_rxm', OFI_PROVIDER='nosuch')


def unknown_domain():
    refused('device libfabric: ', 'OFI_DOMAIN=mars0', 'tcp;ofi_rxm', OFI_DOMAIN='mars0')


def missing_module():
    refused('device libfabric: ', '/nowhere/x.so', 'No such file', OFI_MODULE='/nowhere/x.so')


def no_module():
    """A library that is not Starling's module."""
    refused('device libfabric: ', 'starling_libfabric', OFI_MODULE='libc.so.6')


def mixed_providers():
    """Each rank has opened its device; the ranks find that they cannot reach each other."""
    script = f'[ $PMI_RANK = 0 ] || export STARLING_OFI_PROVIDER=shm; exec {program("handshake")} 10'
    job = mpiexec(2, 'sh', '-c', script, environment=FABRIC).finish(20)
    assert job.code != 0, job
    assert re.search('no device of this process reaches process [01]', job.err), job


if __name__ == '__main__':
    sys.exit(main([handshakes_over_libfabric, idle_over_libfabric, vanish_over_libfabric,
                   between_hosts, nothing_in_dev_shm, stale_memory, unknown_provider,
                   unknown_domain, missing_module, no_module, mixed_providers], sys.argv[1:]))
