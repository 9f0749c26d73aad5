#!/usr/bin/env python3
"""Settings of other MPI libraries cause no output. With STARLING_VERBOSE each one that has an
equivalent is reported in one line per job.

Usage: foreign.py MPIEXEC PROGRAM..."""
import os, subprocess, sys

KNOWN = {'MPICH_ERROR_CHECKING': 'STARLING_ERROR_CHECKS', 'I_MPI_FABRICS': 'STARLING_DEVICES',
         'OMPI_MCA_btl': 'STARLING_DEVICES', 'OMPI_MCA_pml': 'STARLING_DEVICES'}
UNKNOWN = ('MPICH_NO_SUCH', 'MPIR_CVAR_ASYNC_PROGRESS', 'OMPI_MCA_btl_base_verbose', 'I_MPI_DEBUG')


def lines(command, verbose):
    """The output of a job of two processes about the settings of other libraries."""
    env = dict(os.environ, **{name: '1' for name in (*KNOWN, *UNKNOWN)})
    env.pop('STARLING_VERBOSE', None)
    if verbose:
        env['STARLING_VERBOSE'] = verbose
    done = subprocess.run([command[0], '-n', '2', *command[1:]], env=env, text=True,
                          capture_output=True, timeout=20, check=True)
    return sorted(line for line in done.stderr.split('\n')
                  if any(name in line for name in (*KNOWN, *UNKNOWN)))


wanted = sorted(f"starling: {theirs} is another library's setting; Starling has {ours}"
                for theirs, ours in KNOWN.items())
for level, expected in ((None, []), ('0', []), ('1', wanted), ('2', wanted)):
    got = lines(sys.argv[1:], level)
    assert got == expected, f'STARLING_VERBOSE={level}: {got}'
