"""The cases that bench runs, and the targets for their results."""
import collections

# A case: a program of test/perf on np ranks.  --only selects by name; rounds limits how often a slow
# case runs; quick: its options with --quick; ours: only Starling runs it; without: a library that
# does not run it.
Case = collections.namedtuple('Case', 'name np options quick rounds ours without',
                              defaults=[None, None, False, None])

SMALL = ['-s', '1', '-m', '2']
LARGE = '65536,1048576,4194304'
TYPES = ['column', 'column_small', 'vector', 'indexed', 'mixed', 'particle', 'face_i', 'face_j',
         'face_k', 'darray']
TYPED = ['1024', '4096', '16384', '65536', '262144', '1048576', '4194304']
CLAIMS = ['allreduce_over_reduce_bcast', 'bcast_over_scatter_allgather',
          'allgather_over_gather_bcast', 'allgather_over_alltoall', 'reduce_over_allreduce',
          'scatter_over_bcast', 'gather_over_allgather', 'barrier_over_allreduce',
          'reduce_scatter_block_over_two']
SIZES = '1,8,64,256,1024,4096,8192,16384,32768,65536,262144,1048576,4194304'
# Ranks that are started, and in how many rounds.
STARTED = {1: None, 2: None, 8: None, 32: 5, 64: 3, 256: 1}
# Proxies that are started on this machine, with a rank each, and in how many rounds.
PROXIES = {64: 3, 256: 1}
# Without compare_and_swap, in which Open MPI 4.1 crashes.
SYNCHRONIZED = ['lock', 'fence', 'pscw', 'halo_fence', 'halo_pscw', 'allocate_free']
ONE_SIDED = ['put_flush', 'get_flush', 'puts64_flush', 'accumulate', 'fetch_and_op', 'lock_all',
             *SYNCHRONIZED]
# Divided by the same without MPI, or in windows of their own: the largest value allowed.
RMA_RATIOS = {'put_over_memcpy': 1 / 0.95, 'window_over_malloc': 1 / 0.97}
RMA_WORD_RATIOS = {'fetch_over_atomic': 1 / 0.8, 'swap_over_atomic': 1 / 0.8}

# A time divided by another one of the same library.
RINGS = ['ring_by_' + call for call in ('test', 'testall', 'testany', 'testsome', 'get_status',
                                        'iprobe', 'improbe')]
AFTER = ['barrier_after_alltoalls', 'barrier_after_computing']

# Collective shapes of files, and those that are run together; block sizes of the interleaved one.
IO_GROUPS = [['interleaved'], ['array3', 'array3_fortran', 'array4', 'array4_fortran'],
             ['holes_memory', 'holes_file', 'holes_both'], ['ior_easy', 'ior_hard'], ['btio']]
IO_SHAPES = [shape for group in IO_GROUPS for shape in group]
IO_BLOCKS = ['1024', '47008', '65536', '1048576']
IO_SMALL = ['open_close', 'write_shared', 'set_view_pieces']
IO_STRIDED = ['write_strided', 'read_strided']
# In memory, and on disk. Names of results end with the second word.
IO_FOLDERS = [('/dev/shm', ''), ('/var/tmp', '_disk')]
# Of Starling alone: the largest value allowed.
IO_RATIOS = {'write_over_pwrite': 1 / 0.95, 'read_over_pread': 1 / 0.95}
IO_WAITS = {'iwrite_wait_over_write': 0.1, 'iwrite_all_wait_over_write': 0.1}
# KiB: the buffer of a window of the file, where there is one, and a MiB.
IO_GROWTH = {'growth_write_all': 5120, 'growth_view': 1024, 'growth_view_all': 5120}


def io_case(np, names, ours=False, without=None):
    """A case for each folder."""
    for folder, suffix in IO_FOLDERS:
        options = ['-d', folder, '-o', ','.join(name + suffix for name in names)]
        yield Case('io', np, ['-s', '2', '-m', '60', *options], ['-q', *SMALL, *options], rounds=3,
                   ours=ours, without=without)


def io_without(shape, np):
    """Open MPI 4.1 never comes back from a call for a MiB or a record of each of 4 processes."""
    return 'openmpi' if np > 2 and shape.startswith('ior') else None


def io_shapes(np):
    """Collective accesses of all shapes, and of Starling their ratios to a plain pass."""
    for group in IO_GROUPS:
        if group != ['btio'] or np in (1, 4, 9, 16):
            names = [way + shape for shape in group for way in ('write_all_', 'read_all_')]
            yield from io_case(np, names, without=io_without(group[0], np))
            yield from io_case(np, [name + '_over_plain' for name in names], True)


CASES = [
    Case('latency', 2, ['-p', '-s', '3', '-z', SIZES], ['-p', *SMALL, '-z', '8,65536']),
    Case('bandwidth', 2, ['-p', '-s', '3', '-z', '1024,16384,' + LARGE],
         ['-p', *SMALL, '-z', LARGE]),
    Case('bibandwidth', 2, ['-p', '-s', '3', '-z', '1024,16384,' + LARGE],
         ['-p', *SMALL, '-z', '65536']),
    Case('message_rate', 2, ['-p', '-s', '3', '-z', '8,64,1024'], ['-p', *SMALL, '-z', '8']),
    Case('collectives', 2, ['-p', '-s', '1', '-m', '20', '-z', '8,1024,65536,1048576'],
         ['-p', *SMALL, '-z', '8']),
    *(Case('collectives', np, ['-s', '1', '-m', '20', '-z', '8,1024,65536,1048576'],
           [*SMALL, '-z', '8']) for np in (4, 8, 16)),
    Case('nonblocking', 2, ['-p', '-s', '1', '-m', '20'], ['-p', *SMALL, '-z', '8']),
    Case('nonblocking', 4, ['-s', '1', '-m', '20'], [*SMALL, '-z', '8']),
    Case('halo', 2, ['-p', '-s', '2', '-z', '8,1024,16384'], ['-p', *SMALL, '-z', '1024']),
    Case('halo', 16, ['-s', '2', '-z', '1024'], [*SMALL, '-z', '1024']),
    Case('bisection', 2, ['-p', '-s', '2', '-z', '8192,65536,1048576'],
         ['-p', *SMALL, '-z', '65536']),
    Case('bisection', 8, ['-s', '2', '-z', '65536'], [*SMALL, '-z', '65536']),
    Case('collectives', 32, ['-s', '2', '-z', '8', '-o', 'barrier,allreduce'],
         [*SMALL, '-z', '8', '-o', 'barrier,allreduce']),
    *(Case('pairs', np, ['-s', '2'], SMALL) for np in (4, 8, 16, 32)),
    Case('threads', 2, ['-s', '3'], SMALL),
    Case('imbalance', 2, ['-p', '-s', '3'], ['-p', *SMALL]),
    Case('imbalance', 8, ['-s', '2'], SMALL),
    Case('oversubscribe', 2, ['-s', '3'], [*SMALL, '-t', '0.3'], rounds=3),
    Case('oversubscribe', 8, ['-s', '3', '-o', 'recv_slowdown,barrier_slowdown'],
         [*SMALL, '-o', 'recv_slowdown,barrier_slowdown']),
    Case('mixed', 4, ['-s', '3', '-m', '20', '-o', ','.join(RINGS)], [*SMALL, '-o', ','.join(RINGS)]),
    *(Case('mixed', np, ['-s', '3', '-o', ','.join(AFTER)], [*SMALL, '-o', ','.join(AFTER)])
      for np in (8, 16)),
    Case('types', 1, ['-p', '-s', '9', '-m', '1'], ['-p', '-s', '1', '-m', '0.1']),
    Case('typed_latency', 2, ['-p', '-s', '2', '-m', '4'], ['-p', *SMALL, '-z', '1024,65536'],
         rounds=6),
    Case('requests', 2, ['-p', '-s', '3', '-m', '5'], ['-p', *SMALL, '-z', '1000,10000'],
         rounds=6),
    Case('comms', 2, ['-p', '-s', '3'], ['-p', *SMALL]),
    *(Case('comms', np, ['-s', '2'], SMALL) for np in (4, 8, 16)),
    Case('forms', 2, ['-s', '3'], SMALL, rounds=2),
    Case('forms', 2, ['-s', '3', '-a'], [*SMALL, '-a'], rounds=2, ours=True),
    Case('forms', 4, ['-s', '3', '-o', 'persistent_over_blocking,nonblocking_over_blocking'],
         [*SMALL, '-o', 'persistent_over_blocking'], rounds=2),
    *(Case('consistency', np, ['-s', '3', '-m', '8'], [*SMALL, '-z', '8,65536'], rounds=2,
           ours=True) for np in (2, 4, 8)),
    Case('rma', 2, ['-p', '-s', '2', '-m', '10', '-o', ','.join(ONE_SIDED)],
         ['-p', *SMALL, '-z', '8', '-o', ','.join(ONE_SIDED)]),
    *(Case('rma', np, ['-s', '2', '-m', '10', '-z', '8,1024', '-o', ','.join(SYNCHRONIZED)],
           [*SMALL, '-z', '8', '-o', ','.join(SYNCHRONIZED)]) for np in (4, 8, 16)),
    Case('rma', 2, ['-p', '-s', '3', '-m', '20', '-z', '1048576', '-o', ','.join(RMA_RATIOS)],
         ['-p', *SMALL, '-z', '1048576', '-o', ','.join(RMA_RATIOS)], ours=True),
    *(Case('rma', np, ['-s', '3', '-z', '8', '-o', ','.join(RMA_WORD_RATIOS)],
           [*SMALL, '-z', '8', '-o', ','.join(RMA_WORD_RATIOS)], ours=True)
      for np in (2, 4, 8, 16)),
    Case('rma', 16, ['-s', '3', '-z', '8', '-o', 'window_over_windows'],
         [*SMALL, '-z', '8', '-o', 'window_over_windows'], ours=True),
    *(case for np in (2, 4, 8) for case in (
        *io_shapes(np), *io_case(np, IO_STRIDED), *io_case(np, IO_SMALL),
        *io_case(np, IO_RATIOS, True))),
    *io_case(1, IO_WAITS, True),
    *io_case(4, IO_GROWTH, False),
    *(Case('startup', np, ['1'], rounds=rounds) for np, rounds in STARTED.items()),
    *(Case('proxies', np, ['1'], rounds=rounds, without='openmpi')
      for np, rounds in PROXIES.items()),
    Case('memory', 32, ['-t', 'none'], rounds=2),
    Case('memory', 32, ['-t', 'halo'], rounds=3),
    Case('memory', 32, ['-t', 'alltoall'], rounds=2),
]

# Units of rates: more is better.  For all other units less is better.
RATES = {'MB/s', 'Mmsg/s', '%'}

# The value of Starling divided by that of against is at most limit; for rates at least.  against: a
# library; "best": the better of the two; None: no division, and limit has the unit of the metric.
# at: the distance between the cores, None for each. of: the library whose value is divided.
Target = collections.namedtuple('Target', 'metric np size at against limit of',
                                defaults=['starling'])

def typed(kind, sizes):
    """The sizes that a type is measured with: column_small has to fit the cache."""
    return [size for size in sizes if kind != 'column_small' or int(size) <= 65536]


COLLECTIVES = ['bcast', 'reduce', 'allreduce', 'gather', 'scatter', 'allgather', 'alltoall']
NONBLOCKING = ['i' + name for name in COLLECTIVES]

def io_sizes(shape):
    """The sizes in the rows of a shape of files."""
    return IO_BLOCKS if shape == 'interleaved' else ['0']


IO_TARGETS = [
    *(Target(way + shape + suffix, np, size, None,
             'mpich' if io_without(shape, np) else 'best', 1.0)
      for np in (2, 4, 8) for _, suffix in IO_FOLDERS for shape in IO_SHAPES
      for size in io_sizes(shape) for way in ('write_all_', 'read_all_')
      if shape != 'btio' or np == 4),
    *(Target(f'{way}{shape}_over_plain{suffix}', np, size, None, None, 1.4)
      for np in (2, 4, 8) for _, suffix in IO_FOLDERS for shape in IO_SHAPES
      for size in io_sizes(shape) for way in ('write_all_', 'read_all_')
      if shape != 'btio' or np == 4),
    *(Target(name + suffix, np, size, None, None, limit)
      for np in (2, 4, 8) for _, suffix in IO_FOLDERS for name, limit in IO_RATIOS.items()
      for size in ('65536', '1048576', '16777216')),
    *(Target('write_strided' + suffix, np, size, None, 'openmpi', 1.0)
      for np in (2, 4, 8) for _, suffix in IO_FOLDERS for size in ('64', '4096')),
    *(Target(name + suffix, np, '64' if name == 'write_shared' else '0', None, 'best', 0.7)
      for np in (2, 4, 8) for _, suffix in IO_FOLDERS for name in IO_SMALL),
    *(Target(name + suffix, 1, '0', None, None, limit)
      for _, suffix in IO_FOLDERS for name, limit in IO_WAITS.items()),
    *(Target(name + suffix, 4, '0', None, None, limit)
      for _, suffix in IO_FOLDERS for name, limit in IO_GROWTH.items()),
]

TARGETS = [
    *IO_TARGETS,
    *(Target('latency', 2, '8', at, name, limit) for at in ('near', 'far')
      for name, limit in (('mpich', 0.75), ('openmpi', 0.85))),
    Target('latency_over_line', 2, '8', 'near', None, 40),
    Target('latency_over_line', 2, '8', 'far', None, 100),
    *(Target('latency', 2, size, None, 'best', 0.7) for size in ('16384', '32768', '65536')),
    *(Target('latency', 2, size, None, 'best', 1 / 0.95)
      for size in ('64', '256', '1024', '4096', '8192', '262144', '1048576', '4194304')),
    *(Target('bandwidth', 2, size, 'near', 'best', 1.3) for size in ('1048576', '4194304')),
    *(Target('bandwidth', 2, size, 'far', 'best', 0.95) for size in ('1048576', '4194304')),
    Target('bandwidth', 2, '65536', None, 'best', 1.0),
    Target('message_rate', 2, '8', None, 'best', 1.5),
    *(Target(metric, np, size, None, 'openmpi', 1 / 0.95 if np == 4 else 0.8)
      for np in (4, 8, 16, 32)
      for metric, size in (('barrier', '0'), ('allreduce', '8'), ('pairs', '8'))),
    *(Target(metric, np, size, None, 'best' if np == 2 else 'openmpi', 1 / 0.95)
      for np in (2, 4, 8, 16) for metric in COLLECTIVES
      for size in ('8', '1024', '65536', '1048576')
      if np == 2 or (metric, size) != ('allreduce', '8')),
    *(Target('alltoallv', np, size, None, 'best' if np == 2 else 'openmpi', 1 / 0.95)
      for np in (2, 4, 8, 16) for size in ('8', '1024', '65536', '1048576')),
    *(Target(metric, np, size, None, 'best', 1 / 0.95)
      for np in (2, 4) for metric in NONBLOCKING for size in ('8', '1024', '65536', '1048576')),
    Target('barrier', 2, '0', None, 'best', 1 / 0.95),
    Target('blocked_cpu', 2, '0', None, None, 30),
    *(Target(f'over_loop_{way}_{kind}', 1, size, None, None, 1.1)
      for kind in TYPES for size in typed(kind, ['1024', '65536', '1048576'])
      for way in ('pack', 'unpack')),
    *(Target('pp_' + kind, 2, size, None, 'best', 1.0)
      for kind in TYPES for size in typed(kind, TYPED)),
    *(Target(name, 4, '0', None, None, 2) for name in RINGS),
    *(Target(name, np, '0', None, None, 1.5) for np in (8, 16) for name in AFTER),
    Target('outstanding_growth', 2, '100000', None, None, 3),
    *(Target('start_over_' + way, 2, size, None, None, 1.0)
      for way in ('send', 'isend') for size in ('8', '1024')),
    *(Target(metric, np, '0', None, 'best', 1 / 0.95)
      for np in (2, 4, 8, 16) for metric in ('comm_dup', 'comm_split', 'comm_split_one')),
    *(Target(f'async_{what}_idle', 2, '1048576', None, None, 50)
      for what in ('iallreduce', 'ialltoall')),
    *(Target('persistent_over_blocking', np, '8', None, None, 1.0) for np in (2, 4)),
    *(Target(metric, 2, size, None, 'best', 0.5)
      for metric in ('put_flush', 'get_flush') for size in ('8', '1024')),
    Target('accumulate', 2, '65536', None, 'best', 1.0),
    *(Target(metric, np, '8', None, 'best', 0.7 if np == 2 else 1.0)
      for np in (2, 4, 8, 16) for metric in SYNCHRONIZED),
    *(Target(metric, 2, '1048576', None, None, limit) for metric, limit in RMA_RATIOS.items()),
    *(Target(metric, np, '8', None, None, limit)
      for np in (2, 4, 8, 16) for metric, limit in RMA_WORD_RATIOS.items()),
    Target('window_over_windows', 16, '8', None, None, 1.2),
    *(Target(claim, np, size, None, None, 1.1) for np in (2, 4, 8) for claim in CLAIMS
      for size in ('8', '1024', '65536', '1048576') if size == '8' or not claim.startswith('barr')),
    *(Target('startup', np, str(np), None, 'best', 0.5 if np == 1 else 0.3, of)
      for np in STARTED for of in ('starling', 'starling-hydra')),
    *(Target('proxies', np, str(np), None, 'best', 0.7) for np in PROXIES),
    Target('memory_job_halo', 32, '1024', None, None, 2e6 / 1024),
]

# The geometric mean of the ratios of all metrics that match, with all their sizes, is at most limit.
Mean = collections.namedtuple('Mean', 'metrics np against limit')

MEANS = [
    Mean('pack_.*', 1, 'best', 0.5),
    Mean('unpack_.*', 1, 'best', 0.5),
    Mean('pp_.*', 2, 'best', 1 / 1.3),
    *(Mean(f'(write|read)_all_({"|".join(IO_SHAPES)}){suffix}', np, 'best', 1 / 1.5)
      for np in (2, 4, 8) for _, suffix in IO_FOLDERS),
    *(Mean('barrier|' + '|'.join(COLLECTIVES), np, 'best' if np == 2 else 'openmpi', 1 / 1.3)
      for np in (2, 4, 8, 16)),
]
