#!/usr/bin/env python3
"""Jobs of our own mpiexec on hosts made of namespaces, each with an sshd: what works, and hosts that cannot
be reached, fall silent or lose power.

Usage: nodes.py MPIEXEC DIRECTORY [TEST...]"""
import os, sys, time
import faults
from cluster import LAUNCHER, ip
from faults import *
from sshd import SSH_CONFIG, Hosts, address, held

# ---- all is well -------------------------------------------------------------------------------------

def invented_hosts():
    """Nodes on this machine: only ranks of one node share memory, whatever the machine is."""
    words = ['-launcher', 'fork', '-host', 'a:2,b:2', '-n', '4', program('exchange'), '3']
    job = Job([faults.MPIEXEC, *words]).finish(60)
    assert job.code == 0 and job.err == '', job
    job = Job([faults.MPIEXEC, *words], environment={'STARLING_VERBOSE': '2'}).finish(60)
    assert job.code == 0, job
    for rank in range(4):
        line = [x for x in job.err.splitlines() if x.startswith(f'starling: rank {rank} of 4')]
        assert line and f'shm {rank ^ 1} ' in line[0] and 'sockets ' in line[0], job


def finalize(hosts, ranks, *dies, options=()):
    """The TCP connections that MPI_Finalize makes in each rank that comes to its end."""
    job = Job([faults.MPIEXEC, *options, '-launcher', 'fork', '-host', hosts, '-n', str(ranks), program('nodes_end'),
               *map(str, dies)]).finish(60)
    assert dies or job.code == 0 and job.err == '', job
    return dict(map(int, line.split()) for line in job.out.splitlines())


def finalize_connects_leaders():
    """A few connections for each node, however many ranks it has."""
    each = 32 if FULL else 4
    counts = finalize(','.join(f'{host}:{each}' for host in 'abcd'), 4 * each)
    assert len(counts) == 4 * each, counts
    for rank, made in counts.items():
        assert made <= 8 if rank % each == 0 else made == 0, counts
    counts = finalize('a:1,b:3,c:2', 6)
    assert len(counts) == 6 and all(made == 0 for rank, made in counts.items() if rank not in (0, 1, 4)), counts


def finalize_after_a_death():
    """The others come to the end, whether a leader has died or not, without connections of their own."""
    for dead in 2, 3:
        counts = finalize('a:2,b:2,c:2', 6, dead, options=['-disable-auto-cleanup'])
        assert sorted(counts) == sorted({*range(6)} - {dead}), counts
        assert all(counts[rank] == 0 for rank in counts if rank % 2), counts


def ranks_on_three_hosts():
    with Hosts(3) as c:
        job = c.start(c.all(), '-l', '-n', 6, 'hostname').finish()
        want = [f'[{r}] node{r // 2}' for r in range(6)]
        assert job.code == 0 and sorted(job.out.splitlines()) == want and job.err == '', job
        job = c.start(c.all(), '-n', 6, program('exchange'), 3).finish(60)
        assert job.code == 0, job
        c.nothing_left(range(3))


def large_output_and_input():
    with Hosts(2) as c:
        job = c.start(c.all(1), '-n', 2, 'sh', '-c', 'head -c 30000000 /dev/zero | tr "\\0" x').finish(60)
        assert job.code == 0 and job.out.count('x') == 60000000, (job.code, len(job.out))


def this_node_and_another():
    with Hosts(1) as c:
        job = c.start(f'localhost,{address(0)}', '-n', 2, 'hostname').finish()
        assert job.code == 0 and sorted(job.out.split()) == sorted([os.uname().nodename, 'node0']), job


# ---- hosts that cannot be reached --------------------------------------------------------------------

def refused_hosts():
    with Hosts(1) as c:
        d = c.directory
        with open(f'{d}/other_key.pub') as f:
            c.write('wrong', f'{address(0)} {f.read()}')
        rows = (('no.such.host.invalid', 'no', 'known', 'Could not resolve hostname'),
                (f'{LAUNCHER}.99', 'no', 'known', 'port 22: '), ('127.0.0.9:1,10.78.0.254', 'no', 'known', 'refused'),
                (address(0), 'yes', 'wrong', 'Host key verification failed'))
        for host, strict, known, why in rows:
            c.write('ssh_config', SSH_CONFIG.format(d, strict, known))
            begin = time.monotonic()
            job = c.start(f'{host}', '-node-timeout', 2, '-n', 1, 'true').finish()
            last = job.err.rstrip('\n').rpartition('\n')[2]
            assert job.code == 126 and last.startswith('mpiexec: host ') and why in last, job
            assert 'ssh ended with 255: ' in last and time.monotonic() - begin < 10, job


def no_proxy_there():
    with Hosts(1) as c:
        job = c.start(address(0), '-prefix', '/nonexistent', '-n', 1, 'true').finish()
        assert job.code == 126 and 'ssh ended with 127: ' in job.err and '/nonexistent/bin/mpiexec' in job.err, job


# ---- hosts that are lost ------------------------------------------------------------------------------

def a_host_falls_silent():
    """Both sides end within the limit, although no packet says why."""
    with Hosts(3) as c:
        job = held(c, '-node-timeout', 2)
        ip('link set ctl2 nomaster')
        begin = time.monotonic()
        job.finish(15)
        assert job.code and time.monotonic() - begin < 8, job
        assert f'host {address(1)}: its proxy has not answered for 2' in job.err, job
        c.nothing_left([0, 2])
        c.await_ranks(1, False)


def a_host_loses_power():
    with Hosts(3) as c:
        job = held(c, '-node-timeout', 2)
        ip('link set ctl3 nomaster')
        c.hosts[2].end()
        job.finish(15)
        assert job.code and f'host {address(2)}: ' in job.err, job
        c.nothing_left([0, 1])


def processes_are_killed():
    """mpiexec, ssh, and both processes of a proxy."""
    with Hosts(2) as c:
        for victim in 'mpiexec', 'starling-job', 'ssh', 'far mpiexec', 'far starling-job':
            job = held(c)
            if victim.startswith('far'):
                c.enter(c.hosts[1], 'sh', '-c', f'''for p in /proc/[0-9]*; do
                    [ "$(cat $p/comm)" = "{victim.split()[1]}" ] && kill -9 ${{p#/proc/}}; done''')
            else:
                pids = [job.pid] + descendants(job.pid)
                kill([pid for pid in pids if name_of(pid) == victim][:1])
            job.finish(10)
            assert job.code, (victim, job)
            c.nothing_left(range(2))


TESTS = [invented_hosts, finalize_connects_leaders, finalize_after_a_death, ranks_on_three_hosts, large_output_and_input,
         this_node_and_another, refused_hosts, no_proxy_there, a_host_falls_silent, a_host_loses_power, processes_are_killed]

if __name__ == '__main__':
    sys.exit(main(TESTS, sys.argv[1:]))
