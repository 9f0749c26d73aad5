#!/usr/bin/env python3
"""mpiexec and signals: Ctrl-C, Ctrl-Z, terminals, kill -9. No process may be left.

Usage: mpiexec_signals_test.py MPIEXEC DIR [TEST...]     DIR has the programs actor and probe.
Prints nothing when all tests pass."""
import contextlib, os, pty, random, select, signal, subprocess, sys, termios, time
from harness import *

KILLS = 100
REMOTE = ('-launcher', 'fork', '-host', 'a,b')


def wait_for_output(p, text):
    """Reads standard output until text appears."""
    got = b''
    end = time.monotonic() + LIMIT
    while text.encode() not in got:
        assert time.monotonic() < end, f'{text!r} not in {got!r}'
        if select.select([p.stdout], [], [], 0.1)[0]:
            piece = os.read(p.stdout.fileno(), 4096)
            assert piece, f'{text!r} not in {got!r}'
            got += piece
    return got.decode()


def started(ranks, *words, **options):
    """Starts mpiexec with actors and waits until each has printed "ready"."""
    where = options.pop('where', ())
    p = start('-v', *where, '-n', ranks, actor(), *words[:-1], 'say', 'ready', words[-1], **options)
    got = wait_for_output(p, 'ready')
    while got.count('ready') < ranks:
        got += wait_for_output(p, 'ready')
    return p


# ---- signals to mpiexec ------------------------------------------------------------------------

def ended_by_signals():
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGQUIT, 131)):
        p = started(2, 'hold')
        p.send_signal(number)
        r = finish(p)
        assert r.code == code and r.last == f'mpiexec: ended by {number.name}', r
        assert r.err.count(f'ended: signal {number.value}\n') == 2, r
        check_nothing_left()


def signal_reaches_ranks_then_kill():
    p = started(2, 'catch', 'spin', where=('-grace', 1))
    p.send_signal(signal.SIGINT)
    r = finish(p)
    assert r.code == 130 and r.out.count('caught 02\n') == 2 and r.seconds > 0.9, r
    assert r.err.count('ended: signal 9\n') == 2, r
    p = started(2, 'stubborn', 'hold', where=('--mca', 'odls_base_sigkill_timeout', 1))
    p.send_signal(signal.SIGTERM)
    r = finish(p)
    assert r.code == 143 and r.seconds > 0.9 and r.err.count('ended: signal 9\n') == 2, r


def second_interrupt_is_at_once():
    """With one interrupt the end takes at least a second. A busy machine may delay a try, so the fastest counts."""
    times = []
    for _ in range(4):
        p = started(2, 'stubborn', 'hold')
        p.send_signal(signal.SIGINT)
        time.sleep(0.25)  # closer ones may be one that was sent twice
        p.send_signal(signal.SIGINT)
        r = finish(p)
        assert r.code == 130, r
        times.append(r.seconds)
    assert min(times) < 0.6, times


SAVES = "trap 'sleep 1.3; echo saved; exit 0' TERM HUP; echo ready; while :; do sleep 0.02; done"


def saving(*args):
    """Starts two ranks that save their state when they are told to end, for more than a second."""
    p = start(*args, '-n', 2, 'sh', '-c', SAVES)
    got = ''
    while got.count('ready') < 2:
        got += wait_for_output(p, '\n')
    return p


def ranks_may_save_their_state():
    for where, number, times in ((), signal.SIGTERM, 1), (REMOTE, signal.SIGHUP, 1), ((), signal.SIGTERM, 2):
        p = saving(*where)
        for _ in range(times):  # timeout(1) sends it to mpiexec, and to the group that mpiexec is in
            p.send_signal(number)
            time.sleep(0.02)
        r = finish(p)
        assert r.code == 128 + number and r.out.count('saved') == 2 and 1.2 < r.seconds < 8, r
        line = 'mpiexec: waiting up to 25 s for ranks 0-1 to end; a second signal ends them at once\n'
        assert line in r.err and r.last == f'mpiexec: ended by {number.name}', r
        check_nothing_left()


def no_time_to_save_with_grace_0():
    p = saving('-grace', 0)
    p.send_signal(signal.SIGTERM)
    r = finish(p)
    assert r.code == 143 and 'saved' not in r.out and r.seconds < 1 and 'waiting' not in r.err, r


def groups_of_ranks_have_time_and_what_else_is_left_has_less():
    """A shell that waits for a program dies of the signal at once, and the program may save its state. A process in
    a session of its own, which ignores the signal, is not waited for."""
    p = start('-n', 1, 'sh', '-c', f'sh -c "{SAVES}"; true')
    wait_for_output(p, 'ready')
    p.send_signal(signal.SIGTERM)
    r = finish(p)
    assert r.code == 143 and 'saved' in r.out, r
    assert 'waiting up to 25 s for processes that the ranks have started to end' in r.err, r
    p = start('-n', 1, 'sh', '-c', f"setsid {actor()} stubborn say ready hold & trap 'exit 0' TERM; wait")
    wait_for_output(p, 'ready')
    p.send_signal(signal.SIGTERM)
    r = finish(p)
    assert r.code == 143 and 0.9 < r.seconds < 8, r


def a_failure_leaves_a_second():
    p = started(2, 'stubborn', 'hold')
    os.kill(family(p, 2)[1][0], signal.SIGKILL)
    r = finish(p)
    assert r.code == 137 and 0.9 < r.seconds < 4, r


def worker_alone_is_signaled():
    p = started(2, 'hold')
    os.kill(family(p, 2)[0], signal.SIGTERM)
    r = finish(p)
    assert r.code == 143 and r.last == 'mpiexec: ended by SIGTERM', r


def proxies_are_signaled():
    """As by scancel: the ranks of all nodes may save their state. A second signal ends the node."""
    p = saving(*REMOTE)
    proxy = children(worker_of(p))[0]
    os.kill(proxy, signal.SIGTERM)
    r = finish(p)
    assert r.code == 143 and r.out.count('saved') == 2, r
    assert r.last.startswith('mpiexec: ended by SIGTERM, which was sent to the proxy on '), r
    p = started(2, 'stubborn', 'hold', where=REMOTE)
    for proxy in children(worker_of(p)) * 2:
        os.kill(proxy, signal.SIGTERM)
        time.sleep(0.15)
    r = finish(p)
    assert r.code == 143 and r.seconds < 1, r


def nohup():
    p = started(1, 'hold', preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    p.send_signal(signal.SIGHUP)
    time.sleep(0.2)
    assert p.poll() is None
    p.terminate()
    assert finish(p).code == 143


def user_signals_are_passed_on():
    for where in (), REMOTE:
        p = start(*where, '-n', 2, actor(), 'catch', 'say', 'ready', 'hold', env=without_leak_check())
        got = ''
        for number in 0, signal.SIGWINCH, signal.SIGUSR1, signal.SIGUSR2:
            text = f'caught {int(number)}' if number else 'ready'
            if number:
                p.send_signal(number)
            while got.count(text) < 2:
                got += wait_for_output(p, '\n')
        for proxy in children(worker_of(p)) if where else ():  # its own signals, too
            os.kill(proxy, signal.SIGWINCH)
        time.sleep(1.3)
        assert p.poll() is None
        p.kill()
        finish(p)
        check_nothing_left(2)
    p = started(1, 'hold')
    p.send_signal(signal.SIGUSR1)
    r = finish(p)
    assert r.code == 138 and 'was killed by SIGUSR1' in r.last, r


def stop_and_continue():
    p = started(2, 'spin')
    _, ranks = family(p, 2)
    p.send_signal(signal.SIGTSTP)
    wait_until(lambda: [state_of(x) for x in [p.pid] + ranks] == ['T'] * 3)
    p.send_signal(signal.SIGCONT)
    wait_until(lambda: all(state_of(x) in 'RS' for x in [p.pid] + ranks))
    p.send_signal(signal.SIGTSTP)
    wait_until(lambda: [state_of(x) for x in [p.pid] + ranks] == ['T'] * 3)
    for rank in ranks:  # stopped ranks can be killed; after the first, mpiexec ends the others
        with contextlib.suppress(ProcessLookupError):
            os.kill(rank, signal.SIGKILL)
    p.send_signal(signal.SIGCONT)
    assert finish(p).code == 137


def reader_that_sleeps_is_not_waited_for():
    p = start('-n', 2, 'yes')
    time.sleep(0.3)
    begin = time.monotonic()
    p.send_signal(signal.SIGINT)
    assert p.wait(LIMIT) == 130 and time.monotonic() - begin < 8
    p.stdout.close()
    p.stderr.close()


# ---- terminals ---------------------------------------------------------------------------------

@contextlib.contextmanager
def terminal(*args, foreground=True):
    """Runs mpiexec in a session with a terminal; yields its pid and the master end of the terminal."""
    pid, master = pty.fork()
    if not pid:
        with contextlib.suppress(BaseException):
            if not foreground:  # like "&" of a shell
                mine = os.fork()
                if mine:
                    os.waitpid(mine, os.WUNTRACED)
                    os._exit(99)
                os.setpgid(0, 0)
            os.execv(mpiexec(), command(args))
        os._exit(98)
    attributes = termios.tcgetattr(master)
    attributes[3] &= ~termios.ECHO
    termios.tcsetattr(master, termios.TCSANOW, attributes)
    try:
        yield pid, master
    finally:
        os.close(master)
        for child in children():
            with contextlib.suppress(OSError):
                os.kill(child, signal.SIGKILL)
        check_nothing_left(2)


def read_terminal(master, text, limit=LIMIT):
    got, end = '', time.monotonic() + limit
    while text not in got:
        assert time.monotonic() < end, f'{text!r} not in {got!r}'
        if select.select([master], [], [], 0.1)[0]:
            got += os.read(master, 4096).decode()
    return got


def code_of(pid):
    def look():
        done, status = os.waitpid(pid, os.WNOHANG)
        return (status,) if done else None
    return os.waitstatus_to_exitcode(wait_until(look, LIMIT)[0])


def terminal_input():
    with terminal('-n', 2, actor(), 'say', 'ready', 'cat', 'say', 'over') as (pid, master):
        read_terminal(master, 'ready')
        os.write(master, b'first\n')
        read_terminal(master, 'first\r\n')
        os.write(master, b'second\n')
        read_terminal(master, 'second\r\n')
        os.write(master, b'\x04')
        read_terminal(master, 'over')
        assert code_of(pid) == 0


def question_on_terminal():
    """A prompt, a line without an end that does not grow, is shown."""
    with terminal('-n', 2, actor(), 'ask', 'your name? ', 'cat') as (pid, master):
        read_terminal(master, 'your name? ')
        os.write(master, b'x\n\x04')
        assert code_of(pid) == 0


def on_terminal_of_a_shell(*args):
    """Ctrl-Z stops mpiexec, as the shell sees, and all ranks. fg continues all, and Ctrl-C ends them."""
    pid, master = pty.fork()
    if not pid:
        os.execvp('bash', ['bash', '--norc', '--noprofile', '-i'])
    try:
        words = ' '.join(command([*args, '-n', 2, actor(), 'say', "'re''ady'", 'spin']))
        os.write(master, f'unset HISTFILE; PS1=; PS2=; stty -echo; {words}\n'.encode())
        got = read_terminal(master, 'ready')
        while got.count('ready') < 2:
            got += read_terminal(master, 'ready')
        ranks = [p for p in descendants(pid) if name_of(p) == 'actor']
        assert len(ranks) == 2, ranks
        os.write(master, b'\x1a')
        read_terminal(master, 'Stopped')
        wait_until(lambda: [state_of(p) for p in ranks] == ['T'] * 2)
        os.write(master, b'fg\n')
        wait_until(lambda: all(state_of(p) in 'RS' for p in ranks))
        os.write(master, b'\x03')
        read_terminal(master, 'ended by SIGINT')
        os.write(master, b'echo code $?.\n')
        read_terminal(master, 'code 130.')
        os.write(master, b'exit\n')
        assert code_of(pid) == 0
    finally:
        os.close(master)
        for child in children():
            with contextlib.suppress(OSError):
                os.kill(child, signal.SIGKILL)
        check_nothing_left(2)


def descendants(pid):
    return [pid] + [d for c in children(pid) for d in descendants(c)]


def stopped_by_a_shell():
    on_terminal_of_a_shell()


def stopped_by_a_shell_on_other_hosts():
    on_terminal_of_a_shell(*REMOTE)


def stopped_in_another_session():
    """As below sshd. The ranks have no terminal there, and their parents are not in the session of mpiexec."""
    with directory() as d:
        with open(f'{d}/ssh', 'w') as f:
            f.write('#!/bin/sh\nwhile [ $# -gt 2 ]; do shift; done\nexec setsid -w sh -c "$*"\n')
        os.chmod(f'{d}/ssh', 0o755)
        p = start('-launcher-exec', f'{d}/ssh', '-host', 'x,y', '-n', 2, actor(), 'say', 'ready', 'spin')
        assert p.stdout.read(12) == b'ready\n' * 2
        ranks = [c for c in descendants(p.pid) if name_of(c) == 'actor']
        p.send_signal(signal.SIGTSTP)
        wait_until(lambda: [state_of(c) for c in [p.pid] + ranks] == ['T'] * 3)
        p.send_signal(signal.SIGCONT)
        wait_until(lambda: all(state_of(c) in 'RS' for c in [p.pid] + ranks))
        p.terminate()
        assert finish(p).code == 143


def autogroup_of(pid):
    """What the kernel prints for a process in no autogroup, as in one that is ending, is empty."""
    with open(f'/proc/{pid}/autogroup') as f:
        return f.read().partition(' ')[0]


def a_session_has_an_autogroup():
    if not os.path.exists('/proc/self/autogroup'):
        return False
    with subprocess.Popen(['sleep', '100'], start_new_session=True) as p:
        found = autogroup_of(p.pid)
        p.kill()
    return found not in ('', autogroup_of(os.getpid()))


def a_job_has_an_autogroup():
    """The kernel shares the processor between the job, as a whole, and what else runs in the terminal."""
    if not a_session_has_an_autogroup():
        return
    for nice in 0, 3:
        def set_nice():
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
            os.setpriority(os.PRIO_PROCESS, 0, nice)
        try:
            p = started(2, 'hold', preexec_fn=set_nice)
        except subprocess.SubprocessError:  # users other than root cannot set less than there is
            continue
        worker, ranks = family(p, 2)
        groups = {autogroup_of(pid) for pid in [worker] + ranks}
        own = autogroup_of(os.getpid())
        assert autogroup_of(p.pid) == own and groups == {own} if nice else len(groups - {own, ''}) == len(groups) == 1, groups
        p.terminate()
        finish(p)


def interrupt_on_terminal():
    with terminal('-n', 2, actor(), 'say', 'ready', 'spin') as (pid, master):
        read_terminal(master, 'ready')
        os.write(master, b'\x03')
        read_terminal(master, 'ended by SIGINT')
        assert code_of(pid) == 130


def background_leaves_terminal_alone():
    with terminal('-n', 1, actor(), 'say', 'ready', 'cat', foreground=False) as (pid, master):
        read_terminal(master, 'ready')
        os.write(master, b'for the shell\n')
        time.sleep(0.5)
        assert 'for the shell' not in read_terminal_now(master)
        mine = children(pid)[0]
        assert state_of(mine) == 'S', state_of(mine)
        os.kill(mine, signal.SIGKILL)


def read_terminal_now(master):
    return os.read(master, 4096).decode() if select.select([master], [], [], 0)[0] else ''


# ---- kill -9 -----------------------------------------------------------------------------------

def killed_mpiexec():
    for args in ((actor(), 'spin'), (actor(), 'stubborn', 'child', 'hold'),
                 ('sh', '-c', f'{actor()} child stubborn spin; true'), (probe(), 0, 'hang')):
        p = start('-n', 2, *args, env=without_leak_check())
        family(p, 2)
        time.sleep(0.1)
        p.kill()
        finish(p)
        check_nothing_left(2)


def killed_early():
    """Kills mpiexec at different times of its start."""
    for i in range(20):
        p = start('-n', 30, actor(), 'spin', env=without_leak_check())
        time.sleep(i * 0.002)
        p.kill()
        finish(p)
        check_nothing_left(2)


def killed_worker_is_reported():
    p = started(2, 'stubborn', 'child', 'hold')
    worker, _ = family(p, 2)
    os.kill(worker, signal.SIGKILL)
    r = finish(p)
    assert r.code == 137 and f'ran the job ({worker}) was killed by SIGKILL' in r.last, r
    check_nothing_left(2)


def killed_worker_of_a_stopped_mpiexec():
    """mpiexec goes on by itself and ends what the ranks have started."""
    p = start('-n', 2, actor(), 'daemon', 'hold', env=without_leak_check())
    worker, _ = family(p, 2)
    p.send_signal(signal.SIGTSTP)
    wait_until(lambda: state_of(p.pid) == 'T')
    os.kill(worker, signal.SIGKILL)
    r = finish(p)
    assert r.code == 137 and f'ran the job ({worker}) was killed by SIGKILL' in r.last, r
    check_nothing_left(2)


def worker_is_not_called_mpiexec():
    """"pkill -9 -f mpiexec" must not kill it."""
    p = started(1, 'hold', env=without_leak_check())
    worker, _ = family(p, 1)
    with open(f'/proc/{worker}/cmdline', 'rb') as f:
        assert f.read().rstrip(b'\0') == b'starling-job'
    p.kill()
    finish(p)
    check_nothing_left(2)


def killed_at_random():
    """Kills any set of the ranks, mpiexec and its worker."""
    dice = random.Random(3)
    for i in range(KILLS):
        words = (['spin'], ['stubborn', 'hold'], ['catch', 'hold'])[i % 3]
        p = start('-n', 3, actor(), *words, env=without_leak_check())
        worker, ranks = family(p, 3)
        processes = [p.pid, worker] + ranks
        for victim in dice.sample(processes, dice.randint(1, len(processes))):
            with contextlib.suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)
        time.sleep(dice.choice((0, 0.01, 0.1)))
        p.kill()  # when it still runs
        finish(p, limit=5)
        check_nothing_left(2)


TESTS = [
    ended_by_signals, signal_reaches_ranks_then_kill, second_interrupt_is_at_once, ranks_may_save_their_state,
    no_time_to_save_with_grace_0, groups_of_ranks_have_time_and_what_else_is_left_has_less, a_failure_leaves_a_second,
    worker_alone_is_signaled, proxies_are_signaled, nohup,
    user_signals_are_passed_on, stop_and_continue, reader_that_sleeps_is_not_waited_for, terminal_input,
    question_on_terminal, stopped_by_a_shell, stopped_by_a_shell_on_other_hosts, stopped_in_another_session,
    a_job_has_an_autogroup, interrupt_on_terminal, background_leaves_terminal_alone, killed_mpiexec,
    killed_early, killed_worker_is_reported, killed_worker_of_a_stopped_mpiexec, worker_is_not_called_mpiexec, killed_at_random,
]

if __name__ == '__main__':
    sys.exit(main(TESTS, sys.argv[1:]))
