"""Runs the programs again and graph in jobs on three hosts that are made of namespaces: some share a
host, and memory there.

Usage: cluster_again_test.py FOLDER_OF_CLUSTER_PY AGAIN GRAPH

JOBS_SEED in the environment repeats the graphs of a seed. Exit code 77 where no such hosts can be
made."""
import contextlib
import os
import random
import sys


def run(cluster, slots, name, *command):
    """Runs a program in jobs with these numbers of processes on each host. They must all succeed."""
    files = f'/tmp/starling-jobs-{os.getpid()}'
    common = {'JOBS_NAME': name, 'JOBS_FILE': files, 'JOBS_COUNT': str(len(slots)),
              'JOBS_SIZES': ','.join(str(sum(hosts)) for hosts in slots)}
    jobs = [cluster.run(hosts, *command, environment={**common, 'JOBS_SIDE': str(side)})
            for side, hosts in enumerate(slots)]
    for job in jobs:
        job.finish(100)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(files)
    assert not any(job.code for job in jobs), jobs


def main(folder, again, graph):
    """Returns the exit code."""
    sys.path.insert(0, folder)
    import cluster  # pylint: disable=import-outside-toplevel
    import faults   # pylint: disable=import-outside-toplevel
    faults.clean_environment()
    cluster.LIBC.prctl(faults.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    seed = os.environ.get('JOBS_SEED', str(random.randrange(1 << 30)))
    try:
        with cluster.Cluster(3) as c:
            run(c, [[1, 0, 0], [1, 1, 0], [0, 0, 1]], '10.77.0.1', again, '60')
            run(c, [[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1]],
                f'/tmp/starling-graph-{os.getpid()}', graph, seed, '150')
    except cluster.Skip as e:
        print(f'skipped: {e}', file=sys.stderr)
        return faults.SKIPPED
    return 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
