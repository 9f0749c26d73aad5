#!/usr/bin/env python3
"""Checks that every test has a time limit: a test that hangs fails, and does not block the run.

Usage: time_limits.py CTEST BUILD_DIRECTORY"""
import json
import subprocess
import sys

LONGEST_S = 300
LONGER_S = {'static_bugs': 900}      # with --full it looks at all files

ctest, build = sys.argv[1:]
shown = subprocess.check_output([ctest, '--show-only=json-v1'], cwd=build)
bad = 0
for test in json.loads(shown)['tests']:
    properties = {p['name']: p['value'] for p in test.get('properties', [])}
    limit = properties.get('TIMEOUT', 0)
    longest = LONGER_S.get(test['name'], LONGEST_S)
    if not 0 < limit <= longest:
        bad += 1
        print(f"{test['name']}: TIMEOUT is {limit or 'not set'}; wanted: 1 to {longest} seconds")
sys.exit(bad > 0)
