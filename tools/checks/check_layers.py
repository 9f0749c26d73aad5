#!/usr/bin/env python3
"""Fails when a room of src/ includes a header, or needs a symbol, that is not its business, when its
row below names a room that it does not use, when rooms, or files of a room, depend on each other in a
circle, and when a test is in a folder that is none of src, or includes what is not for its folder.

Usage: check_layers.py SRC_DIR BUILD_DIR [--picture]      (a CTest; takes about two seconds)

SRC_DIR holds src/.  A room is a folder, or one of the rows below that takes several.  Its symbols
are those of the object files below BUILD_DIR that were made from its sources, found by their paths.
--picture draws the rooms: each stands above all that it uses.  doc/design.md has the same picture;
the check compares them."""
import collections
import os
import re
import subprocess
import sys

# What a room may use: rooms whose faces it may include and whose functions it may call, from the
# ground up.  A row with * is one row for each folder; a path belongs to the first row that fits, so
# rooms in a folder of a room stand before it.  What is used with * are all rooms below a folder.
Room = collections.namedtuple('Room', 'path uses')
ROOMS = [
    Room('platform', ''),
    Room('devices/*', 'devices platform'),
    Room('devices', ''),                        # the contract, and the table of devices
    Room('pm/seal', 'platform'),
    Room('pm/pmi', 'pm/seal platform'),
    Room('pm/bind', ''),
    Room('pm/node', 'pm/bind pm/pmi platform'),
    Room('pm/server', 'pm/pmi'),
    Room('pm/channel', 'pm/node pm/seal pm/server platform'),
    Room('pm/hosts', ''),
    Room('pm/mpiexec/options', 'pm/bind pm/channel pm/hosts pm/pmi pm/seal pm/server platform'),
    Room('pm/mpiexec/names', 'pm/channel pm/node pm/seal pm/server platform'),
    Room('pm/mpiexec/reach', 'pm/bind pm/channel pm/hosts pm/mpiexec/options pm/node platform'),
    Room('pm/mpiexec/output', 'pm/mpiexec/options pm/mpiexec/reach pm/node platform'),
    Room('pm/mpiexec/job', 'pm/bind pm/channel pm/mpiexec/options pm/mpiexec/output pm/mpiexec/reach '
                           'pm/node pm/pmi pm/server platform'),
    Room('pm/mpiexec', 'pm/channel pm/mpiexec/* pm/node pm/pmi platform'),
    Room('pm/topo', ''),

    Room('adi3/base', 'platform'),
    Room('adi3/datatype', 'adi3/base platform'),
    Room('adi3/op', 'adi3/base adi3/datatype'),
    Room('adi3/proc', 'adi3/base devices pm/pmi platform'),
    Room('adi3/match', 'devices platform'),
    Room('adi3/progress', 'adi3/base adi3/proc platform'),
    Room('adi3/request', 'adi3/base adi3/datatype adi3/match adi3/progress'),
    Room('adi3/p2p', 'adi3/base adi3/datatype adi3/proc adi3/match adi3/progress adi3/request '
                     'platform'),
    Room('adi3/comm', 'adi3/base adi3/datatype adi3/proc adi3/match adi3/p2p '
                      'platform'),
    Room('adi3/collchk', 'adi3/base adi3/datatype adi3/proc adi3/match adi3/progress adi3/request '
                         'adi3/p2p platform'),
    Room('adi3/shmcoll', 'adi3/base adi3/datatype adi3/op adi3/proc adi3/progress '
                         'adi3/p2p adi3/collchk'),
    Room('adi3/sched', 'adi3/base adi3/datatype adi3/op adi3/progress adi3/request adi3/p2p '
                       'adi3/collchk adi3/shmcoll'),
    Room('adi3/clock', 'adi3/base adi3/datatype adi3/proc adi3/p2p platform'),
    Room('adi3/connect', 'adi3/base adi3/proc adi3/progress adi3/request adi3/p2p adi3/comm '
                         'platform'),
    Room('adi3/port', 'adi3/base adi3/progress adi3/connect devices platform'),
    Room('adi3/spawn', 'adi3/base adi3/proc adi3/progress adi3/port pm/pmi platform'),
    Room('adi3/rma/memory', 'adi3/base adi3/datatype adi3/op adi3/proc adi3/progress adi3/request '
                            'platform'),
    Room('adi3/rma/target', 'adi3/base adi3/datatype adi3/proc adi3/progress adi3/p2p '
                            'adi3/rma/memory platform'),
    Room('adi3/rma/shared', 'adi3/base adi3/datatype adi3/op adi3/proc adi3/progress '
                            'adi3/rma/memory adi3/rma/target platform'),
    Room('adi3/rma/messages', 'adi3/base adi3/datatype adi3/op adi3/proc adi3/progress adi3/request '
                              'adi3/p2p adi3/comm adi3/rma/memory adi3/rma/target adi3/rma/shared '
                              'platform'),
    Room('adi3/rma/epoch', 'adi3/base adi3/progress adi3/p2p adi3/comm adi3/rma/target '
                           'adi3/rma/shared adi3/rma/messages platform'),
    Room('adi3/rma', 'adi3/base adi3/progress adi3/rma/* platform'),
    Room('adi3/io', 'adi3/base adi3/datatype adi3/progress adi3/request platform'),
    Room('adi3/checkpoint', 'adi3/base adi3/datatype adi3/proc adi3/progress adi3/request adi3/p2p'),
    Room('adi3/job', 'adi3/* pm/pmi platform'),
    Room('adi3', 'adi3/*'),                     # adi3.h: the list of faces

    Room('mpi/core', 'mpi adi3/*'),
    Room('mpi/errhan', 'mpi mpi/core adi3/*'),
    Room('mpi/attr', 'mpi mpi/core mpi/errhan adi3/*'),
    Room('mpi/info', 'mpi mpi/core mpi/errhan adi3/*'),
    Room('mpi/topo', 'mpi mpi/core mpi/errhan adi3/*'),
    Room('mpi/misc', 'mpi mpi/core mpi/errhan mpi/info adi3/* platform'),
    Room('mpi/datatype', 'mpi mpi/core mpi/errhan mpi/attr adi3/*'),
    Room('mpi/coll', 'mpi mpi/core mpi/errhan mpi/info mpi/topo adi3/* platform'),
    Room('mpi/comm', 'mpi mpi/core mpi/errhan mpi/attr mpi/info mpi/topo mpi/coll adi3/* platform'),
    Room('mpi/dynamic', 'mpi mpi/core mpi/errhan mpi/attr mpi/info mpi/comm adi3/* platform'),
    Room('mpi/rma', 'mpi mpi/core mpi/errhan mpi/attr mpi/info mpi/coll mpi/comm adi3/*'),
    Room('mpi/io', 'mpi mpi/core mpi/errhan mpi/info mpi/coll mpi/comm mpi/rma mpi/request adi3/* '
                   'platform'),
    Room('mpi/topo_create', 'mpi/core mpi/errhan mpi/info mpi/topo mpi/coll mpi/comm adi3/*'),
    Room('mpi/init', 'mpi/* adi3/* platform'),
    Room('mpi/tool', 'mpi/init mpi/misc platform'),
    Room('mpi/fortran', 'mpi/*'),               # calls MPI as programs do
    Room('mpi/*', 'mpi mpi/core mpi/errhan adi3/*'),
    Room('mpi', 'adi3'),                        # mpir.h, which every MPI function includes
]

# The headers that a room shows to others, where that is not ROOM/NAME.h and adi3/adi3_NAME.h; of a
# room below another one NAME has the names of both, as in adi3/rma/target/rma_target.h.
FACES = {
    'platform': ['platform/os.h', 'platform/setting.h', 'platform/counter.h', 'platform/counted.h',
                 'platform/golden_ratio.h', 'platform/ip.h', 'platform/sodium.h', 'platform/soft.h'],
    'devices': ['devices/device.h', 'devices/iov.h', 'devices/hex.h'],
    'devices/*': [],
    'pm/server': ['pm/server/pm_framing.h', 'pm/server/pm_hub.h', 'pm/server/pm_kvs.h',
                  'pm/server/pm_server.h', 'pm/server/pm_spawn.h'],
    'pm/bind': ['pm/bind/pm_bind.h', 'pm/bind/pm_cpus.h'],
    'pm/node': ['pm/node/pm_node.h', 'pm/node/supervisor.h', 'pm/node/loop.h', 'pm/node/log.h'],
    'pm/seal': ['pm/seal/pm_bytes.h', 'pm/seal/pm_seal.h', 'pm/seal/pm_call.h'],
    'pm/channel': ['pm/channel/pm_remote.h', 'pm/channel/pm_proxy.h', 'pm/channel/pm_answer.h'],
    'pm/hosts': ['pm/hosts/pm_hosts.h'],
    'pm/pmi': ['pm/pmi/pmi.h', 'pm/pmi/pmi_calls.h', 'pm/pmi/pmi_line.h',
              'pm/pmi/pmi_spawn.h', 'pm/pmi/pmi_stand_in.h'],
    'adi3': ['adi3/adi3.h'],
    'adi3/base': ['adi3/adi3_base.h', 'adi3/adi3_handle.h', 'adi3/adi3_language.h',
                  'adi3/base/base.h'],
    'adi3/p2p': ['adi3/adi3_p2p.h', 'adi3/adi3_calls.h', 'adi3/p2p/p2p.h'],
    'adi3/rma/memory': ['adi3/adi3_rma.h', 'adi3/rma/memory/rma_memory.h'],
    'adi3/rma': ['adi3/rma/rma.h'],
    'adi3/sched': ['adi3/adi3_sched.h', 'adi3/sched/schedule.h'],
    'mpi': ['mpi/mpir.h'],
    'mpi/core': ['mpi/core/core.h', 'mpi/core/hooks.h', 'mpi/core/large.h',
                 'mpi/core/facts.h'],
    'mpi/coll': ['mpi/coll/coll.h', 'mpi/coll/nodes.h'],
    'mpi/misc': ['mpi/misc/alloc_mem.h'],
    'mpi/topo': ['mpi/topo/topo.h', 'mpi/topo/cart.h', 'mpi/topo/graph.h'],
}
# What tests of a folder may include of src. With + their folder is that of a room, and they may include
# what that room may, and its own headers. Those of all other folders know mpi.h alone.
TESTS = {
    'test/platform': 'platform',
    'test/devices/*': '+',
    'test/devices': 'devices devices/sockets platform',
    'test/adi3/*': '+ adi3 adi3/proc platform',
    'test/adi3': 'adi3 adi3/* devices platform',
    'test/checkpoint': 'adi3 adi3/*',
    'test/jobs': 'adi3/* mpi/*',
    'test/pm/pmix': '',
    'test/pm/*': '+ platform',
    'test/fuzz': 'mpi/comm mpi/errhan adi3 adi3/* devices/* pm/* pm/mpiexec/* platform',
    'test/perf': 'mpi/fortran',
    'test/mpi/attr': 'mpi/core',
    'test/mpi/coll': 'mpi/coll adi3 adi3/proc',
    'test/mpi/convert': 'mpi/core',
    'test/mpi/core': 'mpi/* adi3/io devices platform',
    'test/mpi/fortran': 'mpi/fortran',
    'test/mpi/request': 'mpi/core',
    'test/mpi/topo': 'mpi/topo mpi/topo_create',
    'test/scale': 'mpi/coll adi3 adi3/job adi3/proc platform',
}
NO_MPI = ('platform', 'devices', 'pm')          # layers that do not know mpi.h

# Files that call each other naturally: an operation has an algorithm that runs the same operation among
# fewer processes.
KNOWN_CIRCLES = [tuple(f'mpi/coll/{path}.c' for path in paths.split()) for paths in [
    'algo/allreduce_nodes allreduce',
    'algo/barrier_inter algo/barrier_nodes barrier',
    'algo/bcast_inter algo/bcast_nodes bcast',
    'algo/gather_nodes gather',
    'algo/reduce_inter algo/reduce_nodes reduce',
    'algo/scatter_nodes scatter',
]]
PICTURE_IN = 'doc/design.md'



def pattern(path, star='[^/]+'):
    """A regular expression for the folders of a row."""
    return re.escape(path).replace(r'\*', star)


def is_used(use, other):
    """Whether a use of a row names a room."""
    return re.fullmatch(pattern(use, '.+'), other)


def room_of(path):
    """(row, room) of a path below src/: the room is the folder, or what the row takes."""
    face = re.match(r'adi3/(adi3_\w+\.h)$', path)
    if face:
        owner = next((room for room, shown in FACES.items() if path in shown), None)
        path = f'{owner or "adi3/" + face.group(1)[5:-2]}/'
    for row in ROOMS:
        m = re.match(pattern(row.path) + '/', path)
        if m:
            return row, m.group(0)[:-1]
    return None, None


def faces(row, room):
    """The headers that a room shows."""
    if row.path in FACES:
        return FACES[row.path]
    name = room.split('/', maxsplit=1)[-1].replace('/', '_')
    if room.startswith('adi3/'):
        return [f'adi3/adi3_{name}.h', f'{room}/{name}.h']
    return FACES.get(room, [f'{room}/{name}.h'])


def may_use(row, other):
    """Whether a room of this row may use the room called other."""
    return any(is_used(use, other) for use in row.uses.split())


def sources(root, suffixes=('.c', '.h')):
    """Paths below src/ of all files of the library."""
    top = os.path.join(root, 'src')
    for folder, _, files in os.walk(top):
        for name in sorted(files):
            if name.endswith(suffixes):
                yield os.path.relpath(os.path.join(folder, name), top)


def include_problem(row, room, header):
    """Whether it is wrong to include a header of ours; and the room that it belongs to."""
    if header == 'mpi.h':
        return room.startswith(NO_MPI), None
    owner, other = room_of(header)
    if other == room:
        return False, None
    if not may_use(row, other):
        return True, None
    if room.startswith('mpi') and re.match(r'adi3/(?!adi3\w*\.h)', header):    # for rooms of adi3
        return True, None
    return header not in faces(owner, other), other


def include_lines(root, path):
    """(line, name, quoted) of the includes of a file; quoted: not with <>."""
    with open(os.path.join(root, path), encoding='utf-8') as f:
        for number, line in enumerate(f, 1):
            m = re.match(r'\s*#\s*include\s+([<"])(.+?)[>"]', line)
            if m:
                yield number, m.group(2), m.group(1) == '"'


def includes(root):
    """(path, line, row, room, header) of all includes of ours; header None: it is not named by its
    path from src."""
    headers = set(sources(root, ('.h',))) | {'mpi.h'}
    names = {os.path.basename(header) for header in headers}
    for path in sources(root):
        row, room = room_of(path)
        for number, name, quoted in include_lines(root, f'src/{path}'):
            if name in headers:
                yield path, number, row, room, name
            elif quoted and os.path.basename(name) in names:
                yield path, number, row, room, None


def test_uses(path):
    """What a test may include, as in a row; None: its folder should be that of a room, and is not."""
    uses = next((u for f, u in TESTS.items() if re.match(pattern(f) + '/', path)), '')
    if not uses.startswith('+'):
        return uses
    row, room = room_of(os.path.relpath(path, 'test'))
    return f'{uses[1:]} {room} {row.uses}' if os.path.dirname(path) == f'test/{room}' else None


def test_problems(root):
    """Tests in a folder that is none, and their includes of src that are not for their folder."""
    headers = set(sources(root, ('.h',)))
    for folder, _, files in os.walk(os.path.join(root, 'test')):
        for name in files:
            path = os.path.relpath(os.path.join(folder, name), root)
            if not path.endswith(('.c', '.h')):
                continue
            uses = test_uses(path)
            if uses is None:
                yield f'{path}: its folder is that of no room of src'
                continue
            for number, header, _ in include_lines(root, path):
                if header in headers and not may_use(Room(path, uses), room_of(header)[1]):
                    yield f'{path}:{number}: its tests may not include {header}'


def object_files(root, build):
    """{path of a source: [its object files]} below a build directory, of today's sources."""
    objects, today = collections.defaultdict(list), set(sources(root, ('.c',)))
    for folder, _, files in os.walk(build):
        for name in files:
            path = os.path.join(folder, name)
            m = re.search(r'(?:^|/)src/(.*)\.o$', os.path.relpath(path, build))
            source = m.group(1).replace('CMakeFiles/', '') if m else ''
            if source in today:
                objects[source].append(path)
    return objects


def symbol_tables(root, build):
    """{path of a source: ({symbol defined}, {symbol needed})}; also of objects with LTO only."""
    objects = object_files(root, build)
    found = {source: (set(), set()) for source in objects}
    source_of = {path: source for source, paths in objects.items() for path in paths}
    out = subprocess.run(['nm', '-A', '--', *source_of], capture_output=True, text=True,
                         check=False).stdout if source_of else ''
    for line in out.splitlines():
        m = re.match(r'(.*?):\S* +([UwvA-Z]) (\S+)$', line)    # small letters: static, or weak needs
        if m and not m.group(3).startswith('os_counted_'):      # counted.h is in all of some builds
            found[source_of[m.group(1)]][m.group(2) in 'Uwv'].add(m.group(3))
    return found


def calls(tables):
    """{(source, other): [symbols]}: what files need of others."""
    home_of = {symbol: source for source, (defined, _) in tables.items() for symbol in defined}
    found = collections.defaultdict(list)
    for source, (defined, needed) in tables.items():
        for symbol in sorted(needed - defined):
            if symbol in home_of:
                found[source, home_of[symbol]].append(symbol)
    return found


def arrows(root, build):
    """({(room, other): [why]} of all that rooms use, [problems], whether the build is whole)."""
    found = collections.defaultdict(list)
    bad = [f'src/{path}: belongs to no room' for path in sources(root) if not room_of(path)[0]]
    if bad:
        return found, bad, False
    for path, number, row, room, header in includes(root):
        if header is None:
            bad.append(f'src/{path}:{number}: a header is included by its path from src')
            continue
        wrong, other = include_problem(row, room, header)
        if wrong:
            bad.append(f'src/{path}:{number}: {room} may not include {header}')
        if other:
            found[room, other].append(f'{os.path.basename(path)} includes {header}')
    bad += test_problems(root)
    tables = symbol_tables(root, build)
    if not tables:
        bad.append(f'{build}: no object files of src/')
    within = collections.defaultdict(list)
    for (source, other), used in calls(tables).items():
        (row, room), (_, other_room) = room_of(source), room_of(other)
        if room == other_room:
            within[source, other] = used
            continue
        found[room, other_room] += used
        if not may_use(row, other_room):
            bad += [f'{room} calls {symbol} of {other_room}' for symbol in used]
    whole = is_whole(root, tables)
    return found, bad + file_circles(within), whole


def is_whole(root, tables):
    """Whether the build has all rooms, and so all that they use."""
    return not {room_of(p)[1] for p in sources(root, ('.c',))} - {room_of(p)[1] for p in tables}


def unused_rows(found):
    """Rooms that a row names in vain."""
    used = collections.defaultdict(set)
    for room, other in found:
        used[room_of(room + '/')[0]].add(other)
    return [f'the row of {row.path} names {use}, which it does not use'
            for row in ROOMS for use in row.uses.split()
            if not any(is_used(use, other) for other in used[row])]


def circles(found):
    """Sets of rooms, or files, that depend on each other: [sorted names], from {(name, other): ...}."""
    below = collections.defaultdict(set)
    for name, other in found:
        below[name].add(other)

    def reached(name):
        seen, ways = set(), [name]
        while ways:
            new = below[ways.pop()] - seen
            seen |= new
            ways += new
        return seen

    all_below = {name: reached(name) for name in list(below)}
    return sorted({tuple(sorted(other for other in seen if name in all_below.get(other, ())))
                   for name, seen in all_below.items() if name in seen})


def file_circles(within):
    """Problems with circles of files inside of rooms."""
    bad = []
    for files in circles(within):
        if files not in KNOWN_CIRCLES:
            bad += ['a circle of files: ' + ' '.join(files), *why_circle(within, files)]
    return bad


def why_circle(found, names):
    """Lines that show a circle."""
    for (name, other), why in sorted(found.items()):
        if name in names and other in names:
            yield f'        {name} -> {other}: {", ".join(why[:4])}'


def floors(found, layer):
    """{room: floor} of a layer's rooms: each above all rooms of the layer that it uses."""
    rooms = sorted({r for pair in found for r in pair if r.startswith(layer)})
    floor = dict.fromkeys(rooms, 1)
    for _ in rooms:
        for room, other in found:
            if room in floor and other in floor and room != other:
                floor[room] = max(floor[room], min(floor[other] + 1, len(rooms)))
    return floor


def picture(found, layer):
    """The rooms of a layer as text, the roof first."""
    floor = floors(found, layer)
    for n in range(max(floor.values(), default=0), 0, -1):
        for room in sorted(r for r in floor if floor[r] == n):
            uses = sorted((o for r, o in found if r == room and o in floor),
                          key=lambda o: (-floor[o], o))
            names = ' '.join(o[len(layer):] for o in uses)
            yield f'    {n:>2}  {room[len(layer):]:<14}{names}'.rstrip()


def pictures(found):
    """The pictures of both layers that have many rooms."""
    for layer in ('adi3/', 'mpi/'):
        yield from [f'src/{layer}: floor, room, what it uses there', *picture(found, layer), '']


def picture_problems(root, found):
    """Lines of the pictures that the document does not have."""
    with open(os.path.join(root, PICTURE_IN), encoding='utf-8') as f:
        text = set(map(str.strip, f))
    return [f'{PICTURE_IN} has another picture of the rooms (--picture): {line.strip()}'
            for line in pictures(found) if line.strip() not in text]


def main(root, build, *options):
    """Exit code 0 when every room keeps to what it may use."""
    found, bad, whole = arrows(root, build)
    for rooms in circles(found):
        bad += ['a circle of rooms: ' + ' '.join(rooms), *why_circle(found, rooms)]
    if '--picture' in options:
        print(*pictures(found), sep='\n')
    elif whole:
        bad += unused_rows(found) + picture_problems(root, found)
    print('\n'.join(bad) or f'layers ok: {len(list(sources(root)))} files, '
                            f'{len({r for pair in found for r in pair})} rooms')
    return bool(bad)


if __name__ == '__main__':
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ['--picture']):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
