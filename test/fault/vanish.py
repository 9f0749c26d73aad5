#!/usr/bin/env python3
"""A process dies under a launcher that does not clean up: the processes that need it get an error
that names it, all others go on, and none of them hangs.

Usage: vanish.py MPIEXEC DIRECTORY [TEST...]"""
import random, sys
from faults import *


def vanish(way, delay_us, **options):
    job = hydra(3, program('vanish'), way, delay_us, options=['-disable-auto-cleanup'], **options)
    job.finish(15)
    assert job.out.count('ok') == 2, job
    nothing_left()


def within_small_messages():
    for _ in range(3):
        vanish('eager', random.randrange(30000))
        vanish('flood', random.randrange(30000))


def within_large_messages():
    for cma in 'yes', 'no':
        for _ in range(2):
            vanish('large', random.randrange(60000), environment={'STARLING_SHM_CMA': cma})
            vanish('taker', random.randrange(60000), environment={'STARLING_SHM_CMA': cma})


def while_waited_for():
    for way in 'recv', 'any', 'probe', 'deaf':
        vanish(way, 20000)


def over_sockets():
    for way in 'eager', 'large', 'taker', 'recv':
        vanish(way, random.randrange(60000), environment=SOCKETS)


def while_only_tested_for():
    """A program that never blocks in MPI."""
    for way in 'test', 'iprobe':
        vanish(way, 20000)


def while_others_talk():
    """Messages of live peers must not delay the detection of a dead one."""
    vanish('chatter', 20000)


def last_words():
    """Messages that the process had sent completely arrive."""
    for _ in range(4):
        vanish('words', random.randrange(40000))


def from_collective_operations():
    for cma in 'yes', 'no':
        for _ in range(2):
            vanish('together', random.randrange(30000), environment={'STARLING_SHM_CMA': cma})
            vanish('together+', random.randrange(60000), environment={'STARLING_SHM_CMA': cma})


def from_persistent_operations():
    for _ in range(6):
        vanish('started', random.randrange(60000))


WAYS = 'holder', 'locker', 'operations', 'fence', 'poster', 'starter', 'leaver'


def from_windows(**environment):
    for way in WAYS:
        job = hydra(3, program('vanish_rma'), way, random.randrange(60000),
                    options=['-disable-auto-cleanup'], environment=environment)
        job.finish(25)
        assert job.out.count('ok') == 2, (way, job)
        nothing_left()


def from_windows_by_cma():
    from_windows(STARLING_RMA='cma')


def from_windows_by_messages():
    from_windows(STARLING_RMA='messages')


def from_windows_over_sockets():
    from_windows(**SOCKETS)


if __name__ == '__main__':
    sys.exit(main([within_small_messages, within_large_messages, while_waited_for, over_sockets,
                   while_only_tested_for, while_others_talk, last_words, from_collective_operations,
                   from_persistent_operations, from_windows, from_windows_by_cma, from_windows_by_messages,
                   from_windows_over_sockets], sys.argv[1:]))
