#!/usr/bin/env python3
"""Binding of ranks to CPUs: real ones of this machine, and places on machines that hwloc imagines.

Usage: binding_test.py MPIEXEC DIR [TEST...]     DIR has the programs actor and probe."""
import contextlib, os, re, shutil, socket, subprocess, sys
import harness
from harness import *

HOST = socket.gethostname()
SHOW = ['sed', '-n', 's/^Cpus_allowed_list:.//p', '/proc/self/status']
LINE = re.compile(r'mpiexec: rank (\d+) on (\S+): (?:CPUs ([\d,-]+)|not bound)(?: (\[\S+\]))?$')
NOT_BOUND = re.compile(r'mpiexec: rank (\d+) on \S+ is not bound to CPUs (\S+): it may use none of them$')


def topo():
    path = os.path.join(os.path.dirname(mpiexec()), 'starling_topo')
    if not os.path.exists(path):
        raise Skip('there is no starling_topo')
    return path


def cpus(text):
    """The CPUs of a list such as 0,4-7."""
    found = set()
    for part in text.split(','):
        first, _, last = part.partition('-')
        found.update(range(int(first), int(last or first) + 1))
    return found


def parts(kind, **environ):
    """The sets of CPUs of one kind of parts, as starling_topo prints them."""
    out = subprocess.run([topo()], capture_output=True, text=True, check=True, timeout=LIMIT,
                         env={**os.environ, **environ}).stdout
    return [cpus(line.split()[1]) for line in out.splitlines()[1:-1] if line.split()[0] == kind]


def allowed():
    return os.sched_getaffinity(0)


def ranks(r):
    """The CPUs of each rank, from the labeled output of SHOW."""
    assert r.code == 0, r
    lines = dict(line.split(' ', 1) for line in r.out.splitlines())
    return [cpus(lines[f'[{i}]']) for i in range(len(lines))]


def shown(n, *options, **popen):
    r = run('-l', '-n', n, *options, *SHOW, **popen)
    assert r.err == '', r
    return ranks(r)


def usable(kind, mine=None):
    sets = [s & (mine or allowed()) for s in parts(kind)]
    return [s for s in sets if s]


def in_turn(sets, n):
    return [sets[i % len(sets)] for i in range(n)]


# ---- on this machine ---------------------------------------------------------------------------

def ranks_are_bound():
    n = len(allowed()) + 1
    assert shown(2) == [allowed()] * 2
    assert shown(2, '-bind-to', 'none') == [allowed()] * 2
    assert shown(n, '-bind-to', 'core') == in_turn(usable('core'), n)
    assert shown(n, '--bind-to', 'hwthread') == in_turn(usable('hwthread'), n)
    assert shown(2, '-binding', 'socket') == in_turn(usable('package'), 2)
    assert shown(2, '-bind-to', 'machine') == [allowed()] * 2
    assert shown(n, '-bind-to', 'rr') == in_turn([{c} for c in sorted(allowed())], n)
    one = max(allowed())
    assert shown(2, f'-bind-to=user:{one}') == [{one}] * 2


def hosts_with_a_binding_of_their_own():
    one = max(allowed())
    with directory() as d:
        with open(f'{d}/hosts', 'w') as f:
            f.write(f'a binding=user:{one}\nb\nc binding=none\n')
        assert shown(3, '-launcher', 'fork', '-f', f.name) == [{one}, allowed(), allowed()]
        first = usable('core')[0]
        assert shown(3, '-launcher', 'fork', '-f', f.name, '-bind-to', 'core') == [{one}, first, allowed()]
        with open(f.name, 'w') as f:
            f.write('a:2\nb:2 binding=core\n')
        assert shown(4, '-launcher', 'fork', '-f', f.name) == [allowed()] * 2 + in_turn(usable('core'), 2)


def fewer_cpus_by_mask():
    if len(allowed()) < 2:
        raise Skip('one CPU')
    for one in sorted(allowed()):
        only = {'preexec_fn': lambda one=one: os.sched_setaffinity(0, {one})}
        assert shown(3, '-bind-to', 'core', **only) == [{one}] * 3
        assert shown(2, '-bind-to', 'socket', '-map-by', 'core', **only) == [{one}] * 2
        r = run('-n', 1, '-bind-to', 'core', '-report-bindings', 'true', **only)
        drawing = LINE.match(r.err.rstrip('\n')).group(4)
        assert drawing.count('B') == 1 and '-' in drawing and '.' not in drawing, r


@contextlib.contextmanager
def cpuset(cpu):
    """Yields a function that moves the calling process to a new cgroup with this CPU alone."""
    base = next((b for b in ('/sys/fs/cgroup/cpuset', '/sys/fs/cgroup') if
                 os.path.exists(b + '/cpuset.cpus') or os.path.exists(b + '/cgroup.controllers')), None)
    path = f'{base}/starling_test_{os.getpid()}'
    if not base:
        raise Skip('there are no cpusets')
    try:
        os.mkdir(path)
    except OSError as e:
        raise Skip(f'cannot make a cgroup: {e}')
    try:
        try:
            for name in ('mems', 'cpus'):
                with open(f'{path}/cpuset.{name}', 'w') as f:
                    f.write('0' if name == 'mems' else str(cpu))
        except OSError as e:
            raise Skip(f'cannot set a cpuset: {e}')

        def enter():
            with open(f'{path}/cgroup.procs', 'w') as f:
                f.write('0')
        yield enter
    finally:
        wait_until(lambda: not open(f'{path}/cgroup.procs').read())
        os.rmdir(path)


def fewer_cpus_by_cgroup():
    if len(allowed()) < 2:
        raise Skip('one CPU')
    one = max(allowed())
    with cpuset(one) as enter:
        assert shown(2, '-bind-to', 'core', preexec_fn=enter) == [{one}] * 2
        r = run('-n', 1, '-bind-to', 'socket', '-report-bindings', 'true', preexec_fn=enter)
        assert cpus(LINE.match(r.err.rstrip('\n')).group(3)) == {one}, r


def threads_of_openmp():
    n = len(allowed())
    assert shown(2, '-bind-to', 'hwthread', '-genv', 'OMP_NUM_THREADS', n) == [allowed()] * 2
    assert shown(2, '-bind-to', 'hwthread', env={**os.environ, 'OMP_NUM_THREADS': f'1,{n}'}) == [allowed()] * 2
    assert shown(2, '-bind-to', 'hwthread', '-genv', 'OMP_NUM_THREADS', 'many') == in_turn(usable('hwthread'), 2)


# ---- on imagined machines ----------------------------------------------------------------------

def imagined(machine, *args, name='HWLOC_SYNTHETIC'):
    """[(CPUs as text, drawing)] of the ranks on another machine, whose CPUs are perhaps not here."""
    r = run('-report-bindings', *args, env={**os.environ, name: machine})
    assert r.code == 0, r
    found, others = {}, []
    for line in r.err.splitlines():
        m = LINE.match(line)
        if m:
            assert m.group(2) == HOST and int(m.group(1)) not in found, r
            found[int(m.group(1))] = m.group(3), m.group(4)
        elif not NOT_BOUND.match(line):
            others.append(line)
    return [found[i] for i in sorted(found)], others


def reports():
    machine = 'pack:2 numa:2 l3:1 core:2 pu:2'
    assert imagined(machine, '-n', 3, '-bind-to', 'core', '-map-by', 'socket', 'true') == ([
        ('0-1', '[BB/..|../..][../..|../..]'),
        ('8-9', '[../..|../..][BB/..|../..]'),
        ('2-3', '[../BB|../..][../..|../..]')], [])
    assert imagined(machine, '-n', 1, 'true') == ([(None, '[../..|../..][../..|../..]')], [])
    assert imagined(machine, '-n', 2, '-bind-to', 'user:0+15,3', 'true') == ([
        ('0,15', '[B./..|../..][../..|../.B]'),
        ('3', '[../.B|../..][../..|../..]')], [])


def a_rank_that_cannot_be_bound_says_so_once():
    first = max(os.sched_getaffinity(0)) // 2 + 1
    r = run('-l', '-n', 2, '-bind-to', f'user:{min(allowed())},{1000}', *SHOW)
    assert ranks(r) == [{min(allowed())}, allowed()], r
    assert len(r.err.splitlines()) == 1 and NOT_BOUND.match(r.err.rstrip('\n')).groups() == ('1', '1000'), r
    r = run('-n', 4, '-bind-to', 'core', '-bind-to', 'core', probe(), 'init', 'finalize',
            env={**os.environ, 'HWLOC_SYNTHETIC': f'core:{64 * first} pu:2'})
    assert r.code == 0, r


def programs_need_different_numbers_of_cpus():
    got, _ = imagined('core:8 pu:1', '-bind-to', 'core', '-n', 2, '-env', 'OMP_NUM_THREADS', '1', 'true', ':',
                      '-n', 2, '-env', 'OMP_NUM_THREADS', '3', 'true')
    assert [c for c, _ in got] == ['0', '1', '2-4', '5-7'], got


def says_what_stands_for_a_missing_part():
    got, lines = imagined('pack:2 core:2 pu:1', '-n', 2, '-bind-to', 'l3cache', 'true')
    assert [c for c, _ in got] == ['0-1', '2-3'], got
    assert lines == [f'mpiexec: {HOST} has no l3cache, ranks are bound by package instead'], lines
    _, lines = imagined('pack:2 core:2 pu:1', '-n', 2, '-bind-to', 'core', '-map-by', 'l2cache', 'true')
    assert len(lines) == 1 and 'has no l2cache, ranks are mapped by' in lines[0], lines


# 2 packages of 2 cores with 2 hardware threads, whose numbers are apart; 5 and 7 are not allowed.
XML = '''<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
 <object type="Machine" os_index="0" cpuset="0xff" complete_cpuset="0xff" allowed_cpuset="0x5f"
         nodeset="0x1" complete_nodeset="0x1" allowed_nodeset="0x1" gp_index="1">
  <object type="NUMANode" os_index="0" cpuset="0xff" complete_cpuset="0xff" nodeset="0x1"
          complete_nodeset="0x1" gp_index="2" local_memory="1073741824"/>
%s </object>
</topology>
'''


def xml():
    def objects(kind, sets, inner, index):
        for i, s in enumerate(sets):
            mask = f'{sum(1 << c for c in s):#x}'
            yield (f'<object type="{kind}" os_index="{index(i, s)}" cpuset="{mask}" complete_cpuset="{mask}" '
                   f'nodeset="0x1" complete_nodeset="0x1" gp_index="{100 * len(s) + min(s) + 3}">\n')
            yield from inner(s)
            yield '</object>\n'

    def package(s):
        return objects('Core', [{c, c + 4} for c in sorted(s) if c < 4], core, lambda i, s: min(s))

    def core(s):
        return objects('PU', [{c} for c in sorted(s)], lambda s: [], lambda i, s: min(s))
    return XML % ''.join(objects('Package', [{0, 1, 4, 5}, {2, 3, 6, 7}], package, lambda i, s: i))


def machine_in_a_file():
    with directory() as d:
        path = os.path.join(d, 'machine.xml')
        with open(path, 'w') as f:
            f.write(xml())
        assert parts('core', HWLOC_XMLFILE=path) == [{0, 4}, {1, 5}, {2, 6}, {3, 7}]
        assert parts('allowed', HWLOC_XMLFILE=path) == [{0, 1, 2, 3, 4, 6}]
        got, _ = imagined(path, '-n', 4, '-bind-to', 'core', 'true', name='HWLOC_XMLFILE')
        assert got == [('0,4', '[BB/.-][../.-]'), ('1', '[../B-][../.-]'), ('2,6', '[../.-][BB/.-]'),
                       ('3', '[../.-][../B-]')], got


def long_lines_are_whole():
    got, _ = imagined('pack:4 numa:8 core:64 pu:2', '-n', 1, '-bind-to', 'machine', 'true')
    assert got[0][0] == '0-4095' and got[0][1].count('B') == 4096, got
    got, lines = imagined('pack:5 numa:8 core:64 pu:2', '-n', 1, '-bind-to', 'core', 'true')
    assert got == [(None, None)] and 'line 2' in lines[0], (got, lines)


# ---- options -----------------------------------------------------------------------------------

def refused():
    for args, text in ((('-bind-to', 'gpu0'), "'-bind-to gpu0': "), (('-bind-to', 'sock'), 'hwthread, core'),
                       (('--map-by', 'ppr:x:core'), 'ppr:N:PART'), (('-membind', 'nexttouch'), 'firsttouch'),
                       (('-bind-to', 'numa', '-map-by', 'core:pe=2'), 'pe=2')):
        r = run(*args, 'true')
        assert r.code == 1 and text in r.err and len(r.err.splitlines()) == 1, r
    r = run('-map-by', 'socket', 'true')
    assert r.code == 0 and "'-map-by' has no effect" in r.err, r


def environment_of_hydra():
    topo()
    cpu = min(allowed())
    r = run('-l', '-n', 1, *SHOW, env={**os.environ, 'HYDRA_BINDING': f'user:{cpu}', 'HYDRA_TOPO_DEBUG': '1'})
    assert ranks(r) == [{cpu}] and LINE.match(r.err.rstrip('\n')).group(3) == str(cpu), r


# ---- starling_topo -----------------------------------------------------------------------------

def prints_the_machine():
    out = subprocess.run([topo()], capture_output=True, text=True, timeout=LIMIT,
                         env={**os.environ, 'HWLOC_SYNTHETIC': 'pack:2 l3:1 l2:2 core:1 pu:1'}).stdout
    assert out == ('starling_topo 1\nmachine 0-3\nallowed 0-3\npackage 0-1\npackage 2-3\nnuma 0-3\n'
                   'l3cache 0-1\nl3cache 2-3\nl2cache 0\nl2cache 1\nl2cache 2\nl2cache 3\n'
                   'core 0\ncore 1\ncore 2\ncore 3\nhwthread 0\nhwthread 1\nhwthread 2\nhwthread 3\nend\n'), out
    assert parts('core', HWLOC_SYNTHETIC='pu:3') == [{0}, {1}, {2}]  # there are none
    assert parts('package', HWLOC_SYNTHETIC='pu:3') == [{0, 1, 2}]
    p = subprocess.run([topo(), '--help'], capture_output=True, text=True, timeout=LIMIT)
    assert p.returncode == 1 and p.stderr.startswith('Usage: '), p
    with open('/dev/full', 'w') as full:
        p = subprocess.run([topo()], stdout=full, stderr=subprocess.PIPE, text=True, timeout=LIMIT)
    assert p.returncode == 1 and 'No space left' in p.stderr, p


@contextlib.contextmanager
def another_topo(script):
    """A directory with mpiexec, and with this script as starling_topo; None: without one."""
    real = mpiexec()
    with directory() as d:
        shutil.copy2(real, d)
        if script is not None:
            with open(os.path.join(d, 'starling_topo'), 'w') as f:
                f.write(script)
            os.chmod(f.name, 0o755)
        harness.MPIEXEC = os.path.join(d, os.path.basename(real))
        try:
            yield
        finally:
            harness.MPIEXEC = real


def bad_topo_programs():
    """Ranks run unbound, and one line says why."""
    good = 'machine 0\\nallowed 0\\npackage 0\\nnuma 0\\ncore 0\\nhwthread 0\\n'
    for script, text, limit in (
            (None, 'starling_topo: No such file or directory', 3),
            ('#!/bin/sh\necho oops >&2\necho more >&2\nexit 3\n', 'to them: oops', 3),
            ('#!/bin/sh\nexit 3\n', 'ended with exit code 3', 3),
            ('#!/bin/sh\nkill -9 $$\n', 'ended with signal 9', 3),
            ('#!/bin/sh\n', 'ends after 0 lines', 3),
            ('#!/bin/sh\nprintf "starling_topo 1\\nmachine 0\\nco"\n', "line 3, 'co'", 3),
            (f'#!/bin/sh\nprintf "starling_topo 1\\n{good}"\n', 'ends after 7 lines', 3),
            (f'#!/bin/sh\nprintf "starling_topo 9\\n{good}end\\n"\n', 'another version', 3),
            ('#!/bin/sh\nprintf "\\000\\001\\377"\n', 'ends after 0 lines', 3),
            ('#!/bin/sh\nexec yes\n', 'File too large', 5)):
        with another_topo(script):
            r = run('-n', 2, '-bind-to', 'core', 'echo', 'x', limit=LIMIT)
        assert r.code == 0 and r.out == 'x\nx\n' and r.seconds < limit, (script, r)
        assert len(r.err.splitlines()) == 1 and text in r.err, (script, r)
        assert r.err.startswith(f'mpiexec: cannot examine the CPUs of {HOST}, to bind '), r
    with another_topo(None):  # nothing needs it
        assert run('-n', 1, '-bind-to', f'user:{min(allowed())}', 'true').err == ''
        assert run('-n', 1, '-bind-to', 'none', 'true').err == ''


def topo_program_hangs():
    """One keeps its output open, the other does not."""
    with contextlib.ExitStack() as stack:
        running = []
        for script in ('#!/bin/sh\nexec sleep 60\n', '#!/bin/sh\nexec >&-\nexec sleep 60\n'):
            stack.enter_context(another_topo(script))
            running.append(start('-n', 1, '-bind-to', 'core', 'echo', 'x'))
        for r in map(finish, running):
            assert r.code == 0 and r.out == 'x\n' and 'has not ended after 10 s' in r.err, r
            assert r.seconds < 15, r


if __name__ == '__main__':
    sys.exit(main([
        ranks_are_bound, hosts_with_a_binding_of_their_own, fewer_cpus_by_mask, fewer_cpus_by_cgroup, threads_of_openmp, reports,
        a_rank_that_cannot_be_bound_says_so_once, programs_need_different_numbers_of_cpus,
        says_what_stands_for_a_missing_part, machine_in_a_file, long_lines_are_whole, refused,
        environment_of_hydra, prints_the_machine, bad_topo_programs, topo_program_hangs,
    ], sys.argv[1:]))
