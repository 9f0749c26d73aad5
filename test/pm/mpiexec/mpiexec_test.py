#!/usr/bin/env python3
"""mpiexec from the view of a user: options, output, input, exit codes, environment.

Usage: mpiexec_test.py MPIEXEC DIR [TEST...]     DIR has the programs actor and probe.
Prints nothing when all tests pass."""
import hashlib, os, shutil, socket, subprocess, sys, time
from harness import *

HOST = socket.gethostname()


def expect(r, code, out=None, last=None):
    assert r.code == code, r
    assert out is None or r.out == out, r
    assert last is None or last in r.last, r
    assert last is not None or r.err == '', r


# ---- output ------------------------------------------------------------------------------------

def check_lines(text, lines, length):
    got = text.split('\n')
    assert got.pop() == '' and len(got) == lines, (len(got), lines)
    for line in got:
        assert len(line) == length and line == line[0] * length, line[:200]


def whole_lines():
    r = run('-n', 4, actor(), 'lines', 2000, 50)
    expect(r, 0)
    check_lines(r.out, 8000, 50)


def whole_lines_in_one_file():
    r = run('-n', 3, 'sh', '-c', f'{actor()} lines 500 70 & {actor()} lines 500 70 >&2; wait',
            stderr=subprocess.STDOUT)
    expect(r, 0)
    check_lines(r.out, 3000, 70)


def slow_lines_stay_whole():
    r = run('-n', 2, actor(), 'ask', 'aa', 'sleep', 150, 'ask', 'bb', 'sleep', 150, 'say', 'cc')
    expect(r, 0, 'aabbcc\n' * 2)


def nothing_is_lost_at_exit():
    r = run('-n', 4, actor(), 'write', 1000000)
    expect(r, 0)
    assert r.out.count('x') == 4000000, len(r.out)


def last_line_without_newline():
    expect(run('-n', 1, 'printf', 'end'), 0, 'end')
    expect(run('-n', 2, 'printf', 'end'), 0, 'end\nend')
    assert run('-l', '-n', 2, 'printf', 'end').out in ('[0] end\n[1] end\n', '[1] end\n[0] end\n')


def long_lines():
    r = run('-n', 1, actor(), 'lines', 3, 300000)
    expect(r, 0)
    check_lines(r.out, 3, 300000)
    r = run('-n', 2, actor(), 'lines', 20, 60000)
    expect(r, 0)
    check_lines(r.out, 40, 60000)


def one_rank_is_not_held_back():
    p = start('-n', 1, actor(), 'ask', 'name? ', 'hold')
    assert p.stdout.read(6) == b'name? '
    p.terminate()
    finish(p)


def streams_apart():
    r = run('-n', 2, actor(), 'say', 'o', 'err', 'e')
    assert (r.code, r.out, r.err) == (0, 'o\no\n', 'e\ne\n'), r


def labels():
    r = run('-l', '-n', 3, actor(), 'say', 'a', 'say', 'b')
    expect(r, 0)
    assert sorted(r.out.split('\n')) == ['', '[0] a', '[0] b', '[1] a', '[1] b', '[2] a', '[2] b'], r
    r = run('-prepend-pattern', '%r@%h%%: ', '-n', 1, 'echo', 'x')
    expect(r, 0, f'0@{HOST}%: x\n')


def output_files():
    with directory() as d:
        r = run('-n', 2, '-outfile-pattern', 'o.%r', '-errfile-pattern', 'e', actor(), 'say', 'a', 'err', 'b',
                cwd=d)
        expect(r, 0, '')
        read = {f: open(os.path.join(d, f)).read() for f in os.listdir(d)}
        assert read == {'o.0': 'a\n', 'o.1': 'a\n', 'e': 'b\nb\n'}, read
    r = run('-n', 1, '-outfile-pattern', '/nonexistent/f', 'echo', 'x')
    expect(r, 1, '', 'cannot write /nonexistent/f: No such file')


def reader_leaves():
    p = start('-n', 2, 'yes')
    assert p.stdout.readline() == b'y\n'
    p.stdout.close()
    code, err = p.wait(LIMIT), p.stderr.read()
    p.stderr.close()
    assert (code, err) == (141, b''), (code, err)


def full_disk():
    with open('/dev/full', 'w') as full:
        r = run('-n', 2, 'echo', 'x', stdout=full)
    expect(r, 1, '', 'No space left on device')


def slow_reader():
    """mpiexec stops reading from the ranks, needs little memory, and loses no output."""
    p = start('-n', 2, actor(), 'lines', 200000, 99)
    time.sleep(0.7)
    with open(f'/proc/{worker_of(p)}/status') as f:
        size = int([line for line in f if line.startswith('VmRSS')][0].split()[1])
    assert size < 20000, f'{size} KiB'
    r = finish(p)
    expect(r, 0)
    check_lines(r.out, 400000, 99)


def closed_descriptors():
    r = subprocess.run(['sh', '-c', f'exec {mpiexec()} -n 2 {actor()} fds sleep 10 >&- 2>&- <&-'], timeout=LIMIT)
    assert r.returncode == 0
    r = subprocess.run(['sh', '-c', f'{mpiexec()} -n 1 {actor()} cat say x <&-'], timeout=LIMIT,
                       capture_output=True, text=True)
    assert (r.returncode, r.stdout) == (0, 'x\n'), r


def no_dev_null():
    """As in a minimal container."""
    hide = 'mount -t tmpfs none /dev && exec "$@"'
    command = ['unshare', '-m', 'sh', '-c', hide, 'sh', mpiexec(), '-n', '2']
    if subprocess.run(command[:4] + ['mount -t tmpfs none /dev'], capture_output=True).returncode:
        raise Skip('no permission for a mount namespace')
    for rank in ([actor(), 'cat', 'say', 'x'], [probe()]):
        with open(os.devnull) as nothing:
            r = subprocess.run(command + rank, stdin=nothing, capture_output=True, text=True, timeout=LIMIT)
        assert (r.returncode, r.stderr) == (0, '') and r.stdout.count('\n') == 2, r


# ---- input -------------------------------------------------------------------------------------

def input_goes_to_rank_0():
    expect(run('-l', '-n', 3, actor(), 'cat', data=b'a\nb\n'), 0, '[0] a\n[0] b\n')


def input_of_others_ends():
    expect(run('-n', 1, 'true', ':', '-n', 2, actor(), 'cat', data=b'a\n'), 0, '')


def input_large():
    data = os.urandom(3000000)
    r = run('-n', 2, 'md5sum', data=data)
    expect(r, 0)
    assert hashlib.md5(data).hexdigest() in r.out, r


def input_is_not_stolen():
    r = subprocess.run(['sh', '-c', f'while read x; do {mpiexec()} -n 2 echo $x; done'], text=True,
                       input='a\nb\nc\n', capture_output=True, timeout=LIMIT)
    assert r.stdout == 'a\na\nb\nb\nc\nc\n', r
    r = subprocess.run(['sh', '-c', f'{mpiexec()} -n 2 head -c 2; cat'], input='ab\ncd\n', text=True,
                       capture_output=True, timeout=LIMIT)
    assert r.stdout.startswith('ab'), r


# ---- the end -----------------------------------------------------------------------------------

def universe(ranks):
    """MPI_UNIVERSE_SIZE of a job on this host alone."""
    return max(ranks, len(os.sched_getaffinity(0)))


def all_is_well():
    expect(run('-n', 3, 'true'), 0, '')
    expect(run('hostname'), 0, HOST + '\n')
    r = run('-n', 4, probe())
    expect(r, 0)
    assert sorted(r.out.split('\n'))[1:] == [f'probe {i} of 4, appnum 0, universe {universe(4)}' for i in range(4)], r


def exit_code_of_programs():
    expect(run('-n', 2, 'sh', '-c', 'exit 3'), 3, '', 'exited with code 3')
    expect(run('-n', 2, probe(), 'late', 1, 6), 6, None, f'rank 1 on {HOST} exited with code 6')


def others_may_end():
    """The failure of a rank that is no MPI program, or has finalized, does not end other ranks."""
    r = run('-n', 1, actor(), 'exit', 3, ':', '-n', 1, actor(), 'sleep', 200, 'say', 'done')
    expect(r, 3, 'done\n', 'rank 0 on')


def death_by_signal():
    for number, name in ((11, 'SIGSEGV'), (9, 'SIGKILL'), (6, 'SIGABRT'), (15, 'SIGTERM')):
        r = run('-n', 3, probe(), 1, 'signal', number)
        expect(r, 128 + number, '', f'rank 1 on {HOST} was killed by {name}')
    r = run('-n', 1, 'sh', '-c', 'kill -11 $$', ':', '-n', 1, actor(), 'hold')
    expect(r, 139, '', 'rank 0 on')


def abort():
    for code, shown in ((7, 7), (0, 0), (256, 1), (300, 44), (-1, 255)):
        r = run('-n', 3, probe(), 2, 'abort', code, 'as it should')
        expect(r, shown, '', f'rank 2 on {HOST} called MPI_Abort with code {code}: as it should')


def exit_without_finalize():
    expect(run('-n', 3, probe(), 1, 'nofinalize'), 1, '', 'rank 1 on ' + HOST + ' called MPI_Init and exited '
           'without MPI_Finalize, with code 0')
    expect(run('-n', 3, probe(), 1, 'exit', 5), 5, '', 'without MPI_Finalize, with code 5')
    r = run('-n', 2, 'sh', '-c', f'{probe()} 1 signal 9; true')
    assert r.code == 1 and 'rank 1 on' in r.last and 'without MPI_Finalize' in r.last, r


def closed_connection():
    expect(run('-n', 2, probe(), 1, 'close'), 1, '', 'rank 1 on ' + HOST + ' closed its connection')


def never_joined():
    expect(run('-n', 2, probe(), ':', '-n', 1, 'true'), 1, '', f'rank 2 on {HOST} never called MPI_Init')
    r = run('-n', 2, probe(), ':', '-n', 1, actor(), 'sleep', 200, 'exit', 4)
    expect(r, 4, '', f'rank 2 on {HOST} exited with code 4')


def protocol_errors():
    r = run('-n', 2, probe(), 0, 'junk', 0, 'rubbish\n')
    assert r.code == 9 and 'rank 0 sent a malformed PMI line: \'rubbish\'' in r.err, r
    r = run('-n', 2, probe(), 1, 'junk', 0, 'x' * 70000)
    expect(r, 1, '', f'rank 1 on {HOST} sent a PMI message longer than 65536 bytes')


def stubborn_ranks_are_killed():
    r = run('-n', 1, 'sh', '-c', 'sleep 0.2; kill -9 $$', ':', '-n', 2, actor(), 'stubborn', 'hold')
    expect(r, 137, '', 'rank 0 on')
    assert r.seconds > 1, r


def cannot_start():
    with directory() as d:
        def make(name, text, mode):
            path = os.path.join(d, name)
            with open(path, 'w') as f:
                f.write(text)
            os.chmod(path, mode)
            return path
        expect(run('-n', 2, 'no-such-program'), 127, '', "'no-such-program': No such file")
        expect(run('-n', 2, make('plain', 'x', 0o644)), 126, '', 'Permission denied')
        expect(run('-n', 2, d), 126, '', 'Is a directory')
        for line, name in (('#!/nonexistent/shell -x', '/nonexistent/shell'), ('#! /bin/sh\r', '/bin/sh\\x0d')):
            bad = make('bad', f'{line}\n', 0o755)
            expect(run('-n', 2, bad), 127, '', f"could not be started: {bad}: its interpreter '{name}': No such file")
        bad = make('bad', f'#!{d}/plain\n', 0o755)
        expect(run('-n', 2, bad), 126, '', f"{bad}: its interpreter '{d}/plain': Permission denied")
        bad = make('bad', '#!/nonexistent/shell\n', 0o755)
        for name in 'second', 'third':
            path = make(name, f'#!{bad}\n', 0o755)
            expect(run('-n', 2, path), 127, '', f"started: {path}: its interpreter '{d}/")
            bad = path
        expect(run('-n', 2, bad), 127, '', f"{bad}: its interpreter '{d}/second': its interpreter '{d}/bad': "
               "its interpreter '/nonexistent/shell': No such file")
        make('plain', '#!/nonexistent/shell\n', 0o644)
        make('second', f'#!{d}/plain\n', 0o755)
        expect(run('-n', 2, f'{d}/third'), 126, '', f"its interpreter '{d}/plain': Permission denied")
        bad = make('bad', '', 0o755)
        with open(actor(), 'rb') as f:
            image = f.read()
        with open(bad, 'wb') as f:
            f.write(image.replace(b'/ld-linux', b'/ld-other'))
        expect(run('-n', 2, bad), 127, '', f'{bad}: its dynamic loader: No such file')
        machine, name = (62, 'x86-64') if os.uname().machine == 'aarch64' else (183, 'AArch64')
        with open(bad, 'wb') as f:
            f.write(image[:18] + machine.to_bytes(2, sys.byteorder) + image[20:])
        expect(run('-n', 2, bad), 126, '', f'started: {bad} (for {name}): Exec format error')
        with open(bad, 'wb') as f:
            f.write(image.replace(b'/ld-linux', b'/ld-other'))
        script = make('second', f'#!{bad}\n', 0o755)
        expect(run('-n', 2, script), 127, '', f"{script}: its interpreter '{bad}': its dynamic loader: No such file")
        expect(run('-n', 2, ''), 127, '', "cannot start '': the name of a program is empty")
        expect(run('-path', d, 'no-such-program'), 127, '',
               f'No such file or directory, neither in {d} nor in the current directory')
        expect(run('-n', 2, make('script', 'echo $0 $1\n', 0o755), 'x y'), 0, f'{d}/script x y\n' * 2)


def usage_errors():
    for args, word in (((), 'no program'), (('-n', 0, 'x'), "'-n 0'"), (('-n', 'abc', 'x'), "'-n abc'"),
                       (('-n', 2), "after '2'"), (('-wdir', '/nonexistent', 'true'), '/nonexistent'),
                       (('-launcher', 'pigeon', 'true'), "'-launcher pigeon'"),
                       (('-prefix', 'usr', 'true'), "'-prefix usr': not an absolute path"),
                       (('-node-timeout', -1, 'true'), "'-node-timeout -1'"),
                       (('-n', 1, 'true', ':', '-cwd', '/dev/null', 'true'), "'-cwd /dev/null': Not a directory"),
                       (('-oversubscrib', 'true'), 'mean -oversubscribe?')):
        r = run(*args)
        expect(r, 1, '', word)
        assert r.err.count('\n') == 1 and r.err.startswith('mpiexec: '), r


# ---- finding and running -----------------------------------------------------------------------

def where_programs_are_found():
    with directory() as d:
        os.mkdir(f'{d}/sub')
        shutil.copy(actor(), f'{d}/a.out')
        shutil.copy(actor(), f'{d}/sub/b.out')
        for args in (('a.out',), ('./a.out',), (f'{d}/a.out',), ('-path', f'/nonexistent:{d}/sub', 'b.out'),
                     ('-path', '/nonexistent', 'a.out'), ('-wdir', 'sub', './b.out'), ('-wdir', 'sub', 'b.out'), ('-wdir', 'sub', './a.out'),
                     ('-wdir', '/', './a.out')):
            expect(run('-n', 2, *args, 'say', 'found', cwd=d), 0, 'found\n' * 2)
        with open(f'{d}/sub/a.out', 'w') as f:
            f.write('echo of -path')
        os.chmod(f'{d}/sub/a.out', 0o755)
        expect(run('-path', 'sub', 'a.out', cwd=d), 0, 'of -path\n')
        expect(run('-wdir', f'{d}/sub', 'pwd', cwd=d), 0, os.path.realpath(f'{d}/sub') + '\n')
        for wdir in f'{d}/sub', 'sub':
            r = run('-wdir', wdir, sys.executable, '-c', 'import os; print(os.environ["PWD"])', cwd=d,
                    env={**os.environ, 'PWD': d})
            expect(r, 0, os.path.realpath(f'{d}/sub') + '\n')
        assert 'PWD=' not in run('-genvnone', '-wdir', d, 'env').out


def in_a_directory_that_was_removed():
    d = tempfile.mkdtemp()
    for program in actor(), 'echo':
        p = start('-n', 1, program, 'say', 'found', cwd=d, preexec_fn=lambda: os.path.exists(d) and os.rmdir(d))
        r = finish(p)
        assert r.code == 0 and 'found' in r.out, r
        os.path.exists(d) or os.mkdir(d)
    os.rmdir(d)


def several_programs():
    r = run('-n', 1, probe(), ':', '-n', 2, probe(), ':', probe())
    expect(r, 0)
    assert sorted(r.out.split('\n'))[1:] == [f'probe {i} of 4, appnum {a}, universe {universe(4)}'
                                             for i, a in enumerate((0, 1, 1, 2))], r
    with directory() as d:
        with open(f'{d}/jobs', 'w') as f:
            f.write("# two programs\n-n 1 echo 'a  b' # one\n\n-n 2 \\\n echo c\n")
        r = run('-l', '-configfile', f'{d}/jobs')
        assert (r.code, sorted(r.out.split('\n'))) == (0, ['', '[0] a  b', '[1] c', '[2] c']), r


def environment():
    env = dict(os.environ, PT_OWN='own', PMI_ID='9')
    world = ' '.join(f'$OMPI_COMM_WORLD_{x}' for x in ('RANK', 'SIZE', 'LOCAL_RANK', 'LOCAL_SIZE'))
    show = f'echo $PMI_RANK/$PMI_SIZE $MPI_LOCALRANKID/$MPI_LOCALNRANKS {world} $PT_OWN $PT_A$PMI_ID $GFORTRAN_UNBUFFERED_PRECONNECTED'
    r = run('-n', 2, '-env', 'PT_A', 'x=y', 'sh', '-c', show, env=env)
    expect(r, 0)
    assert sorted(r.out.split('\n'))[1:] == ['0/2 0/2 0 2 0 2 own x=y y', '1/2 1/2 1 2 1 2 own x=y y'], r
    expect(run('-genvnone', '-genv', 'PT_A', 'b', 'sh', '-c', show, env=env), 0, '0/1 0/1 0 1 0 1 b y\n')
    expect(run('-x', 'PT_A=c', '-envlist', 'PATH', 'sh', '-c', show, env=env), 0, '0/1 0/1 0 1 0 1 c y\n')
    # Of a job in a job, which is not one of Open MPI; and a program of a rank that is none itself.
    inner = f'{mpiexec()} -n 2 sh -c "$1" | sort'
    r = run('-n', 3, '-output-from', 2, 'sh', '-c', inner, '-', f'echo {world} $OMPI_MCA_x', env={**env, 'OMPI_MCA_x': 'y'})
    expect(r, 0, '0 2 0 2 y\n1 2 1 2 y\n')
    inner = f'{mpiexec()} -n 1 sh -c "$1"'
    r = run('-n', 2, '-output-from', 0, 'sh', '-c', inner, '-', 'echo "<$OMPI_MCA_orte_local_daemon_uri>"')
    expect(r, 0, '<>\n')
    r = run('-n', 2, 'sh', '-c', f'unset PMI_FD; {probe()}')
    assert r.code == 0 and r.out.count('singleton') == 2, r


def outer_launchers():
    """Ranks are no processes of the launcher that mpiexec runs below: its job is known, its process is not."""
    step = {'PMIX_NAMESPACE': 'n', 'PMIX_RANK': '3', 'OMPI_COMM_WORLD_SIZE': '4', 'OMPI_MCA_x': 'y', 'SLURM_STEP_ID': '0',
            'SLURM_STEPID': '0', 'SLURM_PROCID': '3', 'SLURM_LOCALID': '1', 'SLURMD_NODENAME': 'a', 'SLURM_SRUN_COMM_PORT': '1'}
    job = {'SLURM_JOB_ID': '7', 'SLURM_CPUS_PER_TASK': '2'}
    names = '|'.join('PMIX_ OMPI_ SLURM'.split())
    r = run('sh', '-c', f'env | grep -E "^({names})" | grep -v OMPI_COMM | sort', env={**os.environ, **step, **job})
    expect(r, 0, 'SLURM_CPUS_PER_TASK=2\nSLURM_JOB_ID=7\n')
    r = run('-envlist', 'PATH,SLURM_PROCID', '-env', 'PMIX_X', '1', 'sh', '-c', f'env | grep -E "^({names})" | grep -v OMPI_COMM | sort',
            env={**os.environ, **step, **job})
    expect(r, 0, 'PMIX_X=1\nSLURM_PROCID=3\n')
    r = run('sh', '-c', 'env | grep ^OMPI_ | grep -v COMM_WORLD', env={**os.environ, 'OMPI_CC': 'clang'})
    expect(r, 0, 'OMPI_CC=clang\n')


def settings():
    r = run('-n', 2, '-set', 'A=1 ;\\%', '-set', 'B=x=y', probe(), 'settings')
    expect(r, 0)
    assert r.out.count('A=1 ;\\%\nB=x=y\n') == 2, r
    assert run('-usize', 9, probe()).out == 'probe 0 of 1, appnum 0, universe 9\n'


def descriptors():
    r = run('-n', 3, actor(), 'fds')
    expect(r, 0)
    for line in r.out.splitlines():
        fds = line.split()
        assert fds[:3] == ['0', '1', '2'] and len(fds) == 4, r
    read, write = os.pipe()  # what the user hands on, as "prog <(command)" does, stays open
    r = run('-n', 2, 'sh', '-c', f'echo x >/dev/fd/{write}', pass_fds=[write])
    os.close(write)
    assert r.code == 0 and os.read(read, 10) == b'x\nx\n', r
    os.close(read)


def process_groups():
    expect(run('-n', 2, actor(), 'self'), 0, 'leader 1 death 9\n' * 2)


def shell_runs_programs_in_a_row():
    r = run('-n', 3, 'sh', '-c', f'{probe()} && {probe()}')
    expect(r, 0)
    assert r.out.count('probe ') == 6, r


def mpiexec_in_mpiexec():
    r = run('-n', 2, mpiexec(), '-n', 2, probe())
    expect(r, 0)
    assert sorted(r.out.split('\n'))[1:] == [f'probe {i} of 2, appnum 0, universe {universe(2)}' for i in (0, 0, 1, 1)], r


def many_ranks():
    r = run('-n', 200, probe())
    expect(r, 0)
    assert r.out.count(' of 200,') == 200, r
    low = ['sh', '-c', f'ulimit -Sn 64; {mpiexec()} -n 100 sh -c "ulimit -Sn"']
    r = subprocess.run(low, capture_output=True, text=True, timeout=LIMIT)
    assert (r.returncode, r.stdout) == (0, '64\n' * 100), r
    low = ['sh', '-c', f'ulimit -n 64; {mpiexec()} -n 100 true']
    r = subprocess.run(low, capture_output=True, text=True, timeout=LIMIT)
    assert r.returncode == 1 and 'open files' in r.stderr and '64' in r.stderr, r


def what_is_left_running_is_ended():
    r = run('-n', 2, 'sh', '-c', 'sleep 100 & setsid sleep 100 & exit 0')
    expect(r, 0, '')
    assert r.seconds > 1, r
    r = run('-n', 1, 'sh', '-c', '(sleep 0.3; echo late) & exit 0')
    expect(r, 0, 'late\n')


# ---- other things ------------------------------------------------------------------------------

def help_and_version():
    for option in ('-h', '--help'):
        r = run(option)
        expect(r, 0)
        assert '-genvlist NAMES' in r.out and max(map(len, r.out.split('\n'))) < 100, r
    r = run('--version')
    assert r.code == 0 and r.out.startswith('Starling mpiexec '), r


def help_settings():
    with directory() as d:
        shutil.copy(mpiexec(), f'{d}/mpiexec')
        r = subprocess.run([f'{d}/mpiexec', '--help-settings'], capture_output=True, text=True, timeout=LIMIT)
        assert r.returncode == 1 and f'{d}/starling_info' in r.stderr, r
        with open(f'{d}/starling_info', 'w') as f:
            f.write('#!/bin/sh\necho "asked for $*"\n')
        os.chmod(f'{d}/starling_info', 0o755)
        r = subprocess.run([f'{d}/mpiexec', '--help-settings'], capture_output=True, text=True, timeout=LIMIT)
        assert (r.returncode, r.stdout) == (0, 'asked for --settings\n'), r


def timeout():
    r = run('-timeout', 1, '-n', 2, actor(), 'hold')
    expect(r, 124, '', 'ended after 1 s')
    r = run('-n', 2, actor(), 'hold', env=dict(os.environ, MPIEXEC_TIMEOUT='1'))
    expect(r, 124, '', 'ended after 1 s')
    expect(run('-timeout', 9, 'true'), 0, '')


def verbose():
    r = run('-v', '-n', 2, 'sh', '-c', 'exit 2')
    assert r.code == 2 and 'rank 1 is process ' in r.err and 'rank 0 ended: exit code 2' in r.err, r


def runs_mpich_programs():
    if not shutil.which('mpicc.mpich'):
        raise Skip('no mpicc.mpich')
    with directory() as d:
        with open(f'{d}/m.c', 'w') as f:
            f.write('''#include <mpi.h>
                int main(int argc, char **argv) { int r, n, sum; MPI_Init(&argc, &argv);
                MPI_Comm_rank(MPI_COMM_WORLD, &r); MPI_Comm_size(MPI_COMM_WORLD, &n);
                MPI_Allreduce(&r, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
                if (sum != n * (n - 1) / 2) MPI_Abort(MPI_COMM_WORLD, 8);
                if (argc > 1 && r == 1) MPI_Abort(MPI_COMM_WORLD, 42); MPI_Finalize(); return 0; }''')
        subprocess.run(['mpicc.mpich', f'{d}/m.c', '-o', f'{d}/m'], check=True, timeout=LIMIT)
        expect(run('-n', 2, f'{d}/m', limit=40), 0, '')
        r = run('-n', 2, f'{d}/m', 'abort', limit=40)
        assert r.code == 42 and 'rank 1' in r.last, r


def programs_of_open_mpi_are_not_started():
    foreign = os.path.join(os.path.dirname(actor()), 'foreign')
    assert subprocess.run([foreign], capture_output=True, timeout=LIMIT).stdout == b'started\n'
    for args in (['-n', 2, foreign], ['-n', 1, 'true', ':', '-n', 1, foreign]):
        r = run(*args)
        expect(r, 126, '', f"cannot start '{foreign}': it is linked to Open MPI")
        assert r.err.count('\n') == 1, r
    expect(run('-n', 2, 'sh', '-c', foreign), 0, 'started\nstarted\n')  # what a script does cannot be seen


def client_runs_under_hydra():
    if not shutil.which('mpiexec.hydra'):
        raise Skip('no mpiexec.hydra')
    for options in ([], ['-pmi-port']):
        r = subprocess.run(['mpiexec.hydra', '-launcher', 'fork'] + options + ['-n', '4', probe()],
                           capture_output=True, text=True, timeout=40)
        assert r.returncode == 0 and r.stdout.count(' of 4, appnum 0') == 4, r


TESTS = [
    whole_lines, whole_lines_in_one_file, slow_lines_stay_whole, nothing_is_lost_at_exit,
    last_line_without_newline, long_lines, one_rank_is_not_held_back, streams_apart, labels, output_files,
    reader_leaves, full_disk, slow_reader, closed_descriptors, no_dev_null, input_goes_to_rank_0, input_of_others_ends,
    input_large, input_is_not_stolen, all_is_well, exit_code_of_programs, others_may_end, death_by_signal,
    abort, exit_without_finalize, closed_connection, never_joined, protocol_errors, stubborn_ranks_are_killed,
    cannot_start, usage_errors, where_programs_are_found, in_a_directory_that_was_removed, several_programs, environment, outer_launchers, settings,
    descriptors, process_groups, shell_runs_programs_in_a_row, mpiexec_in_mpiexec, many_ranks,
    what_is_left_running_is_ended, help_and_version, help_settings, timeout, verbose, runs_mpich_programs,
    programs_of_open_mpi_are_not_started, client_runs_under_hydra,
]

if __name__ == '__main__':
    sys.exit(main(TESTS, sys.argv[1:]))
