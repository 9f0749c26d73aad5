"""Processes that ask their launcher for more: our mpiexec and MPICH's mpiexec.hydra by PMI-1, Open
MPI's mpirun by PMIx. The other two are optional.

Usage: parent_test.py PARENT MPIEXEC"""
import os
import shutil
import subprocess
import sys

LAUNCHERS = {
    'mpiexec.hydra': ['-n', '1'],
    'mpirun.openmpi': ['--oversubscribe', '--allow-run-as-root', '-n', '1'],
}
LINES = ['child 0 of 2: x#1$y [a b] [-n]', 'child 1 of 2: x#1$y [a b] [-n]', 'codes 0 0']


def main(parent, mpiexec):
    """Starts PARENT by each launcher that is there."""
    for name in [mpiexec, *filter(shutil.which, LAUNCHERS)]:
        done = subprocess.run([name, *LAUNCHERS.get(name, ['-n', '1']), parent],
                              capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              timeout=60, check=False)
        assert done.returncode == 0 and sorted(done.stdout.splitlines()) == LINES, (name, done)


if __name__ == '__main__':
    main(*map(os.path.abspath, sys.argv[1:]))
