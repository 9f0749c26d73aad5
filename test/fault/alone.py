#!/usr/bin/env python3
"""Jobs with little shared memory; waits that take no processor time; wake-ups that are not lost.

Usage: alone.py MPIEXEC DIRECTORY [TEST...]"""
import sys
from faults import *


def small_dev_shm():
    """16 ranks where /dev/shm has 64 MB, as in containers. No job writes a file there."""
    own_mounts('64m')
    before = files()
    run(16, program('exchange'), 2, 1 << 20, limit=60)
    assert files() == before, files() - before


def no_dev_shm():
    """The same where /dev/shm cannot be written to."""
    own_mounts('4k')
    run(4, program('exchange'), 2, 1 << 20)


def shake_hands(plan, environment=(), limit=60):
    """Runs jobs of {ranks: hops} in turn. No rank sleeps past a wake-up, and the ranks did
    sleep."""
    ever = 0
    for ranks, hops in plan.items():
        report = {**dict(environment), 'STARLING_REPORT_MISSED_WAKEUPS': 'yes'}
        job = run(ranks, program('handshake'), hops, limit=limit, environment=report)
        slept, in_vain, late = sleeps(job, ranks)
        assert late == 0, job
        ever += slept
        if hops > 100000:
            print(f'{ranks:3} processes, {hops} hops in {time.monotonic() - job.begin:.0f} s: '
                  f'slept {slept} times, {in_vain} in vain, {late} too long', flush=True)
    assert ever > 100 or len(os.sched_getaffinity(0)) == 1, ever  # ranks that share a core yield it


HOPS = 20000 if FULL else 6000


def handshakes():
    shake_hands({2: HOPS, 3: HOPS, 5: HOPS, 8: HOPS, 32: HOPS})


def handshakes_over_sockets():
    shake_hands({2: HOPS // 2, 4: HOPS // 2, 16: HOPS // 4}, SOCKETS)


def handshakes_under_signals():
    """A signal that interrupts a sleep does not delay the wake-up."""
    for environment in {}, SOCKETS:
        shake_hands({2: HOPS, 4: HOPS}, {'TEST_TICKS': '1', **environment})


def ten_million_handshakes():
    """Not run by ctest: it takes several minutes."""
    shake_hands({2: 2000000, 3: 1600000, 4: 1600000, 8: 1600000, 16: 1600000, 32: 1600000},
                limit=600)


def a_million_handshakes_over_sockets():
    """Not run by ctest: it takes several minutes."""
    shake_hands({2: 200000, 3: 160000, 4: 160000, 8: 160000, 16: 160000, 32: 160000}, SOCKETS,
                limit=600)


def all_idle(ways, **options):
    """The job ends at once, since no rank uses a device."""
    for job in [mpiexec(n, program('idle'), way, 3, **options) for way in ways for n in (2, 4)]:
        job.finish()
        assert job.code == 0, job


def idle():
    all_idle(['recv', 'any', 'probe', 'waitall', 'barrier'])


def idle_over_sockets():
    all_idle(['recv', 'probe', 'barrier'], environment=SOCKETS)


if __name__ == '__main__':
    sys.exit(main([handshakes, handshakes_over_sockets, handshakes_under_signals,
                   ten_million_handshakes, a_million_handshakes_over_sockets, idle,
                   idle_over_sockets, small_dev_shm, no_dev_shm], sys.argv[1:]))
