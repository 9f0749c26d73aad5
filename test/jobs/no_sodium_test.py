"""Tests of jobs that find no libsodium: they connect, but in the memory of one node alone.

Usage: no_sodium_test.py MPIEXEC LATER"""
import os
import sys
import tempfile

from jobs import run
from relay import end, start


def one_has_it(mpiexec, program, empty):
    """It cannot tell the other one from a stranger."""
    name = f'starling-sodium-{os.getpid()}'
    jobs = [start(mpiexec, 1, [program], name, 0, LD_LIBRARY_PATH=empty),
            start(mpiexec, 1, [program], name, 1)]
    for job, group in zip(map(end, jobs), ('local', 'remote')):
        assert job.code and f'the leader of the {group} group cannot load libsodium' in job.err, job


def none_has_it(mpiexec, program):
    """Memory is enough, and with nothing else it is said what is missing."""
    far = os.environ['STARLING_DEVICES'] == 'libfabric'
    for job in run(mpiexec, [3, 2], [program]):
        assert bool(job.code) == far, job
        assert ('without which jobs can connect only on one node' in job.err) == far, job


def main(mpiexec, program):
    """Runs all tests."""
    with tempfile.TemporaryDirectory() as empty:
        with open(f'{empty}/libsodium.so.23', 'wb'):
            pass  # found first, and no library
        one_has_it(mpiexec, program, empty)
        os.environ['LD_LIBRARY_PATH'] = empty
        none_has_it(mpiexec, program)
    print('ok')


if __name__ == '__main__':
    main(*sys.argv[1:])
