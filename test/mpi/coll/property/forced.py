#!/usr/bin/env python3
"""Random cases of one operation on 1 to 9 processes, with what the environment forces.

Usage: forced.py MPIEXEC PROPERTY OPERATION"""
import subprocess
import sys

CASES = 12

mpiexec, program, operation = sys.argv[1:]
bad = 0
for size in range(1, 10):
    command = [mpiexec, '-n', str(size), program, str(CASES), str(size), operation]
    if subprocess.run(command, check=False).returncode != 0:
        print('failed:', *command)
        bad += 1
sys.exit(bad > 0)
