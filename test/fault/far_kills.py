#!/usr/bin/env python3
"""kill -9 of any process of a job on three hosts, or the cut of a link, at any moment: soon no process and
no file of the job is left on any host.

Usage: far_kills.py MPIEXEC DIRECTORY [TEST...]      TEST_ROUNDS=FIRST-LAST: these rounds of a_thousand_kills,
alone. What a round does follows from its number, as far as a moment can."""
import os, random, sys, time
import faults
from cluster import ip
from faults import *
from sshd import Hosts

ROUNDS = 24
LIMIT = 2  # seconds, until all are gone
SILENCE = 2  # seconds, of -node-timeout
STARTS = 3  # a start may take that many times the silence
UNTOLD = 10  # seconds, of a proxy that is cut off before mpiexec has told it the silence
BY_SSH = 4  # each so many rounds; the others use the launcher fork
CUTS = 5  # each so many of those, about, cut a link

# A rank has a child in a session of its own. Some jobs end soon.
PROGRAM = 'sh', '-c', 'setsid tail -f /dev/null & exec "$0" "$@"'


def kinds_of(c, job):
    """The processes of the job, here and on all hosts, by what they are."""
    found = {}
    for pid in c.more():
        name = 'the first' if pid == job.pid else name_of(pid)
        found.setdefault(name, []).append(pid)
    return found


def cut_a_link(c, dice):
    """The way between mpiexec and a host: the host may notice, or nothing arrives any more."""
    index = dice.randrange(c.count)
    port = f'ctl{index + 1}'
    ip(f'link set {port} ' + dice.choice(['nomaster', 'down']))
    return f'the link of host {index}', port


def mend(c, port):
    """sshd does not learn that mpiexec has ended."""
    kill(pid for pid in c.more() if name_of(pid) == 'sshd')
    ip(f'link set {port} master ctl up')


def outlived(c, pid):
    """Whether the job goes on without the process: the child of a rank, or a login before its proxy runs,
    whose death mpiexec takes for an sshd that is asked by too many, and tries again."""
    name, parent = name_of(pid), name_of(parent_of(pid))
    if name == 'sshd':
        return not any(map(c.ranks, range(c.count)))
    return name in ('setsid', 'tail') or name == 'sh' and parent not in ('starling-job', 'sshd')


def kill_one(c, job, dice):
    found = kinds_of(c, job)
    if not found:
        return 'nothing', False
    kind = dice.choice(sorted(found))
    pid = dice.choice(sorted(found[kind]))
    goes_on = outlived(c, pid)
    kill([pid])
    return kind, goes_on


def start(c, by_ssh, dice):
    """A job, and whether it ends by itself."""
    rounds, short = (3, True) if dice.random() < 0.3 else (0, False)
    command = ['-node-timeout', SILENCE, '-n', 6, *PROGRAM, program('exchange'), rounds, 20000]
    if by_ssh:
        return c.start(c.all(), *command), short
    return c.start('a:2,b:2,c:2', '-launcher', 'fork', *command), short


def strike(c, by_ssh, seconds, dice):
    """One round; what was done."""
    job, short = start(c, by_ssh, dice)
    time.sleep(dice.uniform(0, 1.3 * seconds))
    if by_ssh and dice.randrange(CUTS) == 0:
        started = all(map(c.ranks, range(c.count)))
        what, port = cut_a_link(c, dice)
        moment = time.monotonic()
        try:
            silence = SILENCE if started else max(SILENCE * STARTS, UNTOLD)
            c.all_gone(job, moment, LIMIT + silence, but=['sshd'])
        finally:
            mend(c, port)
        c.all_gone(job, time.monotonic(), LIMIT)
        job.finish()
    else:
        what, goes_on = kill_one(c, job, dice)
        if goes_on:
            time.sleep(dice.random())
            job.process.terminate()
        c.all_gone(job, time.monotonic(), LIMIT)
        job.finish()
    assert job.code or short or what == 'nothing', (what, job)
    return what


def life_of(c, by_ssh):
    """How long a short job takes."""
    begin = time.monotonic()
    job = c.start(c.all() if by_ssh else 'a:2,b:2,c:2', *([] if by_ssh else ['-launcher', 'fork']),
                  '-n', 6, program('exchange'), 3, 20000).finish()
    assert job.code == 0, job
    return time.monotonic() - begin


def files_of(c):
    """Those of this machine's view, which all hosts share, and those in /dev/shm of each."""
    return faults.files() | {f'{host.name} {name}' for host in c.hosts
                             for name in os.listdir(f'/proc/{host.pid}/root/dev/shm')}


def kills(first, last):
    if not has_own_mounts():
        raise Skip('no mount points of our own')
    with Hosts(3) as c:
        seconds = {by_ssh: life_of(c, by_ssh) for by_ssh in (True, False)}
        before, done = files_of(c), {}
        for number in range(first, last + 1):
            dice, by_ssh = random.Random(number), number % BY_SSH == 0
            try:
                what = strike(c, by_ssh, seconds[by_ssh], dice)
                left = files_of(c) - before
                assert not left, f'left behind: {sorted(left)}'
            except AssertionError as e:
                raise AssertionError(f'TEST_ROUNDS={number}-{number}: {e}') from None
            done[what] = done.get(what, 0) + 1
    if last - first >= ROUNDS:
        print(f'rounds {first} to {last}:', ', '.join(f'{n} {what}' for what, n in sorted(done.items())),
              f'took {100 * c.longest:.0f}% of the time at most')
    hit = sum(done.values()) - done.get('nothing', 0)
    assert hit > (last - first) / 2, done


def random_kills():
    kills(0, ROUNDS - 1)


def a_thousand_kills():
    first, last = map(int, os.environ['TEST_ROUNDS'].split('-'))
    kills(first, last)


if __name__ == '__main__':
    sys.exit(main([random_kills, a_thousand_kills], sys.argv[1:]))
