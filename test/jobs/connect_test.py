"""Tests of what leaders of two jobs tell each other: wrong bytes end in errors, not in hangs.

Usage: connect_test.py MPIEXEC FAULTY"""
import os
import sys

from relay import alone, end, relayed, start

HEAD = 48                  # bytes in front of the records of jobs: see struct hello in connect.c


def unchanged(at, data):
    """No change."""
    del at
    return data


def flipped(position):
    """Changes one bit of a byte."""
    def change(at, data):
        if not at <= position < at + len(data):
            return data
        i = position - at
        return data[:i] + bytes([data[i] ^ 1]) + data[i + 1:]
    return change


def replaced(old, new):
    """Changes a text that comes whole."""
    return lambda at, data: data.replace(old, new)


def fails(jobs, text):
    """Both jobs end in errors, and the first one says why."""
    assert all(job.code for job in jobs) and text in jobs[0].err, (text, jobs)
    assert not any('still running' in job.err for job in jobs), jobs


def main(mpiexec, faulty):
    """Runs all tests."""
    program = [faulty, 'early']

    def relay(change):
        return relayed(mpiexec, [2, 1], program, change)

    assert all(job.code == 0 for job in relay(unchanged))
    fails([alone(mpiexec, program, lambda s: s.sendall(os.urandom(100000)))], 'is no group of a')
    fails([alone(mpiexec, program, lambda s: s.sendall(b'three'))], 'the connection to the other')
    fails(relay(flipped(0)), 'is no group of a')
    fails(relay(flipped(4)), '1 processes of 0 jobs')
    fails(relay(flipped(HEAD)), 'which is not known')
    fails(relay(flipped(HEAD + 8)), 'has 0 processes')
    fails(relay(replaced(b'|job:-', b'|job:-1')), 'says that it is of job and rank')
    if os.environ.get('STARLING_DEVICES') == 'sockets':  # each side has another secret of the pair
        fails(relay(flipped(20)), 'over sockets')
    name = f'starling-connect-{os.getpid()}'
    jobs = [start(mpiexec, 2, program, name, side, devices)
            for side, devices in enumerate(('shm', 'sockets'))]
    fails([end(job) for job in jobs], 'no device of this process reaches')
    print('ok')


if __name__ == '__main__':
    main(*sys.argv[1:])
