"""Processes that ask other launchers for more: MPICH's mpiexec.hydra by PMI-1, Open MPI's mpirun by
PMIx.

Usage: parent_test.py PARENT"""
import os
import shutil
import subprocess
import sys

SKIPPED = 77
LAUNCHERS = {
    'mpiexec.hydra': ['-n', '1'],
    'mpirun.openmpi': ['--oversubscribe', '--allow-run-as-root', '-n', '1'],
}
LINES = ['child 0 of 2: x#1$y [a b] [-n]', 'child 1 of 2: x#1$y [a b] [-n]', 'codes 0 0']


def main(parent):
    """Returns the exit code."""
    found = [name for name in LAUNCHERS if shutil.which(name)]
    for name in found:
        done = subprocess.run([name, *LAUNCHERS[name], parent], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=60, check=False)
        assert done.returncode == 0 and sorted(done.stdout.splitlines()) == LINES, (name, done)
    return 0 if found else SKIPPED


if __name__ == '__main__':
    sys.exit(main(os.path.abspath(sys.argv[1])))
