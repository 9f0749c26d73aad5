#!/usr/bin/env python3
"""Places of ranks on imagined machines, compared with those of MPICH's mpiexec.hydra.

Usage: binding_oracle_test.py MPIEXEC DIR [TEST...]

Values of -bind-to are tried with values of -map-by: some_places tries the usual ones, all_places, which
takes minutes, all of them on several machines. DIFFERENCES has a row for each difference that is meant;
a test also fails when such a row is not needed."""
import os, re, shutil, signal, subprocess, sys
from harness import *

RANKS = 10
MACHINES = {  # all kinds of parts; without l2cache; an odd number of everything; CPUs numbered apart
    'all': 'pack:2 numa:2 l3:1 l2:1 core:2 pu:2',
    'no l2cache': 'pack:2 [numa] l3:1 core:4 pu:2',
    'odd': 'pack:3 [numa] l3:1 l2:1 core:3 pu:1',
    'apart': 'pack:2 [numa] l3:2 l2:1 core:2 pu:2(indexes=0,8,1,9,2,10,3,11,4,12,5,13,6,14,7,15)',
}
PARTS = ['hwthread', 'core', 'l2cache', 'l3cache', 'numa', 'socket', 'machine']
SEVERAL = ['core:2', 'hwthread:3', 'l3cache:2']

# (why, which pairs, how many ranks have the same places all the same)
DIFFERENCES = [
    ('hydra does not bind the ranks that the list is too short for',
     lambda machine, to, by: to.startswith('user'), 3),
    ('hydra refuses machines without such a part; here a larger part stands for it',
     lambda machine, to, by: machine == 'no l2cache' and 'l2cache' in (to, by), 0),
    ('hydra begins each rank one part after the last one, so that ranks share parts while others are free',
     lambda machine, to, by: ':' in to and to.split(':')[0] == by, 1),
    ('hydra uses the second hwthread of a core before the second core of two',
     lambda machine, to, by: to.startswith('hwthread') and by == 'core:2' and machine != 'odd', 4),
    ('hydra takes the parts of later ranks from the same three cores; here from those of the place and on',
     lambda machine, to, by: machine == 'odd' and to in ('core:2', 'hwthread:3') and by == 'core:3', 3),
    ('hydra does not begin with the first place again when the last core:N has fewer than N cores',
     lambda machine, to, by: by == 'core:3' and machine != 'odd', 8),
    ('likewise', lambda machine, to, by: by == 'core:2' and machine == 'odd', 9),
]


def hydra():
    path = shutil.which('mpiexec.hydra')
    if not path:
        raise Skip('there is no mpiexec.hydra')
    return path


def launched(program, machine, options, pattern, tries=1):
    """What a launcher prints for each rank. It is started again if a broken pipe has ended it."""
    for _ in range(tries):
        p = subprocess.run([program, *options, '-n', str(RANKS), 'true'], capture_output=True, text=True, timeout=LIMIT,
                           env={**os.environ, 'HWLOC_SYNTHETIC': MACHINES[machine], 'HYDRA_TOPO_DEBUG': '1'})
        if p.returncode != -signal.SIGPIPE:
            break
    found = dict(re.findall(pattern, p.stdout + p.stderr, re.M))
    return [found.get(str(i)) for i in range(RANKS)]


def theirs(machine, options):
    # Of 150 runs 5 of hydra 4.0.2 with a program that ends at once have died of SIGPIPE, without any output.
    masks = launched(hydra(), machine, options, r'^process (\d+) binding: ([01]+)$', 10)
    return [m and {i for i, c in enumerate(m) if c == '1'} for m in masks]


def ours(machine, options):
    def cpus(text):
        ends = [part.partition('-') for part in text.split(',')]
        return {c for first, _, last in ends for c in range(int(first), int(last or first) + 1)}
    lists = launched(mpiexec(), machine, options, r'^mpiexec: rank (\d+) on \S+: CPUs ([\d,-]+) \[\S+\]$')
    assert None not in lists, (options, lists)
    return list(map(cpus, lists))


def compare(pairs):
    unneeded = {}
    for machine, to, by in pairs:
        options = ['-bind-to', to, *(['-map-by', by] if by else [])]
        a, b = theirs(machine, options), ours(machine, options)
        same, row = RANKS, None
        for why, fits, ranks in DIFFERENCES:
            if fits(machine, to, by):
                same, row = ranks, why
                break
        assert a[:same] == b[:same], f'{machine} {options}: hydra {a}, here {b}'
        if row:
            unneeded[row] = unneeded.get(row, True) and a == b
    assert not any(unneeded.values()), [row for row, same in unneeded.items() if same]


def some_places():
    hydra()
    compare([('all', to, by) for to in PARTS[:6] for by in (None, 'core', 'numa', 'socket')]
            + [('all', to, by) for to in SEVERAL for by in (None, 'socket', to.split(':')[0])]
            + [('all', 'rr', None), ('all', 'user:0+2,1+4,3', None), ('odd', 'core:2', None),
               ('apart', 'core', 'socket'), ('apart', 'user:8,1+9,4', None), ('no l2cache', 'l2cache', None)])


def all_places():
    hydra()
    compare([(machine, to, by) for machine in MACHINES for to in PARTS + SEVERAL + ['rr']
             for by in [None, *PARTS, 'core:2', 'core:3']])


if __name__ == '__main__':
    sys.exit(main([some_places, all_places] if 'all_places' in sys.argv else [some_places], sys.argv[1:]))
