"""Programs that spawn, on three hosts made of namespaces, by our mpiexec.

Usage: spawn_hosts_test.py FAULT_DIR MPIEXEC PROGRAM..."""
import os
import sys

sys.path.insert(0, sys.argv[1])
# pylint: disable=wrong-import-position
import faults
from cluster import HERE, Cluster
from faults import LIBC, SKIPPED, Job, Skip


def main(mpiexec, programs):
    """Starts four ranks of each program, on two of the hosts; what they spawn has room on all."""
    faults.clean_environment()
    LIBC.prctl(faults.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with Cluster(3) as c:
        environment = {f'CLUSTER_{host.name}': str(host.pid) for host in c.hosts}
        environment['CLUSTER_KINDS'] = ''
        for program in programs:
            job = Job([mpiexec, '-launcher', 'ssh', '-launcher-exec', f'{HERE}/enter.sh',
                       '-hosts', 'node0:2,node1:2,node2:2', '-n', '4', program],
                      environment=environment).finish(50)
            assert job.code == 0 and not job.out + job.err, (program, job.code, job.out, job.err)


if __name__ == '__main__':
    try:
        main(os.path.abspath(sys.argv[2]), list(map(os.path.abspath, sys.argv[3:])))
    except Skip as e:
        print(f'skipped: {e}', file=sys.stderr)
        sys.exit(SKIPPED)
