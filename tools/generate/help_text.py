"""Reads the help text of mpiexec, for gen_man.py and gen_completions.py."""
import collections
import re

# names: without dashes, the first is the usual one. params: names of the arguments. text: a sentence.
Option = collections.namedtuple('Option', 'names params text')
# rows: (term, text) for a row; term is '' for a paragraph, and an Option has its first line for term.
Section = collections.namedtuple('Section', 'title rows')

TERM = re.compile(r'  (\S+(?: \S+)*?)(?:\s{2,}(\S.*))?$')


def rows(block):
    """The rows of a block of lines, or its paragraph."""
    if not any(re.search(r'^ {24}|\S {2,}\S', line) for line in block):
        return [('', ' '.join(line.strip() for line in block))]
    found = []
    for line in block:
        m = None if line.startswith(' ' * 24) else TERM.match(line)
        if m:
            found.append((m.group(1), m.group(2) or ''))
        elif line.strip().startswith('Also:'):
            found[-1] = (found[-1][0], found[-1][1] + '\n' + line.strip())
        else:
            glue = ' ' if found[-1][1] else ''
            found[-1] = (found[-1][0], found[-1][1] + glue + line.strip())
    return found


def read_help(text):
    """The usage, the introduction and the sections of a help text."""
    usage, introduction, *blocks = text.strip('\n').split('\n\n')
    sections = []
    for block in blocks:
        first, *others = block.split('\n')
        if not first.startswith(' '):
            sections.append(Section(first.rstrip(':'), rows(others)))
        else:
            sections[-1].rows.extend(rows([first, *others]))
    return usage.replace('Usage: ', ''), ' '.join(introduction.split()), sections


def options(sections):
    """All options of a help text."""
    found = []
    for section in sections:
        for term, text in section.rows:
            if not term.startswith('-'):
                continue
            name, *params = term.split()
            text, _, also = text.partition('\nAlso: ')
            names = [name, *also.split()]
            found.append(Option([n[1:] for n in names], params, text))
    return found
