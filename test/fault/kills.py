#!/usr/bin/env python3
"""kill -9 of any process of a job at any moment: soon no process and no file of the job is left.

Usage: kills.py MPIEXEC DIRECTORY [TEST...]"""
import random, sys
from faults import *

KILLS = 100 if FULL else 40


def everything_of(job):
    """Leaves out a forked child that runs the program of its parent: a leak checker makes such a
    child and waits for it without end."""
    found = [job.pid] + descendants(job.pid)
    return [pid for pid in found if pid == job.pid or name_of(pid) != name_of(parent_of(pid))]


def ranks_of(job):
    return list(filter(is_rank, everything_of(job)))


def one_rank(job):
    ranks = ranks_of(job)
    return [random.choice(ranks)] if ranks else []


def some_ranks(job):
    ranks = ranks_of(job)
    return random.sample(ranks, random.randint(1, len(ranks))) if ranks else []


def the_launcher(job):
    return [job.pid]


def a_helper(job):
    """The processes that are neither a rank nor mpiexec itself: its worker, a proxy."""
    others = [pid for pid in everything_of(job)[1:] if not is_rank(pid)]
    return [random.choice(others)] if others else []


def anything(job):
    return random.sample(everything_of(job), 1)


def all_of_it(job):
    return everything_of(job)


def strike(start, seconds, whom):
    """Starts a job and kills some of its processes at a random moment of its life."""
    job = start()
    time.sleep(random.uniform(0, seconds))
    victims = whom(job)
    kill(victims)
    job.finish(20)
    nothing_left()
    return victims


def life_of(start):
    """How long such a job takes when it is not disturbed; 0.5 s at the most."""
    begin = time.monotonic()
    job = start().finish(60)
    assert job.code == 0, job
    return min(time.monotonic() - begin, 0.5)


def strikes(start, ways, count):
    own = has_own_mounts()  # without them the files of other users are there too
    before, seconds = files(), life_of(start)
    hits = sum(bool(strike(start, 1.2 * seconds, ways[i % len(ways)])) for i in range(count))
    assert hits > count / 3, f'only {hits} of {count} jobs were hit'
    left = files() - before
    if not own:  # other users' files are not counted
        left = {name for name in left if 'starling' in name and os.path.dirname(name) in PLACES}
    assert not left, f'left behind: {sorted(left)}'


def at_random_moments():
    """Jobs that are hit from the first moment of MPI_Init to the last of MPI_Finalize."""
    for rounds in 1, 80:
        strikes(lambda: mpiexec(4, program('exchange'), rounds, 100000),
                [one_rank, some_ranks, the_launcher, all_of_it, a_helper, anything], KILLS // 2)


def at_random_moments_over_sockets():
    strikes(lambda: mpiexec(3, program('exchange'), 20, 100000, environment=SOCKETS),
            [one_rank, the_launcher, all_of_it], 15 if FULL else 9)


def under_another_launcher():
    """Ranks die with the proxy that started them, however the proxy ended."""
    strikes(lambda: hydra(4, program('exchange'), 20, 100000),
            [one_rank, the_launcher, all_of_it, a_helper], 20 if FULL else 12)


def has_joined(pid):
    """Whether MPI_Init of the rank has opened the shared segment of the job."""
    return 'memfd:starling' in read(f'/proc/{pid}/maps')


def running(job, ranks):
    """A job that runs without end; returns when all of its ranks have joined it."""
    end = time.monotonic() + 10
    while sum(map(has_joined, ranks_of(job))) < ranks:
        assert time.monotonic() < end, job
        time.sleep(0.005)
    return job


def nobody_outlives_the_launcher():
    """All processes but the ranks are killed, so that no process is left that could end the ranks.
    Their parent is a shell: only the ranks themselves can ask the kernel for a signal at its
    death."""
    for start in mpiexec, hydra:
        job = running(start(3, 'sh', '-c', '"$0" 0; exit $?', program('exchange')), 3)
        ranks = ranks_of(job)
        kill(pid for pid in everything_of(job) if pid not in ranks)
        nothing_left()
        job.finish()


def exit_code_names_the_signal():
    job = running(mpiexec(4, program('exchange'), 0), 4)
    kill(one_rank(job))
    job.finish(20)
    assert job.code == 128 + signal.SIGKILL, job
    last = job.err.strip().rpartition('\n')[2]
    assert 'rank' in last and ('signal 9' in last or 'SIGKILL' in last or 'Killed' in last), job


if __name__ == '__main__':
    sys.exit(main([at_random_moments, at_random_moments_over_sockets, under_another_launcher,
                   nobody_outlives_the_launcher, exit_code_names_the_signal], sys.argv[1:]))
