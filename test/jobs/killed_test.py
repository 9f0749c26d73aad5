"""Tests of a job that a connected one is killed beside, at a random moment, in the program killed.

Usage: killed_test.py MPIEXEC KILLED"""
import os
import random
import sys

from jobs import run


def main(mpiexec, killed):
    """Runs the trials."""
    seed = int(os.environ.get('JOBS_SEED', random.randrange(1 << 30)))
    draw = random.Random(seed)
    for trial in range(40 if os.environ.get('TEST_SIZE') == 'full' else 6):
        sizes = draw.choice([[1, 1], [2, 1], [1, 2], [2, 2]])
        after = draw.choice([draw.randrange(1, 200), draw.randrange(1, 3000),
                             draw.randrange(1, 50000)])
        first, second = run(mpiexec, sizes, [killed, str(after)])
        errors = [line for line in first.err.split('\n')
                  if line and not line.startswith('jobs: mpir_disconnect: ')]
        assert first.code == 0 and not errors and second.code, \
            f'seed {seed}, trial {trial}, {sizes}, {after} us: {first} {second}'
    print('ok')


if __name__ == '__main__':
    main(*sys.argv[1:])
