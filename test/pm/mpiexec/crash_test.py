#!/usr/bin/env python3
"""The line of mpiexec about a rank that a signal has ended names the MPI call; -backtrace shows the function.

Usage: crash_test.py MPIEXEC DIR [TEST...]     DIR has the program crash.
Prints nothing when all tests pass."""
import re, signal, socket, sys
import harness
from harness import *

HOST = socket.gethostname()
NAMES = {'segv': 'SIGSEGV (Segmentation fault)', 'bus': 'SIGBUS (Bus error)', 'fpe': 'SIGFPE (Floating point exception)',
         'abrt': 'SIGABRT (Aborted)', 'kill': 'SIGKILL (Killed)'}


def crash():
    return os.path.join(harness.PROGRAMS, 'crash')


def code_of(how):
    return 128 + getattr(signal, 'SIG' + how.upper())


def dies(where, how, text, *options, host=HOST):
    """The last of the ranks dies, and this is the last line."""
    r = run(*options, '-n', 2, crash(), where, how)
    assert r.code == code_of(how) and r.last == f'mpiexec: rank 1 on {host} was killed by {NAMES[how]}{text}', r
    return r


def all_signals():
    for how in NAMES:
        dies('after', how, '; its last MPI call was MPI_Barrier')


def all_places():
    dies('before', 'segv', ' before MPI_Init')
    dies('init', 'segv', '; its last MPI call was MPI_Init_thread')
    dies('send', 'segv', ' in MPI_Send')
    dies('send', 'bus', ' in MPI_Send')
    dies('op', 'fpe', '; its last MPI call was MPI_Reduce_local')
    dies('forked', 'segv', '; its last MPI call was MPI_Barrier')
    # Which of several threads is in a call is not known.
    dies('threads', 'segv', '; its last MPI call was MPI_Barrier')
    dies('finalize', 'segv', '; its last MPI call was MPI_Finalize')


def other_host():
    where = '-launcher', 'fork', '-hosts', 'a:2'
    dies('send', 'segv', ' in MPI_Send', *where, host='a')
    dies('after', 'abrt', '; its last MPI call was MPI_Barrier', *where, host='a')


def what_is_no_name():
    dies('garbage', 'segv', '')
    dies('middle', 'segv', '')


def the_second_program():
    """Of a rank that runs two."""
    r = run('-n', 2, 'sh', '-c', '"$0" not && exec "$0" send segv', crash())
    assert r.code == 139 and r.last.endswith('was killed by SIGSEGV (Segmentation fault) in MPI_Send'), r


def survivors():
    r = run('-disable-auto-cleanup', '-n', 1, crash(), 'send', 'segv')
    assert r.code == 139 and '(Segmentation fault) in MPI_Send; the other ranks go on\n' in r.err, r


def no_launcher():
    """A singleton, and -backtrace by its setting."""
    for setting in '', 'yes':
        r = subprocess.run([crash(), 'after', 'segv'], capture_output=True, text=True, timeout=LIMIT,
                           env={**os.environ, 'PMI_RANK': '0', 'PMI_SIZE': '1', 'STARLING_BACKTRACE': setting or 'no'})
        assert r.returncode == -signal.SIGSEGV and ('crash_by_signal+0x' in r.stderr) == bool(setting), r


def backtrace():
    for how in 'segv', 'bus', 'fpe', 'abrt':
        r = dies('op', how, '; its last MPI call was MPI_Reduce_local', '-backtrace')
        lines = [line for line in r.err.splitlines() if line.startswith(f'starling: rank 1 of 2 on {HOST}: ')]
        address = {'segv': ' at address 0x10', 'bus': ' at address 0x[0-9a-f]+'}.get(how, '')
        assert re.fullmatch('.*: ' + re.escape(NAMES[how]) + address + ', in', lines[0]), r
        if how != 'abrt':
            assert re.search(r':   0x[0-9a-f]+ crash_by_signal\+0x[0-9a-f]+ \(/.*/crash\+0x[0-9a-f]+\)$', lines[1]), r
        assert any(' crash_by_signal+0x' in line for line in lines) and any(' PMPI_Reduce_local+0x' in line or
                                                                           ' MPI_Reduce_local+0x' in line for line in lines), r
    r = dies('jump', 'segv', '; its last MPI call was MPI_Barrier', '-backtrace')
    assert re.search(' at address 0x0, in\n.*:   0x0\n.* crash_by_jump[+]', r.err), r
    r = dies('deep', 'segv', '; its last MPI call was MPI_Barrier', '-backtrace')
    assert r.err.count(' crash_by_depth+0x') > 10, r
    r = dies('after', 'kill', '; its last MPI call was MPI_Barrier', '-backtrace')
    assert r.err.count('\n') == 1, r


def backtrace_and_handlers():
    """A handler of the program stays."""
    r = run('-backtrace', '-n', 1, crash(), 'handled', 'segv')
    assert r.code == 77 and r.err.startswith('handled\n') and 'starling: ' not in r.err, r


TESTS = [all_signals, all_places, other_host, what_is_no_name, the_second_program, survivors, no_launcher, backtrace,
         backtrace_and_handlers]

if __name__ == '__main__':
    sys.exit(main(TESTS, sys.argv[1:]))
