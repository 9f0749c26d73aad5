"""MPI_Publish_name and MPI_Lookup_name within an mpiexec, and by a server of names.

Usage: names_test.py MPIEXEC NAMES       NAMES: the program names.c"""
import atexit
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

MPIEXEC, NAMES = sys.argv[1:]
WAIT = 60


def said(*words, mpiexec=(), env=None, rank=None):
    """What the program prints for these words: of one rank, or of all."""
    done = subprocess.run([*mpiexec, NAMES, *words], capture_output=True, text=True, timeout=WAIT,
                          stdin=subprocess.DEVNULL, env={**os.environ, **(env or {})}, check=False)
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    assert not done.stderr, done.stderr
    return [line for line in done.stdout.splitlines() if rank is None or line.startswith(f'{rank} ')]


class Server:
    """mpiexec --serve-names."""

    def __init__(self, path):
        before = self.line(path) # of a server that has died
        self.process = subprocess.Popen([MPIEXEC, '--serve-names', path], stderr=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)
        end = time.monotonic() + WAIT
        while self.line(path) in ('', before):
            assert self.process.poll() is None and time.monotonic() < end, path
            time.sleep(0.01)

    @staticmethod
    def line(path):
        """What is in the file."""
        if not os.path.exists(path):
            return ''
        with open(path, encoding='utf-8') as f:
            return f.read()

    def end(self, how=signal.SIGTERM):
        """Its exit code, and what it has printed."""
        self.process.send_signal(how)
        _, errors = self.process.communicate(timeout=WAIT)
        return self.process.returncode, errors


def within_one_mpiexec(_):
    """Ranks of a job share names, and take back those of each other."""
    got = said('r0', 'pocean model=a$port b;%', 'b', 'locean model', 'b', 'r1', 'uocean model', 'b',
               'locean model', 'unone', 'p=x', 'ptoo' + 'o' * 300 + '=x', mpiexec=[MPIEXEC, '-n', '2'], rank=1)
    assert got[0] == '1 locean model: a$port b;%', got
    assert got[1] == '1 uocean model: done', got
    assert got[2].startswith('1 locean model: NAME') and 'service_not_found' in got[2], got
    assert got[3].startswith('1 unone: SERVICE') and "'none'" in got[3], got
    assert 'is empty' in got[4] and got[4].startswith('1 p=x: SERVICE'), got
    assert '303 bytes' in got[5] and 'SERVICE' in got[5], got
    got = said('pa=1', 'pa=2', 'la', mpiexec=[MPIEXEC, '-n', '1'])
    assert 'already_published' in got[1] and 'SERVICE' in got[1] and got[2] == '0 la: 1', got
    port = '\x01\xff' * 120
    got = said('pa=' + 'x' * 256, 'pa=' + 'y' * 255, 'la', mpiexec=[MPIEXEC, '-n', '1'])
    assert 'other' in got[0] and got[2] == '0 la: ' + 'y' * 255, (got, port)


def without_a_launcher(_):
    """An error that says what is missing."""
    for word, errclass in (('pa=b', 'SERVICE'), ('ua', 'SERVICE'), ('la', 'NAME')):
        got = said(word)
        assert errclass in got[0] and 'STARLING_NAMESERVER=FILE' in got[0], got


def by_a_server(folder):
    """Names of singletons and of several mpiexecs, until their publisher ends."""
    path = os.path.join(folder, 'names')
    server, env = Server(path), {'STARLING_NAMESERVER': path}
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert said('la', env=env)[0].startswith('0 la: NAME')
    publisher = subprocess.Popen([NAMES, 'pa b=port of a', 'w'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 text=True, env={**os.environ, **env})
    assert publisher.stdout.readline() == '0 pa b=port of a: done\n'
    assert said('la b', env=env) == ['0 la b: port of a']
    got = said('la b', 'ua b', 'pa b=mine', mpiexec=[MPIEXEC, '-nameserver', path, '-n', '1'])
    assert got[0] == '0 la b: port of a', got
    assert 'published_by_another_job' in got[1] and 'SERVICE' in got[1], got
    assert 'already_published' in got[2], got
    # Another rank of the same job may take it back.
    got = said('r0', 'pb=1', 'b', 'lb', 'b', 'r1', 'ub', 'b', 'lb', mpiexec=[MPIEXEC, '-n', '2'], env=env, rank=1)
    assert got[0] == '1 lb: 1' and got[1] == '1 ub: done' and 'NAME' in got[2], got
    publisher.kill()
    publisher.communicate(timeout=WAIT)
    end = time.monotonic() + WAIT
    while said('la b', env=env) == ['0 la b: port of a']: # until the server sees its end
        assert time.monotonic() < end
    assert server.end() == (0, ''), 'the server'
    assert not os.path.exists(path)
    assert 'No such file' in said('la', env=env)[0]


def bad_files(folder):
    """A file that others may read, none of a server, and the file of a server that has gone."""
    path = os.path.join(folder, 'names')
    env = {'STARLING_NAMESERVER': path}
    server = Server(path)
    again = subprocess.run([MPIEXEC, '--serve-names', path], capture_output=True, text=True, timeout=WAIT, check=False)
    assert again.returncode == 1 and 'another server of names runs' in again.stderr, again
    os.chmod(path, 0o644)
    assert 'no other may read' in said('la', env=env)[0]
    os.chmod(path, 0o600)
    assert server.end(signal.SIGKILL)[0] == -signal.SIGKILL
    got = said('la', env=env)
    assert 'cannot connect to the server of names' in got[0], got
    server = Server(path) # takes the place of the dead one
    assert said('pa=1', 'la', env=env)[1] == '0 la: 1'
    assert server.end(signal.SIGINT) == (0, '')
    with open(path, 'w', encoding='utf-8') as f:
        f.write('starling 1234 1\n')
    os.chmod(path, 0o600)
    assert 'not written by mpiexec --serve-names' in said('la', env=env)[0]
    for option, what in (('/no/such', 'No such file'), (path, 'not the file of mpiexec --serve-names')):
        done = subprocess.run([MPIEXEC, '-nameserver', option, '-n', '1', NAMES], capture_output=True, text=True,
                              timeout=WAIT, check=False)
        assert done.returncode and what in done.stderr, done


def strangers(folder):
    """Bytes of others, and a wrong key, are refused, and the server goes on."""
    path = os.path.join(folder, 'names')
    server = Server(path)
    with open(path, encoding='utf-8') as f:
        words = f.read().split()
    port = int(words[2])
    for bytes_sent in (b'', b'GET / HTTP/1.0\r\n\r\n', b'\xff' * 5000, b'cmd=init pmi_version=1\n' * 40):
        with socket.create_connection(('127.0.0.1', port)) as s:
            s.sendall(bytes_sent)
    held = [socket.create_connection(('127.0.0.1', port)) for _ in range(70)] # in silence
    wrong = os.path.join(folder, 'wrong')
    with open(wrong, 'w', encoding='utf-8') as f:
        f.write(' '.join(['starling', '0' * 64] + words[2:]) + '\n')
    os.chmod(wrong, 0o600)
    got = said('la', env={'STARLING_NAMESERVER': wrong})
    assert 'cannot introduce itself' in got[0], got
    assert said('pa=1', 'la', env={'STARLING_NAMESERVER': path})[1] == '0 la: 1'
    for s in held:
        s.close()
    code, errors = server.end()
    assert code == 0 and 'has been refused: it does not know the secret' in errors, (code, errors)


def main():
    """Runs all."""
    for test in (within_one_mpiexec, without_a_launcher, by_a_server, bad_files, strangers):
        with tempfile.TemporaryDirectory() as folder:
            test(folder)


main()
