#!/usr/bin/env python3
"""mpiexec and the streams of its ranks: who gets standard input, and where output goes. Most tests run with
a node inside mpiexec, and again with two nodes behind proxies.

Usage: streams_test.py MPIEXEC DIR [TEST...]     DIR has the programs actor and probe.
Prints nothing when all tests pass."""
import hashlib, os, re, subprocess, sys, time
from harness import *

HERE, REMOTE = (), ('-launcher', 'fork', '-host', 'a,b')
BOTH = HERE, REMOTE


def memory_of(pid):
    """The most that a process has used, in KiB."""
    with open(f'/proc/{pid}/status') as f:
        return int([line for line in f if line.startswith('VmHWM')][0].split()[1])


def job_processes(pid):
    """The processes called starling-job below a process: of mpiexec, and of its proxies."""
    found = [c for c in children(pid) if name_of(c) == 'starling-job']
    return found + [x for c in children(pid) for x in job_processes(c)]


# ---- standard input ----------------------------------------------------------------------------

def input_of_one_rank():
    data = os.urandom(1000000)
    full, empty = hashlib.sha256(data).hexdigest(), hashlib.sha256(b'').hexdigest()
    for where in BOTH:
        for spelling in ('-stdin', 3), ('--stdin=3',), ('-s', 3):
            r = run(*where, *spelling, '-l', '-n', 4, 'sha256sum', data=data)
            lines = dict(line.split()[:2] for line in r.out.splitlines())
            assert r.code == 0 and lines == {'[0]': empty, '[1]': empty, '[2]': empty, '[3]': full}, r


def input_of_no_rank():
    for where in BOTH:
        r = run(*where, '-stdin', 'none', '-n', 2, 'cat', data=b'x\n')
        assert (r.code, r.out, r.err) == (0, '', ''), r
    r = run(*'-stdin none -n 1 true'.split(), stdin=subprocess.PIPE)
    assert r.code == 0
    shell = f'while read x; do {mpiexec()} -launcher fork -host a -stdin none -n 1 cat; echo $x; done'
    r = subprocess.run(['sh', '-c', shell], input=b'1\n2\n3\n', capture_output=True, timeout=LIMIT)
    assert r.stdout == b'1\n2\n3\n', r


def input_of_all_ranks():
    data = os.urandom(3000000)
    full = hashlib.sha256(data).hexdigest()
    for where in BOTH:
        for n in 1, 9:
            r = run(*where, '-stdin', 'all', '-n', n, 'sha256sum', data=data)
            assert r.code == 0 and r.out.count(full) == n, r
        r = run(*where, '-stdin', 'all', '-n', 3, 'sha256sum', data=b'')
        assert r.out.count(hashlib.sha256(b'').hexdigest()) == 3, r
        with directory() as d:
            with open(f'{d}/in', 'wb') as f:
                f.write(data)
            with open(f'{d}/in') as f:
                r = run(*where, '-stdin', 'all', '-n', 3, 'sha256sum', stdin=f)
                assert r.out.count(full) == 3, r
        r = run(*where, '-stdin', 'all', '-n', 2, 'cat')  # /dev/null
        assert (r.code, r.out) == (0, ''), r


def ranks_that_do_not_read():
    """One closes its input, one ends: the others get all of it."""
    data = os.urandom(3000000)
    shell = 'case $PMI_RANK in 0) exec <&-; sleep 0.3;; 1) ;; 2) head -c 100000 >/dev/null;; *) sha256sum;; esac'
    for where in BOTH:
        r = run(*where, '-stdin', 'all', '-n', 5, 'sh', '-c', shell, data=data)
        assert r.code == 0 and r.out.count(hashlib.sha256(data).hexdigest()) == 2, r
        assert run(*where, '-stdin', 'all', '-n', 3, 'true', data=data).code == 0


def the_slowest_reader_counts():
    """Rank 1 reads nothing for a time. What the others get meanwhile is little, and memory stays small."""
    shell = 'if [ $PMI_RANK = 1 ]; then sleep 1; wc -c; else head -c 8000000 | wc -c; cat >/dev/null; fi'
    size = 64 << 20
    for where in BOTH:
        p = start(*where, '-stdin', 'all', '-l', '-n', 4, 'sh', '-c', shell, stdin=subprocess.PIPE)
        begin, sent, most = time.monotonic(), 0, 0
        os.set_blocking(p.stdin.fileno(), False)
        while time.monotonic() - begin < 0.7:
            try:
                sent += os.write(p.stdin.fileno(), bytes(65536))
            except BlockingIOError:
                time.sleep(0.01)
        assert sent < 4 << 20, sent
        os.set_blocking(p.stdin.fileno(), True)
        while sent < size:
            sent += os.write(p.stdin.fileno(), bytes(min(1 << 20, size - sent)))
            if sent > size - (2 << 20):
                most = max([most] + [memory_of(pid) for pid in job_processes(p.pid)])
        r = finish(p)
        assert r.code == 0 and f'[1] {size}\n' in r.out and r.out.count('8000000') == 3, r
        assert 0 < most < 16384, most


def input_that_is_refused():
    for value, why in (4, "'-stdin 4': the job has 4 ranks"), (-1, 'not a rank, all or none'), ('x', 'not a rank'):
        r = run('-stdin', value, '-n', 3, 'true', ':', '-n', 1, 'true')
        assert r.code == 1 and why in r.last, r
    assert "'-stdin 1': the job has 1 rank" in run('-stdin', 1, 'true').err


TESTS = [
    input_of_one_rank, input_of_no_rank, input_of_all_ranks, ranks_that_do_not_read, the_slowest_reader_counts,
    input_that_is_refused,
]

if __name__ == '__main__':
    sys.exit(main(TESTS, sys.argv[1:]))
