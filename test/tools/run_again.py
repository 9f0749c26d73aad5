#!/usr/bin/env python3
"""tools/run-again: a test that fails once is flaky, a test that fails again remains a failure.

Usage: run_again.py CTEST TOOLS"""
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

# Name of a test, and which of its runs fail: '1|4' are the first and the fourth, '*' are all. Each
# test prints the number of its run. The first run of `hangs` ends at its time limit.
FAILS = {'passes': '', 'once': '1', 'twice': '1|2', 'in_the_end': '1|4', 'always': '*', 'hangs': '',
         'left_out': ''}
# How often each is run: once, and again at most three times, up to the first failure.
RUNS = {'passes': 1, 'once': 4, 'twice': 2, 'in_the_end': 4, 'always': 2, 'hangs': 4}
SCRIPT = 'echo run >>{0}; n=$(wc -l <{0}); echo {0}: run $n; case $n in {1}) exit 3;; esac'


def write_tests(folder, names):
    with open(os.path.join(folder, 'CTestTestfile.cmake'), 'w') as f:
        for name in names:
            script = SCRIPT.format(name, FAILS[name] or 'never')
            if name == 'hangs':  # in its first run
                script += '; [ $n -gt 1 ] || exec sleep 100'
            f.write(f'add_test({name} sh -c [==[{script}]==])\n'
                    f'set_tests_properties({name} PROPERTIES TIMEOUT {1 if name == "hangs" else 9})\n')


def run(ctest, tools, names, *selection):
    """Runs tests as tools/check does, the first time with ctest's arguments `selection`.

    Returns the exit code, {test: (kind of failure, its message)}, {test: runs}, printed text."""
    with tempfile.TemporaryDirectory() as folder:
        write_tests(folder, names)
        xml, log = os.path.join(folder, 'x.xml'), os.path.join(folder, 'x.log')
        with open(log, 'w') as f:
            first = subprocess.run([ctest, '-j3', '--output-junit', xml, *selection], cwd=folder,
                                   stdout=f, stderr=f)
        assert first.returncode == 8, first
        subprocess.run([f'{tools}/results', '--stamp', xml, log], check=True)
        path = os.path.dirname(ctest) + ':' + os.environ['PATH']
        again = subprocess.run([f'{tools}/run-again', folder, xml, 'x'], stdout=subprocess.PIPE,
                               env={**os.environ, 'PATH': path})
        told = subprocess.run([f'{tools}/results', '--tell', xml], stdout=subprocess.PIPE, text=True)
        assert told.returncode == again.returncode, (again, told)
        cases = {}
        for case in ET.parse(xml).getroot().iter('testcase'):
            kinds = [c for c in case if c.tag in ('failure', 'flakyFailure')]
            cases[case.get('name')] = (kinds[0].tag, kinds[0].get('message')) if kinds else None
        counts = {}
        for name in names:
            if os.path.exists(os.path.join(folder, name)):
                with open(os.path.join(folder, name)) as f:
                    counts[name] = len(f.readlines())
        return again.returncode, cases, counts, told.stdout


def all_kinds(ctest, tools):
    code, cases, counts, told = run(ctest, tools, list(RUNS))
    assert code == 1 and counts == RUNS, (code, counts)
    assert cases == {'passes': None, 'once': ('flakyFailure', 'Failed'),
                     'twice': ('failure', 'Failed'), 'in_the_end': ('failure', 'Failed'),
                     'always': ('failure', 'Failed'), 'hangs': ('flakyFailure', 'Timeout')}, cases
    assert told.startswith('1 passed, 3 failed, 2 flaky, 0 skipped\n'), told
    assert 'once: flaky, at first: Failed\n        once: run 1\n' in told, told


def flaky_alone(ctest, tools):
    code, cases, counts, told = run(ctest, tools, ['passes', 'once'])
    assert code == 0 and cases['once'] == ('flakyFailure', 'Failed') and counts['once'] == 4
    assert told.startswith('1 passed, 0 failed, 1 flaky, 0 skipped\n'), told


def by_name(ctest, tools):
    """ctest numbers tests differently when a regular expression excludes some."""
    code, cases, counts, _ = run(ctest, tools, ['left_out', 'passes', 'once'], '-E', '^left_out$')
    assert code == 0 and counts == {'passes': 1, 'once': 4}, (code, counts)
    assert cases == {'passes': None, 'once': ('flakyFailure', 'Failed')}, cases


def too_many(ctest, tools):
    FAILS.update({f'broken{i}': '1' for i in range(21)})
    code, cases, counts, _ = run(ctest, tools, [name for name in FAILS if 'broken' in name])
    assert code == 1 and set(counts.values()) == {1}, (code, counts)
    assert set(cases.values()) == {('failure', 'Failed')}, cases


if __name__ == '__main__':
    for test in all_kinds, flaky_alone, by_name, too_many:
        test(sys.argv[1], sys.argv[2])
