#!/usr/bin/env python3
"""Jobs on four hosts with an sshd each, two of which are reached through relays on the others: all is well,
a relay cannot reach its host, and a relay or a host is lost.

Usage: far_relays.py MPIEXEC DIRECTORY [TEST...]"""
import sys, time
from faults import *
from sshd import Hosts, address

LIMIT = 2  # seconds, until all are gone
HOSTS = 4  # 0 and 1 have relays, which reach 2 and 3
BRANCHES = '-branch-count', 2


def commands_of(pids):
    return [read(f'/proc/{pid}/cmdline').split('\0') for pid in pids]


class Relays(Hosts):
    def __init__(self):
        super().__init__(HOSTS)

    def run(self, *args, **options):
        return self.start(self.all(), *BRANCHES, '-n', 2 * HOSTS, *args, **options)

    def relay_of(self, index):
        """The processes of a relay."""
        here = descendants(self.hosts[index].pid)
        return [pid for pid, words in zip(here, commands_of(here)) if '--starling-relay' in words[1:2]]

    def reached_from(self, index=None):
        """The hosts that ssh reaches from a host, or from here."""
        if index is None:
            far = {pid for host in self.hosts for pid in descendants(host.pid)}
            pids = [pid for pid in descendants() if pid not in far]
        else:
            pids = descendants(self.hosts[index].pid)
        known = {address(i): i for i in range(HOSTS)}
        return sorted(known[word] for pid, words in zip(pids, commands_of(pids)) if name_of(pid) == 'ssh'
                      for word in words if word in known)

    def held(self, *options):
        job = self.start(self.all(), *BRANCHES, *options, '-n', 2 * HOSTS, program('exchange'), 0)
        for i in range(HOSTS):
            while self.ranks(i).count('fault_exchange') < 2:
                assert job.process.poll() is None, job.finish()
                assert time.monotonic() < job.begin + 40, (i, self.ranks(i))
                time.sleep(0.02)
        return job

    def end(self, job):
        job.process.terminate()
        self.all_gone(job, time.monotonic(), LIMIT)
        job.finish()
        assert job.code == 143 and job.err.endswith('mpiexec: ended by SIGTERM\n'), job


def relays_over_ssh():
    with Relays() as c:
        job = c.run('-l', 'hostname').finish()
        assert job.code == 0 and job.err == '', job
        assert sorted(job.out.splitlines()) == [f'[{r}] node{r // 2}' for r in range(2 * HOSTS)], job
        job = c.run(program('exchange'), 3).finish(60)
        assert job.code == 0 and job.err == '', job
        job = c.run('sh', '-c', 'head -c 3000000 /dev/zero | tr "\\0" x').finish(60)
        assert job.code == 0 and job.out.count('x') == 24000000, (job.code, len(job.out))
        job = c.run('sh', '-c', '[ $PMI_RANK != 7 ] || kill -9 $$; exec sleep 60').finish()
        assert job.code == 137 and 'rank 7 on node3 was killed by SIGKILL' in job.err, job
        job = c.held()
        assert c.reached_from() == [0, 1] and c.reached_from(0) == [2] and c.reached_from(1) == [3], c.reached_from()
        c.end(job)


# ---- what a relay cannot reach, mpiexec reaches itself -----------------------------------------------

def reached_all_the_same(*harm):
    """Host 0, whose relay is for host 2, runs a command that makes that impossible."""
    with Relays() as c:
        r = c.enter(c.hosts[0], *[word.format(c.directory) for word in harm])
        assert not r.returncode, (harm, r)
        job = c.held('-node-timeout', 3)
        reached = [c.reached_from(i) for i in (None, 0, 1)]
        assert reached == [[0, 1, 2], [], [3]], (harm, reached)
        c.end(job)


def a_relay_without_a_route():
    reached_all_the_same('ip', 'route', 'add', 'unreachable', address(2))


def a_relay_whose_packets_are_lost():
    reached_all_the_same('ip', 'neigh', 'replace', address(2), 'lladdr', '02:00:00:00:00:99', 'dev', 'ctl0',
                         'nud', 'permanent')


def a_relay_without_a_key():
    reached_all_the_same('mount', '--bind', '{}/other_key', '{}/key')


def a_relay_without_ssh():
    reached_all_the_same('sh', '-c', 'mount --bind /dev/null "$(command -v ssh)"')


def hosts_that_nothing_reaches():
    with Relays() as c:
        c.hosts[2].end()
        job = c.run('-node-timeout', 3, 'true').finish(60)
        last = job.err.splitlines()[-1]
        assert job.code == 126 and last.startswith(f'mpiexec: host {address(2)}: '), job


def relays_are_killed():
    with Relays() as c:
        for which in 0, -1:  # what ssh has started, and what that has started
            for index in 0, 1:
                job = c.held()
                relay = c.relay_of(index)
                assert len(relay) >= 1, relay
                kill([sorted(relay)[which]])
                c.all_gone(job, time.monotonic(), LIMIT)
                job.finish()
                assert job.code == 1 and 'mpiexec: host ' in job.err, job


def hosts_of_relays_are_lost():
    """All ends within the time that is allowed for silence."""
    with Relays() as c:
        job = c.held('-node-timeout', 2)
        moment = time.monotonic()
        c.hosts[1].end()
        c.all_gone(job, moment, 2 + LIMIT, but=['sshd'])
        job.finish()
        assert job.code and f'host {address(1)}: ' in job.err, job


if __name__ == '__main__':
    sys.exit(main([relays_over_ssh, a_relay_without_a_route, a_relay_whose_packets_are_lost, a_relay_without_a_key,
                   a_relay_without_ssh, hosts_that_nothing_reaches, relays_are_killed,
                   hosts_of_relays_are_lost], sys.argv[1:]))
