#!/usr/bin/env python3
"""Writes a C test that calls every exported MPI function with one bad argument at a time.

Usage: gen_arg_tests.py MPI_H SYMBOLS OUT.c

SYMBOLS is the output of `nm -D --defined-only libmpi.so`. The functions check their arguments by
hand-written code; this test shows that they check all of them. For a function and a parameter
arg_bad.py has the bad values and the error class that each must return; arg_good.py has the
arguments for the other parameters, and the outputs that must be null handles after the error.  This
program fails when a function has no row, so that each new function is tested as soon as it is
exported.

Each error must come to one error handler: that of the object that error_handlers.py says, as the
manual pages do, or, when the handle of that object is the bad argument, that of MPI_COMM_WORLD or
of MPI_FILE_NULL.

The test runs in any number of processes, all on MPI_COMM_SELF.  It prints the number of checks, and
the name of a check that hangs or crashes.  With -DLAX it leaves out errors that MPICH does not
detect (LAX in arg_bad.py), so that the tables themselves can be tested with MPICH:

    nm -D --defined-only libmpich.so.12 > symbols && gen_arg_tests.py mpi.h symbols args.c
    mpicc.mpich -DLAX args.c && ./a.out"""
import re
import sys

sys.dont_write_bytecode = True      # no __pycache__ in tools/
from arg_bad import COMBINATIONS, LAX, ROWS
from arg_good import GIVEN, GOOD, NOT_CALLED, OBJECTS, RELEASE, TAKEN
from error_handlers import handled_by
from mpi_h import Header, to_come

FRAME = '''/* Made by gen_arg_tests.py: every exported function, one bad argument at a time. */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <mpi.h>

enum { LONG_STRING = 70000, WORKS_EVERY = 50, PATIENCE_SECONDS = 20 };

static const char *volatile now = "the preparations"; /* the current check */
static int checks, failed;

/* What an error handler was called for. */
enum object { NOTHING, WORLD, COMM, WIN, FILE_NULL, OPEN_FILE };
static enum object handled;
static int handlings;

/* Right arguments that are no literals; a library with few functions does not need all. */
#define MAYBE static __attribute__((unused))
MAYBE int ints[64];
MAYBE char chars[MPI_MAX_LIBRARY_VERSION_STRING], long_string[LONG_STRING];
MAYBE MPI_User_function a_user_fn;
MAYBE MPI_Comm_errhandler_function a_handler;
MAYBE MPI_File_errhandler_function a_file_handler, file_failed;
MAYBE MPI_Win_errhandler_function win_failed;
MAYBE MPI_Grequest_query_function a_query_fn;
MAYBE MPI_Grequest_free_function a_free_fn;
MAYBE MPI_Grequest_cancel_function a_cancel_fn;
MAYBE MPI_Datarep_extent_function an_extent_fn;
%(objects)s

static void a_user_fn(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void) in, (void) inout, (void) len, (void) type;
}

static void a_handler(MPI_Comm *comm, int *code, ...) { (void) comm, (void) code; }
static void a_file_handler(MPI_File *file, int *code, ...) { (void) file, (void) code; }

static void handle(enum object object)
{
    handled = object;
    handlings++;
}

static void comm_failed(MPI_Comm *comm, int *code, ...)
{
    (void) code;
    handle(*comm == MPI_COMM_WORLD ? WORLD : COMM);
}

static void win_failed(MPI_Win *win, int *code, ...) { (void) win, (void) code, handle(WIN); }

static void file_failed(MPI_File *file, int *code, ...)
{
    (void) code;
    handle(*file == MPI_FILE_NULL ? FILE_NULL : OPEN_FILE);
}

static int a_query_fn(void *extra, MPI_Status *s) { return extra && s ? 0 : MPI_ERR_OTHER; }
static int a_free_fn(void *extra) { return extra ? 0 : MPI_ERR_OTHER; }
static int a_cancel_fn(void *extra, int complete) { return extra ? !complete : MPI_ERR_OTHER; }
static int an_extent_fn(MPI_Datatype t, MPI_Aint *n, void *extra) { return t && n && extra; }

static void died(int sig)
{
    const char *why = sig == SIGALRM ? " hangs\\n" : " crashes\\n";

    (void) !write(2, now, strlen(now));
    (void) !write(2, why, strlen(why));
    _exit(1);
}

static void still_works(void)
{
    alarm(PATIENCE_SECONDS);
%(works)s}

#ifdef LAX
/* MPICH's MPI_Finalize fails after it. */
#define SET_FOR_FILES(handler) ((void) (handler))
static void expect_handled(enum object want) { (void) want; }
#else
#define SET_FOR_FILES(handler) MPI_File_set_errhandler(MPI_FILE_NULL, handler)
static void expect_handled(enum object want)
{
    static const char *const names[] = { "no object",     "MPI_COMM_WORLD", "the communicator",
                                         "the window",    "MPI_FILE_NULL",  "the open file" };

    if (handled == want && handlings == (want != NOTHING))
        return;
    printf("%%s called %%d error handlers, the last one of %%s, not one of %%s\\n", now, handlings,
           names[handled], names[want]);
    failed++;
}
#endif

static void expect(int code, int want, enum object object)
{
    char text[MPI_MAX_ERROR_STRING];
    int got = code, len = 0;

    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &got);
    if (got != want) {
        printf("%%s gave class %%d, not %%d\\n", now, got, want);
        failed++;
    } else if (MPI_Error_string(code, text, &len) != MPI_SUCCESS || len <= 0
               || (size_t) len != strlen(text)) {
        printf("%%s has no proper text\\n", now);
        failed++;
    }
    expect_handled(object);
    handled = NOTHING;
    handlings = 0;
    if (++checks %% WORKS_EVERY == 0)
        still_works();
}

#ifdef LAX
#define EXPECT_NULL(handle, null)
#else
#define EXPECT_NULL(handle, null) expect_null((handle) == (null), #null)
#endif

MAYBE void expect_null(int is_null, const char *null)
{
    if (is_null)
        return;
    printf("%%s does not leave %%s\\n", now, null);
    failed++;
}

/* what: the name of the check, in case it crashes. */
#define EXPECT(class, object, what, ...) (now = what, expect(__VA_ARGS__, class, object))

%(given)s
%(functions)s
int main(void)
{
    const int fatal[] = { SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGABRT };

    for (int i = 0; i < 5; i++)
        signal(fatal[i], died);
    setvbuf(stdout, NULL, _IOLBF, 0); /* failures before a crash must not be lost */
    memset(long_string, 'x', LONG_STRING - 1);
    still_works();
    MPI_Init(NULL, NULL);
    MPI_Errhandler comm_errors;
    MPI_Comm_create_errhandler(comm_failed, &comm_errors);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, comm_errors);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, comm_errors);
    MPI_Errhandler_free(&comm_errors);
%(make)s
%(calls)s
%(release)s
    MPI_Finalize();
    printf("%%d checks, %%d failed\\n", checks, failed);
    return failed != 0;
}
'''

WORKS = '''    int running = 0, over = 0, out = checks, in = -1;

    MPI_Initialized(&running);
    MPI_Finalized(&over);
    if (!running || over)
        return;
    MPI_Sendrecv(&out, 1, MPI_INT, 0, 5, &in, 1, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    if (in != out) {
        printf("after %s: a message to itself does not arrive\\n", now);
        failed++;
    }
'''

# Functions that the test itself needs.
FRAME_NEEDS = {'MPI_Init', 'MPI_Finalize', 'MPI_Comm_create_errhandler', 'MPI_Comm_set_errhandler',
               'MPI_Errhandler_free', 'MPI_Error_class', 'MPI_Error_string'}
WORKS_NEEDS = {'MPI_Sendrecv', 'MPI_Initialized', 'MPI_Finalized'}


def prototypes(header):
    """(function, [parameter]) of each function that returns an error code; a parameter is written
    as 'type *name[]' without const."""
    for f in Header(header).functions.values():
        if f.result == 'int':
            yield f.name, [p.declaration.replace('const ', '') for p in f.parameters]


# The object whose error handler is called, by kind: when its handle is right, and when it is wrong.
OBJECT = {'none': ('NOTHING', 'NOTHING'), 'world': ('WORLD', 'WORLD'),
          'no file': ('FILE_NULL', 'FILE_NULL'), 'file': ('OPEN_FILE', 'FILE_NULL'),
          'communicator': ('COMM', 'WORLD'), 'window': ('WIN', 'WORLD'),
          'request': ('WORLD', 'WORLD')}     # the right request is the null one
# Handles that are wrong for a function and name an object all the same.
NAMED = {'MPI_COMM_SELF': 'COMM', '&(MPI_Comm){MPI_COMM_SELF}': 'COMM', 'win': 'WIN'}


def handler_of(name, changed, params, good):
    """The object whose error handler gets the error of a check."""
    kind, parameter = handled_by(name, params)
    right, wrong = OBJECT[kind]
    value = changed.get(parameter) or (good(name, parameter) if parameter else '')
    if parameter in changed or value == 'MPI_FILE_NULL':
        return NAMED.get(value, wrong)
    return right


def fits(functions, parameter, name, param):
    """Whether a row of a table matches this parameter of this function."""
    return re.fullmatch(functions, name[4:]) and re.fullmatch(parameter, param)


class Generator:
    """The tables, limited to the functions that a library exports."""

    def __init__(self, exported):
        self.exported = exported
        self.objects = {}
        for name, ctype, needs, make in OBJECTS:
            if all('MPI_' + f in exported for f in needs.split()):
                self.objects[name] = (ctype, make)
        self.missing = {row[0] for row in OBJECTS} - self.objects.keys()

    def possible(self, expression):
        """False when an object in the expression cannot be made with the exported functions."""
        return not self.missing & set(re.findall(r'[a-z]\w+', expression))

    def good(self, name, param):
        """The argument that is right for this parameter."""
        for functions, parameter, value in GOOD:
            if fits(functions, parameter, name, param) and self.possible(value):
                return value
        sys.exit(f'{name}: GOOD in arg_good.py has no row for the parameter "{param}"')

    def bad(self, name, param):
        """The [(value, error class)] for this parameter; empty when every value is right."""
        for functions, parameter, checks in ROWS:
            if fits(functions, parameter, name, param):
                return [] if isinstance(checks, str) else checks
        sys.exit(f'{name}: ROWS in arg_bad.py has no row for the parameter "{param}"')

    def given(self, name, param):
        """(variable, null handle) for an output that is a handle, otherwise None."""
        if any(fits(*row, name, param) for row in TAKEN):
            return None
        for functions, parameter, null in GIVEN:
            if fits(functions, parameter, name, param):
                return 'given_' + re.fullmatch(parameter, param).group(1), null
        return None

    def check(self, name, changed, params, error):
        """A line of C that calls name with good arguments, except those in changed, {parameter: value};
        and a line for each handle that is an output."""
        handler = handler_of(name, changed, params, self.good)
        changed = dict(changed)
        what = ', '.join(re.search(r'(\w+)(?:\[.*)?$', p).group(1) + ' = ' + v
                         for p, v in changed.items()).replace('"', '\\"')
        lax = any(fits(functions, parameter, name, p) and re.fullmatch(value, v)
                  for functions, parameter, value, _ in LAX for p, v in changed.items())
        before, after = '', ''
        for p in params:
            given = self.given(name, p) if p not in changed else None
            if given:
                changed[p] = '&' + given[0]
                before += f'    memset(&{given[0]}, 1, sizeof {given[0]});\n'
                after += f'    EXPECT_NULL({given[0]}, {given[1]});\n'
        args = ', '.join(changed.get(p) or self.good(name, p) for p in params)
        error = error if error.startswith('MPI_') else 'MPI_ERR_' + error
        line = f'{before}    EXPECT({error}, {handler}, "{name}: {what}", {name}({args}));\n{after}'
        return f'#ifndef LAX\n{line}#endif\n' if lax else line

    def checks(self, name, params):
        """All checks of one function."""
        for param in params:
            for value, error in self.bad(name, param):
                if self.possible(value):
                    yield self.check(name, {param: value}, params, error)
        for functions, changed, error in COMBINATIONS:
            if re.fullmatch(functions, name[4:]) and all(map(self.possible, changed.values())):
                full = {p: value for p in params for pattern, value in changed.items()
                        if re.fullmatch(pattern, p)}
                if len(full) == len(changed):
                    yield self.check(name, full, params, error)

    def program(self, functions):
        """The C program."""
        bodies, calls = [], []
        for name, params in functions:
            if name in self.exported and not re.fullmatch(NOT_CALLED, name[4:]):
                lines = list(self.checks(name, params))
                if lines:
                    bodies.append(f'static void test_{name}(void)\n{{\n{"".join(lines)}}}\n')
                    calls.append(f'    test_{name}();')
        objects, make, release = [], [], []
        for name, (ctype, code) in self.objects.items():
            objects.append(f'static {ctype} {name};')
            make += [f'    now = "making {name}";', f'    {{ {code} }}']
            free = RELEASE.get(name, RELEASE.get(ctype))
            if free in self.exported and not name.startswith('freed'):
                release.insert(0, f'    {free}(&{name});')
        works = WORKS if WORKS_NEEDS <= self.exported else ''
        kinds = sorted({re.search(r'\((\w+)\)', parameter).group(1) for _, parameter, _ in GIVEN})
        return FRAME % {'given': '\n'.join(f'MAYBE {kind} given_{kind};' for kind in kinds),
                        'objects': '\n'.join(objects), 'functions': '\n'.join(bodies),
                        'make': '\n'.join(make), 'calls': '\n'.join(calls),
                        'release': '\n'.join(release), 'works': works}


def main(header, symbols, out):
    """Reads the prototypes and the symbols, writes the test."""
    with open(symbols, encoding='utf-8') as f:
        exported = {line.split()[-1] for line in f if line.strip()} - to_come()
    if not FRAME_NEEDS <= exported:
        sys.exit(f'the test itself needs {" ".join(sorted(FRAME_NEEDS - exported))}')
    with open(out, 'w', encoding='utf-8') as f:
        f.write(Generator(exported).program(prototypes(header)))


if __name__ == '__main__':
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
