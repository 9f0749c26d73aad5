#!/usr/bin/env python3
"""Little memory where others keep their segments; waiting that costs nothing; nobody is forgotten.

Usage: alone.py MPIEXEC DIRECTORY [TEST...]"""
import sys
from faults import *


def small_dev_shm():
    """16 ranks where /dev/shm has 64 MB, as in containers; and nothing is written there at all."""
    own_mounts('64m')
    before = files()
    run(16, program('exchange'), 2, 1 << 20, limit=60)
    assert files() == before, files() - before


def no_dev_shm():
    """Where it cannot be written to, too."""
    own_mounts('4k')
    run(4, program('exchange'), 2, 1 << 20)


def handshakes():
    for ranks in 2, 3, 5, 8:
        run(ranks, program('handshake'), 25000, limit=60)


def handshakes_over_sockets():
    for ranks in 2, 4:
        run(ranks, program('handshake'), 10000, limit=60, environment=SOCKETS)


def all_idle(ways, **options):
    """At once, since none of them uses anything."""
    for job in [mpiexec(n, program('idle'), way, 3, **options) for way in ways for n in (2, 4)]:
        job.finish()
        assert job.code == 0, job


def idle():
    all_idle(['recv', 'any', 'probe', 'waitall', 'barrier'])


def idle_over_sockets():
    all_idle(['recv', 'probe', 'barrier'], environment=SOCKETS)


if __name__ == '__main__':
    sys.exit(main([handshakes, handshakes_over_sockets, idle, idle_over_sockets, small_dev_shm,
                   no_dev_shm], sys.argv[1:]))
