"""What the fault tests share: jobs with time limits, a file system view of their own, and what a
job leaves behind.

This process adopts whatever a job leaves running, so that nothing can hide. With the permission, it
gets mount points of its own, so that other users of the machine do not disturb."""
import contextlib, ctypes, os, random, re, shutil, signal, subprocess, sys, time

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNS, MS_BIND, MS_REC, MS_PRIVATE = 0x20000, 4096, 16384, 1 << 18
PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG = 36, 1
SKIPPED = 77  # SKIP_RETURN_CODE
PLACES = '/dev/shm', '/tmp', '/run', '/var/tmp'
SOCKETS = {'STARLING_DEVICES': 'sockets'}
FULL = os.environ.get('TEST_SIZE') == 'full'  # else what each landing runs
MPIEXEC = PROGRAMS = ''


class Skip(Exception):
    pass


class Job:
    """A job under way or over; code, out and err are there when it is over."""

    def __init__(self, args, environment=None, **options):
        env = {**os.environ, **(environment or {})}
        self.args, self.begin = args, time.monotonic()
        pipe = subprocess.PIPE
        options = {'stdin': subprocess.DEVNULL, **options}
        self.process = subprocess.Popen(args, env=env, stdout=pipe, stderr=pipe, **options)
        self.pid = self.process.pid

    def finish(self, limit=30):
        try:
            out, err = self.process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            about = [(pid, name_of(pid), where_of(pid)) for pid in descendants()]
            kill_all()
            out, err = self.process.communicate()
            text = f'hung for {limit} s: {self.args}; {about}; said {out + err!r}'
            raise AssertionError(text) from None
        self.code = self.process.returncode
        self.out, self.err = out.decode('latin1'), err.decode('latin1')
        return self

    def __repr__(self):
        return f'{self.args}: code {self.code}, out {self.out[-300:]!r}, err {self.err[-600:]!r}'


def program(name):
    return os.path.join(PROGRAMS, 'fault_' + name)


def mpiexec(ranks, *command, **options):
    return Job([MPIEXEC, '-n', str(ranks), *map(str, command)], **options)


def hydra(ranks, *command, options=(), **more):
    launcher = shutil.which('mpiexec.hydra')
    if not launcher:
        raise Skip('there is no mpiexec.hydra here')
    return Job([launcher, *options, '-n', str(ranks), *map(str, command)], **more)


def run(ranks, *command, limit=30, **options):
    """A job that must end well."""
    job = mpiexec(ranks, *command, **options).finish(limit)
    assert job.code == 0, job
    nothing_left()
    return job


def sleeps(job, ranks):
    """How often the ranks slept, woke in vain, and found what they had not been woken for: sums of
    what they said with STARLING_REPORT_MISSED_WAKEUPS."""
    told = re.findall(r'slept (\d+) times, (\d+) in vain, (\d+) too long', job.err)
    assert len(told) == ranks, job
    return [sum(map(int, numbers)) for numbers in zip(*told)]


# ---- processes -----------------------------------------------------------------------------------

def descendants(pid=None):
    pid = pid or os.getpid()
    found = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f'/proc/{pid}/task'):
            with open(f'/proc/{pid}/task/{thread}/children') as f:
                for child in map(int, f.read().split()):
                    found += [child] + descendants(child)
    return found


def read(path):
    with contextlib.suppress(OSError):
        with open(path) as f:
            return f.read().strip()
    return ''


def name_of(pid):
    return read(f'/proc/{pid}/comm')


def where_of(pid):
    return read(f'/proc/{pid}/wchan')


def stat_of(pid):
    """What is behind the name: state, parent, ..."""
    return read(f'/proc/{pid}/stat').rpartition(')')[2].split()


def state_of(pid):
    return stat_of(pid)[:1]


def parent_of(pid):
    return int((stat_of(pid) + ['0', '0'])[1])


def is_rank(pid):
    with contextlib.suppress(OSError):
        return os.readlink(f'/proc/{pid}/exe').startswith(PROGRAMS + '/fault_')
    return False


def kill(pids):
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def kill_all():
    for _ in range(100):
        left = descendants()
        if not left:
            return
        kill(left)
        reap()
        time.sleep(0.02)


def reap():
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def nothing_left(limit=5):
    """No process of the job lives any more."""
    end = time.monotonic() + limit
    while True:
        reap()
        left = descendants()
        if not left:
            return
        if time.monotonic() > end:
            about = [(pid, name_of(pid), state_of(pid), where_of(pid)) for pid in left]
            kill_all()
            raise AssertionError(f'left behind: {about}')
        time.sleep(0.005)


# ---- file systems --------------------------------------------------------------------------------

def files():
    """All names in the places where jobs leave files."""
    found = set()
    for place in PLACES:
        for directory, _, names in os.walk(place):
            if not directory.startswith((PROGRAMS, os.path.dirname(MPIEXEC))):
                found |= {os.path.join(directory, n) for n in names}
            if len(found) > 100000:
                break
    return found


def mount(source, target, kind, flags=0, data=None):
    args = [x.encode() if isinstance(x, str) else x for x in (source, target, kind)]
    if LIBC.mount(*args, flags, data.encode() if data else None):
        raise OSError(ctypes.get_errno(), f'mount {target}')


def own_mounts(shm_size='64m'):
    """A /dev/shm of that size, and empty /tmp and /run, for this process and its children. What is
    tested stays where it was."""
    if LIBC.unshare(CLONE_NEWNS):
        raise Skip(f'no mount namespace for us: {os.strerror(ctypes.get_errno())}')
    places = sorted((PROGRAMS, os.path.dirname(MPIEXEC)), key=len)  # one may be within the other
    keep = [(place, os.open(place, os.O_RDONLY)) for place in places]
    mount(None, '/', None, MS_REC | MS_PRIVATE)
    mount('none', '/dev/shm', 'tmpfs', 0, f'size={shm_size}')
    for place in '/tmp', '/run', '/var/tmp':
        mount('none', place, 'tmpfs')
    for place, fd in keep:
        if not os.path.exists(place):
            os.makedirs(place)
            mount(f'/proc/self/fd/{fd}', place, None, MS_BIND)
        os.close(fd)


MOUNTED = []


def has_own_mounts():
    """Where it is permitted; once for this process."""
    if not MOUNTED:
        try:
            own_mounts()
            MOUNTED.append(True)
        except Skip:
            MOUNTED.append(False)
    return MOUNTED[0]


# ---- running -------------------------------------------------------------------------------------

def clean_environment():
    """We may ourselves run under a launcher."""
    for name in list(os.environ):
        if name.startswith(('PMI', 'HYDRA', 'MPIEXEC_', 'OMPI_', 'SLURM_')):
            del os.environ[name]


def main(tests, arguments):
    """SCRIPT MPIEXEC DIRECTORY [TEST...]: the directory has the programs."""
    global MPIEXEC, PROGRAMS
    MPIEXEC, PROGRAMS = (os.path.realpath(a) for a in arguments[:2])
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    random.seed(1)
    clean_environment()
    failed, skipped, ran = [], [], 0
    for test in tests:
        if arguments[2:] and test.__name__ not in arguments[2:]:
            continue
        try:
            test()
            nothing_left()
            ran += 1
        except Skip as e:
            skipped.append(f'{test.__name__}: {e}')
        except AssertionError as e:
            failed.append(f'{test.__name__}, line {e.__traceback__.tb_next.tb_lineno}: {e}')
            kill_all()
    for line in [f'skipped {s}' for s in skipped] + failed:
        print(line, file=sys.stderr)
    return 1 if failed else SKIPPED if skipped and not ran else 0
