#!/usr/bin/env python3
"""Our programs under Open MPI's mpirun, which speaks PMIx alone.

Usage: openmpi_test.py MPIEXEC DIR [TEST...]     DIR has the programs member and probe.
Prints nothing when all tests pass; exits with 77 where there is no Open MPI."""
import os, shutil, signal, subprocess, sys
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../mpiexec'))
import openmpi
from harness import *

LIMIT = 60


def member():
    return os.path.join(os.path.dirname(probe()), 'member')


def under(n, *args, **options):
    """mpirun's Result. Its own processes may take a moment longer than itself."""
    options = {'stdin': subprocess.DEVNULL, 'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, **options}
    r = finish(subprocess.Popen(openmpi.command(n, *args), **options), limit=LIMIT)
    check_nothing_left(5)
    return r


def check_members(r, n, jobs=1):
    lines = sorted(f'member {i} of {n}' for i in range(n)) * jobs
    assert r.code == 0 and r.err == '' and sorted(r.out.splitlines()) == sorted(lines), r


def ranks_and_messages():
    for n in (1, 2, 4, 8):
        check_members(under(n, member()), n)


def store_and_barriers():
    """Values of all lengths; the number of the program in the job; keys that are not there."""
    r = under(3, probe(), ':', '-n', '2', probe())
    assert r.code == 0 and r.out.count(' of 5, appnum 0,') == 3 and r.out.count(' of 5, appnum 1,') == 2, r


def more_ranks_than_mpirun_has_threads():
    """mpirun starts so many processes by several threads, whose ends are no deaths of a parent."""
    r = under(34, probe())
    assert r.code == 0 and r.out.count(' of 34, ') == 34, r


def several_programs_in_a_row():
    """Also where mpirun takes the end of a program for a death: it counts fewer processes from then on, or none."""
    late = {**os.environ, 'LD_PRELOAD': os.path.join(os.path.dirname(probe()), 'liblate.so')}
    for n in (1, 2):
        check_members(under(n, 'sh', '-c', f'{member()} && {member()} && {member()}', env=late), n, 3)
    check_members(under(4, 'sh', '-c', f'{member()} && {member()}'), 4, 2)


def programs_of_open_mpi_in_scripts():
    """mpiexec does not see them. They must not run as several jobs of one process each, and mpirun works there."""
    if not shutil.which('mpicc.openmpi'):
        return
    with directory() as d:
        with open(f'{d}/a.c', 'w') as f:
            f.write('int MPI_Init(int *, char ***), MPI_Finalize(void), puts(const char *);\n'
                    'int main(void) { MPI_Init(0, 0); puts("joined"); MPI_Finalize(); }\n')
        subprocess.run(['mpicc.openmpi', f.name, '-o', f'{d}/a'], check=True)
        r = run('-n', 2, 'sh', '-c', f'{d}/a; true')
        assert 'joined' not in r.out and 'MPI_Init' in r.err, r
        r = run('-n', 1, 'sh', '-c', f'{d}/a')
        assert r.out == 'joined\n', r
        r = run('-n', 2, 'sh', '-c', ' '.join(openmpi.command(2, f'{d}/a')))
        assert r.out == 'joined\n' * 4, r


def abort():
    r = under(4, member(), 'abort', 7)
    assert r.code == 7 and 'member' not in r.out, r
    assert 'rank 1 of 4 on ' in r.err and r.err.count('called MPI_Abort with code 7') == 1, r


def errors_are_named():
    r = under(2, member(), 'error')
    assert r.code == 6 and 'rank 1 of 2 on ' in r.err and 'MPI_Send' in r.err, r  # MPI_ERR_RANK


def death_ends_the_job():
    """On a busy machine mpirun may first hear of a rank that has noticed the death, and returns its code."""
    noticed = 15  # MPI_ERR_OTHER
    for args, code in ((('exit', 3), 3), (('exit', 0), 1), (('kill',), 137), (('segv',), 139)):
        r = under(4, member(), *args)
        assert r.code in (code, noticed) and 'member' not in r.out, (args, r)


def death_of_mpirun():
    """Its processes end, also those of a shell, which mpirun's death does not end."""
    for command in ([member(), 'hold'], ['sh', '-c', f'{member()} hold "$0"; true']):
        with directory() as d:
            p = subprocess.Popen(openmpi.command(3, *command, f'{d}/rank'), stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            wait_until(lambda: all(os.path.exists(f'{d}/rank.{i}') for i in range(3)), LIMIT)
            pids = [int(open(f'{d}/rank.{i}').read()) for i in range(3)]
            p.kill()
            wait_until(lambda: all(state_of(pid) in ('', 'Z') for pid in pids), 2)
            p.wait()
            check_nothing_left(5)


def mpiexec_in_mpirun():
    """The ranks of two mpiexecs are those of two jobs, and of none that mpirun has started."""
    check_members(under(2, mpiexec(), '-n', 3, member()), 3, 2)


def programs_of_ranks():
    """A program that a rank starts is not that rank, and does not harm it."""
    r = under(2, member(), 'run', f'{probe()} >&2')
    assert r.code == 0 and 'member 0 of 2' in r.out and 'command: 2304' in r.out, r
    assert 'one of 2 processes started by Open MPI' in r.err and 'PMIX_NAMESPACE is not set' in r.err, r


def names():
    """They are known in the whole job, and are gone when they are taken back."""
    check_members(under(2, member(), 'names'), 2)


def no_library():
    """Without libpmix several processes are an error, and one is a job of its own."""
    with directory() as d:
        with open(f'{d}/libpmix.so.2', 'w') as f:
            f.write('This is no library.\n')
        without = ['env', f'LD_LIBRARY_PATH={d}', member()]
        r = under(2, *without)
        assert r.code and 'MPI_Init' in r.err and f'{d}/libpmix.so.2' in r.err and 'PMIX_NAMESPACE=' in r.err, r
        check_members(under(1, *without), 1)


TESTS = [
    ranks_and_messages, store_and_barriers, more_ranks_than_mpirun_has_threads, several_programs_in_a_row,
    programs_of_open_mpi_in_scripts,
    abort, errors_are_named, death_ends_the_job, death_of_mpirun, mpiexec_in_mpirun, programs_of_ranks, names,
    no_library,
]

if __name__ == '__main__':
    if not openmpi.find():
        print('skipped: there is no mpirun of Open MPI')
        sys.exit(openmpi.SKIPPED)
    sys.exit(main(TESTS, sys.argv[1:]))
