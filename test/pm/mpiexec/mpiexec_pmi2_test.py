#!/usr/bin/env python3
"""Ranks that speak PMI-2 below mpiexec.

Usage: mpiexec_pmi2_test.py MPIEXEC DIR [TEST...]     DIR has the programs probe and pmi2_client.
       mpiexec_pmi2_test.py child WHAT                a rank that speaks PMI-2 without a library
Prints nothing when all tests pass."""
import os, socket, sys, time
from harness import *

HOST = socket.gethostname()


# ---- the rank ----------------------------------------------------------------------------------

class Child:
    def __init__(self):
        self.rank, self.size = int(os.environ['PMI_RANK']), int(os.environ['PMI_SIZE'])
        self.socket = socket.socket(fileno=int(os.environ['PMI_FD']))
        self.file = self.socket.makefile('rb')
        self.send(b'cmd=init pmi_version=2 pmi_subversion=0\n')
        reply = self.file.readline()
        assert reply.startswith(b'cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=0'), reply
        reply = self.ask('fullinit', pmirank=self.rank, threaded='FALSE')
        assert (reply['rank'], reply['size']) == (str(self.rank), str(self.size)), reply

    def send(self, data):
        self.socket.sendall(data)

    def write(self, command, **fields):
        body = ''.join(f'{k}={v};' for k, v in {'cmd': command, **fields}.items())
        self.send(f'{len(body):6}{body}'.encode())

    def read(self):
        body = self.file.read(int(self.file.read(6))).decode()
        assert body.endswith(';'), body
        return dict(field.split('=', 1) for field in body[:-1].split(';'))

    def ask(self, command, **fields):
        self.write(command, **fields)
        reply = self.read()
        assert reply['cmd'] == command + '-response', reply
        return reply


def universe(ranks):
    """MPI_UNIVERSE_SIZE of a job on this host alone."""
    return max(ranks, len(os.sched_getaffinity(0)))


def child(what):
    """Exchanges values as the program probe does, if there are two ranks, and ends as is asked."""
    c = Child()
    if what == 'exchange':
        letters = ''.join(chr(97 + (i + 1) % 26) for i in range(700))
        assert c.ask('kvs-put', key=f'value-{c.rank}', value=letters if c.rank else '*0')['rc'] == '0'
        assert c.ask('kvs-fence', thrid='7') == {'cmd': 'kvs-fence-response', 'thrid': '7', 'rc': '0'}
        assert c.ask('info-getjobattr', key='universeSize')['value'] == str(universe(2))
        reply = c.ask('kvs-get', key=f'value-{1 - c.rank}')
        assert (reply['found'], reply['value']) == ('TRUE', '*0' if c.rank else letters), reply
    elif c.rank == 1:
        if what == 'abort':
            c.write('abort', isworld='TRUE', msg='as it should', exitcode=7)
        elif what == 'garbage':
            assert c.ask('make-tea')['rc'] == '1'
            c.send(b'    11cmd=rubbish')
            assert c.read()['cmd'] == 'malformed-response'
            c.send(b'rubbish')
        elif what == 'long':
            c.send(b' 70000')
        elif what == 'torn':
            c.send(b'    99cmd=kvs-fence;')
        elif what == 'exit':
            return 5
        elif what == 'close':
            c.file.close()
            c.socket.close()
        while True:
            time.sleep(1)
    else:
        c.ask('kvs-fence')
    assert c.ask('finalize')['rc'] == '0'
    print(f'child {c.rank} of {c.size}')
    return 0


# ---- the tests ---------------------------------------------------------------------------------

def ranks(n, what):
    return '-n', n, sys.executable, os.path.abspath(__file__), 'child', what


def expect(r, code, out, last=''):
    assert r.code == code and sorted(r.out.splitlines()) == out and last in r.last, r


def exchange():
    expect(run(*ranks(2, 'exchange')), 0, ['child 0 of 2', 'child 1 of 2'])


def beside_pmi_1():
    name = f'probe {{}} of 2, appnum {{}}, universe {universe(2)}'
    expect(run(*ranks(1, 'exchange'), ':', '-n', 1, probe()), 0, ['child 0 of 2', name.format(1, 1)])
    expect(run('-n', 1, probe(), ':', *ranks(1, 'exchange')), 0, ['child 1 of 2', name.format(0, 0)])


def one_after_the_other():
    """The programs of a shell: PMI-2, PMI-1, and PMI-2 again."""
    me = f'{sys.executable} {os.path.abspath(__file__)} child exchange'
    r = run('-n', 2, 'sh', '-c', f'{me} && {probe()} && {me}')
    assert r.code == 0 and r.err == '' and r.out.count('child 1 of 2') == 2, r
    assert r.out.count('probe 1 of 2') == 1, r


def abort():
    expect(run(*ranks(3, 'abort')), 7, [], f'rank 1 on {HOST} called MPI_Abort with code 7: as it should')


def bad_ends():
    expect(run(*ranks(2, 'exit')), 5, [], f'rank 1 on {HOST} called MPI_Init and exited without MPI_Finalize, with')
    expect(run(*ranks(2, 'close')), 1, [], f'rank 1 on {HOST} closed its connection')
    expect(run('-timeout', 1, *ranks(2, 'torn')), 124, [], 'ended after 1 s')


def garbage():
    r = run(*ranks(2, 'garbage'))
    expect(r, 1, [], f"rank 1 on {HOST} sent 'rubbis' where the length of a PMI-2 message belongs")
    assert "rank 1 sent the PMI-2 command 'make-tea', which failed: unknown_command\n" in r.err, r
    assert "rank 1 sent a malformed PMI-2 message: 'cmd=rubbish'\n" in r.err, r
    expect(run(*ranks(2, 'long')), 1, [], f'rank 1 on {HOST} sent a PMI message longer than 65536 bytes')


def client():
    path = os.path.join(os.path.dirname(probe()), 'pmi2_client')
    if not os.path.exists(path):
        raise Skip('no libpmi2 where this was built')
    return path


def by_libpmi2():
    expect(run('-n', 4, client(), ':', '-n', 1, client()), 0,
           [f'client {i} of 5, appnum {i // 4}' for i in range(5)])
    expect(run('-n', 3, client(), 'abort'), 1, [], f'rank 1 on {HOST} called MPI_Abort with code 1: as it should; really')


TESTS = [exchange, beside_pmi_1, one_after_the_other, abort, bad_ends, garbage, by_libpmi2]

if __name__ == '__main__':
    sys.exit(child(sys.argv[2]) if sys.argv[1] == 'child' else main(TESTS, sys.argv[1:]))
