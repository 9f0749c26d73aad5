#!/usr/bin/env python3
"""A host whose processes compute is not dead, however many processes wait for it and foreign ones
connect to it; a dead host is found all the same.

Usage: busy.py MPIEXEC DIRECTORY [TEST...]"""
import contextlib, sys, tempfile
from cluster import MESSAGES, Cluster
from faults import *
from silence import BY, PATIENCE, await_files

BUSY = 5     # s in which process 0 does not call MPI
LONG = 34    # s, likewise: a kernel that finds the backlog full then pauses until the 63rd second
# s in which the job must then end: a provider leaves it to the kernel.
AFTER = {'sockets': 20, 'libfabric': 45}
LONGER = PATIENCE + 2  # s: a process that has lost its patience has said so
WAITING = 9  # processes of the other host
# The backlog of process 0 and how many strangers fill it: the tcp provider takes its time for each.
CROWD = {'sockets': (4096, 4200), 'libfabric': (128, 200)}

# Connects so often to each of these ports, says something there every third time, and stays.
STRANGER = '''import resource, socket, sys
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
address, count, *ports = sys.argv[1:]
kept = []
for i in range(int(count)):
    for port in ports:
        s = socket.socket()
        s.setblocking(False)
        s.connect_ex((address, int(port)))
        kept.append(s)
        if i % 3 == 0:
            try:
                s.send(b'GET / HTTP/1.0' * 10)
            except OSError:
                pass
print('there', flush=True)
sys.stdin.read()
'''


def on(host, *command):
    """A command in the networks of a host."""
    return ['nsenter', '-t', str(host.pid), '-n', *map(str, command)]


def listening(host):
    """The ports where a process of this host listens."""
    words = [line.split() for kind in ('tcp', 'tcp6')
             for line in read(f'/proc/{host.pid}/net/{kind}').splitlines()]
    return sorted({int(w[1].rpartition(':')[2], 16) for w in words if w[3] == '0A'})


@contextlib.contextmanager
def strangers(host, count):
    there = subprocess.Popen(on(host, sys.executable, '-c', STRANGER, f'{MESSAGES}.1', count,
                                *listening(host)), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert there.stdout.readline() == b'there\n'
        yield
    finally:
        there.kill()
        there.communicate()


class Waiting:
    """A job in which the processes of a second host wait for the one of the first."""

    def __init__(self, device, waiting, backlog):
        self.device, self.waiting, self.backlog, self.c = device, waiting, backlog, Cluster(2)

    def __enter__(self):
        self.c.__enter__()
        self.directory = tempfile.TemporaryDirectory()
        limit = f'echo {self.backlog} >/proc/sys/net/core/somaxconn'
        subprocess.run(on(self.c.hosts[0], 'sh', '-c', limit), check=True)
        self.job = self.c.run([1, self.waiting], program('busy'), self.directory.name,
                              options=['-disable-auto-cleanup'],
                              environment={'STARLING_PEER_TIMEOUT': str(PATIENCE),
                                           **BY[self.device]})
        await_files(self.directory.name, 1 + self.waiting)
        return self

    def say(self, word):
        open(os.path.join(self.directory.name, word), 'w').close()

    def ends_well(self, busy=BUSY, limit=40):
        self.say('wait')
        time.sleep(busy)
        self.say('talk')
        self.job.finish(limit)
        assert self.job.code == 0 and self.job.out.count('ok\n') == 1 + self.waiting, self.job

    def errors(self):
        """The moment and the text of each, the first first."""
        self.job.finish(40)
        return sorted((float(when), text) for when, _, text in
                      (line.partition(' ') for line in self.job.out.splitlines() if line[:1].isdigit()))

    def __exit__(self, *_):
        self.directory.cleanup()
        self.c.__exit__()


def more_than_the_backlog(device):
    """More wait than the listener of process 0 takes, and not much longer than it computes."""
    with Waiting(device, WAITING, 2) as w:
        w.ends_well(LONG, AFTER[device])


@contextlib.contextmanager
def crowd(device, waiting):
    backlog, count = CROWD[device]
    with Waiting(device, waiting, backlog) as w, strangers(w.c.hosts[0], count):
        yield w


def behind_strangers(device):
    with crowd(device, 3) as w:
        w.ends_well()


def cut_behind_strangers(device):
    """A process that has waited for longer than its patience hears of the end of the host as soon
    as others."""
    with crowd(device, 1) as w:
        w.say('wait')
        time.sleep(LONGER)
        w.c.swallow(0)
        cut = time.monotonic()
        time.sleep(PATIENCE + 1.8)
        w.say('talk')
        errors = w.errors()
    assert len(errors) == 2, w.job
    when, text = errors[0]
    assert 'process 0 of MPI_COMM_WORLD on node0' in text and 'Connection timed out' in text, w.job
    assert when > cut, (when - cut, w.job)


def ended_behind_strangers(device):
    """Of the end of the process they hear at once, or at the next look."""
    with crowd(device, 3) as w:
        w.say('wait')
        time.sleep(LONGER)
        w.say('end')
        end = time.monotonic()
        errors = w.errors()
    assert len(errors) == 3, w.job
    for when, text in errors:
        assert 'process 0 of MPI_COMM_WORLD on node0' in text, w.job
        assert when > end, (when - end, w.job)


TESTS = []
for check in more_than_the_backlog, behind_strangers, cut_behind_strangers, \
        ended_behind_strangers:
    for name in BY:
        def test(check=check, name=name):
            check(name)
        test.__name__ = f'{check.__name__}_over_{name}'
        TESTS.append(test)

if __name__ == '__main__':
    sys.exit(main(TESTS, sys.argv[1:]))
