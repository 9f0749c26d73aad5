#!/usr/bin/env python3
"""mpiexec and the streams of its ranks: who gets standard input, and where output goes. Most tests run with
a node inside mpiexec, and again with two nodes behind proxies.

Usage: streams_test.py MPIEXEC DIR [TEST...]     DIR has the programs actor and probe.
Prints nothing when all tests pass."""
import fcntl, hashlib, os, re, select, signal, struct, subprocess, sys, termios, time
from harness import *

HERE, REMOTE = (), ('-launcher', 'fork', '-host', 'a,b')
BOTH = HERE, REMOTE


def memory_of(pid):
    """The most that a process has used, in KiB, without what AddressSanitizer takes."""
    with open(mpiexec(), 'rb') as f:
        own = 8192 if b'__asan_init' in f.read() else 0
    with open(f'/proc/{pid}/status') as f:
        return int([line for line in f if line.startswith('VmHWM')][0].split()[1]) - own


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
    for value, why in (4, "'-stdin': there is no rank 4, the job has 4 ranks"), (-1, 'not a rank, all or none'), ('x', 'not a rank'):
        r = run('-stdin', value, '-n', 3, 'true', ':', '-n', 1, 'true')
        assert r.code == 1 and why in r.last, r
    assert "'-stdin': there is no rank 1, the job has 1 rank" in run('-stdin', 1, 'true').err


# ---- prefixes of lines -------------------------------------------------------------------------

DATE = r'[A-Z][a-z]{2} [A-Z][a-z]{2} [ 123]\d \d\d:\d\d:\d\d 20\d\d'


def tagged_lines():
    for where in BOTH:
        r = run(*where, '--tag-output', '-n', 2, actor(), 'say', 'x', 'err', 'y', 'ask', 'z')
        assert sorted(r.out.splitlines()) == [f'[1,{i}]<stdout>:{t}' for i in (0, 1) for t in 'xz'], r
        assert sorted(r.err.splitlines()) == [f'[1,{i}]<stderr>:y' for i in (0, 1)], r


def lines_with_their_time():
    for options, rest in (((), '<stdout>:x'), (('-tag-output',), r'\[1,0\]<stdout>:x'), (('-l',), r'\[0\] x'),
                          (('-prepend-pattern', ' %s '), ' stdout x')):
        for where in BOTH:
            r = run(*where, '--timestamp-output', *options, '-n', 1, actor(), 'say', 'x', 'err', 'y')
            assert re.fullmatch(f'{DATE}{rest}\n', r.out) and re.match(DATE, r.err), (options, r)
    r = run('-timestamp-output', '-n', 1, actor(), 'say', 'x', 'sleep', 2000, 'say', 'y')
    a, b = (time.mktime(time.strptime(line[:24])) for line in r.out.splitlines())
    assert 2 <= b - a <= 6 and abs(time.time() - b) < 5, r


def lines_with_their_time_stay_whole():
    r = run(*REMOTE, '-timestamp-output', '-tag-output', '-n', 4, actor(), 'lines', 3000, 60)
    lines = r.out.splitlines()
    assert len(lines) == 12000, len(lines)
    for line in lines:
        assert re.fullmatch(rf'{DATE}\[1,\d\]<stdout>:(\w)\1{{59}}', line), line


def patterns_of_other_hosts():
    r = run('-launcher', 'fork', '-host', 'a:1,b:2', '-prepend-pattern', '%p %h %r %g %s %q%%: ', '-n', 3, actor(),
            'say', 'x', 'err', 'y')
    assert sorted(r.out.splitlines()) == [f'{h} {r} 0 stdout %q%: x' for h, r in (('0 a', 0), ('1 b', 1), ('1 b', 2))], r
    assert sorted(r.err.splitlines())[2] == '1 b 2 0 stderr %q%: y', r
    with directory() as d:
        r = run(*REMOTE, '-n', 2, '-outfile', '%h.%r.%s', '-errfile', '%h.%p.%s', actor(), 'say', 'x', cwd=d)
        assert sorted(os.listdir(d)) == ['a.0.stderr', 'a.0.stdout', 'b.1.stderr', 'b.1.stdout'], r


# ---- files and ranks that are shown ------------------------------------------------------------

def files_of(d):
    found = {}
    for folder, _, files in os.walk(d):
        for f in files:
            path = os.path.join(folder, f)
            with open(path) as opened:
                found[os.path.relpath(path, d)] = opened.read()
    return found


def output_in_a_directory():
    with directory() as d:
        r = run('-launcher', 'fork', '-host', 'a:8,b:8', '--output', './new/sub', '-n', 11, actor(), 'say', 'x', 'err', 'y',
                cwd=d)
        assert (r.code, r.out, r.err) == (0, '', ''), r
        expected = {f'{"a" if i < 8 else "b"}/rank.{i:02}.{kind}': text
                    for i in range(11) for kind, text in (('out', 'x\n'), ('err', 'y\n'))}
        assert files_of(f'{d}/new/sub') == expected, files_of(d)
        r = run('-output-directory', f'{d}/one/', '-n', 2, '-l', '-errfile', f'{d}/e.%r', actor(), 'say', 'x', 'ask', 'z',
                'err', 'y')
        host = os.uname().nodename
        assert files_of(f'{d}/one') == {f'{host}/rank.{i}.out': f'[{i}] x\n[{i}] z\n' for i in (0, 1)}, (r, files_of(d))
        with open(f'{d}/e.1') as f:
            assert f.read() == '[1] y\n'
        os.mkdir(f'{d}/empty')
        assert run('-output', f'{d}/empty', 'true').code == 0


def directories_that_are_refused():
    with directory() as d:
        with open(f'{d}/file', 'w') as f:
            f.write('mine')
        for where in BOTH:
            for name, why in (('.', 'Directory not empty'), ('file', 'Not a directory'), ('file/x', 'Not a directory'),
                              ('x' * 300, 'File name too long'), ('y/' * 3000, 'File name too long')):
                r = run(*where, '-output-directory', name, '-n', 2, actor(), 'say', 'x', cwd=d)
                assert r.code == 1 and r.out == '' and r.last.startswith(f'mpiexec: cannot write {name}'[:999]), r
                assert r.last.endswith(f': {why}') and r.err.count('\n') == 1, r
        assert files_of(d) == {'file': 'mine'}
        assert 'the name of the directory is empty' in run('-output', '', 'true').err


def output_in_a_directory_and_here():
    """Open MPI's options write files, and what they write to the terminal as well."""
    text = {'out': 'x\nno end', 'err': 'y\n'}
    for where in BOTH:
        for option, shown in (('-output-filename', True), ('--output', True), ('-output-filename', False)):
            with directory() as d:
                name = ('dir=' if option == '--output' else '') + 'new' + ('' if shown else ':nocopy')
                r = run(*where, option, name, '-n', 2, 'sh', '-c', 'echo x; printf "no end"; echo y >&2', cwd=d)
                assert r.code == 0 and r.err == 'y\ny\n' * shown, r
                assert sorted(r.out.split('\n')) == (['no end', 'no end', 'x', 'x'] if shown else ['']), r
                found = files_of(f'{d}/new')
                assert {k.rpartition('/')[2]: v for k, v in found.items()} == {
                    f'rank.{i}.{kind}': text[kind] for i in (0, 1) for kind in text}, found
    with directory() as d:  # the prefix is in both; a rank that is not shown has its files
        r = run('-output', 'tag,dir=new', '-output-from', 1, '-n', 2, 'sh', '-c', 'echo x; printf "no end"; echo y >&2', cwd=d)
        assert (r.out, r.err) == ('[1,1]<stdout>:x\n[1,1]<stdout>:no end\n', '[1,1]<stderr>:y\n'), r
        found = {k.rpartition('/')[2]: v for k, v in files_of(f'{d}/new').items()}
        assert found == {f'rank.{i}.{kind}': ''.join(f'[1,{i}]<std{kind}>:{line}\n' for line in lines) for i in (0, 1)
                         for kind, lines in (('out', ('x', 'no end')), ('err', ('y',)))}, found
        r = run('-output-filename', 'long', '-n', 2, 'sh', '-c', 'head -c 3000000 /dev/zero; echo', cwd=d)
        assert [len(v) for v in files_of(f'{d}/long').values() if v] == [3000001] * 2 and len(r.out) == 6000002, r


def standard_error_with_standard_output():
    script = 'echo x; echo y >&2'
    for where in BOTH:
        with directory() as d:
            r = run(*where, '--merge-stderr-to-stdout', '--tag-output', '-n', 2, 'sh', '-c', script)
            assert r.code == 0 and r.err == '' and sorted(r.out.split()) == [
                '[1,0]<stderr>:y', '[1,0]<stdout>:x', '[1,1]<stderr>:y', '[1,1]<stdout>:x'], r
            r = run(*where, '--output', 'merge', '-outfile', '%r', '-errfile', 'e', '-n', 2, 'sh', '-c', script, cwd=d)
            assert (r.out, r.err) == ('', '') and {k: sorted(v.split()) for k, v in files_of(d).items()} == {
                '0': ['x', 'y'], '1': ['x', 'y']}, (r, files_of(d))


def many_output_files():
    """More than the soft limit of open files."""
    shell = f'ulimit -S -n 64; cd "$1"; exec {mpiexec()} -launcher fork -host a,b -output ./o -n 60 {actor()} say x'
    with directory() as d:
        r = subprocess.run(['sh', '-c', shell, '-', d], capture_output=True, timeout=LIMIT)
        assert (r.returncode, r.stdout, r.stderr) == (0, b'', b''), r
        files = files_of(d)
        assert len(files) == 120 and list(files.values()).count('x\n') == 60, len(files)


def output_of_some_ranks():
    for where in BOTH:
        for ranks, expected in ('2', '2'), ('0,2-3,5', '0235'), ('5,0-1,0', '015'):
            r = run(*where, '-output-from', ranks, '-n', 6, 'sh', '-c', 'echo $PMI_RANK; echo $PMI_RANK >&2')
            assert r.code == 0 and sorted(r.out) == ['\n'] * len(expected) + list(expected), r
            assert sorted(r.err) == sorted(r.out), r
        r = run(*where, '-output-from', 1, '-n', 3, 'sh', '-c', 'head -c 3000000 /dev/zero; [ $PMI_RANK != 0 ] || exit 3')
        assert r.code == 3 and len(r.out) == 3000000 and 'rank 0 on' in r.last, (r.code, len(r.out), r.err)
        with directory() as d:
            r = run(*where, '-output-from', 1, '-outfile', '%r', '-l', '-n', 3, actor(), 'say', 'x', 'err', 'y', cwd=d)
            assert files_of(d) == {f'{i}': f'[{i}] x\n' for i in range(3)} and r.err == '[1] y\n', (r, files_of(d))
    for ranks in '', '1-', '-1', '3-2', 'a', ',1', '1,,2', '1-2-3', '99999999999':
        r = run('-n', 4, '-output-from', ranks, 'true')
        assert r.code == 1 and r.last.endswith('not a list of ranks, as 0,4-7'), r
    assert "'-output-from': there is no rank 9, the job has 4 ranks" in run('-output-from', '0-9', '-n', 4, 'true').last


def a_rank_without_output_has_null():
    with directory() as d:
        run('-output-from', 1, '-n', 2, 'sh', '-c', 'for i in 1 2; do x=$(readlink /proc/$$/fd/$i); echo $x >>$PMI_RANK; done', cwd=d)
        assert files_of(d)['0'] == '/dev/null\n/dev/null\n', files_of(d)
        assert re.fullmatch(r'(pipe:\S+\n){2}', files_of(d)['1']), files_of(d)


def lines(size):
    """A program that prints so many bytes, in lines of 100."""
    return 'sh', '-c', f'yes {"x" * 99} | head -c {size}'


def one_of_many_files_is_slow():
    """A pipe that is not read stalls its rank alone. What is under way from a host has a limit for all ranks."""
    with directory() as d:
        os.mkfifo(f'{d}/0')
        reader = os.open(f'{d}/0', os.O_RDONLY | os.O_NONBLOCK)
        for where, ranks in (HERE, 8), (REMOTE, 40):
            p = start(*where, '-outfile', '%r', '-n', ranks, *lines(3000000), cwd=d)
            others = range(1, ranks)
            wait_until(lambda: all(os.path.exists(f'{d}/{i}') for i in others))
            wait_until(lambda: all(os.path.getsize(f'{d}/{i}') == 3000000 for i in others), LIMIT)
            assert p.poll() is None
            most = max(memory_of(pid) for pid in job_processes(p.pid))
            assert most < 12288, most
            got = 0
            while got < 3000000:
                try:
                    got += len(os.read(reader, 1 << 20))
                except BlockingIOError:
                    time.sleep(0.01)
            r = finish(p)
            assert (r.code, r.out, r.err, got) == (0, '', '', 3000000), r
            for i in others:
                os.unlink(f'{d}/{i}')
        os.close(reader)
        r = run('-outfile', '%r', '-n', 1, 'true', cwd=d)
        assert r.code == 1 and r.last == 'mpiexec: cannot write 0: No such device or address', r


def files_of_many_ranks_need_little_memory():
    """Files that take output slowly: mpiexec is stopped while the ranks write."""
    with directory() as d:
        p = start(*REMOTE, '-output', f'{d}/o', '-n', 64, 'sh', '-c', f'echo; sleep 1; {lines(2000000)[2]}')
        wait_until(lambda: len(files_of(f'{d}/o')) == 128 and sum(map(len, files_of(f'{d}/o').values())) >= 64)
        worker = worker_of(p)
        os.kill(worker, signal.SIGSTOP)
        time.sleep(2)
        proxies = [pid for pid in job_processes(p.pid) if pid != worker]
        most = max(memory_of(pid) for pid in proxies)
        os.kill(worker, signal.SIGCONT)
        r = finish(p)
        assert r.code == 0 and len(proxies) == 2 and most < 9216, (r, most)
        assert sum(map(len, files_of(f'{d}/o').values())) == 64 * 2000001


# ---- the line about hosts that are waited for --------------------------------------------------

SLOW_START = """#!/bin/sh
while [ $# -gt 3 ]; do shift; done
case $1 in slow*) %s sleep 2;; esac
shift; exec sh -c "$*"
"""


def on_terminal(size, hosts, say='', program=('true',)):
    """Starts a job whose hosts called slow* take two seconds, on a terminal; returns what is written there."""
    with directory() as d:
        with open(f'{d}/ssh', 'w') as f:
            f.write(SLOW_START % say)
        os.chmod(f'{d}/ssh', 0o755)
        args = ['-launcher-exec', f'{d}/ssh', '-hosts', hosts, '-n', len(hosts.split(',')), *program]
        master, terminal = os.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('4H', 24, size, 0, 0))
        p = start(*args, stdout=terminal, stderr=terminal)
        os.close(terminal)
        got, end = b'', time.monotonic() + LIMIT
        while time.monotonic() < end and (p.poll() is None or select.select([master], [], [], 0)[0]):
            if select.select([master], [], [], 0.05)[0]:
                try:
                    got += os.read(master, 65536)
                except OSError:  # the end
                    break
        assert p.wait(LIMIT) == 0, got
        os.close(master)
        check_nothing_left()
        return got.decode()


def screen(text):
    """The lines that a reader sees at the end."""
    lines = []
    for line in text.split('\r\n'):
        cells = []
        for part in line.split('\r'):
            cells[:len(part)] = part
        lines.append(''.join(cells).rstrip())
    return [line for line in lines if line]


def hosts_that_are_waited_for():
    text = 'mpiexec: 2 of 4 hosts are ready, waiting for slow1, slow2'
    got = on_terminal(80, 'x,slow1,y,slow2', program=(actor(), 'say', 'x'))
    assert got.count(text) == 1 and screen(got) == ['x'] * 4, got
    assert got.index(text) < got.index('x\r\n'), got
    got = on_terminal(0, 'x,slow')
    assert 'mpiexec: 1 of 2 hosts are ready, waiting for slow\r' in got and screen(got) == [], got


def a_narrow_terminal():
    for size in 20, 58, 70:
        got = on_terminal(size, 'x,slow-one,slow-two,slow-three')
        shown = [part.rstrip() for part in got.split('\r') if part.strip()]
        text = 'mpiexec: 1 of 4 hosts are ready, waiting for '
        names = {20: '', 58: '...', 70: 'slow-one, slow-two, ...'}[size]
        assert shown and shown[0] == (text + names)[:size - 1].rstrip(), (size, shown)
        # On a busy machine hosts are not ready at the same time: a line for each number that are.
        assert all(len(line) < size and re.match('mpiexec: [123] of 4', line) for line in shown), (size, shown)
        assert screen(got) == [], got


def lines_while_hosts_are_waited_for():
    """What hosts print does not mix with it."""
    got = on_terminal(80, 'x,slow1,slow2', 'sleep 1.3; echo from $1 >&2;')
    assert screen(got) == ['mpiexec: host slow1: from slow1', 'mpiexec: host slow2: from slow2'] or screen(got) == [
        'mpiexec: host slow2: from slow2', 'mpiexec: host slow1: from slow1'], got
    assert 'waiting for slow1, slow2' in got, got


def no_such_line_without_a_terminal():
    with directory() as d:
        with open(f'{d}/ssh', 'w') as f:
            f.write(SLOW_START % '')
        os.chmod(f'{d}/ssh', 0o755)
        r = run('-launcher-exec', f'{d}/ssh', '-host', 'x,slow', '-n', 2, 'true')
        assert (r.code, r.out, r.err) == (0, '', '') and r.seconds > 2, r


TESTS = [
    hosts_that_are_waited_for, a_narrow_terminal, lines_while_hosts_are_waited_for, no_such_line_without_a_terminal,
    tagged_lines, lines_with_their_time, lines_with_their_time_stay_whole, patterns_of_other_hosts,
    output_in_a_directory, output_in_a_directory_and_here, standard_error_with_standard_output,
    directories_that_are_refused, many_output_files, output_of_some_ranks,
    a_rank_without_output_has_null, one_of_many_files_is_slow, files_of_many_ranks_need_little_memory,
    input_of_one_rank, input_of_no_rank, input_of_all_ranks, ranks_that_do_not_read, the_slowest_reader_counts,
    input_that_is_refused,
]

if __name__ == '__main__':
    # AddressSanitizer keeps freed memory, up to this much: the tests measure what mpiexec needs.
    os.environ['ASAN_OPTIONS'] = os.environ.get('ASAN_OPTIONS', '') + ':quarantine_size_mb=1'
    sys.exit(main(TESTS, sys.argv[1:]))
