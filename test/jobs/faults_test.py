"""Tests of the end of one of two connected jobs, in the program faulty.

Usage: faults_test.py MPIEXEC FAULTY"""
import sys

from jobs import run


def killed(mpiexec, faulty):
    """The others learn which process of which job it was, and go on."""
    first, second = run(mpiexec, [2, 1], [faulty, 'kill'])
    assert first.code == 0, first
    assert second.code != 0, second
    lines = [line for line in first.out.split('\n') if line]
    assert len(lines) == 4 and all('rank 0 of ' in line for line in lines), first


def killed_three(mpiexec, faulty):
    """The same with three jobs."""
    *others, last = run(mpiexec, [1, 2, 1], [faulty, 'kill'])
    assert all(job.code == 0 for job in others) and last.code, (others, last)


def aborted(mpiexec, faulty):
    """MPI_Abort ends both jobs, and both launchers give its code."""
    first, second = run(mpiexec, [2, 1], [faulty, 'abort'])
    assert first.code == 7 and second.code == 7, (first, second)
    assert 'a connected job aborts' in first.err, first


def aborted_three(mpiexec, faulty):
    """MPI_Abort ends all jobs of a chain."""
    jobs = run(mpiexec, [1, 2, 1], [faulty, 'abort'])
    assert [job.code for job in jobs] == [7, 7, 7], jobs


def quiesced(mpiexec, faulty):
    """A checkpoint is of one job: an error while two are connected, possible again afterwards."""
    first, second = run(mpiexec, [2, 1], [faulty, 'quiesce'])
    assert first.code == 0, first
    assert second.code != 0, second


def early(mpiexec, faulty):
    """MPI_Finalize waits for the other job."""
    jobs = run(mpiexec, [2, 1], [faulty, 'early'])
    assert [job.code for job in jobs] == [0, 0], jobs


def main(mpiexec, faulty):
    """Runs all tests."""
    for test in (killed, killed_three, aborted, aborted_three, quiesced, early):
        test(mpiexec, faulty)
        print(f'{test.__name__} ok', flush=True)


if __name__ == '__main__':
    main(*sys.argv[1:])
