#!/usr/bin/env python3
"""Writes the manual pages: section 3 has one for each exported function.

Usage: gen_man.py ROOT OUT HELP SETTINGS         writes OUT/man3/*.3, OUT/man1/*.1 and others
       gen_man.py ROOT OUT HELP SETTINGS LIBRARY prints problems of the pages, of their sources, and
                                                 functions of libmpi.so without a page; the exit code
                                                 is then 1

HELP is the output of `mpiexec -help`, SETTINGS that of `starling_info --settings`. The functions are those that src/mpi defines: so the pages
are made while the library is still being linked. A page is made from the comment above the function
in src/mpi (its purpose, sections of the standard, "Errors:"), the prototype in mpi.h, the NAME
lines in man_names.py, the descriptions of parameters in man_params.py, whose error handler is called
in error_handlers.py, and the texts of error classes in src/adi3/base/error.c."""
import collections
import difflib
import glob
import os
import re
import shutil
import subprocess
import sys
import textwrap

sys.dont_write_bytecode = True      # no __pycache__ in tools/
from error_handlers import handled_by, handler_text
from help_text import read_help
from man_names import name_line
from man_params import DIRECTIONS, PARAMS, REPLACED
from man_programs import program_pages, settings
from mpi_h import DOORS, Header, defined_in, to_come

FUNCTION = r'\bMPI_[A-Z]\w*[a-z]\w*\b'          # not a constant
FOLDERS = ('man1', 'man3', 'man5', 'man7')
CLASS = r'\bMPI(?:_T)?_ERR_\w+'
ALSO = 8                                        # number of pages under SEE ALSO
NAME_MAX = 76                                   # characters of what a NAME line says
# What the texts of parameters do not say in a chapter: they are meant for another one.
STRANGE = {'src/mpi/pt2pt': 'IN_PLACE', 'src/mpi/io': r'message|send', 'src/mpi/request': 'IN_PLACE',
           'src/mpi/coll': r'message|where the operation'}
ARTICLES = r'a|an|the|this|that|its|each|all|any|no|one|another|of|whole|received'

Param = collections.namedtuple('Param', 'name declaration way text')


class Function:
    """One function, as the sources describe it."""

    def __init__(self, name, path, comment):
        self.name, self.path, self.folder = name, path, os.path.dirname(path)
        text = re.sub(r'\s+', ' ', re.sub(r'^/\*|\*/$|^\s*\*', '', comment, flags=re.M)).strip()
        self.body, colon, errors = (part.strip() for part in text.partition('Errors:'))
        self.errors = errors if colon else None
        self.result, self.params, self.variadic = '', [], False

    def sections(self):
        """Sections of the standard that the comment names, as '3.2.1'."""
        return re.findall(r'§([\d.]*\d)', self.body)

    def summary(self):
        """What the NAME line says: as man_names.py has it, else the first clause of the comment,
        without capital and full stop."""
        if name_line(self.name):
            return name_line(self.name)
        first = re.split(r'[;:]\s|\.(?:\s|$)|\s\(§', self.body + ' ')[0].strip().rstrip('.;:')
        first = re.sub(r'\s*\(.*', '', first) if first.count('(') != first.count(')') else first
        return first if re.match('MPI_', first) else first[:1].lower() + first[1:]

    def declarations(self):
        """The parameters as "type *name[]", without const."""
        return [p.declaration.replace('const ', '') for p in self.params]

    def like(self):
        """The functions whose errors the comment includes ("as MPI_Send")."""
        found = re.findall(rf'\bas ({FUNCTION}(?:,? (?:and|or) {FUNCTION})*)', self.errors or '')
        return re.findall(FUNCTION, ' '.join(found))


def read(*path):
    """The text of a file."""
    with open(os.path.join(*path), encoding='utf-8') as f:
        return f.read()


def sources(root):
    """The texts of the files of src/mpi, by path."""
    return {path: read(path) for path in
            sorted(glob.glob(os.path.join(root, 'src/mpi/**/*.c'), recursive=True))}


def defined(root):
    """The MPI_ functions that the sources define."""
    return sorted({name for text in sources(root).values() for name in defined_in(text)})


def exported(library):
    """The MPI_ functions of a library."""
    symbols = subprocess.run(['nm', '-D', '--defined-only', library], stdout=subprocess.PIPE,
                             check=True, text=True).stdout
    return sorted(set(re.findall(r'\b[WT] (MPI_\w+)', symbols)) - to_come())


def commented(root):
    """{name: Function} of all definitions of PMPI_ functions and of the macros that make some."""
    found = {}
    pattern = re.compile(r'(/\*(?:(?!\*/).)*\*/\n)?^\w[\w *]*?\bPMPI_(\w+)\([^;{]*\)\s*\{',
                         re.S | re.M)
    for path, text in sources(root).items():
        for comment, name in pattern.findall(text):
            found['MPI_' + name] = Function('MPI_' + name, os.path.relpath(path, root), comment)
        for names in DOORS.findall(text):
            for name, comment in zip(names, collective(names[0], names[1], text)):
                found['MPI_' + name] = Function('MPI_' + name, os.path.relpath(path, root), comment)
    return found


def collective(name, begun, text):
    """The comments of the three doors of a collective operation: its file has the first."""
    sections = ('7.7', '7.8') if name.startswith('Neighbor_') else ('5.12', '5.13')
    until = ('request is complete when all processes have called it' if name == 'Barrier' else
             'buffers and arrays must be kept until request is complete')
    yield re.search(r'(/\*(?:(?!\*/).)*\*/\n)#define PARAMETERS', text, re.S).group(1)
    yield (f'Starts a nonblocking MPI_{name}; {until} (§{sections[0]}). '
           f'Errors: as MPI_{name}, and MPI_ERR_ARG, MPI_ERR_NO_MEM.')
    yield (f'Makes a persistent request that does what MPI_{begun} does at each MPI_Start '
           f'(§{sections[1]}); collective. '
           f'Errors: as MPI_{name}, and MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_NO_MEM.')


def conversion(name):
    """A conversion of handles, which a macro defines: its comment is made here."""
    m = re.fullmatch(r'MPI_(\w+)_(c2f|f2c)', name)
    if not m or m.group(1) == 'Status':
        return None
    handle = 'MPI_' + m.group(1)
    what = (f'Gives the integer that Fortran has for an {handle}' if m.group(2) == 'c2f' else
            f'Gives the {handle} of an integer that Fortran has for it')
    return Function(name, 'include/mpi.h', f'{what} (§17.2.4). The handle need not be valid.')


def parameters(name, prototype, bad):
    """Parameters with their texts and directions, from man_params.py and the prototype."""
    for p in prototype.parameters:
        text = next((t for calls, names, t in PARAMS if re.fullmatch(names, p.name)
                     and re.search(calls, name)), None)
        if not text:
            bad.append(f'{name}: man_params.py has no row for {p.name}')
        written = (p.stars or p.array) and not p.const and '_function' not in p.ctype
        way = next((w for calls, names, w in DIRECTIONS if re.fullmatch(names, p.name)
                    and re.search(calls, name)), 'out' if written else 'in')
        yield Param(p.name, p.declaration, way, text or '')


def classes(root):
    """{class: text} from the table of error.c."""
    return dict(re.findall(r'CLASS\((\w+),\s*"([^"]*)"\)', read(root, 'src/adi3/base/error.c')))


class Manual:
    """All pages, and problems of their sources."""

    def __init__(self, root):
        self.bad = []
        header = Header(os.path.join(root, 'include/mpi.h'))
        self.version, self.words = header.version, header.names
        self.classes = classes(root)
        status = re.findall(r'^(MPI_\w+)\t\w*\t(deprecated|removed)', read(
            root, 'test/api/functions.tsv'), re.M)
        self.status = dict(status)
        there = commented(root)
        self.functions = {}
        for name in defined(root):
            f = there.get(name) or conversion(name)
            if not f or name not in header.functions:
                self.bad.append(f'{name}: no page, because it has no definition or no prototype')
                continue
            prototype = header.functions[name]
            f.result, f.variadic = prototype.result, prototype.variadic
            f.params = list(parameters(name, prototype, self.bad))
            self.functions[name] = f
        for f in self.functions.values():
            self.bad += [f'{f.path}: {f.name}: {what}' for what in self.problems(f)]

    def problems(self, f):
        """Problems of a comment."""
        if not f.body:
            yield 'there is no comment above it'
        if f.errors is None and f.result == 'int':
            yield 'its comment has no "Errors:"'
        if not f.sections():
            yield 'its comment names no section (§) of the standard'
        for p in f.params:
            if re.search(STRANGE.get(f.folder, '$.'), p.text):
                yield f'man_params.py needs a row for {p.name}: "{p.text}" is for other functions'
        if len(f.summary()) > NAME_MAX or re.match('as ', f.summary()):
            yield 'its NAME line is no short phrase: man_names.py needs a row'
        for name in re.findall(CLASS, f'{f.body} {f.errors}'):
            if name not in {*self.classes, 'MPI_ERR_LASTCODE'}:
                yield f'{name} is not an error class'
        for name in re.findall(FUNCTION, f'{f.body} {f.errors}'):
            if name not in self.words:
                yield f'mpi.h has no {name}'
        if f.result == 'int' and f.errors is not None and not self.errors(f) \
                and not re.match('none|does not', f.errors):
            yield 'no class of errors is named'
        if ('which is returned' in (f.errors or '')) != \
                (handled_by(f.name, f.declarations())[0] == 'none'):
            yield 'its comment and error_handlers.py differ about whether a handler is called'
        if f.name in self.status and REPLACED.get(f.name) not in self.functions:
            yield f'{f.name} is {self.status[f.name]}: man_params.py must name its replacement'

    def errors(self, f, seen=()):
        """The error classes of a function in order, with those of functions that it includes."""
        own = re.findall(CLASS, f.errors or '')
        for name in f.like():
            if name in self.functions and name not in seen:
                own += self.errors(self.functions[name], (*seen, f.name))
        return list(dict.fromkeys(own))

    def also(self, f):
        """Functions named in the comment, then those of its directory with the most similar names."""
        if f.path.startswith('include'):
            return [n for n in self.functions if n.startswith(f.name[:-3]) and n != f.name]
        named = re.findall(FUNCTION, f'{f.body} {f.errors}') + [REPLACED.get(f.name)]
        near = [g for g in self.functions.values() if g.folder == f.folder]
        near.sort(key=lambda g: -difflib.SequenceMatcher(None, g.name, f.name).ratio()
                  - bool(set(g.sections()) & set(f.sections())) / 2)
        names = dict.fromkeys(named + [g.name for g in near])
        return sorted([n for n in names if n in self.functions and n != f.name][:ALSO])

    # ---- roff ------------------------------------------------------------------------------------

    def prose(self, text, f):
        """A paragraph in roff: functions in bold, parameters in italics."""
        names = '|'.join(p.name for p in f.params) or '$.'

        def mark(m):
            word = m.group(0)
            if word in self.functions and word != f.name:
                return f'\\fB{word}\\fR(3)'
            return f'\\fB{word}\\fR' if word.startswith('MPI_') else f'\\fI{word}\\fR'
        text = re.sub(rf'\bMPI_\w+|(?<![\w.])(?<!->)\*?(?:{names})\b(?!\()',
                      lambda m: m.group(0) if re.search(rf'\b({ARTICLES}) $', text[:m.start()])
                      and not m.group(0).startswith(('MPI_', '*')) else mark(m), escape(text))
        return lines(text)

    def synopsis(self, f):
        """The prototype in lines of at most 78 columns, with parameters in italics."""
        args = [p.declaration for p in f.params] + ['...'] * f.variadic or ['void']
        head = f'{f.result} {f.name}('
        text = textwrap.wrap(head + ', '.join(a.replace(' ', '~') for a in args) + ');', 78,
                             break_long_words=False,
                             subsequent_indent=' ' * min(len(head), 20))
        names = '|'.join(p.name for p in f.params) or '$.'
        for line in text:
            line = re.sub(rf'(?<=[ *])({names})(?=[,)\[])', r'\\fI\1\\fB', line.replace('~', ' '))
            yield f'\\fB{line}\\fR'

    def page(self, f):
        """The whole page, as lines."""
        yield f'.\\" Made by gen_man.py from {f.path} and mpi.h.'
        yield f'.TH {f.name} 3 "" "Starling {self.version}" "MPI functions"'
        yield from ['.SH NAME', f'{f.name}, P{f.name} \\- {escape(f.summary())}']
        yield from ['.SH SYNOPSIS', '.nf', '.B #include <mpi.h>', '.PP', *self.synopsis(f), '.fi']
        if f.params:
            yield '.SH PARAMETERS'
        for p in f.params:
            yield from ['.TP', f'.IR {p.name} " ({p.way})"', *self.prose(p.text, f)]
        yield from ['.SH DESCRIPTION', *self.prose(unsectioned(f.body), f)]
        if f.name in self.status:
            done = 'was removed in MPI 3.0' if self.status[f.name] == 'removed' else 'is deprecated'
            yield from ['.PP', *self.prose(f'It {done}: new programs call {REPLACED[f.name]} '
                                           'instead.', f)]
        if f.result == 'int':
            yield from self.result(f)
        yield '.SH STANDARDS'
        sections = list(dict.fromkeys(f.sections()))
        yield from lines(f'MPI 3.1 and its 3.2 draft, section{"s" * (len(sections) > 1)} '
                         + ' and '.join(sections) + '.')
        yield from self.prose(f'P{f.name} is the same function, for libraries that stand between '
                              f'the program and {f.name}.', f)
        yield '.SH SEE ALSO'
        yield ' ,\n'.join(f'.BR {name} (3)' for name in self.also(f)).replace(') ,', '),')

    def result(self, f):
        """The sections RETURN VALUE and ERRORS."""
        yield '.SH RETURN VALUE'
        calls = self.errors(f)
        yield from self.prose(handler_text(f.name, f.declarations()) if calls else
                              'MPI_SUCCESS, or an error code.', f)
        if not self.errors(f):
            return
        yield '.SH ERRORS'
        if re.sub(rf'{CLASS}|and|[\s,.;]', '', f.errors):
            yield from self.prose(capital(f.errors), f)
        for name in self.errors(f):
            yield from ['.TP', f'.B {name}', escape(capital(self.classes.get(name, ''))) + '.']


def capital(text):
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def unsectioned(text):
    """A comment without the sections of the standard, which are printed separately."""
    return re.sub(r'\s*\(§[^()]*\)', '', text)


def escape(text):
    """Escapes text for roff; '-' becomes a minus in numbers and options."""
    text = text.replace('\\', '\\e')
    text = re.sub(r'(?<!\w)-(?=\w)|(?<=\d)-(?=\d)|--', lambda m: m.group(0).replace('-', '\\-'),
                  text)
    text = text.replace('->', '\\->').replace('§', '\\(sc')
    return re.sub(r'[^\x00-\x7f]', lambda m: f'\\[u{ord(m.group(0)):04X}]', text)


def lines(text):
    """A paragraph as lines, none of which looks like a request of roff."""
    for line in textwrap.wrap(text, 90, break_long_words=False, break_on_hyphens=False):
        yield '\\&' + line if line[0] in ".'" else line


def command_page(name, version, text):
    """mpiexec(1) from its help text. The sections of options become one, as is usual."""
    usage, introduction, sections = read_help(text)
    yield f'.TH {name} 1 "" "Starling {version}" "MPI programs"'
    yield from ['.SH NAME', f'{name} \\- starts the processes of an MPI job']
    yield from ['.SH SYNOPSIS', *lines(escape(usage))]
    yield from ['.SH DESCRIPTION', *lines(escape(introduction))]
    before = ''
    for section in sections:
        if section.title.startswith('Options '):
            yield from ['.SH OPTIONS'] * (not before.startswith('Options '))
            yield '.SS ' + escape(capital(section.title.replace('Options ', '')))
        else:
            yield '.SH ' + escape(section.title.upper())
        before = section.title
        for number, row in enumerate(section.rows):
            if number and not row[0]:
                yield '.PP'
            yield from command_row(*row)
    yield from ['.SH SEE ALSO', '.BR MPI_Init (3),', '.BR MPI_Abort (3)']


def command_row(term, text):
    """An option, another term, or a paragraph."""
    if term.startswith('-'):
        option, _, argument = term.partition(' ')
        yield '.TP'
        yield f'.BI "{escape(option)}' + (f' " "{escape(argument)}"' if argument else '"')
    elif term:
        yield from ['.TP', f'.B "{escape(term)}"']
    for number, paragraph in enumerate(text.split('\n')):
        yield from ['.br'] * (number > 0)
        yield from lines(escape(paragraph))


def write(manual, out, help_text, programs):
    """Writes all pages; removes old ones."""
    for folder in FOLDERS:
        shutil.rmtree(os.path.join(out, folder), ignore_errors=True)
        os.makedirs(os.path.join(out, folder))
    pages = {f'man3/{f.name}.3': manual.page(f) for f in manual.functions.values()}
    pages['man1/mpiexec.1'] = command_page('mpiexec', manual.version, help_text)
    pages['man1/mpirun.1'] = ['.so man1/mpiexec.1']
    pages |= programs
    for path, text in pages.items():
        with open(os.path.join(out, path), 'w', encoding='ascii') as page:
            page.write('\n'.join(text) + '\n')


def complaints(command, pages):
    """The errors that a program prints about the pages; none when it is not installed."""
    if not shutil.which(command[0]):
        return []
    run = subprocess.run([*command, *pages], capture_output=True, text=True, check=False,
                         stdin=subprocess.DEVNULL, env={**os.environ, 'MANWIDTH': '80',
                                                        'LC_ALL': 'C.UTF-8', 'MANROFFSEQ': ''})
    errors = run.stderr.strip().split('\n') if run.stderr.strip() else []
    return errors or ([f'{command[0]}: exit code {run.returncode}'] if run.returncode else [])


def check(manual, out, text, library):
    """Prints all problems; returns their number."""
    pages = sorted(p for p in glob.glob(os.path.join(out, 'man?/*')) if not read(p).startswith('.so '))
    there = {os.path.basename(p)[:-2] for p in pages}
    wanted = set(manual.functions) | set(exported(library))
    bad = manual.bad + [f'{name}: no page' for name in sorted(wanted - there)]
    described = len(settings(text))
    if not described or described != len(re.findall(r'^STARLING_\w+=', text, re.M)):
        bad.append(f'the page of settings has {described} of them')
    bad += complaints(['lexgrog'], pages)
    bad += complaints(['groff', '-man', '-Tutf8', '-ww', '-rCHECKSTYLE=1', '-z'], pages)
    print('\n'.join(bad) or f'man pages ok: {len(pages)}')
    return len(bad)


def main(root, out, help_file, settings_file, library=None):
    """Writes the pages, or checks them."""
    manual = Manual(root)
    text = read(settings_file)
    if library:
        return check(manual, out, text, library) > 0
    write(manual, out, read(help_file),
          program_pages(manual.version, read(root, 'cmake/wrapper.in'), text))
    return 0


if __name__ == '__main__':
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
