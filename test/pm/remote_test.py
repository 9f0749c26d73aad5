#!/usr/bin/env python3
"""Jobs on several nodes that have proxies. -launcher fork makes hosts of invented names on this machine;
scripts stand in for ssh.

Usage: remote_test.py MPIEXEC DIR [TEST...]     DIR has the programs actor and probe.
Prints nothing when all tests pass."""
import contextlib, hashlib, os, random, signal, socket, struct, subprocess, sys, time
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
    p = start(*job('a,b', '-n', 2, actor(), 'catch', 'say', 'up', 'hold'))
    assert p.stdout.read(6) == b'up\nup\n'
    p.send_signal(signal.SIGUSR1)
    assert p.stdout.read(20) == b'caught 10\ncaught 10\n'
    p.terminate()
    r = gone(p)
    assert r.code == 143, r
    p = start(*job('a,b', '-n', 4, actor(), 'stubborn', 'hold'))
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


# ---- launchers ---------------------------------------------------------------------------------------

def command_of_ssh():
    with script('printf "%s|" "$@" >&2; exit 9') as s:
        env = {**os.environ, 'HYDRA_LAUNCHER_EXTRA_ARGS': '-p  2222', 'HYDRA_LAUNCH_EXTRA_ARGS': '-q'}
        r = run('-launcher-exec', s, '-prefix', '/opt/s t', '-host', 'far', '-n', 1, 'true', env=env)
        words = "-x|-o|BatchMode=yes|-o|ConnectTimeout=10|-p|2222|-q|far|'/opt/s t/bin/mpiexec'|--starling-proxy|"
        assert r.code == 126 and r.last == f'mpiexec: host far: ssh ended with 9: {words}', r
        r = run('-launcher', 'rsh', '-launcher-exec', s, '-host', 'far', '-n', 1, 'true')
        assert r.last.endswith(f": far|{mpiexec()}|--starling-proxy|"), r
        env = {**os.environ, 'HYDRA_LAUNCHER_EXTRA_ARGS': 'x ' * 200}
        r = run('-launcher-exec', s, '-host', 'far', '-n', 1, 'true', env=env)
        assert r.code == 1 and r.err == 'mpiexec: host far: the command that reaches it: Argument list too long\n', r
        r = run('-launcher-exec', s, '-prefix', "/it's", '-host', 'far', '-n', 1, 'true')
        assert r.code == 1 and "may not understand the path of its proxy, /it's/bin/mpiexec" in r.last, r


def launchers_of_allocations():
    """blaunch and qrsh reach the hosts that LSF and SGE allocate; stand-ins do what they do with a command."""
    with directory() as d:
        for name, skip in ('blaunch', 1), ('qrsh', 2):
            with open(f'{d}/{name}', 'w') as f:
                os.fchmod(f.fileno(), 0o755)
                f.write(f'#!/bin/sh\necho "{name} $*" >>{d}/calls\nshift {skip}\nexec sh -c "$*"\n')
        with open(f'{d}/pe', 'w') as f:
            f.write('h 1 all.q <NULL>\ni 2 all.q <NULL>\n')
        path = {**os.environ, 'PATH': f'{d}:{os.environ["PATH"]}'}
        for env, call in (({'LSB_MCPU_HOSTS': 'h 1 i 2'}, 'blaunch h '), ({'PE_HOSTFILE': f'{d}/pe'}, 'qrsh -inherit h ')):
            r = run('sh', '-c', 'echo $MPI_LOCALNRANKS', env={**path, **env})
            assert r.code == 0 and sorted(r.out.split()) == ['1', '2', '2'] and r.err == '', r
            with open(f'{d}/calls') as f:
                calls = f.readlines()
            assert len(calls) == 2 and f'{call}{mpiexec()} --starling-proxy\n' in calls, calls
            os.unlink(f'{d}/calls')
        r = run('-launcher', 'lsf', '-host', 'me@h', '-n', 1, 'true', env=path)
        assert r.code == 1 and r.err == "mpiexec: host h: blaunch takes no name of a user, such as 'me'\n", r
        os.unlink(f'{d}/blaunch')
        with script('exit 9') as s:
            r = run('-launcher-exec', s, 'true', env={**path, 'LSB_MCPU_HOSTS': 'h 1'})
            assert ': ssh ended with 9' in r.err, r


SRUN = r"""#!/bin/sh
[ "$1" != --version ] || { echo slurm ${VERSION:-22.05.8}; exit; }
echo "$*" >>$CALLS
nodes=
while case $1 in --nodelist=*) nodes=${1#*=} ;; esac; case $1 in -*) shift ;; *) false ;; esac; do :; done
read -r line
for node in $(echo $nodes | tr , ' '); do
    echo "$line" | SLURMD_NODENAME=$node "$@" &
done
wait
"""


@contextlib.contextmanager
def a_slurm_of(count, srun=SRUN):
    """The environment of an allocation, with a stand-in for srun: all processes share its output."""
    with directory() as d:
        with open(f'{d}/srun', 'w') as f:
            os.fchmod(f.fileno(), 0o755)
            f.write(srun)
        yield {**os.environ, 'PATH': f'{d}:{os.environ["PATH"]}', 'SLURM_JOB_NODELIST': f'n[1-{count}]',
               'SLURM_TASKS_PER_NODE': f'2(x{count})', 'CALLS': f'{d}/calls'}


def one_srun_for_all_hosts():
    with a_slurm_of(3) as env:
        r = run(actor(), 'lines', 500, 60, env=env)
        assert r.code == 0 and r.err == '' and len(r.out.splitlines()) == 3000, r
        with open(env['CALLS']) as f:
            calls = f.read()
        assert calls == ('--nodes=3 --ntasks=3 --nodelist=n1,n2,n3 --ntasks-per-node=1 --mpi=none --kill-on-bad-exit=0 '
                         f'--quiet --overlap --cpu-bind=none {mpiexec()} --starling-proxy-calls\n'), calls
        for version, recent in ('23.10.9', False), ('23.11.0', True), ('24.05.1', True):
            assert run('-n', 1, 'true', env={**env, 'VERSION': version}).code == 0
            with open(env['CALLS']) as f:
                last = f.readlines()[-1]
            assert (' --external-launcher ' in last) == recent != (' --overlap ' in last), last
        r = run('-n', 3, '-ppn', 1, 'sh', '-c', 'exit 7', env=env)
        assert r.code == 7, r
        p = start('-n', 6, actor(), 'hold', env=env)
        ranks_of(p, 6)
        p.send_signal(signal.SIGINT)
        assert gone(p).code == 130


def sruns_that_fail():
    with a_slurm_of(2, '#!/bin/sh\necho first >&2\necho "srun: error: no step" >&2\nexit 1\n') as env:
        r = run('true', env=env)
        assert (r.code, r.err) == (126, 'mpiexec: first\nmpiexec: srun ended with 1: srun: error: no step\n'), r
    with a_slurm_of(2, '#!/bin/sh\nsleep 30\n') as env:
        r = run('-node-timeout', 1, 'true', env=env)
        assert r.code == 126 and 'has not answered for 3 s' in r.last and r.seconds < 10, r
    wrong = SRUN.replace('echo "$line"', 'echo "$wrong"').replace('read -r line', 'read -r line\n%s')
    for change, why in (("wrong='starling x 1 127.0.0.1'", 'cannot read from standard input'),
                        ('wrong=$(echo "$line" | sed "s/ [0-9]*/ 1/2")', 'cannot connect to mpiexec'),
                        ('wrong=$(echo "$line" | sed "s/[0-9a-f][0-9a-f]* /$(printf %064d 0) /")',
                         'does not know the secret of this job')):
        with a_slurm_of(2, wrong % change) as env:
            r = run('-node-timeout', 2, 'true', env=env)
            assert r.code == 126 and why in r.err, r
    with a_slurm_of(2, SRUN.replace('SLURMD_NODENAME=$node', 'SLURMD_NODENAME=other')) as env:
        r = run('-node-timeout', 2, 'true', env=env)
        assert r.code == 126 and 'a proxy on other has been refused' in r.err, r


def strangers_are_refused():
    """What connects while proxies are expected may send anything."""
    later = SRUN.replace('read -r line', 'read -r line\necho "$line" >$CALLS.line\nsleep 1')
    with a_slurm_of(2, later) as env:
        p = start('-n', 2, 'echo', 'x', env=env)
        _, _, port, *addresses = wait_until(lambda: open_text(env['CALLS'] + '.line')).split()
        where = addresses[0], int(port)
        held = []
        for data in b'', b'x', DICE.randbytes(59), DICE.randbytes(60), DICE.randbytes(4096), b'\xff' * 100, bytes(200):
            s = socket.create_connection(where)
            assert len(s.recv(32)) == 32
            with contextlib.suppress(OSError):
                s.sendall(data)
            (held.append if len(data) == 59 else socket.socket.close)(s)
        held += [socket.create_connection(where) for _ in range(50)]
        r = gone(p, 15)
        assert (r.code, r.out) == (0, 'x\nx\n'), r
        refused = [l for l in r.err.splitlines() if 'has been refused: it does not know the secret' in l]
        assert refused and len(refused) == len(r.err.splitlines()), r
        for s in held:
            s.close()


def shells_read_the_command_alike():
    tried = 0
    for shell in 'sh', 'bash', 'dash', 'csh', 'tcsh', 'fish', 'zsh':
        if not any(os.access(f'{d}/{shell}', os.X_OK) for d in os.environ['PATH'].split(':')):
            continue
        with directory() as d, script(f'shift 6; exec {shell} -c "$*"') as s:
            os.makedirs(f'{d}/a $HOME "b" ~c/bin')
            os.symlink(mpiexec(), f'{d}/a $HOME "b" ~c/bin/mpiexec')
            r = run('-launcher-exec', s, '-prefix', f'{d}/a $HOME "b" ~c', '-host', 'h,i', '-n', 2, 'echo', 'x')
            assert (r.code, r.out, r.err) == (0, 'x\nx\n', ''), (shell, r)
            tried += 1
    assert tried >= 2


def names_that_are_options():
    for host in '-oProxyCommand=touch /tmp/x', '-l':
        r = run('-host', f'{host},b', '-n', 2, 'true')
        assert r.code == 1 and f"'{host}' begins with '-'" in r.err, r


def what_the_host_prints_first():
    with script('shift 6; echo "Welcome to h"; echo "ssh: a warning" >&2; printf "no end"; exec sh -c "$*"') as s:
        r = run('-launcher-exec', s, '-host', 'h', '-n', 1, 'echo', 'x')
        assert r.code == 0 and r.out == 'x\n', r
        lines = sorted(r.err.splitlines())
        assert lines == [f'mpiexec: host h: {t}' for t in ('Welcome to h', 'no end', 'ssh: a warning')], r


def launchers_that_fail():
    r = run('-launcher-exec', '/nonexistent/ssh', '-host', 'h,i', '-n', 2, 'true')
    assert r.code == 126 and r.last in [f'mpiexec: host {h}: ssh ended with 127: /nonexistent/ssh: '
                                        'No such file or directory' for h in 'hi'], r
    rows = (('echo "ssh: connect to host h port 22: No route to host" >&2; exit 255',
             'ssh ended with 255: ssh: connect to host h port 22: No route to host'),
            ('echo "sh: 1: mpiexec: not found" >&2; exit 127', 'ssh ended with 127: sh: 1: mpiexec: not found'),
            ('kill -15 $$', 'ssh was killed by SIGTERM'),
            ('head -c 100000 /dev/urandom | tr "\\0\\n" xx', 'ssh ended with 0'))
    for text, why in rows:
        with script(text) as s:
            r = run('-launcher-exec', s, '-host', 'h', '-n', 1, 'true')
            assert r.code == 126 and r.last == f'mpiexec: host h: {why}', r
    with script('[ $6 = bad ] && { echo no >&2; exit 255; }; shift 6; exec sh -c "$*"') as s:
        r = run('-launcher-exec', s, '-host', 'h,bad,i', '-n', 3, actor(), 'hold')
        assert r.code == 126 and r.last == 'mpiexec: host bad: ssh ended with 255: no', r


def a_host_that_does_not_answer():
    with script('exec sleep 100') as s:
        r = run('-launcher-exec', s, '-node-timeout', 1, '-host', 'h', '-n', 1, 'true')
        assert r.code == 126 and 'host h: its proxy has not answered for 3 s' in r.last and r.seconds < 6, r
        p = start('-launcher-exec', s, '-host', 'h', '-n', 1, 'true')
        wait_until(lambda: [c for c in children(worker_of(p) or 0) if name_of(c) == 'sleep'])
        p.terminate()
        assert gone(p).code == 143


def dropped_connections_are_tried_again():
    drop = ('n=$(cat {0}/n 2>/dev/null || echo 0); echo $((n + 1)) >{0}/n; [ $n -lt {1} ] && '
            '{{ echo "kex_exchange_identification: read: Connection reset by peer" >&2; exit 255; }}; '
            'shift 6; exec sh -c "$*"')
    for times, code in (2, 0), (100, 126):
        with directory() as d, script(drop.format(d, times)) as s:
            r = run('-launcher-exec', s, '-host', 'h', '-n', 1, 'echo', 'x')
            assert r.code == code, r
            with open(f'{d}/n') as f:
                assert int(f.read()) == (3 if not code else 6)
            assert code or r.err == '', r


def other_versions():
    with script('echo "=starling-proxy= 77 9.9.9"; exec cat >/dev/null') as s:
        r = run('-launcher-exec', s, '-host', 'h', '-n', 1, 'true')
        assert r.code == 1 or r.code == 126, r
        assert "is of another version of Starling: it says '77 9.9.9'" in r.last, r


def garbage_from_a_proxy():
    for i in range(20):
        with script(f'echo "=starling-proxy= 1 x"; head -c 3000 /dev/urandom; exec cat >/dev/null') as s:
            r = run('-launcher-exec', s, '-host', 'h', '-n', 1, 'true')
            assert r.code in (1, 126) and r.last == 'mpiexec: host h: its proxy sends what is no frame', r


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
        os.kill(pid, signal.SIGKILL)
    r = gone(p)
    assert r.code == 1 and 'its proxy was killed' in r.last, r


def a_proxy_is_terminated():
    p = held()
    os.kill(proxies_of(p, 2)[0][0], signal.SIGTERM)
    r = gone(p)
    assert r.code == 1 and 'its proxy has received SIGTERM' in r.last, r


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

KINDS = ('BEAT HELLO PREPARE START CREDIT REPLY SHARE FORGET INPUT SIGNAL FINISH END KILL DROP_OUTPUT READY '
         'REFUSED STARTED NOT_STARTED OUTPUT OUTPUT_ENDED REQUEST PMI_ENDED PMI_STUCK INPUT_TAKEN INPUT_ENDED '
         'EXITED LOG FAILED ENDED').split()


def frame(kind, number=0, value=0, payload=b''):
    return struct.pack('<IHHii', len(payload), KINDS.index(kind) + 1, 0, number, value) + payload


def numbers(*all_of_them):
    return b''.join(struct.pack('<q', n) for n in all_of_them)


def text(t):
    return numbers(0) if t is None else numbers(len(t) + 1) + t + b'\0'


def texts(*all_of_them):
    return numbers(len(all_of_them)) + b''.join(text(t) for t in all_of_them)


def session():
    program = (texts(b'/bin/sh', b'-c', b'read x; echo $x; exit 3') + text(None) * 3 + texts(b'A=b')
               + numbers(1))
    return [frame('HELLO', 1, 0, b'/'), frame('PREPARE', 0, 0, numbers(1, 0, 0, 1) + program),
            frame('START', 0, 0, numbers(0, 0, 1, 0, 0, 1, 1, 1, 2) + text(None)), frame('INPUT', 0, 0, b'hello\n'),
            frame('FINISH')]


def talk(data, end=True):
    """Sends bytes to a proxy, closes the channel, and returns the frames that come."""
    p = subprocess.Popen([mpiexec(), '--starling-proxy'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
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
    assert out.startswith(b'\n=starling-proxy= 1 '), out[:100]
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


def a_session_may_be_torn():
    data = b''.join(session())
    for cut in range(len(data)):
        if cut % 9 == 0 or cut in (1, 15, 16, 17):
            talk(data[:cut])


def a_proxy_refuses_what_is_wrong():
    hello, plan, start_of_rank, _, _ = session()
    rows = ((b'garbage' * 10, None), (frame('FINISH'), 'before it knows of whom'),
            (frame('HELLO', 9, 0, b'/'), 'version'), (hello + frame('PREPARE', 0, 0, b'x'), 'cannot read the plan'),
            (hello + start_of_rank, 'cannot read the start'), (hello + frame('INPUT', 0, 0, b'x'), 'process'),
            (hello + frame('CREDIT', 5, 1), 'credit'), (hello + frame('REPLY', -1, 0, b'x'), 'process'),
            (hello + plan + start_of_rank + frame('SHARE', 0, 0, b'x'), 'memory'))
    for data, why in rows:
        code, frames = talk(data, end=False)
        failed = [f[3].decode() for f in frames if f[0] == 'FAILED']
        assert code == 1 and (why is None or (failed and why in failed[0])), (data, frames)


TESTS = [output_of_all_hosts, last_lines_and_streams, output_files, exit_codes, numbers_of_ranks,
         standard_input, a_stalled_reader_stalls_its_sink, signals_reach_all, stopped_and_continued,
         quiet_jobs_are_not_lost, time_limit, pmi_over_frames, strays_end_with_the_job, environment,
         ranks_are_bound, architecture, working_directory, missing_programs_are_one_line, command_of_ssh, launchers_of_allocations, one_srun_for_all_hosts, sruns_that_fail, strangers_are_refused,
         shells_read_the_command_alike, names_that_are_options, what_the_host_prints_first,
         launchers_that_fail, a_host_that_does_not_answer, dropped_connections_are_tried_again,
         other_versions, garbage_from_a_proxy, a_proxy_is_killed, a_proxy_is_terminated, mpiexec_is_killed,
         a_proxy_is_stopped, mpiexec_is_stopped, a_dead_host_does_not_hold_up_the_end, random_kills,
         kills_while_it_starts, a_session, a_session_may_be_torn, a_proxy_refuses_what_is_wrong]

if __name__ == '__main__':
    sys.exit(main(TESTS, sys.argv[1:]))
