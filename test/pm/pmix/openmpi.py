"""Starts programs by Open MPI's mpirun, which speaks PMIx alone.

Usage: openmpi.py N PROGRAM...     runs it on N processes; exits with 77 where there is no Open MPI."""
import os, shutil, subprocess, sys

SKIPPED = 77
# It also runs as root, and with more processes than cores.
OPTIONS = ['--oversubscribe', '--allow-run-as-root']


def find():
    """The path of mpirun; None: there is none, or that of another MPI."""
    debian = shutil.which('mpirun.openmpi')
    other = shutil.which('mpirun')
    if debian or not other:
        return debian
    version = subprocess.run([other, '--version'], capture_output=True, text=True, timeout=20).stdout
    return other if 'Open MPI' in version else None


def command(n, *args):
    return [find(), *OPTIONS, '-n', str(n), *map(str, args)]


if __name__ == '__main__':
    if not find():
        print('skipped: there is no mpirun of Open MPI')
        sys.exit(SKIPPED)
    os.execv(find(), command(*sys.argv[1:]))
