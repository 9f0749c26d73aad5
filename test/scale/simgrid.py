#!/usr/bin/env python3
"""SimGrid agrees about the winner, on a fat tree whose links are shared: at a sample of points no other
algorithm takes less than 1/1.2 of the time of the one that the library chooses.

Usage: simgrid.py TOOL      TOOL: tools/scale.  Skipped (77) without smpirun."""
import re
import shutil
import subprocess
import sys

MOST = 1.2
POINTS = """
barrier 0 64 1          barrier 0 96 12         bcast 8 64 1            bcast 1048576 64 1
bcast 1048576 60 1      bcast 131072 100 1      bcast 8 128 16          bcast 1048576 64 8
ibcast 1048576 64 8     reduce 8 64 1           reduce 1048576 128 1    reduce 1048576 90 9
allreduce 8 64 1        allreduce 16384 60 1    allreduce 1048576 64 1  allreduce 8 64 8
allreduce 1048576 64 8  iallreduce 2048 128 16  gather 1024 64 1        gather 131072 24 4
scatter 1024 64 1       allgather 16 100 1      allgather 4096 32 1     allgather 4096 64 8
allgatherv 16384 23 1   alltoall 64 40 1        alltoall 1024 32 4      alltoall 131072 16 1
reduce_scatter_block 256 64 1                   reduce_scatter_block 16384 40 8
"""


def times_of(tool, point):
    """Returns the time of the choice and the least, and their names."""
    run = subprocess.run([tool, '--simgrid', *point.split()], stdout=subprocess.PIPE, text=True, check=True)
    rows = re.findall(r'^([* ]) (\w+) +[\d.]+ +([\d.]+)$', run.stdout, re.MULTILINE)
    chosen = [(float(time), name) for mark, name, time in rows if mark == '*']
    return chosen[0], min((float(time), name) for _, name, time in rows)


def main():
    """Returns 1 when they do not agree at a point."""
    if not shutil.which('smpirun'):
        print('there is no smpirun (libsimgrid-dev)')
        return 77
    points = re.findall(r'\w+ \d+ \d+ \d+', POINTS)
    assert len(points) == 30, len(points)
    failed = 0
    for point in points:
        chosen, best = times_of(sys.argv[1], point)
        if chosen[0] > MOST * best[0]:
            print(f'{point}: {chosen[1]} takes {chosen[0]} us, {best[1]} {best[0]} us')
            failed = 1
    return failed


if __name__ == '__main__':
    sys.exit(main())
