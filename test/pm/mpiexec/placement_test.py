#!/usr/bin/env python3
"""Which host each rank of a command line is placed on, for hosts that are not there; the same as
MPICH's mpiexec.hydra does it, where options mean the same.

Usage: placement_test.py PLACEMENT [TEST...]     PLACEMENT prints the hosts.
Prints nothing when all tests pass."""
import os, random, shutil, signal, socket, subprocess, sys, tempfile

PLACEMENT = ''
HOST = socket.gethostname()
CORES = len(os.sched_getaffinity(0))
VARIABLES = ('SLURM_', 'PBS_', 'LSB_', 'PE_HOSTFILE', 'HYDRA_', 'PMI', 'MPIEXEC_', 'OMPI_')
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(VARIABLES)}


class Skip(Exception):
    pass


def run(*args, **env):
    r = subprocess.run([PLACEMENT, *map(str, args)], capture_output=True, text=True, timeout=20,
                       env=dict(CLEAN, **env))
    assert r.returncode in (0, 1), r
    return r


def hosts(*args, **env):
    """The hosts of the ranks as a text; one letter for each where all have names of one letter."""
    r = run(*args, **env)
    assert r.returncode == 0 and not r.stderr, r
    names = r.stdout.split('\n')[0].split()
    return ''.join(names) if all(len(n) == 1 for n in names) else ' '.join(names)


def universe(*args, **env):
    return int(run(*args, **env).stdout.split()[-1])


def refused(word, *args, **env):
    r = run(*args, **env)
    assert r.returncode == 1 and not r.stdout and r.stderr.count('\n') == 1 and word in r.stderr, (word, r)


def equal(value, expected):
    assert value == expected, f'{value!r} instead of {expected!r}'


class File:
    """A file with this text, until nothing refers to it."""
    def __init__(self, text):
        self.file = tempfile.NamedTemporaryFile('w', prefix='hosts.')
        self.file.write(text)
        self.file.flush()

    def __str__(self):
        return self.file.name


def host_files():
    f = File('a:2\nb slots=1\n\n# c\nd\n')
    for option in ('-f', '-hostfile', '--machinefile'):
        equal(hosts(option, f, '-n', 6, 'x'), 'aabdaa')
    equal(hosts('-f', f, 'x'), 'aabd')
    equal(hosts('x', HYDRA_HOST_FILE=str(f)), 'aabd')
    equal(hosts('-f', File('e'), 'x', HYDRA_HOST_FILE=str(f)), 'e')
    equal(hosts('-n', 2, 'x', ':', '-n', 3, 'y', ':', 'z', HYDRA_HOST_FILE=str(f)), 'aabdaabda')
    refused("cannot read '/nonexistent': No such file", '-f', '/nonexistent', 'x')
    refused("cannot read '/nonexistent': No such file", 'x', HYDRA_HOST_FILE='/nonexistent')
    refused(f"'-f b': the hosts are in '{f}' already", '-f', f, '-f', 'b', 'x')
    bad = File('a\n\nb:0\n')
    refused(f"{bad}, line 3: host 'b': slots '0'", '-f', bad, 'x')
    refused('no hosts are in this file', '-f', File('#\n'), 'x')
    refused('no hosts are in this file', '-f', '/dev/null', 'x')


def names():
    equal(hosts('-host', 'a,b:2', 'x'), 'abb')
    equal(hosts('-host', 'a,b:2', '-n', 5, 'x'), 'abbab')
    equal(hosts('-host', 'a', 'x', ':', '-H', 'b:2', 'y', ':', '-n', 1, '-host', 'a', 'z'), 'abba')
    equal(hosts('-hosts', 'a,b', '-n', 2, 'x', ':', '-n', 1, 'y', ':', '-host', 'c', 'z'), 'abac')
    equal(hosts('-hostlist', 'n[1-3]', 'x'), 'n1 n2 n3')
    f = File('a:2\nb:3\n')
    equal(hosts('-f', f, '-host', 'b', 'x', ':', '-host', 'a:1,c', 'y', ':', '-n', 3, 'z'), 'bbbacaaa')
    equal(hosts('-host', 'c', 'x', ':', 'y', HYDRA_HOST_FILE=str(f)), 'caabbb')
    refused("-host: host 'a': slots '0'", '-host', 'a:0', 'x')
    refused("-H: host '-l' begins with '-'", '-H', 'a,-l', 'x')
    refused("-hosts: 'n[0-999999999]'", '-hosts', 'n[0-999999999]', 'x')


def nothing_given():
    equal(hosts('x'), 'localhost')
    equal(hosts('-n', 3, 'x', ':', 'y'), ' '.join(['localhost'] * 4))
    equal(hosts('-ppn', 3, 'x'), ' '.join(['localhost'] * 3))
    refused(f'{CORES + 1} ranks, and {CORES} slots', '-strict-slots', '-n', CORES + 1, 'x')


def layouts():
    f = File('a:2\nb:1\nc:3\n')
    equal(hosts('-f', f, '-rr', 'x'), 'abcacc')
    for args in (('--map-by', 'node'), ('-map-by=NODE',)):
        equal(hosts('-f', f, *args, '-n', 8, 'x'), 'abcaccab')
    equal(hosts('-f', f, '--map-by', 'slot', '-n', 8, 'x'), 'aabcccaa')
    for args in (('-ppn', 2), ('-perhost', 2), ('-N', 2), ('-npernode', 2), ('--map-by', 'ppr:2:node')):
        equal(hosts('-f', f, *args, 'x'), 'aabbcc')
        equal(hosts('-f', f, *args, '-n', 3, 'x'), 'aab')
        equal(hosts('-f', f, *args, '-n', 7, 'x'), 'aabbcca')
    equal(hosts('-f', f, '-strict-slots', 'x'), 'aabccc')
    refused('7 ranks, and 6 slots', '-f', f, '--nooversubscribe', '-n', 7, 'x')
    equal(hosts('-f', f, '-order-nodes', 'ascending', 'x'), 'baaccc')
    equal(hosts('-f', f, '-order-nodes', 'DOWN', 'x'), 'cccaab')
    equal(hosts('-f', f, '-order-nodes', 'DESCENDING', 'x'), 'cccaab')
    refused("'-order-nodes size'", '-order-nodes', 'size', 'x')
    for value in ('0', '-1', 'two', '100001', ''):
        refused(f"'-ppn {value}'", '-ppn', value, 'x')
        refused(f"'-map-by ppr:{value}:node'", '-map-by', f'ppr:{value}:node', 'x')
    m = File('a slots=1 max_slots=2\nb slots=1 max_slots=3\n')
    equal(hosts('-f', m, '-n', 5, 'x'), 'ababb')
    refused('6 ranks, and max_slots of their hosts allow 5', '-f', m, '-n', 6, 'x')


def launch_node():
    f = File(f'a\n{HOST}:2\nb\n')
    equal(hosts('-f', f, '-skip-launch-node', 'x'), 'ab')
    equal(hosts('-f', f, '--nolocal', '-n', 3, 'x'), 'aba')
    equal(hosts('-f', f, '-nolocal', '-localhost', 'b', 'x'), 'a')
    refused('-skip-launch-node (-nolocal): no host is left', '-skip-launch-node', 'x')


def managers():
    slurm = dict(SLURM_JOB_NODELIST='n[1-2],m', SLURM_TASKS_PER_NODE='1(x2),2')
    equal(hosts('x', **slurm), 'n1 n2 m m')
    equal(hosts('-n', 2, 'x', **slurm), 'n1 n2')
    equal(hosts('-rmk', 'user', '-n', 2, 'x', **slurm), 'localhost localhost')
    equal(hosts('-n', 1, 'x', HYDRA_RMK='none', **slurm), 'localhost')
    equal(hosts('-hosts', 'm', 'x', **slurm), 'mm')
    equal(hosts('-f', File('a'), 'x', **slurm), 'a')
    equal(hosts('-rmk', 'slurm', 'x', HYDRA_HOST_FILE='/nonexistent', **slurm), 'n1 n2 m m')
    nodes = File('a\na\nb\na\n')
    equal(hosts('x', PBS_NODEFILE=str(nodes)), 'aaab')
    equal(hosts('x', LSB_MCPU_HOSTS='a 2 b 1'), 'aab')
    equal(hosts('x', LSB_DJOB_HOSTFILE=str(nodes)), 'aaab')
    queues = File('a 2 q UNDEFINED\nb 1 q UNDEFINED\n')
    equal(hosts('x', PE_HOSTFILE=str(queues)), 'aab')
    equal(hosts('-rmk', 'lsf', 'x', LSB_MCPU_HOSTS='a 2', **slurm), 'aa')
    refused("-rmk: this is no allocation of pbs: PBS_NODEFILE is not set", '-rmk', 'pbs', 'x', **slurm)
    refused("HYDRA_RMK: 'cobalt' is none of", 'x', HYDRA_RMK='cobalt')
    refused('SLURM_TASKS_PER_NODE=2 is for 1', 'x', SLURM_JOB_NODELIST='a,b', SLURM_TASKS_PER_NODE='2')


def soft():
    equal(hosts('-host', 'a', '-n', 9, '-soft', '2,4:7:2', 'x'), 'aaaaaa')
    equal(hosts('-host', 'a:8', '-soft', '3', 'x', ':', '-host', 'b', '-n', 2, 'y'), 'aaabb')
    equal(hosts('-host', 'a:2,b', '-strict-slots', '-n', 9, '-soft', '1:9', 'x'), 'aab')
    refused("'-soft 5': no number from 1 to 4", '-n', 4, '-soft', '5', 'x')
    refused("'-soft 1,x': not a list", '-n', 4, '-soft', '1,x', 'x')


def architectures():
    f = File('a arch=sun\nb arch=rs6000\nc\n')
    equal(hosts('-f', f, '-arch', 'sun', '-n', 3, 'x', ':', '-arch', 'RS6000', '-n', 2, 'y'), 'acabb')
    refused('-arch vax: no host', '-f', File('a arch=sun'), '-arch', 'vax', 'x')


def universes():
    f = File('a:2\nb:3\n')
    equal(universe('-f', f, '-n', 1, '-usize', 'SYSTEM', 'x'), 5)
    equal(universe('-usize', 'system', '-host', 'a:4', 'x', ':', '-host', 'b', 'y'), 5)
    equal(universe('-usize', 'SYSTEM', 'x'), CORES)
    equal(universe('-usize', '7', 'x'), 7)
    equal(universe('-usize', 'INFINITE', 'x'), -1)
    equal(universe('x'), CORES)
    equal(universe('-host', 'a:2', '-n', 3, 'x'), 3)
    equal(universe('-host', 'localhost', 'x'), CORES)


def program_files():
    f = File('# a comment\n\n  n = 3\nhost=a:2,b\r\nsoft=1:2\n')
    equal(hosts('-file', f, 'x', ':', '-host', 'c', 'y'), 'aac')
    equal(hosts('-file', f, '-n', 1, 'x'), 'a')
    for text, word in (('n=3\nhost\n', "line 2: 'host': not NAME=VALUE"), ('n=0', "line 1: 'n 0'"),
                       ('ppn=2', "line 1: 'ppn': not an option"), ('=x', "line 1: '': not an option"),
                       ('file=/etc/passwd', "'file': not an option"), ('nn=2', "'nn': not an option"),
                       ('n=2\n\0\n', 'line 2: a byte is 0')):
        f = File(text)
        refused(f'{f}, {word}' if word.startswith('line') else word, '-file', f, 'x')
    refused("'-file /nonexistent': No such file", '-file', '/nonexistent', 'x')
    refused('only one such file', '-file', '/dev/null', '-file', '/dev/null', 'x')


def sizes():
    refused('more than 100000 processes', '-n', 100000, 'x', ':', '-n', 1, 'y')
    refused('more than 100000 processes', '-host', 'a:100000,b', 'x')


def hydra(args, programs):
    """The names that mpiexec.hydra gives the hosts of the ranks."""
    show = ['sh', '-c', 'echo $PMI_RANK $MPIR_CVAR_CH3_INTERFACE_HOSTNAME']
    command = ['mpiexec.hydra', '-launcher', 'fork', *args]
    for i, n in enumerate(programs):
        command += [':'] * (i > 0) + (['-n', str(n)] if n else []) + show
    # Beside other work hydra dies of SIGPIPE at times, when ranks end while it starts others.
    for _ in range(9):
        r = subprocess.run(command, capture_output=True, text=True, timeout=40, env=CLEAN)
        if r.returncode != -signal.SIGPIPE:
            break
    assert r.returncode == 0, (command, r)
    ranks = sorted(tuple(line.split()) for line in r.stdout.splitlines())
    return ' '.join(name for _, name in sorted((int(rank), name) for rank, name in ranks))


def ours(args, programs):
    command = list(args)
    for i, n in enumerate(programs):
        command += [':'] * (i > 0) + (['-n', str(n)] if n else []) + ['x']
    r = run(*command)
    assert r.returncode == 0, (command, r)
    return r.stdout.split('\n')[0]


def as_hydra():
    """Random host files and options. Hydra does not join lines of one host that are apart, and for
    -order-nodes all hosts are equal to it with -ppn."""
    if not shutil.which('mpiexec.hydra'):
        raise Skip('no mpiexec.hydra')
    dice = random.Random(1)
    for _ in range(25):
        lines = [f'node{i}' + dice.choice(('', ':1', ':2', ':3')) for i in range(dice.randint(1, 4))]
        f = File('\n'.join(lines) + '\n')
        args = dice.choice(([], ['-ppn', str(dice.randint(1, 3))],
                            ['-order-nodes', dice.choice(('ASCENDING', 'DESCENDING'))]))
        args += dice.choice((['-f', str(f)], ['-hosts', ','.join(lines)]))
        programs = [dice.randint(1, 5) for _ in range(dice.randint(1, 3))]
        expected, found = hydra(args, programs), ours(args, programs)
        assert expected == found, (args, lines, programs, expected, found)


def slots_as_hydra():
    """A rank for each slot, when -n is not given."""
    if not shutil.which('mpiexec.hydra'):
        raise Skip('no mpiexec.hydra')
    f = File('a:2\nb\nc:3\n')
    for args in (['-f', str(f)], ['-hosts', 'a,b:2']):
        equal(ours(args, [0]), hydra(args, [0]))


TESTS = [host_files, names, nothing_given, layouts, launch_node, managers, soft, architectures, universes,
         program_files, sizes, as_hydra, slots_as_hydra]


def main(arguments):
    global PLACEMENT
    PLACEMENT = os.path.abspath(arguments[0])
    failed = []
    for test in TESTS:
        if arguments[1:] and test.__name__ not in arguments[1:]:
            continue
        try:
            test()
        except Skip as e:
            print(f'skipped {test.__name__}: {e}')
        except Exception as e:
            failed.append(test.__name__)
            where = e.__traceback__.tb_next
            print(f'{test.__name__}, line {where.tb_lineno}: {type(e).__name__}: {e}', file=sys.stderr)
    if failed:
        print(f'{len(failed)} failed: {" ".join(failed)}', file=sys.stderr)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
