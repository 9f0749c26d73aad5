#!/usr/bin/env python3
"""Ranks that spawn jobs, by PMI-1 and PMI-2.

Usage: mpiexec_spawn_test.py MPIEXEC DIR [TEST...]     DIR has the programs actor, probe and talk.
Prints nothing when all tests pass."""
import contextlib, json, os, re, signal, socket, subprocess, sys, time, urllib.parse
from remote import *

HOST = socket.gethostname()
HOSTS = '', 'a,b'  # on this node alone, and with proxies


def talk():
    return os.path.join(os.path.dirname(probe()), 'talk')


def block(program, *args, n=1, number=1, total=1, preput={}, **info):
    """The lines of a program in mcmd=spawn, as an argument of talk."""
    lines = ['mcmd=spawn', f'nprocs={n}', f'execname={program}', f'totspawns={total}', f'spawnssofar={number}',
             f'argcnt={len(args)}', *(f'arg{i}={a}' for i, a in enumerate(args, 1))]
    for name, pairs in ('preput', preput), ('info', info):
        lines.append(f'{name}_num={len(pairs)}')
        for i, (key, value) in enumerate(pairs.items()):
            lines += [f'{name}_key_{i}={key}', f'{name}_val_{i}={value}']
    return '+' + '\n'.join([*lines, 'endcmd'])


def later(text):
    return text.replace('endcmd', 'starling_later=1\nendcmd')


def encoded(text, cwd=None, environ=None):
    """The lines of a block as Starling's client sends them; in these, a return stands for a newline."""
    out = ['mcmd=spawn', 'starling_encoded=1']
    for line in text[1:].split('\n')[1:-1]:
        name, _, value = line.partition('=')
        out.append(name + '=' + urllib.parse.quote(value.replace('\r', '\n')))
    out += [f'starling_cwd={urllib.parse.quote(cwd)}'] if cwd else []
    out += ['starling_env='] if environ is not None else []
    for variable in environ or []:
        first, rest = urllib.parse.quote(variable[:1000]), urllib.parse.quote(variable[1000:])
        out += [f'starling_env={first}', *([f'starling_more={rest}'] if rest else [])]
    return '+' + '\n'.join([*out, 'endcmd'])


def spawner(*acts):
    """One rank that joins, acts and leaves."""
    return '-n', 1, talk(), 'join', *acts, 'leave'


def where(hosts):
    return job(hosts) if hosts else ()


def both(*args, code=0, **options):
    """Runs on this node alone, and on two hosts; yields what is printed."""
    for hosts in HOSTS:
        r = run(*where(hosts), *args, **options)
        assert r.code == code, (hosts, r)
        yield r


def lines_of(r):
    return sorted(r.out.splitlines())


OK = re.compile(r'cmd=spawn_result rc=0 jobid=starling_\S+ errcodes=([0,]+)')
CHILD = 'join', 'get=PARENT_ROOT_PORT_NAME', 'rank', 'leave'


def a_job_is_spawned():
    for r in both(*spawner(block(talk(), *CHILD, n=3, preput={'PARENT_ROOT_PORT_NAME': 'tag#0$'}), '<')):
        out = r.out.splitlines()
        answer = [l for l in out if OK.fullmatch(l)]
        assert r.err == '' and len(answer) == 1 and answer[0].endswith('=0,0,0'), r
        assert sorted(out) == sorted(['0', '1', '2', *answer, *(3 * ['tag#0$'])]), r


def its_environment_and_places():
    script = 'echo $PMI_SPAWNED $PMI_RANK $PMI_SIZE $MPI_LOCALRANKID $MPI_LOCALNRANKS $A $(pwd)'
    sh = block('sh', '-c', script, n=2, wdir='/tmp')
    for hosts, local in zip(HOSTS, (('0 2', '1 2'), ('0 1', '0 1'))):
        r = run(*where(hosts), '-genv', 'A', 'b', *spawner(sh, '<'))
        assert r.code == 0 and lines_of(r)[:2] == [f'1 {i} 2 {local[i]} b /tmp' for i in range(2)], (hosts, r)
    r = run('-n', 1, 'sh', '-c', 'echo ${PMI_SPAWNED-none}', env={**os.environ, 'PMI_SPAWNED': '1'})
    assert r.out == 'none\n', r
    with directory() as d:
        for name in 'one', 'two':
            with open(f'{d}/{name}', 'w') as f:
                f.write(f'#!/bin/sh\necho {name} $*\n')
            os.chmod(f'{d}/{name}', 0o755)
        two = block('one', 'a b', n=2, number=1, total=2, path=f'/nonexistent:{d}'), block(f'{d}/two', number=2, total=2)
        for r in both(*spawner(*two, '<')):
            assert lines_of(r)[1:] == ['one a b', 'one a b', 'two'] and 'errcodes=0,0,0' in r.out, r


def surroundings():
    """A child has the directory, the environment and the arguments of its spawner, of any bytes."""
    show = 'printf "%s|" "$A" "$1" ${#LONG} "$PMI_SIZE" "${PMIX_X-none}" "${GIVEN-none}" "$VIRTUAL_ENV"; pwd'
    path = 'PATH=' + os.environ['PATH']
    with directory() as d:
        os.mkdir(d + '/sub')
        variables = ['A=1\nb', path, 'PMI_SIZE=77', 'PMIX_X=1', 'VIRTUAL_ENV=/v', 'LONG=' + 3000 * '%']
        sh = block('sh', '-c', show, 'sh', 'x\ry')
        rows = ((sh, d, d), (block('sh', '-c', show, 'sh', 'x\ry', wdir='sub'), d, d + '/sub'), (sh, '/no/such', os.getcwd()))
        for lines, cwd, where in rows:
            for r in both('-genv', 'GIVEN', 1, *spawner(encoded(lines, cwd, variables), '<')):
                assert f'1\nb|x\ny|3000|1|none|none|/v|{where}\n' == re.sub('(?m)^cmd=.*\n', '', r.out), (cwd, r)
        with open(d + '/sub/prog', 'w') as f:
            f.write('#!/bin/sh\necho found $PWD\n')
        os.chmod(d + '/sub/prog', 0o755)
        for r in both(*spawner(encoded(block('sub/prog'), d, [path]), '<')):
            assert f'found {d}\n' in r.out, r
        for r in both('-genv', 'GIVEN', 1, *spawner(encoded(block('sh', '-c', 'echo $GIVEN')), '<')):
            assert '1\n' in r.out, r  # no environment is given: that of mpiexec


def info_keys():
    with directory() as d:
        with open(d + '/hosts', 'w') as f:
            f.write('c\nb:2 # two\n')
        with open(d + '/file', 'w') as f:
            f.write('# of a program\n\n host = b:1\nenv = A=of file\nunknown=1\n')
        os.mkdir(d + '/bin')
        with open(d + '/bin/prog', 'w') as f:
            f.write('#!/bin/sh\necho prog $A $B\n')
        os.chmod(d + '/bin/prog', 0o755)
        rows = (({'hostfile': 'hosts'}, 3, 'b b c'), ({'add-hostfile': d + '/hosts'}, 1, 'c'), ({'file': 'file'}, 1, 'b A=of file'),
                ({'file': 'file', 'host': 'a'}, 1, 'a A=of file'), ({'env': 'A=1\r\rB=x y=z\r', 'host': 'b'}, 1, 'b A=1 x y=z'),
                ({'map_by': 'node', 'host': 'c:2,d:2'}, 2, 'c d'), ({'host': 'c:2,d:2'}, 2, 'c c'),
                ({'npernode': '1', 'host': 'c:2,d:2'}, 2, 'c d'),
                ({'no such key': 'x', 'host': 'b'}, 1, 'b'))
        for info, n, expected in rows:
            lines = encoded(block('bin/prog', n=n, path=d, **info), d, ['PATH=' + os.environ['PATH']])
            r = run(*job('a:2,b:2'), '-prepend-pattern', '%h ', *spawner(lines, '<'))
            hosts, _, variables = expected.partition(' A=')
            got = sorted(l.replace('prog', '').rstrip() for l in r.out.splitlines() if 'cmd=' not in l)
            assert r.code == 0 and got == [h + (f'  {variables}' if variables else '') for h in sorted(hosts.split())], (info, r)
        wrong = (('hostfile', 'none', "'hostfile none': "), ('file', 'none', "'file none': No such file"), ('env', 'x', "'env x': not NAME=VALUE"),
                 ('map_by', 'x', "'map_by x': "), ('bind_to', 'x', "'bind_to x': "), ('npernode', '0', "'npernode 0': "), ('appnum', '-1', "'appnum -1': "),
                 ('soft', '1:x', "'soft 1:x': not a list"))
        for key, value, why in wrong:
            for r in both(*spawner(encoded(block('true', n=2, **{key: value}), d), '<')):
                assert 'msg=' + why in decode(r.out) and r.out.endswith('errcodes=22,22\n'), (key, r)


def appnum():
    """The number of the program, or what info says."""
    two = block(probe(), n=1, number=1, total=2, appnum='7'), block(probe(), n=1, number=2, total=2)
    for r in both(*spawner(*two, '<')):
        assert 'probe 0 of 2, appnum 7,' in r.out and 'probe 1 of 2, appnum 1,' in r.out, r


def bound_children_get_free_cpus():
    """As long as there are some."""
    if len(os.sched_getaffinity(0)) < 2:
        raise Skip('there is one CPU')
    show = 'grep Cpus_allowed_list /proc/self/status'
    child = block('sh', '-c', show)
    for args in ('-bind-to', 'core'), ('-bind-to', 'hwthread'):
        r = run(*args, '-n', 1, 'sh', '-c', f'{show}; exec "$@"', 'sh', talk(), 'join', *(3 * (child, '<', 'sleep=100')), 'leave')
        own, *rest = [l for l in r.out.splitlines() if l.startswith('Cpus')]
        assert r.code == 0 and len(set(rest)) == 1 and len(rest) == 3 and rest[0] != own and r.err == '', (args, r)
    r = run('-n', 1, talk(), 'join', block('sh', '-c', show, bind_to='hwthread'), '<', 'leave')
    assert re.search(r'^Cpus_allowed_list:\t\d+$', r.out, re.M), r


def the_universe_is_the_slots():
    cpus = len(os.sched_getaffinity(0))
    rows = ((('-n', 1), cpus), (('-n', cpus + 3), cpus + 3), (job('a:2,b:3', '-n', 1), 5), (('-usize', 9, '-n', 2), 9),
            (('-usize', 1, '-n', 2), 2), (('-usize', 'INFINITE', '-n', 1), -1))
    for args, size in rows:
        r = run(*args, probe())
        assert r.code == 0 and f'universe {size}\n' in r.out, (args, r)


def exchange():
    """The barriers and keys of a job are its own, while another one runs beside it."""
    for hosts in HOSTS:
        universe = 2 if hosts else len(os.sched_getaffinity(0))
        r = run(*where(hosts), *spawner(block(probe(), n=4), '<', block(probe(), n=2), '<', 'sleep=50'))
        assert r.code == 0 and r.err == '', (hosts, r)
        assert lines_of(r)[2:] == sorted([*(f'probe {i} of 4, appnum 0, universe {universe}' for i in range(4)),
                                          *(f'probe {i} of 2, appnum 0, universe {universe}' for i in range(2))]), (hosts, r)


def places_on_hosts():
    """Free slots come first: two slots on each host, and one rank that spawns."""
    rows = (({}, 3, 'a b b'), ({}, 4, 'a a b b'), ({'host': 'b'}, 2, 'b b'), ({'host': 'b:1,a:2'}, 2, 'b a'),
            ({'hosts': 'a'}, 1, 'a'), ({'add-host': 'b'}, 1, 'b'), ({}, 7, 'a a a b b b b'))
    for info, n, hosts in rows:
        r = run(*job('a:2,b:2'), '-prepend-pattern', '%h ', *spawner(block('echo', n=n, **info), '<'))
        got = [l.split()[0] for l in r.out.splitlines() if 'cmd=' not in l]
        assert r.code == 0 and sorted(got) == sorted(hosts.split()), (info, r)
    twice = 4 * (block('true', n=3), '<', 'sleep=300')
    r = run(*job('a:2,b:2'), '-strict-slots', *spawner(*twice))  # slots of ranks that have ended are free
    assert r.code == 0 and r.out.count('errcodes=0,0,0') == 4, r
    r = run(*job('a:2,b:2'), '-strict-slots', *spawner(block('true', n=4), '<', block('true', n=4, soft='1:4'), '<'))
    out = r.out.splitlines()
    assert out[0].startswith('cmd=spawn_result rc=-1 msg=4%20ranks,%20and%203%20slots') and out[0].endswith('=11,11,11,11'), r
    assert r.code == 0 and out[1].endswith('errcodes=0,0,0,11'), r


REFUSALS = (
    (block('/no/such/program', n=2), "cannot start '/no/such/program': No such file or directory", '2,2'),
    (block('/', n=1), "cannot start '/': Is a directory", '21'),
    (block('true', n=2, wdir='/no/such/place'), "'wdir /no/such/place': No such file or directory", '2,2'),
    (block('true', arch='pdp11'), "'-arch pdp11': the host is of another architecture", '8'),
    (block('true', n=1, soft='x'), "'soft x': not a list of numbers and ranges a:b:step", '22'),
    (block('true', n=1, soft='7'), "soft '7': no number from 1 to 1", '22'),
    (block('true', n=1, host='x['), None, '22'),
)


def refusals():
    for lines, why, codes in REFUSALS:
        for r in both(*spawner(lines, '<', block('echo', 'after'), '<')):
            first, *rest = [l.replace('%20', ' ').replace('%5B', '[') for l in r.out.splitlines()]
            assert first.startswith('cmd=spawn_result rc=-1 msg='), r
            assert first.endswith(' errcodes=' + codes) and (why is None or f'msg={why} errc' in first), (why, r)
            assert 'after' in rest and any(OK.fullmatch(l) for l in rest) and r.err == '', r


def one_of_two_programs_is_missing():
    """No process is left of the other one."""
    for r in both(*spawner(block(actor(), 'hold', n=2, number=1, total=2),
                           block('/no/such', n=1, number=2, total=2), '<', 'sleep=100')):
        assert r.out.endswith('errcodes=125,125,2\n') and r.seconds < 3, r


FORK = '-launcher', 'fork'


def hosts_are_added():
    """To a run with proxies, and to one that has the node of its ranks inside mpiexec."""
    child = block('sh', '-c', 'echo $MPI_LOCALRANKID of $MPI_LOCALNRANKS', n=4, host='c:2,d:2')
    for first in ('-host', 'a'), ():
        r = run(*FORK, *first, '-prepend-pattern', '%h ', *spawner(child, '<', block(probe(), n=4, host='c,e'), '<'))
        got = [l for l in lines_of(r) if l.endswith(' of 2')]
        assert r.code == 0 and r.err == '', r
        assert got == [f'{h} {i} of 2' for h in 'cd' for i in (0, 1)], r
        assert r.out.count('of 4, appnum 0') == 4, r
    r = run(*FORK, '-host', f'{HOST}:1,b:2', '-prepend-pattern', '%h ', *spawner(block(probe(), n=4), '<'))
    assert r.code == 0 and r.err == '', r  # this host is used again, and has a proxy for that
    assert sorted(l.split()[0] for l in r.out.splitlines() if 'probe' in l) == sorted([HOST, 'b', 'b', 'b']), r


def added_hosts_end_with_the_run():
    acts = block(actor(), 'daemon', 'hold', n=2, host='c,d'), '<', 'hold'
    for first in ('-host', 'a'), ():
        p = start(*FORK, *first, *spawner(*acts), env=without_leak_check())
        wait_until(lambda: len([pid for pid in all_of(p.pid) if name_of(pid) == 'actor']) >= 2)
        p.send_signal(signal.SIGTERM)
        assert gone(p, 4).code == 143
        p = start(*FORK, *first, *spawner(*acts), env=without_leak_check())
        wait_until(lambda: len([pid for pid in all_of(p.pid) if name_of(pid) == 'actor']) >= 2)
        os.kill(DICE.choice([p.pid, worker_of(p)]), signal.SIGKILL)
        gone(p, 4)


def hosts_are_added_beyond_relays():
    for direct in 1, 2, 3:
        r = run(*FORK, '-branch-count', direct, '-host', 'a,b,c,d', *spawner(block('echo', 'up', n=3, host='e,f,c'), '<'))
        assert r.code == 0 and r.out.count('up\n') == 3 and r.err == '', (direct, r)


def random_kills():
    """Of any process, while jobs are spawned all the time. A job that cannot be started for that ends none."""
    acts = 200 * (block(talk(), 'join', 'leave', n=2), '<')
    for i in range(8):
        p = start(*where(HOSTS[i % 2]), *spawner(*acts), env=without_leak_check())
        time.sleep(0.1 + DICE.random() * 0.1)
        with contextlib.suppress(OSError):
            os.kill(DICE.choice(all_of(p.pid)), signal.SIGKILL)
        gone(p, 10)


def hosts_that_cannot_be_added():
    """The others go on, and the spawner is told which host it was."""
    with script('echo no route to it >&2; exit 255') as s:
        for n in 1, 2:
            r = run('-launcher-exec', s, '-n', n, talk(), 'join', block('true', n=2, host='elsewhere'), '<',
                    block('echo', 'after'), '<', 'leave')
            assert r.code == 0 and r.out.count('after\n') == n and r.err == '', r
            assert r.out.count('rc=-1 msg=host%20elsewhere:%20ssh%20ended%20with%20255:%20no%20route') == n, r
    with script('[ -e $0.again ] || { >$0.again; exit 255; }\nshift $(($# - 2)); exec "$@"') as s:  # it is tried again
        r = run('-launcher-exec', s, *spawner(*(2 * (block('echo', 'up', n=2, host='elsewhere'), '<', 'sleep=10'))))
        os.unlink(s + '.again')
        assert r.code == 0 and r.out.count('rc=-1') == 1 and r.out.count('up\n') == 2 and r.err == '', r


def a_rank_goes_on():
    """The answers come as lines of their own, in the order in which the jobs start."""
    child = later(block(talk(), 'join', 'sleep=100', 'leave', n=2))
    for r in both(*spawner(later(block('/no/such')), '<', child, '<', '+cmd=get_maxes', '<', '<', '<')):
        out = r.out.splitlines()
        assert 'cmd=spawn_result rc=0 spawn=1' in out and 'cmd=spawn_result rc=0 spawn=2' in out, r
        done = sorted(l for l in out if l.startswith('cmd=spawn_done'))
        assert len(done) == 2 and done[0].startswith('cmd=spawn_done spawn=1 rc=-1 msg=cannot%20start'), r
        assert re.fullmatch(r'cmd=spawn_done spawn=2 rc=0 jobid=\S+ errcodes=0,0', done[1]), r


def by_pmi_2():
    body = (f'=cmd=spawn;ncmds=1;preputcount=1;ppkey0=K;ppval0=a b;subcmd={talk()};maxprocs=2;argc=3;argv0=+cmd=init '
            'pmi_version=2 pmi_subversion=0;argv1=<;argv2==cmd=fullinit;;;infokeycount=0;')
    body = body.replace('argc=3', 'argc=6').replace(
        'infokeycount', 'argv3=<=;argv4==cmd=kvs-get;;key=K;;;argv5=<=;infokeycount')
    acts = '+cmd=init pmi_version=2 pmi_subversion=0', '<', '=cmd=fullinit;', '<=', body, '<=', '=cmd=finalize;', '<='
    r = run('-n', 1, talk(), *acts)
    assert r.code == 1 and 'without MPI_Finalize' in r.last, r  # the children do not finalize
    assert re.search(r'^cmd=spawn-response;rc=0;jobid=starling_\w+;nerrs=0;errcodes=0,0;$', r.out, re.M), r
    assert r.out.count('spawner-jobid=starling_') == 2 and r.out.count('found=TRUE;value=a b;') == 2, r


def exit_codes():
    child = lambda *acts: block(talk(), 'join', *acts)
    rows = ((0, 0, 0), (3, 0, 3), (0, 4, 4), (3, 4, 3))
    for own, of_child, code in rows:
        acts = child('leave', f'exit={of_child}'), '<', 'sleep=200', 'leave', f'exit={own}'
        for r in both('-n', 1, talk(), 'join', *acts, code=code):
            assert (r.last == '') == (code == 0), r
            if code and code == of_child:
                assert r.last == f'mpiexec: rank 0 of job 1 on {r.err.split(" on ")[1].split()[0]} exited with code 4', r
    codes = run('-print-all-exitcodes', *spawner(block('sh', '-c', 'exit $PMI_RANK', n=2), '<'))
    assert codes.code == 1 and 'exit codes of ranks 0: 0\nmpiexec: exit codes of job 1, ranks 0: 0; 1: 1\n' in codes.err, codes


def that_goes_on():
    return block(talk(), 'join', 'sleep=700', 'echo=still', 'leave')


def failures_end_their_job():
    """Others go on. All ranks of the job that has failed end, and only these."""
    rows = ((('+cmd=abort exitcode=7', 'hold'), 7, 'called MPI_Abort with code 7'),
            (('kill',), 137, 'was killed by SIGKILL (Killed)'),
            (('exit=5',), 5, 'called MPI_Init and exited without MPI_Finalize, with code 5'))
    for acts, code, why in rows:
        two = block(talk(), 'join', 'sleep=100', *acts, number=1, total=2), block(actor(), 'hold', number=2, total=2)
        for r in both(*spawner(that_goes_on(), '<', *two, '<', 'sleep=400', 'echo=on'), code=code):
            said = rf'mpiexec: rank 0 of job 2 on \S+ {re.escape(why)}'
            first, last = r.err.splitlines()
            assert re.fullmatch(said, last) and re.fullmatch(said + '; the other jobs go on', first), r
            assert 'still\n' in r.out and 'on\n' in r.out and r.seconds < 4, r
    for r in both(*spawner(that_goes_on(), '<', '+cmd=abort exitcode=7', 'hold'), code=7):
        assert re.fullmatch(r'mpiexec: rank 0 on \S+ called MPI_Abort with code 7', r.last) and 'still\n' in r.out, r
    for r in both('-n', 1, talk(), 'join', block(talk(), 'join', 'kill'), '<', 'sleep=300', 'leave', 'exit=4', code=4):
        assert re.fullmatch(r'mpiexec: rank 0 on \S+ exited with code 4', r.last), r  # that of the first job
    r = run('-disable-auto-cleanup', *spawner(block(talk(), 'join', 'kill'), '<', 'sleep=300', 'echo=on'))
    assert r.code == 137 and 'on\n' in r.out and 'of job 1' in r.err, r


def decode(text):
    return re.sub('%(..)', lambda m: chr(int(m[1], 16)), text)


def jobs_are_lost_in_probation():
    """The spawner hears why, the other ranks are killed, and nothing has failed."""
    rows = ((('sh', '-c', 'sleep 0.4; [ $PMI_RANK = 1 ] || exec sleep 100; exit 3'), 'exited with code 3 before MPI_Init'),
            (('sh', '-c', 'sleep 0.4'), 'exited with code 0 before MPI_Init'),
            (('sh', '-c', 'sleep 0.4; kill -9 $$'), 'was killed by SIGKILL (Killed) before MPI_Init'),
            ((talk(), 'join', 'sleep=400', 'kill'), 'was killed by SIGKILL (Killed)'),
            ((talk(), 'join', 'sleep=400', '+cmd=abort exitcode=7', 'hold'), 'called MPI_Abort with code 7'))
    for words, why in rows:
        for r in both(*spawner(later(block(*words, n=2)), '<', '<', '<', 'echo=on')):
            lost = [decode(l) for l in r.out.splitlines() if l.startswith('cmd=spawn_lost')]
            assert len(lost) == 1 and re.fullmatch(rf'cmd=spawn_lost spawn=1 msg=rank [01] of job 1 on \S+ {re.escape(why)}', lost[0]), r
            assert r.err == '' and r.seconds < 4 and r.out.endswith('on\n'), (words, r)
    for r in both(*spawner(later(block('false', n=2)), '<', '<', 'sleep=50')):  # perhaps before all have started
        assert r.err == '', r


def jobs_are_abandoned():
    """By their spawner, before and after they have started; and when it fails."""
    child = later(block(actor(), 'hold', n=2))
    for acts in ('<',), ('<', '<'):
        for r in both(*spawner(child, *acts, '+cmd=spawn_abandon spawn=1', 'sleep=100')):
            assert r.err == '' and r.seconds < 3, r
    for acts in ('<',), ('<', '<'):
        for r in both(*spawner(that_goes_on(), '<', child, *acts, 'kill'), code=137):
            assert 'still\n' in r.out and r.seconds < 3, r
    for r in both(*spawner(later(that_goes_on()), '<', '<', '+cmd=spawn_connected spawn=1', 'sleep=100', 'kill'), code=137):
        assert 'still\n' in r.out, r


def signals_and_time():
    for hosts in HOSTS:
        p = start(*where(hosts), *spawner(block(actor(), 'hold', n=2), '<', 'hold'))
        wait_until(lambda: len([pid for pid in all_of(p.pid) if name_of(pid) in ('actor', 'talk')]) == 3)
        p.send_signal(signal.SIGINT)
        r = gone(p, 4)
        assert r.code == 130 and r.last == 'mpiexec: ended by SIGINT', (hosts, r)
        r = run(*where(hosts), '-timeout', 1, *spawner(block(actor(), 'hold', n=2), '<', 'hold'))
        assert r.code == 124 and r.seconds < 4, (hosts, r)


def the_spawner_may_end_first():
    for hosts in HOSTS:
        r = run(*where(hosts), '-n', 1, talk(), 'join', later(block('sh', '-c', 'sleep 0.3; echo after')), '<', 'leave')
        assert r.code == 0 and 'after\n' in r.out, (hosts, r)


def output_says_the_job():
    sh = block('sh', '-c', 'echo out; echo err >&2', n=2)
    for hosts in HOSTS:
        r = run(*where(hosts), '-l', *spawner(sh, '<'))
        assert lines_of(r)[1:] == ['[1:0] out', '[1:1] out'] and r.out.startswith('[0] cmd=') or '[0] cmd=' in r.out, r
        assert sorted(r.err.splitlines()) == ['[1:0] err', '[1:1] err'], r
    r = run('-prepend-pattern', '%g/%r ', *spawner(sh, '<'))
    assert '1/1:1 out' in r.out and '0/0 cmd=' in r.out, r
    with directory() as d:
        r = run('-output', f'{d}/o', *spawner(sh, '<'))
        assert sorted(os.listdir(f'{d}/o/{HOST}')) == sorted(
            ['rank.0.out', 'rank.0.err'] + [f'job.1.rank.{i}.{s}' for i in (0, 1) for s in ('out', 'err')]), r
        assert open(f'{d}/o/{HOST}/job.1.rank.1.err').read() == 'err\n'
        r = run('-json', f'{d}/json', *spawner(block('/no/such'), '<', sh, '<', block('false'), '<'))
        with open(f'{d}/json') as f:
            report = json.load(f)
    assert r.code == 1 and report['exit_code'] == 1 and (report['job'], report['rank']) == (3, 0), report
    assert [(j['job'], j['state']) for j in report['spawned']] == [(1, 'not started'), (2, 'ended'), (3, 'ended')], report
    assert [r['exit_code'] for r in report['spawned'][1]['ranks']] == [0, 0], report
    assert report['spawned'][1]['spawner'] == {'job': 0, 'rank': 0} and len(report['ranks']) == 1, report


def jobs_are_listed():
    p = start(*spawner(block(actor(), 'hold', n=2), '<', 'hold'))
    wait_until(lambda: len([pid for pid in all_of(p.pid) if name_of(pid) == 'actor']) == 2)
    listing = subprocess.run([mpiexec(), '-jobs'], capture_output=True, text=True, timeout=20).stdout
    assert re.search(rf'^{p.pid}  1 rank and 2 of 1 spawned job on 1 host, ', listing, re.M), listing
    p.send_signal(signal.SIGINT)
    gone(p, 4)


def many_jobs():
    """One after the other, and by all ranks at once."""
    for r in both(*spawner(*(50 * (block('true', n=2), '<')))):
        assert r.out.count('rc=0') == 50 and r.err == '', r
    for r in both('-n', 3, talk(), 'join', block(talk(), 'join', 'leave', n=2), '<', 'leave'):
        assert r.out.count('rc=0') == 3, r


def report_of(p):
    """What a running mpiexec says of itself."""
    with socket.socket(socket.AF_UNIX) as s, s.makefile() as answer:
        s.connect(f'\0starling-{os.geteuid()}-{p.pid}')
        s.sendall(b'report\n')
        return json.load(answer)


def of_mpiexec(p, well):
    """Memory in KiB and open files of each of its processes, when all jobs that were spawned are forgotten."""
    def look():
        report = report_of(p)
        return report['spawned'] == [] and report['spawned_well'] == well
    wait_until(look)
    found = []
    for pid in [pid for pid in all_of(p.pid) if name_of(pid) == 'starling-job']:
        with open(f'/proc/{pid}/status') as f:
            memory = int(re.search(r'VmData:\s*(\d+)', f.read())[1])
        found.append((memory, len(os.listdir(f'/proc/{pid}/fd'))))
    return found


def growth_by(count, most):
    """Jobs come and go, and leave nothing. most: KiB, since some jobs may be there at once."""
    child = block(talk(), 'join', 'leave', n=2), '<'
    for hosts in HOSTS:
        many = [('repeat=20', *child, 'again', 'echo=20', 'sleep=400'),
                (f'repeat={count}', *child, 'again', f'echo={count + 20}', 'sleep=400')]
        p = start(*where(hosts), *spawner(*many[0], *many[1]))
        first, last = [of_mpiexec(p, int(line)) for line in p.stdout if not line.startswith(b'cmd=')]
        r = gone(p, 4)
        assert r.code == 0 and len(first) == len(last) == (3 if hosts else 1), (r, first, last)
        for before, after in zip(first, last):
            sanitized = before[0] > 1 << 24  # memory that has been freed is kept for a while
            assert (sanitized or after[0] <= before[0] + most) and after[1] == before[1], (hosts, first, last)


def no_growth():
    growth_by(50, 2000)


def no_growth_of_many():
    growth_by(2000, 2000)


def a_host_is_lost_while_a_job_starts():
    """Its proxy is stopped first, so that the job cannot start, and then killed."""
    for survive in (), ('-disable-auto-cleanup',):
        p = start(*job('a,b'), *survive, *spawner('sleep=400', block('true', n=4), '<', 'echo=told'), ':',
                  '-host', 'b', '-n', 1, actor(), 'hold')
        supervisor, worker = proxies_of(p, 2)[1]
        wait_until(lambda: len([pid for pid in all_of(p.pid) if name_of(pid) in ('actor', 'talk')]) == 2)
        os.kill(worker, signal.SIGSTOP)
        time.sleep(0.8)
        os.kill(supervisor, signal.SIGKILL)
        os.kill(worker, signal.SIGKILL)
        r = gone(p, 5)
        assert r.code == 1 and 'host b' in r.err, (survive, r)
        if survive:
            assert 'rc=-1 msg=host%20b' in r.out and 'told\n' in r.out, r


TESTS = [a_job_is_spawned, its_environment_and_places, surroundings, info_keys, appnum,
         bound_children_get_free_cpus,
         the_universe_is_the_slots, exchange, places_on_hosts, refusals, one_of_two_programs_is_missing,
         hosts_are_added, hosts_are_added_beyond_relays, added_hosts_end_with_the_run, hosts_that_cannot_be_added,
         a_rank_goes_on, by_pmi_2, exit_codes, failures_end_their_job,
         jobs_are_lost_in_probation, jobs_are_abandoned, signals_and_time, the_spawner_may_end_first,
         output_says_the_job, jobs_are_listed, many_jobs, no_growth, random_kills, a_host_is_lost_while_a_job_starts]

if __name__ == '__main__':
    sys.exit(main(TESTS + [no_growth_of_many] * ('no_growth_of_many' in sys.argv), sys.argv[1:]))
