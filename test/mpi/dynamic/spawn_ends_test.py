"""How jobs that are connected by a spawn end.

Usage: spawn_ends_test.py MPIEXEC PROGRAM"""
import os
import re
import signal
import subprocess
import sys
import time

CODE = 5
PATIENCE_S = 20
LOST_S = 5
WAITS = ['recv', 'barrier', 'merged']
if os.environ.get('TEST_SIZE') == 'full':
    WAITS += ['any', 'probe', 'ssend', 'nonblocking']


def run(mpiexec, program, mode, ranks=1):
    """What mpiexec has done: its exit code, and lines of output."""
    done = subprocess.run([mpiexec, '-n', str(ranks), program, *mode.split()], capture_output=True,
                          text=True, stdin=subprocess.DEVNULL, timeout=60, check=False)
    return done, done.stdout.splitlines()


def lives(pid):
    """Whether a process runs."""
    try:
        with open(f'/proc/{pid}/stat', encoding='utf-8') as f:
            return f.read().rsplit(') ', maxsplit=1)[1][0] != 'Z'
    except OSError:
        return False


def lost(mpiexec, program, mode):
    """A job is ended, and its processes are waited for by another one, which gets errors that
    name it, and goes on."""
    done, lines = run(mpiexec, program, mode, 2)
    assert done.returncode == 128 + signal.SIGKILL, done
    assert len(lines) == 4 and lines.count('the other job has ended') == 2, done
    for line in lines:
        if line != 'the other job has ended':
            seconds, text = line.split(maxsplit=1)
            assert float(seconds) < LOST_S and re.search(r'rank [01] of starling_\S+ ', text), done


def main(mpiexec, program):
    """All modes."""
    for how in WAITS:
        lost(mpiexec, program, 'lost-child ' + how)
        lost(mpiexec, program, 'lost-parent ' + how)
    done, lines = run(mpiexec, program, 'aborts', 2)
    assert done.returncode == CODE and not lines, done

    done, lines = run(mpiexec, program, 'left')
    assert done.returncode == 0, done
    assert lines == ['the parent has ended', 'the child ends'], done

    done, lines = run(mpiexec, program, 'joined', 2)
    assert done.returncode == 0, done
    assert lines == ['the child ends'] + 2 * ['the parent has ended'], done

    done, lines = run(mpiexec, program, 'gone')
    assert done.returncode != 0, done
    end = time.monotonic() + PATIENCE_S
    while any(lives(pid) for pid in lines) and time.monotonic() < end:
        time.sleep(0.05)
    assert lines and not any(lives(pid) for pid in lines), done


if __name__ == '__main__':
    main(*map(os.path.abspath, sys.argv[1:]))
