#!/usr/bin/env python3
"""Fails when a room of src/ includes a header, or needs a symbol, that is not its business, and
when rooms depend on each other in a circle.

Usage: check_layers.py SRC_DIR BUILD_DIR [--picture]      (a CTest; takes about two seconds)

SRC_DIR holds src/.  A room is a folder, or one of the rows below that takes several.  Its symbols
are those of the object files below BUILD_DIR that were made from its sources, found by their paths.
--picture draws the rooms: each stands above all that it uses."""
import collections
import os
import re
import subprocess
import sys

# What a room may use: rooms whose faces it may include and whose functions it may call, from the
# ground up.  A row with * is one row for each folder; a path belongs to the first row that fits.
Room = collections.namedtuple('Room', 'path uses')
ROOMS = [
    Room('platform', ''),
    Room('devices/*', 'devices platform'),
    Room('devices', 'devices/* platform'),      # the contract, and the table of devices
    Room('pm/pmi', 'platform'),
    Room('pm/bind', ''),
    Room('pm/node', 'pm/bind pm/pmi platform'),
    Room('pm/server', 'pm/pmi'),
    Room('pm/channel', 'pm/node pm/server platform'),
    Room('pm/hosts', ''),
    Room('pm/*', 'pm/bind pm/channel pm/hosts pm/node pm/pmi pm/server platform'),

    Room('adi3/base', 'platform'),
    Room('adi3/datatype', 'adi3/base platform'),
    Room('adi3/op', 'adi3/base adi3/datatype'),
    Room('adi3/proc', 'adi3/base devices pm/pmi platform'),
    Room('adi3/match', 'devices platform'),
    Room('adi3/progress', 'adi3/base adi3/proc platform'),
    Room('adi3/request', 'adi3/base adi3/datatype adi3/proc adi3/match adi3/progress'),
    Room('adi3/p2p', 'adi3/base adi3/datatype adi3/proc adi3/match adi3/progress adi3/request '
                     'platform'),
    Room('adi3/comm', 'adi3/base adi3/datatype adi3/proc adi3/match adi3/request adi3/p2p'),
    Room('adi3/collchk', 'adi3/base adi3/datatype adi3/proc adi3/match adi3/progress adi3/request '
                         'adi3/p2p platform'),
    Room('adi3/shmcoll', 'adi3/base adi3/datatype adi3/op adi3/proc adi3/progress adi3/request '
                         'adi3/p2p adi3/collchk platform'),
    Room('adi3/sched', 'adi3/base adi3/datatype adi3/op adi3/progress adi3/request adi3/p2p '
                       'adi3/collchk adi3/shmcoll'),
    Room('adi3/clock', 'adi3/base adi3/datatype adi3/proc adi3/p2p platform'),
    Room('adi3/connect', 'adi3/base adi3/proc adi3/progress adi3/p2p adi3/comm platform'),
    Room('adi3/rma', 'adi3/base adi3/datatype adi3/op adi3/proc adi3/progress adi3/request adi3/p2p '
                     'adi3/comm platform'),
    Room('adi3/io', 'adi3/base adi3/datatype adi3/progress adi3/request platform'),
    Room('adi3/checkpoint', 'adi3/base adi3/datatype adi3/proc adi3/progress adi3/request adi3/p2p '
                            'pm/pmi'),
    Room('adi3/job', 'adi3/* devices pm/pmi platform'),
    Room('adi3', 'adi3/*'),                     # adi3.h: the list of faces

    Room('mpi/core', 'mpi adi3 adi3/* platform'),
    Room('mpi/errhan', 'mpi mpi/core adi3 adi3/* platform'),
    Room('mpi/attr', 'mpi mpi/core mpi/errhan adi3 adi3/* platform'),
    Room('mpi/info', 'mpi mpi/core mpi/errhan adi3 adi3/* platform'),
    Room('mpi/topo', 'mpi mpi/core mpi/errhan adi3 adi3/* platform'),
    Room('mpi/misc', 'mpi mpi/core mpi/errhan mpi/info adi3 adi3/* platform'),
    Room('mpi/datatype', 'mpi mpi/core mpi/errhan mpi/attr adi3 adi3/* platform'),
    Room('mpi/coll', 'mpi mpi/core mpi/errhan mpi/info mpi/topo adi3 adi3/* platform'),
    Room('mpi/comm', 'mpi mpi/core mpi/errhan mpi/attr mpi/info mpi/topo mpi/coll adi3 adi3/* '
                     'platform'),
    Room('mpi/rma', 'mpi mpi/core mpi/errhan mpi/attr mpi/info mpi/misc mpi/coll mpi/comm adi3 adi3/* '
                    'platform'),
    Room('mpi/io', 'mpi mpi/core mpi/errhan mpi/info mpi/coll mpi/comm mpi/rma mpi/request adi3 adi3/* platform'),
    Room('mpi/topo_create', 'mpi mpi/core mpi/errhan mpi/info mpi/topo mpi/coll mpi/comm adi3 '
                            'adi3/* platform'),
    Room('mpi/init', 'mpi mpi/* adi3 adi3/* platform'),
    Room('mpi/tool', 'mpi/init mpi/misc platform'),
    Room('mpi/fortran', 'mpi/* adi3/base'),     # calls MPI as programs do
    Room('mpi/*', 'mpi mpi/core mpi/errhan adi3 adi3/* platform'),
    Room('mpi', 'adi3 adi3/*'),                 # mpir.h, which every MPI function includes
]

# The headers that a room shows to others, where that is not ROOM/NAME.h and adi3/adi3_NAME.h.
FACES = {
    'platform': ['platform/os.h', 'platform/setting.h', 'platform/counted.h'],
    'devices': ['devices/device.h', 'devices/iov.h', 'devices/hex.h'],
    'devices/*': [],
    'pm/server': ['pm/server/pm_framing.h', 'pm/server/pm_hub.h', 'pm/server/pm_kvs.h',
                  'pm/server/pm_server.h'],
    'pm/bind': ['pm/bind/pm_bind.h', 'pm/bind/pm_cpus.h'],
    'pm/node': ['pm/node/pm_node.h', 'pm/node/supervisor.h', 'pm/node/loop.h', 'pm/node/log.h'],
    'pm/channel': ['pm/channel/pm_remote.h', 'pm/channel/pm_proxy.h'],
    'pm/hosts': ['pm/hosts/pm_hosts.h'],
    'pm/pmi': ['pm/pmi/pmi.h', 'pm/pmi/pmi_calls.h', 'pm/pmi/pmi_line.h'],
    'adi3': ['adi3/adi3.h'],
    'adi3/base': ['adi3/adi3_base.h', 'adi3/adi3_handle.h', 'adi3/adi3_language.h',
                  'adi3/base/base.h'],
    'adi3/p2p': ['adi3/adi3_p2p.h', 'adi3/adi3_calls.h', 'adi3/p2p/p2p.h'],
    'adi3/sched': ['adi3/adi3_sched.h', 'adi3/sched/schedule.h'],
    'mpi': ['mpi/mpir.h'],
    'mpi/core': ['mpi/core/core.h', 'mpi/core/hooks.h', 'mpi/core/large.h',
                 'mpi/core/look.h'],
    'mpi/coll': ['mpi/coll/coll.h', 'mpi/coll/nodes.h'],
    'mpi/misc': ['mpi/misc/alloc_mem.h'],
    'mpi/topo': ['mpi/topo/topo.h', 'mpi/topo/graph.h'],
}
NO_MPI = ('platform', 'devices', 'pm')          # layers that do not know mpi.h



def pattern(path):
    """A regular expression for the folders of a row."""
    return re.escape(path).replace(r'\*', '[^/]+')


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
    name = os.path.basename(room)
    if room.startswith('adi3/'):
        return [f'adi3/adi3_{name}.h', f'{room}/{name}.h']
    return FACES.get(room, [f'{room}/{name}.h'])


def may_use(row, other):
    """Whether a room of this row may use the room called other."""
    return any(re.fullmatch(pattern(use), other) for use in row.uses.split())


def sources(root, suffixes=('.c', '.h')):
    """Paths below src/ of all files of the library."""
    top = os.path.join(root, 'src')
    for folder, _, files in os.walk(top):
        for name in sorted(files):
            if name.endswith(suffixes):
                yield os.path.relpath(os.path.join(folder, name), top)


def home(path, homes):
    """Which of the headers of one name a file means: its own folder's, its own layer's, any."""
    own = os.path.dirname(path)
    layer = path.split('/', maxsplit=1)[0] + '/'
    return min(homes, key=lambda h: (os.path.dirname(h) != own, not h.startswith(layer)))


def include_problem(row, room, header):
    """Whether it is wrong to include a header of ours; and the room that it belongs to."""
    if header == 'mpi.h':
        return room.startswith(NO_MPI), None
    owner, other = room_of(header)
    if other == room:
        return False, None
    if not may_use(row, other):
        return True, None
    return header not in faces(owner, other), other


def includes(root):
    """(path, line, text, row, room, header) of all includes of ours.  Headers with <> are the
    system's, unless they have our names."""
    homes = collections.defaultdict(list)
    homes['mpi.h'].append('mpi.h')
    for path in sources(root, ('.h',)):
        homes[os.path.basename(path)].append(path)
    for path in sources(root):
        row, room = room_of(path)
        with open(os.path.join(root, 'src', path), encoding='utf-8') as f:
            for number, line in enumerate(f, 1):
                m = re.match(r'\s*#\s*include\s+[<"](.+?)[>"]', line)
                name = os.path.basename(m.group(1)) if m else ''
                if m and name in homes:
                    yield path, number, m.group(1), row, room, home(path, homes[name])


def symbols(objects):
    """({symbol defined}, {symbol needed}) of object files; also of those with LTO only."""
    defined, needed = set(), set()
    out = subprocess.run(['nm', '--', *objects], capture_output=True, text=True, check=False).stdout
    for line in out.splitlines():
        m = re.match(r'\S* +([UwvA-Z]) (\S+)$', line)    # small letters: static, or weak needs
        if m and not m.group(2).startswith('os_counted_'):      # counted.h is in all of some builds
            (needed if m.group(1) in 'Uwv' else defined).add(m.group(2))
    return defined, needed - defined


def tables(root, build):
    """{room: (row, {defined}, {needed})} of what was built from today's sources."""
    objects, rows = collections.defaultdict(list), {}
    today = set(sources(root, ('.c',)))
    for folder, _, files in os.walk(build):
        for name in files:
            path = os.path.join(folder, name)
            m = re.search(r'(?:^|/)src/(.*)\.o$', os.path.relpath(path, build))
            source = m.group(1).replace('CMakeFiles/', '') if m else ''
            if source in today:
                row, room = room_of(source)
                rows[room] = row
                objects[room].append(path)
    return {room: (rows[room], *symbols(files)) for room, files in objects.items()}


def arrows(root, build):
    """({(room, other): [why]} of all that rooms use, [problems])."""
    found = collections.defaultdict(list)
    bad = [f'src/{path}: belongs to no room' for path in sources(root) if not room_of(path)[0]]
    if bad:
        return found, bad
    for path, number, text, row, room, header in includes(root):
        wrong, other = include_problem(row, room, header)
        if wrong:
            bad.append(f'src/{path}:{number}: {room} may not include {text}')
        if other:
            found[room, other].append(f'{os.path.basename(path)} includes {text}')
    built = tables(root, build)
    if not built:
        bad.append(f'{build}: no object files of src/')
    for room, (row, _, needed) in built.items():
        for other, (_, defined, _) in built.items():
            used = sorted(needed & defined) if other != room else []
            if used:
                found[room, other] += used
            if used and not may_use(row, other):
                bad += [f'{room} calls {symbol} of {other}' for symbol in used]
    return found, bad


def circle(found):
    """One circle of rooms, or []."""
    below = collections.defaultdict(list)
    for room, other in found:
        below[room].append(other)
    done, path = set(), []

    def visit(room):
        if room in path:
            return path[path.index(room):] + [room]
        if room in done:
            return []
        path.append(room)
        for other in below[room]:
            way = visit(other)
            if way:
                return way
        done.add(path.pop())
        return []

    return next((way for way in map(visit, list(below)) if way), [])


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
            uses = sorted((o for r, o in found if r == room and o in floor), key=lambda o: -floor[o])
            names = ' '.join(o[len(layer):] for o in uses)
            yield f'    {n:>2}  {room[len(layer):]:<12}{names}'.rstrip()


def main(root, build, *options):
    """Exit code 0 when every room keeps to what it may use."""
    found, bad = arrows(root, build)
    way = circle(found)
    if way:
        bad.append('a circle of rooms: ' + ' -> '.join(way))
        bad += [f'    {a} -> {b}: {", ".join(found[a, b][:4])}' for a, b in zip(way, way[1:])]
    if '--picture' in options:
        for layer in ('adi3/', 'mpi/'):
            print(f'src/{layer}: floor, room, what it uses there', *picture(found, layer), '',
                  sep='\n')
    print('\n'.join(bad) or f'layers ok: {len(list(sources(root)))} files, '
                            f'{len({r for pair in found for r in pair})} rooms')
    return bool(bad)


if __name__ == '__main__':
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ['--picture']):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
