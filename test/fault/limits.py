#!/usr/bin/env python3
"""Little memory, few descriptors, closed descriptors: the job runs, or says what is missing; no
signal ends it and it does not hang.

Usage: limits.py MPIEXEC DIRECTORY [TEST...]"""
import re, resource, sys
import faults
from faults import *

MIB = 1 << 20
DEADLY = [signal.SIGSEGV, signal.SIGBUS, signal.SIGKILL, signal.SIGXFSZ, signal.SIGABRT,
          signal.SIGPIPE]


def runs_or_explains(job):
    """Whether the job ran. A shortage is found at once: ranks wait 10 s for the shared segment."""
    job.finish(60)
    nothing_left()
    assert time.monotonic() - job.begin < 9, job
    assert job.code not in [128 + s for s in DEADLY] and job.code >= 0, job
    if job.code:
        assert job.err.strip(), job
    return job.code == 0


def within(what, values):
    """The limits with which the job ran: the ranks are under this limit, mpiexec is not."""
    ran = []
    for value in values:
        limit = f'ulimit {what} {value}; exec "$0" 2 1000000'
        job = mpiexec(4, 'sh', '-c', limit, program('exchange'))
        if runs_or_explains(job):
            ran.append(value)
    return ran


def address_space():
    """ulimit -v, in KiB. The segment is sparse, but counts."""
    assert within('-v', [20000, 40000, 60000, 100000, 200000, 1000000])


def descriptors():
    assert within('-n', [3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 32])


def size_of_files():
    """ulimit -f, in blocks: the segment is in no file system, but the kernel counts it."""
    within('-f', [0, 1, 1000, 100000])


def locked_and_stack():
    assert within('-l', [0]) and within('-s', [256])


def text_through_a_full_pipe():
    """Signals interrupt the write() that waits for the reader: the text arrives complete."""
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(theirs, bytes(4096))
    os.set_blocking(theirs, True)
    env = {**os.environ, 'STARLING_DEVICES': 'nix', 'TEST_TICKS': '1'}
    rank = subprocess.Popen([program('idle')], env=env, stderr=theirs)
    os.close(theirs)
    end = time.monotonic() + 20
    while state_of(rank.pid) != ['S'] and rank.poll() is None:
        assert time.monotonic() < end, state_of(rank.pid)
    time.sleep(0.1)  # time for some signals
    with open(ours, encoding='latin1') as f:
        said = f.read().strip('\0')
    assert said.endswith(')\n') and "'nix' is no device of this library" in said, said
    assert rank.wait() > 0


def closed_descriptors():
    """Standard input, output and error are closed, in any combination. What the program writes to
    them must not reach the files that have their numbers now."""
    for closed in range(8):
        redirect = ' '.join(f'{fd}{">" if fd else "<"}&-' for fd in range(3) if closed >> fd & 1)
        command = ['sh', '-c', f'exec "$0" 3 1000000 {redirect}', program('exchange')]
        job = mpiexec(3, *command).finish()
        assert job.code == 0, job
        want = 0 if closed & 2 else 9
        assert job.out.count('round') == want and not job.err, job
        alone = Job(command).finish()
        assert alone.code == 0, alone
    nothing_left()


def launcher_with_closed_descriptors():
    for fd in 0, 1, 2:
        closed = f'exec "$0" -n 3 "$1" 2 100000 {fd}{">" if fd else "<"}&-'
        job = Job(['sh', '-c', closed, faults.MPIEXEC, program('exchange')]).finish()
        assert job.code == 0, job
    nothing_left()


def wrong_device():
    """A device that does not exist, or devices that reach no peer: one line of each rank says
    so."""
    for devices, why in ('shn', "'shn' is no device"), ('self', 'no device of this process reaches'):
        environment = {'STARLING_DEVICES': devices}
        job = mpiexec(2, program('exchange'), 2, 1000, environment=environment).finish(10)
        said = [line for line in job.err.splitlines() if 'rank' in line and 'MPI_Init' in line]
        assert job.code and said and all(why in line for line in said), job
        nothing_left()


# ---- a cgroup's limit ----------------------------------------------------------------------------

def own_group(controller=''):
    """The cgroup of this process in the unified hierarchy, or in the one of a controller; None if
    there is none."""
    for line in read('/proc/self/cgroup').splitlines():
        _, controllers, group = line.split(':', 2)
        if controller in controllers.split(','):
            return group.rstrip('/')
    return None


def write(path, text):
    with open(path, 'w') as f:
        f.write(text)


def memory_said_to_be_full():
    """The files of the cgroup say that no memory is left: the rank reports an error before it takes
    any."""
    group = own_group()
    if group is None:
        raise Skip('no unified cgroup hierarchy in this kernel')
    own_mounts()
    mount('none', '/sys/fs/cgroup', 'tmpfs')
    path = '/sys/fs/cgroup' + group
    os.makedirs(path, exist_ok=True)
    write(path + '/memory.max', f'{64 * MIB}\n')
    write(path + '/memory.current', f'{60 * MIB}\n')
    write(path + '/memory.stat', f'anon {60 * MIB}\nfile 0\ninactive_file 0\nactive_file 0\n')
    job = mpiexec(4, program('exchange'), 2, 100000)
    assert not runs_or_explains(job), job
    assert 'memory' in job.err, job
    write(path + '/memory.current', f'{4 * MIB}\n')
    job = mpiexec(4, program('exchange'), 2, 100000)
    assert runs_or_explains(job), job


def limited_group(limit):
    """Makes a real cgroup with that limit below the current one; its directory. Version 1, else
    2."""
    group, names = own_group('memory'), ('memory.limit_in_bytes', 'memory.memsw.limit_in_bytes')
    base = f'/sys/fs/cgroup/memory{group}'
    if group is None:
        base, names = f'/sys/fs/cgroup{own_group()}', ('memory.max', 'memory.swap.max')
        if 'memory' not in read(base + '/cgroup.controllers').split():
            raise Skip('this cgroup may not limit memory')
    path = f'{base}/starling-test-{os.getpid()}'
    try:
        os.mkdir(path)
        if not os.path.exists(f'{path}/{names[0]}'):
            write(base + '/cgroup.subtree_control', '+memory')
        write(f'{path}/{names[0]}', str(limit))
        with contextlib.suppress(OSError):  # where swap is not counted
            write(f'{path}/{names[1]}', str(limit) if 'memsw' in names[1] else '0')
    except OSError as e:
        with contextlib.suppress(OSError):
            os.rmdir(path)
        raise Skip(f'no cgroup can be made: {e}') from None
    return path


def memory_really_full():
    for limit in 24 * MIB, 48 * MIB, 512 * MIB:
        path = limited_group(limit)
        try:
            enter = f'echo $$ >{path}/cgroup.procs; exec "$0" 2 100000'
            job = mpiexec(4, 'sh', '-c', enter, program('exchange'))
            ran = runs_or_explains(job)
            assert ran or limit < 512 * MIB, job
        finally:
            kill_all()
            os.rmdir(path)


def windows(limit, mib):
    """What each of three ranks says of MPI_Win_allocate and MPI_Alloc_mem of so many MiB, under a
    limit of their cgroup."""
    path = limited_group(limit)
    try:
        enter = f'echo $$ >{path}/cgroup.procs; exec "$0" "$1"'
        job = mpiexec(3, 'sh', '-c', enter, program('little_memory'), mib)
        assert runs_or_explains(job), job
    finally:
        kill_all()
        os.rmdir(path)
    lines = job.out.splitlines()
    assert sum(': MPI_Win_allocate: done' in l for l in lines[-3:]) == 3, job  # of 8 bytes
    assert len(lines) == 9, job
    return lines[:-3]


def windows_of_little_memory():
    """The kernel kills what takes more than its cgroup has: so all ranks get an error with the
    number, before any takes memory."""
    for mib in 100, 1000:
        lines = windows(256 * MIB, mib)
        number = re.compile(r'no memory: .*\b[0-9]{8,}\b')
        whole = [l for l in lines if ': MPI_Win_allocate: ' in l]
        assert len(whole) == 3 and all(number.search(l) for l in whole), lines
        own = [l for l in lines if ': MPI_Alloc_mem: ' in l]
        assert len(own) == 3, lines
        if mib == 1000:
            assert all(number.search(l) and f'{mib * MIB}' in l for l in own), lines


def windows_of_enough_memory():
    lines = windows(512 * MIB, 50)
    assert len(lines) == 6 and all(': done' in l for l in lines), lines


if __name__ == '__main__':
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main([address_space, descriptors, size_of_files, locked_and_stack,
                   text_through_a_full_pipe, closed_descriptors, launcher_with_closed_descriptors,
                   wrong_device, memory_said_to_be_full, memory_really_full,
                   windows_of_little_memory, windows_of_enough_memory],
                  sys.argv[1:]))
