#!/usr/bin/env python3
"""Runs a program of reductions again and again, and compares the bits that it writes.

Usage: reproducible.py MPIEXEC CLUSTER_PY PROGRAM RANKS DEVICE...

By default, results are the same however long things take and whether memory of other processes may
be read. With STARLING_REPRODUCIBLE=1 also on other devices and, where namespaces are permitted, on
three nodes instead of one."""
import os
import subprocess
import sys

SKIPPED = 77


def run(command, **settings):
    """What the program writes; None when it cannot be run like that."""
    done = subprocess.run(command, env={**os.environ, **settings}, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=100, check=False)
    if done.returncode == SKIPPED:
        return None
    if done.returncode:
        sys.exit(f'{settings}: code {done.returncode}: {done.stdout}{done.stderr}')
    return done.stdout.strip()


def same(what, results):
    """All results that there are."""
    known = {words: result for words, result in results.items() if result is not None}
    if len(set(known.values())) > 1:
        sys.exit(f'{what}:\n' + '\n'.join(f'{result}  {words}' for words, result in known.items()))


def main(mpiexec, cluster, program, ranks, *devices):
    here = [mpiexec, '-n', ranks, program]
    chaos = 'chaos' in devices
    devices = [d for d in devices if d in ('shm', 'sockets')]
    for device in devices:
        same(device, {f'{time}, CMA {cma}': run(here, STARLING_DEVICES=device, STARLING_SHM_CMA=cma)
                      for time, cma in [(1, 'yes'), (2, 'yes'), (3, 'no')]})
        if chaos:
            same(f'chaos:{device}', {
                seed: run(here, STARLING_DEVICES=f'chaos:{device}', STARLING_CHAOS_SEED=seed)
                for seed in ('1', '2')})
    results = {device: run(here + ['forms'], STARLING_DEVICES=device, STARLING_REPRODUCIBLE='1')
               for device in devices}
    if 'sockets' in devices:
        results['3 nodes'] = run([sys.executable, '-B', cluster, '3', ranks, program, 'forms'],
                                 STARLING_REPRODUCIBLE='1')
    same('reproducible', results)


if __name__ == '__main__':
    main(*sys.argv[1:])
