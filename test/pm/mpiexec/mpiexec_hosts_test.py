#!/usr/bin/env python3
"""mpiexec with lists of hosts that are all this node, or that it refuses.

Usage: mpiexec_hosts_test.py MPIEXEC DIR [TEST...]     DIR has the programs actor and probe.
Prints nothing when all tests pass."""
import os, platform, socket, sys
from harness import *

HOST = socket.gethostname()
LOCAL = 'echo $PMI_RANK/$PMI_SIZE $MPI_LOCALRANKID/$MPI_LOCALNRANKS'


def expect(r, code, out=None, last=None):
    assert r.code == code, r
    assert out is None or r.out == out, r
    assert last is None or last in r.last, r
    assert last is not None or r.err == '', r


def refused(word, *args, **options):
    r = run(*args, **options)
    expect(r, 1, '', word)
    assert r.err.count('\n') == 1 and r.err.startswith('mpiexec: '), r


def file_of(d, text, name='hosts'):
    with open(f'{d}/{name}', 'w') as f:
        f.write(text)
    return f'{d}/{name}'


def names_of_this_node():
    """They are one node: ranks find all others by their shared memory, and are counted together."""
    with directory() as d:
        f = file_of(d, f'localhost:2\n{HOST.upper()}\n127.0.0.1 slots=1 # four\n[::1]:1\nmine\n')
        r = run('-f', f, '-localhost', 'mine', 'sh', '-c', LOCAL)
        expect(r, 0)
        assert sorted(r.out.split('\n'))[1:] == [f'{i}/6 {i}/6' for i in range(6)], r
        expect(run('-f', f, '-localhost', 'mine', '-n', 3, probe()), 0)
        env = dict(os.environ, HYDRA_HOST_FILE=f)
        assert run('-localhost', 'mine', probe(), env=env).out.count(' of 6,') == 6
        own = os.environ.get('USER') or 'me'
        env = dict(os.environ, USER=own)
        expect(run('-host', f'{own}@localhost:2', probe(), env=env), 0)


def called(*args):
    """The arguments of the program that is called to reach another host."""
    with directory() as d:
        with open(f'{d}/launcher', 'w') as f:
            os.fchmod(f.fileno(), 0o755)
            f.write(f'#!/bin/sh\necho "$*" >{d}/arguments\nexit 3\n')
        r = run('-launcher-exec', f'{d}/launcher', *args, 'true')
        assert r.code and ': ssh ended with 3' in r.err, r
        with open(f'{d}/arguments') as f:
            return f.read()


def other_hosts():
    assert ' faraway ' in called('-host', 'faraway')
    assert ' node7 ' in called('-hosts', f'{HOST}:2,node7')
    assert ' -l another-user localhost ' in called('-host', 'another-user@localhost')
    assert ' fe80::1 ' in called('-host', '[fe80::1]:4')
    expect(run('-hosts', f'{HOST}:2,node7', '-n', 2, 'true'), 0, '')
    with directory() as d:
        assert ' b ' in called('-f', file_of(d, 'localhost\nb\n'))
        refused(f"{d}/hosts, line 2: host 'b': slots '0'", '-f', file_of(d, 'a\nb:0\n'), 'true')
        refused(f"{d}/hosts, line 3: host 'b': binding=cores: 'cores' is not known; ", '-f',
                file_of(d, 'a binding=core\n\nb binding=cores\n'), 'true')


def an_allocation():
    env = dict(os.environ, SLURM_JOB_NODELIST=HOST, SLURM_TASKS_PER_NODE='3')
    assert run(probe(), env=env).out.count(' of 3,') == 3
    assert run('-usize', 'SYSTEM', '-n', 1, probe(), env=env).out == 'probe 0 of 1, appnum 0, universe 3\n'
    refused('more than its max_slots', '-f', '/dev/stdin', 'true', data=b'localhost slots=3 max_slots=2')


def numbers_of_processes():
    assert run('-n', 5, '-soft', '1,2,4,8', probe()).out.count(' of 4,') == 4
    assert run('-ppn', 2, probe()).out.count(' of 2,') == 2
    assert run('-host', 'localhost:3', probe(), ':', '-host', HOST, probe()).out.count(' of 4,') == 4
    refused("'-soft 7': no number from 1 to 5", '-n', 5, '-soft', '7', 'true')
    refused('5 ranks, and 4 slots', '-host', 'localhost:4', '-strict-slots', '-n', 5, 'true')


def architecture():
    arch = platform.machine()
    expect(run('-n', 2, '-arch', arch.upper(), 'true'), 0, '')
    refused("'-arch vax': the host is of another architecture", '-arch', 'vax', 'true')
    with directory() as d:
        f = file_of(d, f'localhost:2 arch={arch}\nold:8 arch=vax\n')
        expect(run('-f', f, '-arch', arch, '-n', 3, 'true'), 0, '')


def options_in_a_file():
    with directory() as d:
        f = file_of(d, f'# options\nn=3\nsoft = 1:2\nwdir={d}\n', 'options')
        expect(run('-file', f, 'pwd'), 0, f'{os.path.realpath(d)}\n' * 2)
        f = file_of(d, 'n=1\nn=0\n', 'options')
        refused(f"{f}, line 2: 'n 0'", '-file', f, 'true')


def what_ranks_are_told():
    """MPI_INFO_ENV has the arguments of each program as they were given."""
    with directory() as d:
        f = file_of(d, 'soft=1\n', 'options')
        arch = platform.machine()
        r = run('-usize', 'SYSTEM', '-hosts', 'localhost:4', '-n', 3, '-file', f, '-arch', arch, probe(), 'program',
                ':', '-host', HOST, '-path', '/:/bin', probe(), 'program')
        expect(r, 0)
        for text in (f'maxprocs=3\nsoft=1\nhost=localhost:4\narch={arch}\nfile={f}\nusize=SYSTEM\n',
                     f'maxprocs=1\nhost={HOST}\npath=/:/bin\nusize=SYSTEM\n'):
            assert text in r.out, r
        r = run('-n', 1, '-path', '/' * 1000, probe(), 'program')  # what is too long is left out
        assert r.out.startswith('maxprocs=1\nprobe'), r


def help_text():
    r = run('-help')
    expect(r, 0)
    for word in ('\nHosts:\n', '-soft NUMBERS', '-strict-slots', 'HYDRA_HOST_FILE'):
        assert word in r.out, word
    assert max(map(len, r.out.split('\n'))) < 100, r


TESTS = [names_of_this_node, other_hosts, an_allocation, numbers_of_processes, architecture,
         options_in_a_file, what_ranks_are_told, help_text]

if __name__ == '__main__':
    sys.exit(main(TESTS, sys.argv[1:]))
