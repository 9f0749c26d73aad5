#!/usr/bin/env python3
"""mpiexec -disable-auto-cleanup: a rank that dies does not end the others, which learn of it by PMI.

Usage: survive_test.py MPIEXEC DIR [TEST...]     DIR has the programs actor and probe.
Prints nothing when all tests pass."""
import os, signal, sys, time
from harness import *

HERE, REMOTE = (), ('-launcher', 'fork', '-host', 'a:2,b:2')

# A client of PMI by its socket. dead(n) waits until n ranks are known to be dead.
CLIENT = r'''
import os, signal, sys, time
rank, pmi = int(os.environ['PMI_RANK']), os.fdopen(int(os.environ['PMI_FD']), 'r+b', buffering=0)
def ask(line):
    pmi.write(line.encode() + b'\n')
    got = b''
    while not got.endswith(b'\n'):
        got += pmi.read(1)
    return got.decode().strip()
def dead(n):
    while True:
        value = ask(f'cmd=get kvsname={name} key=PMI_dead_processes').partition('value=')[2]
        if len([x for x in value.split(',') if x]) >= n:
            return value
        time.sleep(0.01)
assert ' rc=0 ' in ask('cmd=init pmi_version=1 pmi_subversion=1')
name = ask('cmd=get_my_kvsname').split('kvsname=')[1].split()[0]
ask('cmd=barrier_in')
'''
END = "\nask('cmd=finalize')"


def job(where, ranks, program, *options):
    return run(*where, '-disable-auto-cleanup', *options, '-n', ranks, sys.executable, '-c', CLIENT + program)


def the_living_learn_who_died():
    program = '''
if rank == 1: os.kill(os.getpid(), signal.SIGKILL)
if rank == 2: dead(1); os._exit(5)
both = dead(2)
assert ask('cmd=barrier_in') == 'cmd=barrier_out'
print(rank, both, flush=True)'''
    for where in HERE, REMOTE:
        r = job(where, 4, program + END)
        assert r.code == 137 and sorted(r.out.splitlines()) == ['0 1,2', '3 1,2'], r
        assert 'rank 1 on' in r.last and 'was killed by SIGKILL' in r.last, r
        goes_on = [line for line in r.err.splitlines() if line.endswith('; the other ranks go on')]
        assert len(goes_on) == 2 and 'rank 2' in goes_on[1] and 'without MPI_Finalize, with code 5' in goes_on[1], r


def a_death_in_a_barrier():
    """Those that wait in it go on when the last one dies."""
    program = '''
if rank == 3: time.sleep(0.5); os.kill(os.getpid(), signal.SIGSEGV)
print(ask('cmd=barrier_in'), dead(1), flush=True)'''
    for where in HERE, REMOTE:
        r = job(where, 4, program + END)
        assert r.code == 139 and r.out == 'cmd=barrier_out 3\n' * 3, r


def without_the_option_the_job_ends():
    r = run('-n', 3, sys.executable, '-c', CLIENT + '''
if rank == 1: os.kill(os.getpid(), signal.SIGKILL)
time.sleep(100)''')
    assert r.code == 137 and r.seconds < 10 and 'go on' not in r.err, r


def ranks_that_are_no_mpi_programs():
    for option in '-disable-auto-cleanup', '--enable-recovery':
        r = run(option, '-n', 3, 'sh', '-c', '[ $PMI_RANK = 1 ] && kill -9 $$; sleep 0.5; echo alive')
        assert r.code == 137 and r.out == 'alive\nalive\n', r
    r = run('-disable-auto-cleanup', '-n', 3, 'sh', '-c', 'sleep 0.$PMI_RANK; exit $PMI_RANK')
    assert r.code == 1 and 'rank 1 on' in r.last, r


def what_ends_the_job_all_the_same():
    r = job(HERE, 3, "if rank == 1: pmi.write(b'cmd=abort exitcode=7\\n')\ntime.sleep(100)")
    assert r.code == 7 and r.seconds < 10, r
    r = job(HERE, 3, 'time.sleep(100)', '-timeout', 1)
    assert r.code == 124, r
    r = run('-disable-auto-cleanup', '-n', 1, 'sleep', 9, ':', '-n', 1, '/nonexistent')
    assert r.code == 127 and r.seconds < 5, r
    p = start('-disable-auto-cleanup', '-n', 2, actor(), 'hold')
    _, ranks = family(p, 2)
    os.kill(ranks[0], signal.SIGKILL)
    time.sleep(0.2)
    assert p.poll() is None
    p.terminate()
    assert finish(p).code == 137


def a_host_that_is_lost():
    """Its proxy is killed. The ranks of the other host learn of both ranks."""
    shell = 'print("ready", os.getppid(), flush=True); print(rank, sorted(dead(2)), ask("cmd=barrier_in"), flush=True)'
    p = start(*REMOTE, '-disable-auto-cleanup', '-n', 4, sys.executable, '-c', CLIENT + shell + END)
    lines = [p.stdout.readline().split() for _ in range(4)]
    proxies = sorted({int(pid) for _, pid in lines})
    assert len(proxies) == 2, lines
    os.kill(proxies[1], signal.SIGKILL)
    r = finish(p)
    ranks = sorted(line.split()[0] for line in r.out.splitlines())
    assert ranks in (['0', '1'], ['2', '3']) and r.out.count('cmd=barrier_out') == 2, r
    lost = 'b' if ranks == ['0', '1'] else 'a'
    assert r.code == 1 and r.last.startswith(f'mpiexec: host {lost}: '), r


TESTS = [
    the_living_learn_who_died, a_death_in_a_barrier, without_the_option_the_job_ends, ranks_that_are_no_mpi_programs,
    what_ends_the_job_all_the_same, a_host_that_is_lost,
]

if __name__ == '__main__':
    sys.exit(main(TESTS, sys.argv[1:]))
