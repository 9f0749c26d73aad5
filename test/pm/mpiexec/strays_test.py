#!/usr/bin/env python3
"""Processes that ranks have started, also in groups and sessions of their own, end with the job, no matter
how the job ends.

Usage: strays_test.py MPIEXEC DIR [TEST...]     DIR has the programs actor and probe. many_kills
(500 of them) runs only when it is named. PT_TIMES=1 prints the longest time until all processes had ended."""
import contextlib, os, random, signal, subprocess, sys, time
from harness import *

KILLS, MANY_KILLS, CROWD = 25, 500, 2500
DICE = random.Random(16)
SLOW = 8  # seconds; after 10 mpiexec gives up


def all_of(pid):
    found = [pid]
    for child in children(pid):
        found += all_of(child)
    return found


def quiet_start(*args):
    return start(*args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=without_leak_check())


def gone_within(p, limit):
    """Waits for mpiexec and for processes that it leaves; returns the seconds."""
    begin = time.monotonic()
    try:
        p.wait(limit)
    except subprocess.TimeoutExpired:
        left = [(pid, name_of(pid)) for pid in all_of(p.pid)]
        p.kill()
        p.wait()
        raise AssertionError(f'{p.args} still runs after {limit} s: {left[:20]}')
    check_nothing_left(max(0, begin + limit - time.monotonic()))
    return time.monotonic() - begin


# ---- the ends of a job with a wrapper ------------------------------------------------------------

WRAPPED = 'sh', '-c', 'timeout 1000 sleep 500; true'


def wrapped(*options):
    """Two ranks, each a shell that waits for timeout(1), which has its own process group."""
    p = quiet_start(*options, '-n', 2, *WRAPPED)
    wait_until(lambda: len(all_of(p.pid)) == 8)
    return p


def rank_is_killed():
    p = wrapped()
    os.kill(family(p, 2)[1][0], signal.SIGKILL)
    gone_within(p, SLOW)
    assert p.returncode == 137, p.returncode


def job_is_terminated():
    p = wrapped()
    p.terminate()
    gone_within(p, SLOW)
    assert p.returncode == 143, p.returncode


def job_times_out():
    p = wrapped('-timeout', 1)
    gone_within(p, SLOW + 1)
    assert p.returncode == 124, p.returncode


def strays_may_clean_up():
    """Inherited children get SIGTERM once, not SIGKILL, when their parents die during the end of the job."""
    cleans = 'trap "sleep 0.2; echo cleaned up; exit" TERM; echo ready; while :; do sleep 0.05; done'
    p = start('-n', 2, 'sh', '-c', f"setsid sh -c '{cleans}'; true")
    got = b''
    while got.count(b'ready') < 2:
        got += os.read(p.stdout.fileno(), 4096)
    p.terminate()
    r = finish(p)
    assert r.code == 143 and r.out.count('cleaned up') == 2, r


def a_crowd_is_ended():
    """More children in sessions of their own than a page of the list in /proc holds."""
    for end in (signal.SIGTERM, signal.SIGKILL):
        p = quiet_start('-n', 1, actor(), 'crowd', CROWD, 'hold')
        wait_until(lambda: len(all_of(p.pid)) == CROWD + 3)
        p.send_signal(end)
        gone_within(p, SLOW)


def only_what_was_started_here():
    """A process that a shell started before it called "exec mpiexec" survives, even when the worker dies."""
    with directory() as d:
        script = f'sleep 600 & echo $! >{d}/pid; exec {mpiexec()} -n 1 {actor()} hold'
        p = subprocess.Popen(['sh', '-c', script], stderr=subprocess.DEVNULL)
        worker = wait_until(lambda: worker_of(p))
        wait_until(lambda: children(worker))
        os.kill(worker, signal.SIGKILL)
        code = p.wait(LIMIT)
        with open(f'{d}/pid') as f:
            mine = int(f.read())
        # On a busy machine it may not sleep yet, or reads a page; and a killed one needs a moment to become a zombie.
        state = wait_until(lambda: (state_of(mine) or 'gone').strip('RD'))
        assert code == 137 and state == 'S', (code, state)
        os.kill(mine, signal.SIGKILL)


# ---- without /proc -------------------------------------------------------------------------------

NO_LIST = 'the list of children in /proc cannot be read (No such file or directory)'


def without_proc(d, *args):
    """Starts mpiexec where /proc is an empty directory."""
    with open(mpiexec(), 'rb') as f:
        if b'__asan_init' in f.read():
            raise Skip('AddressSanitizer reads its options from /proc')
    words = ['unshare', '-m'] if os.geteuid() == 0 else ['unshare', '-rm']
    hide = [*words, 'sh', '-c', f'mount --bind {d} /proc && exec "$0" "$@"']
    try:
        tried = subprocess.run([*hide, 'true'], capture_output=True)
    except OSError as e:
        raise Skip(str(e))
    if tried.returncode:
        raise Skip(tried.stderr.decode().strip())
    return subprocess.Popen([*hide, *command(args)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env=without_leak_check())


def kill_strays():
    """True when none is left. The children of a rank that is ending come later."""
    for pid in children():
        os.kill(pid, signal.SIGKILL)
    return not reap()


def the_list_cannot_be_read():
    """Without /proc mpiexec finds no inherited children, says so in one line, and does not wait for them."""
    def sleeps(p):
        return [name_of(pid) for pid in all_of(p.pid)].count('sleep') == 2

    for signal_of_mpiexec, signal_of_worker, code in ((0, 0, 0), (signal.SIGTERM, 0, 143), (0, signal.SIGKILL, 137)):
        with directory() as d:
            waits = signal_of_mpiexec or signal_of_worker
            p = without_proc(d, '-n', 2, 'sh', '-c', f'setsid sleep 500 & {"wait" if waits else ""}')
            if waits:
                wait_until(lambda: sleeps(p))
                os.kill(worker_of(p), signal_of_worker)
                os.kill(p.pid, signal_of_mpiexec)
            r = finish(p)
            lines = [line for line in r.err.splitlines() if 'may stay' in line]
            assert r.code == code and len(lines) == 1 and lines[0].endswith(NO_LIST), r
            assert 'not ended' not in r.err and 'has been ended' not in r.err and r.seconds < SLOW, r
            wait_until(kill_strays)


# ---- at random -----------------------------------------------------------------------------------

def shapes():
    """Jobs, and the seconds until they have started all their processes."""
    orphan = f'(setsid timeout 900 sleep 500 &); exec {actor()} daemon hold'
    return [
        (('-n', 2, *WRAPPED), 0.1),
        (('-n', 3, actor(), 'daemon', 'daemon', 'daemon', 'hold'), 0.1),
        (('-n', 2, actor(), 'daemon', 'stubborn', 'daemon', 'hold'), 0.1),
        (('-n', 2, 'sh', '-c', orphan), 0.1),
        (('-n', 2, mpiexec(), '-n', 2, actor(), 'daemon', 'hold'), 0.2),
        (('-n', 2, 'timeout', 800, 'setsid', '-w', 'timeout', 700, 'sh', '-c', orphan), 0.2),
        (('-n', 1, actor(), 'crowd', CROWD, 'hold'), 0.6),
    ]


def is_rank(pid, worker, program):
    """False for inherited children, which lead sessions or run other programs."""
    with contextlib.suppress(OSError):
        with open(f'/proc/{pid}/cmdline', 'rb') as f:
            first = f.read().partition(b'\0')[0]
        return os.path.basename(first) == program and os.getsid(pid) == os.getsid(worker)
    return False


def victims(p, program):
    """One or two processes to kill. The first ends the job; never both processes of mpiexec."""
    worker = worker_of(p)
    if not worker:
        return [p.pid]
    ranks = [pid for pid in children(worker) if is_rank(pid, worker, program.encode())]
    first = DICE.choice([p.pid, worker] + ranks[:1])
    others = [pid for pid in all_of(p.pid) if pid not in (p.pid, worker, first)]
    return [first] + (DICE.sample(others, 1) if others and DICE.random() < 0.5 else [])


def strike(args, seconds, limit):
    p = quiet_start(*args)
    time.sleep(DICE.uniform(0, seconds))
    program = os.path.basename(str(args[2]))
    for victim in victims(p, program):
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)
    seconds = gone_within(p, limit)
    assert p.returncode in (137, -9), p.returncode
    return seconds


def kills(count, limit):
    all_shapes = shapes()
    times = [strike(*all_shapes[i % len(all_shapes)], limit) for i in range(count)]
    if os.environ.get('PT_TIMES'):
        print(f'{count} kills, all ended after {sorted(times)[count // 2]:.3f} s (median), {max(times):.3f} s (worst)')


def some_kills():
    kills(KILLS, SLOW)


def many_kills():
    """The limit is 2 s; inherited children get one of them to clean up."""
    kills(MANY_KILLS, 2)


TESTS = [rank_is_killed, job_is_terminated, job_times_out, strays_may_clean_up, a_crowd_is_ended,
         only_what_was_started_here, the_list_cannot_be_read, some_kills]

if __name__ == '__main__':
    sys.exit(main(TESTS + [many_kills] * ('many_kills' in sys.argv), sys.argv[1:]))
