#!/usr/bin/env python3
"""Jobs on several nodes that have proxies, and proxies without mpiexec.

Usage: remote_test.py MPIEXEC DIR [TEST...]     DIR has the programs actor and probe.
Prints nothing when all tests pass."""
import hashlib, os, re, signal, struct, subprocess, sys, time
from remote import *


# ---- what a job does -------------------------------------------------------------------------------

def output_of_all_hosts():
    r = on('a:2,b:2,c:1', '-prepend-pattern', '%h %r: ', '-n', 5, actor(), 'say', 'x')
    assert r.code == 0 and r.err == '', r
    assert sorted(r.out.splitlines()) == ['a 0: x', 'a 1: x', 'b 2: x', 'b 3: x', 'c 4: x'], r
    r = on('a,b,c,d', '-n', 8, actor(), 'lines', 3000, 60)
    assert r.code == 0 and r.err == '', r
    lines = r.out.splitlines()
    assert len(lines) == 24000 and all(len(x) == 60 and x == x[0] * 60 for x in lines), len(lines)
    r = on('a,b', '-n', 2, actor(), 'lines', 5, 300000)
    assert r.code == 0 and len(r.out) == 10 * 300001, r
    assert all(x == x[0] * 300000 for x in r.out.splitlines())


def last_lines_and_streams():
    r = on('a,b', '-n', 2, actor(), 'say', 'o', 'err', 'e', 'ask', 'end')
    assert (r.code, sorted(r.out.split()), r.err) == (0, ['end', 'end', 'o', 'o'], 'e\ne\n'), r


def output_files():
    with directory() as d:
        r = on('a,b', '-n', 2, '-outfile-pattern', 'o.%r.%h', actor(), 'say', 'x', cwd=d)
        assert r.code == 0 and sorted(os.listdir(d)) == ['o.0.a', 'o.1.b'], (r, os.listdir(d))


def exit_codes():
    for args, code in (('exit', 3), 3), (('say', 'x'), 0):
        assert on('a,b', '-n', 2, actor(), *args).code == code
    r = on('a,b', '-n', 2, 'sh', '-c', '[ $PMI_RANK = 1 ] && kill -9 $$; sleep 100')
    assert r.code == 137 and 'rank 1 on b was killed by SIGKILL' in r.last, r
    r = on('a,b', '-n', 1, actor(), 'exit', 4, ':', '-host', 'b', '-n', 1, 'true')
    assert r.code == 4, r


def numbers_of_ranks():
    r = on('a:2,b:2', '-n', 4, 'sh', '-c', 'echo $PMI_RANK $MPI_LOCALRANKID $MPI_LOCALNRANKS $PMI_SIZE')
    assert sorted(r.out.splitlines()) == ['0 0 2 4', '1 1 2 4', '2 0 2 4', '3 1 2 4'], r


def standard_input():
    data = os.urandom(3000000)
    digest = hashlib.sha256(data).hexdigest()
    for extra in (), ('-l',):
        r = on('a,b', *extra, '-n', 2, 'sh', '-c', 'sha256sum', data=data)
        assert r.code == 0 and digest in r.out and hashlib.sha256(b'').hexdigest() in r.out, r
    with directory() as d:
        with open(f'{d}/in', 'wb') as f:
            f.write(data)
        with open(f'{d}/in') as f:
            assert digest in on('a,b', '-n', 2, 'sha256sum', stdin=f).out
    assert on('a,b', '-n', 2, 'cat').out == ''  # /dev/null
    r = on('a,b', '-n', 2, 'true', data=data)  # nobody reads it
    assert r.code == 0, r
    r = on('a,b', '-n', 2, 'sh', '-c', 'sleep 0.5; sha256sum', data=data)
    assert digest in r.out, r


def a_stalled_reader_stalls_its_sink():
    """Standard output is not read; lines on standard error still come, and memory stays small."""
    p = start(*job('a,b', '-n', 2, 'sh', '-c', f'{actor()} lines 200000 99 & sleep 1; echo here >&2; wait'))
    got = b''
    while got.count(b'here') < 2:
        got += os.read(p.stderr.fileno(), 100)
    for pid in [worker_of(p)] + [w for _, w in proxies_of(p, 2)]:
        with open(f'/proc/{pid}/status') as f:
            size = int([line for line in f if line.startswith('VmRSS')][0].split()[1])
        assert size < 20000, (name_of(pid), size)
    r = finish(p)
    assert r.code == 0 and r.out.count('\n') == 400000, (r.code, r.out.count('\n'))


def signals_reach_all():
    p = start(*job('a,b', '-grace', 1, '-n', 2, actor(), 'catch', 'say', 'up', 'hold'))
    assert p.stdout.read(6) == b'up\nup\n'
    p.send_signal(signal.SIGUSR1)
    assert p.stdout.read(20) == b'caught 10\ncaught 10\n'
    p.terminate()
    r = gone(p)
    assert r.code == 143, r
    p = start(*job('a,b', '-grace', 1, '-n', 4, actor(), 'stubborn', 'hold'))
    ranks_of(p, 4)
    p.send_signal(signal.SIGINT)
    assert gone(p).code == 130


def stopped_and_continued():
    p = start(*job('a,b', '-n', 2, actor(), 'hold'))
    ranks = ranks_of(p, 2)
    p.send_signal(signal.SIGTSTP)
    wait_until(lambda: all(state_of(pid) == 'T' for pid in ranks + [p.pid]))
    p.send_signal(signal.SIGCONT)
    wait_until(lambda: all(state_of(pid) != 'T' for pid in ranks))
    p.terminate()
    gone(p)


def quiet_jobs_are_not_lost():
    r = on('a,b', '-node-timeout', 1, '-n', 2, 'sleep', 2.5)
    assert r.code == 0 and r.err == '', r


def time_limit():
    p = start(*job('a,b', '-timeout', 1, '-n', 2, actor(), 'hold'))
    assert gone(p, 4).code == 124


def pmi_over_frames():
    r = on('a:2,b,c:3', '-n', 6, probe())
    assert r.code == 0 and r.err == '' and r.out.count(' of 6, appnum 0') == 6, r
    r = on('a,b', '-set', 'A=1', '-n', 2, probe(), 'settings')
    assert r.code == 0 and 'A=1' in r.out, r
    for what, code in (('abort', 42), ('exit', 5), ('signal', 9), ('nofinalize', 0), ('close', 0)):
        r = on('a,b,c', '-n', 3, probe(), 1, what, code)
        assert r.code == {'signal': 137}.get(what, code or 1) and 'rank 1 on b' in r.last, r


def programs_without_mpi():
    for code, why in (0, 'never called MPI_Init'), (6, 'exited with code 6'):
        r = on('a:2,b', '-n', 3, 'sh', '-c', f'[ $PMI_RANK = 2 ] && exit {code}; exec {probe()}')
        assert r.code == (code or 1) and f'rank 2 on b {why}' in r.last, r
    r = on('a:2,b', '-n', 3, probe(), 'late', 1, 6)
    assert r.code == 6 and 'rank 1 on a exited with code 6' in r.last, r


def strays_end_with_the_job():
    p = start(*job('a,b', '-n', 2, actor(), 'daemon', 'hold'))
    ranks_of(p, 4)
    p.terminate()
    assert gone(p).code == 143
    r = on('a,b', '-n', 2, actor(), 'daemon', 'say', 'x')
    assert r.code == 0, r


# ---- environment and directories ---------------------------------------------------------------------

def environment():
    env = {**os.environ, 'FOO': 'bar', 'SSH_CONNECTION': 'mine', 'HOSTNAME': 'mine', 'DISPLAY': ':7'}
    show = 'echo "$FOO|$SSH_CONNECTION|$HOSTNAME|$DISPLAY|$LONG"'
    with script('shift 5; shift; unset SSH_CONNECTION DISPLAY; export HOSTNAME=there FOO=there; exec sh -c "$*"') as s:
        def there(*options, **more):
            return run('-launcher-exec', s, '-host', 'h,i', *options, '-n', 2, 'sh', '-c', show, env={**env, **more}).out
        assert there() == 'bar||there||\n' * 2, there()
        assert there('-genv', 'HOSTNAME', 'set') == 'bar||set||\n' * 2
        assert there('-genvlist', 'DISPLAY,PATH') == '|||:7|\n' * 2
        assert there('-genvnone') == '||||\n' * 2
        assert there(LONG='x' * 100000) == f'bar||there||{"x" * 100000}\n' * 2


def ranks_are_bound():
    """What starling_topo prints on a host, and the CPUs of its ranks, go through the channel."""
    cpu = min(os.sched_getaffinity(0))
    allowed = 'sed -n s/^Cpus_allowed_list:.//p /proc/self/status'
    r = on('a,b', '-n', 2, '-bind-to', f'user:{cpu}', 'sh', '-c', allowed)
    assert (r.code, r.out, r.err) == (0, f'{cpu}\n' * 2, ''), r
    r = on('a,b', '-n', 2, '-bind-to', 'hwthread', '-report-bindings', 'true')
    assert r.code == 0 and f'rank 0 on a: CPUs {cpu} [' in r.err and f'rank 1 on b: CPUs {cpu} [' in r.err, r


def architecture():
    r = on('a,b', '-n', 2, '-arch', 'vax', 'true')
    assert r.code == 1 and r.err == "mpiexec: '-arch vax': the host is of another architecture (on a, b)\n", r


def working_directory():
    with directory() as d:
        os.mkdir(f'{d}/sub')
        assert on('a,b', '-n', 2, 'pwd', cwd=d).out == f'{d}\n' * 2
        assert on('a,b', '-wdir', 'sub', '-n', 2, 'pwd', cwd=d).out == f'{d}/sub\n' * 2
        r = on('a,b', '-wdir', '/nonexistent', '-n', 2, 'pwd')
        assert r.code == 1 and r.err == "mpiexec: '-wdir /nonexistent': No such file or directory (on a, b)\n", r
        with script(f'shift 5; shift; rmdir {d}/here; exec sh -c "$*"') as s:
            os.mkdir(f'{d}/here')
            r = run('-launcher-exec', s, '-host', 'h', '-n', 1, 'pwd', cwd=f'{d}/here')
            assert r.code == 1 and 'the working directory of mpiexec, ?: No such file or directory; see -wdir' in r.err, r


def missing_programs_are_one_line():
    r = on('a,b,c', '-n', 3, './nonexistent')
    assert r.code == 127, r
    assert r.err == "mpiexec: cannot start './nonexistent': No such file or directory (on a, b, c)\n", r
    with directory() as d:
        with open(f'{d}/bad', 'w') as f:
            f.write('#!/nonexistent/shell\n')
        os.chmod(f'{d}/bad', 0o755)
        r = on('a,b', '-n', 2, f'{d}/bad')
        assert r.code == 127 and 'could not be started' in r.last and '/nonexistent/shell' in r.last, r


# ---- relays ------------------------------------------------------------------------------------------

NINE = '-branch-count', 2, *job(','.join('abcdefghi'))


def relays_of(p):
    return [pid for pid in children(worker_of(p) or 0) if command_of(pid)[1:2] == ['--starling-relay']]


def output_through_relays():
    r = run(*NINE, '-prepend-pattern', '%h %r ', '-n', 9, actor(), 'say', 'x')
    assert r.code == 0 and r.err == '' and sorted(r.out.splitlines()) == [f'{h} {i} x' for i, h in enumerate('abcdefghi')], r
    r = run(*NINE, '-n', 18, actor(), 'lines', 2000, 300)
    assert r.code == 0 and r.err == '', r
    lines = r.out.splitlines()
    assert len(lines) == 36000 and all(len(x) == 300 and x == x[0] * 300 for x in lines), len(lines)
    assert run(*NINE, '-n', 9, probe()).out.count(' of 9,') == 9
    data = DICE.randbytes(3 << 20)
    r = run(*NINE, '-n', 9, 'sh', '-c', '[ $PMI_RANK != 0 ] || md5sum', data=data)
    assert r.code == 0 and r.out.split()[0] == hashlib.md5(data).hexdigest(), r


def ends_through_relays():
    r = run(*NINE, '-n', 9, 'sh', '-c', '[ $PMI_RANK != 8 ] || kill -9 $$; exec sleep 60')
    assert r.code == 137 and r.err.startswith('mpiexec: rank 8 on i was killed by SIGKILL') and r.seconds < 9, r
    r = run(*NINE, '-n', 9, './nosuch')
    assert r.code == 127 and r.err.count('\n') == 1 and '(on a, b, c, d, e, f, g, h and 1 other hosts)' in r.err, r
    p = start(*NINE, '-n', 9, actor(), 'hold')
    ranks_of(p, 9)
    assert len(relays_of(p)) == 2
    p.send_signal(signal.SIGINT)
    assert gone(p).code == 130


def a_relay_is_killed():
    for _ in range(3):
        p = start(*NINE, '-n', 9, actor(), 'hold')
        ranks_of(p, 9)
        os.kill(DICE.choice(relays_of(p)), signal.SIGKILL)
        r = gone(p)
        assert r.code == 1 and re.fullmatch('mpiexec: host [ab]: its proxy was killed by SIGKILL\n', r.err), r


def any_process_is_killed():
    for _ in range(KILLS):
        p = start(*NINE, '-n', 9, actor(), 'hold')
        ranks = ranks_of(p, 9)
        victim = DICE.choice([pid for pid in all_of(p.pid) if pid != p.pid])
        what = victim in ranks, command_of(victim)
        os.kill(victim, signal.SIGKILL)
        r = gone(p)
        assert r.code, (what, r)


def hosts_that_the_relay_cannot_reach():
    """mpiexec reaches them itself. The stand-in for ssh fails in a relay, or does not answer there."""
    for harm in 'echo no route >&2; exit 255', 'exec sleep 60':
        with script('echo $6 >>$CALLS; case $7$(tr "\\0" " " </proc/$PPID/cmdline) in *relay*relay*) ;; '
                    f'*mpiexec*--starling-relay\\ *) {harm} ;; esac; shift 6; exec sh -c "$*"') as s:
            env = {**os.environ, 'CALLS': s + '.calls'}
            r = run('-branch-count', 1, '-node-timeout', 2, '-launcher-exec', s, '-host', 'a,b,c', '-n', 3, 'echo', 'x',
                    env=env)
            assert (r.code, r.out, r.err) == (0, 'x\n' * 3, ''), r
            with open(s + '.calls') as f:
                calls = sorted(f.read().split())
            assert calls == ['a', 'b', 'b', 'c', 'c'], calls
            os.unlink(s + '.calls')


# ---- kills -------------------------------------------------------------------------------------------

def held(ranks=4, *options, hosts='a,b'):
    p = start(*job(hosts, *options, '-n', ranks, actor(), 'daemon', 'hold'), env=without_leak_check())
    ranks_of(p, 2 * ranks)
    return p


def a_proxy_is_killed():
    for which in 0, 1:
        p = held()
        victim = proxies_of(p, 2)[1]
        os.kill(victim[which], signal.SIGKILL)
        r = gone(p)
        assert r.code == 1 and ('host a: ' in r.last or 'host b: ' in r.last) and 'killed' in r.err, r
    p = held()
    for pid in proxies_of(p, 2)[0]:
        with contextlib.suppress(ProcessLookupError):  # the second one may have ended with the first
            os.kill(pid, signal.SIGKILL)
    r = gone(p)
    assert r.code == 1 and 'its proxy was killed' in r.last, r


def a_proxy_is_terminated():
    """With its ranks, too, as scancel does: these may have died before it looks."""
    for with_ranks in False, True:
        p = held()
        supervisor, worker = proxies_of(p, 2)[0]
        ranks = children(worker)
        os.kill(worker, signal.SIGSTOP)
        for pid in [*ranks, supervisor] if with_ranks else [supervisor]:
            os.kill(pid, signal.SIGTERM)
        wait_until(lambda: has_taken_signals(supervisor)) # else only the ranks' ends may be known
        os.kill(worker, signal.SIGCONT)
        r = gone(p)
        assert r.code == 143 and r.last.startswith('mpiexec: ended by SIGTERM, which was sent to the proxy on '), r


def mpiexec_is_killed():
    p = held()
    p.kill()
    assert gone(p).code == -9
    p = held()
    os.kill(worker_of(p), signal.SIGKILL)
    assert gone(p).code == 137
    p = held()
    worker = worker_of(p)
    p.kill()  # first: it would kill processes of proxies that have lost the other one
    os.kill(worker, signal.SIGKILL)
    gone(p)


def a_proxy_is_stopped():
    """It does not answer: the job ends, and so does the proxy."""
    p = held(4, '-node-timeout', 1)
    os.kill(proxies_of(p, 2)[1][1], signal.SIGSTOP)
    r = gone(p, 6)
    assert r.code == 1 and 'its proxy has not answered for 1' in r.last, r


def mpiexec_is_stopped():
    """The proxies end their ranks, although the channel is open."""
    p = held(4, '-node-timeout', 1)
    os.kill(worker_of(p), signal.SIGSTOP)
    wait_until(lambda: 'actor' not in [name_of(pid) for pid in all_of(p.pid)])
    os.kill(worker_of(p), signal.SIGCONT)
    r = gone(p, 6)
    assert r.code == 1 and 'host ' in r.last, r


def a_dead_host_does_not_hold_up_the_end():
    """A proxy that is stopped while the job is ended by a signal."""
    p = held()
    os.kill(proxies_of(p, 2)[1][1], signal.SIGSTOP)
    p.terminate()
    r = gone(p, 6)
    assert r.code == 143 and 'does not answer' in r.err, r


def random_kills():
    for i in range(KILLS):
        p = held(6, hosts='a,b,c')
        proxies = proxies_of(p, 3)
        ranks = [pid for _, worker in proxies for pid in children(worker)]
        victims = [p.pid, worker_of(p), *(pid for proxy in proxies for pid in proxy), *ranks]
        os.kill(DICE.choice(victims), signal.SIGKILL)
        r = gone(p, 3)
        assert r.code, r


def kills_while_it_starts():
    for i in range(KILLS):
        p = start(*job('a,b,c', '-n', 6, actor(), 'daemon', 'hold'), env=without_leak_check())
        time.sleep(DICE.random() * 0.05)
        victims = all_of(p.pid)
        with contextlib.suppress(OSError):
            os.kill(DICE.choice(victims), signal.SIGKILL)
        with contextlib.suppress(AssertionError):  # a process may have been starting then
            wait_until(lambda: p.poll() is not None, 1.5)
        if p.poll() is None:
            p.terminate()
        gone(p, 4)


# ---- a proxy without mpiexec ---------------------------------------------------------------------------

VERSION = 7

KINDS = ('BEAT HELLO PREPARE START RESIZE CREDIT JOB NOTE INPUT SIGNAL FIND_EXITING FINISH END KILL DROP_OUTPUT CHILD '
         'CHILD_END RELAY READY REFUSED STARTED NOT_STARTED OUTPUT OUTPUT_ENDED PMI_ENDED PMI_STUCK '
         'INPUT_TAKEN INPUT_ENDED EXITING EXITED LOG FAILED EXITING_FOUND SIGNALED ENDED CHILD_LINE CHILD_EXITED '
         'FORGET FORGOTTEN').split()


def frame(kind, number=0, value=0, payload=b''):
    return struct.pack('<IHHii', len(payload), KINDS.index(kind) + 1, 0, number, value) + payload


def numbers(*all_of_them):
    return b''.join(struct.pack('<q', n) for n in all_of_them)


def text(t):
    return numbers(0) if t is None else numbers(len(t) + 1) + t + b'\0'


def texts(*all_of_them):
    return numbers(len(all_of_them)) + b''.join(text(t) for t in all_of_them)


def note(kind, generation=0, rank=0, value=0, payload=b''):
    return numbers(kind, generation, rank, value) + payload


def session(number=0):
    """Of a job that is the only one, or of the one after it."""
    program = (texts(b'/bin/sh', b'-c', b'read x; echo $x; exit 3') + text(None) * 2 + numbers(0) + text(None)
               + numbers(0) + texts(b'A=b') + numbers(1))
    job = text(b'job') + text(b'A=1') + text(None) + numbers(-1, 1, 2, 0) + texts(b'') + numbers(0, 0, 1, 0, 0)
    return [frame('HELLO', VERSION, 0, b'/'), frame('JOB', number, 0, job),
            frame('PREPARE', 0, 0, numbers(number, 1, 0, 0, 1000, 1) + program),
            frame('START', 0, 0, numbers(number, number, 0, 0, 1, 0, 0, 1, 1, 1, 0, 2) + text(None)),
            frame('INPUT', number, 0, b'hello\n'), frame('FIND_EXITING'), frame('FINISH')]


def talk(data, end=True, who='--starling-proxy'):
    """Sends bytes to a proxy, closes the channel, and returns the frames that come."""
    p = subprocess.Popen([mpiexec(), who], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, cwd='/')
    if not end:
        p.stdin.write(data)
        p.stdin.flush()
        out = p.stdout.read()
        p.stdin.close()
        err = p.stderr.read()
        p.wait(LIMIT)
        p.stdout.close(), p.stderr.close()
    else:
        out, err = p.communicate(data, timeout=LIMIT)
    check_nothing_left()
    assert p.returncode in (0, 1) and err == b'', (p.returncode, err)
    assert out.startswith(b'\n=starling-proxy= %d ' % VERSION), out[:100]
    out, frames = out[out.index(b'\n', 1) + 1:], []
    while out:
        length, kind, stream, number, value = struct.unpack('<IHHii', out[:16])
        frames.append((KINDS[kind - 1], number, value, out[16:16 + length]))
        out = out[16 + length:]
    return p.returncode, frames


def a_session():
    code, frames = talk(b''.join(session()), end=False)
    kinds = [f[0] for f in frames]
    assert code == 0 and kinds[-1] == 'ENDED', frames
    assert ('OUTPUT', 0, 0, b'hello\n') in frames and ('EXITED', 0, 3 << 8, b'') in frames, frames
    assert kinds.count('EXITING_FOUND') == 1, frames


def a_session_of_two_jobs():
    """The second one may come while the first one runs; a signal is for one of them."""
    first, second = session(), session(1)
    begin = b''.join(first[:4]) + b''.join(second[1:4])
    code, frames = talk(begin + first[4] + second[4] + frame('FINISH'), end=False)
    assert code == 0 and [f[1] for f in frames if f[0] == 'READY'] == [0, 1], frames
    for process in 0, 1:
        assert ('OUTPUT', process, 0, b'hello\n') in frames and ('EXITED', process, 3 << 8, b'') in frames, frames
    code, frames = talk(begin + first[4] + frame('FORGET', 0) + second[4] + frame('FINISH'), end=False)
    kinds = [f[:2] for f in frames]
    assert code == 0 and kinds.index(('EXITED', 0)) < kinds.index(('FORGOTTEN', 0)) and ('EXITED', 1) in kinds, frames
    code, frames = talk(begin + frame('SIGNAL', 15, 1) + first[4] + frame('FINISH'), end=False)
    assert ('EXITED', 0, 3 << 8, b'') in frames and ('EXITED', 1, 15, b'') in frames, frames


def a_session_may_be_torn():
    data = b''.join(session())
    for cut in range(len(data)):
        if cut % 9 == 0 or cut in (1, 15, 16, 17):
            talk(data[:cut])


def a_proxy_refuses_what_is_wrong():
    hello, job, plan, start_of_rank, *_ = session()
    rows = ((b'garbage' * 10, None), (frame('FINISH'), 'before it knows of whom'),
            (frame('HELLO', 9, 0, b'/'), 'version'), (hello + frame('PREPARE', 0, 0, b'x'), 'cannot read the plan'),
            (hello + start_of_rank, 'cannot read the start'), (hello + frame('INPUT', 0, 0, b'x'), 'process'),
            (hello + frame('FORGET', 0), 'forget a job'), (hello + frame('CREDIT', 5, 1), 'credit'), (hello + frame('RESIZE', 0, 65536), 'window size'),
            (hello + frame('RESIZE', -1, 0), 'window size'), (hello + frame('INPUT', -1, 0, b'x'), 'process'),
            (hello + plan, 'cannot read the plan'), (hello + job + 2 * plan, 'cannot read the plan'),
            (hello + job + start_of_rank, 'start of a rank'), (hello + job + plan + 2 * start_of_rank, 'start of a rank'),
            (hello + job + plan + session(1)[3], 'start of a rank'), (hello + frame('NOTE', 1, 0, note(14)), 'a note'),
            (hello + job[:-1] + b'\1', 'the job'), (hello + 2 * job, 'the job'),
            (hello + frame('NOTE', 0, 0, note(14)), 'a note'), (hello + job + frame('NOTE', 0, 0, note(2)), 'a note'),
            (hello + job + frame('NOTE', 0, 0, b'x'), 'a note'))
    for data, why in rows:
        code, frames = talk(data, end=False)
        failed = [f[3].decode() for f in frames if f[0] == 'FAILED']
        assert code == 1 and (why is None or (failed and why in failed[0])), (data, frames)


FIRST = 10  # seconds in which a proxy expects the first frame


def silence_ends_a_proxy_in_every_state():
    """The network is cut, and no end of the channel arrives: the pipe stays open. In a row: what has been sent."""
    _, *rest = session()
    hello = frame('HELLO', VERSION, 1000, b'/')  # a second without frames
    child = frame('CHILD', 0, 0, texts(b'sleep', b'600'))
    late = [('--starling-proxy', b''), ('--starling-proxy', hello[:20]), ('--starling-relay', b'')]
    rows = [('--starling-proxy', hello + b''.join(rest[:n])) for n in range(len(rest) + 1)]
    rows += [('--starling-proxy', hello + b''.join(rest[:3]) + frame('END', 15, 60000)),
             ('--starling-proxy', hello + rest[0][:30]), ('--starling-proxy', frame('HELLO', 3, 1000, b'/')),
             ('--starling-relay', hello), ('--starling-relay', hello + child),
             ('--starling-relay', hello + child + frame('FINISH')), ('--starling-relay', frame('HELLO', 3, 1000, b'/') + child)]
    running = []
    for who, data in rows + late:
        running.append(subprocess.Popen([mpiexec(), who], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, cwd='/'))
        running[-1].stdin.write(data)
        running[-1].stdin.flush()
    begin = time.monotonic()
    for i, p in enumerate(running):
        is_late = i >= len(rows)
        try:
            p.wait(max(0.1, begin + (FIRST if is_late else 0) + 4 - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise AssertionError(f'row {i} still runs: {(rows + late)[i]}')
        assert not is_late or time.monotonic() - begin > FIRST - 1, i
    for p in running:
        p.stdin.close()


def silence_of_a_proxy_ends_the_job_in_every_state():
    """In a row: what it has said, in frames after its greeting, and then when a rank was started."""
    ready = frame('READY', 0, 0, text(b'h') + text(None))
    begun, exited = frame('STARTED', 0, 5, b'/bin/true'), frame('EXITED', 0, 0)
    rows = (None, b''), (b'', b''), (ready[:20], b''), (ready, b''), (ready, begun), (ready, begun + exited), \
        (ready, begun + frame('SIGNALED', 15)), (ready, begun + exited + frame('ENDED')), \
        (frame('REFUSED', 0, 0, numbers(0, -2, 0, 0, 0)), b''), (b'', frame('ENDED'))
    jobs = []
    with directory() as d:
        for i, (first, then) in enumerate(rows):
            for part, said in (0, b'' if first is None else b'=starling-proxy= %d x\n' % VERSION + first), (1, then):
                with open(f'{d}/{i}.{part}', 'wb') as f:
                    f.write(said)
            with open(f'{d}/ssh{i}', 'w') as f:  # the rank is started in between
                f.write(f'#!/bin/sh\ncat {d}/{i}.0; sleep 0.5; cat {d}/{i}.1; exec sleep 600\n')
            os.chmod(f'{d}/ssh{i}', 0o755)
            jobs.append(start('-node-timeout', 1, '-launcher-exec', f'{d}/ssh{i}', '-host', 'h', '-n', 1, 'true'))
        for i, p in enumerate(jobs):
            r = finish(p, limit=9)
            assert (r.code == 0) == (i == 7), (i, r)


def a_relay_and_what_it_runs():
    def child(number, *words):
        return frame('CHILD', number, 0, texts(*words))
    hello, finish = frame('HELLO', VERSION, 0, b'/'), frame('FINISH')
    code, frames = talk(hello + child(5, b'sh', b'-c', b'read x; echo $x; echo two >&2; exit 3')
                        + frame('RELAY', 5, 0, b'one\n') + finish, False, '--starling-relay')
    assert code == 0 and frames[-1][0] == 'ENDED', frames
    for f in ('RELAY', 5, 0, b'one\n'), ('CHILD_LINE', 5, 0, b'two'), ('RELAY', 5, 0, b''), ('CHILD_EXITED', 5, 768, b''):
        assert f in frames, frames
    assert frames.index(('RELAY', 5, 0, b'')) < frames.index(('CHILD_EXITED', 5, 768, b'')), frames
    for data, why in ((b'garbage' * 9, None), (finish, 'before it knows'), (hello + frame('CHILD', 0, 0, b'x'), 'a command'),
                      (hello + child(0), 'a command'), (hello + frame('KILL'), 'what it cannot do'),
                      (hello + child(0, b'sleep', b'60') + child(0, b'true'), 'a command')):
        code, frames = talk(data, False, '--starling-relay')
        failed = [f[3].decode() for f in frames if f[0] == 'FAILED']
        assert code == 1 and (why is None or (failed and why in failed[0])), (data, frames)
    code, frames = talk(hello + child(0, b'/nonexistent') + frame('RELAY', 7, 0, b'x') + finish, False, '--starling-relay')
    assert code == 0 and ('CHILD_EXITED', 0, 127 << 8, b'') in frames, frames
    talk(hello + child(0, b'sleep', b'60'), True, '--starling-relay')  # it is ended with the channel


TESTS = [output_of_all_hosts, last_lines_and_streams, output_files, exit_codes, numbers_of_ranks,
         standard_input, a_stalled_reader_stalls_its_sink, signals_reach_all, stopped_and_continued,
         quiet_jobs_are_not_lost, time_limit, pmi_over_frames, programs_without_mpi, strays_end_with_the_job, environment,
         ranks_are_bound, architecture, working_directory, missing_programs_are_one_line,
         output_through_relays, ends_through_relays, a_relay_is_killed, any_process_is_killed,
         hosts_that_the_relay_cannot_reach, a_proxy_is_killed, a_proxy_is_terminated, mpiexec_is_killed,
         a_proxy_is_stopped, mpiexec_is_stopped, a_dead_host_does_not_hold_up_the_end, random_kills,
         kills_while_it_starts, a_session, a_session_of_two_jobs, a_relay_and_what_it_runs, a_session_may_be_torn,
         a_proxy_refuses_what_is_wrong,
         silence_ends_a_proxy_in_every_state, silence_of_a_proxy_ends_the_job_in_every_state]

if __name__ == '__main__':
    sys.exit(main(TESTS, sys.argv[1:]))
