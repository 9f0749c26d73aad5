#!/usr/bin/env python3
"""The tables of tools/check: stages take turns, halves follow each other, a change brings its stages.

Usage: check_stages.py TOOLS"""
import re
import subprocess
import sys

TURNS = ['devices-libfabric', 'fuzz', 'tsan', 'aarch64']
MOST_GROUPS = 9  # of a regular expression of CMake


def bash(tools, mode, number, changed, script):
    text = f'''set -u; mode={mode} number={number} changed_files=$1
               . "$0/check_stages.sh"; read_tables; {script}'''
    return subprocess.run(['bash', '-c', text, tools, changed], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.splitlines()


def chosen(tools, number, changed='', mode='ci'):
    return bash(tools, mode, number, changed, f'chosen_by {mode}')


def turns(tools):
    always = set(chosen(tools, 0)) - set(TURNS)
    for number in range(8):
        stages = chosen(tools, number)
        assert set(stages) == always | {TURNS[number % 4]}, (number, stages)
    assert {'release', 'asan', 'user'} <= always, always
    assert set(TURNS) | always <= set(chosen(tools, 3, mode='full'))
    assert chosen(tools, 0, mode='quick') == ['release']


def changes(tools):
    for path, stage in (('src/devices/libfabric/module/rx.c', 'devices-libfabric'),
                        ('src/devices/device.h', 'devices-libfabric'),
                        ('src/pm/channel/frame.c', 'fuzz'), ('src/adi3/rma/shared/lock.c', 'tsan'),
                        ('src/adi3/match/match.c', 'aarch64')):
        for number in range(4):
            stages = chosen(tools, number, f'README.md\n{path}')
            assert stage in stages and len(set(stages)) == len(stages), (path, number, stages)
    assert len(chosen(tools, 0, 'README.md')) == len(chosen(tools, 0))


def halves(tools):
    for number in range(2):
        asan, user = (' '.join(bash(tools, 'ci', number, '', f'cell {s} tests'))
                      for s in ('asan', 'unprivileged'))
        assert f'^landing{number}$' in asan and f'^landing{1 - number}$' in user, (asan, user)


def cells(tools):
    """Each argument of ctest in each mode is a regular expression that CMake takes."""
    script = 'for s in "${names[@]}"; do for k in build tests; do cell $s $k; done; done'
    for mode in 'quick', 'ci', 'full':
        lines = bash(tools, mode, 1, '', script)
        assert len(lines) > 20, lines
        for line in lines:
            assert '{' not in line, line
            for word in line.split():
                assert word.count('(') <= MOST_GROUPS, word
                re.compile(word if word[0] != '-' else '')


if __name__ == '__main__':
    for test in turns, changes, halves, cells:
        test(sys.argv[1])
