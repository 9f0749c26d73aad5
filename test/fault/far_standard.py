#!/usr/bin/env python3
"""What chapter 8 of the standard says of the start and the end of a job, on three hosts: E06, E07, E11, E12.

Usage: far_standard.py MPIEXEC DIRECTORY [TEST...]"""
import os, platform, shutil, subprocess, sys, time
from faults import *
from sshd import Hosts, address

LIMIT = 2  # seconds, until all are gone
RANKS = 6


def ends(c, code, *command):
    """A job that ends by itself; nothing of it is left."""
    job = c.start(c.all(), '-n', RANKS, *command)
    job.process.wait(60)
    c.all_gone(job, time.monotonic(), LIMIT)
    job.finish()
    assert job.code == code, job
    return job


def finalize_delivers_to_other_hosts():
    """E06: messages that were sent, requests that were freed, and what is in the buffer of MPI_Bsend; neighbors
    are on different hosts."""
    with Hosts(3) as c:
        for name in 'finalize', 'bsend_finalize':
            for layout in [], ['-ppn', 1]:
                job = ends(c, 0, *layout, program(name))
                assert job.err == '' and job.out == '', job
        job = ends(c, 0, program('leave'), 'finalize')
        assert job.out == 'rank 0 goes on\n' and job.err == '', job


def abort_ends_all_hosts():
    """E07: with its code, wherever it is called and whatever the others wait for."""
    with Hosts(3) as c:
        for way in 'wait', 'finalize', 'outside', 'alone':
            job = ends(c, 42, program('abort'), way)
            assert 'printed before\n' in job.out, job
            last = job.err.splitlines()[-1]
            assert last == f'mpiexec: rank {RANKS - 1} on node2 called MPI_Abort with code 42', job


def exits_without_finalize_are_noticed():
    """E07: by the launcher, on each host, with code 0 also."""
    with Hosts(3) as c:
        for rank, code in (0, 7), (3, 0), (5, 200):
            job = ends(c, code or 1, program('leave'), 'exit', rank, code)
            last = job.err.splitlines()[-1]
            assert last == (f'mpiexec: rank {rank} on node{rank // 2} called MPI_Init and exited without '
                            f'MPI_Finalize, with code {code}'), job


def info_env_on_other_hosts():
    """E11: what each part of the command line says, on its host."""
    with Hosts(3) as c:
        arch, started = platform.machine(), program('started')
        c.write('file', '# of the second part\nwdir = /usr\nsoft=1,2\n')
        file, (a, b, d) = f'{c.directory}/file', map(address, range(3))
        job = c.start(None, '-n', 5, '-soft', '2:4:2', '-host', f'{a}:4', '-arch', arch, '-wdir', '/', started,
                      'maxprocs=5', 'soft=2:4:2', f'host={a}:4', f'arch={arch}', 'wdir=/', 'file-', ':',
                      '-n', 3, '-host', b, '-file', file, started,
                      'maxprocs=3', 'soft=1,2', f'host={b}', 'wdir=/usr', f'file={file}', ':',
                      '-n', 1, '-host', d, started, 'maxprocs=1', f'host={d}', 'soft-', 'file-').finish(60)
        assert job.code == 0 and job.err == '', job


def colons_over_hosts():
    """E12: each part has its host, directory, search path, environment and arguments; standard input is for rank 0,
    and the exit code is that of the rank that failed."""
    with Hosts(3) as c:
        os.makedirs(f'{c.directory}/path')
        shutil.copy(program('part'), f'{c.directory}/path/renamed')
        a, b, d = map(address, range(3))
        parts = ['-genv', 'PART', 'all', '-n', 2, '-host', a, '-wdir', '/usr', program('part'), 0, 'x y', ':',
                 '-n', 1, '-host', b, '-path', f'/nonexistent:{c.directory}/path', '-wdir', '/', '-env', 'PART', 'two',
                 'renamed', 0, '$z', ':', '-n', 2, '-host', d, '-wdir', c.directory]
        want = ["0 of 5, part 0 on node0 in /usr: all, 'input' x y", "1 of 5, part 0 on node0 in /usr: all, '' x y",
                "2 of 5, part 1 on node1 in /: two, '' $z", f"3 of 5, part 2 on node2 in {c.directory}: all, ''",
                f"4 of 5, part 2 on node2 in {c.directory}: all, ''"]
        for code in 0, 9:
            job = c.start(None, *parts, program('part'), code, stdin=subprocess.PIPE)
            job.process.stdin.write(b'input\n')
            job.finish(60)
            assert job.code == code and sorted(job.out.splitlines()) == want, job
        c.write('parts', '-n 1 -host {} hostname\n# and on another host\n-n 1 -host {} hostname\n'.format(a, b))
        job = c.start(None, '-configfile', f'{c.directory}/parts').finish(60)
        assert job.code == 0 and sorted(job.out.split()) == ['node0', 'node1'], job
        job = c.start(None, '-n', 1, '-host', a, 'true', ':', '-n', 1, '-host', b, './nonexistent').finish(60)
        assert job.code == 127 and "cannot start './nonexistent'" in job.err and f'(on {b})' in job.err, job


if __name__ == '__main__':
    sys.exit(main([finalize_delivers_to_other_hosts, abort_ends_all_hosts, exits_without_finalize_are_noticed,
                   info_env_on_other_hosts, colons_over_hosts], sys.argv[1:]))
