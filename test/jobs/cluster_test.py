"""Runs programs of test/jobs in jobs on several hosts that are made of namespaces.

Usage: cluster_test.py FOLDER_OF_CLUSTER_PY PROGRAM...

Exit code 77 where no such hosts can be made."""
import os
import sys
import tempfile


def start(cluster, slots, program, **environment):
    """Starts a program in jobs with these numbers of processes on each host."""
    count = str(len(slots))
    at = '10.77.0.%d' % (1 + next(i for i, n in enumerate(slots[0]) if n))
    return [cluster.run(hosts, program,
                        environment={'JOBS_NAME': at, 'JOBS_COUNT': count, 'JOBS_SIDE': str(side),
                                     **environment})
            for side, hosts in enumerate(slots)]


def run(cluster, slots, program):
    """Runs a program in these jobs, which must all succeed."""
    jobs = start(cluster, slots, program)
    for job in jobs:
        job.finish(50)
    assert not any(job.code for job in jobs), jobs


def refused(cluster, program):
    """Without the name of an interface libfabric's endpoint is at loopback, which is said."""
    del os.environ['STARLING_OFI_DOMAIN']
    jobs = start(cluster, [[2, 0, 0], [0, 2, 0]], program)
    for job in jobs:
        job.finish(50)
        assert job.code and 'no device of this process reaches rank' in job.err, jobs
        assert 'device libfabric: it was opened at the loopback interface' in job.err, jobs


def without_sodium(cluster, program):
    """Without libsodium, jobs connect in the memory of one host, and between hosts it is said why
    not."""
    with tempfile.TemporaryDirectory() as empty:
        with open(f'{empty}/libsodium.so.23', 'wb'):
            pass  # found first, and no library
        jobs = start(cluster, [[2, 0, 0], [0, 2, 0]], program, LD_LIBRARY_PATH=empty)
        for job in jobs:
            job.finish(50)
            assert job.code and 'without which jobs can connect only on one node' in job.err, jobs
        for job in start(cluster, [[0, 2, 0], [0, 2, 0]], program, LD_LIBRARY_PATH=empty):
            job.finish(50)
            assert not job.code, job


def main(folder, *programs):
    """Returns the exit code."""
    sys.path.insert(0, folder)
    import cluster  # pylint: disable=import-outside-toplevel
    import faults   # pylint: disable=import-outside-toplevel
    faults.clean_environment()
    cluster.LIBC.prctl(faults.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        with cluster.Cluster(3) as c:
            for program in programs:
                run(c, [[2, 0, 0], [0, 2, 0]], program)  # each job is on one host
                run(c, [[1, 1, 0], [0, 1, 1]], program)  # some share a host
            run(c, [[1, 0, 0], [0, 2, 0], [0, 1, 1]], programs[0])
            run(c, [[1, 1, 0], [1, 1, 0]], programs[-1])  # neighbors are on different hosts
            if 'STARLING_DEVICES' not in os.environ:
                without_sodium(c, programs[0])
            if os.environ.get('STARLING_DEVICES') == 'libfabric':
                refused(c, programs[0])
    except cluster.Skip as e:
        print(f'skipped: {e}', file=sys.stderr)
        return faults.SKIPPED
    return 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
