"""Runs random graphs of jobs, in the program graph.

Usage: graph_test.py MPIEXEC GRAPH [STEPS]

JOBS_SEED in the environment repeats the graphs of a seed."""
import os
import random
import sys

from jobs import run


def main(mpiexec, graph, *steps):
    """Returns the exit code."""
    seed = int(os.environ.get('JOBS_SEED', random.randrange(1 << 30)))
    draw = random.Random(seed)
    count = 50 if os.environ.get('TEST_SIZE') == 'full' else 8
    sizes = [draw.choice([0, 0, 0, 1, 2]) for _ in range(count)]
    jobs = run(mpiexec, sizes, [graph, str(seed), *steps])
    for side, job in enumerate(jobs):
        if job.code or job.out or job.err:
            print(f'seed {seed}, job {side} of {sizes}: exit code {job.code}:\n{job.out}{job.err}',
                  end='')
    return int(any(job.code for job in jobs))


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
