"""The MPI libraries that bench and budget compare: their compilers and launchers."""
import collections
import os
import shutil
import signal
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PERF = os.path.join(ROOT, 'test', 'perf')
FLAGS = ['-std=gnu11', '-O2', '-g', '-D_GNU_SOURCE']
COMMON = ['perf', 'gate', 'probe', 'stream', 'turns']
ALONE = ['startup']                  # links none of COMMON
MORE = {'types': ['layouts', 'loops'], 'typed_latency': ['layouts', 'loops'],
        'io': ['io_collective', 'io_memory', 'io_plain', 'io_shapes']}
OPENMPI = ['mpiexec.openmpi', '--allow-run-as-root', '--oversubscribe', '--bind-to', 'none']

Lib = collections.namedtuple('Lib', 'name mpicc mpiexec programs')


class Failed(Exception):
    """A command has failed; the text says which and how."""


def lib(name, prefix):
    """The library of that name; starling-hydra is Starling under the mpiexec of MPICH."""
    ours = os.path.join(prefix, 'bin', 'mpicc')
    table = {
        'starling': Lib(name, ours, [os.path.join(prefix, 'bin', 'mpiexec')], 'starling'),
        'starling-hydra': Lib(name, ours, ['mpiexec.hydra'], 'starling'),
        'mpich': Lib(name, 'mpicc.mpich', ['mpiexec.hydra'], 'mpich'),
        'openmpi': Lib(name, 'mpicc.openmpi', OPENMPI, 'openmpi'),
    }
    if name not in table:
        raise Failed(f'there is no library {name}; known are {", ".join(table)}')
    found = table[name]
    for tool in (found.mpicc, found.mpiexec[0]):
        if not shutil.which(tool):
            raise Failed(f'{name}: there is no {tool}' + (
                '; give --prefix, or: cmake --install BUILD --prefix build/stage'
                if tool.startswith(prefix) else ''))
    return found


def run(command, timeout, **options):
    """Runs a command in a session of its own and returns its stdout.  After the timeout all
    processes of the session are ended."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          stdin=subprocess.DEVNULL, start_new_session=True, **options) as p:
        try:
            out, err = p.communicate(timeout=timeout)
        except subprocess.TimeoutExpired as e:
            end(p)
            raise Failed(f'{" ".join(command)}: still running after {timeout} s') from e
        except BaseException:
            end(p)
            raise
    if p.returncode:
        last = (err.strip() or out.strip() or 'no text').split('\n')[-1]
        raise Failed(f'{" ".join(command)}: exit code {p.returncode}: {last}')
    return out


def end(process):
    """Ends a launcher and its session: by SIGTERM first, so that it can end its ranks."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(5)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


def compile_for(library, programs, work):
    """Compiles programs for a library; returns the directory that has them."""
    folder = os.path.join(work, library.programs)
    os.makedirs(folder, exist_ok=True)
    more = {part for name in programs for part in MORE.get(name, [])}
    for name in [*COMMON, *sorted(more)]:
        run([library.mpicc, *FLAGS, '-c', os.path.join(PERF, name + '.c'), '-o',
             os.path.join(folder, name + '.o')], 120)
    for name in programs:
        parts = [] if name in ALONE else [*COMMON, *MORE.get(name, [])]
        run([library.mpicc, *FLAGS, os.path.join(PERF, name + '.c'),
             *(os.path.join(folder, part + '.o') for part in parts),
             '-o', os.path.join(folder, name)], 120)
    return folder


def version(command):
    """The line of the output that has the version, or the first line."""
    try:
        lines = [' '.join(line.split()) for line in run(command, 20).strip().split('\n')]
    except (Failed, OSError) as e:
        return f'unknown: {e}'
    return next((line for line in lines if line.startswith('Version:')), lines[0])
