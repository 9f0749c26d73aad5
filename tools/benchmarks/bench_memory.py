"""Measures the memory of a whole job, mpiexec included: by a cgroup made for it, or as Pss."""
import contextlib
import os
import subprocess
import tempfile
import threading
import time

import bench_libs

TIMEOUT = 60


class Group:
    """A cgroup for one job."""

    def __init__(self, parent, usage):
        self.path = os.path.join(parent, f'starling-bench-{os.getpid()}')
        self.usage = usage

    def __enter__(self):
        os.mkdir(self.path)
        return self

    def __exit__(self, *exception):
        for _ in range(100):                      # its last process may not have ended yet
            with contextlib.suppress(OSError):
                os.rmdir(self.path)
                return
            time.sleep(0.05)

    def enter(self):
        """Moves the calling process into the cgroup; called between fork and exec."""
        write(os.path.join(self.path, 'cgroup.procs'), str(os.getpid()))

    def kib(self):
        """KiB that its processes use, page cache and kernel memory included."""
        return int(read(os.path.join(self.path, self.usage))) / 1024


def read(path):
    """The text of a file."""
    with open(path, encoding='utf-8') as f:
        return f.read()


def write(path, text):
    """Writes the text with one write(), as files of the kernel need it."""
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)


def own_group():
    """The directory of the cgroup (version 2) of this process; None without one."""
    mounts = [line.split() for line in read('/proc/self/mounts').splitlines()]
    mount = next((m[1] for m in mounts if m[2] == 'cgroup2'), None)
    place = next((line[3:] for line in read('/proc/self/cgroup').splitlines()
                  if line.startswith('0::')), None)
    return mount + place.rstrip('/') if mount and place else None


def find_group(given):
    """(Group, where) or (None, why not).  given: a memory cgroup in which to make one."""
    if given:
        v2 = os.path.exists(os.path.join(given, 'memory.current'))
        return (Group(given, 'memory.current' if v2 else 'memory.usage_in_bytes'),
                f'cgroup below {given}')
    own = own_group()
    if not own or os.geteuid() != 0:
        return None, 'not root' if own else 'no cgroup v2'
    try:
        if 'memory' not in read(os.path.join(own, 'cgroup.controllers')).split():
            return None, 'the cgroup v2 has no memory controller'
        if 'memory' not in read(os.path.join(own, 'cgroup.subtree_control')).split():
            write(os.path.join(own, 'cgroup.subtree_control'), '+memory')
    except OSError as e:
        return None, f'{own}: {e.strerror}; try: systemd-run --scope -p Delegate=yes'
    return Group(own, 'memory.current'), f'cgroup below {own}'


def descendants(pid):
    """A process and all its descendants."""
    children = {}
    for entry in os.listdir('/proc'):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                fields = read(f'/proc/{entry}/stat').rpartition(')')[2].split()
                children.setdefault(int(fields[1]), []).append(int(entry))
    todo, found = [pid], []
    while todo:
        found.append(todo.pop())
        todo += children.get(found[-1], [])
    return found


def pss_kib(pid):
    """Pss of a process and its descendants: a page that n processes share counts 1/n for each."""
    total = 0
    for p in descendants(pid):
        with contextlib.suppress(OSError):
            for line in read(f'/proc/{p}/smaps_rollup').splitlines():
                if line.startswith('Pss:'):
                    total += int(line.split()[1])
    return total


def wait_ready(process):
    """Waits until the job is ready; returns the lines that it has printed."""
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith('memory_ready'):
            return lines
    raise bench_libs.Failed('memory: the job ended before it was ready: ' + ''.join(lines[-3:]))


def measure(command, ranks, group):
    """(KiB per rank, with mpiexec's share; the lines that the job printed).
    The command gets the option -w FILE and runs as long as that file exists."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        if group:
            stack.enter_context(group)
        watched = os.path.join(folder, 'stay')
        write(watched, '')
        job = stack.enter_context(subprocess.Popen(
            [*command, '-w', watched], text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
            preexec_fn=group.enter if group else None))
        stack.callback(bench_libs.end, job)
        alarm = threading.Timer(TIMEOUT, bench_libs.end, [job])
        alarm.start()
        stack.callback(alarm.cancel)
        lines = wait_ready(job)
        kib = group.kib() if group else pss_kib(job.pid)
        os.remove(watched)
        job.communicate()
        if job.returncode:
            raise bench_libs.Failed(f'{" ".join(command)}: exit code {job.returncode}')
        return kib / ranks, ''.join(lines)
