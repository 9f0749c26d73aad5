"""Runs an MPI program of test/jobs in several jobs at once, each with a launcher of its own.

Usage: jobs.py MPIEXEC SIZE,SIZE[,SIZE] PROGRAM [ARGUMENT...]

SIZE is the number of processes of a job. The exit code is 0 when that of all launchers is."""
import collections
import contextlib
import os
import subprocess
import sys

Job = collections.namedtuple('Job', 'code out err')


def run(mpiexec, sizes, program):
    """Runs the program in jobs of these sizes, 0: a process without a launcher. Returns a Job for
    each."""
    pipes = {'stdin': subprocess.DEVNULL, 'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE}
    common = {**os.environ, 'JOBS_NAME': f'starling-jobs-{os.getpid()}',
              'JOBS_COUNT': str(len(sizes)), 'JOBS_FILE': f'/tmp/starling-jobs-{os.getpid()}',
              'JOBS_SIZES': ','.join(str(max(size, 1)) for size in sizes)}
    jobs = [subprocess.Popen([mpiexec, '-n', str(size), *program] if size else program, text=True,
                             **pipes, env={**common, 'JOBS_SIDE': str(side)})
            for side, size in enumerate(sizes)]
    texts = [job.communicate() for job in jobs]
    with contextlib.suppress(FileNotFoundError):
        os.unlink(common['JOBS_FILE'])
    return [Job(job.returncode, *text) for job, text in zip(jobs, texts)]


def main(mpiexec, sizes, *program):
    """Returns the exit code."""
    jobs = run(mpiexec, [int(n) for n in sizes.split(',')], list(program))
    for side, job in enumerate(jobs):
        if job.code or job.out or job.err:
            print(f'job {side}, exit code {job.code}:\n{job.out}{job.err}', end='')
    return int(any(job.code for job in jobs))


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
