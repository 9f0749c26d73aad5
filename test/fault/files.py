#!/usr/bin/env python3
"""Files fail in the middle of collective accesses: every rank has the error, no process hangs, and
bytes that were not written are as before.

Usage: files.py MPIEXEC DIRECTORY [TEST...]"""
import os, shutil, sys
import faults
from faults import *

NOBODY = 65534


def files(*words, ranks=3, before=(), **environment):
    job = Job([*before, faults.MPIEXEC, '-n', str(ranks), program('files'), *words],
              environment=environment).finish(60)
    nothing_left()
    return job


def passes(*words, **options):
    job = files(*words, **options)
    assert job.code == 0, job


def full_disk():
    """All of /tmp is 4 MiB."""
    if not has_own_mounts():
        raise Skip('a small tmpfs cannot be mounted')
    os.makedirs('/tmp/small')
    mount('none', '/tmp/small', 'tmpfs', 0, 'size=4m')
    for ranks in 1, 2, 4:
        passes('full', ranks=ranks, TMPDIR='/tmp/small')


def broken_disk():
    for name in 'EIO', 'ENOSPC', 'EDQUOT':
        for ranks in 2, 4:
            passes('broken', name, ranks=ranks, STARLING_CHAOS_FILE_FAIL='5',
                   STARLING_CHAOS_FILE_ERROR=name)


def file_is_cut_short():
    for ranks in 2, 4:
        passes('cut', ranks=ranks)


def permission_is_revoked():
    """By a process without privileges, whom permissions bind."""
    before = ()
    if os.getuid() == 0:
        if not shutil.which('setpriv'):
            raise Skip('there is no setpriv here')
        if not has_own_mounts():
            raise Skip('/tmp may not be for all users')
        before = ('setpriv', f'--reuid={NOBODY}', f'--regid={NOBODY}', '--clear-groups')
        if Job([*before, 'test', '-x', program('files')]).finish().code:
            raise Skip('other users cannot run programs from here')
    passes('revoked', before=before, TMPDIR='/tmp')


def rank_is_killed():
    """The job ends; what was written to the disk is there, and no other file."""
    folder = os.path.join(os.getcwd(), f'killed.{os.getpid()}')
    for ranks in 2, 4:
        os.mkdir(folder)
        try:
            job = files('killed', ranks=ranks, TMPDIR=folder)
            assert job.code == 128 + signal.SIGKILL, job
            names = [os.path.join(at, name) for at, _, found in os.walk(folder) for name in found]
            assert len(names) == 1, names
            with open(names[0], 'rb') as f:
                data = f.read()
            turn, blocks = ranks * 1000 + 24, 64
            assert len(data) >= turn * blocks - 24, len(data)
            for at in range(turn * blocks):
                want = at % 251 if at % turn < turn - 24 else 0
                assert at >= turn * blocks - 24 or data[at] == want, at
        finally:
            shutil.rmtree(folder)


def no_ordinary_file():
    for ranks in 1, 3:
        passes('special', ranks=ranks)


if __name__ == '__main__':
    sys.exit(main([full_disk, broken_disk, file_is_cut_short, permission_is_revoked, rank_is_killed,
                   no_ordinary_file], sys.argv[1:]))
