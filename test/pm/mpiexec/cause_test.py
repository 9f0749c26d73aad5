#!/usr/bin/env python3
"""The last line names the rank that died, or the host that was lost, and not the rank that noticed and aborted.

Usage: cause_test.py MPIEXEC DIR [TEST...]     DIR has the programs actor and probe.
Prints nothing when all tests pass."""
import shutil, socket, sys
from harness import *

HERE, REMOTE = (), ('-launcher', 'fork', '-hosts', 'a,b')

# Rank 0 aborts when the pipe ends that rank 1 writes to.
NOTICES = '''import os, sys, time
open(sys.argv[1]).read()
os.write(int(os.environ['PMI_FD']), b'cmd=abort exitcode=3\\n')
time.sleep(60)'''

# A child of a rank traces it: the end of the rank is then not reported before that child has ended. The rank is like
# one that the kernel takes long to end. Prints "refused" where it may not be traced.
TRACED = '''import ctypes, os, signal, sys, time
PR_SET_PTRACER, PTRACE_SEIZE = 0x59616d61, 0x4206
libc, rank, (get, put) = ctypes.CDLL(None), os.getpid(), os.pipe()
libc.prctl(PR_SET_PTRACER, ctypes.c_ulong(-1), 0, 0, 0)
if not os.fork():
    os.close(int(os.environ['PMI_FD']))
    refused = libc.ptrace(*map(ctypes.c_long, (PTRACE_SEIZE, rank, 0, 0)))
    os.write(put, b'n' if refused else b'y')
    time.sleep(60)
    os._exit(0)
if os.read(get, 1) == b'n':
    print('refused', flush=True)
pipe = open(sys.argv[1], 'w')
'''


def two(first, second, where=HERE):
    """Runs two ranks. Both get the name of a pipe as $0 of a shell, or as the first argument of python."""
    with directory() as d:
        os.mkfifo(f'{d}/pipe')
        return run(*where, '-n', 1, *first, f'{d}/pipe', ':', '-n', 1, *second, f'{d}/pipe')


def python(text):
    return sys.executable, '-c', text


def death_and_exit():
    if not shutil.which('bash'):
        raise Skip('no bash')
    notices = 'bash', '-c', 'cat $0; echo cmd=abort exitcode=3 >&$PMI_FD; sleep 9'
    for end, code, word in (('kill -9 $$', 137, 'was killed by SIGKILL'), ('exit 5', 5, 'exited with code 5')):
        for where, host in (HERE, socket.gethostname()), (REMOTE, 'b'):
            for _ in range(10):
                r = two(notices, ('bash', '-c', f'exec 3>$0; {end}'), where)
                assert r.code == code and f'rank 1 on {host} {word}' in r.last, r


def ends_that_are_reported_late():
    """When the rank is waited for, the job has been told to end."""
    for end, code, word in (('os.kill(rank, signal.SIGKILL)', 137, 'was killed by SIGKILL'),
                            ('os._exit(5)', 5, 'exited with code 5')):
        for where, host in (HERE, socket.gethostname()), (REMOTE, 'b'):
            r = two(python(NOTICES), python(TRACED + end), where)
            if 'refused' in r.out:
                raise Skip('a process may not be traced here')
            assert r.code == code and f'rank 1 on {host} {word}' in r.last, r


def what_is_no_death():
    """A rank that has closed its descriptors, and one whose first thread has ended: they live until the job ends."""
    closes = 'import os, sys, time\nopen(sys.argv[1], "w")\nos.closerange(3, 256)\ntime.sleep(60)'
    thread_ends = '''import ctypes, os, sys, threading, time
pipe = open(sys.argv[1], 'w')
threading.Thread(target=lambda: (time.sleep(0.2), pipe.close(), time.sleep(60))).start()
ctypes.CDLL(None).syscall(60 if os.uname().machine == 'x86_64' else 93, 0)  # exit'''
    for second in closes, thread_ends:
        for where in HERE, REMOTE:
            r = two(python(NOTICES), python(second), where)
            assert r.code == 3 and 'rank 0 on ' in r.last and 'called MPI_Abort with code 3' in r.last, r


def a_lost_host():
    """The proxy of rank 1 is killed, and with it the rank. That is noticed later, since the other process of the
    proxy is stopped meanwhile."""
    ends = '''import os, signal, sys, time
job = os.getppid()
with open(f'/proc/{job}/stat') as f:
    supervisor = int(f.read().rpartition(')')[2].split()[1])
if not os.fork():
    os.close(int(os.environ['PMI_FD']))
    time.sleep(0.7)
    os.kill(supervisor, signal.SIGCONT)
    os._exit(0)
pipe = open(sys.argv[1], 'w')
os.kill(supervisor, signal.SIGSTOP)
os.kill(job, signal.SIGKILL)
time.sleep(60)'''
    r = two(python(NOTICES), python(ends), REMOTE)
    assert r.code == 1 and r.last == 'mpiexec: host b: its proxy ended with 137', r


def a_silent_host():
    """Its proxy is stopped. The abort of a rank ends the job all the same."""
    stops = 'import os, signal, sys, time\nos.kill(os.getppid(), signal.SIGSTOP)\nopen(sys.argv[1], "w").close()\ntime.sleep(60)'
    r = two(python(NOTICES), python(stops), REMOTE)
    assert r.code == 3 and 'rank 0 on a called MPI_Abort with code 3' in r.last and r.seconds < 15, r


TESTS = [
    death_and_exit, ends_that_are_reported_late, what_is_no_death, a_lost_host, a_silent_host,
]

if __name__ == '__main__':
    sys.exit(main(TESTS, sys.argv[1:]))
