#!/usr/bin/env python3
"""Plants a violation of each rule of tools/checks/check_documents.py into a small tree of its own.

Usage: documents_rules.py TOOLS"""
import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import check_documents     # noqa: E402

TREE = {
    'CMakeLists.txt': 'option(STARLING_LTO "OFF: no link-time optimization" ON)\n',
    'README.md': '| option | default |\n| --- | --- |\n| `STARLING_LTO` | `ON` |\n',
    'CHANGELOG.md': '# Changes\n\n## 1.2, today\n',
    'doc/page.md': '# Page\n',
    'doc/standard.md': '| hint | values |\n| --- | --- |\n| cb_nodes | a number |\n\n',
    'include/mpi.h': '#define STARLING_VERSION "1.2"\n',
    'src/mpi/init/init.c': '/* init.c */\nint PMPI_Init(void)\n{\n    return 0;\n}\n' + '\n' * 45,
    'src/mpi/io/hints.c': '    { "cb_nodes", NUMBER },\n',
    'src/platform/setting.c': '    { "DEVICES", SETTING_TEXT, 0, "all" },\n'
                              '    { "DEVS", SETTING_RENAMED, 0, "DEVICES" },\n',
    'src/pm/channel/pm_proxy.h': '#define PROXY "--starling-proxy"\n',
    'src/pm/pmi/pmi_stand_in.h': '#define STAND_IN "--starling-stand-in"\n',
    'src/pm/mpiexec/options/help.c': '"as with -n 4"\n',
    'src/pm/mpiexec/options/table.c': '    { "n np", "count" },\n',
    'test/api/functions.tsv': 'MPI_Init\t1\nMPI_Finalize\t1\n',
    'tools/README.md': '# Tools\n\n    bench                   measures\n',
    'tools/bench': '# usage: tools/bench [--only CASE]\n',
}
# (file, text added to it, what the check says of it, or '' for nothing)
PLANTED = [
    ('doc/page.md', '`src/mpi/init/init.c` `init/` `init.c` `src/mpi/NAME.c`', ''),
    ('doc/page.md', '`src/mpi/gone.c`', 'there is no file src/mpi/gone.c'),
    ('doc/page.md', '`PMPI_Init()` `return`', ''),
    ('doc/page.md', '`vanished`', 'vanished is no word of the sources'),
    ('doc/page.md', 'the function has_vanished', 'has_vanished is no word of the sources'),
    ('doc/page.md', '`return()`', 'there is no function return()'),
    ('doc/page.md', '[a](standard.md) [b](https://example.org/x)', ''),
    ('doc/page.md', '[a](gone.md)', 'the link gone.md leads nowhere'),
    ('doc/page.md', 'STARLING_DEVICES=shm, `STARLING_LTO`', ''),
    ('doc/page.md', 'STARLING_DEVS', 'STARLING_DEVS is an old name of STARLING_DEVICES'),
    ('doc/page.md', 'STARLING_GONE', 'there is no setting STARLING_GONE'),
    ('src/mpi/init/init.c', '"STARLING_GONE"', 'there is no setting STARLING_GONE'),
    ('doc/page.md', '    mpiexec -n 4 ./program --x', ''),
    ('doc/page.md', '    mpiexec -gone 4 ./program', 'mpiexec has no option -gone'),
    ('src/pm/mpiexec/options/help.c', '"as with -gone"', 'mpiexec has no option -gone'),
    ('doc/page.md', '    tools/bench --only x', ''),
    ('doc/page.md', '    tools/bench --gone', 'tools/bench has no option --gone'),
    ('doc/page.md', 'api-status says: 1 of 2.', ''),
    ('doc/page.md', 'api-status says: 2 of 2.', 'there are 1 of 2 functions'),
    ('doc/page.md', '`src/mpi/init/init.c`, in 48 lines', ''),
    ('doc/page.md', '`src/mpi/init/init.c`, in 90 lines', 'src/mpi/init/init.c has 50 lines, not 90'),
    ('README.md', '| `STARLING_LTO` | `OFF` |', 'the default of STARLING_LTO is ON, not OFF'),
    ('README.md', '| `STARLING_DEVICES` | `all` |', 'STARLING_DEVICES is no option of CMake'),
    ('src/mpi/io/hints.c', '    { "cb_config", TEXT },', 'the table has no hint cb_config'),
    ('tools/budget', 'echo', 'it has no line for budget'),
    ('tools/README.md', '    gone                    was here', 'there is no file gone in tools'),
    ('include/mpi.h', '/* in init.c and any.c */', 'there is no file any.c'),
]
MOST = 'a word - ' * 60         # a dash is none
MORE = MOST + 'more'


def problems(tree):
    """What the check says of a tree."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in tree.items():
            os.makedirs(os.path.dirname(f'{root}/{path}'), exist_ok=True)
            with open(f'{root}/{path}', 'w', encoding='utf-8') as f:
                f.write(text)
        return [what for _, _, what in check_documents.check(check_documents.Tree(root))]


def expect(wanted, path, old, new):
    """The check says one thing, and this, of a file with another text; nothing if '' is wanted."""
    said = problems({**TREE, path: TREE.get(path, '').replace(old, new) if old else TREE.get(path, '') + new})
    assert set(said) == ({wanted} if wanted else set()), (path, new, said)


def lines_of(text):
    """The lines of a text that begin paragraphs that are too long."""
    return [text.count('\n', 0, at) + 1 for at, what in check_documents.long_paragraphs(text)
            if what == 'a paragraph of 121 words, 120 is the limit']


def long_paragraphs():
    assert not lines_of(f'# Title\n\n{MOST}\n\n{MOST}\n')
    assert lines_of(f'# Title\n\n{MOST}\n\n{MORE}\n') == [5]
    assert lines_of(f'# Title\n{MOST}\nmore\n# Title\n') == [2]
    assert not lines_of(f'{MOST}\n* {MOST}\n- {MOST}\n1. {MOST}\n\n    {MORE}\n')
    assert lines_of(f'* {MOST}\n* {MOST}\n  more\n') == [2]
    assert not lines_of(f'| {MOST} | {MOST} |\n| --- | --- |\n')
    assert lines_of(f'| a | b |\n| {MOST} | {MORE} |\n') == [2]
    expect('a paragraph of 121 words, 120 is the limit', 'doc/page.md', '', f'\n{MORE}\n')


def main():
    assert problems(TREE) == []
    for path, text, wanted in PLANTED:
        expect(wanted, path, '', f'\n{text}\n')
    expect('hints.c has no hint stripes', 'doc/standard.md', 'cb_nodes', 'cb_nodes, stripes')
    expect('the version of mpi.h is 1.2', 'CHANGELOG.md', '1.2', '1.1')
    long_paragraphs()


if __name__ == '__main__':
    main()
