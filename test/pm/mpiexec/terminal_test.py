#!/usr/bin/env python3
"""mpiexec on a terminal: the ranks write to pseudo-terminals. And prompts through pipes.

Usage: terminal_test.py MPIEXEC DIR [TEST...]     DIR has the program actor.
Prints nothing when all tests pass."""
import contextlib, fcntl, os, pty, re, select, signal, struct, subprocess, sys, termios, time, tty
from harness import *

HERE, REMOTE = (), ('-launcher', 'fork', '-host', 'a,b')
BOTH = HERE, REMOTE
SIZE = 'stty size <&1'


def resize(fd, rows, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('4H', rows, columns, 0, 0))


class Screen:
    """A terminal, that changes nothing of what is written to it, and mpiexec on it."""

    def __init__(self, *args, before=(), **options):
        self.master, terminal = pty.openpty()
        tty.setraw(terminal)
        resize(terminal, 31, 97)
        self.got = b''
        options = {'stdin': subprocess.DEVNULL, 'stdout': terminal, 'stderr': subprocess.PIPE, **options}
        self.p = subprocess.Popen([*before, *command(args)], **options)
        os.close(terminal)

    def read(self, limit=LIMIT):
        """More of what is shown; false at its end."""
        assert select.select([self.master], [], [], limit)[0], f'nothing after {self.got!r}'
        try:
            more = os.read(self.master, 65536)
        except OSError:
            more = b''
        self.got += more
        return more

    def read_until(self, text):
        while text not in self.got:
            assert self.read(), f'{text!r} is not in {self.got!r}'

    def end(self):
        """What has been shown, when mpiexec has ended."""
        while self.read():
            pass
        assert self.p.wait(LIMIT) == 0, self.p.stderr.read()
        self.p.stderr.close()
        os.close(self.master)
        check_nothing_left()
        return self.got


def on_screen(*args, **options):
    return Screen(*args, **options).end().decode()


# ---- who gets one --------------------------------------------------------------------------------

KINDS = 'for i in 0 1 2; do if [ -t $i ]; then k="$k tty"; else k="$k no"; fi; done; echo $k'


def standard_output_alone():
    for where in BOTH:
        assert on_screen(*where, '-n', 2, 'sh', '-c', KINDS) == 'no tty no\n' * 2, where
        assert on_screen(*where, '-stdout-pty=no', '-n', 2, 'sh', '-c', KINDS) == 'no no no\n' * 2, where
        r = run(*where, '-n', 2, 'sh', '-c', KINDS)
        assert r.out == 'no no no\n' * 2, r
        r = run(*where, '-stdout-pty', 'yes', '-n', 2, 'sh', '-c', f'{KINDS}; {SIZE}')
        assert sorted(r.out.splitlines()) == ['0 0'] * 2 + ['no tty no'] * 2, r
    with directory() as d:
        assert on_screen('-outfile', f'{d}/out', 'sh', '-c', KINDS) == ''
        with open(f'{d}/out') as f:
            assert f.read() == 'no no no\n'
    assert on_screen('-output-from', 1, '-n', 2, 'sh', '-c', KINDS) == 'no tty no\n'
    assert on_screen('-n', 257, 'sh', '-c', '[ ! -t 1 ] || echo tty') == ''


def wrong_values():
    for value in '', 'auto', 'YES', '1':
        r = run('-stdout-pty', value, 'true')
        assert r.code == 1 and r.last == f"mpiexec: '-stdout-pty {value}': not yes or no", r


def no_terminal_is_to_be_had():
    words = ['unshare', '-m'] if os.geteuid() == 0 else ['unshare', '-rm']
    hide = [*words, 'sh', '-c', 'mount -t tmpfs none /dev/pts && exec "$0" "$@"']
    if subprocess.run([*hide, 'true'], capture_output=True).returncode:
        raise Skip('mounts are not allowed')
    assert on_screen('-n', 2, 'sh', '-c', KINDS, before=hide) == 'no no no\n' * 2


def it_controls_nothing():
    """mpiexec and the proxies lead a session that has no terminal, and get none."""
    show = 'for p in $$ $PPID; do set -- $(sed "s/.*)//" /proc/$p/stat); echo $5; done'
    for where in BOTH:
        assert on_screen(*where, '-n', 2, 'sh', '-c', show, start_new_session=True) == '0\n' * 4, where


# ---- what is written -----------------------------------------------------------------------------

def lines_appear_at_once():
    """Also from programs that keep their output where it is no terminal, as sed does."""
    for where in BOTH:
        s = Screen(*where, '-n', 2, 'sh', '-c', '(echo up; sleep 1000) | sed p')
        s.read_until(4 * b'up\n')
        s.p.terminate()
        s.p.wait(LIMIT)
        os.close(s.master)
        s.p.stderr.close()
        check_nothing_left(2)


def bytes_are_unchanged():
    """Of all values, and more than a pseudo-terminal holds, until the end of the program."""
    data = bytes(range(256)) * 1600
    with directory() as d:
        with open(f'{d}/data', 'wb') as f:
            f.write(data)
        for where in BOTH:
            assert Screen(*where, '-n', 1, 'cat', f'{d}/data').end() == data, where


def output_of_children():
    """A child that has the terminal is waited for, as one that has a pipe."""
    for where in BOTH:
        got = on_screen(*where, '-n', 1, 'sh', '-c', '(sleep 0.3; echo late) & echo now')
        assert got == 'now\nlate\n', got
        got = on_screen(*where, '-n', 1, 'sh', '-c', 'echo x; exec >&-; sleep 0.1')
        assert got == 'x\n', got


def long_lines_stay_whole():
    got = on_screen('-n', 3, actor(), 'lines', 4, 100000)
    assert sorted(set(map(len, got.splitlines()))) == [100000] and got.count('\n') == 12
    for line in got.splitlines():
        assert line == line[0] * len(line)


# ---- its size ------------------------------------------------------------------------------------

def size_of_the_window():
    """That of mpiexec's terminal, also when it changes. The signal comes after the change."""
    code = (f'show() {{ {SIZE}; n=$((n+1)); }}; n=0; trap show WINCH; show; sleep 1000 & '
            'while [ $n -lt 2 ]; do wait; done; kill $!')
    for where in BOTH:
        pid, master = pty.fork()
        if not pid:
            resize(0, 24, 80)
            os.execv(mpiexec(), command((*where, '-n', 2, 'sh', '-c', code)))
        got = b''
        try:
            for rows, columns in (24, 80), (50, 132):
                resize(master, rows, columns)
                while got.count(b'%d %d\r\n' % (rows, columns)) < 2:
                    assert select.select([master], [], [], LIMIT)[0], got
                    got += os.read(master, 4096)
        finally:
            with contextlib.suppress(OSError):
                os.write(master, b'\x03')  # when the ranks have not seen the change
                while os.read(master, 4096):
                    pass
            os.close(master)
            os.waitpid(pid, 0)
        check_nothing_left(2)


# ---- prompts -------------------------------------------------------------------------------------

ASK = 'if [ $PMI_RANK = 0 ]; then printf "N = "; read n; echo "$n."; else sleep 0.3; echo other; fi'


def prompts_through_a_pipe():
    for where in BOTH:
        p = start(*where, '-n', 2, 'sh', '-c', ASK, stdin=subprocess.PIPE)
        got = b''
        while b'N = ' not in got:
            assert select.select([p.stdout], [], [], LIMIT)[0], got
            got += os.read(p.stdout.fileno(), 4096)
        got = got.decode() + finish(p, b'7\n').out
        assert got in ('N = 7.\nother\n', 'N = \nother\n7.\n', 'other\nN = 7.\n'), got


def lines_without_a_reader():
    """Nobody can answer: a line that stands still stays whole."""
    part = 'if [ $PMI_RANK = 0 ]; then printf a; sleep 0.5; echo b; else sleep 0.25; echo other; fi'
    for where in BOTH:
        for options in {}, {'data': b''}:
            r = run(*where, '-n', 2, 'sh', '-c', part, **options)
            assert sorted(r.out.splitlines()) == ['ab', 'other'], (options, r)
    with directory() as d, open(f'{d}/out', 'w+') as f:
        p = start('-n', 2, 'sh', '-c', part, stdin=subprocess.PIPE, stdout=f)
        p.wait(LIMIT)
        finish(p)
        f.seek(0)
        assert sorted(f) == ['ab\n', 'other\n']


TESTS = [
    standard_output_alone, wrong_values, no_terminal_is_to_be_had, it_controls_nothing, lines_appear_at_once,
    bytes_are_unchanged, output_of_children, long_lines_stay_whole, size_of_the_window, prompts_through_a_pipe,
    lines_without_a_reader,
]

if __name__ == '__main__':
    sys.exit(main(TESTS, sys.argv[1:]))
