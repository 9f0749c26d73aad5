#!/usr/bin/env python3
"""Ranks that fork, and programs that ranks start, do not disturb their job.

Usage: forks.py MPIEXEC DIRECTORY [TEST...]"""
import sys
from faults import *

# The devices that this build has.
DEVICES = [d for d in os.environ['FORK_DEVICES'].split() if d in ('shm', 'sockets', 'libfabric')]
ROUNDS = 6


def ways(way, ranks=3):
    """The jobs of one way: on all devices, also with MPI_THREAD_MULTIPLE or a progress thread."""
    for device in DEVICES:
        for words, asynchronous in ([], 'no'), (['multiple'], 'no'), ([], 'yes'):
            env = {'STARLING_DEVICES': f'self,{device}', 'STARLING_OFI_PROVIDER': 'tcp',
                   'STARLING_ASYNC_PROGRESS': asynchronous,
                   'ASAN_OPTIONS': 'detect_leaks=0'}  # in children it warns of threads
            job = mpiexec(ranks, program('forks'), way, *words, environment=env).finish()
            assert job.code == 0, (env, words, job)
            yield job


def quiet(way, ranks=3):
    for job in ways(way, ranks):
        assert not job.out and not job.err, job
    nothing_left()


def child_exits():
    """exit() runs the functions that libraries have registered with atexit()."""
    quiet('exit')


def child_ends_at_once():
    quiet('_exit')


def child_becomes_another_program():
    quiet('exec')


def child_is_killed():
    quiet('crash')


def command_by_system():
    for job in ways('system'):
        assert job.out == 'from a shell\n' * 3 * ROUNDS and not job.err, job


def command_by_popen():
    quiet('popen')


def child_outlives_the_job():
    """The job ends while children of its ranks still run; none is left when mpiexec ends."""
    for job in ways('outlive', ranks=2):
        assert not job.out and not job.err, job
        nothing_left()


def child_calls_mpi():
    for way, call in ('calls', 'MPI_Send'), ('init', 'MPI_Init'):
        for job in ways(way, ranks=2):
            lines = job.err.strip().split('\n')
            assert len(lines) == 2 * ROUNDS, job
            for line in lines:
                assert f'{call}' in line and 'child process of a rank' in line, job


if __name__ == '__main__':
    sys.exit(main([child_exits, child_ends_at_once, child_becomes_another_program, child_is_killed,
                   command_by_system, command_by_popen, child_outlives_the_job, child_calls_mpi],
                  sys.argv[1:]))
