"""Tests of what leaders of two jobs tell each other: wrong bytes end in errors, not in hangs.

Usage: connect_test.py MPIEXEC FAULTY"""
import os
import sys

from relay import HEAD, HELLO, SIZE, alone, end, prove, receive, relayed, start

NONCE = 24                  # where it begins in a hello, as does the key in the record of a job
REFUSED = 'has not proved that it has the key'


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
    """All jobs end in errors, and the first one says why."""
    assert all(job.code for job in jobs) and text in jobs[0].err, (text, jobs)
    assert not any('still running' in job.err for job in jobs), jobs


def strangers(mpiexec, program):
    """What comes from no leader of this library, or from one that has no key, but has heard and
    says again what leaders say."""
    said = []

    def record(at, data):
        del at
        said.append(data)
        return data

    def mirror(s):
        s.sendall(receive(s, HELLO))
        s.sendall(receive(s, SIZE))

    def send(data):
        return [alone(mpiexec, program, lambda s: s.sendall(data))]

    jobs = relayed(mpiexec, [2, 1], program, record)
    assert not any(job.code for job in jobs), jobs
    said = b''.join(said)
    fails(send(os.urandom(100000)), 'is no group of a')
    fails(send(b'three'), 'the connection to the other')
    fails(send(said[:HELLO]), 'the connection to the other')
    fails(send(said), REFUSED)
    fails([alone(mpiexec, program, mirror)], REFUSED)


def changed(relay):
    """A relay that has no key changes what one leader says."""
    fails(relay(flipped(0)), 'is no group of a')
    fails(relay(flipped(4)), '1 processes of 0 jobs')
    fails(relay(flipped(16)), 'the leader of the remote group cannot load libsodium')
    for position in NONCE, HEAD + NONCE, HELLO - 1, HELLO:
        fails(relay(flipped(position)), REFUSED)
    fails(relay(replaced(b'|job:-', b'|job:-1')), 'says that it is of job and rank')


def proven(relay):
    """The same by one that has the key, and proves what it says."""
    def prove_changed(position):
        return relay(unchanged, lambda first, second: prove(first, second, position))

    assert all(job.code == 0 for job in prove_changed(NONCE))
    fails(prove_changed(HEAD), 'which is not known')
    fails(prove_changed(HEAD + 8), 'has 0 processes')
    if os.environ.get('STARLING_DEVICES') == 'sockets':  # each side has another secret
        fails(prove_changed(HEAD + NONCE), 'over sockets')


def unlike(mpiexec, program, text, **values):
    """The two jobs have different values of a variable in their environment."""
    name = f'starling-connect-{os.getpid()}'
    (variable, both), = values.items()
    jobs = [start(mpiexec, 2, program, name, side, **{variable: value})
            for side, value in enumerate(both)]
    fails([end(job) for job in jobs], text)


def main(mpiexec, faulty):
    """Runs all tests."""
    program = [faulty, 'early']

    def relay(*change):
        return relayed(mpiexec, [2, 1], program, *change)

    strangers(mpiexec, program)
    changed(relay)
    proven(relay)
    unlike(mpiexec, program, REFUSED, JOBS_KEY=('a key', 'another key'))
    unlike(mpiexec, program, 'no device of this process reaches', STARLING_DEVICES=('shm', 'sockets'))
    print('ok')


if __name__ == '__main__':
    main(*sys.argv[1:])
