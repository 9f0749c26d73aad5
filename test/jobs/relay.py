"""A relay between the leaders of two jobs, which changes what one tells the other."""
import hmac
import os
import select
import socket
import subprocess
import time

from jobs import Job

SIZE = 32                   # bytes of a key and of a proof
HEAD, RECORD = 56, 104      # bytes of struct mpir_hello in front of the jobs, and of each
HELLO = HEAD + 64 * RECORD


def listen(name):
    """An abstract socket."""
    s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    s.bind('\0' + name)
    s.listen(1)
    return s


def connect(name):
    """Connects to an abstract socket that may come later."""
    for _ in range(5000):
        s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            s.connect('\0' + name)
            return s
        except OSError:
            s.close()
            time.sleep(0.002)
    raise TimeoutError(name)


def start(mpiexec, size, program, name, side, **environment):
    """Starts a job of two, with this environment."""
    env = {**os.environ, 'JOBS_NAME': name, 'JOBS_COUNT': '2', 'JOBS_SIDE': str(side),
           **environment}
    return subprocess.Popen([mpiexec, '-n', str(size), *program], env=env, text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)


def end(job, limit=40):
    """Waits for a job, at most so many seconds."""
    try:
        out, err = job.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        job.terminate()
        out, err = job.communicate()
        err += '\nstill running'
    return Job(job.returncode, out, err)


def pump(first, second, change):
    """Copies bytes both ways until both ends are closed. change(at, data) changes those of the
    second job."""
    at = 0
    other = {first: second, second: first}
    open_ends = [first, second]
    while open_ends:
        for s in select.select(open_ends, [], [])[0]:
            data = b''
            try:
                data = s.recv(65536)
                if data and s is second:
                    data, at = change(at, data), at + len(data)
                if data:
                    other[s].sendall(data)
            except OSError:
                data = b''
            if not data:
                open_ends.remove(s)
                try:
                    other[s].shutdown(socket.SHUT_WR)
                except OSError:
                    pass


def receive(s, count):
    """So many bytes."""
    data = s.recv(count, socket.MSG_WAITALL)
    assert len(data) == count, (len(data), count)
    return data


def proof(sent, received):
    """The proof of the leader that has sent and received these hellos: see src/adi3/connect/keys.c."""
    def auth(text):
        return hmac.new(bytes(SIZE), text, 'sha512').digest()[:SIZE]
    return auth(b'Starling proof of a leader'.ljust(SIZE, b'\0') + auth(sent) + auth(received))


def prove(first, second, position):
    """One bit of the hello of the second job is changed, and both get proofs that fit."""
    hellos = [receive(s, HELLO) for s in (first, second)]
    wrong = bytearray(hellos[1])
    wrong[position] ^= 1
    first.sendall(wrong)
    second.sendall(hellos[0])
    for s in first, second:
        receive(s, SIZE)
    first.sendall(proof(bytes(wrong), hellos[0]))
    second.sendall(proof(hellos[0], hellos[1]))


def relayed(mpiexec, sizes, program, change, begin=lambda first, second: None):
    """Runs two jobs whose leaders are connected through the relay. begin() gets both sockets
    first."""
    name = f'starling-relay-{os.getpid()}'
    with listen(name + '-b-1') as s:
        jobs = [start(mpiexec, sizes[0], program, name + '-a', 0),
                start(mpiexec, sizes[1], program, name + '-b', 1)]
        first, second = connect(name + '-a-1'), s.accept()[0]
        with first, second:
            begin(first, second)
            pump(first, second, change)
    return [end(job) for job in jobs]


def alone(mpiexec, program, talk):
    """Runs one job; talk() gets the socket where it expects the leader of another one."""
    name = f'starling-relay-{os.getpid()}'
    job = start(mpiexec, 2, program, name, 0)
    with connect(name + '-1') as s:
        talk(s)
    return end(job)
