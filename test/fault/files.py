#!/usr/bin/env python3
"""Files fail in the middle of collective accesses: every rank has the error, no process hangs, and
bytes that were not written are as before.

Usage: files.py MPIEXEC DIRECTORY [TEST...]"""
import os, shutil, sys
import faults
from faults import *

NOBODY = 65534


def read_all(path):
    with contextlib.suppress(OSError):
        with open(path) as f:
            return f.read()
    return ''


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


GANESHA = """
NFS_CORE_PARAM {{ NFS_Protocols = 4; NFS_Port = {port}; Bind_addr = 127.0.0.1;
                 Enable_NLM = false; Enable_RQUOTA = false; }}
NFSV4 {{ Graceless = true; RecoveryBackend = fs; RecoveryRoot = {root}; }}
EXPORT {{ Export_Id = 1; Path = {root}/exported; Pseudo = /exported; Access_Type = RW;
         Squash = No_root_squash; SecType = sys; Protocols = 4; Transports = TCP;
         FSAL {{ Name = VFS; }} }}
"""


def has_nfs():
    return '\tnfs4\n' in read_all('/proc/filesystems')


def mounted_nfs(root, port=20490):
    """Serves and mounts a folder; Job of the server, and the folder."""
    os.makedirs(f'{root}/exported')
    os.makedirs(f'{root}/mounted')
    with open(f'{root}/conf', 'w') as f:
        f.write(GANESHA.format(root=root, port=port))
    server = Job(['ganesha.nfsd', '-F', '-f', f'{root}/conf', '-L', f'{root}/log', '-p',
                  f'{root}/pid'])
    end = time.monotonic() + 20
    while 'SERVER INITIALIZED' not in read_all(f'{root}/log') and time.monotonic() < end:
        time.sleep(0.1)
    mounting = Job(['mount', '-t', 'nfs4', '-o', f'port={port},vers=4.1', '127.0.0.1:/exported',
                    f'{root}/mounted']).finish()
    if mounting.code:
        kill([server.pid])
        server.finish()
        if not has_nfs():
            raise Skip('this kernel has no NFS to mount')
        raise AssertionError(mounting)
    return server, f'{root}/mounted'


def nfs_on_loopback():
    if not shutil.which('ganesha.nfsd') or not shutil.which('mount.nfs4'):
        raise Skip('there is no nfs-ganesha here, or no nfs-common')
    if not has_own_mounts():
        raise Skip('NFS cannot be mounted')
    server, folder = mounted_nfs('/tmp/nfs')
    try:
        for name in 'random', 'two_phases', 'gaps', 'consistency':
            tested = os.path.join(faults.PROGRAMS, '../../mpi/io/mpi_io_' + name)
            for system in 'auto', 'chaos:nfs':
                job = mpiexec(3, tested, environment={'TMPDIR': folder,
                                                      'STARLING_FILE_SYSTEM': system}).finish(100)
                assert job.code == 0, job
    finally:
        Job(['umount', folder]).finish()
        kill([server.pid])
        server.finish()


def no_ordinary_file():
    for ranks in 1, 3:
        passes('special', ranks=ranks)


if __name__ == '__main__':
    sys.exit(main([full_disk, broken_disk, file_is_cut_short, permission_is_revoked, rank_is_killed,
                   no_ordinary_file, nfs_on_loopback], sys.argv[1:]))
