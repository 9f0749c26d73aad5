#!/usr/bin/env python3
"""Plants a commit for each rule of tools/checks/check_commits into a repository of its own.

Usage: commits_rules.py TOOLS         (exit code 77: git is not here)"""
import os
import shutil
import subprocess
import sys
import tempfile

TOOLS = sys.argv[1]
NOW = '1700000000 +0000'
ENV = {**os.environ, 'GIT_CONFIG_GLOBAL': '/dev/null', 'GIT_CONFIG_SYSTEM': '/dev/null',
       'GIT_AUTHOR_NAME': 'a', 'GIT_AUTHOR_EMAIL': 'a@b', 'GIT_COMMITTER_NAME': 'a',
       'GIT_COMMITTER_EMAIL': 'a@b', 'GIT_AUTHOR_DATE': NOW, 'GIT_COMMITTER_DATE': NOW}
for name in 'GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE':       # of a hook that runs the tests
    ENV.pop(name, None)

FIRST = '#include "a.h"\n/* One. */\nint a_first(void) { return 1; }\n'
SECOND = FIRST.replace('1', '2')
LONG = 'test: ' + 'x' * 66

# (message, {path: text}, what the check says, or None for nothing). {first}: the first commit of all.
COMMITS = [
    ('adi3: a first file\n\nIt was missing.', {'src/a.c': FIRST}, None),
    (LONG, {'test/a.c': 'a'}, None),
    ('adi3: comments and includes', {'src/a.c': FIRST.replace('One', 'Two').replace('a.h', 'b.h')},
     None),
    ('adi3: a folder', {'src/a.c': None, 'src/b/a.c': FIRST}, None),
    ('adi3: two\n\nBehavior: unchanged', {'src/b/a.c': SECOND}, None),
    ('adi3: one again\n\nTwo were too many.\n\nFixes: {first}', {'src/b/a.c': FIRST}, None),
    ('p2p, rma: no file\n\nfixes: {first} (adi3: a first file)', {'test/a.c': 'b'}, None),
    ('Revert "adi3: two and whatever makes this title longer than all titles are"',
     {'test/a.c': 'c'}, None),
    ('build: a comment', {'src/CMakeLists.txt': '# here\n'}, None),
    (LONG + 'x', {'test/a.c': 'd'}, 'the title has 73 letters, 72 is the limit'),
    ('Change something', {'test/a.c': 'e'}, "the form 'room: what changes'"),
    ('fixup! adi3: two', {'test/a.c': 'f'}, "the form 'room: what changes'"),
    ('test: a line\nand more', {'test/a.c': 'g'}, 'a blank line must follow the title'),
    ('adi3: no reason', {'src/b/a.c': SECOND}, 'it changes the code of src/b/a.c'),
    ('adi3: a trailer\n\nReviewed-by: a', {'src/b/a.c': FIRST}, 'it changes the code of src/b/a.c'),
    ('adi3: moved and changed', {'src/b/a.c': None, 'src/c.c': SECOND},
     'it changes the code of src/'),
    ('adi3: gone', {'src/c.c': None}, 'it changes the code of src/c.c'),
    ('mpi: a constant', {'include/mpi.h': '#define MPI_A 1\n'}, 'it changes the code of include/mpi.h'),
    ('build: an option', {'src/CMakeLists.txt': '# here\nset(A B)\n'},
     'it changes the code of src/CMakeLists.txt'),
    ('test: short\n\nWhy.\n\nFixes: {short}', {'test/a.c': 'h'}, 'at least 8 digits'),
    ('test: a number\n\nWhy.\n\nFixes: #38', {'test/a.c': 'i'}, 'at least 8 digits'),
    ('test: unknown\n\nWhy.\n\nFixes: 0123456789', {'test/a.c': 'j'}, 'there is no commit 0123456789'),
    ('test: a stranger\n\nWhy.\n\nFixes: {other}', {'test/a.c': 'k'}, 'is no commit before this one'),
]


def git(root, *words, text=None):
    return subprocess.run(['git', '-C', root, *words], env=ENV, input=text, check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.strip()


def check(root, *words):
    """(exit code, lines) of the copy of the tool in a repository."""
    run = subprocess.run([sys.executable, f'{root}/tools/checks/check_commits', *words], env=ENV, text=True,
                         capture_output=True, check=False)
    return run.returncode, (run.stdout + run.stderr).splitlines()


def commit(branch, message, files, parent=''):
    """A commit for git fast-import: behind the last one of its branch, or behind parent."""
    def data(text):
        return f'data {len(text.encode())}\n{text}\n'

    changed = ''.join(f'D {path}\n' if text is None else f'M 644 inline {path}\n{data(text)}'
                      for path, text in files.items())
    return (f'commit refs/heads/{branch}\ncommitter a <a@b> {NOW}\n{data(message)}{parent}'
            f'{changed}\n')


def make_repository(root):
    """main has one commit, and the branch `work` those of COMMITS."""
    git(root, 'init', '-q', '-b', 'main')
    git(root, 'fast-import', '--quiet', text=commit('main', 'all: a begin', {'README.md': 'a\n'})
        + commit('other', 'all: another begin', {'README.md': 'b\n'}))
    first = git(root, 'rev-parse', 'main')
    names = {'first': first[:8], 'short': first[:7], 'other': git(root, 'rev-parse', 'other')}
    git(root, 'fast-import', '--quiet', text=''.join(
        commit('work', message.format(**names), files, '' if i else 'from refs/heads/main\n')
        for i, (message, files, _) in enumerate(COMMITS)))


def rules(root):
    """Each commit gets what its row says, and nothing else."""
    git(root, 'symbolic-ref', 'HEAD', 'refs/heads/work')
    code, said = check(root)
    assert code == 1, said
    hashes = git(root, 'log', '--reverse', '--format=%h', '--abbrev=8', 'main..work').splitlines()
    assert len(hashes) == len(COMMITS), hashes
    for name, (message, _, wanted) in zip(hashes, COMMITS):
        lines = [line for line in said if line.startswith(name + ' ' + message.split('\n')[0])]
        assert len(lines) == bool(wanted) and all(wanted in line for line in lines), (message, lines)
    assert len(said) == sum(bool(wanted) for *_, wanted in COMMITS), said


def ranges(root):
    """A range, a base, the commit before on main; nothing without a history."""
    good = sum(not wanted for *_, wanted in COMMITS)
    last = git(root, 'rev-parse', f'work~{len(COMMITS) - good}')
    assert check(root, f'main..{last}') == (0, [f'commits ok: {good}'])
    assert check(root, 'work~1')[0] == 1
    assert check(root, 'nowhere') == (1, ["check_commits: 'nowhere' names no commits"])
    git(root, 'update-ref', 'refs/heads/main', last)
    git(root, 'symbolic-ref', 'HEAD', 'refs/heads/main')
    assert check(root) == (0, ['commits ok: 1'])
    with tempfile.TemporaryDirectory() as shallow:
        git(root, 'clone', '-q', '--depth', '1', '--branch', 'work', f'file://{root}', f'{shallow}/a')
        copy_tool(f'{shallow}/a')
        assert check(f'{shallow}/a') == (0, [])
        shutil.rmtree(f'{shallow}/a/.git')
        assert check(f'{shallow}/a') == (0, [])


def copy_tool(root):
    os.makedirs(f'{root}/tools/checks', exist_ok=True)
    shutil.copy(f'{TOOLS}/check_commits', f'{root}/tools/checks')


def main():
    if not shutil.which('git'):
        sys.exit(77)
    with tempfile.TemporaryDirectory() as root:
        copy_tool(root)
        make_repository(root)
        rules(root)
        ranges(root)


if __name__ == '__main__':
    main()
