#!/usr/bin/env python3
"""Fails when a layer includes a header, or needs a symbol, that is not its business.

Usage: check_layers.py SRC_DIR BUILD_DIR      (a CTest; takes about a second)

SRC_DIR holds src/.  The object files below BUILD_DIR that were made from src/LAYER/... are asked
for their symbols; the layer is read from their paths, so names of libraries do not matter."""
import collections
import os
import re
import subprocess
import sys

# What a layer's files may include besides their own headers, and whose functions they may call.
# A layer is the first row that the path below src/ begins with.
Layer = collections.namedtuple('Layer', 'path headers calls')
LAYERS = [
    Layer('platform', (), ()),
    Layer('devices/*', ('device.h', 'iov.h', 'hex.h', 'platform/*'), ('platform',)),
    Layer('devices', ('device.h', 'platform/*', 'devices/*'), ('platform', 'devices/*')),
    Layer('pm', ('platform/*',), ('platform',)),
    Layer('adi3', ('device.h', 'pmi.h', 'mpi.h', 'platform/*'), ('platform', 'devices', 'pm')),
    Layer('mpi/init', ('adi3.h', 'mpi.h', 'os.h', 'setting.h', 'mpi/*'),
          ('mpi', 'adi3', 'platform')),
    Layer('mpi/tool', ('mpi.h', 'os.h', 'setting.h', 'mpi/init/*'), ('mpi', 'mpi/init', 'platform')),
    Layer('mpi', ('adi3.h', 'mpi.h', 'setting.h'), ('adi3', 'platform')),
]


def layer_of(path):
    """(layer, group) of a path below src/; devices are a group each."""
    for layer in LAYERS:
        pattern = re.escape(layer.path).replace(r'\*', '[^/]+') + '/'
        m = re.match(pattern, path)
        if m:
            return layer, m.group(0)
    return None, None


def sources(root, suffixes=('.c', '.h')):
    """Paths below src/ of all files of the library."""
    top = os.path.join(root, 'src')
    for folder, _, files in os.walk(top):
        for name in sorted(files):
            if name.endswith(suffixes):
                yield os.path.relpath(os.path.join(folder, name), top)


def may_include(layer, group, name, homes):
    """Whether a file of this group may include a header called name; homes: where there are
    headers of this name."""
    if name in layer.headers or any(home.startswith(group) for home in homes):
        return True
    return any(home.startswith(h[:-1]) for h in layer.headers if h.endswith('/*')
               for home in homes)


def include_problems(root):
    """Lines about includes.  Headers with <> are the system's, unless they have our names."""
    homes = collections.defaultdict(list)
    homes['mpi.h'].append('../include/mpi.h')
    for path in sources(root, ('.h',)):
        homes[os.path.basename(path)].append(path)
    for path in sources(root):
        layer, group = layer_of(path)
        if not layer:
            yield f'src/{path}: belongs to no layer'
            continue
        with open(os.path.join(root, 'src', path), encoding='utf-8') as f:
            for number, line in enumerate(f, 1):
                m = re.match(r'\s*#\s*include\s+([<"])(.+?)[>"]', line)
                name = os.path.basename(m.group(2)) if m else ''
                if not m or m.group(1) == '<' and name not in homes:
                    continue
                if not may_include(layer, group, name, homes[name]):
                    yield f'src/{path}:{number}: {layer.path} may not include {m.group(2)}'


def symbols(objects):
    """({symbol defined}, {symbol needed}) of object files; also of those with LTO only."""
    defined, needed = set(), set()
    out = subprocess.run(['nm', '--', *objects], capture_output=True, text=True, check=False).stdout
    for line in out.splitlines():
        m = re.match(r'\S* +([UwvA-Z]) (\S+)$', line)    # small letters: static, or weak needs
        if m:
            (needed if m.group(1) in 'Uwv' else defined).add(m.group(2))
    return defined, needed - defined


def symbol_problems(build):
    """Lines about functions that are called past the neighbour layer, or upwards."""
    objects = collections.defaultdict(list)
    for folder, _, files in os.walk(build):
        for name in files:
            path = os.path.join(folder, name)
            m = re.search(r'(?:^|/)src/(.*)\.o$', os.path.relpath(path, build))
            if m:
                layer, group = layer_of(m.group(1).replace('CMakeFiles/', ''))
                if layer:
                    objects[group, layer].append(path)
    if not objects:
        yield f'{build}: no object files of src/'
    tables = {key: symbols(files) for key, files in objects.items()}
    for (group, layer), (_, needed) in tables.items():
        for (other, owner), (defined, _) in tables.items():
            if other != group and owner.path not in layer.calls:
                for symbol in sorted(needed & defined):
                    yield f'{group[:-1]} calls {symbol} of {other[:-1]}'


def main(root, build):
    """Exit code 0 when every layer keeps to its neighbours."""
    bad = [*include_problems(root), *symbol_problems(build)]
    print('\n'.join(bad) or f'layers ok: {len(list(sources(root)))} files')
    return bool(bad)


if __name__ == '__main__':
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
