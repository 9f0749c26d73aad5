"""Runs a command in a Slurm of its own, whose daemons are children: of one node, which is this host, or of
several, n1, n2, and so on, which all are this host.

Usage: slurm.py [-N NODES] COMMAND...     `srun` finds that Slurm; exits with 77 where Slurm cannot be run."""
import collections, contextlib, ctypes, os, shutil, socket, subprocess, sys, tempfile, time
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../mpiexec'))
from ports import free_ports

SKIPPED = 77
PR_SET_CHILD_SUBREAPER = 36
DAEMONS = ('munged', 'slurmctld', 'slurmd')
# Where it is, and the words that run a command there: none on this host.
Node = collections.namedtuple('Node', 'name host address enter')
HERE = '127.0.0.1'
CONF = '''ClusterName=test
SlurmctldHost={host}({controller})
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={d}/munge
CredType=cred/munge
SlurmctldPort={port}
StateSaveLocation={d}/state
SlurmdSpoolDir={d}/spool-%n
SlurmctldPidFile={d}/slurmctld.pid
SlurmdPidFile={d}/slurmd-%n.pid
TmpFS={d}/tmp-%n
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
{nodes}
PartitionName=test Nodes={names} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
'''


def reason():
    """Why Slurm cannot be run here; None: it can."""
    missing = [c for c in (*DAEMONS, 'srun', 'sinfo', 'salloc', 'sbatch') if not shutil.which(c)]
    if missing:
        return f'{", ".join(missing)} not found'
    return None if os.geteuid() == 0 else 'only root can start slurmd'


def nodes_here(count):
    host = socket.gethostname().partition('.')[0]
    return [Node(f'n{i + 1}' if count > 1 else host, host, HERE, ()) for i in range(count)]


def configure(d, nodes, controller):
    """controller: the address of slurmctld, which is on this host."""
    host, cores = socket.gethostname().partition('.')[0], len(os.sched_getaffinity(0))
    port, *ports = free_ports(1 + len(nodes))
    lines = [f'NodeName={n.name} NodeHostname={n.host} NodeAddr={n.address} Port={p} CPUs={cores} State=UNKNOWN'
             for n, p in zip(nodes, ports)]
    for folder in 'state', *[f'tmp-{n.name}' for n in nodes]:
        os.mkdir(f'{d}/{folder}')
    with open(f'{d}/slurm.conf', 'w') as f:
        f.write(CONF.format(host=host, d=d, port=port, controller=controller, nodes='\n'.join(lines),
                            names=','.join(n.name for n in nodes)))
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
def daemon(name, *command):
    """A daemon in the foreground, which writes to a file."""
    with open(f'{name}.log', 'wb') as log:
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
def cluster(nodes, controller=HERE):
    """The folder of a Slurm whose nodes take jobs."""
    def idle():
        r = subprocess.run(['sinfo', '-h', '-N', '-o', '%T'], capture_output=True, text=True)
        return r.stdout.split() == ['idle'] * len(nodes)

    with tempfile.TemporaryDirectory(prefix='slurm-') as d, contextlib.ExitStack() as stack:
        os.chmod(d, 0o755)
        configure(d, nodes, controller)
        os.environ['SLURM_CONF'] = f'{d}/slurm.conf'
        munge = [f'--socket={d}/munge', f'--key-file={d}/key', f'--pid-file={d}/munge.pid',
                 f'--log-file={d}/munge.log', f'--seed-file={d}/munge.seed']
        stack.enter_context(daemon(f'{d}/munged', 'munged', '--foreground', '--force', *munge))
        wait_until(lambda: os.path.exists(f'{d}/munge'), 'munged')
        stack.enter_context(daemon(f'{d}/slurmctld', 'slurmctld', '-D', '-c'))
        for n in nodes:
            stack.enter_context(daemon(f'{d}/slurmd-{n.name}', *n.enter, 'slurmd', '-D', '-N', n.name))
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
    several = sys.argv[1] == '-N'
    with cluster(nodes_here(int(sys.argv[2]) if several else 1)):
        code = subprocess.run(sys.argv[3 if several else 1:]).returncode
    reap()
    sys.exit(code)
