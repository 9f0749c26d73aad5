#!/usr/bin/env python3
"""What other programs can ask a running job: mpiexec -jobs, and visits of all kinds.

Usage: query_socket_test.py MPIEXEC DIR [TEST...]     DIR has the programs actor and probe.
Prints nothing when all tests pass."""
import contextlib, json, os, re, select, signal, socket, subprocess, sys, threading, time
from remote import *


FIRST_UNUSED = 1 << 23  # no process has such a number


def visit(p, text, uid=None):
    """What the job answers. With uid, by a process of that user."""
    name = f'\\0starling-{os.geteuid()}-{p.pid}'
    code = (f'import os, socket, sys; {f"os.setuid({uid});" if uid else ""} s = socket.socket(socket.AF_UNIX)\n'
            f's.settimeout(5); s.connect("{name}")\n'
            'try:\n    s.sendall(sys.stdin.buffer.read())\n    s.shutdown(1)\n'
            '    while (b := s.recv(65536)):\n        sys.stdout.buffer.write(b)\n'
            'except ConnectionError: pass')
    return subprocess.run([sys.executable, '-c', code], input=text, capture_output=True, timeout=20).stdout.decode()


@contextlib.contextmanager
def held(*options, ranks=2):
    p = start(*options, '-n', ranks, actor(), 'hold')
    ranks_of(p, ranks)
    yield p
    p.send_signal(signal.SIGINT)
    assert gone(p).code == 130


def listing():
    r = subprocess.run([mpiexec(), '-jobs'], capture_output=True, text=True, timeout=20)
    assert r.returncode == 0 and r.stderr == '', r
    return r


def listed():
    """The jobs of this test; the machine may have others, also of other tests that run now."""
    return [l for l in listing().stdout.splitlines() if int(l.split()[0]) in children()]


def jobs_are_listed():
    assert listed() == []
    jobs = [(start(*options, '-n', ranks, actor(), 'hold'), ranks, hosts, ' '.join(options) + ' ' if options else '')
            for options, ranks, hosts in (((), 1, '1 host'), (job('a,b'), 3, '2 hosts'))]
    for p, ranks, *_ in jobs:
        ranks_of(p, ranks)
    lines = listed()
    assert len(lines) == 2, lines
    for p, ranks, hosts, options in jobs:
        what = f'{ranks} rank{"s" * (ranks > 1)} on {hosts}, [0-9]+ s: mpiexec {options}-n {ranks} {actor()} hold'
        assert any(re.fullmatch(f'{p.pid}  {what}', l) for l in lines), (p.pid, what, lines)
    for p, *_ in jobs:
        p.send_signal(signal.SIGINT)
    for p, *_ in jobs:
        p.communicate(timeout=10)
        assert p.returncode == 130
    assert listed() == []


def jobs_that_end_meanwhile():
    """Names of jobs that are gone, whose sockets are closed when they are asked."""
    sockets = []
    for pid in range(FIRST_UNUSED, FIRST_UNUSED + 200):
        sockets.append(socket.socket(socket.AF_UNIX))
        sockets[-1].bind(f'\0starling-{os.geteuid()}-{pid}')
        sockets[-1].listen()
    over = threading.Event()

    def close_at_once():
        while not over.is_set():
            for s in select.select(sockets, [], [], 0.1)[0]:
                s.accept()[0].close()

    thread = threading.Thread(target=close_at_once)
    thread.start()
    try:
        for _ in range(5):
            assert not [l for l in listing().stdout.splitlines() if int(l.split()[0]) >= FIRST_UNUSED]
    finally:
        over.set()
        thread.join()
        for s in sockets:
            s.close()


def names_of_jobs_that_others_made():
    """Another user listens where a job of root would: he sends what a terminal obeys, or keeps the queue full."""
    if os.geteuid():
        return
    pids = [FIRST_UNUSED + 500, os.getpid()]
    code = ('import os, socket, sys, threading, time\n'
            'os.setuid(65534); held = []\n'
            f'for pid in {pids}:\n'
            '    s = socket.socket(socket.AF_UNIX); s.bind("\\0starling-0-%d" % pid); held.append(s)\n'
            '    s.listen(0 if sys.argv[1] == "full" else 5)\n'
            '    for _ in range(3 * (sys.argv[1] == "full")):\n'
            '        c = socket.socket(socket.AF_UNIX); c.setblocking(False); held.append(c)\n'
            '        try: c.connect(s.getsockname())\n'
            '        except OSError: pass\n'
            'print("ready", flush=True)\n'
            'while sys.argv[1] != "full":\n'
            '    c, _ = s.accept(); c.sendall(b"\\x1b[31m1  forged\\n"); c.close()\n'
            'time.sleep(100)')
    for how, found in ('escapes', 0), ('full', 1):  # the last one of the names is a process of root
        fake = subprocess.Popen([sys.executable, '-c', code, how], stdout=subprocess.PIPE)
        try:
            fake.stdout.readline()
            begin = time.monotonic()
            r = listing()
            assert '\x1b' not in r.stdout and 'forged' not in r.stdout and time.monotonic() - begin < 6, r
            lines = [l for l in r.stdout.splitlines() if int(l.split()[0]) in pids]
            assert lines == [f'{os.getpid()}  does not answer'] * found, lines
        finally:
            fake.kill()
            fake.communicate()


def a_job_describes_itself():
    with held(*job('a,b')) as p:
        d = json.loads(visit(p, b'report\n'))
        assert d['command'][1:] == [*job('a,b'), '-n', '2', actor(), 'hold'] and d['ended'] is None, d
        assert (d['exit_code'], d['cause'], d['message']) == (None, None, None), d
        assert [h['name'] for h in d['hosts']] == ['a', 'b'], d
        assert [(r['rank'], r['host'], r['state']) for r in d['ranks']] == [(0, 'a', 'running'), (1, 'b', 'running')], d
        assert sorted(r['pid'] for r in d['ranks']) == sorted(ranks_of(p, 2)), d


def visits_of_all_kinds():
    with held() as p:
        assert visit(p, b'what\n') == 'unknown request: line and report are known\n'
        for text in b'', b'\n\n', b'x' * 1000, b'line', b'\0' * 64, bytes(range(255, -1, -1)):
            assert visit(p, text) in ('', 'unknown request: line and report are known\n'), text
        address = f'\0starling-{os.geteuid()}-{p.pid}'
        idle = []
        for _ in range(30):  # more than are served at once, and they say nothing
            idle.append(socket.socket(socket.AF_UNIX))
            idle[-1].connect(address)
        time.sleep(2.5)
        assert visit(p, b'line\n').startswith(f'{p.pid}  2 ranks'), 'it does not answer any more'
        for s in idle:
            s.close()
        if not os.geteuid():
            assert visit(p, b'line\n', uid=65534) == ''


TESTS = [jobs_are_listed, jobs_that_end_meanwhile, names_of_jobs_that_others_made, a_job_describes_itself, visits_of_all_kinds]

if __name__ == '__main__':
    sys.exit(main(TESTS, sys.argv[1:]))
