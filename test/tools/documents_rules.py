#!/usr/bin/env python3
"""Plants paragraphs that are too long into texts for tools/check_documents.py.

Usage: documents_rules.py TOOLS"""
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import check_documents     # noqa: E402

MOST = 'a word - ' * 60         # a dash is none
MORE = MOST + 'more'


def lines_of(text):
    """The lines of a text that begin paragraphs that are too long."""
    return [text.count('\n', 0, at) + 1 for at, what in check_documents.long_paragraphs(text)
            if what == 'a paragraph of 121 words, 120 is the limit']


def main():
    assert not lines_of(f'# Title\n\n{MOST}\n\n{MOST}\n')
    assert lines_of(f'# Title\n\n{MOST}\n\n{MORE}\n') == [5]
    assert lines_of(f'# Title\n{MOST}\nmore\n# Title\n') == [2]
    assert not lines_of(f'{MOST}\n* {MOST}\n- {MOST}\n1. {MOST}\n\n    {MORE}\n')
    assert lines_of(f'* {MOST}\n* {MOST}\n  more\n') == [2]
    assert not lines_of(f'| {MOST} | {MOST} |\n| --- | --- |\n')
    assert lines_of(f'| a | b |\n| {MOST} | {MORE} |\n') == [2]


if __name__ == '__main__':
    main()
