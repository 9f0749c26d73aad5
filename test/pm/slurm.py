"""Runs a command in a Slurm of its own: one host, which is this one, and all daemons are children.

Usage: slurm.py COMMAND...     `srun` finds that Slurm; exits with 77 where Slurm cannot be run."""
import contextlib, ctypes, os, shutil, socket, subprocess, sys, tempfile, time

SKIPPED = 77
PR_SET_CHILD_SUBREAPER = 36
DAEMONS = ('munged', 'slurmctld', 'slurmd')
CONF = '''ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={d}/munge
CredType=cred/munge
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={d}/state
SlurmdSpoolDir={d}/spool
SlurmctldPidFile={d}/slurmctld.pid
SlurmdPidFile={d}/slurmd.pid
SwitchType=switch/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
InactiveLimit=0
KillWait=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} State=UNKNOWN
PartitionName=test Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
'''


def reason():
    """Why Slurm cannot be run here; None: it can."""
    missing = [c for c in (*DAEMONS, 'srun', 'sinfo') if not shutil.which(c)]
    if missing:
        return f'{", ".join(missing)} not found'
    return None if os.geteuid() == 0 else 'only root can start slurmd'


def free_ports(n):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(n)]
        for s in sockets:
            s.bind(('127.0.0.1', 0))
        return [s.getsockname()[1] for s in sockets]


def configure(d):
    host = socket.gethostname().partition('.')[0]
    for folder in ('state', 'spool'):
        os.mkdir(f'{d}/{folder}')
    with open(f'{d}/slurm.conf', 'w') as f:
        f.write(CONF.format(host=host, d=d, ports=free_ports(2), cores=len(os.sched_getaffinity(0))))
    with open(f'{d}/cgroup.conf', 'w') as f:
        f.write('CgroupPlugin=cgroup/v1\n')  # others want a systemd
    with open(f'{d}/key', 'wb', opener=lambda path, flags: os.open(path, flags, 0o400)) as f:
        f.write(os.urandom(128))


def wait_until(condition, what):
    end = time.monotonic() + 30
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f'slurm.py: {what} is not up after 30 s')
        time.sleep(0.1)


@contextlib.contextmanager
def daemon(d, *command):
    """A daemon in the foreground, which writes to a file."""
    with open(f'{d}/{command[0]}.log', 'wb') as log:
        p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    try:
        yield
    finally:
        p.terminate()
        try:
            p.wait(10)
        except subprocess.TimeoutExpired:
            p.kill()
            p.wait()


@contextlib.contextmanager
def cluster():
    """The folder of a Slurm whose host takes jobs."""
    def idle():
        r = subprocess.run(['sinfo', '-h', '-o', '%T'], capture_output=True, text=True)
        return r.stdout.strip() == 'idle'

    with tempfile.TemporaryDirectory(prefix='slurm-') as d, contextlib.ExitStack() as stack:
        os.chmod(d, 0o755)
        configure(d)
        os.environ['SLURM_CONF'] = f'{d}/slurm.conf'
        munge = [f'--socket={d}/munge', f'--key-file={d}/key', f'--pid-file={d}/munge.pid',
                 f'--log-file={d}/munge.log', f'--seed-file={d}/munge.seed']
        stack.enter_context(daemon(d, 'munged', '--foreground', '--force', *munge))
        wait_until(lambda: os.path.exists(f'{d}/munge'), 'munged')
        stack.enter_context(daemon(d, 'slurmctld', '-D', '-c'))
        stack.enter_context(daemon(d, 'slurmd', '-D'))
        wait_until(idle, 'slurmd')
        yield d


def reap():
    """Waits for what slurmd has started and left to this process."""
    with contextlib.suppress(ChildProcessError):
        for _ in range(50):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            time.sleep(0.1)


if __name__ == '__main__':
    if reason():
        print(f'skipped: {reason()}')
        sys.exit(SKIPPED)
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with cluster():
        code = subprocess.run(sys.argv[1:]).returncode
    reap()
    sys.exit(code)
