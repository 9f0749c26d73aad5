"""Tests of ports between jobs: what each side says, and what strangers and faults do.

Usage: ports_test.py MPIEXEC MEET"""
import contextlib
import itertools
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

MPIEXEC, MEET = sys.argv[1:3]
FULL = os.environ.get('TEST_SIZE') == 'full'
FOLDER = tempfile.mkdtemp(prefix='starling-ports-')
FILES = (os.path.join(FOLDER, f'port{n}') for n in itertools.count())
LIBFABRIC = os.environ.get('STARLING_DEVICES') == 'libfabric'  # a job on one node has loopback
SLEEPS_MS = 400         # most processor time of a wait of two seconds


class Side:
    """A job, or a process without a launcher (size 0), that takes steps of meet.c."""

    def __init__(self, size, *steps, command=(), **values):
        launch = [MPIEXEC, '-n', str(size)] if size else []
        self.steps = steps
        self.process = subprocess.Popen(
            [*command, *launch, MEET, *map(str, steps)], text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **values})

    def lines(self):
        """[(step, result, ms, text)], once the job has ended well."""
        out, err = self.process.communicate(timeout=100)
        assert self.process.returncode == 0 and not err, (self.steps, self.process.returncode, err)
        return [re.fullmatch(r'(\w+) (\S+) (\d+) (.*)', line).groups() for line in out.splitlines()]

    def results(self):
        """The results of all steps."""
        return [result for _, result, _, _ in self.lines()]

    def fails(self, text, errclass='MPI_ERR_PORT'):
        """The last step fails, and says why. Returns its processor time."""
        _, result, ms, said = self.lines()[-1]
        assert result == errclass and text in said, (self.steps, result, said)
        return int(ms)


def wait_for(path):
    """The text of a file that comes."""
    while not os.path.exists(path):
        time.sleep(0.01)
    with open(path, encoding='ascii') as f:
        return f.read()


def changed(path, change):
    """A file with another name."""
    name = next(FILES)
    with open(name, 'w', encoding='ascii') as f:
        f.write(change(wait_for(path)))
    return name


def other_digit(digit):
    """Another hexadecimal digit."""
    return '0' if digit != '0' else '1'


def without_local(name):
    """The name of a port whose local socket is not there: its addresses are used."""
    begin, key, local, *rest = name.split('-')
    return '-'.join([begin, key, local[:-1] + other_digit(local[-1]), *rest])


def dial(name):
    """A connected TCP socket of the port."""
    _, _, _, port, address = name.split('-')[:5]
    family = socket.AF_INET if len(address) == 8 else socket.AF_INET6
    return socket.create_connection((socket.inet_ntop(family, bytes.fromhex(address)),
                                     int(port, 16)), timeout=20)


def dial_local(name):
    """A connected local socket of the port."""
    s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    s.connect('\0starling-port-' + name.split('-')[2].rjust(16, '0'))
    return s


# ---- meeting ------------------------------------------------------------------------------------

def jobs_meet():
    """Clients come in turn, and again, whatever launched them."""
    for sizes in [(2, 3)] + [(0, 2), (2, 0), (0, 0)] * (not LIBFABRIC):
        file = next(FILES)
        server = Side(sizes[0], 'open', file, '.', *['accept', 0] * 4, 'close')
        clients = [Side(sizes[1], *['connect', file, 0] * 2) for _ in range(2)]
        theirs = [str(max(n, 1)) for n in sizes]
        for client in clients:
            lines = client.lines()
            assert [line[1] for line in lines] == [theirs[0]] * 2, (sizes, lines)
        assert server.results() == ['opened', *[theirs[1]] * 4, 'closed']


def by_addresses():
    """Where the local socket is not there, as on another host."""
    for options in [], ['ip_address=127.0.0.1'], ['ip_port=47113', 'ip_address=127.0.0.0/8']:
        file = next(FILES)
        server = Side(0, 'open', file, *options, '.', 'accept', 30)
        client = Side(2, 'connect', changed(file, without_local), 30)
        assert client.results() == ['1'] and server.results() == ['opened', '2']
        if len(options) == 2:
            assert wait_for(file).split('-')[3:] == [f'{47113:x}', '7f000001']


def kept():
    """What is freed stays connected, also after the port is closed."""
    file = next(FILES)
    server = Side(2, 'open', file, '.', 'keep', 'accept', 0, 'close', 'sleep', 500)
    client = Side(1, 'keep', 'connect', file, 0)
    assert client.results() == ['2'] and server.results() == ['opened', '1', 'closed']


def many():
    """Many connect at once."""
    n, file = 100 if FULL else 12, next(FILES)
    server = Side(0, 'open', file, '.', 'sleep', 300, *['accept', 0] * n)
    clients = [Side(0, 'connect', file, 0) for _ in range(n)]
    assert all(client.results() == ['1'] for client in clients)
    assert server.results() == ['opened', *['1'] * n]


# ---- not meeting --------------------------------------------------------------------------------

def no_port():
    """A closed port, one of a process that has ended, one of this process: at once."""
    file = next(FILES)
    server = Side(2, 'open', file, '.', 'close', 'sleep', 1000)
    wait_for(file)
    time.sleep(0.3)
    begin = time.monotonic()
    Side(2, 'connect', file, 0).fails('no process has it open')
    Side(2, 'connect', changed(file, without_local), 0).fails('no process has it open')
    server.results()
    Side(0, 'connect', file, 0).fails('no process has it open')
    Side(0, 'open', next(FILES), '.', 'accept', 1, 'close', 'accept', 0).fails('is not open')
    Side(0, 'open', next(FILES), '.', 'connect', changed(file, str), 0).fails('no process')
    own = next(FILES)
    Side(0, 'open', own, '.', 'connect', own, 0).fails('which cannot connect to itself')
    assert time.monotonic() - begin < 20


def time_is_up():
    """Both sides wait no longer than they were told, and sleep meanwhile."""
    sides = []
    for size in 0, 2:
        file = next(FILES)
        sides += [Side(size, 'open', file, '.', 'sleep', 2500, 'accept', 2),
                  Side(size, 'connect', file, 2),
                  Side(size, 'connect', changed(file, without_local), 2)]
    for side in sides:
        assert side.fails('within 2 seconds') < SLEEPS_MS


def wrong_names():
    """Each says what is wrong, and shows no key."""
    file = next(FILES)
    server = Side(0, 'open', file, '.', 'accept', 0)
    name = wait_for(file)
    key = name.split('-')[1]
    for change, text in [
            (lambda name: 'tag#0$description#host$', 'is no name of a port'),
            (lambda name: '', 'is no name of a port'), (lambda name: name[:-1], 'is no name'),
            (lambda name: name.replace('-', ' '), 'is no name of a port'),
            (lambda name: name + '-7f000001' * 30, 'is no name of a port'),
            (lambda name: name.replace('starling1', 'starling7'), "'starling7...' of a port is of "
             'version 7, and this library knows version 1'),
            (lambda name: name.replace(key, key[:-1] + other_digit(key[-1])), 'has not proved'),
            (lambda name: without_local(name).replace(key, other_digit(key[0]) + key[1:]),
             'has not proved')]:
        client = Side(2, 'connect', changed(file, change), 10)
        assert key not in client.lines()[-1][3]
        Side(1, 'connect', changed(file, change), 10).fails(text)
    assert Side(0, 'connect', file, 0).results() == ['1']
    assert server.results() == ['opened', '1']


def wrong_options():
    """Keys of info objects."""
    for option, text in [('ip_port=70000', "ip_port is '70000'"), ('ip_port=http', "'http'"),
                         ('ip_address=203.0.113.9', '203.0.113.9'), ('ip_address=lo:', "'lo:'")]:
        Side(0, 'open', next(FILES), option, '.').fails(text, 'MPI_ERR_INFO_VALUE')
    file = next(FILES)
    for timeout in '-1', '1s', '', '99999999999':
        Side(2, 'open', file, '.', 'accept', timeout).fails(f"'{timeout}'", 'MPI_ERR_INFO_VALUE')


# ---- strangers and faults -----------------------------------------------------------------------

def strangers():
    """Silent ones, and ones that send garbage, keep no process out."""
    file = next(FILES)
    server = Side(2, 'open', file, '.', 'sleep', 200, 'accept', 0, 'accept', 0)
    name = wait_for(file)
    silent = [dial(name) for _ in range(100)] + [dial_local(name) for _ in range(100)]
    for s in silent[::3]:
        s.sendall(b'GET / HTTP/1.0\r\n\r\n')
    for s in silent[1::3]:
        with contextlib.suppress(ConnectionError):
            s.sendall(os.urandom(100000))
    begin = time.monotonic()
    for change in str, without_local:
        assert Side(0, 'connect', changed(file, change), 60).results() == ['2']
    assert time.monotonic() - begin < 20
    assert server.results() == ['opened', '1', '1']
    for s in silent:
        s.close()


def strangers_alone():
    """They are shown out after two seconds, while the accept sleeps."""
    file = next(FILES)
    server = Side(0, 'open', file, '.', 'accept', 4)
    name = wait_for(file)
    begin = time.monotonic()
    for s in dial(name), dial_local(name):
        s.settimeout(20)
        assert s.recv(1) == b''
        s.close()
    assert 1.5 < time.monotonic() - begin < 3.8
    assert server.fails('within 4 seconds') < SLEEPS_MS


def gone():
    """Those that have gone while they were queued are skipped."""
    file = next(FILES)
    server = Side(0, 'open', file, '.', 'accept', 0, 'sleep', 3000, 'accept', 0)
    assert Side(0, 'connect', file, 0).results() == ['1']
    early = [Side(0, 'connect', file, 1) for _ in range(3)]
    killed = Side(0, 'connect', file, 0)
    last = Side(2, 'connect', file, 0)
    for client in early:
        client.fails('within 1 seconds')
    killed.process.kill()
    killed.process.communicate()
    assert last.results() == ['1'] and server.results() == ['opened', '1', '2']


def killed_server():
    """Queued clients hear at once that the process of the port has ended."""
    file = next(FILES)
    server = Side(0, 'open', file, '.', 'sleep', 100000)
    clients = [Side(0, 'connect', changed(file, change), 0)
               for change in (str, without_local, str, without_local)]
    time.sleep(1)
    server.process.send_signal(signal.SIGKILL)
    server.process.communicate()
    begin = time.monotonic()
    for client in clients:
        client.fails('no process has it open')
    assert time.monotonic() - begin < 10


def without_descriptors():
    """Each side says so, whatever it lacks a descriptor for, and goes on."""
    limit = ['prlimit', '--nofile=256']
    for left in range(3):
        file = next(FILES)
        servers = [Side(0, 'open', file, '.', 'use', left, 'accept', 20, 'free', 'accept', 20,
                        command=limit), Side(0, 'open', next(FILES), '.', 'accept', 20)]
        file2 = servers[1].steps[1]
        clients = [Side(0, 'connect', file, 20),
                   Side(0, 'use', left, 'connect', file2, 20, 'free', 'connect', file2, 20,
                        command=limit)]
        for side in servers[0], clients[1]:
            *_, failed, last = side.lines()
            assert 'Too many open files' in failed[3] and last[1] == '1', (left, failed, last)
        assert servers[1].results() == ['opened', '1'] and clients[0].results() == ['1']


# ---- other users, and no libsodium ---------------------------------------------------------------

def other_user():
    """It is no user of the local socket, but may have the name of the port."""
    nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
    if os.environ.get('STARLING_DEVICES') != 'sockets' or os.geteuid() \
            or subprocess.run([*nobody, 'test', '-x', MEET], check=False).returncode:
        return
    file = next(FILES)
    os.chmod(FOLDER, 0o755)
    server = Side(0, 'open', file, '.', 'accept', 20)
    assert Side(0, 'connect', file, 20, command=nobody).results() == ['1']
    assert server.results() == ['opened', '1']


def without_sodium():
    """Only processes of one user of one node meet, and both have it or neither."""
    if os.environ.get('STARLING_DEVICES') != 'shm':
        return
    library = os.path.join(FOLDER, 'libsodium.so.23')  # found first, and no library
    with open(library, 'wb'):
        pass
    file = next(FILES)
    server = Side(2, 'open', file, '.', 'accept', 20, 'accept', 20, LD_LIBRARY_PATH=FOLDER)
    assert len(wait_for(file).split('-')) == 4
    Side(0, 'connect', file, 20).fails('cannot load libsodium')
    for size in 0, 2:
        client = Side(size, 'connect', file, 20, LD_LIBRARY_PATH=FOLDER)
        assert client.results() == ['2']
    Side(0, 'connect', changed(file, without_local), 20).fails('without libsodium there')
    assert server.results() == ['opened', '1', '2']
    file = next(FILES)
    server = Side(0, 'open', file, '.', 'accept', 20)
    for change, text in (str, 'cannot load libsodium'), (without_local, 'without which it reaches'):
        Side(2, 'connect', changed(file, change), 20, LD_LIBRARY_PATH=FOLDER).fails(text)
    assert Side(0, 'connect', file, 20).results() == ['1']
    assert server.results() == ['opened', '1']
    Side(0, 'open', file, 'ip_port=47114', '.', LD_LIBRARY_PATH=FOLDER).fails(
        'cannot load libsodium', 'MPI_ERR_INFO_VALUE')


TESTS = [jobs_meet, by_addresses, kept, many, no_port, time_is_up, wrong_names, wrong_options,
         strangers, strangers_alone, gone, killed_server, without_descriptors, other_user,
         without_sodium]


def main():
    """Runs all tests."""
    try:
        for test in [jobs_meet] if LIBFABRIC else TESTS:
            begin = time.monotonic()
            test()
            if os.environ.get('PORTS_TIMES'):
                print(f'{test.__name__}: {time.monotonic() - begin:.1f} s', flush=True)
    finally:
        for file in os.listdir(FOLDER):
            os.unlink(os.path.join(FOLDER, file))
        os.rmdir(FOLDER)
    print('ok')


if __name__ == '__main__':
    main()
