#!/usr/bin/env python3
"""Compares documents (*.md, doc/*.md, tools/*.md) and comments with the code: what they name must exist.

Usage: check_documents.py [ROOT]         (a CTest)

In documents:
  - words in backticks are words of the sources, and what has () is a function; so are all words
    with an underscore, wherever they stand;
  - files in backticks and links exist, at this path or at one that ends like it;
  - a setting STARLING_NAME is a row of a table of settings, an option of CMake, or a variable that
    a script reads; it is not an old name of a setting;
  - options of mpiexec and of the scripts in tools/ are there; so are those that mpiexec's own help
    names;
  - no paragraph, item of a list, or cell of a table has more than 120 words;
  - numbers of functions and of lines are right; the table of CMake's options has their defaults, that of
    the hints for files has all of them; the newest changes are those of this version;
  - tools/README.md has all files of tools/.
In comments of the sources, files that are named exist.

It prints a line for each problem; the exit code is then 1."""
import fnmatch
import os
import re
import sys

CODE = ('.c', '.h', '.cpp', '.f', '.f90', '.py', '.sh', '.in', '.cmake', '.txt', '.json', '.pml', '.tsv', '')
SUFFIXES = r'c|h|py|md|sh|f90|pml|txt|in|cmake|tsv|json'
# Names that stand for any.
ANY = {'NAME', 'DIR', 'PROGRAM', 'OPERATION', 'FILE', 'RANK', 'PREFIX', 'NODE', 'ROOM'}
STANDS = rf'(?<![A-Za-z])({"|".join(sorted(ANY))}|[Xx])(?![A-Za-z])'
WORDS_MOST = 120        # of a paragraph
# Words of others: programs, resource managers, languages and systems that the documents speak of.
FOREIGN = {
    'ConnectionAttempts', 'mpiImplementation', 'surrogateescape', 'nr_hugepages',
}
# Files that are not in the repository: installed, made by a build, MPICH's, the system's.
ELSEWHERE = {'starling.conf', 'etc/starling.conf', 'ompi-fort.pc', 'mpif.h', 'mpir_err.h',
             'mpir_handlemem.h', 'ISO_Fortran_binding.h'}



def read(*path):
    """The text of a file; bytes that are no text are kept out."""
    with open(os.path.join(*path), encoding='utf-8', errors='replace') as f:
        return f.read()


class Tree:
    """The sources: their paths, words, functions and texts."""

    def __init__(self, root):
        self.root, self.paths, self.texts = root, [], {}
        for top in ('.ci', 'cmake', 'doc', 'examples', 'include', 'packaging', 'src', 'test', 'tools'):
            for folder, _, names in os.walk(os.path.join(root, top)):
                self.paths += [os.path.relpath(os.path.join(folder, n), root) for n in names]
        self.paths += [n for n in os.listdir(root) if os.path.isfile(os.path.join(root, n))]
        self.folders = {os.path.dirname(p) for p in self.paths}
        self.folders |= {os.path.dirname(f) for f in self.folders}
        for path in self.paths:
            if os.path.splitext(path)[1] in CODE and '/corpus/' not in path:
                self.texts[path] = read(root, path)
        text = '\n'.join(self.texts.values())
        self.words = set(re.findall(r'\w+', text))
        self.functions = set(re.findall(r'(\w+)\(', text))

    def exists(self, path):
        """Whether a file or folder is there at a path, or at one that ends like it; * and names that
        stand for any fit all."""
        pattern = re.sub(STANDS, '*', ('*' if path.startswith('_') else '') + path.rstrip('/'))
        return any(p == pattern or p.endswith('/' + pattern)
                   or '*' in pattern and fnmatch.fnmatch('/' + p, '*/' + pattern)
                   for p in (self.folders if path.endswith('/') else [*self.paths, *self.folders]))

    def has_word(self, word):
        """Whether a word is one of the sources; one that ends in _ begins one."""
        if {word, 'MPI_ERR_' + word} & self.words or word in FOREIGN or word in ANY:
            return True
        if re.match('STARLING_[A-Z]|p?mpi_[a-z_]+_$', word):    # see settings; of Fortran
            return True
        pattern = re.sub(STANDS, r'\\w+', word)
        if pattern == word and not word.endswith('_'):
            return False
        known = re.compile(pattern + (r'\w*' if word.endswith('_') else ''))
        return any(known.fullmatch(w) for w in self.words)


# ---- words, files --------------------------------------------------------------------------------

def spans(text):
    """(offset, text) of what is in backticks."""
    for m in re.finditer(r'`([^`]+)`', re.sub(r'^    .*$', lambda m: ' ' * len(m.group(0)), text,
                                              flags=re.M)):
        yield m.start(), re.sub(r'\s+', ' ', m.group(1))


def is_path(word):
    """Whether a word in backticks looks like a file or folder."""
    return re.fullmatch(rf'[\w./*-]+\.({SUFFIXES})|[\w./-]+/', word) or re.match(
        r'(src|test|tools|doc|include|examples|cmake)/[\w./*-]*$', word)


def words_and_files(tree, text):
    """Problems of what is in backticks, and of words with an underscore."""
    for at, span in spans(text):
        for word in span.split():
            word = word.strip('",;')
            if is_path(word):
                if word not in ELSEWHERE and not word.startswith('/') and not tree.exists(word):
                    yield at, f'there is no file {word}'
        if re.search(r'[^\w\s()*&.,>=-]', span) or is_path(span):
            continue
        for word in re.findall(r'(?<![\w-])[A-Za-z_]\w\w+', span):
            if not tree.has_word(word):
                yield at, f'{word} is no word of the sources'
        m = re.match(r'(?:\w+(?:->|\.))?(\w+)\(', span)
        if m and m.group(1) not in tree.functions and not re.search(STANDS, m.group(1)):
            yield at, f'there is no function {m.group(1)}()'
    for m in re.finditer(r'(?<![\w/.<-])[A-Za-z]\w*_\w*(?![\w/.-]*\.[a-z])', text):
        if not tree.has_word(m.group(0)):
            yield m.start(), f'{m.group(0)} is no word of the sources'


def links(tree, path, text):
    """Links whose files are not there."""
    for m in re.finditer(r'\]\(([^)#\s]+)', text):
        target = os.path.normpath(os.path.join(os.path.dirname(path), m.group(1)))
        if '://' not in m.group(1) and target not in tree.paths:
            yield m.start(), f'the link {m.group(1)} leads nowhere'


def comments(tree):
    """Files that comments name and that are not there."""
    included = {os.path.basename(h) for text in tree.texts.values()
                for h in re.findall(r'#\s*include [<"]([^>"]+)', text)}
    for path, text in tree.texts.items():
        if not path.endswith(('.c', '.h')):
            continue
        for c in re.finditer(r'/\*.*?\*/', text, re.S):
            for m in re.finditer(r'(?<![\w./*-])[\w/]+\.[ch](?![\w.])', c.group(0)):
                name = m.group(0)
                if os.path.basename(name) not in included | ELSEWHERE and not tree.exists(name):
                    yield path, c.start() + m.start(), f'there is no file {name}'


# ---- paragraphs ----------------------------------------------------------------------------------

def paragraphs(text):
    """(offset, text) of each paragraph, item of a list and cell of a table; code is none."""
    start, lines, at = 0, [], 0
    for line in [*text.split('\n'), '']:
        apart = not line.strip() or line[0] in '#|' or line.startswith('    ')
        item = re.match(r' *([*-]|\d+\.) ', line)
        if apart or item:
            yield start, ' '.join(lines)
            lines = []
        if line.startswith('|'):
            for cell in line.split('|'):
                yield at, cell
        elif not apart:
            start = start if lines else at
            lines.append(line[item.end():] if item else line)
        at += len(line) + 1


def long_paragraphs(text):
    """Paragraphs with too many words."""
    for at, paragraph in paragraphs(text):
        words = len([word for word in paragraph.split() if re.search(r'\w', word)])
        if words > WORDS_MOST:
            yield at, f'a paragraph of {words} words, {WORDS_MOST} is the limit'


# ---- settings ------------------------------------------------------------------------------------

def settings(tree):
    """(names of settings, old names with the new ones), without STARLING_."""
    names, old = set(), {}
    for path, text in tree.texts.items():
        if not path.startswith('src/'):
            continue
        for name, kind, new in re.findall(
                r'\{\s*"([A-Z_]+)",\s*SETTING_(\w+),[^,]*,\s*"?([^",]*)', text):
            if kind == 'RENAMED':
                old[name] = new
            else:
                names.add(name)
        names |= {f'{n}_ALGORITHM' for n in re.findall(r'^    ROW\((\w+),', text, re.M)}
    return names, old


def other_variables(tree):
    """STARLING_x that are no settings: of CMake, macros, and what is read from the environment. The
    wrapper compilers read names that their template makes; setting.c lists them."""
    found = set(re.findall(r'(?:getenv\("|#define )STARLING_(\w+)',
                           '\n'.join(tree.texts.values())))
    found |= set(re.findall(r'"STARLING_(\w+)="', tree.texts['src/platform/setting.c']))
    for path, text in tree.texts.items():
        if path == 'CMakeLists.txt' or path.startswith('cmake/') or path.endswith('CMakeLists.txt'):
            found |= set(re.findall(r'\bSTARLING_(\w+)', text))
    return found


def setting_names(names, old, text):
    """Settings that are none."""
    for m in re.finditer(r'STARLING_([A-Z][A-Z0-9_]*)', text):
        name = m.group(1)
        if name in old:
            yield m.start(), f'STARLING_{name} is an old name of STARLING_{old[name]}'
        elif name not in names:
            yield m.start(), f'there is no setting STARLING_{name}'


def cmake_options(tree, text):
    """Differences between README's table of CMake's options and CMake."""
    cmake = '\n'.join(t for p, t in sorted(tree.texts.items())
                      if p == 'CMakeLists.txt' or p.startswith('cmake/'))
    defaults = dict(re.findall(r'^option\((STARLING_\w+)\s+"[^"]*"\s+(\S+)\)', cmake, re.M))
    defaults |= dict(re.findall(r'^set\((STARLING_\w+) "?([^"\s]+)"? CACHE', cmake, re.M))
    every = re.search(r'^set\(ALL_DEVICES "(.*?)"\)', cmake, re.M)
    for m in re.finditer(r'^\| `(STARLING_\w+)` \| `([^`]*)`', text, re.M):
        name, shown = m.groups()
        now = defaults.get(name)
        if now == '${ALL_DEVICES}':
            now = every.group(1)
        if now is None:
            yield m.start(), f'{name} is no option of CMake'
        elif not now.startswith('${') and now != shown:
            yield m.start(), f'the default of {name} is {now}, not {shown}'


# ---- options of programs -------------------------------------------------------------------------

def mpiexec_options(tree):
    """The options of mpiexec, without dashes."""
    table = tree.texts['src/pm/mpiexec/options/table.c']
    known = {name for names in re.findall(r'^    \{ "([^"]+)", "', table, re.M)
             for name in names.split()}
    for path in ('src/pm/channel/pm_proxy.h', 'src/pm/pmi/pmi_stand_in.h'):
        known |= set(re.findall(r'"--(starling-[\w-]+)"', tree.texts[path]))
    return known


def program_options(tree, text):
    """Options of mpiexec and of our scripts that are not there."""
    known = mpiexec_options(tree)
    lines = [(m.start(), m.group(1)) for m in re.finditer(r'^    (.*)$', text, re.M)]
    for at, span in [*spans(text), *lines]:
        for m in re.finditer(r'\bmpiexec ((?:--?[\w-]+(?: [^-\s]\S*)? )*--?[\w-]+)', span):
            for option in re.findall(r'(?:^| )--?([a-z][\w-]*)', m.group(1)):
                if option not in known:
                    yield at, f'mpiexec has no option -{option}'
        m = re.match(r'(?:python3 )?(tools/[\w./-]+)(.*)', span)
        if m and m.group(1) in tree.texts:
            for option in re.findall(r' (--[a-z][\w-]*)', re.sub(r' #.*', '', m.group(2))):
                if option not in tree.texts[m.group(1)]:
                    yield at, f'{m.group(1)} has no option {option}'


def help_options(tree):
    """Options that the help of mpiexec names and that are not there."""
    known = mpiexec_options(tree)
    for path in ('src/pm/mpiexec/options/table.c', 'src/pm/mpiexec/options/help.c'):
        text = tree.texts[path]
        for m in re.finditer(r'(?:[\s"/]|\\n)-([a-z][a-z-]+)', text):
            quoted = text[text.rfind('\n', 0, m.start()):m.start()].count('"') % 2
            if quoted and m.group(1) not in known:
                yield path, m.start(), f'mpiexec has no option -{m.group(1)}'


def source_settings(tree, names, old):
    """Settings that sources name and that are none."""
    for path, text in tree.texts.items():
        if path.startswith('src/'):
            for at, what in setting_names(names, old, text):
                yield path, at, what


# ---- numbers and tables --------------------------------------------------------------------------

def numbers(tree, text):
    """Numbers of functions, and of lines of files and folders."""
    rows = re.findall(r'^(MPI_\w+)\t', tree.texts['test/api/functions.tsv'], re.M)
    defined = r'^\w[\w *]*\bPMPI_(\w+)\(|^COLL_DOORS\(\w+, ([^)]*)\)'
    there = {'MPI_' + name for path, t in tree.texts.items() if path.startswith('src/mpi/')
             for found in re.findall(defined, t, re.M) for name in re.findall(r'\w+', ' '.join(found))}
    for m in re.finditer(r'(\d+) of (\d+)\b(?=\.$)', text, re.M):
        want = (str(len(there & set(rows))), str(len(rows)))
        if m.groups() != want and 'api-status' in text[max(m.start() - 100, 0):m.start()]:
            yield m.start(), f'there are {want[0]} of {want[1]} functions'
    for m in re.finditer(r'`([\w/.]+)`(?:, in| is one in) (\d+) lines', text):
        of = [t for p, t in tree.texts.items() if p.startswith(m.group(1))
              and p.endswith(('.c', '.h'))]
        lines = sum(t.count('\n') for t in of)
        if abs(lines - int(m.group(2))) > lines / 10:
            yield m.start(), f'{m.group(1)} has {lines} lines, not {m.group(2)}'


def hints(tree, text):
    """Hints for files that the table in the document has not, and those that it has alone."""
    known = re.findall(r'^    \{ "(\w+)", [A-Z]', tree.texts['src/mpi/io/hints.c'], re.M)
    at = text.find('| hint | values')
    table = text[at:text.index('\n\n', at)]
    shown = [name for row in re.findall(r'^\| (\w[\w, ]*?) \|', table, re.M)[1:]
             for name in row.split(', ')]
    for name in sorted(set(known) - set(shown)):
        yield at, f'the table has no hint {name}'
    for name in sorted(set(shown) - set(known)):
        yield at, f'hints.c has no hint {name}'


def tool_files(tree, text):
    """Files of tools/ that its README has not, and those that it has alone."""
    there = {os.path.basename(p) for p in tree.paths
             if p.startswith('tools/') and '__pycache__' not in p} - {'README.md'}
    shown = [(m.start(), name) for m in re.finditer(r'^    (\S+(?:, \S+)*)  ', text, re.M)
             for name in m.group(1).split(', ')]
    for name in sorted(there - {name for _, name in shown}):
        yield 0, f'it has no line for {name}'
    for at, name in shown:
        if name not in there:
            yield at, f'there is no file {name} in tools'


def changes(tree, text):
    """Whether CHANGELOG.md begins with another version than that of mpi.h."""
    version = re.search(r'#define STARLING_VERSION\s+"(.*?)"', tree.texts['include/mpi.h']).group(1)
    newest = re.search(r'^## (\S+)', text, re.M)
    if newest.group(1).rstrip(',') != version:
        yield newest.start(), f'the version of mpi.h is {version}'


# ---- all of it -----------------------------------------------------------------------------------

def check(tree):
    """All problems, as (path, line, text)."""
    names, old = settings(tree)
    names |= other_variables(tree) | ANY
    documents = sorted(p for p in tree.paths
                       if re.fullmatch(r'((doc|tools)/)?\w+\.md', p) and p != 'doc/renamed.md')  # old names
    for path in documents:
        text = tree.texts[path] = read(tree.root, path)
        found = [*words_and_files(tree, text), *links(tree, path, text), *setting_names(names, old, text),
                 *program_options(tree, text), *numbers(tree, text), *long_paragraphs(text)]
        if path == 'README.md':
            found += cmake_options(tree, text)
        if path == 'CHANGELOG.md':
            found += changes(tree, text)
        if path == 'tools/README.md':
            found += tool_files(tree, text)
        if path == 'doc/standard.md':
            found += hints(tree, text)
        for at, what in found:
            yield path, text.count('\n', 0, at) + 1, what
    for path, at, what in [*comments(tree), *help_options(tree), *source_settings(tree, names, old)]:
        yield path, tree.texts[path].count('\n', 0, at) + 1, what


def main(root=None):
    """Exit code 1 when there is a problem."""
    tree = Tree(root or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    bad = sorted(set(check(tree)))
    for path, line, what in bad:
        print(f'{path}:{line}: {what}')
    if not bad:
        print(f'documents ok: {len(tree.texts)} files')
    return bool(bad)


if __name__ == '__main__':
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
