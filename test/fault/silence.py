#!/usr/bin/env python3
"""Hosts that fall silent during a job, connections that end, and processes that end on another
host.

Usage: silence.py MPIEXEC DIRECTORY [TEST...]"""
import random, sys, tempfile
from cluster import Cluster
from faults import *

PATIENCE = 2  # s, STARLING_PEER_TIMEOUT


def await_files(directory, count):
    end = time.monotonic() + 20
    while len(os.listdir(directory)) < count:
        assert time.monotonic() < end, os.listdir(directory)
        time.sleep(0.01)


SILENT = f'Connection timed out (STARLING_PEER_TIMEOUT={PATIENCE})', 'No route to host', '(Connection timed out)'
BY = {'sockets': {'STARLING_SOCKETS_INTERFACE': 'eth0', 'STARLING_DEVICES': 'self,shm,sockets'},
      'libfabric': {'STARLING_OFI_PROVIDER': 'tcp', 'STARLING_OFI_DOMAIN': 'eth0',
                    'STARLING_DEVICES': 'self,shm,libfabric'}}
TOLD = 'Connection reset by peer', 'Transport endpoint is not connected', 'it has reported this process as lost'
RESET = 'Connection reset by peer', 'Software caused connection abort', 'Broken pipe'


def befalls(harm, way, causes, earliest, device='sockets', hosts=3):
    """Hosts with a process each, one of which fails, or process 2 is on the host of process 0. Both
    ends report why, not before earliest."""
    with Cluster(hosts) as c, tempfile.TemporaryDirectory() as directory:
        job = c.run([1] * hosts, program('silence'), way, directory, ranks=3,
                    environment={'STARLING_PEER_TIMEOUT': str(PATIENCE), **BY[device]})
        await_files(directory, 3)
        time.sleep(random.uniform(0, 0.3))
        harm(c)
        moment = time.monotonic()
        open(os.path.join(directory, 'cut'), 'w').close()
        job.finish(PATIENCE + 30)
    assert job.out.count('ok\n') == 3, job
    errors = [line.split(' ', 2) for line in job.out.splitlines() if line != 'ok']
    assert sorted(rank for rank, _, _ in errors) == ['0', '1'], job
    for rank, when, text in errors:
        other = 1 - int(rank)
        name = f'process {other} of MPI_COMM_WORLD on node{other} over {device}'
        assert name in text and text.endswith(causes), job
        assert earliest < float(when) - moment, (float(when) - moment, job)
    return {int(rank): text for rank, _, text in errors}


def silence(way, harm, device='sockets'):
    befalls(harm, way, SILENT, PATIENCE - 0.5, device)


def swallowed(c):
    c.swallow(1)


def unplugged(c):
    c.cut(1)


def while_all_is_quiet():
    silence('idle', swallowed)
    silence('idle', unplugged)


def while_large_messages_pass():
    silence('large', swallowed)
    silence('large', unplugged)


def while_small_messages_pass():
    silence('small', swallowed)


def before_the_first_message():
    """A process that waits for a peer checks whether the peer is alive."""
    silence('never', swallowed)
    silence('probe', unplugged)


def and_is_sent_to_afterwards():
    silence('new', swallowed)


def connection_is_reset():
    """The end of a process is known at once, whichever process waits for which."""
    for way in 'idle', 'small', 'large':
        befalls(lambda c: c.reset(0, 1), way, RESET, -0.2)


def over_libfabric():
    for way in 'idle', 'never':
        silence(way, swallowed, 'libfabric')
    silence('never', unplugged, 'libfabric')


def stopped(pids):
    """Longer than the timeout: the kernel of their host acknowledges what there is room for."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    time.sleep(PATIENCE + 1)
    for pid in pids:
        os.kill(pid, signal.SIGCONT)


def large_packets_are_lost(device):
    """The sender of data that nobody acknowledges says so, and the receiver hears of it, whichever of
    them made the connection, and although a third process has one to the same host. A receiver
    that does not run is not lost."""
    for way, sender in ('large', 0), ('back', 1):
        def harm(c):
            stopped(c.ranks_on(1 - sender))
            c.lose_large_packets()
        errors = befalls(harm, way, SILENT + TOLD, PATIENCE - 0.5, device, hosts=2)
        assert errors[sender].endswith(SILENT), errors


def large_packets_are_lost_over_sockets():
    large_packets_are_lost('sockets')


def large_packets_are_lost_over_libfabric():
    large_packets_are_lost('libfabric')


def ends_on_another_host():
    """The kernel of the peer's host reports it, long before STARLING_PEER_TIMEOUT."""
    for way in 'recv', 'eager', 'large', 'taker':
        with Cluster(3) as c:
            job = c.run([1, 1, 1], program('vanish'), way, 20000,
                        options=['-disable-auto-cleanup']).finish(20)
        assert job.out.count('ok') == 2, job


if __name__ == '__main__':
    sys.exit(main([while_all_is_quiet, while_large_messages_pass, while_small_messages_pass,
                   before_the_first_message, and_is_sent_to_afterwards, connection_is_reset,
                   ends_on_another_host, over_libfabric, large_packets_are_lost_over_sockets,
                   large_packets_are_lost_over_libfabric],
                  sys.argv[1:]))
