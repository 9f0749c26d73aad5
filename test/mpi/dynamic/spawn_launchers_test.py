"""Programs that spawn, started by other launchers: MPICH's mpiexec.hydra by PMI-1 and Open MPI's
mpirun by PMIx, as far as they are there.

Usage: spawn_launchers_test.py ONCE PROGRAM...

ONCE spawns once. Debian 12's mpirun (4.1.4) starts it alone: of two spawns of a job the second one
often waits in PMIx_Init there."""
import os
import shutil
import subprocess
import sys

LAUNCHERS = {
    'mpiexec.hydra': [],
    'mpirun.openmpi': ['--oversubscribe', '--allow-run-as-root'],
}


def start(name, program):
    """Starts a program by a launcher, with one and with two ranks."""
    for ranks in '1', '2':
        done = subprocess.run([name, *LAUNCHERS[name], '-n', ranks, program], capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, timeout=60, check=False)
        assert done.returncode == 0 and not done.stdout and not done.stderr, (name, done)


def main(programs):
    """Starts each program by each launcher."""
    found = list(filter(shutil.which, LAUNCHERS))
    for name in found:
        for program in programs[:1] if name.startswith('mpirun') else programs:
            start(name, program)
    sys.exit(0 if found else 77)


if __name__ == '__main__':
    main(list(map(os.path.abspath, sys.argv[1:])))
