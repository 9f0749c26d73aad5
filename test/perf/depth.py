#!/usr/bin/env python3
"""A message in a queue of 30000, or of 100000 with TEST_SIZE=full in the environment, must cost at most
twice the instructions of one in a queue of 100, for each shape of receive, posted or arrived first,
also in the worst order. And 32 receives cost less where hints say that wildcards never come.

Usage: depth.py PROGRAM [MOST]    exit code 77: valgrind is not here"""
import os, re, shutil, subprocess, sys, tempfile

if not shutil.which('valgrind'):
    print('valgrind is not here', file=sys.stderr)
    sys.exit(77)
program = os.path.realpath(sys.argv[1])
most = int(sys.argv[2]) if sys.argv[2:] else 100000 if os.environ.get('TEST_SIZE') == 'full' else 30000
counted = {}
with tempfile.TemporaryDirectory() as folder:
    subprocess.run(['valgrind', '-q', '--tool=callgrind', f'--callgrind-out-file={folder}/out',
                    program, str(most)], check=True, timeout=280,
                   env={**os.environ, 'STARLING_EAGER_CREDIT': '1g'})
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), encoding='utf-8', errors='replace') as f:
            text = f.read()
        trigger = re.search(r'^desc: Trigger: Client Request: (.*)$', text, re.M)
        if trigger:
            total = int(re.search(r'^(?:summary|totals): (\d+)', text, re.M)[1])
            counted[trigger[1]] = total // (3200 if 'hinted' in trigger[1] else most)
bad = []
for name, cost in sorted(counted.items()):
    if name.startswith('long'):
        short = counted['short' + name[4:]]
        if cost > 2 * short:
            bad.append(f'{name[5:]}: {cost} instructions in a queue of {most}, {short} in one of 100')
        elif sys.argv[2:]:
            print(f'{name[5:]:20} {short:6} {cost:6}')
if counted['hinted'] > 0.97 * counted['unhinted']:
    bad.append(f'{counted["hinted"]} instructions with hints, {counted["unhinted"]} without')
if len(counted) < 19:
    bad.append(f'only {sorted(counted)} were counted')
print('\n'.join(bad), end='', file=sys.stderr)
sys.exit(bool(bad))
