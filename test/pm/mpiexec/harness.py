"""Shared by the tests of mpiexec: runs it with a time limit, and fails when it leaves processes.

This process is a child subreaper: a process that a job leaves running becomes its child and is found. A
test fails when one is left."""
import contextlib, ctypes, os, signal, subprocess, sys, tempfile, time

MPIEXEC = PROGRAMS = ''
LIMIT = 20
PR_SET_CHILD_SUBREAPER = 36


class Result:
    def __init__(self, code, out, err, seconds):
        self.code, self.out, self.err, self.seconds = code, out, err, seconds

    @property
    def last(self):
        return self.err.rstrip('\n').rpartition('\n')[2]

    def __repr__(self):
        return f'code {self.code}, {self.seconds:.2f} s, out {self.out[-300:]!r}, err {self.err[-500:]!r}'


class Skip(Exception):
    pass


def setup(path, programs):
    global MPIEXEC, PROGRAMS
    MPIEXEC, PROGRAMS = os.path.abspath(path), os.path.abspath(programs)
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for name in list(os.environ):  # of a launcher that this test may run under
        if name != 'SLURM_CONF' and name.startswith(
                ('PMI', 'MPIEXEC_', 'OMPI_', 'SLURM_', 'PBS_', 'LSB_', 'PE_HOSTFILE', 'HYDRA_', 'HWLOC_', 'OMP_',
                 'GFORTRAN_UNBUFFERED', 'PYTHONUNBUFFERED')):
            del os.environ[name]


def mpiexec():
    return MPIEXEC


def actor():
    return os.path.join(PROGRAMS, 'actor')


def probe():
    return os.path.join(PROGRAMS, 'probe')


def command(args):
    return [mpiexec()] + [str(a) for a in args]


def without_leak_check():
    """The environment for jobs whose mpiexec is killed: SIGCONT then disturbs a leak checker that runs in
    its child."""
    return {**os.environ, 'ASAN_OPTIONS': os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'}


def start(*args, **options):
    options = {'stdin': subprocess.DEVNULL, 'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, **options}
    return subprocess.Popen(command(args), **options)


def finish(p, data=None, limit=LIMIT):
    """Waits for mpiexec and returns its Result. A hang is a failure."""
    begin = time.monotonic()
    try:
        out, err = p.communicate(data, timeout=limit)
    except subprocess.TimeoutExpired:
        p.kill()
        raise AssertionError(f'hung for {limit} s: {p.args}')
    text = [(b or b'').decode('latin1') for b in (out, err)]
    return Result(p.returncode, *text, time.monotonic() - begin)


def run(*args, data=None, limit=LIMIT, **options):
    if data is not None:
        options['stdin'] = subprocess.PIPE
    r = finish(start(*args, **options), data, limit)
    check_nothing_left()
    return r


def children(pid='self'):
    pid = os.getpid() if pid == 'self' else pid
    try:
        with open(f'/proc/{pid}/task/{pid}/children') as f:
            return [int(c) for c in f.read().split()]
    except OSError:
        return []


def name_of(pid):
    try:
        with open(f'/proc/{pid}/comm') as f:
            return f.read().strip()
    except OSError:
        return ''


def state_of(pid):
    try:
        with open(f'/proc/{pid}/stat') as f:
            return f.read().rpartition(')')[2].split()[0]
    except OSError:
        return ''


def has_taken_signals(pid):
    """Whether a process has taken all signals that were sent to it, and waits again."""
    with open(f'/proc/{pid}/status') as f:
        fields = dict(line.split(':', 1) for line in f)
    return fields['State'].split()[0] == 'S' and not any(int(fields[x], 16) for x in ('SigPnd', 'ShdPnd'))


def reap():
    """Waits for children that have ended; true when others still run."""
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return False
        if not pid:
            return True


def check_nothing_left(limit=0.5):
    """limit: seconds that processes may take after the end of mpiexec."""
    end = time.monotonic() + limit
    while reap():
        if time.monotonic() > end:
            left = [(pid, name_of(pid), state_of(pid)) for pid in children()]
            for pid, _, _ in left:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.1)
            reap()
            raise AssertionError(f'left behind: {left}')
        time.sleep(0.005)


def wait_until(condition, limit=10):
    end = time.monotonic() + limit
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < end, 'the condition did not become true'
        time.sleep(0.005)


def worker_of(p):
    """The child of mpiexec that starts the ranks; None before it exists."""
    found = [pid for pid in children(p.pid) if name_of(pid) == 'starling-job']
    return found[0] if found else None


def family(p, ranks):
    """The worker and the ranks of a running mpiexec; waits until all have started."""
    def look():
        worker = worker_of(p)
        found = [pid for pid in children(worker or 0) if name_of(pid) not in ('starling-job', '')]
        return (worker, found) if len(found) == ranks else None
    return wait_until(look)


@contextlib.contextmanager
def directory():
    with tempfile.TemporaryDirectory() as d:
        os.chmod(d, 0o755)
        yield d


def main(tests, arguments):
    setup(*arguments[:2])
    wanted, failed, skipped = arguments[2:], [], []
    for test in tests:
        if wanted and test.__name__ not in wanted:
            continue
        begin = time.monotonic()
        try:
            test()
            check_nothing_left()
            if os.environ.get('PT_TIMES'):
                print(f'{time.monotonic() - begin:6.2f} s {test.__name__}')
        except Skip as e:
            skipped.append(f'{test.__name__}: {e}')
        except Exception as e:
            failed.append(test.__name__)
            where = e.__traceback__
            while where.tb_next and where.tb_next.tb_frame.f_code.co_filename != __file__:
                where = where.tb_next
            print(f'{test.__name__}, line {where.tb_lineno}: {type(e).__name__}: {e}', file=sys.stderr)
            with contextlib.suppress(AssertionError):
                check_nothing_left(0)
    for s in skipped:
        print('skipped', s)
    if failed:
        print(f'{len(failed)} failed: {" ".join(failed)}', file=sys.stderr)
    return 1 if failed else 0
