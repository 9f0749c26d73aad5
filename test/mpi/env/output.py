#!/usr/bin/env python3
"""Lines that ranks have printed are seen, however the job ends; a buffer that the program has chosen
stays.

Usage: output.py MPIEXEC PROGRAM"""
import os, subprocess, sys, tempfile

LINES = 'rank 0: 1\nrank 1: 1\n'


def run(*words, out=subprocess.PIPE):
    env = {**os.environ, 'ASAN_OPTIONS': 'detect_leaks=0:handle_segv=0'}
    done = subprocess.run(words, env=env, stdout=out, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                          text=True, timeout=20, check=False)
    return done.returncode, ''.join(sorted((done.stdout or '').splitlines(True)))


def main(mpiexec, program):
    job = [mpiexec, '-n', '2', program]
    for how, code in ('segv', 139), ('exit', 1), ('_exit', 1), ('abort', 2):
        assert run(*job, 'nothing', how) == (code, LINES), how
    assert run(mpiexec, '-timeout', '1', *job[1:], 'nothing', 'hang') == (124, LINES)
    for before in 'printed', 'flushed':
        assert run(*job, before, '_exit') == (1, 'before\n' * 2 + LINES), before
    for before in 'chosen', 'larger':
        assert run(*job, before, '_exit') == (1, ''), before
    assert run(*job[:3], 'stdbuf', '-o1M', program, 'nothing', '_exit') == (1, '')
    with tempfile.TemporaryDirectory() as d:
        with open(f'{d}/file', 'w+') as f:
            run(*job, 'nothing', 'segv', out=f)
            f.seek(0)
            assert sorted(f) == LINES.splitlines(True)
        run(mpiexec, '-output', f'{d}/dir', *job[1:], 'nothing', 'segv')
        got = ''
        for i in 0, 1:
            with open(f'{d}/dir/{os.uname().nodename}/rank.{i}.out') as f:
                got += f.read()
        assert got == LINES, got


main(*sys.argv[1:])
