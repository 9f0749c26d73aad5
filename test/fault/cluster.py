#!/usr/bin/env python3
"""Hosts made of namespaces, and jobs of MPICH's launcher on them.

Each host has network, host name, processes, IPC, /dev/shm and boot id of its own. Two networks join
them: one for messages, which tests cut, and one for the launcher. All of it ends with this process.

Usage: cluster.py HOSTS RANKS PROGRAM [ARGUMENT...]"""
import ctypes, os, shutil, signal, subprocess, sys, time
import faults
from faults import LIBC, PR_SET_PDEATHSIG, SKIPPED, Job, Skip

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
HERE = os.path.dirname(os.path.abspath(__file__))
MESSAGES, LAUNCHER = '10.77.0', '10.78.0'  # their first three bytes
OURS = f'{LAUNCHER}.254'

# The first process of a host. Its parent moves the links into the host before it lets the process
# go on.
INIT = f'''set -e
hostname "$1"
mount -t tmpfs tmpfs /dev/shm
cat /proc/sys/kernel/random/uuid >/dev/shm/boot_id
mount --bind /dev/shm/boot_id /proc/sys/kernel/random/boot_id
echo made
read go
if [ "$go" = cables ]; then
    ip link set lo up
    ip addr add {MESSAGES}.$2/24 dev eth0
    ip addr add {LAUNCHER}.$2/24 dev ctl0
    ip link set eth0 up
    ip link set ctl0 up
    while ip -o link show up | grep -q NO-CARRIER; do sleep 0.01; done
fi
echo ready
while :; do sleep 1000 & wait; done
'''


def ip(words):
    done = subprocess.run(['ip', *words.split()], capture_output=True, text=True)
    if done.returncode:
        raise Skip(f'ip {words}: {done.stderr.strip()}')


def enter():
    """Makes a network of its own for the life of this process, as root of a user namespace if
    needed."""
    uid, gid = os.getuid(), os.getgid()
    if LIBC.unshare((CLONE_NEWUSER if uid else 0) | CLONE_NEWNET):
        raise Skip(f'no namespace may be made: {os.strerror(ctypes.get_errno())}')
    if uid:
        for name, text in ('setgroups', 'deny'), ('uid_map', f'0 {uid} 1'), ('gid_map', f'0 {gid} 1'):
            with open(f'/proc/self/{name}', 'w') as f:
                f.write(text)
    ip('link set lo up')


class Host:
    """One host; index counts from 0, its name is node<index>. ahead: seconds of its clock."""

    def __init__(self, index, network=True, ahead=None):
        self.name = f'node{index}'
        kinds = ['--uts', '--mount', '--ipc', '--pid'] + ['--net'] * network
        if ahead is not None:
            kinds += ['--time', '--monotonic', str(ahead)]
        self.process = subprocess.Popen(
            ['unshare', *kinds, '--fork', '--kill-child', '--mount-proc', 'sh', '-c', INIT, 'sh',
             self.name, str(index + 1)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
            preexec_fn=lambda: LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0))
        self.await_line('made')
        self.pid = faults.descendants(self.process.pid)[0]
        for kind in ('eth', 'ctl') if network else ():
            ip(f'link add {kind}{index + 1} type veth peer name {kind}0 netns {self.pid}')
            ip(f'link set {kind}{index + 1} master {kind} up')
        self.process.stdin.write('cables\n' if network else 'go\n')
        self.process.stdin.flush()
        self.await_line('ready')

    def await_line(self, word):
        if self.process.stdout.readline().strip() != word:
            self.end()
            raise Skip(f'no host may be made: {self.process.stderr.read().strip()}')

    def end(self):
        self.process.kill()  # also ends its child
        self.process.wait()


class Cluster:
    """with Cluster(3) as c: c.run([2, 2, 2], program).finish()

    one_network: the hosts share one network with this process, and so abstract sockets.
    clocks: for each host, the seconds by which its clock is ahead."""

    def __init__(self, hosts=3, one_network=False, clocks=None):
        self.hosts, self.one_network, self.clocks = [], one_network, clocks
        for tool in 'mpiexec.hydra', 'nsenter', 'unshare', 'ip':
            if not shutil.which(tool):
                raise Skip(f'there is no {tool} here')
        self.count = hosts

    def __enter__(self):
        enter()
        if not self.one_network:
            for number, kind in enumerate(('eth', 'ctl')):  # without an address of its own, it changes with its links
                ip(f'link add {kind} address 02:00:00:00:77:{number:02} type bridge')
                ip(f'link set {kind} up')
            ip(f'addr add {OURS}/24 dev ctl')
        try:
            for i in range(self.count):
                self.hosts.append(Host(i, not self.one_network,
                                       self.clocks[i] if self.clocks else None))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for host in self.hosts:
            host.end()
        faults.kill_all()

    def run(self, slots, *command, ranks=None, options=(), environment=None, **more):
        """Starts a job; the arguments are the numbers of ranks on each host, in order. More ranks than
        that begin again at the first host."""
        pids = {f'CLUSTER_{h.name}': str(h.pid) for h in self.hosts}
        pids['CLUSTER_KINDS'] = '-T' if self.clocks else ''
        where = ','.join(f'{h.name}:{n}' for h, n in zip(self.hosts, slots) if n)
        us = '127.0.0.1' if self.one_network else OURS
        return Job(['mpiexec.hydra', '-launcher', 'ssh', '-launcher-exec', f'{HERE}/enter.sh',
                    '-localhost', us, '-hosts', where, *options, '-n', str(ranks or sum(slots)),
                    *map(str, command)], environment={**pids, **(environment or {})}, **more)

    def ranks_on(self, index):
        """The processes of a job of ours on a host."""
        there = os.readlink(f'/proc/{self.hosts[index].pid}/ns/net')
        return [pid for pid in faults.descendants()
                if faults.is_rank(pid) and os.readlink(f'/proc/{pid}/ns/net') == there]

    def cut(self, index):
        """The network of a host loses its carrier; the host's kernel sees it."""
        ip(f'link set eth{index + 1} down')

    def swallow(self, index):
        """All packets are lost; no end of a connection learns why."""
        ip(f'link set eth{index + 1} nomaster')

    def lose_large_packets(self):
        """No end of a connection learns why."""
        for host in self.hosts:
            # Else packets come in lots, whose size no link limits.
            words = 'ip link set eth0 gso_max_segs 1'.split()
            subprocess.run(['nsenter', '-t', str(host.pid), '-n', *words], check=True)
        for index in range(self.count):
            ip(f'link set eth{index + 1} mtu 600')

    def reset(self, index, other):
        """A host's kernel ends its connections with another host."""
        words = f'ss -HKt state established dst {MESSAGES}.{other + 1}'.split()
        end = time.monotonic() + 10
        while not subprocess.run(['nsenter', '-t', str(self.hosts[index].pid), '-n', *words],
                                 capture_output=True, text=True).stdout:
            if time.monotonic() > end:
                raise Skip('ss -K ends no connection here')
            time.sleep(0.01)


def main(hosts, ranks, *command):
    """Runs one program and passes on its output and its exit code, as ctest needs them; 77 where
    that is not possible."""
    hosts = min(hosts, ranks)
    slots = [ranks // hosts + (i < ranks % hosts) for i in range(hosts)]
    faults.clean_environment()
    LIBC.prctl(faults.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        with Cluster(hosts) as c:
            job = c.run(slots, *command).finish(50)
    except Skip as e:
        print(f'skipped: {e}', file=sys.stderr)
        return SKIPPED
    print(job.out + job.err, end='')
    return job.code


if __name__ == '__main__':
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]))
