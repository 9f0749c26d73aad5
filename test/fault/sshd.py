"""Hosts made of namespaces with an sshd each, and jobs of our own mpiexec on them.

Logins there have a home and shells of their own: start-up files of this machine's users may take long,
and leave files."""
import os, shutil, subprocess, tempfile, time
import faults
from cluster import LAUNCHER, Cluster
from faults import Job, Skip, descendants, name_of, reap

SSHD = '/usr/sbin/sshd'
GONE = 3  # seconds, for processes on other hosts
WORKER = 1000  # uid of an ordinary user

SSHD_CONFIG = '''Port {1}
HostKey {0}/host_key
AuthorizedKeysFile {0}/key.pub
StrictModes no
UsePAM no
UseDNS no
PidFile none
PasswordAuthentication no
PermitRootLogin yes
MaxStartups 100
'''
SSH_CONFIG = '''Host *
IdentityFile {0}/key
IdentitiesOnly yes
StrictHostKeyChecking {1}
UserKnownHostsFile {0}/{2}
LogLevel ERROR
'''


def address(index):
    return f'{LAUNCHER}.{index + 1}'


def slowness():
    """How much longer things may take, because more processes want to run than there are cores."""
    return max(1, os.getloadavg()[0] / (2 * len(os.sched_getaffinity(0))))


class Hosts(Cluster):
    """with Hosts(3) as c: c.start(c.all(), '-n', 6, program('exchange')).finish()

    shells: those of logins, of each host. ordinary: sshd is of the user worker, on port 2222."""

    def __init__(self, hosts=3, shells=None, ordinary=False):
        super().__init__(hosts)
        self.longest = 0  # that the end of a job took of its limit
        self.shells = shells or ['/bin/sh'] * hosts
        self.user, self.port = ('worker', 2222) if ordinary else ('root', 22)

    def __enter__(self):
        if os.geteuid() or not os.access(SSHD, os.X_OK) or not shutil.which('ssh'):
            raise Skip('needs root, ssh and sshd')
        super().__enter__()
        self.directory = d = tempfile.mkdtemp()
        os.chmod(d, 0o755)
        os.mkdir(f'{d}/home')
        for key in 'key', 'host_key', 'other_key':
            subprocess.run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', f'{d}/{key}'], check=True)
        self.write('sshd_config', SSHD_CONFIG.format(d, self.port))
        self.write('ssh_config', SSH_CONFIG.format(d, 'no', 'known'))
        self.write('known', '')
        for i in range(self.count):
            self.start_sshd(i)
        for i in range(self.count):
            self.await_sshd(i)
        self.base = set(descendants())
        return self

    def __exit__(self, *_):
        super().__exit__()
        shutil.rmtree(self.directory, ignore_errors=True)

    def start_sshd(self, index):
        d, shell = self.directory, self.shells[index]
        self.write(f'passwd{index}', f'root:*:0:0::{d}/home:{shell}\nworker:*:{WORKER}:{WORKER}::{d}/home:{shell}\n'
                                     'sshd:*:65534:65534::/run/sshd:/usr/sbin/nologin\n')
        become = ''
        if self.user != 'root':
            become = f'setpriv --reuid {WORKER} --regid {WORKER} --clear-groups'
            subprocess.run(['chown', '-R', f'{WORKER}:{WORKER}', d], check=True)
        r = self.enter(self.hosts[index], 'sh', '-c', f'''mount --bind {d}/passwd{index} /etc/passwd &&
            mkdir -p /run/sshd && exec {become} {SSHD} -f {d}/sshd_config -E {d}/log{index}''')
        if r.returncode:
            raise Skip(f'sshd does not start here: {r.stderr.strip()}')

    def await_sshd(self, index):
        end = time.monotonic() + 10
        while True:
            r = subprocess.run(['ssh', *self.ssh_options().split(), '-l', self.user, address(index), 'true'],
                               capture_output=True, text=True, timeout=20, stdin=subprocess.DEVNULL)
            if not r.returncode:
                return
            if time.monotonic() > end:
                raise Skip(f'no sshd runs here: {r.stderr.strip()}')
            time.sleep(0.05)

    def write(self, name, text):
        with open(f'{self.directory}/{name}', 'w') as f:
            f.write(text)

    def enter(self, host, *command):
        words = ['nsenter', '-t', str(host.pid), '-m', '-u', '-i', '-n', '-p', '--', *command]
        return subprocess.run(words, capture_output=True, text=True, timeout=20)

    def ssh_options(self):
        return f'-F {self.directory}/ssh_config' + (f' -p {self.port}' if self.port != 22 else '')

    def start(self, hosts, *args, environment=None, **options):
        env = {'HYDRA_LAUNCHER_EXTRA_ARGS': self.ssh_options(), **(environment or {})}
        where = ['-host', hosts] if hosts else []
        return Job([faults.MPIEXEC, *where, *map(str, args)], environment=env, **options)

    def all(self, slots=2):
        return ','.join(f'{address(i)}:{slots}' for i in range(self.count))

    # ---- processes of jobs -----------------------------------------------------------------------

    def ranks(self, index):
        """The processes of jobs on a host."""
        found = [name_of(pid) for pid in descendants(self.hosts[index].pid)]
        return [name for name in found if name.startswith(('fault_', 'mpi', 'starling-job'))]

    def await_ranks(self, index, some, job=None):
        end = time.monotonic() + 20
        while bool(self.ranks(index)) != some:
            assert not job or job.process.poll() is None, job.finish()
            assert time.monotonic() < end, (index, self.ranks(index))
            time.sleep(0.02)

    def nothing_left(self, indices):
        end = time.monotonic() + GONE
        for i in indices:
            while self.ranks(i):
                assert time.monotonic() < end, f'left on host {i}: {self.ranks(i)}'
                time.sleep(0.02)

    def more(self):
        """All processes, here and on the hosts, that were not there before the first job: those of jobs,
        and of sshd for them. The first process of a host starts a sleep from time to time."""
        return [pid for pid in descendants() if pid not in self.base and name_of(pid) != 'sleep']

    def all_gone(self, job, moment, limit, but=()):
        """A job and all of its processes but those of these names end within limit seconds of the moment."""
        while True:
            ended = job.process.poll() is not None
            if ended:
                reap()
            left = [pid for pid in self.more() if name_of(pid) not in but]
            took = time.monotonic() - moment
            if ended and not left:
                self.longest = max(self.longest, took / limit)
                return
            if took > limit * slowness():
                about = [(pid, name_of(pid), faults.state_of(pid), faults.parent_of(pid)) for pid in left]
                faults.kill(self.more())
                raise AssertionError(f'left after {took:.2f} s: {about}; {job.finish()}')
            time.sleep(0.01)


def held(c, *options):
    """A job that runs for ever, on all hosts."""
    job = c.start(c.all(), *options, '-n', 2 * c.count, faults.program('exchange'), 0)
    for i in range(c.count):
        c.await_ranks(i, True, job)
    time.sleep(0.3)
    return job
