"""What the tests of jobs on several nodes have in common. -launcher fork makes hosts of invented names on
this machine; scripts stand in for ssh and others."""
import contextlib, os, random, subprocess, time
from harness import *

DICE = random.Random(22)
KILLS = 12
GONE = 2  # seconds until all processes of a job have ended after a kill


def job(hosts, *args):
    return '-launcher', 'fork', '-host', hosts, *args


def on(hosts, *args, **options):
    return run(*job(hosts, *args), **options)


def all_of(pid):
    found = [pid]
    for child in children(pid):
        found += all_of(child)
    return found


def command_of(pid):
    try:
        with open(f'/proc/{pid}/cmdline') as f:
            return f.read().split('\0')
    except OSError:
        return ['']


def ranks_of(p, count, name='actor'):
    """Waits until so many ranks run, and returns them."""
    def look():
        found = [pid for pid in all_of(p.pid) if name_of(pid) == name]
        return found if len(found) == count else None
    return wait_until(look)


def proxies_of(p, count):
    """The two processes of each proxy, by host."""
    def look():
        return [pid for pid in children(worker_of(p) or 0) if children(pid)]
    found = wait_until(lambda: len(look()) == count and look())
    return [(pid, children(pid)[0]) for pid in sorted(found)]


def gone(p, limit=GONE):
    """Waits for mpiexec and all that it leaves; its exit code."""
    begin = time.monotonic()
    try:
        out, err = p.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        left = [(pid, name_of(pid)) for pid in all_of(p.pid)]
        p.kill()
        p.communicate()
        raise AssertionError(f'{p.args} still runs after {limit} s: {left[:20]}')
    check_nothing_left(max(0.1, begin + limit - time.monotonic()))
    return Result(p.returncode, *((b or b'').decode('latin1') for b in (out, err)), time.monotonic() - begin)


@contextlib.contextmanager
def script(text):
    with directory() as d:
        path = os.path.join(d, 'launcher')
        with open(path, 'w') as f:
            f.write('#!/bin/sh\n' + text)
        os.chmod(path, 0o755)
        yield path


def open_text(path):
    """The text of a file whose last line is whole, or ''."""
    with contextlib.suppress(OSError), open(path) as f:
        text = f.read()
        return text if text.endswith('\n') else ''
    return ''
