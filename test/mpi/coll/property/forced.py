#!/usr/bin/env python3
"""Random cases of one operation with what the environment forces: on 2, 5 and 8 processes, and with
TEST_SIZE=full in the environment on 1 to 9.

Usage: forced.py MPIEXEC PROPERTY OPERATION"""
import os
import subprocess
import sys

CASES = 12
SIZES = range(1, 10) if os.environ.get('TEST_SIZE') == 'full' else (2, 5, 8)

mpiexec, program, operation = sys.argv[1:]
bad = 0
for size in SIZES:
    command = [mpiexec, '-n', str(size), program, str(CASES), str(size), operation]
    if subprocess.run(command, check=False).returncode != 0:
        print('failed:', *command)
        bad += 1
sys.exit(bad > 0)
