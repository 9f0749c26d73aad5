#!/usr/bin/env python3
"""Jobs on hosts whose sshd is that of an ordinary user, on a port of its own, and whose shells are csh, fish
and a bash with a noisy .bashrc.

Usage: logins.py MPIEXEC DIRECTORY [TEST...]"""
import os, shutil, signal, subprocess, sys, time
import faults
from faults import *
from sshd import WORKER, Hosts, address

LIMIT = 2  # seconds, until all are gone
RANKS = 6


class Workers(Hosts):
    """Three hosts of the user worker. Each login prints a line on standard output, and one on standard error."""

    def __init__(self):
        csh = shutil.which('tcsh') or shutil.which('csh')
        if not csh:
            raise Skip('there is no csh here')
        look = ['setpriv', '--reuid', str(WORKER), '--clear-groups', 'test', '-x', faults.MPIEXEC]
        if subprocess.run(look).returncode:
            raise Skip(f'uid {WORKER} may not execute {faults.MPIEXEC}')
        super().__init__(3, [csh, shutil.which('fish') or '/bin/sh', shutil.which('bash') or '/bin/sh'], ordinary=True)

    def __enter__(self):
        super().__enter__()
        os.makedirs(f'{self.directory}/home/.config/fish', exist_ok=True)
        self.write('home/.cshrc', 'echo Welcome to csh\nsh -c "echo csh warns >&2"\n')
        self.write('home/.config/fish/config.fish', 'echo Welcome to fish\necho fish warns >&2\n')
        self.write('home/.bashrc', 'echo Welcome to bash\necho bash warns >&2\n')
        self.write('hosts', ''.join(f'{address(i)}:2 user={self.user}\n' for i in range(self.count)))
        subprocess.run(['chown', '-R', f'{WORKER}:{WORKER}', f'{self.directory}/home'], check=True)
        self.noise = sorted(f'mpiexec: host {address(i)}: {text}' for i, shell in enumerate(self.shells)
                            for name in [os.path.basename(shell).removeprefix('t')] if name != 'sh'
                            for text in (f'Welcome to {name}', f'{name} warns'))
        return self

    def run(self, *args, **options):
        return self.start(None, '-f', f'{self.directory}/hosts', *args, **options)

    def lines(self, job):
        """Those of mpiexec, but for what logins print, which must be there."""
        lines = job.err.splitlines()
        assert sorted(line for line in lines if line in self.noise) == self.noise, job
        return [line for line in lines if line not in self.noise]


def logins_of_other_shells():
    """Both spellings of the variable reach ssh; user= is the name at all hosts."""
    with Workers() as c:
        for first, second in (c.ssh_options(), ''), ('', c.ssh_options()), c.ssh_options().split(' -p '):
            extra = {'HYDRA_LAUNCHER_EXTRA_ARGS': first,
                     'HYDRA_LAUNCH_EXTRA_ARGS': f'-p {second}' if second.isdigit() else second}
            job = c.run('-l', '-n', RANKS, 'sh', '-c', 'echo $(hostname) $(id -u) "$WORDS"',
                        environment={**extra, 'WORDS': '$a "b" !c'}).finish()
            want = [f'[{r}] node{r // 2} {WORKER} $a "b" !c' for r in range(RANKS)]
            assert job.code == 0 and sorted(job.out.splitlines()) == want and not c.lines(job), job
        job = c.run('-n', RANKS, program('exchange'), 3).finish(60)
        assert job.code == 0 and not c.lines(job), job
        os.makedirs(f'{c.directory}/a $HOME "b" ~c/bin')
        os.symlink(faults.MPIEXEC, f'{c.directory}/a $HOME "b" ~c/bin/mpiexec')
        job = c.run('-prefix', f'{c.directory}/a $HOME "b" ~c', '-n', RANKS, 'echo', 'x').finish()
        assert job.code == 0 and job.out == 'x\n' * RANKS and not c.lines(job), job


def logins_that_fail():
    with Workers() as c:
        job = c.run('-n', RANKS, 'sh', '-c', '[ $PMI_RANK != 5 ] || kill -9 $$; exec sleep 60').finish()
        lines = c.lines(job)
        assert job.code == 137 and len(lines) == 1 and 'rank 5 on node2 was killed by SIGKILL' in lines[0], job
        job = c.run('-n', RANKS, 'sh', '-c', '[ $PMI_RANK != 5 ] || exit 3').finish()
        assert job.code == 3 and 'rank 5 on node2 exited with code 3' in c.lines(job)[-1], job
        job = c.run('-n', RANKS, './nonexistent').finish()
        where = ', '.join(map(address, range(c.count)))
        assert job.code == 127 and c.lines(job) == [
            f"mpiexec: cannot start './nonexistent': No such file or directory (on {where})"], job
        job = c.run('-prefix', '/nonexistent', '-n', RANKS, 'true').finish()
        assert job.code == 126 and 'ssh ended with ' in job.err and '/nonexistent/bin/mpiexec' in job.err, job
        job = c.start(c.all(), '-n', RANKS, 'true', environment={'USER': 'root'}).finish()
        assert job.code == 126 and 'ssh ended with 255: ' in job.err and 'Permission denied' in job.err, job
        job = c.run('-n', RANKS, 'true', environment={'HYDRA_LAUNCHER_EXTRA_ARGS': c.ssh_options().split(' -p ')[0]})
        job.finish()
        assert job.code == 126 and 'port 22: Connection refused' in job.err, job


def logins_that_are_interrupted():
    with Workers() as c:
        for which, code in (signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9):
            job = c.run('-n', RANKS, program('exchange'), 0)
            for i in range(c.count):
                c.await_ranks(i, True, job)
            os.kill(job.pid, which)
            c.all_gone(job, time.monotonic(), LIMIT)
            job.finish()
            assert job.code == code, job


if __name__ == '__main__':
    sys.exit(main([logins_of_other_shells, logins_that_fail, logins_that_are_interrupted], sys.argv[1:]))
