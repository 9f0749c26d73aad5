#!/usr/bin/env python3
"""Settings of other MPI libraries cause no output. With STARLING_VERBOSE each one that has an
equivalent is reported in one line per job.

Usage: foreign.py MPIEXEC PROGRAM..."""
import os, subprocess, sys

KNOWN = {'MPICH_ERROR_CHECKING': 'STARLING_ERROR_CHECKS', 'I_MPI_FABRICS': 'STARLING_DEVICES',
         'OMPI_MCA_btl': 'STARLING_DEVICES', 'OMPI_MCA_pml': 'STARLING_DEVICES',
         'MPIR_CVAR_DEVICE': 'STARLING_DEVICES',
         'MPICH_ASYNC_PROGRESS': 'STARLING_ASYNC_PROGRESS',
         'MPIR_CVAR_ASYNC_PROGRESS': 'STARLING_ASYNC_PROGRESS',
         'I_MPI_ASYNC_PROGRESS': 'STARLING_ASYNC_PROGRESS',
         'OMPI_MCA_btl_tcp_if_include': 'STARLING_SOCKETS_INTERFACE',
         'MPIR_CVAR_NEMESIS_TCP_NETWORK_IFACE': 'STARLING_SOCKETS_INTERFACE',
         'MPIR_CVAR_OFI_USE_PROVIDER': 'STARLING_OFI_PROVIDER',
         'I_MPI_OFI_PROVIDER': 'STARLING_OFI_PROVIDER',
         'OMPI_MCA_mtl_ofi_provider_include': 'STARLING_OFI_PROVIDER'}
for operation in ('BARRIER', 'BCAST', 'ALLREDUCE', 'ALLGATHERV', 'ALLTOALLW', 'REDUCE_SCATTER',
                  'REDUCE_SCATTER_BLOCK', 'EXSCAN'):
    for theirs in (f'MPIR_CVAR_{operation}_INTRA_ALGORITHM', f'I_MPI_ADJUST_{operation}',
                   f'OMPI_MCA_coll_tuned_{operation.lower()}_algorithm'):
        KNOWN[theirs] = f'STARLING_{operation}_ALGORITHM'
UNKNOWN = ('MPICH_NO_SUCH', 'MPIR_CVAR_BCAST_MIN_PROCS', 'I_MPI_ADJUST_IBCAST', 'I_MPI_ADJUST_',
           'OMPI_MCA_btl_base_verbose', 'I_MPI_DEBUG', 'BCAST_INTRA_ALGORITHM')


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
