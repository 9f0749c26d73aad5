#!/usr/bin/env python3
"""mpiexec -json FILE describes the job, however it ends.

Usage: report_test.py MPIEXEC DIR [TEST...]     DIR has the programs actor and probe.
Prints nothing when all tests pass."""
import datetime, json, os, random, signal, stat, subprocess, sys, time
from harness import *

REMOTE = ('-launcher', 'fork', '-host', 'a:2,b:2')


def read(path):
    with open(path) as f:
        return json.load(f)


def report(*args, **options):
    """Runs a job; returns its report and its Result. Nothing else is left in the directory."""
    with directory() as d:
        r = run('-json', f'{d}/r', *args, **options)
        assert os.listdir(d) == ['r'], (os.listdir(d), r)
        return read(f'{d}/r'), r


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace('Z', '+00:00')).timestamp()


def what_a_job_was():
    before = time.time()
    found, r = report('-launcher', 'fork', '-hosts', 'a:2,b:2', '-n', 3, '-x', 'A=b', 'sleep', 0.5, ':', '-wdir', '/', '-n', 1, 'true')
    assert (found['exit_code'], found['cause'], found['rank'], found['message']) == (0, None, None, None), found
    assert found['format'] == 1 and found['version'] and found['host'] == os.uname().nodename, found
    assert found['directory'] == os.getcwd() and found['command'][3:5] == ['-launcher', 'fork'], found
    assert 'A=b' in found['command'], found
    assert found['programs'] == [{'ranks': 3, 'directory': None, 'arguments': ['sleep', '0.5']},
                                 {'ranks': 1, 'directory': '/', 'arguments': ['true']}], found
    assert [(h['name'], h['ranks'], h['ready'], h['refusal']) for h in found['hosts']] == [
        ('a', 2, True, None), ('b', 2, True, None)], found
    ranks = found['ranks']
    assert [(x['rank'], x['host'], x['program'], x['state'], x['exit_code'], x['signal']) for x in ranks] == [
        (i, 'aabb'[i], int(i == 3), 'exited', 0, None) for i in range(4)], ranks
    assert len({x['pid'] for x in ranks}) == 4 and all(x['pid'] > 1 for x in ranks)
    times = [found['started']] + [ranks[0][t] for t in ('started', 'ended')] + [found['ended']]
    times = [seconds(t) for t in times]
    assert before - 1 < times[0] and times == sorted(times) and times[2] - times[1] > 0.4, times
    assert abs(found['seconds'] - (times[3] - times[0])) < 0.01, found


def how_jobs_end():
    sh = 'sh', '-c'
    for args, code, cause, rank in (
            (('-n', 3, *sh, 'exit $PMI_RANK'), (1, 2), 'exited', (1, 2)),
            (('-n', 2, *sh, '[ $PMI_RANK = 1 ] && kill -9 $$; sleep 9'), 137, 'killed', 1),
            (('-n', 3, probe(), 1, 'abort', 42), 42, 'aborted', 1),
            (('-n', 3, probe(), 1, 'nofinalize', 0), 1, 'not finalized', 1),
            (('-n', 3, probe(), 1, 'close', 0), 1, 'protocol error', 1),
            (('-timeout', 1, 'sleep', 9), 124, 'timed out', None)):
        for where in (), REMOTE:
            found, r = report(*where, *args)
            assert r.code == found['exit_code'] and found['cause'] == cause, (found, r)
            assert r.code in (code if isinstance(code, tuple) else (code,)), (found, r)
            assert found['rank'] in (rank if isinstance(rank, tuple) else (rank,)), (found, r)
            assert r.last == 'mpiexec: ' + found['message'], (found, r)
            assert all(x['ended'] >= x['started'] for x in found['ranks']), found
            if cause == 'killed':
                assert (found['ranks'][1]['state'], found['ranks'][1]['signal']) == ('killed', 9), found


def jobs_that_do_not_start():
    for args, code, message in (
            (('-n', 2, '/nonexistent'), 127, "cannot start '/nonexistent': No such file or directory"),
            (('-wdir', '/nonexistent', 'true'), 1, "'-wdir /nonexistent': No such file or directory")):
        for where in (), REMOTE:
            found, r = report(*where, *args)
            assert (r.code, found['cause'], found['message']) == (code, 'refused', message), (found, r)
            assert found['hosts'][0]['refusal'] == message, found
            assert {(x['state'], x['pid'], x['started']) for x in found['ranks']} == {('not started', None, None)}, found
    for args, message in (('-n', 2, '-stdin', 7, 'true'), "'-stdin': there is no rank 7, the job has 2 ranks"), (
            ('-n', 'x', 'true'), "'-n x': not a number of processes"), (('-n', 2), "no program after '2'"):
        found, r = report(*args)
        assert (r.code, found['cause'], found['message'], found['ranks']) == (1, 'refused', message, []), (found, r)


def interrupted_jobs():
    with directory() as d:
        p = start('-json', f'{d}/r', '-n', 2, actor(), 'hold')
        family(p, 2)
        p.send_signal(signal.SIGINT)
        r, found = finish(p), read(f'{d}/r')
        assert (r.code, found['cause'], found['exit_code']) == (130, 'interrupted', 130), (r, found)
        assert {x['signal'] for x in found['ranks']} == {2}, found


def a_lost_host():
    with directory() as d:
        p = start('-json', f'{d}/r', *REMOTE, '-n', 4, 'sh', '-c', 'echo $PPID; sleep 99')
        proxies = sorted({int(p.stdout.readline()) for _ in range(4)})
        os.kill(proxies[1], signal.SIGKILL)
        r, found = finish(p), read(f'{d}/r')
        assert r.code == 1 and found['cause'] == 'host lost' and r.last == 'mpiexec: ' + found['message'], (r, found)
        lost = [x['rank'] for x in found['ranks'] if x['state'] == 'lost']
        assert lost in ([0, 1], [2, 3]), found
    check_nothing_left(2)


def names_of_any_bytes():
    dice = random.Random(5)
    words = [bytes(dice.choice((dice.randrange(1, 256), dice.randrange(0x80, 0xc0), dice.randrange(0xe0, 0xf8)))
                   for _ in range(40)) for _ in range(60)]
    words += ['é €\U0001f600 "\\/\b\x7f\n\t'.encode(), b'\xed\xa0\x80\xc0\x80\xf4\x90\x80\x80\xe2\x82', b'']
    found, r = report('-prepend-pattern', os.fsdecode(b'\xff"'), '-n', 1, 'true', *(os.fsdecode(w) for w in words))
    assert r.code == 0 and [os.fsencode(w) for w in found['programs'][0]['arguments']] == [b'true'] + words, found
    assert os.fsencode(found['command'][4]) == b'\xff"', found['command'][4]
    assert found['programs'][0]['arguments'][61] == 'é €\U0001f600 "\\/\b\x7f\n\t', found


def files():
    """Links stay, modes are those of a new file, an old file is replaced as a whole."""
    with directory() as d:
        with open(f'{d}/old', 'w') as f:
            f.write('x' * 100000)
        os.symlink('old', f'{d}/link')
        with open(f'{d}/old') as before:
            assert run('-json', 'link', 'true', cwd=d, umask=0o027).code == 0
            assert before.read() == 'x' * 100000
        assert os.readlink(f'{d}/link') == 'old' and read(f'{d}/old')['exit_code'] == 0
        assert stat.S_IMODE(os.stat(f'{d}/old').st_mode) == 0o640 and sorted(os.listdir(d)) == ['link', 'old']


def standard_output_and_pipes():
    r = run('-json', '-', '-n', 2, actor(), 'say', 'first')
    assert r.out.startswith('first\nfirst\n{'), r
    assert json.loads(r.out[len('first\n') * 2:])['exit_code'] == 0, r
    with directory() as d:
        os.mkfifo(f'{d}/pipe')
        reader = subprocess.Popen(['cat', f'{d}/pipe'], stdout=subprocess.PIPE)
        time.sleep(0.2)
        assert run('-json', f'{d}/pipe', '-n', 200, 'true').code == 0
        assert len(json.loads(reader.communicate(timeout=LIMIT)[0])['ranks']) == 200
        r = run('-json', f'{d}/pipe', 'true')  # no reader
        assert r.code == 1 and r.last == f'mpiexec: cannot write {d}/pipe: No such device or address', r
    assert run('-json', '/dev/null', 'true').code == 0


def files_that_cannot_be_written():
    with directory() as d:
        for name, why in ('.', 'Is a directory'), ('x/y', 'No such file or directory'), ('', 'No such file or directory'):
            r = run('-json', name, actor(), 'say', 'x', cwd=d)
            assert (r.code, r.out, r.last) == (1, '', f"mpiexec: '-json {name}': {why}"), r
        for shell, code in ('rm -r $1', 1), ('rm -r $1; exit 7', 7):
            os.mkdir(f'{d}/gone')
            r = run('-json', f'{d}/gone/r', 'sh', '-c', shell, '-', f'{d}/gone')
            assert r.code == code and f'cannot write {d}/gone/r: No such file or directory\n' in r.err, r
        assert os.listdir(d) == [], os.listdir(d)


TESTS = [
    what_a_job_was, how_jobs_end, jobs_that_do_not_start, interrupted_jobs, a_lost_host, names_of_any_bytes, files,
    standard_output_and_pipes, files_that_cannot_be_written,
]

if __name__ == '__main__':
    sys.exit(main(TESTS, sys.argv[1:]))
