"""Processes are killed while jobs are spawned, connect and leave: mpiexec ends, and leaves nothing.

Usage: spawn_killed_test.py MPIEXEC PROGRAM"""
import os
import random
import signal
import subprocess
import sys
import time

ROUNDS = {'full': 500}.get(os.environ.get('TEST_SIZE'), 8)
PATIENCE_S = 30


def words(pid):
    """The arguments of a process, none of a zombie."""
    try:
        with open(f'/proc/{pid}/cmdline', 'rb') as f:
            return f.read().split(b'\0')
    except OSError:
        return []


def processes(word):
    """The process ids of ranks, which have the word as an argument."""
    return [int(pid) for pid in os.listdir('/proc')
            if pid.isdigit() and words(pid)[2:3] == [word.encode()]]


def kill_one(job, word):
    """Kills one of the processes, if one is found in time."""
    time.sleep(random.uniform(0, 0.3))
    while job.poll() is None:
        found = processes(word)
        if found:
            try:
                os.kill(random.choice(found), signal.SIGKILL)
            except ProcessLookupError:
                continue
            return


def main(mpiexec, program):
    """One kill in each run."""
    seed = os.environ.get('SEED', str(random.randrange(1 << 30)))
    random.seed(seed)
    for i in range(ROUNDS):
        word = f'spawn-killed-{os.getpid()}-{i}'
        with subprocess.Popen([mpiexec, '-n', str(random.choice([1, 3])), program, 'loops', word],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True) as job:
            kill_one(job, word)
            try:
                said = job.communicate(timeout=PATIENCE_S)[0]
            except subprocess.TimeoutExpired:
                left = {pid: words(pid) for pid in processes(word)}
                job.kill()
                sys.exit(f'seed {seed}, round {i}: mpiexec does not end; there are {left}')
            end = time.monotonic() + PATIENCE_S
            while processes(word) and time.monotonic() < end:
                time.sleep(0.05)
            assert not processes(word), (seed, i, said)
            assert job.returncode >= 0, (seed, i, said)


if __name__ == '__main__':
    main(*map(os.path.abspath, sys.argv[1:]))
