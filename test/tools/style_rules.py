#!/usr/bin/env python3
"""Plants a violation of each rule of tools/checks/check_style.py into a file of its own.

Usage: style_rules.py TOOLS CC"""
import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import check_style     # noqa: E402

FINE = '''/* wire.c — a file that keeps all rules. */
#include <string.h>
#include "adi3/base/base.h"

int wire_copy(char *to, const char *from, size_t len)
{
    memcpy(to, from, len);
    return 0;
}
'''


def problems(text, path='src/adi3/base/wire.c'):
    """What the check says of one file."""
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.dirname(f'{root}/{path}'))
        with open(f'{root}/{path}', 'w', encoding='utf-8') as f:
            f.write(text)
        return check_style.check(root)[0]


def header_problems(text, guard='#pragma once\n'):
    """What the check says of two headers, of which the second one has this text."""
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(f'{root}/src/adi3/base')
        for name, lines in ('base.h', '#pragma once\nstruct base { int one; };\n'), ('wire.h', guard + text):
            with open(f'{root}/src/adi3/base/{name}', 'w', encoding='utf-8') as f:
                f.write(lines)
        return check_style.headers(root, sys.argv[2])[0]


def expect(wanted, text, **arguments):
    """The check says one thing, and this."""
    said = problems(text, **arguments)
    assert len(said) == 1 and wanted in said[0], (wanted, said)


def function(name='wire_fill', parameters='void', lines=3):
    """A function of so many lines."""
    body = '    (void) 0;\n' * (lines - 3)
    return f'{FINE}\nint {name}({parameters})\n{{\n{body}}}\n'


# What is said of a statement.
ERRORS = {
    'err = err ? err : wire_call();': 'err in a ?:',
    'return err ? err : wire_call();': 'err in a ?:',
    'return err ? err\n               : wire_call();': 'err in a ?:',
    'err = err ? -err : wire_call();': 'err in a ?:',
    'return err || !x ? err : wire_call();': 'err in a ?:',
    'return x && !err ? wire_call() : err;': 'err in a ?:',
    'x->err = x->err ? x->err : rc;': 'x->err in a ?:',
    'wire_call(p->lost ? p->lost : -EAGAIN);': 'p->lost in a ?:',
    'if ((err = wire_call()))': 'err is assigned within a condition',
    'if (!(rc = wire_call()))': 'rc is assigned within a condition',
    'if (err\n        || (err = wire_call()))': 'err is assigned within a condition',
    'if (x && (err = wire_call()) == 1)': 'err is assigned within a condition',
    'return no_memory();': 'rather adi3_no_memory()',
    'return wire_no_memory(8);': 'rather adi3_no_memory()',
}
FINE_ERRORS = [
    'if (!err)\n        err = wire_call();',
    'return err == -ENOENT ? 0 : err;',
    'return err ? wire_call(err) : 0;',
    'err = x ? wire_call() : 0;',
    'while ((rc = wire_call()) && errno == EINTR)',
    'for (rc = 0; rc < 2; rc++)',
    'if (!(p = wire_call()))',
    'wire_call(why->failed ? why->failed : "its pipes");',
    'return adi3_no_memory("for a wire");',
]
LEAVE = '''
#define LEAVE(expr)                                                                                \\
    do {                                                                                           \\
        if (expr)                                                                                  \\
            return 1;                                                                              \\
    } while (0)
'''


def statement(code):
    """A function with it."""
    return f'{FINE}\nint wire_fill(void)\n{{\n    {code}\n        (void) 0;\n    return 0;\n}}\n'


def main():
    assert problems(FINE) == []
    expect('wire.c: 501 lines, 500 is the limit', FINE + '\n' * (501 - FINE.count('\n')))
    expect(f'wire.c:{FINE.count(chr(10)) + 1}: 101 columns', FINE + '/* ' + 'x' * 98 + '\n')
    for name, other in check_style.BANNED.items():
        if not name.endswith('printf'):     # another rule has them, too
            expect(f'{name}: rather {other}', FINE + f'\nint wire_call(void)\n{{\n    return {name}(1);\n}}\n')
    expect('prints; PRINTS', FINE + '\nint wire_show(void)\n{\n    return printf("x");\n}\n')
    assert problems(FINE + '\nint wire_show(void)\n{\n    return printf("x");\n}\n', 'src/pm/node/wire.c') == []
    expect('#if outside headers', FINE + '\n#if 1\n#endif\n')
    assert problems(FINE + '\n#if 1\n#endif\n', 'src/platform/wire.c') == []
    for code, wanted in ERRORS.items():
        expect(wanted, statement(code))
    for code in FINE_ERRORS:
        assert problems(statement(code)) == [], code
    assert problems(statement(next(iter(ERRORS))), 'test/adi3/wire.c') == []
    expect('LEAVE: only TRY may', FINE + LEAVE)
    assert problems(LEAVE.replace('LEAVE', 'TRY'), 'src/mpi/mpir.h') == [
        'src/mpi/mpir.h: is not guarded by MPIR_H']
    expect('system headers must come first', FINE.replace('int wire', '#include <stdlib.h>\n\nint wire', 1))
    expect('wire.h: is not guarded by WIRE_H', 'int wire_fill(void);\n', path='src/adi3/base/wire.h')
    expect('has 61 lines, 60 is the limit', function(lines=61))
    assert problems(function(lines=60)) == []
    seven = ', '.join(f'int n{i}' for i in range(7))
    expect('has 7 parameters, 6 is the limit', function(parameters=seven))
    assert problems(function('wire_slow_path', seven)) == []
    for name in 'fill', 'do_fill', 'fill_it', 'now':
        expect('has a name of two words', function(name))
    assert problems(function('fill'), 'test/adi3/wire.c') == []
    needs, wire = '#include "adi3/base/base.h"\n', 'struct wire { struct base base; };\n'
    assert header_problems(needs + wire) == []
    for said in header_problems(wire), header_problems(needs + wire, guard=''):
        assert len(said) == 1 and 'wire.h does not compile alone' in said[0], said


if __name__ == '__main__':
    main()
