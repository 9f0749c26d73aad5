"""A program that was started without a launcher spawns: by the mpiexec beside libmpi, of which
nothing is left when it has ended or was killed.

Usage: spawn_single_test.py MPIEXEC LIBMPI SPAWN_ENDS SPAWN_SINGLE PROGRAM..."""
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

CODE = 5
KILLS = {'full': 100}.get(os.environ.get('TEST_SIZE'), 4)
PATIENCE_S = 30
MARK = f'SPAWN_TEST_MARK={os.getpid()}'
ADDED = {'SPAWN_TEST_MARK': str(os.getpid()), 'TEST_SIZE': 'landing'}  # the kills alone are more


def marked():
    """The processes of this test, by their environment: those of mpiexec change their names."""
    found = []
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open(f'/proc/{pid}/environ', 'rb') as f:
                if MARK.encode() in f.read().split(b'\0'):
                    found.append(pid)
        except OSError:
            pass
    return found


def nothing_left(what):
    """Waits until all processes have ended, and checks that no memory is left."""
    end = time.monotonic() + PATIENCE_S
    while marked() and time.monotonic() < end:
        time.sleep(0.02)
    assert not marked(), (what, marked())
    shared = [f for f in os.listdir('/dev/shm') if f.startswith('starling')]
    assert not shared, (what, shared)


def run(*command, **changed):
    """What a program has done that ends by itself."""
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=100, check=False, env=os.environ | ADDED | changed)
    nothing_left(command)
    return done


def ends(program):
    """Ends in order, and by an abort."""
    done = run(program, 'left')
    assert done.returncode == 0, done
    assert done.stdout.splitlines() == ['the parent has ended', 'the child ends'], done
    done = run(program, 'joined')
    assert done.returncode == 0, done
    assert sorted(done.stdout.splitlines()) == ['the child ends', 'the parent has ended'], done
    done = run(program, 'aborts')
    assert done.returncode == CODE and not done.stdout, done


def killed(program, *mode):
    """The singleton is killed, at once when it has said something, or at some moment."""
    with subprocess.Popen([program, *mode], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=os.environ | ADDED) as job:
        if mode[0] == 'waits':
            said = job.stdout.readline()
            assert said == b'spawned\n', said
        else:
            time.sleep(random.uniform(0, 0.3))
        job.send_signal(signal.SIGKILL)
        job.communicate(timeout=PATIENCE_S)
    nothing_left(mode)


def moved(mpiexec, library, program):
    """mpiexec is found from where libmpi is, in a tree as it is installed, never by PATH."""
    with tempfile.TemporaryDirectory() as top:
        os.makedirs(f'{top}/lib')
        os.makedirs(f'{top}/bin')
        shutil.copy(library, f'{top}/lib/{os.path.basename(library)}')
        changed = {'LD_LIBRARY_PATH': f'{top}/lib',
                   'PATH': os.path.dirname(mpiexec) + ':' + os.environ['PATH']}
        done = run(program, 'cannot', **changed)
        missing = f'{os.path.realpath(top)}/bin/mpiexec: No such file or directory'
        assert done.returncode == 0 and done.stdout.count(missing) == 2, done
        with open(f'{top}/bin/mpiexec', 'w', encoding='utf-8') as f:
            f.write('#!/bin/sh\nexit 3\n')
        os.chmod(f'{top}/bin/mpiexec', 0o755)
        done = run(program, 'cannot', **changed)
        assert done.returncode == 0 and done.stdout.count('has ended before') == 2, done
        shutil.copy(mpiexec, f'{top}/bin/mpiexec')
        done = run(program, 'odd', **changed)
        assert done.returncode == 0, done


def main(mpiexec, library, of_ends, single, *programs):
    """All of it."""
    for program in programs:
        done = run(program)
        assert done.returncode == 0, done
    done = run(single, 'odd')
    assert done.returncode == 0, done
    ends(of_ends)
    killed(single, 'waits')
    for i in range(KILLS):
        killed(of_ends, 'loops', str(i))
    moved(mpiexec, library, single)


if __name__ == '__main__':
    main(*map(os.path.abspath, sys.argv[1:]))
