"""Runs a random tree of jobs, in the program tree.

Usage: tree_test.py MPIEXEC TREE [STEPS]

JOBS_SEED in the environment repeats the tree of a seed."""
import os
import random
import sys

from jobs import run


def main(mpiexec, tree, *steps):
    """Returns the exit code."""
    seed = int(os.environ.get('JOBS_SEED', random.randrange(1 << 30)))
    size = random.Random(seed).choice([1, 1, 2, 3])
    job, = run(mpiexec, [size], [tree, str(seed), *steps])
    if job.code:
        print(f'seed {seed}, {size} processes: exit code {job.code}:\n{job.out}{job.err}', end='')
    return int(bool(job.code))


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
