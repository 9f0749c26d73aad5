#!/usr/bin/env python3
"""Plants a violation of each rule of tools/checks/check_layers.py into a small tree of its own.

Usage: layers_rules.py TOOLS CC"""
import contextlib
import io
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
TOOLS, CC = sys.argv[1:3]
sys.path.insert(0, TOOLS)
import check_layers     # noqa: E402

# A ground, two rooms on it, and an MPI layer. below.c and other.c are files of one room.
TREE = {
    'src/platform/os.h': 'int os_zero(void);',
    'src/platform/os.c': '#include "platform/os.h"\nint os_zero(void) { return 0; }',
    'src/adi3/adi3_base.h': 'int adi3_below(void);',
    'src/adi3/base/base.h': 'int base_other(void);',
    'src/adi3/base/below.c': '#include "platform/os.h"\n#include "adi3/base/base.h"\n'
                             '#include "adi3/adi3_base.h"\n'
                             'int adi3_below(void) { return os_zero() + base_other(); }',
    'src/adi3/base/other.c': '#include "adi3/base/base.h"\nint base_other(void) { return 1; }',
    'src/adi3/adi3_top.h': 'int adi3_top(void);',
    'src/adi3/top/top.c': '#include "adi3/adi3_top.h"\n#include "adi3/base/base.h"\n'
                          'int adi3_top(void) { return base_other(); }',
    'src/mpi/core/core.c': '#include "adi3/adi3_top.h"\nint mpi_core(void) { return adi3_top(); }',
    'test/adi3/base/below.c': '#include "platform/os.h"\n#include "adi3/base/base.h"',
    'test/adi3/fake.c': '#include "adi3/base/base.h"',
}
ROOMS = [
    ('platform', ''),
    ('adi3/base', 'platform'),
    ('adi3/top', 'adi3/base'),
    ('mpi/core', 'adi3/*'),
]


def problems(changes=(), rooms=ROOMS, known=(), edit_picture=lambda text: text, built='build'):
    """What the check says of the tree with these changes: [(path, added text)]."""
    tree = dict(TREE)
    for path, text in changes:
        tree[path] = tree.get(path, '') + '\n' + text
    check_layers.ROOMS = [check_layers.Room(*row) for row in rooms]
    check_layers.FACES = {'platform': ['platform/os.h'], 'mpi/core': []}
    check_layers.TESTS = {'test/adi3/*': '+', 'test/adi3': 'adi3/*'}
    check_layers.KNOWN_CIRCLES = known
    with tempfile.TemporaryDirectory() as root:
        for path, text in tree.items():
            os.makedirs(os.path.dirname(f'{root}/{path}'), exist_ok=True)
            with open(f'{root}/{path}', 'w', encoding='utf-8') as f:
                f.write(text + '\n')
        build(root, tree)
        os.mkdir(f'{root}/doc')
        found, _, _ = check_layers.arrows(root, f'{root}/build')
        with open(f'{root}/{check_layers.PICTURE_IN}', 'w', encoding='utf-8') as f:
            f.write(edit_picture('\n'.join(check_layers.pictures(found))))
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            code = check_layers.main(root, f'{root}/{built}')
        text = said.getvalue()
        assert code == (not text.startswith('layers ok')), text
        return [] if code == 0 else text.splitlines()


OBJECTS = {}    # {(path and text of a source, headers): its object}


def build(root, tree):
    """Objects below build/src, as a build directory has them."""
    headers = tuple(item for item in tree.items() if item[0].endswith('.h'))
    with open(f'{root}/mpi.h', 'w', encoding='utf-8'):
        pass
    for source in tree.items():
        path = source[0]
        if not (path.startswith('src/') and path.endswith('.c')):
            continue
        made = f'{root}/build/{path}.o'
        os.makedirs(os.path.dirname(made), exist_ok=True)
        if (source, headers) in OBJECTS:
            with open(made, 'wb') as f:
                f.write(OBJECTS[source, headers])
            continue
        subprocess.run([*CC.split(), '-w', f'-I{root}', f'-I{root}/src', '-c', f'{root}/{path}', '-o', made],
                       check=True)
        with open(made, 'rb') as f:
            OBJECTS[source, headers] = f.read()


def expect(wanted, **arguments):
    """The check says one thing, and this."""
    said = [line for line in problems(**arguments) if not line.startswith('    ')]
    assert len(said) == 1 and wanted in said[0], (wanted, said)


CALL_UP = ('src/adi3/base/other.c', 'int adi3_top(void); int base_up(void) { return adi3_top(); }')
CALL_BACK = ('src/adi3/base/other.c',
             'int adi3_below(void); int base_back(void) { return adi3_below(); }')

# A room in the folder of another one, which uses it as mpi/core does.
INSIDE = [('src/adi3/top/inside/top_inside.h', 'int top_inside(void);'),
          ('src/adi3/top/inside/inside.c', '#include "adi3/base/base.h"\n'
                                           '#include "adi3/top/inside/top_inside.h"\n'
                                           'int top_inside(void) { return base_other(); }'),
          ('src/adi3/top/top.c', '#include "adi3/top/inside/top_inside.h"\nint adi3_in(void) { return top_inside(); }')]
INSIDE_ROW = ('adi3/top/inside', 'adi3/base')
INSIDE_ROWS = [*ROOMS[:2], INSIDE_ROW, ('adi3/top', 'adi3/base adi3/top/inside'), *ROOMS[3:]]


def rows(**uses):
    """The rows, with other uses of some."""
    return [(path, uses.get(path.replace('/', '_'), row)) for path, row in ROOMS]


def main():
    assert not problems()
    expect('src/new/file.c: belongs to no room', changes=[('src/new/file.c', 'int new_file;')])
    expect('other.c:3: adi3/base may not include adi3/adi3_top.h',
           changes=[('src/adi3/base/other.c', '#include "adi3/adi3_top.h"')])
    expect('core.c:3: mpi/core may not include adi3/top/inner.h',
           changes=[('src/adi3/top/inner.h', ''),
                    ('src/mpi/core/core.c', '#include "adi3/top/inner.h"')])
    expect('top.c:4: a header is included by its path from src',
           changes=[('src/adi3/top/inner.h', ''), ('src/adi3/top/top.c', '#include "inner.h"')])
    expect('test/adi3/fake.c:2: its tests may not include platform/os.h',
           changes=[('test/adi3/fake.c', '#include "platform/os.h"')])
    expect('test/adi3/base/below.c:3: its tests may not include adi3/adi3_top.h',
           changes=[('test/adi3/base/below.c', '#include "adi3/adi3_top.h"')])
    expect('test/adi3/gone/old.c: its folder is that of no room of src',
           changes=[('test/adi3/gone/old.c', '')])
    expect('test/mpi/core.c:2: its tests may not include adi3/adi3_base.h',
           changes=[('test/mpi/core.c', '#include "adi3/adi3_base.h"')])
    expect('core.c:3: mpi/core may not include adi3/base/base.h',
           changes=[('src/mpi/core/core.c', '#include "adi3/base/base.h"')])
    expect('platform may not include mpi.h', changes=[('src/platform/os.c', '#include <mpi.h>')])
    expect('mpi/core calls os_zero of platform',
           changes=[('src/mpi/core/core.c', 'int os_zero(void); int mpi_zero(void) { return os_zero(); }')])
    expect('the row of adi3/top names platform, which it does not use',
           rooms=rows(adi3_top='adi3/base platform'))
    expect('a circle of rooms: adi3/base adi3/top', rooms=rows(adi3_base='platform adi3/top'),
           changes=[CALL_UP])
    assert not problems(changes=INSIDE, rooms=INSIDE_ROWS)
    expect('mpi/core may not include adi3/top/inside/top_inside.h', rooms=INSIDE_ROWS,
           changes=[*INSIDE, ('src/mpi/core/core.c', '#include "adi3/top/inside/top_inside.h"')])
    assert not problems(rooms=INSIDE_ROWS, changes=[
        *INSIDE, ('src/mpi/core/core.c', 'int top_inside(void); int mpi_in(void) { return top_inside(); }')])
    expect('adi3/top may not include adi3/top/inside/own.h', rooms=INSIDE_ROWS,
           changes=[*INSIDE, ('src/adi3/top/inside/own.h', ''),
                    ('src/adi3/top/top.c', '#include "adi3/top/inside/own.h"')])
    expect('adi3/top/inside calls adi3_top of adi3/top', rooms=[*ROOMS[:2], INSIDE_ROW, *ROOMS[2:]],
           changes=[*INSIDE[:2], ('src/adi3/top/inside/inside.c',
                                  'int adi3_top(void); int in_top(void) { return adi3_top(); }')])
    expect('a circle of files: adi3/base/below.c adi3/base/other.c', changes=[CALL_BACK])
    assert not problems(changes=[CALL_BACK],
                        known=[('adi3/base/below.c', 'adi3/base/other.c')])
    expect('no object files of src/', built='doc')
    expect('has another picture of the rooms',
           edit_picture=lambda text: text.replace('top           base', 'top'))


if __name__ == '__main__':
    main()
