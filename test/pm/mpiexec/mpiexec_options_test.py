#!/usr/bin/env python3
"""The options that users of MPICH's and Open MPI's mpiexec know, and those of the standard: each works, or is
refused by its name, with what to use instead.

Usage: mpiexec_options_test.py MPIEXEC DIR [TEST...]     DIR has the programs actor and probe.
Prints nothing when all tests pass."""
import os, platform, sys
from harness import *

ARCH = platform.machine()

# A row: spellings, without dashes; arguments, where {d} is a directory and {n} a number.
WORKS = (
    ('n np c ntasks', '2'), ('soft', '1,2:4'), ('host H hosts hostlist', 'localhost:2'), ('arch', ARCH), ('wdir wd cwd chdir', '/'),
    ('path', '/bin:/usr/bin'), ('file', '{d}/options'), ('initial-errhandler', 'mpi_errors_are_fatal'),
    ('configfile app', '{d}/programs'), ('f hostfile machinefile', '{d}/hosts'), ('ppn perhost npernode N ntasks-per-node', '2'), ('pernode bynode', ''),
    ('rr', ''), ('order-nodes', 'ASCENDING'), ('order-nodes', 'DESCENDING'), ('localhost', 'here'),
    ('genv env', 'A b'), ('genvlist envlist', 'PATH,HOME'), ('genvall envall genvnone envnone', ''),
    ('bind-to binding', 'none'), ('bind-to binding', 'rr'), ('bind-to binding', 'user:0'), ('bind-to', 'machine'),
    ('bind-to', 'numa'), ('bind-to', 'socket'), ('bind-to', 'core'), ('bind-to', 'core:2'), ('bind-to', 'hwthread'),
    ('bind-to', 'l1cache'), ('bind-to', 'l2cache'), ('bind-to', 'l3cache'), ('bind-to', 'board'),
    ('map-by', 'slot'), ('map-by', 'node'), ('map-by', 'ppr:1:node'), ('map-by', 'slot:pe=1'), ('membind', 'none'),
    ('membind', 'firsttouch'), ('report-bindings', ''), ('l prepend-rank label tag-output timestamp-output merge-stderr-to-stdout quiet q', ''),
    ('prepend-pattern', '%r-%g-%p-%h-%t'), ('outfile-pattern outfile', '{d}/o.%r'),
    ('errfile-pattern errfile', '{d}/e.%r'), ('output output-filename output-directory', '{d}/out-{n}'), ('output', 'tag,timestamp'),
    ('output-from', '0'), ('stdin', '0'), ('stdin', 'all'), ('stdin s', 'none'), ('print-all-exitcodes backtrace', ''),
    ('timeout', '100'), ('usize', '3'), ('usize', 'SYSTEM'), ('usize', 'INFINITE'),
    ('launcher bootstrap', 'ssh'), ('launcher', 'rsh'), ('launcher', 'fork'), ('launcher', 'slurm'), ('launcher', 'lsf'),
    ('launcher', 'sge'), ('launcher-exec bootstrap-exec', '/bin/ssh'), ('rmk', 'user'), ('iface', 'lo'),
    ('disable-auto-cleanup enable-recovery', ''), ('disable-hostname-propagation', ''),
    ('disable-x profile hybrid-hosts', ''), ('topolib', 'hwloc'), ('demux', 'poll'), ('v verbose debug', ''),
    ('info version V help h help-settings', ''), ('oversubscribe allow-run-as-root', ''), ('x', 'A'), ('x', 'A=b'),
    ('prefix', '/nowhere'), ('bind-to map-by n host env', '-help'), ('bind-to', '--help'),
)
WARNS = (('mca gmca', 'plm rsh'), ('rank-by', 'core'), ('memory-alloc-kinds', 'mpi,system'), ('prtemca pmixmca', 'a b'), ('use-hwthread-cpus', ''))
# And a part of the answer.
REFUSED = (
    ('rankmap', '(vector,0,1)', 'prog : -host b prog'), ('rf rankfile', 'file', 'prog : -host b prog'),
    ('ompi-server', 'h:1', '--serve-names'), ('pmi-port', '', 'PMI_FD'), ('pmi_args', '1 2 3 4', 'a job of its own'),
    ('gdb tv', '', 'xterm -e gdb prog'), ('xterm', '0', 'xterm -hold -e prog'),
    ('gpus-per-proc g gpu-subdevs-per-proc', '1', 'MPI_LOCALRANKID'), ('enable-x', '', 'HYDRA_LAUNCHER_EXTRA_ARGS=-X'),
    ('initial-errhandler', 'mpi_errors_return', 'MPI_Comm_set_errhandler'), ('membind', 'interleave:numa', 'none and firsttouch'),
    ('membind', 'nexttouch', 'none and firsttouch'), ('bind-to', 'ib0', 'known are none, rr, user:0+2,1'),
    ('bind-to', 'pci:0', 'known are none, rr, user:0+2,1'), ('bind-to', 'l4cache', 'l1cache, l2cache and l3cache'),
    ('launcher', 'll', 'ssh, rsh, srun, blaunch, qrsh or fork'), ('bootstrap', 'manual', 'ssh, rsh, srun, blaunch, qrsh or fork'),
    ('launcher', 'persist', 'ssh, rsh, srun, blaunch, qrsh or fork'), ('launcher', 'pbs', 'ssh, rsh, srun, blaunch, qrsh or fork'),
    ('rmk', 'll', 'slurm, pbs, lsf, sge and user'), ('rmk', 'cobalt', 'slurm, pbs, lsf, sge and user'),
    ('rmk', 'slurm', 'SLURM_JOB_NODELIST is not set'), ('rmk', 'pbs', 'PBS_NODEFILE is not set'),
    ('rmk', 'lsf', 'LSB_MCPU_HOSTS is not set'), ('rmk', 'sge', 'PE_HOSTFILE is not set'),
    ('skip-launch-node nolocal', '', 'no host is left'), ('output', 'xml', '-json FILE'),
    ('output', 'logs', './logs'), ('gtool', 'valgrind', 'before the program'), ('cpu-set', '0,1', '-bind-to user:0,1'),
)


def commands(rows):
    """Each spelling with one dash and with two, and its row."""
    for row in rows:
        for name in row[0].split():
            for dashes in '-', '--':
                yield [dashes + name, *row[1].split()], row


def each(rows):
    """The results of all commands of the table."""
    with directory() as d:
        for name, text in ('options', 'n=1\n'), ('programs', '-n 1 true\n'), ('hosts', 'localhost:2\n'):
            with open(f'{d}/{name}', 'w') as f:
                f.write(text)
        for n, (words, row) in enumerate(commands(rows)):
            words = [w.format(d=d, n=n) for w in words]
            yield run(*words, 'true', env={**os.environ, 'A': '1'}), words, row


def options_that_work():
    for r, words, _ in each(WORKS):
        quiet = words[0].strip('-') not in ('report-bindings', 'print-all-exitcodes', 'v', 'verbose', 'debug')
        assert r.code == 0 and (r.err == '' or not quiet), (words, r)


def options_without_effect():
    for r, words, _ in each(WARNS):
        option = ' '.join(words[:2])
        assert r.code == 0 and r.err == f"mpiexec: option '{option}' has no effect here and is ignored\n", (words, r)


def options_that_are_refused():
    for r, words, row in each(REFUSED):
        named = words[0] in r.err or row[1] in r.err or 'skip-launch-node' in r.err
        assert r.code == 1 and r.out == '' and named and row[2] in r.err, (words, r)
        assert r.err.count('\n') == 1 and 'unknown option' not in r.err, (words, r)


def unknown_options():
    for word, answer in ('-gdbx', "unknown option '-gdbx'"), ('--oversubscribed', 'did you mean -oversubscribe?'):
        r = run(word, 'true')
        assert r.code == 1 and answer in r.err and r.err.count('\n') == 1, r


# ---- what some of them do ------------------------------------------------------------------------

def help_of_one_option():
    r = run('-map-by', '-help')
    assert r.code == 0 and r.out.startswith('  -map-by WHERE') and 'by node' in r.out and '-bind-to WHERE' not in r.out, r
    assert run('-help', 'x').out.startswith('Usage: '), r


def exit_codes_of_all_ranks():
    shell = 'case $PMI_RANK in 1|3) exit 7;; 4) kill -9 $$;; esac'
    r = run('-launcher', 'fork', '-host', 'a:3,b:3', '-disable-auto-cleanup', '-print-all-exitcodes', 'sh', '-c', shell)
    lines = r.err.splitlines()
    assert r.code in (7, 137) and lines[-2] == 'mpiexec: exit codes of ranks 0,2,5: 0; 1,3: 7; 4: SIGKILL', r
    r = run('-n', 12, '-print-all-exitcodes', 'true')
    assert (r.code, r.err) == (0, 'mpiexec: exit codes of ranks 0-11: 0\n'), r
    r = run('-n', 2, '-print-all-exitcodes', '/nonexistent')
    assert r.code == 127 and 'mpiexec: exit codes of ranks 0-1: not started\n' in r.err, r
    r = run('-n', 2, '-print-all-exitcodes', '-bad')
    assert r.code == 1 and 'exit codes' not in r.err, r


def interface_of_messages():
    for words, env in (('-iface', 'lo'), {}), ((), {'HYDRA_IFACE': 'lo'}):
        r = run(*words, '-n', 1, probe(), 'settings', env={**os.environ, **env})
        assert 'SOCKETS_INTERFACE=lo' in r.out, r
    r = run('-iface', '', 'true')
    assert r.code == 1 and "'-iface " in r.err, r


def directory_of_another_mpi():
    with directory() as d:
        os.mkdir(f'{d}/bin')
        assert run('-prefix', d, 'true').err == ''
        os.symlink('/bin/true', f'{d}/bin/ompi_info')
        r = run('-prefix', d, 'true')
        assert r.code == 0 and r.err.startswith(f"mpiexec: '-prefix {d}': this is Open MPI's directory"), r


# ---- variables -------------------------------------------------------------------------------------

def variables_of_other_launchers():
    def answer(name, value, *args, code=0):
        r = run(*args, 'true', env={**os.environ, name: value})
        assert r.code == code, (name, value, r)
        return r.err
    for name, value in (
            ('HYDRA_LAUNCHER_AUTOFORK', '1'), ('HYDRA_LAUNCHER_SSH_LIMIT', '8'), ('HYDRA_LAUNCHER_SSH_LIMIT_TIME', '15'),
            ('HYDRA_ENV', 'all'), ('HYDRA_HOSTNAME_PROPAGATION', '1'), ('HYDRA_MEMBIND', 'firsttouch'), ('HYDRA_TOPOLIB', 'hwloc'),
            ('HYDRA_BINDING', 'core'), ('HYDRA_MAPPING', 'slot'), ('HYDRA_USE_LOCALHOST', '1'), ('HYDRA_PROXY_RETRY_COUNT', '3'),
            ('HYDRA_RMK', 'user'), ('MPIEXEC_TIMEOUT', '50'), ('MPIEXEC_PORT_RANGE', '5000:5010'), ('HYDRA_DEBUG', '0'),
            ('MPICH_PORT_RANGE', '5000:5000'), ('MPIR_CVAR_CH3_PORT_RANGE', ''), ('HYDRA_TOPO_DEBUG', '0')):
        assert answer(name, value) == '', name
    assert 'rank 0' in answer('HYDRA_DEBUG', '1') and 'rank 0 on' in answer('HYDRA_TOPO_DEBUG', '1')
    assert answer('HYDRA_CONFIG_FILE', '/a') == 'mpiexec: the file of HYDRA_CONFIG_FILE, /a, is not read\n'
    for name in 'MPIEXEC_PORT_RANGE', 'MPIEXEC_PORTRANGE', 'MPICH_PORT_RANGE', 'MPIR_CVAR_CH3_PORT_RANGE':
        for value in '5000', '0:1', '5:4', '1:65536', 'a:b', '1:2:3':
            assert answer(name, value, code=1) == f"mpiexec: {name} is '{value}': not LOW:HIGH, two ports\n"
    for name, value in ('HYDRA_BINDING', 'cores'), ('HYDRA_RMK', 'll'), ('MPIEXEC_TIMEOUT', 'soon'):
        err = answer(name, value, code=1)
        assert name in err and value in err and err.count('\n') == 1, err
    for name in 'HYDRA_LAUNCHER', 'HYDRA_BOOTSTRAP':
        err = answer(name, 'll', '-host', 'far', code=1)
        assert "'ll'" in err and 'ssh, rsh' in err, err


TESTS = [options_that_work, options_without_effect, options_that_are_refused, unknown_options, help_of_one_option,
         exit_codes_of_all_ranks, interface_of_messages, directory_of_another_mpi, variables_of_other_launchers]

if __name__ == '__main__':
    sys.exit(main(TESTS, sys.argv[1:]))
