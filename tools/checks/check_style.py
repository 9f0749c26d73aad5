#!/usr/bin/env python3
"""Checks the rules of the style guide that a program can check.

Usage: check_style.py ROOT                    sizes, words and order of includes in src/ and test/
       check_style.py ROOT --headers CC       every header compiles alone, twice

CC may have flags: "gcc -DSTARLING_ERROR_CHECKS=1".  It needs universal-ctags, which finds the ends
and the parameters of functions."""
import fnmatch
import json
import os
import re
import subprocess
import sys

# What variables and fields that hold errors are called.
ERROR = r'(?:\w+(?:->|\.))*(?:err|error|rc|bad|failed|lost|sent)'
NOTHING = 'do my it this one now the func function'.split()   # words that say nothing
MAX_FILE, MAX_FUNCTION, MAX_LINE, MAX_PARAMETERS = 500, 60, 100, 6

# Files that may use the printf family, because they format texts and are on no fast path.
PRINTS = [
    'src/mpi/core/show.c',                  # the fatal error text
    'src/mpi/errhan/error.c',               # the line of a fatal error
    'src/mpi/init/init.c',                  # which rank a backtrace is of
    'src/mpi/init/settings.c',              # warnings about settings
    'src/mpi/init/counters.c',              # the report of sleeps
    'src/mpi/init/leaks.c',                 # what a program has left
    'src/mpi/tool/*',                       # programs
    'src/devices/libfabric/module/text.c',  # error texts
    'src/adi3/base/error.c',                # texts of error codes
    'src/adi3/proc/describe.c',             # descriptions of processes
    'src/adi3/port/name.c',                 # names of ports
    'src/adi3/collchk/report.c',            # mismatch reports
    'src/adi3/collchk/call_order.c',        # warnings
    'src/adi3/rma/target/title.c',          # names of windows
    'src/mpi/fortran/removed.c',            # the text of an error
    'src/mpi/fortran/sections_bounds.c',    # texts of errors
    'src/mpi/coll/describe.c',              # descriptions of calls
    'src/mpi/rma/info.c',                   # hints that are numbers
    'src/mpi/io/hints.c',                   # likewise
    'src/adi3/clock/wtime.c',               # the accuracy of the clock
    'src/devices/shm/cma.c',                # why it cannot be used
    'src/platform/crash.c',                 # a line
    'src/platform/shared.c',                # a path
    'src/platform/setting.c',               # texts of settings
    'src/pm/bind/*',
    'src/pm/mpiexec/*',
    'src/pm/channel/*',
    'src/pm/seal/*',
    'src/pm/node/*',
    'src/pm/hosts/*',
    'src/pm/server/*',
    'src/pm/topo/*',
    'src/pm/pmi/*',                         # the lines of PMI
]
PRINTF = r'\b(v?(f|s|sn|as|d)?printf|puts|fputs|perror)\s*\('

BANNED = {
    'alloca': 'the stack of a thread may be small',
    'sprintf': 'snprintf',
    'vsprintf': 'vsnprintf',
    'strcpy': 'memcpy or snprintf, with the length',
    'strcat': 'snprintf, with the length',
    'atoi': 'strtol, which detects errors',
    'system': 'posix_spawn',
    'gets': 'fgets',
    'strtok': 'strtok_r or strcspn',
}


def files(root, *tops):
    """Paths, relative to root, of the C files below some directories."""
    for top in tops:
        for folder, _, names in sorted(os.walk(os.path.join(root, top))):
            for name in sorted(names):
                if name.endswith(('.c', '.h')):
                    yield os.path.relpath(os.path.join(folder, name), root)


def bare(text):
    """C text without comments and contents of strings; line numbers do not change."""
    def blank(m):
        return '\n' * m.group(0).count('\n') if m.group(0).startswith('/') else '""'
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text,
                  flags=re.S)


def sizes(path, lines):
    """Files and lines that are too long."""
    if len(lines) - 1 > MAX_FILE:
        yield f'{path}: {len(lines) - 1} lines, {MAX_FILE} is the limit'
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_LINE:
            yield f'{path}:{number}: {len(line)} columns'


def words(path, code):
    """Forbidden functions, printing, and #if where it does not belong."""
    prints = any(fnmatch.fnmatch(path, pattern) for pattern in PRINTS)
    for number, line in enumerate(code.split('\n'), 1):
        for m in re.finditer(r'(?<![\w.>])(\w+)\s*\(', line):
            if m.group(1) in BANNED:
                yield f'{path}:{number}: {m.group(1)}: rather {BANNED[m.group(1)]}'
        if not prints and re.search(PRINTF, line):
            yield f'{path}:{number}: prints; PRINTS in check_style.py lists the files that may'
        if re.match(r'\s*#\s*(if|el)', line) and path.endswith('.c') and '/platform/' not in path:
            yield f'{path}:{number}: #if outside headers and platform/'


def errors(path, code):
    """Errors that are handled in another way than CONTRIBUTING.md says."""
    first = rf'(?<![\w.>])({ERROR})( (&&|\|\|) [^?;]*)? \? -?\1( :|$)(?! "")'   # err ? err : f()
    last = rf'!({ERROR})\b[^?;]* \? [^;]* : \5[;)]'                            # !err ? f() : err
    for number, line in enumerate(code.split('\n'), 1):
        if m := re.search(f'{first}|{last}', line):
            name = m.group(1) or m.group(5)
            yield f'{path}:{number}: {name} in a ?: rather if (!{name}) before a statement'
        if 'while (' not in line and (m := re.search(rf'(?<!for )\(({ERROR}) = ', line)):
            yield f'{path}:{number}: {m.group(1)} is assigned within a condition'
    for m in re.finditer(r'^#define (\w+)(?:\([^)]*\))?[\s\\]*do \{((?:.*\\\n)*.*)', code, re.M):
        if (re.search(r'\b(return|goto)\b', m.group(2))
                and (path, m.group(1)) != ('src/mpi/mpir.h', 'TRY')):
            number = code.count('\n', 0, m.start()) + 1
            yield f'{path}:{number}: {m.group(1)}: only TRY may leave its function'
    for m in re.finditer(r'\b(?!adi3_no_memory)\w*no_memory\(', code):
        number = code.count('\n', 0, m.start()) + 1
        yield f'{path}:{number}: {m.group()}): rather adi3_no_memory()'


def includes(path, lines):
    """System headers come first, then headers of Starling."""
    ours = False
    for number, line in enumerate(lines, 1):
        m = re.match(r'\s*#\s*include\s+([<"])', line)
        if m and m.group(1) == '"':
            ours = True
        elif m and ours:
            yield f'{path}:{number}: system headers must come first'


def guard(path, text):
    """x.h is guarded by X_H."""
    name = re.sub(r'\W', '_', os.path.basename(path)).upper()
    if not re.search(rf'^#ifndef {name}\n#define {name}\n', text, re.M):
        yield f'{path}: is not guarded by {name}'


def parameters(signature):
    """The number of parameters in '(int a, void (*f)(int, int))'."""
    inner = re.sub(r'\([^()]*\)', '', signature[1:-1])
    while '(' in inner:
        inner = re.sub(r'\([^()]*\)', '', inner)
    return 0 if inner.strip() in ('', 'void') else inner.count(',') + 1


def is_name(name):
    """Whether a function can be told from others by its name: get() cannot, nor can do_get()."""
    return (name == 'main' or name.isupper()    # a macro that makes a function
            or len([word for word in name.split('_') if word and word not in NOTHING]) > 1)


def functions(root, paths):
    """Functions without a name, or that are too long or have too many parameters.  For tests only the length counts."""
    out = subprocess.run(['ctags', '--languages=C', '--langmap=C:.c.h', '--kinds-C=f',
                          '--fields=+neS', '--output-format=json', '-f', '-', *paths],
                         cwd=root, capture_output=True, text=True, check=True).stdout
    for tag in map(json.loads, out.splitlines()):
        where = f"{tag['path']}:{tag['line']}: {tag['name']}"
        length = tag.get('end', tag['line']) - tag['line'] + 1
        count = parameters(tag.get('signature', '()'))
        if length > MAX_FUNCTION:
            yield f'{where} has {length} lines, {MAX_FUNCTION} is the limit'
        # An MPI function, or the one in its file that does its work or gathers its arguments in a
        # struct: isend() in isend.c, gather_args() in gather.c.
        # In Fortran's library f_x() has the arguments of mpi_x_.
        own = (re.match('P?MPIX?_|MISSING$', tag['name'])
               or tag['path'].startswith('src/mpi/fortran/') and tag['name'].startswith('f_')
               or tag['path'].endswith(f"/{re.sub('_(args|slow_path)$', '', tag['name'])}.c"))
        if tag['path'].startswith('src/') and not is_name(tag['name']):
            yield f'{where}: a function has a name of two words that say something'
        if count > MAX_PARAMETERS and not own and tag['path'].startswith('src/'):
            yield f'{where} has {count} parameters, {MAX_PARAMETERS} is the limit'


def check(root):
    """All problems of the source, and the number of files."""
    bad, paths = [], list(files(root, 'src', 'test'))
    for path in paths:
        with open(os.path.join(root, path), encoding='utf-8') as f:
            text = f.read()
        lines = text.split('\n')
        bad += sizes(path, lines)
        bad += includes(path, lines)
        if path.endswith('.h'):
            bad += guard(path, text)
        if path.startswith('src/'):
            bad += words(path, bare(text))
            bad += errors(path, bare(text))
    bad += functions(root, paths)
    return bad, len(paths)


def headers(root, compiler):
    """All headers that do not compile alone, and their number."""
    bad, paths = [], [p for p in files(root, 'include', 'src') if p.endswith('.h')]
    for path in paths:
        run = subprocess.run([*compiler.split(), '-std=gnu11', '-D_GNU_SOURCE', '-Wall', '-Wextra', '-Werror',
                              '-Iinclude', '-Isrc', '-fsyntax-only', '-x', 'c', '-'], cwd=root,
                             input=f'#include "{path}"\n#include "{path}"\n',
                             capture_output=True, text=True, check=False)
        if run.returncode:
            bad.append(f'{path} does not compile alone:\n{run.stderr.rstrip()}')
    return bad, len(paths)


def main(root, *mode):
    """Returns the exit code: 0 when there is no problem."""
    bad, count = headers(root, mode[1]) if mode else check(root)
    print('\n'.join(bad) or f'{"headers" if mode else "style"} ok: {count} files')
    return bool(bad)


if __name__ == '__main__':
    if len(sys.argv) != 2 and (len(sys.argv) != 4 or sys.argv[2] != '--headers'):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
