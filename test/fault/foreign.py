#!/usr/bin/env python3
"""What other users of the machine can do to a job's abstract sockets, whose names are visible to
them.

Usage: foreign.py MPIEXEC DIRECTORY [TEST...]"""
import re, socket, struct, sys
from faults import *

NOBODY = 65534
PERIODS = 300  # of 2 ms, longer than any spinning


@contextlib.contextmanager
def another_user(act, *args):
    """A process of another user, which runs the action and then stays until the end of the
    block."""
    if os.geteuid():
        raise Skip('only root can become another user')
    ready, says = os.pipe()
    pid = os.fork()
    if not pid:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        os.setresuid(NOBODY, NOBODY, NOBODY)
        with contextlib.suppress(BaseException):
            kept = act(*args)
            os.write(says, b'x')
            while kept:
                signal.pause()
        os._exit(1)
    os.close(says)
    try:
        assert os.read(ready, 1), 'the process of the other user failed'
        yield
    finally:
        os.close(ready)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


# ---- wake-ups ------------------------------------------------------------------------------------

def abstract_names(pid):
    """The names of the abstract sockets of a process."""
    mine = set()
    for fd in os.listdir(f'/proc/{pid}/fd'):
        with contextlib.suppress(OSError):
            mine |= set(re.findall(r'socket:\[(\d+)\]', os.readlink(f'/proc/{pid}/fd/{fd}')))
    rows = [line.split() for line in read('/proc/net/unix').split('\n')[1:]]
    return [row[7][1:] for row in rows if len(row) > 7 and row[6] in mine and row[7][0] == '@']


def wake_names(ranks):
    """The names of the sockets that wake the ranks; only the socket of the job has no dot."""
    return [name for pid in ranks for name in abstract_names(pid) if '.' in name]


def disturb(names):
    s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
    for i in range(PERIODS):
        for name in names:
            with contextlib.suppress(BlockingIOError):
                s.sendto((b'', b'x', b'12345678', b'x' * 100)[i % 4], b'\0' + name.encode())
        time.sleep(0.002)
    return [s]


def switches(pid):
    return int(re.search(r'\nvoluntary_ctxt_switches:\s*(\d+)', read(f'/proc/{pid}/status')).group(1))


def wakes_nobody():
    """Ranks that sleep in a receive go on sleeping, and the message still wakes them."""
    job = mpiexec(2, program('idle'), 'recv', 4, environment=SOCKETS)
    end = time.monotonic() + 3
    while True:
        ranks = list(filter(is_rank, descendants(job.pid)))
        names = wake_names(ranks)
        # The sender has a name only if it has slept in the barrier before.
        if len(ranks) == 2 and wake_names(ranks[:1]) and switches(ranks[0]):
            break
        assert time.monotonic() < end, (ranks, names)
        time.sleep(0.01)
    time.sleep(0.3)  # both are asleep
    before = [switches(pid) for pid in ranks]
    with another_user(disturb, names):
        more = [switches(pid) - b for pid, b in zip(ranks, before)]
    assert max(more) < PERIODS / 3, more
    job.finish()
    assert job.code == 0, job


def names_are_not_known_before():
    """The names of a job's sockets do not follow from those of another job."""
    seen = set()
    for _ in range(2):
        job = mpiexec(3, program('idle'), 'recv', 20, environment=SOCKETS)  # two of them wait
        names, end = [], time.monotonic() + 15
        while len(names) < 2 and time.monotonic() < end:
            names = wake_names(filter(is_rank, descendants(job.pid)))
        os.kill(job.pid, signal.SIGTERM)
        job.finish()
        own = {name.rpartition('.')[2] for name in names}
        assert len(own) >= 2 and all(re.fullmatch('[0-9a-f]{16}', o) for o in own), names
        assert not own & seen, (own, seen)
        seen |= own


# ---- the job's name ------------------------------------------------------------------------------

JOB = f'known{os.getpid()}'  # tests run at the same time


def socket_of(name):
    """The job's name as node.c makes it from a job id; ids of Slurm and others can be guessed."""
    x = 14695981039346656037 ^ os.geteuid()
    for letter in name.encode():
        x = (x ^ letter) * 1099511628211 % 2 ** 64
    return b'\0starling-' + f'{x:016x}'[::-1].encode()


def serve_pmi(s):
    """A launcher for one of two ranks: as much as the rank needs before it looks for the other."""
    answers = {'init': 'cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0',
               'get_my_kvsname': f'cmd=my_kvsname kvsname={JOB}',
               'get_maxes': 'cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024',
               'get_appnum': 'cmd=appnum appnum=0', 'get_universe_size': 'cmd=universe_size size=2',
               'get': 'cmd=get_result rc=-1 msg=none', 'put': 'cmd=put_result rc=0'}
    with s.makefile('rw') as lines:
        for line in lines:
            word = dict(w.split('=', 1) for w in line.split() if '=' in w)['cmd']
            if word not in answers:
                return word
            lines.write(answers[word] + '\n')
            lines.flush()
    return 'end'


def rank_alone():
    """Runs a rank until its launcher leaves it; returns how far it got, and whether it had the
    socket."""
    ours, theirs = socket.socketpair()
    environment = {'PMI_FD': str(theirs.fileno()), 'PMI_RANK': '0', 'PMI_SIZE': '2', 'PMI_ID': '0'}
    job = Job([program('idle')], environment, pass_fds=[theirs.fileno()])
    theirs.close()
    ours.settimeout(25)
    with ours:
        job.reached = serve_pmi(ours)
        job.bound = socket_of(JOB).decode()[1:] in abstract_names(job.pid)
    return job.finish()


def take(name, queue, fill):
    s = socket.socket(socket.AF_UNIX)
    s.bind(name)
    kept = [s]
    if queue is not None:
        s.listen(queue)
    for _ in range(fill):
        kept.append(socket.socket(socket.AF_UNIX))
        kept[-1].connect(name)
    return kept


def takes_the_name():
    """Another user takes the name before the job: the rank reports a clear error soon, whether the
    other user answers or not."""
    for queue, fill, text in ((5, 0, f'of user {NOBODY} has the job.s abstract socket'),
                              (None, 0, 'taken, and its owner does not answer: Connection refused'),
                              (0, 1, 'taken, and its owner does not answer: Connection timed out')):
        with another_user(take, socket_of(JOB), queue, fill):
            job = rank_alone()
        assert job.reached == 'abort' and job.code != 0 and re.search(text, job.err), job
        assert time.monotonic() - job.begin < 20, job


def is_taken_and_runs(*command):
    """Is a rank of mpiexec: joins as the first program of the rank and leaves, which tells it the
    name of the next one; takes the socket of that name; becomes the next program."""
    s = socket.socket(fileno=os.dup(int(os.environ['PMI_FD'])))
    name, taken = '', socket.socket(socket.AF_UNIX)
    with s.makefile('rw') as lines:
        for word in 'init pmi_version=1 pmi_subversion=1', 'get_my_kvsname', 'barrier_in', 'finalize':
            lines.write(f'cmd={word}\n')
            lines.flush()
            name = re.search('kvsname=(\\S*)|$', lines.readline()).group(1) or name
    with contextlib.suppress(OSError):  # another rank has it
        taken.bind(socket_of(name + '_1'))
    taken.set_inheritable(True)
    os.execv(command[0], command)


def does_not_need_the_name():
    """Under our mpiexec, which passes the memory, a job works when the name is taken."""
    job = mpiexec(2, sys.executable, __file__, 'is_taken_and_runs', program('idle'), 'recv', 1)
    job.finish()
    assert job.code == 0 and not job.err, job


def leaves_the_name():
    """The other tests take the right name: a rank that finds it free reaches the barrier."""
    job = rank_alone()
    assert job.reached == 'barrier_in' and job.bound, (job.reached, job.bound, job)


if __name__ == '__main__':
    if sys.argv[1] == 'is_taken_and_runs':
        is_taken_and_runs(*sys.argv[2:])
    sys.exit(main([wakes_nobody, names_are_not_known_before, leaves_the_name, takes_the_name,
                   does_not_need_the_name], sys.argv[1:]))
