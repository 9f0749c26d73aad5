#!/usr/bin/env python3
"""How mpiexec reaches other hosts; scripts stand in for ssh, srun, blaunch and qrsh.

Usage: launchers_test.py MPIEXEC DIR [TEST...]     DIR has the programs actor and probe.
Prints nothing when all tests pass."""
import contextlib, os, re, select, signal, socket, subprocess, sys, threading, time
from ports import free_ports
from mpiexec_spawn_test import block, spawner
from remote import *


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
    if 'was built without libsodium' in run('-launcher', 'srun', '-launcher-exec', 'false', '-host', 'n1', 'true').err:
        raise Skip('mpiexec was built without libsodium')
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
        p.terminate()  # SIGINT is ignored by what a shell starts in the background
        assert gone(p).code == 143


def another_srun_adds_hosts():
    """For a job that is spawned, on hosts of the allocation that the first one is not on."""
    with a_slurm_of(3) as env:
        r = run('-host', 'n1', *spawner(block('sh', '-c', 'echo up', n=4, host='n2,n3'), '<'), env=env)
        assert r.code == 0 and r.out.count('up\n') == 4 and r.err == '', r
        with open(env['CALLS']) as f:
            calls = f.readlines()
        assert [l.split()[2] for l in calls] == ['--nodelist=n1', '--nodelist=n2,n3'], calls
        assert all(' --overlap ' in l for l in calls), calls


def sruns_that_fail():
    with a_slurm_of(2, '#!/bin/sh\necho first >&2\necho "srun: error: no step" >&2\nexit 1\n') as env:
        r = run('true', env=env)
        assert (r.code, r.err) == (126, 'mpiexec: first\nmpiexec: srun ended with 1: srun: error: no step\n'), r
        r = run('-host', 'n1,m', 'true', env=env)
        assert r.code == 1 and r.err == 'mpiexec: host m: it is not in the allocation of slurm, and srun reaches no ' \
            'other hosts; -launcher ssh may reach it\n', r
        r = run('-host', 'n1,m,k,l', 'true', env=env)  # several hosts without a hub
        assert r.code == 1 and r.err.startswith('mpiexec: host m: it is not in the allocation'), r
    with a_slurm_of(2, '#!/bin/sh\nsleep 30\n') as env:
        r = run('-node-timeout', 1, 'true', env=env)
        assert r.code == 126 and 'has not answered for 3 s' in r.last and r.seconds < 10, r
    wrong = SRUN.replace('echo "$line"', 'echo "$wrong"').replace('read -r line', 'read -r line\n%s')
    for change, why in (("wrong='starling x 1 127.0.0.1'", 'cannot read from standard input'),
                        ('wrong=$(echo "$line" | sed "s/ [0-9]*/ 1/2")', 'cannot connect to mpiexec'),
                        ('wrong=$(echo "$line" | sed "s/[0-9a-f][0-9a-f]* /$(printf %064d 0) /")',
                         'does not know the secret')):
        with a_slurm_of(2, wrong % change) as env:
            r = run('-node-timeout', 2, 'true', env=env)
            assert r.code == 126 and why in r.err, r
    with a_slurm_of(2, SRUN.replace('SLURMD_NODENAME=$node', 'SLURMD_NODENAME=other')) as env:
        r = run('-node-timeout', 2, 'true', env=env)
        assert r.code == 126 and 'a proxy on other has been refused' in r.err, r


def ports_of_mpiexec():
    """Where a firewall lets only some pass. A port can be used again at once."""
    first, = free_ports(1)
    later = SRUN.replace('read -r line', 'read -r line\necho "$line" >$CALLS.line')
    with a_slurm_of(2, later) as env:
        for low in first, first, first - 20:
            r = run('true', env={**env, 'MPIEXEC_PORT_RANGE': f'{low}:{first}'})
            used = int(open_text(env['CALLS'] + '.line').split()[2])
            assert (r.code, r.err) == (0, '') and low <= used <= first, (low, used, r)
        with socket.create_server(('', first)):
            r = run('true', env={**env, 'MPICH_PORT_RANGE': f'{first}:{first + 20}'})
            assert r.code == 0 and int(open_text(env['CALLS'] + '.line').split()[2]) > first, r
            r = run('true', env={**env, 'MPICH_PORT_RANGE': f'{first}:{first}'})
            assert (r.code, r.err) == (126, 'mpiexec: cannot listen for proxies at ports '
                                       f'{first} to {first}: Address already in use\n'), r


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
        first, more = r.err.splitlines()
        assert 'has been refused: it does not know the secret' in first, r
        assert re.fullmatch('mpiexec: [0-9]+ more connections have been refused', more), r
        for s in held:
            s.close()


def hold_connections(where, over):
    """Holds 400 silent connections, more than there are places, and makes new ones when some are closed."""
    held = []
    while not over.is_set():
        while len(held) < 400:
            s = socket.socket(socket.AF_INET6 if ':' in where[0] else socket.AF_INET)
            s.setblocking(False)
            s.connect_ex(where)
            held.append(s)
        p = select.poll()
        for s in held:
            p.register(s, select.POLLRDHUP)
        closed = {fd for fd, _ in p.poll(5)}
        for s in held:
            if s.fileno() in closed:
                s.close()
        held = [s for s in held if s.fileno() >= 0]
        time.sleep(0.005)
    for s in held:
        s.close()


def held_places_are_no_end():
    """Silent connections from the address of the proxies themselves."""
    later = SRUN.replace('read -r line', 'read -r line\necho "$line" >$CALLS.line\nsleep 0.3')
    with a_slurm_of(2, later) as env:
        p = start('-n', 2, 'echo', 'x', env=env)
        _, _, port, *addresses = wait_until(lambda: open_text(env['CALLS'] + '.line')).split()
        over = threading.Event()
        thread = threading.Thread(target=hold_connections, args=((addresses[0], int(port)), over))
        thread.start()
        try:
            r = gone(p, 15)
        finally:
            over.set()
            thread.join()
        assert (r.code, r.out, r.err) == (0, 'x\nx\n', ''), r


def a_proxy_calls_again():
    """Its first call has lost its place, or had none."""
    with socket.create_server(('127.0.0.1', 0)) as s:
        p = subprocess.Popen([mpiexec(), '--starling-proxy-calls'], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        p.stdin.write(f'starling {"0" * 64} {s.getsockname()[1]} 127.0.0.1\n'.encode())
        p.stdin.close()
        s.settimeout(5)
        for i in range(3):
            call = s.accept()[0]
            if i:
                call.sendall(bytes(32))
                assert len(call.recv(32)) == 32
            if i < 2:
                call.close()
        p.kill()
        p.wait()
        call.close()
    check_nothing_left(2)


def shells_read_the_command_alike():
    tried = 0
    for shell in 'sh', 'bash', 'dash', 'csh', 'tcsh', 'fish', 'zsh':
        if not any(os.access(f'{d}/{shell}', os.X_OK) for d in os.environ['PATH'].split(':')):
            continue
        # Each login has a home: a shell may read files there, and fish makes some, which two at once fail to do.
        login = f'export HOME=$HOMES/$6; mkdir $HOME; shift 6; exec {shell} -c "$*"'
        with directory() as d, directory() as homes, script(login) as s:
            env = {n: v for n, v in os.environ.items() if not n.startswith(('XDG_', 'ZDOTDIR'))}
            os.makedirs(f'{d}/a $HOME "b" ~c/bin')
            os.symlink(mpiexec(), f'{d}/a $HOME "b" ~c/bin/mpiexec')
            r = run('-launcher-exec', s, '-prefix', f'{d}/a $HOME "b" ~c', '-host', 'h,i', '-n', 2, 'echo', 'x',
                    env={**env, 'HOMES': homes})
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
        with script(f'echo "=starling-proxy= 7 x"; head -c 3000 /dev/urandom; exec cat >/dev/null') as s:
            r = run('-launcher-exec', s, '-host', 'h', '-n', 1, 'true')
            assert r.code in (1, 126) and r.last == 'mpiexec: host h: its proxy sends what is no frame', r


TESTS = [command_of_ssh, launchers_of_allocations, one_srun_for_all_hosts, another_srun_adds_hosts, sruns_that_fail,
         ports_of_mpiexec, strangers_are_refused, held_places_are_no_end, a_proxy_calls_again,
         shells_read_the_command_alike, names_that_are_options,
         what_the_host_prints_first, launchers_that_fail, a_host_that_does_not_answer,
         dropped_connections_are_tried_again, other_versions, garbage_from_a_proxy]

if __name__ == '__main__':
    sys.exit(main(TESTS, sys.argv[1:]))
