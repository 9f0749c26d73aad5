#!/usr/bin/env python3
"""Our mpiexec in allocations of Slurm: salloc, sbatch, and what ends a job.

Usage: slurm.py -N 3 slurm_hosts_test.py MPIEXEC DIR [TEST...]     DIR has the programs actor, member and probe.
Prints nothing when all tests pass."""
import os, signal, subprocess, sys, time
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../mpiexec'))
from remote import *

LIMIT = 60
NODES = 'n1', 'n2', 'n3'
ENDED = 2  # seconds until no process of a job is left, after its end or a kill
OURS = 'actor', 'member', 'probe', 'mpiexec', 'starling-job', 'srun', 'salloc'


def member():
    return os.path.join(os.path.dirname(probe()), 'member')


def processes(*names):
    """Those of jobs, which slurmd starts: descendants of slurm.py, as this one is."""
    found = all_of(os.getppid())
    return [p for p in found if name_of(p) in (names or OURS) and state_of(p) not in ('Z', '')]


def nothing_left():
    check_nothing_left(ENDED)
    end = time.monotonic() + ENDED
    while processes():
        assert time.monotonic() < end, [(p, name_of(p)) for p in processes()]
        time.sleep(0.02)


def salloc(*args, wanted=('-N', 3, '-n', 6), **options):
    """mpiexec in an allocation, two slots on each of three nodes."""
    words = ['salloc', '-Q', *wanted, mpiexec(), *args]
    options = {'stdin': subprocess.DEVNULL, 'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, **options}
    return subprocess.Popen(list(map(str, words)), **options)


def done(p, data=None):
    r = finish(p, data, LIMIT)
    nothing_left()
    return r


def hosts_of(*args, **options):
    """The host of each rank."""
    r = done(salloc('-prepend-pattern', '%r %h ', *args, 'echo', 'x', **options))
    assert r.code == 0 and r.err == '', r
    return [line.split()[1] for line in sorted(r.out.splitlines(), key=lambda line: int(line.split()[0]))]


def held(n=6, *args, **options):
    """A job that runs until it is ended."""
    p = salloc(*args, actor(), 'hold', **options)
    wait_until(lambda: len(processes('actor')) == n, LIMIT)
    return p


def ended_after(p, kill):
    begin = time.monotonic()
    kill()
    r = done(p)
    assert time.monotonic() - begin < 3, r
    return r


# ---- where ranks are -----------------------------------------------------------------------------------

def a_rank_for_each_slot():
    assert hosts_of() == ['n1', 'n1', 'n2', 'n2', 'n3', 'n3']
    assert hosts_of(wanted=('-N', 3, '-n', 5)) == ['n1', 'n1', 'n2', 'n2', 'n3']
    assert hosts_of(wanted=('-w', 'n2')) == ['n2']
    r = done(salloc(member()))
    assert r.code == 0 and sorted(r.out.splitlines()) == [f'member {i} of 6' for i in range(6)], r


def fewer_ranks_than_slots_and_more():
    assert hosts_of('-n', 3) == ['n1', 'n1', 'n2']
    assert hosts_of('-n', 3, '-ppn', 1) == list(NODES)
    assert hosts_of('-n', 4, '-rr') == ['n1', 'n2', 'n3', 'n1']
    assert hosts_of('-n', 8) == ['n1', 'n1', 'n2', 'n2', 'n3', 'n3', 'n1', 'n1']
    assert hosts_of('-host', 'n3,n1', '-n', 3) == ['n3', 'n3', 'n1']
    r = done(salloc('-strict-slots', '-n', 7, 'true'))
    assert r.code == 1 and r.err == 'mpiexec: 7 ranks, and 6 slots of their hosts are free (-strict-slots)\n', r


def several_programs():
    r = done(salloc('-l', '-n', 1, 'echo', 'a', ':', '-n', 2, 'echo', 'b', ':', '-host', 'n3', '-n', 1, 'echo', 'c'))
    assert r.code == 0 and sorted(r.out.splitlines()) == ['[0] a', '[1] b', '[2] b', '[3] c'], r


def batch(text):
    """What a script prints whose $MPIEXEC, $MEMBER and $ACTOR are ours, and its exit code."""
    with directory() as d:
        with open(f'{d}/script', 'w') as f:
            f.write(f'#!/bin/sh\nMPIEXEC={mpiexec()} MEMBER={member()} ACTOR={actor()} D={d}\n{text}\n')
        r = subprocess.run(['sbatch', '-Q', '-W', '-N', '3', '-n', '6', '-o', f'{d}/out', f.name], timeout=LIMIT,
                           capture_output=True, text=True)
        nothing_left()
        return r.returncode, open_text(f'{d}/out')


def what_ranks_inherit():
    """Variables of the job, and none of the steps that the script and the proxies are."""
    code, out = batch('$MPIEXEC -n 6 -ppn 2 sh -c "env | grep -E ^[SP] | cut -d= -f1"')
    names = set(out.split())
    assert code == 0 and {'SLURM_JOB_ID', 'SLURM_JOB_NODELIST', 'PMI_RANK', 'PMI_FD'} <= names, (code, out)
    assert not [n for n in names if n.startswith(('SLURM_STEP', 'SLURM_PROCID', 'SLURM_LOCALID', 'SLURMD_', 'PMIX'))], names


def jobs_beside_each_other():
    """The step of mpiexec takes no resources from other steps: neither from those of mpiexec, nor of srun."""
    code, out = batch('$MPIEXEC $ACTOR hold >/dev/null 2>&1 &\nsleep 1\ntimeout 20 $MPIEXEC -l $MEMBER\n'
                      'timeout 20 srun --mpi=pmi2 -n 6 $MEMBER\nkill $!\nwait $!\necho code $?\n$MPIEXEC -n 2 sh -c "exit 7"')
    lines = [f'[{i}] member {i} of 6' for i in range(6)] + [f'member {i} of 6' for i in range(6)]
    assert sorted(out.splitlines()[:12]) == lines and out.splitlines()[12] == 'code 143', out
    assert code == 7 and out.endswith('exited with code 7\n'), (code, out)


def srun_alone():
    for protocol in 'pmi2', 'pmix':
        r = subprocess.run(['srun', f'--mpi={protocol}', '-N', '3', '-n', '6', member()], timeout=LIMIT,
                           capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert r.returncode == 0 and sorted(r.stdout.splitlines()) == [f'member {i} of 6' for i in range(6)], r
        nothing_left()


def input_and_much_output():
    r = done(salloc('-n', 3, '-ppn', 1, '-stdin', 'all', 'cat', stdin=subprocess.PIPE), b'x' * 99 + b'\n')
    assert (r.code, r.out) == (0, ('x' * 99 + '\n') * 3), r
    r = done(salloc('-l', actor(), 'lines', 20000, 60))
    lines = r.out.splitlines()
    assert r.code == 0 and len(lines) == 120000 and len(set(map(len, lines))) == 1, (r.code, len(lines), r.err)


# ---- how jobs end ----------------------------------------------------------------------------------------

def exit_codes():
    r = done(salloc('sh', '-c', 'exit $((PMI_RANK == 4 ? 9 : 0))'))
    assert r.code == 9 and r.last == 'mpiexec: rank 4 on n3 exited with code 9', r
    r = done(salloc(member(), 'abort', 5))
    assert r.code == 5 and 'called MPI_Abort with code 5' in r.last, r
    r = done(salloc('/nonexistent'))
    assert r.code == 127 and r.last.endswith('/nonexistent\': No such file or directory (on n1, n2, n3)'), r


def kills():
    def kill_one(name, which=0):
        return lambda: os.kill(sorted(processes(name))[which], signal.SIGKILL)
    r = ended_after(held(), kill_one('srun'))
    assert r.code == 1 and r.last == 'mpiexec: srun was killed by SIGKILL', r
    r = ended_after(held(), kill_one('actor'))
    assert r.code == 137 and ' was killed by SIGKILL' in r.last, r
    p = held()
    mine = [c for c in processes('mpiexec') if c in all_of(p.pid)]
    r = ended_after(p, lambda: os.kill(mine[0], signal.SIGKILL))
    assert 'SIGKILL' in r.err, r
    for name in 'starling-job', 'mpiexec':  # of a proxy
        p = held()
        far = next(c for c in processes(name) if c not in all_of(p.pid))
        r = ended_after(p, lambda: os.kill(far, signal.SIGKILL))
        assert r.code == 1 and ': its proxy ' in r.err and 'mpiexec: mpiexec: ' not in r.err, r


def signals():
    for sent, code in (signal.SIGINT, 130), (signal.SIGTERM, 143):
        p = held()
        mine = next(c for c in processes('mpiexec') if c in all_of(p.pid))
        r = ended_after(p, lambda: os.kill(mine, sent))
        assert r.code == code, r


def cancelled():
    for script in 'exec {0} {1} hold', '{0} {1} hold; echo no':
        with directory() as d:
            with open(f'{d}/script', 'w') as f:
                f.write('#!/bin/sh\n' + script.format(mpiexec(), actor()) + '\n')
            r = subprocess.run(['sbatch', '--parsable', '-N', '3', '-n', '6', '-o', f'{d}/out', f.name], check=True,
                               capture_output=True, text=True)
            wait_until(lambda: len(processes('actor')) == 6, LIMIT)
            subprocess.run(['scancel', r.stdout.strip()], check=True)
            wait_until(lambda: not processes(), 3)
            wait_until(lambda: 'CANCELLED' in open_text(f'{d}/out'))  # slurmstepd writes that, and may be later
            assert '\nno\n' not in open_text(f'{d}/out')
    p = held()
    subprocess.run(['scancel', '-u', 'root'], check=True)
    r = done(p)
    assert r.code == 143 and 'ended by SIGTERM, which was sent to the proxy on' in r.err, r


def a_proxy_does_not_answer():
    """It is stopped, and srun waits for it."""
    p = held(6, '-node-timeout', 2)
    far = [c for c in processes('starling-job') if c not in all_of(p.pid)]
    r = ended_after(p, lambda: [os.kill(far[0], signal.SIGSTOP), time.sleep(2)])
    assert r.code == 1 and 'its proxy has not answered for 2' in r.last, r


TESTS = [a_rank_for_each_slot, fewer_ranks_than_slots_and_more, several_programs, what_ranks_inherit, jobs_beside_each_other,
         srun_alone, input_and_much_output, exit_codes, kills, signals, cancelled, a_proxy_does_not_answer]

if __name__ == '__main__':
    sys.exit(main(TESTS, sys.argv[1:]))
